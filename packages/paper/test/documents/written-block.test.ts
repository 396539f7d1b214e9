import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from 'evenhand';
import { expect, it } from 'vitest';
import { withBlock, writeBlock } from '../../src/documents/written-block.js';
import { temporaryFolder } from '../temporary-folder.js';

const BLOCK = { name: 'counts', writtenBy: '`npm run count` from files' };
const BEGIN = '<!-- counts: written by `npm run count` from files. Change those, not this. -->';
const END = '<!-- end of counts -->';
const page = (text: string) => `# Page\n\nBy hand.\n\n${BEGIN}\n\n${text}\n\n${END}\n\nBy hand, too.\n`;

it('replaces what is between the markers and nothing else', () => {
  expect(withBlock(page('old $& text\n\nof two paragraphs'), BLOCK, '\n3 $& files\n')).toBe(page('3 $& files'));
  expect(withBlock(page('same'), BLOCK, 'same')).toBe(page('same'));
});

it.each([
  ['without markers', 'text'],
  ['without an end', BEGIN],
  ['with the end first', `${END}\n${BEGIN}`],
  ['with two beginnings', `${BEGIN}\n${page('text')}`],
  ['with two ends', `${page('text')}\n${END}`],
])('a page %s stays as it is, and is told what it lacks', async (_, text) => {
  const file = join(await temporaryFolder(), 'page.md');
  await writeFile(file, text);
  const written = writeBlock(file, BLOCK, 'new');
  await expect(written).rejects.toThrow(UserError);
  await expect(written).rejects.toThrow(`${file}: expected the lines "${BEGIN}" and, after it, "${END}", once each`);
  expect(await readFile(file, 'utf8')).toBe(text);
});

it('names a page that cannot be read', async () => {
  const file = join(await temporaryFolder(), 'nowhere.md');
  await expect(writeBlock(file, BLOCK, 'new')).rejects.toThrow(
    `${file}, of which "counts" is a part, cannot be read; name another by --page`,
  );
});
