import { defineMethod } from './define-method.js';
import { encodedLabels, encodingOptions } from './encoded-labels.js';

/** Enhancement encoding with the diagonal of G set to 1. */
export const costSensitiveness = defineMethod({
  name: 'cost-sensitiveness',
  title: 'Ablation of enhancement: confusing one class with another costs more, and all classes have the same weight.',
  reference: 'Zhao 2022',
  changes: 'labels',
  measures: true,
  options: encodingOptions,
  prepare: (context, options) => ({ loss: context.loss, ...encodedLabels('cost-sensitiveness', context, options) }),
});
