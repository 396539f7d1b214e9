/// <reference types="node" />
/**
 * The same training in worker threads of Node: as many as there are cores, and none of it in the thread of the caller.
 *
 * @packageDocumentation
 */

export type { Round } from './boosting/boosting.js';
export { TreePredictor } from './threads/tree-predictor.js';
export { fit, type ThreadOptions, TreeTrainer } from './threads/tree-trainer.js';
