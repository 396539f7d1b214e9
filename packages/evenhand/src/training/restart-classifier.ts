import type { Program, State } from '@evenhand/engine';

/** The state with which the last layer is trained anew: the layer as it was at first, and an optimizer that knows nothing yet. */
export function restartClassifier({ state: entries }: Pick<Program, 'state'>, state: State): State {
  const restarted = new Map(state);
  for (const { name, shape, kind, initial } of entries) {
    if (kind === 'slot' || name.startsWith('classifier/')) restarted.set(name, { shape, data: initial.slice() });
  }
  return restarted;
}
