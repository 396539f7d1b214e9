import type { Config } from '../config/schema.js';
import type { NeglectedClasses } from '../evaluation/verdict.js';
import type { MethodName } from '../methods/registry.js';

/** Something to try next. */
export interface Advice {
  /** Words for the command line, after `train` and the data. */
  readonly flags: readonly string[];
  readonly reason: string;
}

/** What was trained. */
export interface Trained {
  /** Of the only run, or of the best of several. */
  readonly config: Config;
  /** All methods that were compared. */
  readonly methods: readonly MethodName[];
  readonly classes: number;
  readonly splits: number;
}

/** Methods that make rare classes count, each in another way. */
const REMEDIES = ['inverse-frequency', 'logit-adjustment', 'enhancement'] as const satisfies readonly MethodName[];

/** Methods that take the data as it is. */
const PLAIN: readonly MethodName[] = ['one-hot'];

/** Fewer test instances than this say little about a class. */
const FEW_TESTED = 20;

/** What is trained for less may not have reached its rare classes. */
const ENOUGH_EPOCHS = 60;

/** ε for networks that err much: of classes that are mostly missed, a large one may lose the rest. */
const SMALL_RATE = 0.3;

/** What to try for classes that are lost, or found less often than by chance; nothing if there are none. */
export function adviceFor({ lost, belowChance }: NeglectedClasses, trained: Trained): Advice[] {
  const neglected = [...lost, ...belowChance];
  if (neglected.length === 0) return [];
  const { config, methods, classes, splits } = trained;
  const untried = REMEDIES.filter((name) => !methods.includes(name));
  const advice: Advice[] = [];
  if (untried.length > 0) {
    const isPlain = methods.every((name) => PLAIN.includes(name));
    advice.push({
      flags: ['--method', [config.method.name, ...untried].join(',')],
      reason: isPlain ? 'methods that make rare classes count' : 'other ways to make rare classes count',
    });
  }
  if (config.method.name === 'enhancement') {
    advice.push({
      flags: ['--enhancement-rate', String(SMALL_RATE)],
      reason: 'the more a network errs, the smaller an ε it takes',
    });
  }
  if (classes === 2 && config.decision.threshold === undefined) {
    advice.push({
      flags: ['--set', 'decision.threshold=balanced-accuracy'],
      reason: 'a threshold that is fitted on the validation set, instead of 0.5',
    });
  }
  if (config.epochs < ENOUGH_EPOCHS) {
    advice.push({ flags: ['--epochs', String(ENOUGH_EPOCHS)], reason: 'rare classes are often learned last' });
  }
  const fewest = Math.min(...neglected.map(({ test }) => test));
  if (fewest < FEW_TESTED && splits === 1) {
    advice.push({
      flags: ['--splits', '5'],
      reason: `with ${fewest} test instance${fewest === 1 ? '' : 's'} of a class, chance decides: other splits test other instances`,
    });
  }
  return advice;
}
