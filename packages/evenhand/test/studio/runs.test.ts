import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunDetails, RunList } from '../../src/studio/interface.js';
import { RunIndex } from '../../src/studio/runs/run-index.js';
import { runsFolder, trainOnTable, writeWeirdTable } from '../report/runs.js';
import { copyRuns, eventually, type OpenedStudio, openStream, openStudio, testFolder } from './studio.js';

let trained: string;
let run: string;

beforeAll(async () => {
  trained = await runsFolder();
  run = join(trained, 'weird');
  await trainOnTable(await writeWeirdTable(trained), run);
}, 120_000);

afterAll(() => rm(trained, { recursive: true, force: true }));

async function listOf(studio: OpenedStudio, since = -1): Promise<RunList> {
  const { text } = await studio.ask(`/api/runs?since=${since}`);
  return JSON.parse(text);
}

describe('the list of runs', () => {
  it('has what the files of a run say: its state, its best and its last epoch, its test metrics', async () => {
    const index = new RunIndex([trained], trained);
    await index.refresh();
    const [summary] = index.list(-1).runs;
    const lines = (await readFile(join(run, 'metrics.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const soft = lines.flatMap(({ validation }) => validation?.softAccuracy ?? []);
    const { estimates } = JSON.parse(await readFile(join(run, 'evaluation.json'), 'utf8'));
    expect(summary).toMatchObject({
      name: 'weird',
      folder: 'weird',
      state: 'finished',
      method: 'enhancement',
      model: 'mlp',
      seed: 0,
      epochs: { done: 2, planned: 2 },
      best: { softAccuracy: Math.max(...soft) },
      last: { epoch: soft.length, softAccuracy: soft.at(-1) },
      metrics: { balancedAccuracy: estimates.balancedAccuracy.value, accuracy: estimates.accuracy.value },
    });
  });

  it('finds runs in folders of folders, those of a sweep apart, and not the members of a portfolio', async () => {
    const folder = await testFolder();
    await copyRuns(run, join(folder, 'together'), 2);
    await copyRuns(run, join(folder, 'swept', 'trials', '0'), 1);
    await writeFile(join(folder, 'swept', 'sweep.json'), '{}');
    await cp(run, join(folder, 'together', 'run-0000', 'members', 'linear'), { recursive: true });
    const index = new RunIndex([folder], folder);
    await index.refresh();
    const { runs, sweeps } = index.list(-1);
    expect(runs.map(({ folder: shown, sweep }) => [shown, sweep === sweeps[0]?.id]).sort()).toEqual([
      ['swept/trials/0/run-0000', true],
      ['together/run-0000', false],
      ['together/run-0001', false],
    ]);
  });

  it('names the options in which runs differ, and those that all share once', async () => {
    const folder = await testFolder();
    await copyRuns(run, folder, 3);
    const index = new RunIndex([folder], folder);
    await index.refresh();
    const { runs, shared } = index.list(-1);
    expect(runs.map(({ options }) => options)).toEqual(runs.map(({ seed }) => ({ seed })));
    expect(shared).toMatchObject({ 'method.name': 'enhancement', epochs: 2 });
    expect(new Set(runs.map(({ group }) => group)).size).toBe(1);
  });

  it('fault 48: sends of 1,000 runs only what has changed: a run that is being written, and one that is deleted', async () => {
    const folder = await testFolder();
    await copyRuns(run, folder, 1000);
    const index = new RunIndex([folder], folder);
    await index.refresh();
    const { runs, version } = index.list(-1);
    expect(runs).toHaveLength(1000);
    await index.refresh();
    expect(index.version).toBe(version);

    const [line = ''] = (await readFile(join(run, 'metrics.jsonl'), 'utf8')).split('\n');
    await appendFile(join(folder, 'run-0007', 'metrics.jsonl'), `${line.replace('"epoch":0', '"epoch":2')}\n`);
    await rm(join(folder, 'run-0008'), { recursive: true });
    await index.refresh();
    const changes = index.list(version);
    expect(changes.isWhole).toBe(false);
    expect(changes.runs.map(({ name, epochs }) => [name, epochs.done])).toEqual([['run-0007', 3]]);
    expect(changes.removed).toEqual(runs.filter(({ name }) => name === 'run-0008').map(({ id }) => id));
  });

  it('fault 48: a damaged run is listed with what is wrong, and hides no other', async () => {
    const folder = await testFolder();
    await copyRuns(run, folder, 2);
    await writeFile(join(folder, 'run-0001', 'environment.json'), '{"evenhand": ');
    await mkdir(join(folder, 'run-0002', 'config.json'), { recursive: true });
    const index = new RunIndex([folder], folder);
    await index.refresh();
    const runs = [...index.list(-1).runs].sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(runs.map(({ state }) => state)).toEqual(['finished', 'damaged', 'damaged']);
    expect(runs[1]?.problem).toContain('environment.json is not JSON');
  });

  it('calls a run without results stopped, or diverged if that is written down', async () => {
    const folder = await testFolder();
    await copyRuns(run, folder, 2);
    for (const name of ['run-0000', 'run-0001']) await rm(join(folder, name, 'evaluation.json'));
    await writeFile(join(folder, 'run-0001', 'divergence.json'), '{}');
    const index = new RunIndex([folder], folder);
    await index.refresh();
    expect(
      index
        .list(-1)
        .runs.map(({ name, state }) => [name, state])
        .sort(),
    ).toEqual([
      ['run-0000', 'stopped'],
      ['run-0001', 'diverged'],
    ]);
  });
});

describe('a run', () => {
  it('is shown with its classes, configuration, environment and the command that trains it again', async () => {
    const studio = await openStudio({ folders: [trained], base: trained });
    const { runs } = await eventually(
      () => listOf(studio),
      (list) => list.runs.length === 1,
    );
    const details: RunDetails = JSON.parse((await studio.ask(`/api/runs/${runs[0]?.id}`)).text);
    expect(details.classes?.names).toHaveLength(8);
    expect(details.config).toMatchObject({ 'model.name': 'mlp', 'model.hidden': '[8]', 'data.target': 'class' });
    expect(details.command).toMatch(
      /^npx evenhand train '.*weird <b>table.csv' --target class --method enhancement --model mlp /,
    );
    expect(details.command).toContain("--set 'model.hidden=[8]'");
    expect(details.hasModel).toBe(true);
  });

  it('has tags and a note beside its folder, and nothing new in it', async () => {
    const folder = await testFolder();
    await copyRuns(run, folder, 1);
    const studio = await openStudio({ folders: [folder], base: folder });
    const { runs } = await eventually(
      () => listOf(studio),
      (list) => list.runs.length === 1,
    );
    const body = JSON.stringify({ tags: ['baseline', 'baseline'], note: 'mind the <b>rare</b> class' });
    const headers = { 'content-type': 'application/json' };
    expect((await studio.ask(`/api/runs/${runs[0]?.id}/notes`, { method: 'PUT', headers, body })).status).toBe(200);
    expect((await listOf(studio)).runs[0]).toMatchObject({ tags: ['baseline'], note: 'mind the <b>rare</b> class' });
    expect(existsSync(join(folder, 'run-0000.notes.json'))).toBe(true);
    expect(existsSync(join(folder, 'run-0000', 'notes.json'))).toBe(false);
  });

  it.each([
    ['no JSON', '{', 'not JSON'],
    ['other keys', '{"tags": [], "note": "", "state": "finished"}', 'state'],
    ['tags that are none', '{"tags": [5], "note": ""}', 'tags'],
  ])('refuses notes with %s, and says why', async (_, body, reason) => {
    const folder = await testFolder();
    await copyRuns(run, folder, 1);
    const studio = await openStudio({ folders: [folder], base: folder });
    const { runs } = await eventually(
      () => listOf(studio),
      (list) => list.runs.length === 1,
    );
    const { status, text } = await studio.ask(`/api/runs/${runs[0]?.id}/notes`, { method: 'PUT', body });
    expect(status).toBe(400);
    expect(JSON.parse(text).error).toContain(reason);
    expect(existsSync(join(folder, 'run-0000.notes.json'))).toBe(false);
  });

  it('fault 32: parts of its report show names as plain text', async () => {
    const studio = await openStudio({ folders: [trained], base: trained });
    const { runs } = await eventually(
      () => listOf(studio),
      (list) => list.runs.length === 1,
    );
    for (const part of ['headline', 'classes', 'confusion', 'outputs', 'wrong', 'importance', 'usage']) {
      const { status, text } = await studio.ask(`/api/runs/${runs[0]?.id}/report/${part}`);
      expect([part, status]).toEqual([part, 200]);
      expect(JSON.parse(text).html).not.toMatch(/<script|<img src=x/);
    }
  });
});

describe('the stream of events', () => {
  it('goes on behind the last line that a page has', async () => {
    const studio = await openStudio({ folders: [trained], base: trained });
    const { runs } = await eventually(
      () => listOf(studio),
      (list) => list.runs.length === 1,
    );
    const path = `/api/events?run=${runs[0]?.id}`;
    expect(await idsFrom(studio, path, '', 2)).toEqual(['1', '2']);
    expect(await idsFrom(studio, path, '1', 1)).toEqual(['2']);
    // After an earlier checkpoint the file has fewer lines than the page: it gets all of them again.
    expect(await idsFrom(studio, path, '9', 2)).toEqual(['1', '2']);
  });

  it('sends the line of an epoch when it is written', async () => {
    const folder = await testFolder();
    await copyRuns(run, folder, 1);
    await rm(join(folder, 'run-0000', 'evaluation.json'));
    const studio = await openStudio({ folders: [folder], base: folder });
    const { runs } = await eventually(
      () => listOf(studio),
      (list) => list.runs.length === 1,
    );
    const ids = idsFrom(studio, `/api/events?run=${runs[0]?.id}`, '2', 1);
    await eventually(
      () => studio.studio.streams.size,
      (size) => size === 1,
    );
    const [line = ''] = (await readFile(join(run, 'metrics.jsonl'), 'utf8')).split('\n');
    await appendFile(join(folder, 'run-0000', 'metrics.jsonl'), `${line.replace('"epoch":0', '"epoch":2')}\n`);
    expect(await ids).toEqual(['3']);
  });

  it('fault 48: 100 clients that open streams and vanish leave nothing behind', async () => {
    const folder = await testFolder();
    await copyRuns(run, folder, 3);
    const studio = await openStudio({ folders: [folder], base: folder });
    const sockets = Array.from({ length: 100 }, () => openStream(studio));
    await eventually(
      () => studio.studio.streams.size,
      (size) => size === 100,
    );
    for (const socket of sockets) socket.destroy();
    await eventually(
      () => studio.studio.streams.size,
      (size) => size === 0,
    );
    await eventually(
      () => new Promise<number>((resolve) => studio.studio.server.getConnections((_, open) => resolve(open))),
      (open) => open === 0,
    );
    expect((await studio.ask('/api/runs')).status).toBe(200);
  });
});

/** The ids of the first events of a stream that have one. */
function idsFrom(studio: OpenedStudio, path: string, lastId: string, many: number): Promise<string[]> {
  const socket = openStream(studio, path, lastId);
  return new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8').on('error', reject);
    socket.on('data', (part) => {
      text += part;
      const ids = [...text.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id);
      if (ids.length < many) return;
      socket.destroy();
      resolve(ids);
    });
  });
}
