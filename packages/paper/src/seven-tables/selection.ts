import { UserError } from 'evenhand';
import { OUR_LEARNER, type Variant, variantHash } from './fold-job.js';
import type { FoldKey } from './fold-results.js';
import { FOLDS } from './folds.js';

/** Every fold of some tables; the first fold of all tables first, so that early results are about all of them. */
export function keysOf(tables: readonly string[], repeats: number, folds: readonly number[]): FoldKey[] {
  return Array.from({ length: repeats }, (_, repeat) =>
    folds.flatMap((fold) => tables.map((table) => ({ table, repeat, fold }))),
  ).flat();
}

/** `0-4`, or a single fold. */
export function foldRange(text = `0-${FOLDS - 1}`): number[] {
  const [, first, last = first] = /^(\d)(?:-(\d))?$/.exec(text) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (from <= to && to < FOLDS) return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  throw new UserError(`--folds is "${text}"; expected a fold from 0 to ${FOLDS - 1}, or a range such as 0-1`);
}

/** Our configurations by name, from `name={…}`; the default one if none is given. */
export function variantsOf(given: readonly string[]): ReadonlyMap<string, Variant> {
  if (given.length === 0) return new Map([[OUR_LEARNER, {}]]);
  return new Map(
    given.map((text): [string, Variant] => {
      const [, name, json] = /^([^=]+)=(\{.*\})$/s.exec(text) ?? [];
      if (name === undefined || json === undefined) {
        throw new UserError(
          `--variant is "${text}"; expected a name and options as JSON, such as 'long={"epochs":120}'`,
        );
      }
      return [name, variantOf(name, json)];
    }),
  );
}

function variantOf(name: string, json: string): Variant {
  try {
    const variant: Variant = JSON.parse(json);
    variantHash(variant); // checks its options
    return variant;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`--variant ${name}: ${reason}`, { cause: error });
  }
}
