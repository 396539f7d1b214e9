import { fileURLToPath } from 'node:url';
import { type SweepDefinition, UserError } from 'evenhand';
import { type Config, configHash, configWith } from 'evenhand/config';
import { inPercent } from 'evenhand/report';
import { withLockedLines } from '../results/locked-lines.js';
import { readTuningLines, type TuningLine, tuningLine } from '../results/tuning-line.js';
import { type LineJob, type RunLineJobsOptions, runLineJobs } from '../runner/run-line-jobs.js';
import type { Cell } from '../tables/cells.js';
import type { HeldOutOrder } from './held-out-run.js';
import { methodIn, recipeIn, recipeText } from './trials.js';

const PROCESS = fileURLToPath(new URL('./held-out-process.js', import.meta.url));

/** What is tried for a row, and how it is measured. */
export interface HeldOutTuning {
  readonly cell: Pick<Cell, 'setting' | 'loss'>;
  readonly definition: SweepDefinition;
  /** Of each class that is held out. */
  readonly share: number;
}

/**
 * Trains every combination of the values that are searched, draw after draw, and appends a line for each to a file: what has one is not trained
 * again.
 *
 * @returns the lines of all that was asked for
 * @throws {@link UserError} if a range is searched, or in the end if some could not be trained
 */
export async function runHeldOut(
  file: string,
  tuning: HeldOutTuning,
  options: RunLineJobsOptions,
): Promise<readonly TuningLine[]> {
  const configs = combinationsOf(tuning.definition);
  const draws = Array.from({ length: tuning.definition.draws }, (_, draw) => draw);
  return withLockedLines(file, async () => {
    const known = await readTuningLines(file);
    const asked = draws.flatMap((draw) => configs.map((config) => ({ config, draw, share: tuning.share })));
    const missing = asked.filter((order) => lineOf(order, known) === undefined);
    options.onProgress(`${file}: ${missing.length} of ${asked.length} runs are missing`);
    const jobs = missing.map((order) => jobOf(tuning.cell, order));
    await runLineJobs(file, jobs, { program: PROCESS, what: 'runs' }, options);
    const lines = await readTuningLines(file);
    return asked.flatMap((order) => lineOf(order, lines) ?? []);
  });
}

function lineOf(order: HeldOutOrder, lines: readonly TuningLine[]): TuningLine | undefined {
  const hash = hashOf(order);
  return lines.find((line) => line.configHash === hash && line.draw === order.draw);
}

/** All that decides what is trained and measured, but the draw. */
function hashOf({ config, share }: HeldOutOrder): string {
  return `${configHash(config)} ${share}`;
}

function jobOf({ setting, loss }: HeldOutTuning['cell'], order: HeldOutOrder): LineJob {
  const { config, draw } = order;
  const [method, recipe] = [methodIn(config), recipeIn(config)];
  const rates = [method.enhancementRate, method.updatingRate].filter((rate) => rate !== undefined).join(', ');
  return {
    title: `${setting}/${loss}, ${method.name}${rates === '' ? '' : ` (${rates})`}, ${recipeText(recipe)}, draw ${draw}`,
    order,
    finish: (outcome) => {
      const line = tuningLine({
        ...{ setting, loss, method, recipe, images: 'held-out', draw, configHash: hashOf(order) },
        ...('diverged' in outcome ? { accuracy: 0 } : {}),
        ...outcome,
      });
      return { line, outcome: `accuracy ${inPercent(line.accuracy)}` };
    },
  };
}

/** Every combination of the values in lists. */
function combinationsOf({ config, search }: SweepDefinition): Config[] {
  const lists = Object.entries(search).map(([path, values]): [string, readonly unknown[]] => {
    if (Array.isArray(values)) return [path, values];
    throw new UserError(`--search ${path} is a range; with --held-out, expected values with commas between them`);
  });
  const combinations = lists.reduce<Readonly<Record<string, unknown>>[]>(
    (all, [path, values]) => all.flatMap((some) => values.map((value) => ({ ...some, [path]: value }))),
    [{}],
  );
  return combinations.map((values) => configWith(config, values));
}
