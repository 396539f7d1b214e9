import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configHash } from '../../src/config/difference.js';
import { openRun } from '../../src/runs/run.js';
import { RunWriter } from '../../src/runs/run-writer.js';
import { Child } from './child-process.js';
import {
  EXAMPLE_CLASSES,
  exampleCheckpoint,
  exampleGenerator,
  exampleMetrics,
  exampleSetting,
  smallDisk,
  temporaryFolder,
} from './examples.js';

async function freshPath(): Promise<string> {
  return join(await temporaryFolder(), 'runs', 'first');
}

const { state, progress } = exampleCheckpoint(1);

/** A run with two epochs behind its last checkpoint and a third one after it. */
async function interruptedRun(): Promise<string> {
  const path = await freshPath();
  const run = await RunWriter.create(path, exampleSetting());
  for (const epoch of [0, 1, 2]) {
    await run.appendMetrics(exampleMetrics(epoch));
    await run.appendGenerator(exampleGenerator(epoch));
    if (epoch === 1) await run.saveCheckpoint('last', state, progress);
  }
  run.release();
  return path;
}

/** Prepares what `exampleSetting` gives, in another process. */
const SETTING = `
  const { RunWriter } = await import(dist + 'runs/run-writer.js');
  const { parseConfig } = await import(dist + 'config/parse.js');
  const { describeEnvironment } = await import(dist + 'runs/environment.js');
  const config = parseConfig({ data: { source: 'yeast.csv', target: 'class' }, threads: 2 });
  const environment = describeEnvironment(2, { name: 'yeast.csv', contentHash: 'a'.repeat(64) });
  const classes = { names: ['a', 'b'], counts: { training: [9, 1], validation: [1, 1], test: [3, 1] } };
`;

/** Begins the runs it is given and is done with each at once. */
const CREATING = `${SETTING}
  for (const path of process.argv.slice(1)) {
    try {
      (await RunWriter.create(path, { config, environment, classes })).release();
      console.log('began ' + path);
    } catch (error) {
      if (error.name !== 'UserError') throw error;
    }
  }
`;

/** The names and contents of all files of a run. */
async function contentOf(path: string): Promise<string[]> {
  const names = await readdir(path, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.sort().map(async (file) => `${file}: ${await readFile(file, 'latin1')}`));
}

describe('a new run', () => {
  it('has its configuration and its environment in it, complete', async () => {
    const path = await freshPath();
    const setting = exampleSetting();
    (await RunWriter.create(path, setting)).release();
    const { config, environment } = await openRun(path);
    expect(config).toEqual(setting.config);
    expect(environment).toEqual(setting.environment);
    expect(environment.dataset).toEqual({ name: 'yeast.csv', hash: 'a'.repeat(64) });
    expect(environment.node).toBe(process.versions.node);
    expect(environment.onnxRuntime).toMatch(/^\d+\.\d+\.\d+/);
    expect(environment.gitCommit ?? 'none').toMatch(/^([0-9a-f]{40}|none)$/);
  });

  it('can be read before its training is over: configuration, classes and the epochs so far', async () => {
    const path = await interruptedRun();
    const run = await openRun(path);
    expect(await run.classes()).toEqual(EXAMPLE_CLASSES);
    expect((await run.metrics()).map(({ epoch }) => epoch)).toEqual([0, 1, 2]);
    expect(await run.isComplete()).toBe(false);
    await expect(run.evaluation()).rejects.toThrow(
      `${path} is not complete: it has no evaluation.json. Continue it: npx evenhand resume ${path}`,
    );
  });

  it('fault 2: begins in an empty folder, and where one was killed before it began', async () => {
    const path = await temporaryFolder();
    await writeFile(join(path, 'environment.json'), '{"node"');
    await writeFile(join(path, 'config.json.123-0.tmp'), '{');
    (await RunWriter.create(path, exampleSetting())).release();
    expect((await readdir(path)).sort()).toEqual(['checkpoints', 'classes.json', 'config.json', 'environment.json']);
  });

  it('fault 12: is refused where a run is, and leaves it as it was', async () => {
    const path = await interruptedRun();
    const before = await contentOf(path);
    await expect(RunWriter.create(path, exampleSetting())).rejects.toThrow(
      `${path} already holds a run; resume it, or choose another folder`,
    );
    expect(await contentOf(path)).toEqual(before);
  });

  it('fault 12: is refused where something else is, and leaves it as it was', async () => {
    const path = await temporaryFolder();
    await writeFile(join(path, 'thesis.tex'), '');
    await expect(RunWriter.create(path, exampleSetting())).rejects.toThrow(
      `${path} is not empty: "thesis.tex" is in it; expected a new or empty folder for the run`,
    );
    expect(await readdir(path)).toEqual(['thesis.tex']);
  });

  it('fault 12: is refused where a file is in the way', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'file');
    await writeFile(file, '');
    await expect(RunWriter.create(file, exampleSetting())).rejects.toThrow(
      `cannot write ${file}: a part of this path is`,
    );
    await expect(RunWriter.create(join(file, 'run'), exampleSetting())).rejects.toThrow('expected a folder');
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('fault 11: on a full disk is refused, and nothing is left behind', async (ctx) => {
    const disk = await smallDisk(ctx, '12k'); // the lock, environment.json and classes.json fit, config.json does not
    const path = join(disk, 'run');
    await expect(RunWriter.create(path, exampleSetting())).rejects.toThrow(
      `cannot write ${join(path, 'config.json')}: the disk is full`,
    );
    expect(await readdir(disk)).toEqual([]);
  });

  it('fault 13: of four processes that begin the same runs at once one begins each, and the others leave it alone', async () => {
    const parent = await temporaryFolder();
    const paths = Array.from({ length: 40 }, (_, i) => join(parent, `run${i}.`));
    const children = Array.from({ length: 4 }, () => new Child(CREATING, paths));
    const outputs = await Promise.all(children.map(async (child) => (await child.ended()).output));
    for (const path of paths) {
      expect(outputs.filter((output) => output.includes(`began ${path}\n`))).toHaveLength(1);
      expect((await openRun(path)).config.threads).toBe(2);
    }
  });

  it('fault 13: is refused to a second process in the moment the first has it', async () => {
    const path = await freshPath();
    const run = await RunWriter.create(path, exampleSetting());
    await expect(RunWriter.resume(path, exampleSetting())).rejects.toThrow(
      `${path} is in use by process ${process.pid}`,
    );
    run.release();
    (await RunWriter.resume(path, exampleSetting())).run.release();
  });
});

