import type { ServedModel } from './served-model.js';

/** What came of a change of the file that a server follows. */
export type ModelChange =
  | { readonly kind: 'loaded'; readonly model: ServedModel }
  /** The new file cannot be used: the model from before goes on answering. */
  | { readonly kind: 'refused'; readonly model: ServedModel; readonly reason: string };
