import { counted } from '../wording/numbers.js';
import type { Refit, TestEvaluation } from './evaluation-file.js';

/** What became of the refit of a model or of its members, in words; undefined where none was asked for. */
export function refitText({ refit, portfolio = [] }: Pick<TestEvaluation, 'refit' | 'portfolio'>): string | undefined {
  const refits = refit === undefined ? portfolio.flatMap(ofMember) : [{ name: undefined, refit }];
  if (refits.length === 0) return undefined;
  return [
    ...refits.map(({ name, refit }) => `${name === undefined ? 'The model' : `Member ${name}`} ${what(refit)}.`),
    ...(refits.some(({ refit }) => 'rows' in refit)
      ? ['Calibration, answers and out-of-fold estimates come from the networks that left out a fold.']
      : []),
  ].join(' ');
}

function ofMember({ name, refit }: NonNullable<TestEvaluation['portfolio']>[number]) {
  return refit === undefined ? [] : [{ name, refit }];
}

function what(refit: Refit): string {
  if ('skipped' in refit) return `was not refitted: ${refit.skipped}`;
  return `was refitted on all ${counted(refit.rows, 'training row')} for ${counted(refit.epochs, 'epoch')}`;
}
