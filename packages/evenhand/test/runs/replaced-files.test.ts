import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readSafetensors, writeSafetensors } from '@evenhand/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { FolderLock } from '../../src/files/folder-lock.js';
import { appendJsonLine } from '../../src/files/json-lines.js';
import { train } from '../../src/index.js';
import { writeReport } from '../../src/report/write-report.js';
import { loadCheckpoint, saveCheckpoint } from '../../src/runs/checkpoint.js';
import { RunWriter } from '../../src/runs/run-writer.js';
import { resume } from '../../src/training/train.js';
import { runsFolder } from '../report/runs.js';
import { resultsOf, tableConfig, writeTable } from '../training/problem.js';
import { exampleCheckpoint, exampleSetting, temporaryFolder, versionOf } from './examples.js';

async function runWith(...versions: readonly number[]): Promise<string> {
  const run = await temporaryFolder();
  await mkdir(join(run, 'checkpoints'));
  for (const version of versions) await saveCheckpoint(run, 'last', exampleCheckpoint(version));
  return run;
}

const lastOf = (run: string) => join(run, 'checkpoints', 'last.safetensors');

const REPLACEMENTS: readonly [kind: string, make: (path: string) => unknown][] = [
  ['a named pipe', (path) => execFileSync('mkfifo', [path])],
  ['a folder', (path) => mkdir(path)],
  ['a device', (path) => symlink('/dev/zero', path)],
];

describe('fault 58: a checkpoint that is whole but cannot be gone on from', () => {
  it.each([
    ['is not JSON', '{"epoch": 3', 'has a progress that is not JSON'],
    ['lacks something', '{"epoch": 3}', 'has a wrong step in its progress: '],
    ['is nothing', undefined, 'is not a checkpoint; expected a file'],
  ])('because its progress %s gives way to the previous one, with a warning', async (_, progress, message) => {
    const run = await runWith(1, 2);
    const { tensors, metadata } = readSafetensors(await readFile(lastOf(run)));
    const changed = new Map([...metadata].filter(([key]) => key !== 'progress'));
    if (progress !== undefined) changed.set('progress', progress);
    await writeFile(lastOf(run), writeSafetensors(tensors, changed));
    const loaded = await loadCheckpoint(run, 'last');
    expect(loaded && versionOf(loaded.checkpoint)).toBe(1);
    expect(loaded?.warning).toContain(`${lastOf(run)} ${message}`);
    expect(loaded?.warning).toContain('previous.safetensors is used instead');
  });

  it.skipIf(process.platform === 'win32').each(REPLACEMENTS)(
    'because it is %s gives way to the previous one, and is put aside by resuming',
    async (kind, make) => {
      const path = join(await temporaryFolder(), 'run');
      const first = await RunWriter.create(path, exampleSetting());
      for (const version of [1, 2]) {
        const { state, progress } = exampleCheckpoint(version);
        await first.saveCheckpoint('last', state, progress);
      }
      first.release();
      await rm(lastOf(path));
      await make(lastOf(path));
      const { run, checkpoint, notes } = await RunWriter.resume(path, exampleSetting());
      expect(checkpoint && versionOf(checkpoint)).toBe(1);
      expect(notes).toEqual([expect.stringContaining(`${lastOf(path)} is ${kind}; an ordinary file is expected`)]);
      const { state, progress } = exampleCheckpoint(3);
      await run.saveCheckpoint('last', state, progress);
      run.release();
      expect((await readdir(join(path, 'checkpoints'))).sort()).toEqual([
        'damaged.safetensors',
        'last.safetensors',
        'previous.safetensors',
      ]);
      const saved = await loadCheckpoint(path, 'last');
      expect(saved && versionOf(saved.checkpoint)).toBe(3);
    },
  );

  it('is refused with the reason of each if there is no other', async () => {
    const run = await runWith(1);
    await rm(lastOf(run));
    await mkdir(lastOf(run));
    await expect(loadCheckpoint(run, 'last')).rejects.toThrow(
      `${lastOf(run)} is a folder; an ordinary file is expected. There is no other checkpoint: restore a copy, or start a new run`,
    );
  });
});

