import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@evenhand/engine';
import sharp from 'sharp';
import { type ConfigInput, train } from '../../src/index.js';

/** Names that are nothing but text, however a page or a file takes them. */
export const WEIRD_NAMES = [
  '<img src=x onerror="document.title=\'pwned\'">',
  '</script><script>document.title="pwned"</script>',
  'line\u2028separator & "quotes" \'single\'',
  '=cmd',
  '__proto__',
  '🦊👩‍🚀 emoji',
  'עברית מימין לשמאל',
  'x'.repeat(200),
];

/** A folder for the runs of one test file; removed by whoever asked for it. */
export function runsFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'evenhand-report-'));
}

/** A table with these classes, fewer and fewer rows of each; the last column is `class`. */
export async function writeWeirdTable(folder: string, names: readonly string[] = WEIRD_NAMES): Promise<string> {
  const random = seededRandom(3, 'weird table');
  const rows = names.flatMap((name, p) =>
    Array.from({ length: 60 - 5 * p }, () =>
      [p + 2 * random(), (p % 3) + random(), random() < 0.5 ? 'red' : 'green', `"${name.replaceAll('"', '""')}"`].join(
        ',',
      ),
    ),
  );
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'weird <b>table.csv');
  await writeFile(path, `x,"<i>y</i>",colour,class\n${rows.join('\n')}\n`);
  return path;
}

/** Two quick epochs on a table. */
export async function trainOnTable(source: string, folder: string, options: Partial<ConfigInput> = {}): Promise<void> {
  const config: ConfigInput = {
    data: { source, target: 'class' },
    model: { name: 'mlp', hidden: [8] },
    epochs: 2,
    batchSize: 32,
    threads: 1,
    ...options,
  };
  await train(config, { folder });
}

/** A folder of small images, bright on the left, in the middle or on the right. */
export async function writeImages(folder: string): Promise<string> {
  const random = seededRandom(4, 'images');
  const path = join(folder, 'images');
  const size = 12;
  for (const [p, name] of ['left', 'middle', 'right'].entries()) {
    await mkdir(join(path, name), { recursive: true });
    for (let i = 0; i < 30 - 6 * p; i++) {
      const pixels = Uint8Array.from({ length: 3 * size * size }, (_, k) => {
        const column = Math.floor(k / 3) % size;
        return (Math.floor((3 * column) / size) === p ? 120 : 60) + 80 * random();
      });
      await sharp(pixels, { raw: { width: size, height: size, channels: 3 } })
        .png()
        .toFile(join(path, name, `${i} & co.png`));
    }
  }
  return path;
}

/** One quick epoch on images. */
export async function trainOnImages(source: string, folder: string): Promise<void> {
  await train(
    { data: { source }, model: { name: 'mlp', hidden: [8] }, epochs: 1, batchSize: 16, threads: 1 },
    { folder },
  );
}
