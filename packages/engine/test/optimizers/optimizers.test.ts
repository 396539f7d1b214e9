import { describe, expect, it } from 'vitest';
import { Graph } from '../../src/graph/graph.js';
import { onnxModel } from '../../src/onnx/model.js';
import { adam, adamw } from '../../src/optimizers/adam.js';
import { applyOptimizer } from '../../src/optimizers/apply-optimizer.js';
import { clipByNorm } from '../../src/optimizers/clip-by-norm.js';
import { chain, type Optimizer, type Weights } from '../../src/optimizers/optimizer.js';
import { sgd } from '../../src/optimizers/sgd.js';
import { known, load } from '../training/run.js';

/** A matrix that decays, one that does not, and three vectors, one of which decays. They lie end to end. */
const PARAMETERS = [
  { name: 'a/weight', shape: [2, 2], decays: true, rate: 1, first: [1, -2, 0.5, 3] },
  { name: 'a/bias', shape: [2], decays: false, rate: 1, first: [0.1, -0.3] },
  { name: 'position', shape: [1, 2], decays: false, rate: 1, first: [4, -4] },
  { name: 'b/bias', shape: [1], decays: false, rate: 1, first: [2] },
  { name: 'b/gain', shape: [3], decays: true, rate: 1, first: [1, 2, -1] },
];
const RATES = [0.1, 0.05, 0.2];

/** Gradients of any size, different at every step. */
function slope(step: number, parameter: number, i: number): number {
  return Math.sin(3 * step + 5 * parameter + 7 * i) * 10 ** (((step + i) % 3) - 1);
}

const SIZE = PARAMETERS.reduce((sum, { first }) => sum + first.length, 0);

function build(optimizer: Optimizer, members: Weights['members'], pack: number | null) {
  const graph = new Graph();
  const learningRate = graph.input('learningRate', []);
  const step = graph.input('step', [], 'int64');
  const weights = {
    members,
    pack,
    value: graph.input('weights', [SIZE]),
    gradient: graph.input('gradient', [SIZE]),
  };
  return { graph, ...applyOptimizer(optimizer, weights, { learningRate, step }) };
}

interface OptimiseOptions {
  readonly firstStep?: number;
  readonly members?: Weights['members'];
  readonly pack?: number | null;
}

/** Values of all parameters after some steps, and the names of the slots. */
async function optimise(
  optimizer: Optimizer,
  { firstStep = 0, members = PARAMETERS, pack = null }: OptimiseOptions = {},
) {
  const { graph, next, slots } = build(optimizer, members, pack);
  const kinds = slots.map(({ kind }) => kind);
  const outputs = Object.fromEntries(slots.map((slot) => [`next/slot/${slot.kind}`, slot.next]));
  const taken = graph.inputs.filter(({ name }) => name !== 'step' || usesStep(kinds));
  const run = await load(onnxModel(graph, { 'next/weights': next, ...outputs }, { name: 'test' }), taken);
  let state: Record<string, readonly number[] | Float32Array> = {
    weights: PARAMETERS.flatMap(({ first }) => first),
    ...Object.fromEntries(kinds.map((kind) => [`slot/${kind}`, new Float32Array(SIZE)])),
  };
  for (const [t, rate] of RATES.entries()) {
    const gradient = PARAMETERS.flatMap(({ first }, p) => first.map((_, i) => slope(t, p, i)));
    const results = await run({ ...state, gradient, learningRate: [rate], step: [firstStep + t] });
    state = Object.fromEntries(Object.keys(state).map((name) => [name, known(results[`next/${name}`])]));
  }
  let start = 0;
  const values = PARAMETERS.map(({ first }) => {
    const part = known(state.weights).slice(start, start + first.length);
    start += first.length;
    return [...part];
  });
  return { values, slots: kinds };
}

const usesStep = (slots: readonly string[]) => slots.includes('square');

