import { describe, expect, it } from 'vitest';
import { gradients } from '../../src/differentiation/gradients.js';
import { Graph } from '../../src/graph/graph.js';
import { binaryCrossEntropy } from '../../src/losses/binary-cross-entropy.js';
import { crossEntropy } from '../../src/losses/cross-entropy.js';
import { focal } from '../../src/losses/focal.js';
import { hinge } from '../../src/losses/hinge.js';
import { feedLabels } from '../../src/losses/label-rows.js';
import type { Loss } from '../../src/losses/loss.js';
import { meanSquareError } from '../../src/losses/mean-square-error.js';
import { squaredError } from '../../src/losses/squared-error.js';
import { oneMinusExp } from '../../src/operations/one-minus-exp.js';
import { logSoftmax as logSoftmaxOf } from '../../src/operations/softmax.js';
import { known, run } from '../training/run.js';

/** An instance's loss and gradient at the logits, in float64, by the closed forms of the paper. */
type Reference = (z: readonly number[], l: readonly number[]) => { loss: number; gradient: number[] };

const total = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

function logSoftmax(z: readonly number[]): number[] {
  const max = Math.max(...z);
  const largest = z.indexOf(max);
  // The largest term is 1: log1p of the others keeps what log(1 + tiny) would lose.
  const others = total(z.map((value, k) => (k === largest ? 0 : Math.exp(value - max))));
  return z.map((value) => value - max - Math.log1p(others));
}

/** ∂J/∂z_k = s_k − y_k·Σs with s = y·∂J/∂y */
function throughSoftmax(s: readonly number[], y: readonly number[]): number[] {
  return s.map((value, k) => value - known(y[k]) * total(s));
}

const crossEntropyReference: Reference = (z, l) => {
  const logY = logSoftmax(z);
  return {
    loss: -total(l.map((value, k) => value * known(logY[k]))),
    gradient: l.map((value, k) => total(l) * Math.exp(known(logY[k])) - value),
  };
};

const meanSquareErrorReference: Reference = (z, l) => {
  const y = logSoftmax(z).map(Math.exp);
  const difference = y.map((value, k) => value - known(l[k]));
  return {
    loss: total(difference.map((d) => d * d)) / z.length,
    gradient: throughSoftmax(
      difference.map((d, k) => (2 * d * known(y[k])) / z.length),
      y,
    ),
  };
};

function focalReference(gamma: number, alpha?: readonly number[]): Reference {
  return (z, l) => focalOf(gamma, alpha)(logSoftmax(z), l);
}

/** The same from the logarithms of the probabilities. */
function focalOf(gamma: number, alpha?: readonly number[]): Reference {
  return (logY, l) => {
    const weights = l.map((value, k) => value * (alpha?.[k] ?? 1));
    const rest = logY.map((value) => -Math.expm1(value));
    const s = weights.map((weight, k) => {
      const [r, log] = [known(rest[k]), known(logY[k])];
      const slope = r === 0 ? -(r ** gamma) : r ** (gamma - 1) * log;
      return weight * (gamma * slope * Math.exp(log) - r ** gamma);
    });
    return {
      loss: -total(weights.map((weight, k) => weight * known(rest[k]) ** gamma * known(logY[k]))),
      gradient: throughSoftmax(s, logY.map(Math.exp)),
    };
  };
}

const hingeReference: Reference = (z, l) => {
  const own = total(l.map((value, k) => value * known(z[k])));
  const margins = z.map((value, k) => Math.max(0, 1 - known(l[k]) + value - own));
  const active = margins.map((margin) => (margin > 0 ? 1 : 0));
  return {
    loss: total(margins) / z.length,
    gradient: z.map((_, k) => (known(active[k]) - known(l[k]) * total(active)) / z.length),
  };
};

const squaredErrorReference: Reference = (z, l) => {
  const difference = z.map((value, k) => value - known(l[k]));
  return {
    loss: total(difference.map((d) => d * d)) / z.length,
    gradient: difference.map((d) => (2 * d) / z.length),
  };
};

