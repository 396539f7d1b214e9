import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type {
  CompletedConfig,
  ConfigOption,
  DataCheckResult,
  ModelForm,
  RunDetails,
  RunList,
  Sources,
  SweepDetails,
  Training,
  TriedPrediction,
} from '../../src/studio/interface.js';
import { evenhand } from '../cli/evenhand.js';
import { trainOnImages, trainOnTable, writeImages, writeWeirdTable } from '../report/runs.js';
import { type Asking, eventually, type OpenedStudio, openStream, openStudio, testFolder } from './studio.js';

const MINUTES = 180_000;

async function ask<Content>(studio: OpenedStudio, path: string, asking: Asking = {}): Promise<Content> {
  const { status, text } = await studio.ask(path, asking);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  return JSON.parse(text);
}

function post<Content>(studio: OpenedStudio, path: string, content: unknown): Promise<Content> {
  return ask<Content>(studio, path, { method: 'POST', body: JSON.stringify(content) });
}

async function runsOf(studio: OpenedStudio, many: number): Promise<RunList['runs']> {
  const { runs } = await eventually(
    () => ask<RunList>(studio, '/api/runs'),
    (list) => list.runs.length === many,
  );
  return runs;
}

/** A studio over a folder with a table of two columns and three classes. */
async function withTable(): Promise<{ folder: string; studio: OpenedStudio }> {
  const folder = await testFolder();
  const rows = Array.from(
    { length: 120 },
    (_, i) => `${i % 7},${(i * i) % 11},${['a', 'a', 'a', 'b', 'b', 'c'][i % 6]}`,
  );
  await writeFile(join(folder, 'points.csv'), `x,y,class\n${rows.join('\n')}\n`);
  return { folder, studio: await openStudio({ folders: [join(folder, 'runs')], base: folder }) };
}

describe('data', () => {
  it('is found below the folder where the studio was started, tables and folders of images, and nothing else', async () => {
    const { folder, studio } = await withTable();
    await writeImages(folder);
    await mkdir(join(folder, 'inside'));
    await writeFile(join(folder, 'inside', 'more.parquet'), '');
    await writeFile(join(folder, 'notes.md'), '');
    await symlink('/etc', join(folder, 'link'));
    const { sources } = await ask<Sources>(studio, '/api/sources');
    expect(sources).toEqual([
      { path: 'images', kind: 'images' },
      { path: 'inside/more.parquet', kind: 'table' },
      { path: 'points.csv', kind: 'table' },
    ]);
  });

  it.each(['/etc/passwd', '../secret.csv', 'inside/../../secret.csv', '-', 'mnist'])(
    'fault 35: %s is not read for the page',
    async (source) => {
      const { studio } = await withTable();
      for (const path of ['/api/check', '/api/trainings']) {
        const { status, text } = await studio.ask(path, { method: 'POST', body: JSON.stringify({ data: { source } }) });
        expect(status).toBe(400);
        expect(JSON.parse(text).error).toContain(`${source} is no table or image folder below the folder`);
      }
    },
  );

  it('is checked as the command does it: columns first, with a target classes, too', { timeout: MINUTES }, async () => {
    const { studio } = await withTable();
    const columns = await post<DataCheckResult>(studio, '/api/check', { data: { source: 'points.csv' } });
    expect(columns).toMatchObject({ rows: 120, likelyTargets: expect.arrayContaining(['class']) });
    const checked = await post<DataCheckResult>(studio, '/api/check', {
      data: { source: 'points.csv', target: 'class', ignore: ['y'] },
    });
    expect(checked.classes?.map(({ name, all }) => [name, all])).toEqual([
      ['a', 60],
      ['b', 40],
      ['c', 20],
    ]);
    const { status, text } = await studio.ask('/api/check', {
      method: 'POST',
      body: JSON.stringify({ data: { source: 'points.csv', target: 'clas' } }),
    });
    expect(status).toBe(400);
    expect(JSON.parse(text).error).toContain('did you mean "class"');
  });

  it('that is dropped is kept beside the runs, under a name that is free, and found from then on', async () => {
    const { folder, studio } = await withTable();
    const drop = (name: string) =>
      ask<{ path: string }>(studio, `/api/uploads/${encodeURIComponent(name)}`, {
        method: 'PUT',
        body: 'x,class\n1,a\n',
      });
    expect(await drop('new.csv')).toEqual({ path: 'runs/uploads/new.csv' });
    expect(await drop('new.csv')).toEqual({ path: 'runs/uploads/new-2.csv' });
    expect(await readFile(join(folder, 'runs/uploads/new-2.csv'), 'utf8')).toBe('x,class\n1,a\n');
    const { sources } = await ask<Sources>(studio, '/api/sources');
    expect(sources.map(({ path }) => path)).toContain('runs/uploads/new.csv');
  });

  it.each([
    ['program.exe', null],
    ['.hidden.csv', null],
    ['no-ending', null],
    ['../../outside.csv', 'outside.csv'],
    ['..\\outside.csv', 'outside.csv'],
  ])('fault 35: a file called %s does not leave the folder for uploads', async (name, kept) => {
    const { folder, studio } = await withTable();
    const { status } = await studio.ask(`/api/uploads/${encodeURIComponent(name)}`, { method: 'PUT', body: 'x\n' });
    expect(status).toBe(kept === null ? 400 : 200);
    expect(existsSync(join(folder, '..', 'outside.csv'))).toBe(false);
    expect(await readdir(join(folder, 'runs', 'uploads')).catch(() => [])).toEqual(kept === null ? [] : [kept]);
  });
});

