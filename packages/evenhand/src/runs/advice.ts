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
  /** The class with the most training instances. */
  readonly commonest: string;
  readonly splits: number;
}

/** Methods that make rare classes count, each in another way. */
const REMEDIES = ['inverse-frequency', 'logit-adjustment', 'enhancement'] as const satisfies readonly MethodName[];

/** Methods that take the data as it is. */
const PLAIN: MethodName = 'one-hot';

/** Fewer test instances than this say little about a class. */
const FEW_TESTED = 20;

/** What is trained for fewer epochs may not have reached its rare classes. */
const FEW_EPOCHS = 40;
const ENOUGH_EPOCHS = 60;

/** ε for networks that err much: of classes that are mostly missed, a large one may lose the rest. */
const SMALL_RATE = 0.3;

/** What to try for classes that are lost, or found less often than by chance; nothing if there are none. */
export function adviceFor({ lost, belowChance }: NeglectedClasses, trained: Trained): Advice[] {
  const neglected = [...lost, ...belowChance];
  if (neglected.length === 0) return [];
  const { config, commonest, splits } = trained;
  const advice = neglected.every(({ name }) => name === commonest) ? lessBalance(trained) : moreBalance(trained);
  if (config.method.name === 'enhancement') {
    advice.push({
      flags: ['--enhancement-rate', String(SMALL_RATE)],
      reason: 'the more a network errs, the smaller an ε it takes',
    });
  }
  if (config.decision.objective === undefined) {
    advice.push({
      flags: ['--objective', 'balanced-accuracy'],
      reason: 'answers that are best for all classes alike, instead of the likeliest class',
    });
  }
  if (config.epochs < FEW_EPOCHS) {
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

function moreBalance({ config, methods }: Trained): Advice[] {
  const untried = REMEDIES.filter((name) => !methods.includes(name));
  if (untried.length === 0) return [];
  const others = methods.every((name) => name === PLAIN) ? 'methods that' : 'other ways to';
  return [
    {
      flags: ['--method', [config.method.name, ...untried].join(',')],
      reason: `${others} make rare classes count`,
    },
  ];
}

/** Where only the commonest class is neglected, the others may count too much. */
function lessBalance({ config, methods }: Trained): Advice[] {
  if (methods.includes(PLAIN)) return [];
  const flags = ['--method', `${PLAIN},${config.method.name}`];
  return [{ flags, reason: 'the commonest class pays for the others; without a method for imbalance, does it?' }];
}
