import { leaves } from '../../config/difference.js';
import type { OptionValue } from '../interface.js';

/** Values by dotted name, for a table: what is no plain value is JSON. */
export function optionValues(section: object): Record<string, OptionValue> {
  return Object.fromEntries([...leaves(section)].map(([path, value]) => [path, plainValue(value)]));
}

/** A value as a table shows it. */
export function plainValue(value: unknown): OptionValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  return JSON.stringify(value) ?? null;
}