describe.skipIf(process.platform === 'win32')('fault 58: the metrics of a run', () => {
  it.each(REPLACEMENTS)('that are %s are refused by name, and nothing waits', async (kind, make) => {
    const path = join(await temporaryFolder(), 'run');
    (await RunWriter.create(path, exampleSetting())).release();
    const metrics = join(path, 'metrics.jsonl');
    await make(metrics);
    await expect(RunWriter.resume(path, exampleSetting())).rejects.toThrow(`${metrics} is ${kind}`);
    expect(await readdir(path)).not.toContain('lock');
    await expect(appendJsonLine(metrics, {})).rejects.toThrow(metrics);
  });
});

describe('fault 58: a complete run', () => {
  let whole = '';
  beforeAll(async () => {
    const folder = await runsFolder();
    whole = join(folder, 'run');
    await train(tableConfig(await writeTable(folder)), { folder: whole });
    return () => rm(folder, { recursive: true, force: true });
  });

  async function copy(): Promise<string> {
    const path = join(await temporaryFolder(), 'run');
    await cp(whole, path, { recursive: true });
    return path;
  }

  it('without any checkpoint begins anew, says so, and comes to the same bytes', async () => {
    const path = await copy();
    for (const name of await readdir(join(path, 'checkpoints'))) await rm(join(path, 'checkpoints', name));
    const { notes } = await resume(path);
    expect(notes).toContain(
      `There is no checkpoint in ${join(path, 'checkpoints')} any more, although epochs were trained: training begins anew.`,
    );
    expect(await resultsOf(path)).toEqual(await resultsOf(whole));
  });

  it('without the checkpoint of its best epoch, which its results come from, is refused', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    const path = join(folder, 'run');
    await train(tableConfig(source, { epochs: 3, earlyStopping: { patience: 1 } }), { folder: path });
    await rm(join(path, 'checkpoints', 'best.safetensors'));
    await expect(resume(path)).rejects.toThrow(
      `${path} has no checkpoint of its best epoch any more, best.safetensors in its folder checkpoints; restore it, or start a new run`,
    );
  });

  it('is not reported on while it is written, and the report leaves no lock', async () => {
    const path = await copy();
    const lock = FolderLock.acquire(path);
    const before = await readdir(path);
    await expect(writeReport(path)).rejects.toThrow(`${path} is in use by process ${process.pid}`);
    expect(await readdir(path)).toEqual(before);
    lock.release();
    await writeReport(path);
    expect((await readdir(path)).filter((name) => !before.includes(name)).sort()).toEqual([
      'model-card.md',
      'report.html',
    ]);
  });

  it('is reported on and resumed at once, over and over: each works or is refused because of the other', async () => {
    const path = await copy();
    const works = Array.from({ length: 6 }, () => [resume(path), writeReport(path)]).flat();
    const endings = await Promise.allSettled<unknown>(works);
    for (const ending of endings) {
      if (ending.status === 'rejected')
        expect(String(ending.reason)).toContain(`UserError: ${path} is in use by process`);
    }
    expect(endings.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect((await readdir(path)).filter((name) => /lock|tmp/.test(name))).toEqual([]);
    expect(await resultsOf(path)).toEqual(await resultsOf(whole));
  });

  it.skipIf(process.platform === 'win32').each(REPLACEMENTS)(
    'whose report is %s gets a new one, or is refused by name',
    async (kind, make) => {
      const path = await copy();
      const report = join(path, 'report.html');
      await make(report);
      if (kind === 'a folder') {
        await expect(writeReport(path)).rejects.toThrow(`cannot write ${report}: it is a folder; expected a file`);
        expect((await readdir(path)).filter((name) => /lock|tmp/.test(name))).toEqual([]);
      } else {
        await writeReport(path);
        expect((await stat(report)).isFile()).toBe(true);
        expect((await stat('/dev/zero')).isCharacterDevice()).toBe(true);
      }
    },
  );
});