describe('training', () => {
  it('has a form with every option of the schema and the defaults that would be taken', async () => {
    const { studio } = await withTable();
    const options = await ask<ConfigOption[]>(studio, '/api/options');
    expect(options.find(({ path }) => path === 'method.name')?.values.split('|')).toContain('enhancement');
    const data = { source: 'points.csv', target: 'class' };
    const { config } = await post<CompletedConfig>(studio, '/api/config', { data, model: { name: 'mlp' } });
    expect(config).toMatchObject({ 'model.name': 'mlp', 'method.name': 'enhancement', epochs: 60 });
    const { config: none, problem } = await post<CompletedConfig>(studio, '/api/config', { data, epochs: -1 });
    expect(none).toBe(null);
    expect(problem).toContain('epochs');
  });

  it('starts, is stopped with a checkpoint, goes on, and ends with the studio', { timeout: MINUTES }, async () => {
    const { folder, studio } = await withTable();
    const config = {
      data: { source: 'points.csv', target: 'class' },
      model: { name: 'mlp', hidden: [4] },
      epochs: 100_000,
      threads: 1,
    };
    const { id } = await post<Training>(studio, '/api/trainings', config);
    const stateOf = async () => {
      const { status, text } = await studio.ask(`/api/runs/${id}`);
      const details: RunDetails | undefined = status === 200 ? JSON.parse(text) : undefined;
      await ask<RunList>(studio, '/api/runs');
      return details?.run;
    };
    // A page that looks keeps the list up to date.
    const watching = openStream(studio);
    await eventually(stateOf, (run) => run?.state === 'running' && run.epochs.done > 3);
    await post(studio, `/api/runs/${id}/stop`, {});
    const stopped = await eventually(stateOf, (run) => run?.state === 'stopped');
    await eventually(
      () => ask<Training[]>(studio, '/api/trainings'),
      ([training]) => training?.state === 'stopped',
    );
    await post(studio, `/api/runs/${id}/resume`, {});
    await eventually(stateOf, (run) => run?.state === 'running' && run.epochs.done > (stopped?.epochs.done ?? 0));
    await studio.studio.close();
    watching.destroy();
    expect(existsSync(join(folder, 'runs/points-enhancement/checkpoints'))).toBe(true);
    expect(existsSync(join(folder, 'runs/points-enhancement/lock'))).toBe(false);
  });

  it('that fails says why', { timeout: MINUTES }, async () => {
    const { studio } = await withTable();
    const config = { data: { source: 'points.csv', target: 'x', types: { x: 'numeric' } }, epochs: 1, threads: 1 };
    await post<Training>(studio, '/api/trainings', { ...config, data: { source: 'points.csv', target: 'nothing' } });
    const [training] = await eventually(
      () => ask<Training[]>(studio, '/api/trainings'),
      ([first]) => first?.state !== 'running',
    );
    expect(training?.state).toBe('failed');
    expect(training?.message).toContain('"nothing"');
  });
});

