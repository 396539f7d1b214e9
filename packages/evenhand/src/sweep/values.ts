import type { TrialValues } from './domain.js';

/** A value as people read it: texts without quotes. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** `epochs = 30, optimizer.name = sgd` */
export function describeValues(values: TrialValues): string {
  return Object.entries(values)
    .map(([path, value]) => `${path} = ${valueText(value)}`)
    .join(', ');
}