/** log σ(z) and its slope 1 − σ(z), without loss on either side of 0. */
const logSigmoid = (z: number) => Math.min(z, 0) - Math.log1p(Math.exp(-Math.abs(z)));
const sigmoid = (z: number) => Math.exp(logSigmoid(z));

const binaryCrossEntropyReference: Reference = (z, l) => ({
  loss:
    -total(z.map((value, k) => known(l[k]) * logSigmoid(value) + (1 - known(l[k])) * logSigmoid(-value))) / z.length,
  gradient: z.map((value, k) => (sigmoid(value) - known(l[k])) / z.length),
});

const ALPHA = [0.5, 2, 1, 0.25];
const LOSSES: readonly (readonly [name: string, loss: Loss, reference: Reference])[] = [
  ['crossEntropy', crossEntropy, crossEntropyReference],
  ['meanSquareError', meanSquareError, meanSquareErrorReference],
  ['hinge', hinge, hingeReference],
  ['binaryCrossEntropy', binaryCrossEntropy, binaryCrossEntropyReference],
  ...[0, 0.1, 0.5, 1, 2, 3.5].map((gamma) => [`focal γ=${gamma}`, focal({ gamma }), focalReference(gamma)] as const),
  ['focal with α', focal({ gamma: 2, alpha: ALPHA }), focalReference(2, ALPHA)],
];

const LOGITS = [
  [0.1, -0.4, 1.2, 0.3],
  [2, 2, 2, 2],
  [-3, 4, 0.5, -1],
  // ever surer, until float32 knows nothing but 1 and 0
  [12, 0, -1, 2],
  [17, 0, -1, 0],
  [60, 0, -20, 3],
  [-300, 300, 0, 5],
  [1e4, -1e4, 0, 1],
];
/** One-hot, enhanced, an ablation's that does not sum to 1, right and wrong ones. */
const LABELS = [
  [0, 0, 1, 0],
  [-0.2, 1.9, -0.6, -0.1],
  [0, 2.5, 0, 0],
  [1.3, -0.1, -0.15, -0.05],
  [1, 0, 0, 0],
  [-0.4, 1.8, -0.3, -0.1],
  [-0.5, 1, -2, -0.1],
  [1.7, -0.3, -0.3, -0.1],
];

async function compute(loss: Loss, logits: readonly number[][], labels: readonly number[][], weights?: number[]) {
  const graph = new Graph();
  const shape = [logits.length, known(logits[0]).length];
  const z = graph.input('z', shape);
  const l = graph.input('l', shape);
  const w = weights === undefined ? undefined : graph.input('w', [logits.length]);
  const value = loss(z, l, w);
  const results = await run(
    graph,
    { value, gradient: known(gradients(value, [z])[0]) },
    { z: logits.flat(), l: labels.flat(), ...(weights === undefined ? {} : { w: weights }) },
  );
  return { loss: known(known(results.value)[0]), gradient: [...known(results.gradient)] };
}

/** Equal to float32's precision, measured by the size of what was added up. */
function expectClose(received: number, expected: number, scale: number): void {
  expect(Math.abs(received - expected), `${received} instead of ${expected}`).toBeLessThan(
    2e-6 * Math.max(scale, 1e-3),
  );
}