describe('a sweep', () => {
  it('is shown with what it searches and what its trials came to', { timeout: MINUTES }, async () => {
    const { folder, studio } = await withTable();
    const search = ['--search', 'method.enhancementRate=1,3', '--search', 'batchSize=16,32'];
    const small = ['--model', 'mlp', '--set', 'model.hidden=[4]', '--epochs', '2', '--draws', '1', '--processes', '1'];
    const words = [
      'sweep',
      'points.csv',
      '--target',
      'class',
      '--folder',
      'runs/search',
      ...search,
      ...small,
      '--quiet',
    ];
    const { code, stderr } = await evenhand(words, { cwd: folder });
    expect([code, stderr]).toEqual([0, '']);
    const lines = (await readFile(join(folder, 'runs/search/trials.jsonl'), 'utf8')).trim().split('\n');
    const evaluated = lines.map((line) => JSON.parse(line)).map(({ trial, softAccuracy }) => [trial, softAccuracy]);
    const watching = openStream(studio);
    await runsOf(studio, 4);
    const { sweeps } = await ask<RunList>(studio, '/api/runs');
    expect(sweeps).toMatchObject([{ name: 'search', isRunning: false }]);
    const details = await ask<SweepDetails>(studio, `/api/sweeps/${sweeps[0]?.id}`);
    watching.destroy();
    expect(details.search.map(({ path, values }) => [path, values])).toEqual([
      ['method.enhancementRate', [1, 3]],
      ['batchSize', [16, 32]],
    ]);
    expect(details.trials.map(({ trial, score }) => [trial, score])).toEqual(evaluated);
  });
});

describe('a model', () => {
  it('is tried with a row: class, probabilities, and the test rows that look alike to it', {
    timeout: MINUTES,
  }, async () => {
    const folder = await testFolder();
    const source = await writeWeirdTable(folder);
    await trainOnTable(source, join(folder, 'runs', 'weird'));
    const studio = await openStudio({ folders: [join(folder, 'runs')], base: folder });
    const [run] = await runsOf(studio, 1);
    const form = await ask<ModelForm>(studio, `/api/runs/${run?.id}/model`);
    expect(form.kind === 'table' && form.columns.map(({ name, kind, values }) => [name, kind, values])).toEqual([
      ['x', 'numeric', []],
      ['<i>y</i>', 'numeric', []],
      ['colour', 'categorical', ['green', 'red']],
    ]);
    const tried = await post<TriedPrediction>(studio, `/api/runs/${run?.id}/predict`, {
      row: { x: 0.5, '<i>y</i>': 0.2, colour: 'red' },
    });
    expect(tried.probabilities.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 4);
    expect(tried.similar).toHaveLength(5);
    const distances = tried.similar.map(({ distance }) => distance);
    expect([...distances].sort((a, b) => a - b)).toEqual(distances);
    const { status, text } = await studio.ask(`/api/runs/${run?.id}/predict`, {
      method: 'POST',
      body: JSON.stringify({ row: { x: 'many' } }),
    });
    expect(status).toBe(400);
    expect(JSON.parse(text).error).toContain('many');
  });

  it('is tried with an image, and what is none is refused', { timeout: MINUTES }, async () => {
    const folder = await testFolder();
    const images = await writeImages(folder);
    await trainOnImages(images, join(folder, 'runs', 'pictures'));
    const studio = await openStudio({ folders: [join(folder, 'runs')], base: folder });
    const [run] = await runsOf(studio, 1);
    const body = await readFile(join(images, 'left', '0 & co.png'));
    const tried = await ask<TriedPrediction>(studio, `/api/runs/${run?.id}/predict-image`, { method: 'POST', body });
    expect(['left', 'middle', 'right']).toContain(tried.label);
    expect((await studio.ask(`/api/runs/${run?.id}/predict-image`, { method: 'POST', body: 'no image' })).status).toBe(
      400,
    );
  });
});
