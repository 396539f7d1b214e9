/**
 * Training in a thread of its own, with onnxruntime-node.
 *
 * @packageDocumentation
 */
export { detectTarget, loadRuntime } from './runtime/node-runtime.js';
export { type StepOptions, Trainer } from './runtime/trainer.js';
