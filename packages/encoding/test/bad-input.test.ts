import { describe, expect, it } from 'vitest';
import {
  backPropagationChange,
  classCounts,
  classificationReport,
  confusionMatrix,
  costMatrix,
  crossEntropy,
  EnhancementEncoder,
  encodeLabels,
  focal,
  identityMatrix,
  labelBuffer,
  normaliseRows,
  softConfusionMatrix,
  steadyPush,
  updateGeneratorMatrix,
} from '../src/index.js';

/** What a JavaScript caller can pass although TypeScript would not let it through. */
function untyped<Value>(json: string): Value {
  return JSON.parse(json);
}

const half = [0.5, 0.5];
const rates = { enhancementRate: 1, updatingRate: 0.5 };
const saved = new EnhancementEncoder({ classes: 2 }).toJSON();
const encoder = (options: object) => () => new EnhancementEncoder({ classes: 2, ...options });
const restore = (changes: object) => () => EnhancementEncoder.fromJSON({ ...saved, ...changes });

const cases: [string, () => unknown, typeof RangeError | typeof TypeError, string][] = [
  ['one class', () => softConfusionMatrix([0], [1], 1), RangeError, 'classes is 1; expected an integer of at least 2'],
  ['no class', () => identityMatrix(0), RangeError, 'classes is 0; expected an integer of at least 2'],
  ['fractional classes', () => labelBuffer(1, 2.5), RangeError, 'classes is 2.5'],
  [
    'classes as text',
    () => identityMatrix(untyped('"2"')),
    TypeError,
    'classes is string; expected a number of classes',
  ],
  ['negative count', () => labelBuffer(-1, 2), RangeError, 'count is -1; expected a number of instances'],

  [
    'label too large',
    () => classCounts([0, 2], 2),
    RangeError,
    'labels[1] is 2; expected an integer from 0 to 1 (2 classes)',
  ],
  ['negative label', () => classCounts(Int8Array.of(-1), 2), RangeError, 'labels[0] is -1'],
  ['fractional label', () => encodeLabels([0, 0.5], identityMatrix(2)), RangeError, 'labels[1] is 0.5'],
  ['NaN label', () => encodeLabels([Number.NaN], identityMatrix(2)), RangeError, 'labels[0] is NaN'],
  ['text label', () => classCounts(untyped('["1"]'), 2), RangeError, 'labels[0] is 1'],
  ['missing label', () => classCounts(untyped('[null]'), 2), RangeError, 'labels[0] is null'],
  ['huge 64-bit label', () => classCounts(BigInt64Array.of(2n ** 40n), 2), RangeError, 'labels[0] is 1099511627776'],
  [
    'labels that are no array',
    () => classCounts(untyped('7'), 2),
    TypeError,
    'labels is number; expected number[] or an integer typed array',
  ],
  ['no labels', () => classCounts(untyped('null'), 2), TypeError, 'labels is null'],

  [
    'too few probabilities',
    () => softConfusionMatrix([0, 1], half, 2),
    RangeError,
    'probabilities has length 2; expected 2 × 2 = 4 values, row after row',
  ],
  [
    'negative probability',
    () => softConfusionMatrix([0], [1.1, -0.1], 2),
    RangeError,
    'probabilities[1] (row 0, class 1) is -0.1',
  ],
  [
    'missing probability',
    () => softConfusionMatrix([0], untyped('[null, 1]'), 2),
    RangeError,
    'probabilities[0] (row 0, class 0) is null; expected a probability from 0 to 1',
  ],
  [
    'NaN probability',
    () => softConfusionMatrix([0], [Number.NaN, 1], 2),
    RangeError,
    'probabilities[0] (row 0, class 0) is NaN',
  ],
  [
    'infinite probability',
    () => softConfusionMatrix([0], [Number.POSITIVE_INFINITY, 0], 2),
    RangeError,
    'probabilities row 0 sums to Infinity; expected 1 ± 0.001',
  ],
  [
    'probabilities beyond the tolerance',
    () => softConfusionMatrix([0], [0.5, 0.498], 2),
    RangeError,
    'probabilities row 0 sums to 0.998;',
  ],
  [
    'probabilities that are text',
    () => softConfusionMatrix([0], untyped('"ab"'), 2),
    TypeError,
    'probabilities is string; expected Float32Array, Float64Array or number[]',
  ],
  [
    'a sum of the wrong size',
    () => softConfusionMatrix([0], half, 2, new Float64Array(3)),
    RangeError,
    'into has length 3; expected 2 × 2 = 4',
  ],
  [
    'NaN score',
    () => confusionMatrix([0], [0, Number.NaN], 2),
    RangeError,
    'scores[1] (row 0) is NaN; expected a finite number',
  ],

  [
    'a matrix that is not square',
    () => costMatrix([1, 0, 0]),
    RangeError,
    'normalised has length 3; expected a square matrix',
  ],
  [
    'counts of the wrong length',
    () => normaliseRows([1, 0, 0, 1], [1]),
    RangeError,
    'counts has length 1; expected 1 × 2',
  ],
  [
    'fractional counts',
    () => normaliseRows([1, 0, 0, 1], [1, 0.5]),
    RangeError,
    'counts[1] is 0.5; expected a number of instances',
  ],
  ['negative counts', () => normaliseRows([1, 0, 0, 1], [-1, 1]), RangeError, 'counts[0] is -1'],
  [
    'NaN in G',
    () => updateGeneratorMatrix([1, 0, Number.NaN, 1], [0, 0, 0, 0], rates),
    RangeError,
    'previous[2] (row 1) is NaN',
  ],
  [
    'costs of another size',
    () => updateGeneratorMatrix(identityMatrix(3), [0, 0, 0, 0], rates),
    RangeError,
    'cost has length 4; expected 3 × 3',
  ],
  [
    'half a measured row',
    () => updateGeneratorMatrix(identityMatrix(2), [0, Number.NaN, 0, 0], rates),
    RangeError,
    'cost[1] is NaN',
  ],
  [
    'infinite costs',
    () => updateGeneratorMatrix(identityMatrix(2), [0, 0, Number.POSITIVE_INFINITY, 0], rates),
    RangeError,
    'cost[2] is Infinity',
  ],
  [
    'negative ε',
    () => updateGeneratorMatrix(identityMatrix(2), [0, 0, 0, 0], { ...rates, enhancementRate: -1 }),
    RangeError,
    'enhancementRate is -1; expected a finite number of at least 0',
  ],
  [
    'μ above 1',
    () => updateGeneratorMatrix(identityMatrix(2), [0, 0, 0, 0], { ...rates, updatingRate: 1.1 }),
    RangeError,
    'updatingRate is 1.1; expected a number from 0 to 1',
  ],
  [
    'an unknown part',
    () => updateGeneratorMatrix(identityMatrix(2), [0, 0, 0, 0], { ...rates, part: untyped('"half"') }),
    RangeError,
    'part is "half"; expected one of full, re-weighting, cost-sensitiveness',
  ],
  [
    'a buffer of the wrong size',
    () => encodeLabels([0], identityMatrix(2), new Float32Array(3)),
    RangeError,
    'into has length 3; expected 1 × 2',
  ],

  ['encoder: one class', encoder({ classes: ['only'] }), RangeError, 'classes.length is 1'],
  [
    'encoder: equal names',
    encoder({ classes: ['a', 'b', 'a'] }),
    RangeError,
    'classes[2] is "a", and so is classes[0]; names must differ',
  ],
  ['encoder: a number as a name', encoder({ classes: ['a', 7] }), TypeError, 'classes[1] is 7; expected a name'],
  ['encoder: NaN ε', encoder({ enhancementRate: Number.NaN }), RangeError, 'enhancementRate is NaN'],
  [
    'encoder: infinite ε',
    encoder({ enhancementRate: Number.POSITIVE_INFINITY }),
    RangeError,
    'enhancementRate is Infinity',
  ],
  [
    'encoder: ε as text',
    encoder({ enhancementRate: '3' }),
    TypeError,
    'enhancementRate is "3"; expected a number, one number per class, a function or "auto"',
  ],
  [
    'encoder: μ "automatic"',
    encoder({ updatingRate: 'automatic' }),
    TypeError,
    'updatingRate is "automatic"; expected',
  ],
  ['encoder: ε null', encoder({ enhancementRate: null }), TypeError, 'enhancementRate is null; expected a number'],
  [
    'encoder: too many rates',
    encoder({ updatingRate: [0.1, 0.2, 0.3] }),
    RangeError,
    'updatingRate has length 3; expected 1 × 2',
  ],
  ['encoder: a negative one', encoder({ enhancementRate: [1, -1] }), RangeError, 'enhancementRate[1] is -1; expected'],
  [
    'steady push: negative',
    () => steadyPush({ push: -1 }),
    RangeError,
    'push is -1; expected a finite number of at least 0',
  ],
  ['steady push: text', () => steadyPush({ push: untyped('"1"') }), TypeError, 'push is string; expected a number'],
  ['encoder: negative μ', encoder({ updatingRate: -0.1 }), RangeError, 'updatingRate is -0.1'],
  ['encoder: an unknown part', encoder({ part: 'none' }), RangeError, 'part is "none"'],
  [
    'encoder: an empty validation set',
    () => new EnhancementEncoder({ classes: 2 }).observe([], []),
    RangeError,
    'labels is empty; expected at least one instance',
  ],
  [
    'encoder: an update without observation',
    () => new EnhancementEncoder({ classes: 2 }).update(),
    RangeError,
    'nothing was observed since the last update; call observe() with the validation set first',
  ],

  [
    'JSON: foreign',
    () => EnhancementEncoder.fromJSON({ weights: [] }),
    TypeError,
    'json is not a saved encoder: format is undefined; expected "evenhand-encoder"',
  ],
  [
    'JSON: no object',
    () => EnhancementEncoder.fromJSON(null),
    TypeError,
    'json is not a saved encoder: format is null',
  ],
  [
    'JSON: another version',
    restore({ version: 3 }),
    RangeError,
    'json.version is 3; this release reads versions 1 and 2',
  ],
  [
    'JSON: rates of another number of classes',
    restore({ updatingRate: [0.5] }),
    RangeError,
    'updatingRate has length 1; expected 1 × 2',
  ],
  [
    'JSON: half a filter',
    restore({ rowFilter: { estimate: [1, 1] } }),
    TypeError,
    'json.rowFilter is {"estimate":[1,1]}; expected arrays of numbers: estimate, variance and difference',
  ],
  [
    'JSON: a filter of other classes',
    restore({ rowFilter: { estimate: [1, 1], variance: [1], difference: [0, 0] } }),
    RangeError,
    'json.rowFilter.variance has length 1; expected 1 × 2',
  ],
  [
    'JSON: rates that are none',
    restore({ rates: { enhancementRate: 1 } }),
    TypeError,
    'json.rates is {"enhancementRate":1}; expected null, or enhancementRate and updatingRate of an epoch',
  ],
  [
    'JSON: rates out of range',
    restore({ rates: { enhancementRate: 1, updatingRate: 2 } }),
    RangeError,
    'updatingRate is 2',
  ],
  ['JSON: no squares', restore({ ownSquares: null }), TypeError, 'json.ownSquares is null'],
  [
    'JSON: a short matrix',
    restore({ generatorMatrix: [1, 0, 0] }),
    RangeError,
    'json.generatorMatrix has length 3; expected 2 × 2 = 4',
  ],
  [
    'JSON: a matrix with null',
    restore({ generatorMatrix: [1, 0, 0, null] }),
    TypeError,
    'json.generatorMatrix is [1,0,0,null]; expected an array of numbers',
  ],
  ['JSON: no matrix', restore({ softConfusionMatrix: 'S' }), TypeError, 'json.softConfusionMatrix is "S"'],
  ['JSON: negative counts', restore({ observedCounts: [0, -1] }), RangeError, 'json.observedCounts[1] is -1'],
  [
    'JSON: numbers as names',
    restore({ classNames: [1, 2] }),
    TypeError,
    'json.classNames is [1,2]; expected an array of names',
  ],
  [
    'JSON: a stale class beyond the last',
    restore({ staleClasses: [2] }),
    TypeError,
    'json.staleClasses is [2]; expected class indices from 0 to 1',
  ],
  ['JSON: an unknown part', restore({ part: 'some' }), TypeError, 'json.part is "some"'],
  [
    'JSON: a rate of null',
    restore({ updatingRate: null }),
    TypeError,
    'json.updatingRate is null; expected a number, one number per class, "auto" or "schedule"',
  ],
  ['JSON: a rate out of range', restore({ updatingRate: 2 }), RangeError, 'updatingRate is 2'],
  ['JSON: half an epoch', restore({ epoch: 0.5 }), TypeError, 'json.epoch is 0.5'],
  ['JSON: no state', restore({ updated: 'yes' }), TypeError, 'json.updated is "yes"; expected true or false'],

  ['loss: no rows', () => crossEntropy([], [], 2), RangeError, 'logits has length 0; expected at least one row of 2'],
  ['loss: no logits', () => crossEntropy(untyped('null'), half, 2), RangeError, 'logits has length undefined'],
  ['loss: half a row', () => crossEntropy([1, 2, 3], [1, 0, 0], 2), RangeError, 'logits has length 3; expected 1 × 2'],
  [
    'loss: labels of another size',
    () => crossEntropy([1, 2], [1, 0, 0, 1], 2),
    RangeError,
    'labelRows has length 4; expected 1 × 2',
  ],
  ['loss: NaN logits', () => crossEntropy([1, Number.NaN], half, 2), RangeError, 'logits[1] (row 0) is NaN'],
  [
    'loss: infinite label',
    () => crossEntropy([1, 2], [1, Number.POSITIVE_INFINITY], 2),
    RangeError,
    'labelRows[1] (row 0) is Infinity',
  ],
  ['focal: negative γ', () => focal({ gamma: -1 }), RangeError, 'gamma is -1'],
  [
    'focal: α of another length',
    () => focal({ gamma: 1, alpha: [1] })([1, 2], half, 2),
    RangeError,
    'alpha has length 1; expected 1 × 2',
  ],
  [
    'DBP: no instance',
    () => backPropagationChange(crossEntropy, [], [], identityMatrix(2)),
    RangeError,
    'labels is empty',
  ],

  ['report: empty', () => classificationReport([], [], { classes: 2 }), RangeError, 'labels is empty'],
  [
    'report: answers of another length',
    () => classificationReport([0], half, { classes: 2, answers: [0, 1] }),
    RangeError,
    'answers has length 2; expected one for each of 1 instances',
  ],
  [
    'report: an answer that is no class',
    () => classificationReport([0], half, { classes: 2, answers: [2] }),
    RangeError,
    'answers[0] is 2; expected an integer from 0 to 1 (2 classes)',
  ],
  [
    'report: scores of another size',
    () => classificationReport([0], [1], { classes: 2 }),
    RangeError,
    'scores has length 1; expected 1 × 2',
  ],
  [
    'report: NaN score',
    () => classificationReport([0], [1, Number.NaN], { classes: 2 }),
    RangeError,
    'scores[1] (row 0) is NaN',
  ],
  [
    'report: k above the classes',
    () => classificationReport([0], half, { classes: 2, topK: 3 }),
    RangeError,
    'topK is 3; expected a number from 1 to 2',
  ],
  [
    'report: fractional k',
    () => classificationReport([0], half, { classes: 2, topK: 1.5 }),
    RangeError,
    'topK is 1.5; expected an integer',
  ],
  [
    'report: no minority',
    () => classificationReport([0], half, { classes: 2, minorityClasses: 0 }),
    RangeError,
    'minorityClasses is 0',
  ],
  [
    'report: counts of another length',
    () => classificationReport([0], half, { classes: 2, trainingCounts: [1] }),
    RangeError,
    'trainingCounts has length 1',
  ],
];

describe('fault 36: bad input is refused by argument, index and value', () => {
  it.each(cases)('%s', (_, call, kind, message) => {
    expect(call).toThrow(kind);
    expect(call).toThrow(message);
  });
});