describe('fault 12: a folder that cannot be written', () => {
  /** Root may write anywhere; nobody may not. */
  const user = process.getuid?.() === 0 ? 65_534 : undefined;
  const script = `${SETTING}
    const [verb, path] = process.argv.slice(1);
    await RunWriter[verb](path, { config, environment, classes }).catch((error) => console.log(error.name + ': ' + error.message));
  `;
  const reason =
    'this user may not; expected a folder with write permission. Change its permissions or choose another one';

  it('refuses a new run, and nothing is written', async () => {
    const parent = await temporaryFolder();
    await chmod(parent, 0o555);
    const path = join(parent, 'run');
    const { output } = await new Child(script, ['create', path], user).ended();
    expect(output).toBe(`UserError: cannot write ${path}: ${reason}\n`);
    expect(await readdir(parent)).toEqual([]);
  });

  it('refuses to resume one', async () => {
    const parent = await temporaryFolder();
    const path = join(parent, 'run');
    (await RunWriter.create(path, exampleSetting())).release();
    for (const folder of [parent, path]) await chmod(folder, 0o555);
    const { output } = await new Child(script, ['resume', path], user).ended();
    expect(output).toBe(`UserError: cannot write ${join(path, 'lock')}: ${reason}\n`);
  });

  it('refuses to resume one whose checkpoints are not writable', async () => {
    const parent = await temporaryFolder();
    const path = join(parent, 'run');
    (await RunWriter.create(path, exampleSetting())).release();
    await chmod(parent, 0o755);
    await chmod(path, 0o777);
    const checkpoints = join(path, 'checkpoints');
    await chmod(checkpoints, 0o555);
    const { output } = await new Child(script, ['resume', path], user).ended();
    expect(output).toBe(`UserError: cannot write ${checkpoints}: ${reason}\n`);
    expect(await readdir(path)).not.toContain('lock');
  });
});

describe('a resumed run', () => {
  it('fault 2: goes on from its last checkpoint; what was written after it is gone', async () => {
    const path = await interruptedRun();
    await writeFile(join(path, 'report.html.77-3.tmp'), 'half');
    const { run, checkpoint, notes } = await RunWriter.resume(path, exampleSetting());
    expect(notes).toEqual([]);
    const { epoch, step, globalStep, method, training } = progress;
    expect(checkpoint?.progress).toEqual({
      ...{ epoch, step, globalStep, method, training },
      ...{ metricsLines: 2, generatorLines: 2 },
      ...{ configHash: configHash(exampleSetting().config), datasetHash: 'a'.repeat(64) },
    });
    const folder = await openRun(path);
    expect(await folder.metrics()).toEqual([exampleMetrics(0), exampleMetrics(1)]);
    expect(await folder.generators()).toEqual([exampleGenerator(0), exampleGenerator(1)]);
    expect(await readdir(path)).not.toContain('report.html.77-3.tmp');

    await run.appendMetrics(exampleMetrics(2));
    await run.saveCheckpoint('last', state, progress);
    expect((await folder.checkpoint('last'))?.checkpoint.progress.metricsLines).toBe(3);
    run.release();
  });

  it('begins anew if it ended before its first checkpoint', async () => {
    const path = await freshPath();
    const first = await RunWriter.create(path, exampleSetting());
    await first.appendMetrics(exampleMetrics(0));
    first.release();
    const { run, checkpoint } = await RunWriter.resume(path, exampleSetting());
    run.release();
    expect(checkpoint).toBeUndefined();
    expect(await (await openRun(path)).metrics()).toEqual([]);
  });

  it('fault 3: keeps the previous checkpoint when the last one is damaged, through the next save', async () => {
    const path = await interruptedRun();
    const first = await RunWriter.resume(path, exampleSetting());
    await first.run.saveCheckpoint('last', state, { ...progress, globalStep: 2 });
    first.run.release();
    await writeFile(join(path, 'checkpoints', 'last.safetensors'), 'damaged');

    const { run, checkpoint, notes } = await RunWriter.resume(path, exampleSetting());
    expect(checkpoint?.progress.globalStep).toBe(1);
    expect(notes).toEqual([expect.stringContaining('last.safetensors cannot be read: it has 7 bytes')]);
    await run.saveCheckpoint('last', state, { ...progress, globalStep: 3 });
    run.release();
    expect((await readdir(join(path, 'checkpoints'))).sort()).toEqual([
      'damaged.safetensors',
      'last.safetensors',
      'previous.safetensors',
    ]);
    await writeFile(join(path, 'checkpoints', 'last.safetensors'), 'damaged again');
    expect((await (await openRun(path)).checkpoint('last'))?.checkpoint.progress.globalStep).toBe(1);
  });

  it('is refused where there is none, with the nearest name', async () => {
    const path = await freshPath();
    (await RunWriter.create(path, exampleSetting())).release();
    const wrong = join(path, '..', 'frist');
    await expect(RunWriter.resume(wrong, exampleSetting())).rejects.toThrow(
      `${wrong} is not a run: there is no config.json in it; expected a folder that training made. Did you mean ${path}?`,
    );
  });
});

