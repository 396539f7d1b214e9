import { classCounts, normaliseRows, softConfusionMatrix } from '@evenhand/encoding';
import { type CodeVersion, openRun, type TestPredictions, UserError } from 'evenhand';
import { configHash, configSchema, describeIssue, faultsOf } from 'evenhand/config';
import { readJsonLines } from 'evenhand/files';
import { z } from 'zod';
import { type CellMethod, isCellMethod } from '../tables/cell-methods.js';
import type { Cell } from '../tables/cells.js';
import { SCALES } from '../tables/recipes.js';
import { LOSS_NAMES, SETTING_NAMES, TABLE_NAMES, TABLES } from '../tables/tables.js';
import { codeShape } from './code-version.js';

const share = z.number().min(0).max(1);
const count = z.int().min(0);

const validationSchema = z.object({ softAccuracy: share, accuracy: share });

/** Which cell a line is about, and how it was trained. */
const cellShape = {
  table: z.enum(TABLE_NAMES),
  scale: z.enum(SCALES),
  setting: z.enum(SETTING_NAMES),
  loss: z.enum(LOSS_NAMES),
  method: z.custom<CellMethod>((name) => typeof name === 'string' && isCellMethod(name), {
    error: 'expected the name of a method',
  }),
  seed: count,
  /** Which images were drawn; 0 is the table's own subset. */
  subset: count,
  configHash: z.string(),
  config: configSchema,
};

const cellResultSchema = z.strictObject({
  ...cellShape,
  /** Shares of the test set. */
  top1: share,
  top5: share,
  /** Null where the paper reports none. */
  minority: share.nullable(),
  /** By class; null for a class without test instances. */
  recall: z.array(share.nullable()),
  trainingCounts: z.array(count),
  /** Of the test set, its rows normalised, to five decimals; null for more than ten classes. */
  softConfusion: z.array(z.array(share)).nullable(),
  /** After the last epoch; null where the validation images train too in the end. */
  validation: validationSchema.nullable(),
  epochs: count,
  environment: z.strictObject({
    evenhand: z.string(),
    node: z.string(),
    onnxruntime: z.string(),
    cpu: z.string(),
    threads: count,
  }),
  ...codeShape,
});

/** What came of a cell: a line of results. */
export type CellResult = z.output<typeof cellResultSchema>;

const divergedCellSchema = z.strictObject({
  ...cellShape,
  /** How its training ended. */
  diverged: z.string(),
  ...codeShape,
});

/** A cell whose training diverged, as it would again: a line of results as well, lest the others be taken for all. */
export type DivergedCell = z.output<typeof divergedCellSchema>;

/** The lines of a results file. */
export interface CellLines {
  readonly results: readonly CellResult[];
  readonly diverged: readonly DivergedCell[];
}

/** Larger matrices would outgrow everything else in the results. */
const MOST_CONFUSED_CLASSES = 10;

/**
 * Reads what came of a cell from its run folder.
 *
 * @param code - which code trained it
 * @throws {@link UserError} if the run is not complete
 */
export async function readCellResult(folder: string, cell: Cell, code: CodeVersion): Promise<CellResult> {
  const run = await openRun(folder);
  const { report, estimates, counts } = await run.evaluation();
  const { value: top1 } = estimates.accuracy;
  if (top1 === null) throw new Error(`internal: ${folder} has no accuracy`);
  const metrics = await run.metrics();
  const last = metrics.at(-1);
  if (last === undefined) throw new Error(`internal: ${folder} is complete without an epoch`);
  const { config, configHash: hash, ...key } = cell;
  const hasMinority = TABLES[cell.table].metrics.includes('minority');
  const { evenhand, node, onnxRuntime, processor, threads } = run.environment;
  return {
    ...key,
    top1,
    top5: report.topK.accuracy,
    minority: hasMinority ? estimates.minorityAccuracy.value : null,
    recall: report.perClass.map(({ recall }) => recall.value),
    trainingCounts: [...counts.training],
    softConfusion: report.perClass.length > MOST_CONFUSED_CLASSES ? null : softConfusionOf(await run.predictions()),
    validation: last.validation === null ? null : validationSchema.parse(last.validation),
    epochs: metrics.length,
    configHash: hash,
    config,
    environment: { evenhand, node, onnxruntime: onnxRuntime, cpu: processor, threads },
    code: { ...code },
  };
}

function softConfusionOf({ labels, probabilities }: TestPredictions): number[][] {
  const classes = probabilities.length / labels.length;
  const sums = softConfusionMatrix(labels, probabilities, classes);
  const shares = normaliseRows(sums, classCounts(labels, classes));
  return Array.from({ length: classes }, (_, p) =>
    Array.from(shares.subarray(p * classes, (p + 1) * classes), toFiveDecimals),
  );
}

function toFiveDecimals(value: number): number {
  return Number(value.toFixed(5));
}

/**
 * The lines of a results file; none if there is no such file.
 *
 * @throws {@link UserError} that names the line which is none of ours
 */
export async function readCellLines(file: string): Promise<CellLines> {
  const results: CellResult[] = [];
  const diverged: DivergedCell[] = [];
  for (const [i, line] of (await readJsonLines(file)).entries()) {
    const refuse = (error: z.ZodError): never => {
      throw new UserError(
        `${file}: line ${i + 1} is not a result of this version of evenhand: ${faultsOf(error, line)[0]}. ` +
          'Remove the line, and its cell is read from its run folder again, or trained again',
      );
    };
    if (typeof line === 'object' && line !== null && 'diverged' in line) {
      const parsed = divergedCellSchema.safeParse(line, { error: describeIssue });
      diverged.push(rehashed(parsed.data ?? refuse(parsed.error)));
    } else {
      const parsed = cellResultSchema.safeParse(line, { error: describeIssue });
      results.push(rehashed(parsed.data ?? refuse(parsed.error)));
    }
  }
  return { results, diverged };
}

/** With the hash of the configuration as it is read: options that a line does not know have their defaults. */
function rehashed<Line extends CellResult | DivergedCell>(line: Line): Line {
  return { ...line, configHash: configHash(line.config) };
}
