import { defineMethod } from './define-method.js';
import { encodedLabels, encodingOptions } from './encoded-labels.js';
import { inverseFrequencyWeights } from './inverse-frequency.js';

/**
 * Enhancement encoding with weights in inverse proportion to the class frequencies. With equal weights the encoding comes to rest where the
 * predicted numbers are the class counts; with these, where every column of the normalised soft-confusion matrix sums to 1.
 */
export const balancedEnhancement = defineMethod({
  name: 'balanced-enhancement',
  title: 'Enhancement encoding, with class weights in inverse proportion to the class sizes.',
  reference: 'Zhao 2022',
  changes: 'labels',
  measures: true,
  options: encodingOptions,
  prepare: (context, options) => ({
    loss: context.loss,
    assumedLogPrior: new Float32Array(context.classes),
    ...encodedLabels('full', context, options, inverseFrequencyWeights(context.trainingCounts)),
  }),
});
