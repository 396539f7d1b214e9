/** Learning rates over time: pure functions from the step to the rate. */

export { constant } from './constant.js';
export { type CosineOptions, cosine } from './cosine.js';
export { type MultiStepOptions, multiStep } from './multi-step.js';
export { type OneCycleOptions, oneCycle } from './one-cycle.js';
export type { Schedule, WarmUp } from './schedule.js';
export { type WavesOptions, waves } from './waves.js';