describe.each(LOSSES)('%s', (_, loss, reference) => {
  it('and its gradient at the logits agree with the closed forms, for general label rows and extreme logits', async () => {
    for (const [i, z] of LOGITS.entries()) {
      const l = known(LABELS[i]);
      const received = await compute(loss, [z], [l]);
      const expected = reference(z, l);
      const size = total(l.map(Math.abs));
      expectClose(received.loss, expected.loss, size * Math.max(...logSoftmax(z).map(Math.abs), 1));
      received.gradient.forEach((value, k) => {
        expectClose(value, known(expected.gradient[k]), 3 * size);
      });
    }
  });

  it('is the mean over the batch', async () => {
    const [z, l] = [LOGITS.slice(0, 3), LABELS.slice(0, 3)];
    const received = await compute(loss, z, l);
    const expected = z.map((row, i) => reference(row, known(l[i])));
    expect(received.loss).toBeCloseTo(total(expected.map((each) => each.loss)) / 3, 5);
    const gradient = expected.flatMap((each) => each.gradient.map((value) => value / 3));
    received.gradient.forEach((value, i) => {
      expect(value).toBeCloseTo(known(gradient[i]), 5);
    });
  });

  it('multiplies by instance weights, and still divides by the size of the batch', async () => {
    const weights = [0.5, 3, 0];
    const [z, l] = [LOGITS.slice(0, 3), LABELS.slice(0, 3)];
    const received = await compute(loss, z, l, weights);
    const expected = z.map((row, i) => known(weights[i]) * reference(row, known(l[i])).loss);
    expect(received.loss).toBeCloseTo(total(expected) / 3, 5);
  });

  it('is finite, and so is its gradient, however sure the network is', async () => {
    const steps = Array.from({ length: 400 }, (_, i) => (i - 200) / 4);
    const z = steps.map((step) => [step, 0, -step / 3, step / 7]);
    const l = steps.map((_, i) => known(LABELS[i % LABELS.length]));
    const { loss: value, gradient } = await compute(loss, z, l);
    expect(gradient.every(Number.isFinite)).toBe(true);
    expect(value).toSatisfy(Number.isFinite);
  });
});

describe('focal', () => {
  it.each([0.5, 1, 2, 3.5])('with γ = %d keeps 1 − y to its last digits where y is nearly 1', async (gamma) => {
    const l = [1, 0, 0, 0];
    for (const largest of [10.4, 10.6, 11, 12.4]) {
      const graph = new Graph();
      const logits = graph.input('z', [1, 4]);
      const value = focal({ gamma })(logits, graph.input('l', [1, 4]));
      const [slope] = gradients(value, [logits]);
      const received = await run(graph, { value, slope, logY: logSoftmaxOf(logits) }, { z: [largest, 0, 0.5, 1.1], l });
      // LogSoftmax has lost digits of its own here (log y ≈ −1e-4, exact to 6e-8); what is made of them has not.
      const expected = focalOf(gamma)([...known(received.logY)], l);
      expect(Math.abs(known(received.value?.[0]) / expected.loss - 1)).toBeLessThan(5e-6);
      for (const k of [1, 2, 3]) {
        expect(Math.abs(known(received.slope?.[k]) / known(expected.gradient[k]) - 1)).toBeLessThan(5e-6);
      }
      // At the true class s − y·s, a difference that has no more digits than float32 has of y, in every framework.
      const s = known(expected.gradient[0]) / -Math.expm1(known(received.logY?.[0]));
      expect(Math.abs(known(received.slope?.[0]) - known(expected.gradient[0]))).toBeLessThan(1.2e-7 * Math.abs(s));
    }
  });

  it('has an operation for 1 − eˣ that is exact to float32 wherever x is', async () => {
    const x = [-0.7, -1e-2, -1.1e-4, -1.137e-5, -3.3e-7, -2.9e-9];
    const graph = new Graph();
    const { rest } = await run(graph, { rest: oneMinusExp(graph.input('x', [x.length])) }, { x });
    x.forEach((value, i) => {
      expect(Math.abs(known(rest?.[i]) / -Math.expm1(Math.fround(value)) - 1)).toBeLessThan(5e-7);
    });
  });

  it('refuses what is not a number', () => {
    expect(() => focal({ gamma: -1 })).toThrow('gamma is -1; expected a number from 0');
    expect(() => focal({ gamma: 1, alpha: [1, Number.NaN] })).toThrow('alpha[1] is NaN; expected a number');
    const graph = new Graph();
    expect(() => focal({ gamma: 1, alpha: [1, 1] })(graph.input('z', [2, 3]), graph.input('l', [2, 3]))).toThrow(
      'alpha has 2 weights; expected one for each of the 3 classes',
    );
  });
});

