import type { NodeWriter } from '@evenhand/engine';
import { at } from '../checked-access.js';
import type { ColumnType } from '../dataset/column.js';
import { CYCLES, DAY } from '../preprocessing/date-parts.js';
import type { DatePart, TablePreprocessing } from '../preprocessing/preprocessing.js';
import {
  type CategoryRule,
  type Feature,
  LIMIT,
  type NumberRule,
  tableFeatures,
} from '../preprocessing/table-features.js';

/**
 * What a column is fed as, `[batch, 1]`, under its own name: numbers, and 0 or 1 for false and true, as float32; dates as
 * milliseconds since 1970 in float64, which alone holds them exactly; categories as text. A missing number is NaN; a missing
 * category is any text that is no known category.
 */
export function inputTypeOf({ kind }: ColumnType): 'float32' | 'float64' | 'string' {
  if (kind === 'categorical') return 'string';
  return kind === 'date' ? 'float64' : 'float32';
}

/**
 * Writes a table's preprocessing: from the columns to the network's input, float32 `[batch, features]`. The arithmetic is
 * that of `applyTablePreprocessing`, in float64 until the end.
 *
 * @returns the name of the input
 */
export function writeTablePreprocessing(writer: NodeWriter, preprocessing: TablePreprocessing): string {
  const { numbers, flags, categories } = tableFeatures(preprocessing);
  const nameOf = (column: number) => at(preprocessing.columns, column).type.name;
  const parts = [
    ...(numbers.length === 0 ? [] : writeNumbers(writer, numbers, flags, nameOf)),
    ...categories.map(({ column, rule }) => writeCodes(writer, nameOf(column), rule)),
  ];
  return writer.node('preprocessing/input', 'Concat', parts, { axis: 1 });
}

/** All numbers at once, `[batch, numbers]`, and the flags of those that may be missing. */
function writeNumbers(
  writer: NodeWriter,
  numbers: readonly Feature<NumberRule>[],
  flags: readonly number[],
  nameOf: (column: number) => string,
): string[] {
  const vector = (name: string, of: (rule: NumberRule) => number) =>
    writer.constant(
      `preprocessing/${name}`,
      Float64Array.from(numbers, ({ rule }) => of(rule)),
    );
  const columns = numbers.map(({ column, rule }) => writeRawNumber(writer, nameOf(column), rule.part));
  const raw = writer.node('preprocessing/raw', 'Concat', columns, { axis: 1 });
  // x − x is NaN where x is NaN or infinite, and 0 elsewhere.
  const missing = writer.node('preprocessing/missing', 'IsNaN', [
    writer.node('preprocessing/difference', 'Sub', [raw, raw]),
  ]);
  const filled = writer.node('preprocessing/filled', 'Where', [missing, vector('fill', ({ fill }) => fill), raw]);
  const centred = writer.node('preprocessing/centred', 'Sub', [filled, vector('mean', ({ mean }) => mean)]);
  const scaled = writer.node('preprocessing/scaled', 'Div', [centred, vector('std', ({ std }) => std)]);
  const limits = [writer.scalar('preprocessing/least', -LIMIT), writer.scalar('preprocessing/most', LIMIT)];
  const clipped = writer.node('preprocessing/clipped', 'Clip', [scaled, ...limits]);
  const standardised = writer.cast('preprocessing/numbers', clipped, 'float32');
  if (flags.length === 0) return [standardised];
  const asFloat = writer.cast('preprocessing/missingAsFloat', missing, 'float32');
  const places = writer.constant('preprocessing/flagged', BigInt64Array.from(flags, BigInt));
  return [standardised, writer.node('preprocessing/flags', 'Gather', [asFloat, places], { axis: 1 })];
}

/** What a rule standardises, float64 `[batch, 1]`. */
function writeRawNumber(writer: NodeWriter, name: string, part: DatePart | undefined): string {
  const scope = `preprocessing/${name}`;
  if (part === undefined) return writer.cast(`${scope}/wide`, name, 'float64');
  const days = writer.node(`${scope}/days`, 'Div', [name, writer.scalar(`${scope}/day`, DAY)]);
  if (part === 'day') return days;
  const { days: cycle, wave } = CYCLES[part];
  const length = writer.scalar(`${scope}/cycle`, cycle);
  const into = writer.node(`${scope}/into`, 'Mod', [days, length], { fmod: 1 });
  const turns = writer.node(`${scope}/turns`, 'Div', [into, length]);
  const angle = writer.node(`${scope}/angle`, 'Mul', [turns, writer.scalar(`${scope}/turn`, 2 * Math.PI)]);
  return writer.node(`${scope}/${part}`, wave, [angle]);
}

/** Codes of categories, float32 `[batch, 1]`. */
function writeCodes(writer: NodeWriter, name: string, { categories }: CategoryRule): string {
  // ONNX Runtime refuses an empty list; where no category is known, a text of code 0 changes nothing.
  const texts = categories.length === 0 ? [''] : [...categories];
  const floats = categories.length === 0 ? [0] : categories.map((_, i) => i + 1);
  return writer.node(
    `preprocessing/${name}/code`,
    'LabelEncoder',
    [name],
    { keys_strings: { texts }, values_floats: { floats }, default_float: { float: 0 } },
    'ai.onnx.ml',
  );
}
