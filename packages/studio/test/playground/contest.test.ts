import * as onnxRuntime from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { PRESETS } from '../../src/playground/presets.js';
import { Contest } from '../../src/playground/training/contest.js';
import { METHODS, type Rates, type Snapshot } from '../../src/playground/training/protocol.js';

const RATES: Rates = { enhancementRate: 3, updatingRate: 0.1, adjustment: 1 };

function preset(id: string) {
  const found = PRESETS.find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`there is no preset ${id}`);
  return found.points;
}

/** What three networks say after some epochs, or when they are at rest. */
async function trained(id: string, rates: Rates, epochs = Number.POSITIVE_INFINITY): Promise<Snapshot> {
  const contest = await Contest.create(onnxRuntime, preset(id), rates);
  try {
    for (let epoch = 0; epoch < epochs && !contest.isAtRest; epoch++) await contest.train();
    return await contest.snapshot();
  } finally {
    await contest.close();
  }
}

/** Of a class, by method. */
function areasOf({ methods }: Snapshot, place: number) {
  return Object.fromEntries(methods.map(({ method, areas }) => [method, areas[place] ?? Number.NaN]));
}

describe('three networks on the same points', () => {
  it.each(['overlap', 'island'])(
    'give the rare class of %s more room with enhancement and with logit adjustment',
    async (id) => {
      const areas = areasOf(await trained(id, RATES), 1);
      expect(areas.enhancement).toBeGreaterThan(areas['one-hot'] ?? Number.NaN);
      expect(areas['logit-adjustment']).toBeGreaterThan(areas['one-hot'] ?? Number.NaN);
    },
  );

  it('are one and the same where ε and τ are 0', async () => {
    const { methods, generator } = await trained('overlap', { ...RATES, enhancementRate: 0, adjustment: 0 }, 15);
    const [first, ...others] = methods.map(({ probabilities }) => probabilities);
    for (const other of others) expect(other).toEqual(first);
    expect(generator).toEqual([1, 0, 0, 1]);
  });

  it('have labels whose rows sum to 1, above 1 for their own class and below 0 for what it is mistaken for', async () => {
    const { generator, classes } = await trained('long-tail', RATES, 10);
    expect(classes).toEqual([0, 1, 2]);
    for (const [p] of classes.entries()) {
      const row = generator.slice(3 * p, 3 * p + 3);
      expect(row.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 5);
      for (const [q, value] of row.entries())
        p === q ? expect(value).toBeGreaterThan(1) : expect(value).toBeLessThan(0);
    }
  });

  it('give the same picture again', async () => {
    const [once, again] = [await trained('moons', RATES, 5), await trained('moons', RATES, 5)];
    expect(again).toEqual(once);
    expect(once.methods.map(({ method }) => method)).toEqual([...METHODS]);
    for (const { areas } of once.methods) expect(areas.reduce((sum, area) => sum + area, 0)).toBeCloseTo(1, 10);
  });
});