describe('squaredError', () => {
  it('and its gradient are those of the outputs as they are, whatever their size', async () => {
    // By hand: ((3 − 1)² + (−0.5 − 2)²)/2 = 5.125, slopes (2, −2.5); and of numbers that are no logits.
    expect(await compute(squaredError, [[3, -0.5]], [[1, 2]])).toEqual({ loss: 5.125, gradient: [2, -2.5] });
    const [z, l] = [
      [1013.25, -40, 0.001],
      [1000, -42.5, 0],
    ];
    const [received, expected] = [await compute(squaredError, [z], [l]), squaredErrorReference(z, l)];
    expect(received.loss / expected.loss).toBeCloseTo(1, 6);
    received.gradient.forEach((value, k) => {
      expect(value / known(expected.gradient[k])).toBeCloseTo(1, 6);
    });
  });

  it('takes one output, and weights of instances', async () => {
    expect((await compute(squaredError, [[2], [5]], [[1], [1]], [4, 0.5])).loss).toBe((4 * 1 + 0.5 * 16) / 2);
  });
});

describe('binaryCrossEntropy', () => {
  it('tells outputs that are right from ones that are wrong, each by itself, and halfway at 0', async () => {
    const { loss, gradient } = await compute(binaryCrossEntropy, [[0, 0]], [[1, 0]]);
    expect(loss).toBeCloseTo(Math.LN2, 6);
    expect(gradient).toEqual([-0.25, 0.25]);
  });

  it('has a gradient that keeps its digits where the network is sure and right', async () => {
    const { gradient } = await compute(binaryCrossEntropy, [[18, -18]], [[1, 0]]);
    const [high, low] = gradient;
    expect(known(high) / (-sigmoid(-18) / 2)).toBeCloseTo(1, 5);
    expect(known(low) / (sigmoid(-18) / 2)).toBeCloseTo(1, 5);
  });
});

it('refuses label rows of another shape', () => {
  const graph = new Graph();
  expect(() => crossEntropy(graph.input('z', [2, 3]), graph.input('l', [2, 4]))).toThrow(
    'crossEntropy: expected logits and label rows of one shape [batch, classes], received float32[2, 3] and float32[2, 4]',
  );
});

describe('feedLabels', () => {
  const GENERATOR = [1.5, -0.25, -0.25, 0, 1, 0, -1, -1, 3];

  it('makes rows of the generator matrix, one-hot rows, or takes them as they are', async () => {
    const rowsOf = async (feed: 'indices' | 'indices-with-generator' | 'rows', feeds: Record<string, number[]>) => {
      const graph = new Graph();
      const { rows, indices } = feedLabels(graph, feed, 2, 3);
      expect(indices === null).toBe(feed === 'rows');
      return [...known((await run(graph, { rows }, feeds)).rows)];
    };
    expect(await rowsOf('indices', { labels: [2, 0] })).toEqual([0, 0, 1, 1, 0, 0]);
    expect(await rowsOf('indices-with-generator', { labels: [2, 0], generator: GENERATOR })).toEqual([
      -1, -1, 3, 1.5, -0.25, -0.25,
    ]);
    expect(await rowsOf('rows', { labelRows: [1, 2, 3, 4, 5, 6] })).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

it('cross-entropy moves by −ε·c where labels are encoded (the appendix’s DBP with μ = 1)', async () => {
  const epsilon = 3;
  const cost = [-0.4, 0.3, 0.05, 0.05]; // row p = 0 of C
  const oneHot = [1, 0, 0, 0];
  const encoded = oneHot.map((value, k) => value - epsilon * known(cost[k]));
  const z = [0.3, 0.8, -1, 0.2];
  const [before, after] = [await compute(crossEntropy, [z], [oneHot]), await compute(crossEntropy, [z], [encoded])];
  cost.forEach((c, k) => {
    expect(known(before.gradient[k]) - known(after.gradient[k])).toBeCloseTo(-epsilon * c, 5);
  });
});
