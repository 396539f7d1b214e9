import { type MethodName, methods } from 'evenhand/config';
import type { Variant } from './fold-job.js';
import type { FoldKey } from './fold-results.js';
import { FOLDS } from './folds.js';
import { keysOf } from './selection.js';
import { SEVEN_TABLES } from './tables.js';

/** Methods that have no meaning without what somebody knows about the data. */
const NEED_KNOWLEDGE: readonly string[] = ['class-weights'];

/** Every method that can be compared with the others, in the order of the registry. */
export const COMPARED_METHODS: readonly MethodName[] = Object.values(methods)
  .map(({ name }) => name)
  .filter((name) => !NEED_KNOWLEDGE.includes(name));

/** A small pack of networks for tables, so that thirty methods and more are affordable; answers are fitted out of fold, as always with folds. */
const PACK: Variant = { model: { name: 'tabular', hidden: [64, 64] }, folds: 4, epochs: 24, batchSize: 512 };

/** Trees for methods that go by rounds of boosting, with the same folds. */
const TREES: Variant = { model: { name: 'trees' }, folds: 4, epochs: 24 };

/** Every method with its own defaults, everything else equal. */
export function methodVariants(): ReadonlyMap<string, Variant> {
  return new Map(
    COMPARED_METHODS.map((name) => [name, { ...(methods[name].treesOnly === true ? TREES : PACK), method: { name } }]),
  );
}

/** The folds that methods are compared on: each row of the seven tables is tested once. The first fold of all tables first. */
export function methodFolds(folds = FOLDS): FoldKey[] {
  return keysOf(
    Object.keys(SEVEN_TABLES),
    1,
    Array.from({ length: folds }, (_, fold) => fold),
  );
}