/** What one number becomes: PyTorch's documented recurrences, in float64. */
type Recurrence = (w: number, slopes: readonly number[], decays: boolean) => number;

async function expectAgreement(
  optimizer: Optimizer,
  recurrence: Recurrence,
  decides = (p: number) => known(PARAMETERS[p]).decays,
) {
  const { values } = await optimise(optimizer);
  PARAMETERS.forEach(({ first }, p) => {
    first.forEach((w, i) => {
      const slopes = RATES.map((_, t) => slope(t, p, i));
      const expected = recurrence(w, slopes, decides(p));
      const received = known(known(values[p])[i]);
      expect(Math.abs(received - expected), `${received} instead of ${expected}`).toBeLessThan(
        2e-6 * Math.max(1, Math.abs(expected)),
      );
    });
  });
}

function sgdRecurrence(momentum: number, weightDecay: number, nesterov = false): Recurrence {
  return (first, slopes, decays) => {
    let [w, buffer] = [first, 0];
    for (const [t, g] of slopes.entries()) {
      const d = g + (decays ? weightDecay : 0) * w;
      buffer = t === 0 ? d : momentum * buffer + d;
      w -= known(RATES[t]) * (nesterov ? d + momentum * buffer : buffer);
    }
    return w;
  };
}

function adamRecurrence(
  coupled: number,
  decoupled: number,
  [b1, b2] = [0.9, 0.999],
  epsilon = 1e-8,
  rates = RATES,
): Recurrence {
  return (first, slopes, decays) => {
    let [w, m, v] = [first, 0, 0];
    for (const [t, slope] of slopes.entries()) {
      const rate = known(rates[t]);
      const g = slope + (decays ? coupled : 0) * w;
      if (decays) w -= rate * decoupled * w;
      m = b1 * m + (1 - b1) * g;
      v = b2 * v + (1 - b2) * g * g;
      w -= ((rate / (1 - b1 ** (t + 1))) * m) / (Math.sqrt(v) / Math.sqrt(1 - b2 ** (t + 1)) + epsilon);
    }
    return w;
  };
}

describe('sgd', () => {
  it('descends', () => expectAgreement(sgd(), sgdRecurrence(0, 0)));
  it('has momentum', () => expectAgreement(sgd({ momentum: 0.9 }), sgdRecurrence(0.9, 0)));
  it('decays what decays', () => expectAgreement(sgd({ momentum: 0.9, weightDecay: 0.3 }), sgdRecurrence(0.9, 0.3)));
  it("has Nesterov's momentum", () =>
    expectAgreement(sgd({ momentum: 0.8, nesterov: true, weightDecay: 0.1 }), sgdRecurrence(0.8, 0.1, true)));
  it('decays what a predicate chooses', () =>
    expectAgreement(
      sgd({ weightDecay: 0.3, decays: ({ name }) => name.endsWith('/bias') }),
      sgdRecurrence(0, 0.3),
      (p) => known(PARAMETERS[p]).name.endsWith('/bias'),
    ));

  it('keeps its momentum, and nothing without', async () => {
    expect((await optimise(sgd())).slots).toEqual([]);
    expect((await optimise(sgd({ momentum: 0.9 }))).slots).toEqual(['momentum']);
  });
});

describe('adam', () => {
  it('follows the moments', () => expectAgreement(adam(), adamRecurrence(0, 0)));
  it('adds decay to the gradient', () => expectAgreement(adam({ weightDecay: 0.2 }), adamRecurrence(0.2, 0)));
  it('takes its settings', () =>
    expectAgreement(adam({ beta1: 0.5, beta2: 0.8, epsilon: 0.1 }), adamRecurrence(0, 0, [0.5, 0.8], 0.1)));
  it('has no memory with betas of 0', () =>
    expectAgreement(adam({ beta1: 0, beta2: 0 }), adamRecurrence(0, 0, [0, 0])));
  it('corrects no more after very many steps', async () => {
    const { values } = await optimise(adam({ beta1: 0, beta2: 0 }), { firstStep: 20_000_000 });
    expect(known(known(values[0])[0])).toBeCloseTo(
      adamRecurrence(0, 0, [0, 0])(
        1,
        [0, 1, 2].map((t) => slope(t, 0, 0)),
        false,
      ),
      5,
    );
    expect((await optimise(adam(), { firstStep: 20_000_000 })).values.flat().every(Number.isFinite)).toBe(true);
  });
});

