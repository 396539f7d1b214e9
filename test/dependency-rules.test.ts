import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';

const repository = fileURLToPath(new URL('..', import.meta.url));

/** A source tree: path → text. */
type Tree = Record<string, string>;

function manifest(name: string): string {
  return JSON.stringify({ name, type: 'module', exports: './dist/index.js' });
}

/** What the rules allow, in the layout of the repository. */
const cleanTree: Tree = {
  'package.json': JSON.stringify({ type: 'module', workspaces: ['packages/*'] }),
  'packages/encoding/package.json': manifest('@evenhand/encoding'),
  'packages/encoding/src/index.ts': `export { counts } from './counts.js';`,
  'packages/encoding/src/counts.ts': 'export const counts = [1, 2];',
  'packages/encoding/test/counts.test.ts': `import 'node:fs'; import 'zod'; import '../src/counts.js';`,
  'packages/resampling/package.json': manifest('@evenhand/resampling'),
  'packages/resampling/src/index.ts': `export { smote } from './over-sampling/smote.js';`,
  'packages/resampling/src/over-sampling/smote.ts': 'export const smote = 1;',
  'packages/streams/package.json': manifest('@evenhand/streams'),
  'packages/streams/src/index.ts': `export const adwin = 1;`,
  'packages/resampling/test/smote.test.ts': `import 'node:fs'; import '../src/over-sampling/smote.js';`,
  'packages/engine/package.json': manifest('@evenhand/engine'),
  'packages/engine/src/index.ts': `import 'node:worker_threads'; import 'zod';`,
  'packages/engine/src/graph/tensor.ts': '',
  'packages/engine/src/onnx/writer.ts': `import '../graph/tensor.js';`,
  'packages/tfjs/package.json': manifest('@evenhand/tfjs'),
  'packages/tfjs/src/index.ts': `export * from '@evenhand/encoding'; export * from '@tensorflow/tfjs';`,
  'packages/evenhand/package.json': manifest('evenhand'),
  'packages/evenhand/src/index.ts': `export * from '@evenhand/encoding'; export * from '@evenhand/engine'; import './runs/run.js';`,
  'packages/evenhand/src/runs/run.ts': `import '../files/read.js'; import '../user-error.js';`,
  'packages/evenhand/src/files/read.ts': `import '../user-error.js';`,
  'packages/evenhand/src/user-error.ts': '',
  'packages/paper/package.json': manifest('@evenhand/paper'),
  'packages/paper/src/index.ts': `export * from 'evenhand'; export * from '@evenhand/encoding'; import 'zod';`,
  'packages/paper/test/index.test.ts': `import 'evenhand'; import '@evenhand/paper'; import '../src/index.js';`,
  'packages/studio/package.json': manifest('@evenhand/studio'),
  'packages/studio/src/main.ts': `import type {} from 'evenhand/studio'; import '@evenhand/encoding'; import '@evenhand/engine';`,
  'packages/studio/vite.config.ts': `import 'evenhand';`,
  'bench/src/main.ts': `export * from '@evenhand/encoding';`,
  'test/packages.test.ts': `export * from '@evenhand/encoding';`,
  'node_modules/@tensorflow/tfjs/package.json': manifest('@tensorflow/tfjs'),
  'node_modules/@tensorflow/tfjs/dist/index.js': '',
  'node_modules/zod/package.json': manifest('zod'),
  'node_modules/zod/dist/index.js': '',
};

/** One file beside or instead of those of the clean tree, the rules it breaks, and who is blamed if not the file itself. */
interface Offence {
  readonly file: string;
  readonly text: string;
  readonly breaks: readonly string[];
  readonly blamed?: readonly string[];
}

