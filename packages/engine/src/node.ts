/**
 * Training in a thread of its own, with onnxruntime-node.
 *
 * @packageDocumentation
 */
export { type StepOptions, Trainer } from './runtime/trainer.js';
