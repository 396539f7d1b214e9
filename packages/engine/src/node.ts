/**
 * Training in a thread of its own, with onnxruntime-node.
 *
 * @packageDocumentation
 */
export { Gate } from './runtime/gate.js';
export { detectTarget, loadRuntime } from './runtime/node-runtime.js';
export { stopAtExit } from './runtime/stop-at-exit.js';
export { type StepOptions, Trainer } from './runtime/trainer.js';
