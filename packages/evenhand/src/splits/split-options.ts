import { z } from 'zod';
import { UserError } from '../user-error.js';
import { describeIssue, faultsOf } from '../wording/schema-faults.js';
import { type ImbalanceProfile, imbalanceProfileSchema } from './imbalance/imbalance-profile.js';

/** The share of the test set, where the source has none of its own. */
export const DEFAULT_TEST_SHARE = 0.2;
/** Validation instances per class. */
export const DEFAULT_VALIDATION_PER_CLASS = 5;

/** How a data set is split. */
export interface SplitOptions {
  /**
   * Decides which instances are in which part, and nothing else. It is not the seed of a training run: all methods, losses
   * and training seeds of one comparison share a split.
   */
  readonly seed: number;
  /**
   * The share of the instances that the test set gets, of every class alike. Without this and `testPerClass`, the source's
   * own test set is the test set. @defaultValue 0.2 where the source has none
   */
  readonly testShare?: number;
  /** The number of test instances of every class, instead of a share. */
  readonly testPerClass?: number;
  /**
   * Instances of every class that the method watches during training; fewer where that is more than half. None where `folds` are
   * drawn. @defaultValue 5
   */
  readonly validationPerClass?: number;
  /** Whether instances are held out for a validation set at all. @defaultValue true, where there are no folds */
  readonly heldOut?: boolean;
  /** Deals the training instances into so many folds instead of setting some of them aside. */
  readonly folds?: number;
  /** Draws other validation instances from what is left beside the test set; that and the imbalance stay. @defaultValue 0 */
  readonly validationDraw?: number;
  /** A column, feature or left out: rows with the same value, such as a patient, are never in two parts. */
  readonly group?: string;
  /** Whether instances with the same features are kept in one part. @defaultValue true */
  readonly duplicatesTogether?: boolean;
  /** Thins out what is left beside the test set, for experiments. */
  readonly imbalance?: ImbalanceProfile;
}

const count = z.int().gte(1);

const schema = z
  .strictObject({
    seed: z.int(),
    testShare: z.number().gte(0).lt(1).exactOptional(),
    testPerClass: count.exactOptional(),
    validationPerClass: count.exactOptional(),
    heldOut: z.boolean().exactOptional(),
    folds: z.int().gte(2).exactOptional(),
    validationDraw: z.int().gte(0).exactOptional(),
    group: z.string().exactOptional(),
    duplicatesTogether: z.boolean().exactOptional(),
    imbalance: imbalanceProfileSchema.exactOptional(),
  })
  .refine((options) => options.testShare !== 0 || options.folds !== undefined, {
    error: 'expected a test set, as there are no folds to tell how good the model is',
    path: ['testShare'],
  })
  .refine((options) => options.testShare === undefined || options.testPerClass === undefined, {
    error: 'expected only one of testShare and testPerClass',
    path: ['testPerClass'],
  });

/** Throws an UserError that names every option at fault. */
export function checkSplitOptions(options: SplitOptions): void {
  const { error } = schema.safeParse(options, { error: describeIssue });
  if (error === undefined) return;
  const named = error.issues.map(({ path }) => path.join('.')).filter((path) => path !== '');
  throw new UserError(`split options: ${faultsOf(error, options).join('. ')}`, { options: named.map(pathInConfig) });
}

/** What a configuration calls an option of a split. */
function pathInConfig(option: string): string {
  if (option === 'folds') return option;
  return option === 'seed' ? 'data.splitSeed' : `data.${option}`;
}
