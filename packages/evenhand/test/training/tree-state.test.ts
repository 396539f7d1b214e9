import { StateError } from '@evenhand/engine';
import { fit } from '@evenhand/trees';
import { expect, it } from 'vitest';
import { modelOfTrees, stateOfTrees, treesOfState } from '../../src/training/learners/tree-state.js';

const rows = 300;
const values = Float32Array.from({ length: 2 * rows }, (_, i) => (i % 2 === 0 ? Math.sin(i * i) : i % 14));
const labels = Int32Array.from({ length: rows }, (_, i) =>
  (values[2 * i] ?? 0) > 0 ? 1 : (values[2 * i + 1] ?? 0) % 3 === 0 ? 2 : 0,
);
const folds = labels.map((_, i) => i % 3);
const { model } = fit(
  { values, columns: 2, categorical: [1], classes: 3, labels, folds },
  { rounds: 4, minimalLeafRows: 3 },
);
const baselines = model.members.map(({ baseline }) => baseline);
const rounds = Array.from({ length: 4 }, (_, round) => model.members.map((member) => member.rounds[round] ?? []));

it('trees come back from a checkpoint as they were, categories included', () => {
  const again = treesOfState(stateOfTrees({ baselines, rounds }));
  expect(again).toEqual({ baselines, rounds });
  expect(rounds.flat(2).some(({ categories }) => categories.some((list) => list !== null))).toBe(true);
  expect(modelOfTrees(again, 3, 2).members).toEqual(model.members);
});

it('a state of something else is refused', () => {
  expect(() => treesOfState(new Map([['weight', { shape: [1], data: Float32Array.of(1) }]]))).toThrow(StateError);
});
