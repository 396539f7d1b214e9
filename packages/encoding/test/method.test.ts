import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  classCounts,
  costMatrix,
  crossEntropy,
  encodeLabels,
  identityMatrix,
  normaliseRows,
  softConfusionMatrix,
  updateGeneratorMatrix,
} from '../src/index.js';

const page = readFileSync(new URL('../../../docs/method.md', import.meta.url), 'utf8');

/** The numbers printed below `name =` on the page. */
function printed(name: string): number[] {
  const block = page.split(`${name} =\n`)[1] ?? '';
  const lines = block.split('\n');
  const end = lines.findIndex((line) => !/^[-\d. ]+$/.test(line));
  return lines.slice(0, end).join(' ').trim().split(/\s+/).map(Number);
}

function expectPrinted(name: string, values: Float64Array) {
  const numbers = printed(name);
  expect(numbers).toHaveLength(values.length);
  for (const [i, value] of values.entries()) expect(value, name).toBeCloseTo(numbers[i] ?? Number.NaN, 12);
}

describe('docs/method.md', () => {
  const rows = [...page.matchAll(/^\| (cat|dog|fox) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$/gm)];
  const labels = rows.map(([, name]) => ['cat', 'dog', 'fox'].indexOf(name ?? ''));
  const probabilities = rows.flatMap(([, , ...cells]) => cells.map(Number));
  const soft = softConfusionMatrix(labels, probabilities, 3);
  const shares = normaliseRows(soft, classCounts(labels, 3));
  const cost = costMatrix(shares);
  const generator = updateGeneratorMatrix(identityMatrix(3), cost, { enhancementRate: 2, updatingRate: 0.5 });

  it('prints what the functions compute', () => {
    expect(rows).toHaveLength(6);
    expectPrinted('S', soft);
    expectPrinted("S'", shares);
    expectPrinted('C', cost);
    expectPrinted('G', generator);
    expect(Array.from(encodeLabels([2], generator), (value) => Number(value.toFixed(6)))).toEqual([-0.5, -0.2, 1.7]);
  });

  it('prints the gradients that cross-entropy has', () => {
    const logits = [0.5, 0.2, 0.3].map(Math.log);
    const gradient = (matrix: Float64Array) =>
      crossEntropy(logits, encodeLabels([2], matrix, new Float64Array(3)), 3).logitGradient;
    expectPrinted('one-hot ', gradient(identityMatrix(3)));
    expectPrinted('enhanced', gradient(generator));
  });

  describe('the push on the biases, all training examples together', () => {
    const training = [1000, 300, 40].flatMap((size, p) => new Array<number>(size).fill(p));
    const logits = training.flatMap((p, i) => [p, (i % 7) / 3, -p]);
    /** Sum of the gradients of all examples, which is that of the biases. */
    const biasGradient = (matrix: Float64Array) => {
      const labels = encodeLabels(training, matrix, new Float64Array(logits.length));
      const { logitGradient } = crossEntropy(logits, labels, 3);
      return [0, 1, 2].map((k) =>
        training.reduce((sum, _, i) => sum + training.length * (logitGradient[3 * i + k] ?? 0), 0),
      );
    };
    const oneHot = biasGradient(identityMatrix(3));
    /** Beyond that of one-hot labels. */
    const push = (measured: Float64Array, enhancementRate: number) => {
      const encoded = updateGeneratorMatrix(identityMatrix(3), measured, { enhancementRate, updatingRate: 1 });
      return biasGradient(encoded).map((gradient, k) => (oneHot[k] ?? 0) - gradient);
    };

    it('is printed, whatever the logits are', () => {
      const pushes = push(cost, 1);
      for (const [k, number] of printed('push').entries()) expect(pushes[k]).toBeCloseTo(number, 9);
    });

    it('is that of one-hot labels once more, ε times, where the training examples are measured', () => {
      const odds = logits.map(Math.exp);
      const probabilities = odds.map((value, i) => {
        const row = i - (i % 3);
        return value / odds.slice(row, row + 3).reduce((sum, other) => sum + other);
      });
      const onTraining = costMatrix(
        normaliseRows(softConfusionMatrix(training, probabilities, 3), classCounts(training, 3)),
      );
      for (const [k, again] of push(onTraining, 2).entries()) expect(again).toBeCloseTo(-2 * (oneHot[k] ?? 0), 9);
    });
  });
});
