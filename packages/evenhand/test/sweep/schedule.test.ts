import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@evenhand/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochsAt, rungCount } from '../../src/sweep/rungs.js';
import type { Sampler } from '../../src/sweep/samplers.js';
import { type RungEvaluation, runSchedule, Schedule } from '../../src/sweep/schedule.js';

interface Known extends RungEvaluation {
  readonly score: number | null;
}

/** A learning curve that rises to a trial's own height; some trials diverge at some point. */
function curve(seed: number, { trial, rung }: RungEvaluation): number | null {
  const random = seededRandom(seed, `curve/${trial}`);
  const [height, speed, divergesAt] = [random(), 1 + 3 * random(), random() < 0.2 ? Math.floor(3 * random()) : 9];
  return rung >= divergesAt ? null : height * (1 - Math.exp(-speed * (rung + 1)));
}

/** Runs a schedule and gives all results in the order of the decisions. */
async function carriedOut(
  options: { readonly trials: number; readonly rungs: number; readonly ahead: number; readonly seed: number },
  delay: (evaluation: RungEvaluation) => number = () => 0,
) {
  const { seed, ahead, ...rest } = options;
  // Values that show which results were known when they were chosen.
  const sampler: Sampler = (_, before) => ({ known: before.map(({ rung, score }) => `${rung}: ${score}`) });
  const schedule = new Schedule({ ...rest, sampler });
  const known: Known[] = [];
  const [started, over]: [RungEvaluation[], Map<number, number>] = [[], new Map()];
  let most = 0;
  await runSchedule(
    schedule,
    ahead,
    async (evaluation) => {
      started.push(evaluation);
      most = Math.max(most, started.length - known.length);
      const milliseconds = delay(evaluation);
      if (milliseconds > 0) await sleep(milliseconds);
      return { score: curve(seed, evaluation) };
    },
    async (evaluation, { score }) => {
      known.push({ ...evaluation, score });
      for (const { trial } of started) {
        if (schedule.isOver(trial) && !over.has(trial)) over.set(trial, started.length);
      }
    },
  );
  return { known, started, over, most };
}

const settings = fc.record({
  trials: fc.integer({ min: 1, max: 40 }),
  rungs: fc.integer({ min: 1, max: 3 }),
  ahead: fc.integer({ min: 1, max: 6 }),
  seed: fc.nat(),
});

const onRung = (known: readonly Known[], rung: number) => known.filter((one) => one.rung === rung);

describe('laws of the schedule', () => {
  it('every trial begins on the first rung, climbs one at a time, and is never evaluated twice', async () => {
    await fc.assert(
      fc.asyncProperty(settings, async (setting) => {
        const { known } = await carriedOut(setting);
        expect(onRung(known, 0).map(({ trial }) => trial)).toEqual(Array.from({ length: setting.trials }, (_, i) => i));
        const last = new Map<number, number>();
        for (const { trial, rung } of known) {
          expect(rung).toBe((last.get(trial) ?? -1) + 1);
          last.set(trial, rung);
        }
      }),
    );
  });

  it('who goes on was among the best third of those known on its rung, and did not diverge', async () => {
    await fc.assert(
      fc.asyncProperty(settings, async (setting) => {
        const { known, started } = await carriedOut({ ...setting, ahead: 1 }); // so that all before is known
        for (const [i, { trial, rung }] of started.entries()) {
          if (rung === 0) continue;
          const peers = onRung(known.slice(0, i), rung - 1);
          const own = peers.find((peer) => peer.trial === trial)?.score ?? null;
          if (own === null) throw new Error(`trial ${trial} goes on without a score`);
          const better = peers.filter(({ score }) => score !== null && score > own).length;
          expect(better).toBeLessThan(Math.floor(peers.length / 3));
        }
      }),
    );
  });

  it('in the end the best third of every rung has gone on', async () => {
    await fc.assert(
      fc.asyncProperty(settings, async (setting) => {
        const { known } = await carriedOut(setting);
        for (let rung = 0; rung < setting.rungs - 1; rung++) {
          const peers = onRung(known, rung).sort((a, b) => (b.score ?? -1) - (a.score ?? -1));
          const best = peers.slice(0, Math.floor(peers.length / 3)).filter(({ score }) => score !== null);
          const next = new Set(onRung(known, rung + 1).map(({ trial }) => trial));
          for (const { trial } of best) expect(next).toContain(trial);
        }
      }),
    );
  });

  it('a trial that is over is never asked for again', async () => {
    await fc.assert(
      fc.asyncProperty(settings, async (setting) => {
        const { started, over } = await carriedOut(setting);
        for (const [i, { trial }] of started.entries()) expect(i).toBeLessThan(over.get(trial) ?? started.length);
      }),
    );
  });

  it('no more than `ahead` are under way', async () => {
    const { most } = await carriedOut({ trials: 30, rungs: 2, ahead: 4, seed: 1 });
    expect(most).toBe(4);
  });
});

it('decides the same however long evaluations take', async () => {
  const setting = { trials: 20, rungs: 3, ahead: 4, seed: 7 };
  const expected = await carriedOut(setting);
  expect(expected.known.some(({ rung }) => rung === 2)).toBe(true);
  for (const name of ['one', 'other']) {
    const random = seededRandom(2, name);
    expect((await carriedOut(setting, () => Math.ceil(6 * random()))).started).toEqual(expected.started);
  }
});

it('throws what an evaluation throws, once all others have ended', async () => {
  const schedule = new Schedule({ trials: 9, rungs: 1, sampler: () => ({}) });
  let ended = 0;
  const failing = runSchedule(
    schedule,
    4,
    async ({ trial }) => {
      if (trial === 1) throw new Error('no memory');
      await sleep(20);
      ended++;
      return { score: 1 };
    },
    async () => undefined,
  );
  await expect(failing).rejects.toThrow('no memory');
  expect(ended).toBe(4); // one was known, and a fifth had begun, when the second failed
});

describe('rungs', () => {
  const sweep = (epochs: number, trials: number, minEpochs = 3) => ({
    config: { epochs },
    search: {},
    trials,
    pruning: { minEpochs },
  });

  it.each([
    [60, 30, [7, 20, 60]],
    [60, 8, [20, 60]],
    [30, 30, [4, 10, 30]],
    [8, 30, [8]],
    [60, 2, [60]],
  ])('with %i epochs and %i trials are after %j epochs', (epochs, trials, expected) => {
    const rungs = rungCount(sweep(epochs, trials));
    expect(Array.from({ length: rungs }, (_, rung) => epochsAt(rung, rungs, epochs))).toEqual(expected);
  });

  it('go by the fewest epochs that are searched, and there is one without pruning', () => {
    const search = { epochs: { from: 9, to: 60, scale: 'linear' as const, integer: true } };
    expect(rungCount({ ...sweep(60, 30), search })).toBe(2);
    expect(rungCount({ ...sweep(60, 30), pruning: false })).toBe(1);
  });
});
