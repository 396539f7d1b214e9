import type { ObjectiveInput } from './objective.js';

/** An objective in words: `balanced accuracy`, `the costs that were given`. */
export function objectiveText(objective: ObjectiveInput): string {
  if (objective === 'macro-f1') return 'macro F1';
  if (typeof objective === 'string') return objective.replace('-', ' ');
  if ('costs' in objective) return 'the costs that were given';
  return `recall of “${objective.class}” at a precision of ${objective.recallAtPrecision}`;
}
