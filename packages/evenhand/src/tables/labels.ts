import { atKey, int32At } from '../checked-access.js';
import { className } from '../dataset/class-name.js';
import { inClassOrder } from '../dataset/class-order.js';
import { UserError } from '../user-error.js';
import { numberOfText } from './cell-text.js';
import { asTexts, type RawColumn, type RawTable } from './raw-table.js';

/** The classes of a table's rows. */
interface TableLabels {
  readonly classNames: readonly string[];
  readonly labels: Int32Array;
  /** The rows that have a label; null if all have one. */
  readonly labelled: Int32Array | null;
}

/** Rows that a message lists. */
const SHOWN = 20;

/** Reads the classes of the target column. Refuses rows without one, unless they are to be dropped, and regression. */
export function labelsOf(
  file: string,
  target: RawColumn,
  numbering: RawTable['numbering'],
  missingLabels: 'refuse' | 'drop',
): TableLabels {
  const { texts, codes } = asTexts(target);
  const labelled = labelledRows(codes);
  if (labelled !== null && missingLabels === 'refuse') throw missingLabelsError(file, target.name, codes, numbering);
  if (labelled?.length === 0) throw new UserError(`${file}: no row has a class in the column "${target.name}".`);
  const names = texts.map(className);
  const classNames = inClassOrder([...new Set(names)]);
  refuseRegression(file, target.name, classNames, labelled?.length ?? codes.length);
  const classIndices = new Map(classNames.map((name, index) => [name, index]));
  const labelOf = Int32Array.from(names, (name) => atKey(classIndices, name));
  const labelledCodes = labelled === null ? codes : labelled.map((row) => int32At(codes, row));
  const labels = labelledCodes.map((code) => int32At(labelOf, code));
  return { classNames, labels, labelled };
}

function labelledRows(codes: Int32Array): Int32Array | null {
  if (!codes.includes(-1)) return null;
  return Int32Array.from(codes.keys()).filter((row) => int32At(codes, row) >= 0);
}

function missingLabelsError(
  file: string,
  target: string,
  codes: Int32Array,
  { unit, of }: RawTable['numbering'],
): UserError {
  const rows = Int32Array.from(codes.keys()).filter((row) => int32At(codes, row) < 0);
  const list = rows.slice(0, SHOWN).map(of).join(', ');
  const more = rows.length > SHOWN ? ` and ${rows.length - SHOWN} more` : '';
  const [count, units] = rows.length === 1 ? ['1 row has', unit] : [`${rows.length} rows have`, `${unit}s`];
  return new UserError(
    `${file}: ${count} no class in the column "${target}": ${units} ${list}${more}. Empty cells, NA, NaN, null, ? and the like count as missing. ` +
      'Fill them in, or set missingLabels to "drop" to leave such rows out.',
    { options: ['data.missingLabels'] },
  );
}

/** More than a third of the rows with a number of their own, and more than 50 numbers: these are amounts, not classes. */
function refuseRegression(file: string, target: string, classNames: readonly string[], rows: number): void {
  if (classNames.length <= 50 || classNames.length <= rows / 3) return;
  if (classNames.some((name) => numberOfText(name) === null)) return;
  throw new UserError(
    `${file}: the column "${target}" has ${classNames.length} different numbers in ${rows} rows, which looks like a regression target. ` +
      'Classes are expected: choose another column, or put the numbers into a few groups first.',
  );
}
