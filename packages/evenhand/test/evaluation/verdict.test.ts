import { describe, expect, it } from 'vitest';
import { judge } from '../../src/evaluation/verdict.js';
import { evaluatedRun } from '../runs/evaluated-run.js';

describe('judge', () => {
  it('names classes that are lost and classes below chance, with their test instances, largest in training first', () => {
    const { evaluation } = evaluatedRun({
      training: [40, 400, 12, 80],
      confusion: [
        [0, 5, 0, 0],
        [0, 90, 5, 5],
        [0, 2, 0, 0],
        [0, 8, 0, 2],
      ],
    });
    expect(judge(evaluation)).toMatchObject({
      commonest: 'b',
      chance: 0.25,
      lost: [
        { name: 'a', recall: 0, test: 5 },
        { name: 'c', recall: 0, test: 2 },
      ],
      belowChance: [{ name: 'd', recall: 0.2, test: 10 }],
      baseline: { balancedAccuracy: 0.25, accuracy: 100 / 117 },
    });
  });

  it('calls better than guessing what is above always answering the commonest class, its interval too', () => {
    const good = judge(
      evaluatedRun({
        training: [80, 20],
        confusion: [
          [36, 4],
          [2, 8],
        ],
      }).evaluation,
    );
    expect(good).toMatchObject({
      isBetterThanGuessing: true,
      lost: [],
      belowChance: [],
      weakest: { name: 'b', recall: 0.8 },
    });
    const unsure = judge(
      evaluatedRun({
        training: [80, 20],
        confusion: [
          [22, 18],
          [4, 6],
        ],
      }).evaluation,
    );
    expect(unsure).toMatchObject({ isBetterThanGuessing: false, lost: [], belowChance: [] });
  });

  it('leaves out a class that was not tested', () => {
    const { evaluation } = evaluatedRun({
      training: [80, 20, 4],
      confusion: [
        [20, 0, 0],
        [6, 4, 0],
        [0, 0, 0],
      ],
    });
    expect(judge(evaluation)).toMatchObject({ lost: [], belowChance: [{ name: 'b', recall: 0.4 }], chance: 0.5 });
  });
});
