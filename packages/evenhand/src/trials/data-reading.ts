import type { Config } from '../config/schema.js';

/** Names what is read for a configuration: the same text where the same data set is opened, however it is split then. */
export function readingOf(data: Config['data']): string {
  const { splitSeed, validationDraw, validationPerClass, imbalance, testShare, testPerClass, ...reading } = data;
  return JSON.stringify(reading);
}
