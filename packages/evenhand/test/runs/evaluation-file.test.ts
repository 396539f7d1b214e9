import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answersOf } from '../../src/decision/answer-rule.js';
import { evaluate } from '../../src/evaluation/evaluate.js';
import { formatEvaluation, readEvaluation, type TestEvaluation } from '../../src/runs/evaluation-file.js';
import { temporaryFolder } from './examples.js';

/** Of four instances the last is rare; by the likeliest class it is missed, by a threshold of 0.3 it is found. */
function exampleEvaluation(hasRule: boolean): TestEvaluation {
  const rule = { kind: 'threshold', class: 1, threshold: 0.3 } as const;
  const probabilities = Float64Array.from([0.1, 0.2, 0.1, 0.4].flatMap((rare) => [1 - rare, rare]));
  return {
    weights: { epoch: 1, chosen: 'last epoch' },
    counts: { training: [30, 10], validation: [5, 5], test: [3, 1] },
    decision: hasRule
      ? { calibration: { temperature: 1.5, biases: [0, -0.5] }, answers: { rule, reason: null } }
      : { calibration: null, answers: null },
    ...evaluate({
      labels: Int32Array.of(0, 0, 0, 1),
      probabilities,
      classNames: ['common', 'rare'],
      trainingCounts: [30, 10],
      seed: 0,
      resamples: 100,
      ...(hasRule
        ? {
            answers: answersOf(rule, probabilities, 2),
            costs: [
              [0, 1],
              [5, 0],
            ],
          }
        : {}),
    }),
  };
}

it('is read as it was written', async () => {
  const folder = await temporaryFolder();
  for (const hasRule of [false, true]) {
    const content = exampleEvaluation(hasRule);
    await writeFile(join(folder, 'evaluation.json'), formatEvaluation(content));
    expect(await readEvaluation(folder)).toEqual(content);
  }
});

it('that is damaged names the fault and how to make it anew', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'evaluation.json');
  const again = `Evaluate the run again: npx evenhand resume ${folder}`;
  await writeFile(file, '{"weights"');
  await expect(readEvaluation(folder)).rejects.toThrow(`${file} is not JSON; the file is damaged. ${again}`);
  const bottomless = `{"weights":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  await writeFile(file, bottomless);
  await expect(readEvaluation(folder)).rejects.toThrow(`${file} is not JSON; the file is damaged. ${again}`);
  await writeFile(file, JSON.stringify({ ...exampleEvaluation(false), weights: { epoch: 1, chosen: 'by lot' } }));
  await expect(readEvaluation(folder)).rejects.toThrow(
    `${file} is not what this version of evenhand writes: weights.chosen is "by lot"; expected`,
  );
});

it('has the metrics of the answers as they are given; calibration, ranking and log-loss stay those of the probabilities', () => {
  const [likeliest, ruled] = [exampleEvaluation(false), exampleEvaluation(true)];
  expect(likeliest.report.perClass[1]?.recall).toEqual({ value: 0 });
  expect(ruled.report.perClass[1]?.recall).toEqual({ value: 1 });
  expect(ruled.report.confusionMatrix).toEqual([3, 0, 0, 1]);
  expect(ruled.estimates.balancedAccuracy.value).toBe(1);
  expect(ruled.costs).toMatchObject({ total: 0, likeliest: { total: 5, mean: 1.25 } });
  expect(likeliest.costs).toBeNull();
  expect(ruled.report.brier).toEqual(likeliest.report.brier);
  expect(ruled.report.calibration).toEqual(likeliest.report.calibration);
  expect(ruled.report.logLoss.value).toBeCloseTo(-Math.log(0.9 * 0.8 * 0.9 * 0.4) / 4, 12);
  expect(ruled.estimates.binary).toEqual(likeliest.estimates.binary);
});
