import { loadRuntime } from '@evenhand/engine/node';
import { ClassReservoir, ClassStatistics } from '@evenhand/streams';
import { describe, expect, it } from 'vitest';
import { baggingRates, classTargets, grownIdentity, nextGenerator } from '../../src/stream/learner/class-targets.js';
import { learningRows } from '../../src/stream/learner/learning-step.js';
import { StreamNetwork } from '../../src/stream/learner/stream-network.js';
import { parseStreamOptions, type StreamOptionsInput } from '../../src/stream/options.js';
import { RowFeatures } from '../../src/stream/rows/row-features.js';
import { columnsOfStream, type StreamRow } from '../../src/stream/rows/stream-column.js';

const optionsOf = (given: Partial<StreamOptionsInput>) => parseStreamOptions({ target: 'class', ...given });

/** Three rows of class 0 and one of class 1, nearly without forgetting. */
function statisticsOf(): ClassStatistics {
  const statistics = new ClassStatistics({ shareMemory: 1e12, confusionMemory: 1e12 });
  statistics.grow(2);
  for (const own of [0.9, 0.8, 0.7]) statistics.add(0, [own, 1 - own]);
  statistics.add(1, [0.6, 0.4]);
  return statistics;
}

const rounded = (values: ArrayLike<number>) => Array.from(values, (value) => Number(value.toFixed(4)));

