import { crossEntropy, focal, schedules } from '@evenhand/engine';
import { describe, expect, it } from 'vitest';
import { deferredEpoch } from '../../src/methods/deferred-epoch.js';
import { ldam } from '../../src/methods/ldam.js';

const NOTHING_OBSERVED = { labels: new Int32Array(0), probabilities: new Float32Array(0) };

describe('deferredEpoch', () => {
  it.each([
    [
      'the second of three stages, as its authors time it on CIFAR',
      200,
      schedules.multiStep({ rate: 1, milestones: [160, 180], warmUp: 5 }),
      160,
    ],
    ['the second of two stages', 30, schedules.multiStep({ rate: 1, milestones: [11] }), 11],
    ['the last fifth of a constant rate', 50, schedules.constant(1), 40],
    ['the last fifth, if the rate only rises', 10, schedules.multiStep({ rate: 1, milestones: [], warmUp: 4 }), 8],
    ['the last fifth of a cosine', 30, schedules.cosine({ rate: 1, steps: 30 }), 24],
    ['the last fifth of one cycle', 30, schedules.oneCycle({ rate: 1, steps: 30 }), 24],
    ['the last epoch of few', 3, schedules.cosine({ rate: 1, steps: 3 }), 2],
    ['the only epoch', 1, schedules.constant(1), 0],
  ])('is the first of %s', (_, epochs, learningRateShare, expected) => {
    expect(deferredEpoch({ epochs, learningRateShare })).toBe(expected);
  });
});

describe('ldam', () => {
  const context = {
    classNames: ['a', 'b'],
    trainingCounts: [1000, 10],
    loss: crossEntropy,
    epochs: 20,
    learningRateShare: () => 1,
  };
  const weightsAt = (epoch: number, options = {}) => [
    ...ldam.prepare(context, options).beforeEpoch(epoch, NOTHING_OBSERVED).classWeights,
  ];

  it('weighs all classes alike until then, and the rare one more from then on', () => {
    expect(weightsAt(0)).toEqual([1, 1]);
    expect(weightsAt(15)).toEqual([1, 1]);
    const [common = 1, rare = 0] = weightsAt(16);
    expect(rare).toBeGreaterThan(20 * common);
    expect(weightsAt(19)).toEqual([common, rare]);
  });

  it('starts with the epoch that it is told', () => {
    expect(weightsAt(4, { reweightFrom: 5 })).toEqual([1, 1]);
    expect(weightsAt(5, { reweightFrom: 5 })).toEqual(weightsAt(16));
  });

  it('asks for a cosine classifier, and scales its logits when predicting as when training', () => {
    expect(ldam.prepare(context)).toMatchObject({ classifier: 'cosine', logitScale: 30 });
    expect(ldam.prepare(context, { scale: 12 }).logitScale).toBe(12);
  });

  it('says which loss it needs', () => {
    expect(() => ldam.prepare({ ...context, loss: focal({ gamma: 1 }) })).toThrow(
      'the method "ldam" is a margin inside cross-entropy and has no meaning with another loss. ' +
        'Choose cross-entropy as the loss, or another method',
    );
  });
});
