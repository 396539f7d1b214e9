import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluate } from '../../src/evaluation/evaluate.js';
import { formatEvaluation, ofAnswers, readEvaluation, type TestEvaluation } from '../../src/runs/evaluation-file.js';
import { temporaryFolder } from './examples.js';

/** Of four instances the third is rare; by the likeliest class it is missed, by a threshold of 0.3 it is found. */
function exampleEvaluation(hasThreshold: boolean): TestEvaluation {
  const labels = Int32Array.of(0, 0, 0, 1);
  const trainingCounts = [30, 10];
  const evaluated = (rare: readonly number[]) =>
    evaluate({
      labels,
      probabilities: Float64Array.from(rare.flatMap((share) => [1 - share, share])),
      classNames: ['common', 'rare'],
      trainingCounts,
      seed: 0,
      resamples: 100,
    });
  return {
    weights: { epoch: 1, chosen: 'last epoch' },
    counts: { training: trainingCounts, validation: [5, 5], test: [3, 1] },
    decision: { temperature: null, threshold: hasThreshold ? { threshold: 0.3, positive: 1 } : null },
    ...evaluated([0.1, 0.2, 0.1, 0.4]),
    thresholded: hasThreshold ? evaluated([0.2, 0.35, 0.2, 0.6]) : null,
  };
}

it('is read as it was written', async () => {
  const folder = await temporaryFolder();
  for (const hasThreshold of [false, true]) {
    const content = exampleEvaluation(hasThreshold);
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

describe('the answers of a run', () => {
  it('without a threshold are the likeliest classes', () => {
    const { thresholded: _, ...content } = exampleEvaluation(false);
    expect(ofAnswers(exampleEvaluation(false))).toEqual(content);
    expect(content.report.perClass[1]?.recall).toEqual({ value: 0 });
  });

  it('with a threshold are those that it gives; calibration and ranking stay those of the probabilities', () => {
    const content = exampleEvaluation(true);
    const { report, estimates } = ofAnswers(content);
    expect(report.perClass[1]?.recall).toEqual({ value: 1 });
    expect(report.confusionMatrix).toEqual([3, 0, 0, 1]);
    expect(report.brier).toEqual(content.report.brier);
    expect(report.calibration).toEqual(content.report.calibration);
    expect(estimates.balancedAccuracy.value).toBe(1);
    expect(estimates.binary).toEqual(content.estimates.binary);
  });
});