describe('class targets', () => {
  const identity = grownIdentity(new Float64Array(0), 2);

  it('logit adjustment adds τ·log π of the classes, without replay their shares in the stream', () => {
    const options = optionsOf({ method: 'logit-adjustment', replay: 0, tau: 2 });
    const { logitOffsets, classWeights, generator } = classTargets(options, statisticsOf(), identity, 2);
    expect(rounded(logitOffsets)).toEqual(rounded([0.75, 0.25, 0.75, 0.25].map((share) => 2 * Math.log(share))));
    expect([...classWeights]).toEqual([1, 1]);
    expect([...generator]).toEqual([1, 0, 0, 1]);
  });

  it('with as many replayed rows as new ones, the shares are halfway to equal', () => {
    const options = optionsOf({ method: 'class-weights', batch: 8, replay: 8 });
    const { classWeights } = classTargets(options, statisticsOf(), identity, 2);
    // (0.75 + 0.5)/2 and (0.25 + 0.5)/2; w = 1/(2·π)
    expect(rounded(classWeights)).toEqual(rounded([1 / (2 * 0.625), 1 / (2 * 0.375)]));
  });

  it('classes that the network only has room for are never answered', () => {
    const { logitOffsets, generator, classWeights } = classTargets(
      optionsOf({ method: 'one-hot' }),
      statisticsOf(),
      identity,
      4,
    );
    expect([...logitOffsets.subarray(0, 4)]).toEqual([0, 0, -1e4, -1e4]);
    expect([...generator]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    expect([...classWeights]).toEqual([1, 1, 1, 1]);
  });

  it('enhancement encodes by what is confused: G = I − ε·(S′ − I) for μ = 1', () => {
    const options = optionsOf({ method: 'enhancement', enhancementRate: 2, updatingRate: 1 });
    // S′ = [[0.8, 0.2], [0.6, 0.4]]
    expect(rounded(nextGenerator(options, statisticsOf(), identity))).toEqual([1.4, -0.4, -1.2, 2.2]);
  });

  it('an automatic μ trusts a class by the rows that it was measured by; an automatic ε keeps the mean push', () => {
    const options = optionsOf({ method: 'enhancement' });
    // ε = 0.5/mean(0.2, 0.6) = 1.25; μ = n/(n + 10) for n = 3 and 1
    const expected = [1 + (3 / 13) * 0.25, (-3 / 13) * 0.25, (-1 / 11) * 0.75, 1 + (1 / 11) * 0.75];
    expect(rounded(nextGenerator(options, statisticsOf(), identity))).toEqual(rounded(expected));
  });

  it('keeps the labels of known classes when another appears', () => {
    expect([...grownIdentity(Float64Array.of(1.4, -0.4, -1.2, 2.2), 3)]).toEqual([1.4, -0.4, 0, -1.2, 2.2, 0, 0, 0, 1]);
  });

  it('bagging repeats rare classes, or leaves out common ones', () => {
    expect(rounded(baggingRates(optionsOf({ method: 'over-bagging' }), statisticsOf()))).toEqual([1, 3]);
    expect(rounded(baggingRates(optionsOf({ method: 'under-bagging' }), statisticsOf()))).toEqual(rounded([1 / 3, 1]));
  });
});

describe('learning rows', () => {
  const features = () => new RowFeatures([{ name: 'x', kind: 'numeric' }], 4, 100);

  it('replays the kept classes in turn, and fills up with rows of weight 0 where there are none', () => {
    const options = optionsOf({ batch: 2, replay: 4 });
    const reservoir = new ClassReservoir(5, 1);
    const fresh = [0, 1].map((label) => ({ cells: Float32Array.of(label), label }));
    const parts = { options, features: features(), reservoir, statistics: statisticsOf(), step: 3 };
    expect([...learningRows(fresh, parts).weights]).toEqual([1, 1, 0, 0, 0, 0]);
    for (const { cells, label } of fresh) reservoir.add(label, cells);
    const { labels, weights } = learningRows(fresh, parts);
    expect([...labels]).toEqual([0, 1, 0, 1, 0, 1]);
    expect([...weights]).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('networks of a bag learn from a row as often as Poisson says: mean and variance are the rate', () => {
    const options = optionsOf({ method: 'over-bagging', members: 40, batch: 100 });
    const fresh = Array.from({ length: 100 }, (_, i) => ({ cells: Float32Array.of(0), label: i % 2 }));
    const parts = { options, features: features(), reservoir: new ClassReservoir(5, 1), statistics: statisticsOf() };
    const weights = [0, 1, 2].flatMap((step) => [...learningRows(fresh, { ...parts, step }).weights]);
    for (const [label, rate] of [1, 3].entries()) {
      const own = weights.filter((_, i) => i % 2 === label); // 6,000 draws
      const mean = own.reduce((sum, weight) => sum + weight, 0) / own.length;
      const variance = own.reduce((sum, weight) => sum + (weight - mean) ** 2, 0) / own.length;
      expect(Math.abs(mean - rate)).toBeLessThan(0.15);
      expect(Math.abs(variance - rate)).toBeLessThan(0.4);
    }
  });
});

const together = (rows: readonly Float32Array[]) => ({
  rows: rows.length,
  inputs: Float32Array.from(rows.flatMap((row) => [...row])),
});

const cellsOf = (features: RowFeatures, row: StreamRow) => {
  const cells = new Float32Array(features.cells);
  features.take(row, cells);
  return cells;
};

describe('StreamNetwork', () => {
  it('grows without a change for the classes that it knows', async () => {
    const plan = { options: optionsOf({ batch: 2 }), inputs: 3, categories: [] };
    const network = await StreamNetwork.create(await loadRuntime(), plan, 4);
    const rows = [Float32Array.of(1, -2, 0.5), Float32Array.of(0, 3, 1e9)];
    const before = await network.predict(together(rows), 0, 3);
    await network.grow(9);
    expect(network.room).toBe(16);
    expect([...(await network.predict(together(rows), 0, 3))]).toEqual([...before]);
    await network.close();
  }, 240_000);

  it('says the same of a row whatever comes with it', async () => {
    const plan = { options: optionsOf({ batch: 7, method: 'over-bagging', members: 2 }), inputs: 2, categories: [] };
    const network = await StreamNetwork.create(await loadRuntime(), plan, 4);
    const rows = Array.from({ length: 7 }, (_, i) => Float32Array.of(i, 1 / (1 + i)));
    const all = await network.predict(together(rows), 3, 4);
    for (const [i, row] of rows.entries()) {
      expect([...(await network.predict(together([row]), 3 + i, 4))]).toEqual([...all.subarray(4 * i, 4 * i + 4)]);
    }
    await network.close();
  }, 240_000);
});

describe('columns of a stream', () => {
  it('are told from the first rows: numbers also as texts, flags where some are missing', () => {
    const rows = [
      { id: 7, n: 1, t: '2.5', b: true, c: 'red', zip: '01', e: null, class: 'x' },
      { id: 8, n: null, t: '3', b: 'False', c: 4, zip: '02', e: '' },
    ];
    expect(columnsOfStream(rows, { target: 'class', id: 'id', kinds: { zip: 'categorical' } })).toEqual([
      { name: 'n', kind: 'numeric', flagged: true },
      { name: 't', kind: 'numeric' },
      { name: 'b', kind: 'boolean' },
      { name: 'c', kind: 'categorical' },
      { name: 'zip', kind: 'categorical' },
      { name: 'e', kind: 'numeric', flagged: true },
    ]);
    expect(() => columnsOfStream(rows, { target: 'clas' })).toThrow('have no column "clas"; did you mean "class"?');
    expect(() => columnsOfStream([{ class: 'x' }], { target: 'class' })).toThrow('no column beside "class"');
  });

  it('names such as __proto__ and toString are columns and classes like others', () => {
    const row = JSON.parse('{"__proto__": 1, "class": "a"}');
    expect(columnsOfStream([row], { target: 'class' })).toEqual([{ name: '__proto__', kind: 'numeric' }]);
    const features = new RowFeatures([{ name: 'toString', kind: 'numeric' }], 4, 10);
    expect([...cellsOf(features, {})]).toEqual([Number.NaN]);
  });
});

describe('RowFeatures', () => {
  it('standardises by faded moments, flags what is missing, and counts categories beyond its room as missing', () => {
    const columns = [
      { name: 'x', kind: 'numeric', flagged: true },
      { name: 'c', kind: 'categorical' },
    ] as const;
    const features = new RowFeatures(columns, 2, 1e12);
    const cells = [1, 3, null].map((x, i) => cellsOf(features, { x, c: ['a', 'b', 'c'][i] }));
    expect(cells.map((row) => [...row])).toEqual([
      [1, 1],
      [3, 2],
      [Number.NaN, 0],
    ]);
    const inputs = new Float32Array(3);
    const inputsOf = (row: Float32Array) => {
      features.writeInputs(row, features.scale(), inputs, 0);
      return [...inputs];
    };
    // mean 2, deviation 1
    expect(cells.map(inputsOf).map(rounded)).toEqual([
      [-1, 0, 1],
      [1, 0, 2],
      [0, 1, 0],
    ]);
    expect(RowFeatures.fromJSON(JSON.parse(JSON.stringify(features))).toJSON()).toEqual(features.toJSON());
  });
});