describe('adamw', () => {
  it('decays apart from the gradient, by 0.01 if not told', () => expectAgreement(adamw(), adamRecurrence(0, 0.01)));
  it('decays what a predicate chooses', () =>
    expectAgreement(
      adamw({ weightDecay: 0.3, decays: ({ shape }) => shape.length === 1 }),
      adamRecurrence(0, 0.3),
      (p) => known(PARAMETERS[p]).shape.length === 1,
    ));
});

describe('clipByNorm', () => {
  const norms = RATES.map((_, t) =>
    Math.hypot(...PARAMETERS.flatMap(({ first }, p) => first.map((_, i) => slope(t, p, i)))),
  );
  const clipped =
    (max: number): Recurrence =>
    (w, slopes) =>
      slopes.reduce((value, g, t) => value - known(RATES[t]) * g * Math.min(1, max / (known(norms[t]) + 1e-6)), w);

  it('scales all gradients together to the norm over all of them', () =>
    expectAgreement(chain([clipByNorm(0.5)], sgd()), clipped(0.5)));
  it('leaves smaller ones as they are', () => expectAgreement(chain([clipByNorm(1e4)], sgd()), sgdRecurrence(0, 0)));
  it('may stand before any optimizer', () =>
    expectAgreement(chain([clipByNorm(1e4)], adamw()), adamRecurrence(0, 0.01)));
});

describe('rates of parameters', () => {
  // Twice the rate for weights, none for a bias, as given for the others.
  const factors = [2, 0, 1, 1, 0.5];
  const members = PARAMETERS.map((parameter, p) => ({ ...parameter, rate: known(factors[p]) }));

  it('multiply the learning rate, in the decay that is kept apart too', async () => {
    const { values } = await optimise(adamw({ beta1: 0.8, beta2: 0.95, weightDecay: 0.1 }), { members });
    const { values: plain } = await optimise(adamw({ beta1: 0.8, beta2: 0.95, weightDecay: 0.1 }));
    expect(values[1]).toEqual(known(PARAMETERS[1]).first.map(Math.fround));
    expect(values[2]).toEqual(plain[2]);
    for (const [p, factor] of [[0, 2] as const, [4, 0.5] as const]) {
      const recurrence = adamRecurrence(
        0,
        0.1,
        [0.8, 0.95],
        1e-8,
        RATES.map((rate) => rate * factor),
      );
      const { first, decays } = known(PARAMETERS[p]);
      first.forEach((w, i) => {
        const slopes = RATES.map((_, t) => slope(t, p, i));
        expect(known(known(values[p])[i])).toBeCloseTo(recurrence(w, slopes, decays), 5);
      });
    }
  });
});

describe('settings', () => {
  it.each<[string, () => unknown]>([
    ['momentum is 1; expected a number from 0 to below 1', () => sgd({ momentum: 1 })],
    ['weightDecay is -0.1; expected a number from 0', () => sgd({ weightDecay: -0.1 })],
    ['nesterov is set, but momentum is 0; expected some momentum', () => sgd({ nesterov: true })],
    ['beta2 is NaN; expected a number from 0 to below 1', () => adam({ beta2: Number.NaN })],
    ['epsilon is -1; expected a number from 0', () => adamw({ epsilon: -1 })],
    ['max is 0; expected a number above 0', () => clipByNorm(0)],
  ])('%s', (message, call) => {
    expect(call).toThrow(new RangeError(message));
  });
});
