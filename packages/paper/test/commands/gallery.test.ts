import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runCommand } from '../child-process.js';
import { temporaryFolder } from '../temporary-folder.js';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));

it('gallery runs a script of examples, keeps what it came to and writes it into the page', async () => {
  const cwd = await temporaryFolder();
  await mkdir(join(cwd, 'docs'));
  await cp(join(repository, 'docs/gallery.md'), join(cwd, 'docs/gallery.md'));
  await mkdir(join(cwd, 'examples/gallery'), { recursive: true });
  const script = `import { mkdirSync, writeFileSync } from 'node:fs';
    const folder = process.argv[process.argv.indexOf('--results') + 1];
    mkdirSync(folder, { recursive: true });
    const told = { story: 'stream', evenhand: '1', node: '1', numbers: {}, printed: ['a line of a story'] };
    writeFileSync(folder + '/stream.json', JSON.stringify(told));`;
  await writeFile(join(cwd, 'examples/gallery/stream.mjs'), script);
  const { code, stderr } = await runCommand(['gallery', '--only', 'stream'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  expect(await readFile(join(cwd, 'docs/gallery.md'), 'utf8')).toContain('\n```text\na line of a story\n```\n');
});

it.each([
  [['gallery', '--only', 'strem'], '--only is "strem"; did you mean "stream"?'],
  [['gallery'], 'run this in a clone of the repository'],
  [['gallery', '--no-running'], 'mammography.json cannot be read; npm run gallery -- --only mammography makes it'],
])('%j is refused', async (args, message) => {
  const { code, stderr } = await runCommand(args, { cwd: await temporaryFolder() });
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
