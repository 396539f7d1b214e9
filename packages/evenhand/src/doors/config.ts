/**
 * Configurations: what a training run is told. `evenhand/config`.
 *
 * @packageDocumentation
 */

export { type ConfigDifference, configDifference, configHash } from '../config/difference.js';
export { parseConfig } from '../config/parse.js';
export { type Config, type ConfigInput, configJsonSchema, configSchema, DEVICES } from '../config/schema.js';
export { isMethodName, type MethodName, methods } from '../methods/registry.js';
export { configWith } from '../sweep/base-config.js';
export { parseSweep } from '../sweep/definition.js';
export { describeIssue, faultsOf } from '../wording/schema-faults.js';
