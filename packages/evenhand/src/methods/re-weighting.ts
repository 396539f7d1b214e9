import { defineMethod } from './define-method.js';
import { encodedLabels, encodingOptions } from './encoded-labels.js';

/** Enhancement encoding with what is off the diagonal of G set to 0. */
export const reWeighting = defineMethod({
  name: 're-weighting',
  title: 'Ablation of enhancement: classes that are confused get more weight, whatever they are confused with.',
  reference: 'Zhao 2022',
  changes: 'labels',
  measures: true,
  options: encodingOptions,
  prepare: (context, options) => ({ loss: context.loss, ...encodedLabels('re-weighting', context, options) }),
});
