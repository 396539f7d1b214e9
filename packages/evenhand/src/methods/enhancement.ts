import { defineMethod } from './define-method.js';
import { encodedLabels, encodingOptions } from './encoded-labels.js';

/** Enhancement encoding, with any loss: `G = (1−μ)·G* + μ·(I − ε·C)`. */
export const enhancement = defineMethod({
  name: 'enhancement',
  title: 'Before each epoch, labels are re-encoded by how the network confuses the classes of the validation set.',
  reference: 'Zhao 2022',
  changes: 'labels',
  measures: true,
  options: encodingOptions,
  prepare: (context, options) => ({ loss: context.loss, ...encodedLabels('full', context, options) }),
});
