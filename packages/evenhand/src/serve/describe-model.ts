import type { ColumnType } from '../dataset/column.js';
import type { AnswerRule } from '../decision/answer-rule.js';
import { columnTypes, type ServedModel } from './served-model.js';

/** What `GET /model` says. */
export interface ModelDescription {
  readonly name: string;
  readonly version: string;
  readonly takes: 'table' | 'images';
  /** Of a table: the column of classes in training. */
  readonly target?: string;
  readonly columns?: readonly ColumnType[];
  /** Of images: what they are scaled and cropped to. */
  readonly shape?: { readonly channels: number; readonly height: number; readonly width: number };
  readonly classes: readonly string[];
  /** How probabilities become classes. */
  readonly decision: { readonly kind: 'likeliest' } | AnswerRule;
}

export function describeModel({ name, version, classNames, preprocessing, rule }: ServedModel): ModelDescription {
  const ending = { classes: classNames, decision: rule ?? ({ kind: 'likeliest' } as const) };
  if (preprocessing.kind === 'table') {
    return {
      name,
      version,
      takes: 'table',
      target: preprocessing.target,
      columns: columnTypes(preprocessing),
      ...ending,
    };
  }
  const [channels, height, width] = preprocessing.shape;
  return { name, version, takes: 'images', shape: { channels, height, width }, ...ending };
}
