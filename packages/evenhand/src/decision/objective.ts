import { z } from 'zod';
import { at } from '../checked-access.js';
import { UserError } from '../user-error.js';
import { nearestName } from '../wording/nearest-name.js';

/** `costs[truth][answer]` by names of classes. */
type NamedCosts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** What the answers are to be as good as possible at, as a configuration says it. */
export const objectiveSchema = z.union(
  [
    z.enum(['balanced-accuracy', 'macro-f1', 'accuracy']),
    z.strictObject({
      costs: z
        .union([z.array(z.array(z.number())), z.record(z.string(), z.record(z.string(), z.number()))])
        .describe("of answering the column's class where the row's is true"),
    }),
    z.strictObject({
      recallAtPrecision: z.number().gt(0).lt(1).describe('the precision that is wanted'),
      class: z.string().min(1).describe('the class that is looked for'),
    }),
  ],
  { error: ({ input }) => expectedInstead(input) },
);

/** What the answers are to be as good as possible at, as a configuration says it. */
export type ObjectiveInput = z.output<typeof objectiveSchema>;

/**
 * The same for classes by their indices. `costs[p][q]` is the cost of answering class q where class p is true;
 * `recallAtPrecision` asks for as many as possible of one class, at this precision of its answers.
 */
export type Objective =
  | 'balanced-accuracy'
  | 'macro-f1'
  | 'accuracy'
  | { readonly costs: readonly (readonly number[])[] }
  | { readonly recallAtPrecision: number; readonly class: number };

/** Where an objective stands in a configuration. */
const OPTION = 'decision.objective';

const FORMS =
  'expected balanced-accuracy, macro-f1, accuracy, {"costs": [[0, 1], [5, 0]]}, {"costs": {"fraud": {"normal": 5}}} or ' +
  '{"recallAtPrecision": 0.9, "class": "fraud"}';

/** The `expected …` half of the message for what is no objective: about the part at fault, where it is nearly one. */
function expectedInstead(input: unknown): string {
  if (typeof input !== 'object' || input === null) return FORMS;
  if ('recallAtPrecision' in input) {
    if (!('class' in input && typeof input.class === 'string'))
      return 'expected the name of a class, as text, as "class"';
  }
  const costs: unknown = 'costs' in input ? input.costs : undefined;
  if (typeof costs !== 'object' || costs === null) return FORMS;
  for (const [p, row] of Object.entries(costs)) {
    if (typeof row !== 'object' || row === null) return `expected a list or an object of costs as costs[${p}]`;
    for (const [q, value] of Object.entries(row)) {
      if (!Number.isFinite(value)) return `expected a finite number as costs[${p}][${q}], not ${String(value)}`;
    }
  }
  return FORMS;
}

/**
 * An objective for the classes that there are.
 *
 * @param classNames - in the order of the rows and columns of a cost matrix
 * @throws {@link UserError} that names the option and the class, the cell or the size at fault
 */
export function resolveObjective(objective: ObjectiveInput, classNames: readonly string[]): Objective {
  if (typeof objective === 'string') return objective;
  if ('recallAtPrecision' in objective) {
    return { ...objective, class: classIndex(objective.class, classNames, 'class') };
  }
  const { costs: given } = objective;
  const costs = isMatrix(given) ? checkSize(given, classNames) : matrixOf(given, classNames);
  checkHits(costs, classNames);
  return { costs };
}

function isMatrix(costs: readonly (readonly number[])[] | NamedCosts): costs is readonly (readonly number[])[] {
  return Array.isArray(costs);
}

/** A cost matrix by names: what is left out is 0. */
function matrixOf(costs: NamedCosts, classNames: readonly string[]): number[][] {
  const matrix = classNames.map(() => classNames.map(() => 0));
  for (const [truth, row] of Object.entries(costs)) {
    const p = classIndex(truth, classNames, 'costs');
    for (const [answer, value] of Object.entries(row)) {
      at(matrix, p)[classIndex(answer, classNames, `costs.${truth}`)] = value;
    }
  }
  return matrix;
}

function checkSize(
  costs: readonly (readonly number[])[],
  classNames: readonly string[],
): readonly (readonly number[])[] {
  const size = classNames.length;
  const order = `${size} classes, in this order: ${classNames.join(', ')}`;
  if (costs.length !== size) {
    throw refused(
      `costs has ${costs.length} ${costs.length === 1 ? 'row' : 'rows'}; expected one for each of ${order}`,
    );
  }
  for (const [p, row] of costs.entries()) {
    if (row.length === size) continue;
    throw refused(
      `costs[${p}] has ${row.length} ${row.length === 1 ? 'number' : 'numbers'}; expected one for each of ${order}`,
    );
  }
  return costs;
}

/** A right answer must not cost more than a wrong one. */
function checkHits(costs: readonly (readonly number[])[], classNames: readonly string[]): void {
  for (const [p, row] of costs.entries()) {
    const hit = at(row, p);
    const q = row.findIndex((value) => value < hit);
    if (q === -1) continue;
    throw refused(
      `costs[${p}][${p}] is ${hit}, and costs[${p}][${q}] is ${row[q]}: where "${classNames[p]}" is true, answering it would cost ` +
        `more than answering "${classNames[q]}"; expected the right answer to be the cheapest of its row`,
    );
  }
}

function classIndex(name: string, classNames: readonly string[], part: string): number {
  const index = classNames.indexOf(name);
  if (index >= 0) return index;
  const nearest = nearestName(name, classNames);
  const advice = nearest === undefined ? `expected one of ${shortList(classNames)}` : `did you mean "${nearest}"?`;
  throw refused(`${part} names the class "${name}", which is not there; ${advice}`);
}

const LISTED = 10;

function shortList(names: readonly string[]): string {
  return names.length <= LISTED
    ? names.join(', ')
    : `${names.slice(0, LISTED).join(', ')} and ${names.length - LISTED} more`;
}

function refused(message: string): UserError {
  return new UserError(`${OPTION}: ${message}`, { options: [OPTION] });
}
