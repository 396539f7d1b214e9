import { appendFile, mkdtemp, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readStream } from '../../src/stream/folder/read-stream.js';
import { lastLoggedMetrics, readStreamLog } from '../../src/stream/folder/stream-log.js';
import { writeStreamPage } from '../../src/stream/page/write-stream-page.js';
import { evenhand } from '../cli/evenhand.js';
import { OpenedStudio } from '../studio/studio.js';
import { follow, writeRows } from './followed.js';
import { twoClasses } from './streams.js';

describe('the log of a stream', () => {
  let base: string;
  let folder: string;
  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'evenhand-log-'));
    folder = join(base, 'streams', 's');
    const rows = twoClasses({ rows: 450, seed: 3, share: 0.3 });
    await writeRows(join(base, 'rows.ndjson'), rows.slice(0, 150));
    await appendFile(join(base, 'rows.ndjson'), 'no row\n');
    await writeRows(join(base, 'rows.ndjson'), rows.slice(150));
    await follow(base, 'rows.ndjson', 's');
  }, 60_000);
  afterAll(() => rm(base, { recursive: true }));

  it('has metrics after every so many lines of the source, and what happened between them', async () => {
    const entries = (await readStreamLog(folder)).map(({ entry }) => entry);
    expect(entries.map(({ kind }) => kind).sort()).toEqual([
      'class',
      'class',
      'damaged',
      'metrics',
      'metrics',
      'metrics',
      'metrics',
    ]);
    const metrics = entries.flatMap((entry) => (entry.kind === 'metrics' ? [entry] : []));
    expect(metrics.map(({ records, rows }) => [records, rows])).toEqual([
      [100, 100],
      [200, 199],
      [300, 299],
      [400, 399],
    ]);
    const last = metrics.at(-1);
    expect(await lastLoggedMetrics(folder)).toEqual(last);
    expect(last?.classes).toHaveLength(2);
    // Weights of 399 rows with labels, of which each is 1 − 1/2000 of the one after it.
    const weight = (1 - (1 - 1 / 2000) ** 399) * 2000;
    expect(last?.recentRows.reduce((sum, rows) => sum + rows)).toBeCloseTo(weight, 1);
  });

  it('is read from the end of any line on, and from its beginning if it has become shorter', async () => {
    const all = await readStreamLog(folder);
    for (const [i, { end }] of all.entries()) expect(await readStreamLog(folder, end)).toEqual(all.slice(i + 1));
    expect(await readStreamLog(folder, 1e9)).toEqual(all);
  });

  it('has no line that is still being written, and names one that is damaged', async () => {
    const path = join(folder, 'log.jsonl');
    const [all, { length }] = [await readStreamLog(folder), await readFile(path)];
    await appendFile(path, '{"kind":"dri');
    expect(await readStreamLog(folder)).toEqual(all);
    expect(await lastLoggedMetrics(folder)).toMatchObject({ rows: 399 });
    await appendFile(path, '\n');
    await expect(readStreamLog(folder)).rejects.toThrow(`the line at byte ${length} is not JSON`);
    await truncate(path, length);
  });

  it('is beside a state that says how things are at the last checkpoint', async () => {
    const { records, position, metrics, columns } = await readStream(folder);
    expect([records, metrics.rows, metrics.labelled]).toEqual([451, 450, 450]);
    expect(JSON.parse(position ?? '{}')).toMatchObject({ line: 451 });
    expect(columns.map(({ name }) => name)).toEqual(['x', 'y']);
  });

  it('becomes a report, which tells of it the same each time', async () => {
    const path = join(folder, 'report.html');
    const { stdout } = await evenhand(['report', folder], { cwd: base });
    expect(stdout).toContain(`report  ${path}`);
    const text = await readFile(path, 'utf8');
    expect(await writeStreamPage(folder)).toBe(path);
    expect(await readFile(path, 'utf8')).toBe(text);
    const { metrics } = await readStream(folder);
    for (const share of [metrics.windowed.balancedAccuracy, metrics.faded.gMean, ...metrics.windowed.recall])
      expect(text).toContain(`${(100 * (share ?? Number.NaN)).toFixed(1)} %`);
    expect(text).toContain('A stream of 450 rows and 2 columns; 450 of the rows have a class');
    expect(text).toMatch(/lines of the source<\/bdi><\/th><td class="text">451</);
    expect(text).toMatch(/lines that could not be read<\/bdi><\/th><td class="text">1</);
    expect(text.match(/role="img"/g)).toHaveLength(4);
    const { code, stderr } = await evenhand(['report', folder, folder], { cwd: base });
    expect([code, stderr]).toEqual([2, expect.stringContaining('is the folder of a stream; expected it alone')]);
  }, 60_000);

  it('comes to a page of the studio without a connection for events, line by line', async () => {
    const opened = await OpenedStudio.open({ folders: [base], base });
    const { studio } = opened;
    const asked = async (path: string) => JSON.parse((await opened.ask(path)).text);
    let [stream] = (await asked('/api/runs?since=-1')).streams;
    while (stream === undefined) [stream] = (await asked('/api/runs?since=-1')).streams;
    expect(stream).toMatchObject({ name: 's', isRunning: false, last: { rows: 399 } });
    const { events } = await asked(`/api/streams/${stream.id}/lines`);
    expect(events).toHaveLength(7);
    expect((await asked(`/api/streams/${stream.id}/lines?after=${events[4].id}`)).events).toEqual(events.slice(5));
    expect(await asked(`/api/streams/${stream.id}`)).toMatchObject({
      records: 451,
      metrics: { rows: 450 },
      serveCommand: null,
      options: { target: 'class', method: 'logit-adjustment' },
    });
    const nowhere = await opened.ask('/api/streams/nowhere');
    expect([nowhere.status, nowhere.text]).toEqual([404, expect.stringContaining('there is no such stream any more')]);
    await studio.close();
  });
});