describe('fault 8: resume with something else', () => {
  const epochs = exampleSetting({ config: { epochs: 99 } });

  it('is refused with every difference, and nothing is changed', async () => {
    const path = await interruptedRun();
    const before = await contentOf(path);
    const other = exampleSetting({
      config: { epochs: 99, schedule: { name: 'one-cycle' } },
      hash: 'b'.repeat(64),
    });
    await expect(RunWriter.resume(path, other)).rejects.toThrow(
      `${path} was trained with something else:\n` +
        '  schedule.name: "cosine" in the run, "one-cycle" now\n' +
        '  schedule.warmUpEpochs: 0 in the run, not set now\n' +
        '  epochs: 60 in the run, 99 now\n' +
        '  the data: content aaaaaaaaaaaa… in the run, bbbbbbbbbbbb… now\n' +
        'Resume it with what it was trained with, override this explicitly, or start a new run',
    );
    expect(await contentOf(path)).toEqual(before);
  });

  it('is refused when somebody has edited config.json', async () => {
    const path = await interruptedRun();
    await writeFile(join(path, 'config.json'), JSON.stringify(epochs.config));
    await expect(RunWriter.resume(path, epochs)).rejects.toThrow(
      'config.json: it is not that of the checkpoint; it was edited, or an override was cut off',
    );
  });

  it('goes on if overridden, and is from then on what it was resumed with', async () => {
    const path = await interruptedRun();
    const { run, checkpoint } = await RunWriter.resume(path, epochs, { override: true });
    expect(checkpoint?.progress.globalStep).toBe(1);
    await run.saveCheckpoint('last', state, progress);
    run.release();
    expect((await openRun(path)).config.epochs).toBe(99);
    (await RunWriter.resume(path, epochs)).run.release();
  });
});

it('fault 16: a reader skips a torn last line of the metrics', async () => {
  const path = await interruptedRun();
  await writeFile(join(path, 'metrics.jsonl'), `${JSON.stringify(exampleMetrics(0))}\n{"epo`);
  expect(await (await openRun(path)).metrics()).toEqual([exampleMetrics(0)]);
});

it('fault 34: a run whose config.json has __proto__ is refused', async () => {
  const path = await interruptedRun();
  await writeFile(join(path, 'config.json'), '{"data":{"source":"a","__proto__":{"polluted":1}}}');
  await expect(openRun(path)).rejects.toThrow(
    `${join(path, 'config.json')} is not valid JSON (the key "__proto__" is not allowed)`,
  );
});

it('files that are damaged are named with the line, and with what to do', async () => {
  const path = await interruptedRun();
  const run = await openRun(path);
  await writeFile(join(path, 'classes.json'), '{"names": ["a"]}');
  await expect(run.classes()).rejects.toThrow(
    `${join(path, 'classes.json')} is not what this version of evenhand writes: counts is missing`,
  );
  await writeFile(join(path, 'metrics.jsonl'), `${JSON.stringify(exampleMetrics(0))}\n{"epoch":1}\n`);
  await expect(run.metrics()).rejects.toThrow(
    `${join(path, 'metrics.jsonl')}: line 2 is not what training writes; the file is damaged. Train again`,
  );
});

it('an environment.json that is damaged is named', async () => {
  const path = await interruptedRun();
  const file = join(path, 'environment.json');
  await writeFile(file, '{"node"');
  await expect(openRun(path)).rejects.toThrow(`${file} is not JSON; the file is damaged`);
  await writeFile(file, JSON.stringify({ ...exampleSetting().environment, node: 20 }));
  await expect(openRun(path)).rejects.toThrow(
    `${file} is not what this version of evenhand writes: node is 20; expected text`,
  );
});
