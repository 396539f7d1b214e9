import type { Labels, Values } from '../arrays.js';
import { buildRows } from '../build-rows.js';
import { checkChoice, checkInteger } from '../check-arguments.js';
import { allRows, countClasses, type LabelledRows } from '../labelled-rows.js';
import { checkSmote, overSample, type SmoteOptions } from '../over-sampling/smote.js';
import { type Resampled, subsetOf } from '../resampled.js';
import { keepClasses } from '../under-sampling/cleaning.js';
import { type Agreement, removeDisputed } from '../under-sampling/edited-nearest-neighbours.js';
import { removeLinks } from '../under-sampling/tomek-links.js';

/** SMOTE, then Tomek links (Batista et al. 2003): the links of all classes are removed, synthetic rows or not. */
export function smoteTomek(features: Values, labels: Labels, options: SmoteOptions): Resampled {
  return smoteThenClean(features, labels, options, 'smoteTomek', (data, rows, all) => removeLinks(data, rows, all));
}

/** Options of {@link smoteEnn}. */
export interface SmoteEnnOptions extends SmoteOptions {
  /** How many neighbours have to agree with a row for it to stay; 3 unless given. */
  readonly editingNeighbours?: number;
  /** Whether all of them have to agree, or the most frequent class decides; `'all'` unless given. */
  readonly agreement?: Agreement;
}

/** SMOTE, then edited nearest neighbours (Batista et al. 2004) of all classes, synthetic rows or not. */
export function smoteEnn(features: Values, labels: Labels, options: SmoteEnnOptions): Resampled {
  const operation = 'smoteEnn';
  const { editingNeighbours = 3, agreement = 'all' } = options;
  checkInteger(editingNeighbours, 1, 'editingNeighbours', operation);
  checkChoice(agreement, ['all', 'mode'], 'agreement', operation);
  return smoteThenClean(features, labels, options, operation, (data, rows, all) =>
    removeDisputed(data, rows, all, Math.min(editingNeighbours, rows.length - 1), agreement),
  );
}

function smoteThenClean(
  features: Values,
  labels: Labels,
  options: SmoteOptions,
  operation: string,
  clean: (data: LabelledRows, rows: Int32Array, cleaned: Uint8Array) => Int32Array,
): Resampled {
  const { data, targets, random } = checkSmote(features, labels, options, operation);
  const filled = overSample(data, targets, random);
  const classes = data.counts.length;
  const all = {
    features: buildRows(data.features, filled, data.columns),
    columns: data.columns,
    labels: filled.labels,
    counts: countClasses(filled.labels, classes),
  };
  const rows = allRows(filled.labels.length);
  const left = clean(all, rows, new Uint8Array(classes).fill(1));
  return subsetOf(filled, keepClasses(filled.labels, rows, left));
}
