import { createHash } from 'node:crypto';
import type { Config } from './schema.js';

/** An option that two configurations disagree about; undefined where one does not have it. */
export interface ConfigDifference {
  /** Dotted: `optimizer.learningRate`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Where two configurations differ. Lists count as one value. */
export function configDifference(before: Config, after: Config): ConfigDifference[] {
  return difference(before, after);
}

/** {@link configDifference} of anything that has options in sections. */
export function difference(before: object, after: object): ConfigDifference[] {
  const [old, now] = [leaves(before), leaves(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((path) => JSON.stringify(old.get(path)) !== JSON.stringify(now.get(path)))
    .map((path) => ({ path, before: old.get(path), after: now.get(path) }));
}

/** Options that came later, with the value for what was done before there were any. Configurations of then keep their hash. */
const AS_BEFORE: ReadonlyMap<string, unknown> = new Map([['data.giveBack', 1]]);

/** SHA-256, in hex, of a configuration's values, whatever the order of its options. */
export function configHash(config: Config): string {
  const told = [...leaves(config)].filter(([path, value]) => !AS_BEFORE.has(path) || AS_BEFORE.get(path) !== value);
  const sorted = told.sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}

/** Values by dotted path. Lists count as one value. */
export function leaves(value: unknown, path = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map([[path, value]]);
  const inner = Object.entries(value).flatMap(([key, item]) => [...leaves(item, path === '' ? key : `${path}.${key}`)]);
  return new Map(inner);
}
