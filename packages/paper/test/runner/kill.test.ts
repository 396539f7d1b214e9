import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readCellLines } from '../../src/results/cell-result.js';
import { cellId } from '../../src/tables/cells.js';
import { randomNumbers } from '../random-numbers.js';
import { writeTable } from '../small-data.js';
import { temporaryFolder } from '../temporary-folder.js';
import { placesIn, runToEnd, smallCells, startRunner } from './small-cells.js';

const KILLS = Math.min(Number(process.env.EVENHAND_KILLS ?? 3), 20);
/** A kill comes after so many events of its runner, and so many milliseconds. */
const MOST_EVENTS = 9;
const LONGEST_WAIT = 60;

/** A file's lines, which are written in the order in which cells finish. */
async function sortedLines(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8')).split('\n').sort();
}

it(`faults 4 and 5: killed at ${KILLS} random moments, a runner comes to the same results as one that was not`, {
  timeout: 400_000,
}, async () => {
  const folder = await temporaryFolder();
  const cells = smallCells(await writeTable(folder), { seeds: 4, epochs: 15 });
  const random = randomNumbers(3);
  const interrupted = placesIn(join(folder, 'interrupted'));
  let resumed = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const runner = startRunner(cells, interrupted, 1 + (kill % 2)); // how many processes must not matter either
    await runner.said(`#${1 + Math.floor(random() * MOST_EVENTS)} `);
    await sleep(random() * LONGEST_WAIT);
    runner.kill('SIGKILL');
    const { signal, stdout: output } = await runner.ended();
    expect(signal, `kill ${kill} came too late: ${output}`).toBe('SIGKILL');
    expect(output).not.toContain('refused');
    const [, firstEpoch] = output.match(/progress \S+ \d (\d+)/) ?? [];
    if (Number(firstEpoch) > 1) resumed++;
  }
  expect(await runToEnd(cells, interrupted)).toContain(`complete ${cells.length} 0`);
  // Else no kill has met a cell in its middle, and nothing was tested.
  expect(resumed).toBeGreaterThan(0);

  const whole = placesIn(join(folder, 'whole'));
  expect(await runToEnd(cells, whole)).toContain(`complete ${cells.length} 0`);
  const [expected, received] = [whole.results, interrupted.results];
  expect((await readCellLines(received)).results.map(cellId).sort()).toEqual(cells.map(cellId).sort());
  expect(await sortedLines(received)).toEqual(await sortedLines(expected));
});