const offences: Offence[] = [
  { file: 'packages/encoding/src/a.ts', text: `import 'zod';`, breaks: ['encoding-imports-nothing'] },
  { file: 'packages/resampling/src/a.ts', text: `import 'node:fs';`, breaks: ['resampling-imports-nothing'] },
  { file: 'packages/streams/src/a.ts', text: `import 'node:fs';`, breaks: ['streams-imports-nothing'] },
  {
    file: 'packages/resampling/src/b.ts',
    text: `import '@evenhand/encoding';`,
    breaks: ['parts-stand-alone', 'resampling-imports-nothing'],
  },
  { file: 'packages/encoding/src/b.ts', text: `import 'not-installed';`, breaks: ['encoding-imports-nothing'] },
  { file: 'packages/encoding/src/c.ts', text: `import 'node:fs';`, breaks: ['encoding-imports-nothing'] },
  { file: 'packages/encoding/src/d.ts', text: `import type {} from 'zod';`, breaks: ['encoding-imports-nothing'] },
  {
    file: 'packages/encoding/src/e.ts',
    text: `import '@evenhand/engine';`,
    breaks: ['encoding-imports-nothing', 'parts-stand-alone'],
  },
  {
    file: 'packages/encoding/test/a.test.ts',
    text: `import '@evenhand/engine';`,
    breaks: ['parts-stand-alone'],
  },
  {
    file: 'packages/engine/src/a.ts',
    text: `import '@evenhand/encoding';`,
    breaks: ['parts-stand-alone'],
  },
  {
    file: 'packages/engine/src/b.ts',
    text: `import 'evenhand';`,
    breaks: ['parts-stand-alone'],
  },
  { file: 'packages/tfjs/src/a.ts', text: `import 'zod';`, breaks: ['tfjs-imports-encoding-and-tensorflow-only'] },
  { file: 'packages/tfjs/src/b.ts', text: `import 'node:fs';`, breaks: ['tfjs-imports-encoding-and-tensorflow-only'] },
  {
    file: 'packages/tfjs/src/c.ts',
    text: `import '@evenhand/engine';`,
    breaks: ['tfjs-imports-encoding-and-tensorflow-only'],
  },
  {
    file: 'packages/evenhand/src/a.ts',
    text: `import '@evenhand/tfjs';`,
    breaks: ['evenhand-joins-the-floors-below-only'],
  },
  {
    file: 'packages/evenhand/src/b.ts',
    text: `import '@evenhand/paper';`,
    breaks: ['evenhand-joins-the-floors-below-only', 'nothing-stands-on-the-paper'],
  },
  {
    file: 'packages/engine/test/a.test.ts',
    text: `import '@evenhand/paper';`,
    breaks: ['nothing-stands-on-the-paper', 'parts-stand-alone'],
  },
  {
    file: 'packages/tfjs/test/a.test.ts',
    text: `import '@evenhand/paper';`,
    breaks: ['nothing-stands-on-the-paper'],
  },
  { file: 'packages/paper/src/a.ts', text: `import '@evenhand/engine';`, breaks: ['paper-stands-on-evenhand'] },
  {
    file: 'packages/paper/src/b.ts',
    text: `import '../../evenhand/src/index.js';`,
    breaks: ['no-relative-import-across-packages'],
  },
  {
    file: 'packages/paper/test/b.test.ts',
    text: `import '../../evenhand/src/index.js';`,
    breaks: ['no-relative-import-across-packages'],
  },
  {
    file: 'packages/studio/src/a.ts',
    text: `import 'evenhand';`,
    breaks: ['studio-knows-the-server-by-its-interface'],
  },
  { file: 'bench/src/d.ts', text: `import '@evenhand/studio';`, breaks: ['nothing-stands-on-the-studio'] },
  {
    file: 'packages/tfjs/src/d.ts',
    text: `import '../../encoding/src/counts.js';`,
    breaks: ['no-relative-import-across-packages'],
  },
  {
    file: 'bench/src/b.ts',
    text: `import '../../packages/engine/src/index.js';`,
    breaks: ['no-relative-import-across-packages'],
  },
  {
    file: 'bench/src/a.ts',
    text: `import '../../packages/encoding/src/counts.js';`,
    breaks: ['no-relative-import-across-packages'],
  },
  {
    file: 'packages/encoding/src/counts.ts',
    text: `import type {} from './index.js';`,
    breaks: ['no-circular-imports'],
  },
  { file: 'packages/engine/src/c.ts', text: `import './nowhere.js';`, breaks: ['no-relative-import-into-nothing'] },
  {
    file: 'packages/engine/src/graph/a.ts',
    text: `import type {} from '../onnx/writer.js';`,
    breaks: ['no-circular-folders'],
    blamed: ['packages/engine/src/graph', 'packages/engine/src/onnx'],
  },
  {
    file: 'packages/evenhand/src/files/a.ts',
    text: `import '../runs/run.js';`,
    breaks: ['no-circular-folders'],
    blamed: ['packages/evenhand/src/files', 'packages/evenhand/src/runs'],
  },
];

function blamedFor({ file, blamed = [file] }: Offence): readonly string[] {
  return blamed;
}

/** Another package's output breaks one rule once it is there, and another one, for its absence, until then. */
function importOfOutput(moment: string): Offence {
  const rule = moment === 'after' ? 'no-relative-import-across-packages' : 'no-relative-import-into-nothing';
  return { file: 'bench/src/c.ts', text: `import '../../packages/encoding/dist/index.js';`, breaks: [rule] };
}

function writeTree(folder: string, tree: Tree): void {
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Stands for `npm install` and `tsc -b`: workspace imports, bare names until then, resolve to files. */
function build(folder: string): void {
  mkdirSync(join(folder, 'node_modules/@evenhand'));
  for (const name of ['encoding', 'engine', 'tfjs', 'evenhand', 'paper']) {
    writeTree(folder, { [`packages/${name}/dist/index.js`]: '' });
    const link = name === 'evenhand' ? 'node_modules/evenhand' : `node_modules/@evenhand/${name}`;
    symlinkSync(join(folder, 'packages', name), join(folder, link), 'junction');
  }
}

/** The cruiser and the configuration of `npm run lint`, on another tree. */
function cruise(folder: string): { failed: boolean; broken: Map<string, string[]> } {
  const command = join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = join(repository, '.dependency-cruiser.js');
  const run = spawnSync(process.execPath, [command, '--config', config, 'packages', 'bench', 'test'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(run.stderr).toBe('');
  const broken = new Map<string, string[]>();
  for (const [, rule = '', file = ''] of run.stdout.matchAll(/^ *error ([\w-]+): (\S+)/gm)) {
    broken.set(file, [...(broken.get(file) ?? []), rule].sort());
  }
  return { failed: run.status !== 0, broken };
}

describe.each(['before', 'after'])('dependency rules, %s the build', (moment) => {
  const all = [...offences, importOfOutput(moment)];
  let clean: ReturnType<typeof cruise>;
  let offending: ReturnType<typeof cruise>;

  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), 'evenhand-rules-'));
    writeTree(folder, cleanTree);
    if (moment === 'after') build(folder);
    clean = cruise(folder);
    for (const { file, text } of all) writeTree(folder, { [file]: text });
    offending = cruise(folder);
    rmSync(folder, { recursive: true });
  }, 60_000);

  test('let a tree pass that keeps the floors apart', () => {
    expect(clean).toEqual({ failed: false, broken: new Map() });
  });

  test.each(all)('$file: $text', (offence) => {
    for (const blamed of blamedFor(offence)) expect(offending.broken.get(blamed)).toEqual(offence.breaks);
    expect(offending.failed).toBe(true);
  });

  test('blame nobody who keeps to them', () => {
    expect([...offending.broken.keys()].sort()).toEqual(all.flatMap(blamedFor).sort());
  });
});
