import type { TrialOutcome } from '../../../sweep/outcome.js';
import type { SweepResult } from '../../../sweep/sweep.js';
import { valueText } from '../../../sweep/values.js';
import { UserError } from '../../../user-error.js';
import { commandLine } from '../../../wording/command-line.js';
import { inPercent } from '../../../wording/numbers.js';
import { formatTable } from '../../terminal/table.js';
import type { Terminal } from '../../terminal/terminal.js';
import { printable } from '../../terminal/text.js';

/** Trials that are shown. */
const SHOWN = 10;
/** Seeds to train the best values with. */
const SEEDS = '5';

/**
 * Shows the best trials of a sweep, where its files are, and what to do next.
 *
 * @throws {@link UserError} if there is no best one
 */
export function showSweep(
  terminal: Terminal,
  { folder, definition, trials, bestConfig }: SweepResult,
  page: string,
): void {
  if (bestConfig === undefined) {
    throw new UserError(
      `all ${trials.length} trials of ${folder} diverged; search lower learning rates or enhancement rates, in a new sweep`,
    );
  }
  const paths = Object.keys(definition.search);
  terminal.say(
    formatTable(
      [
        { title: 'trial' },
        { title: 'validation %' },
        { title: 'epochs' },
        ...shortNames(paths).map((title) => ({ title })),
      ],
      trials
        .slice(0, SHOWN)
        .map((trial) => [
          String(trial.trial),
          scoreText(trial),
          String(trial.epoch),
          ...paths.map((path) => valueText(trial.values[path])),
        ]),
      (title) => terminal.style('bold', title),
    ),
  );
  terminal.say();
  terminal.say(`${countText(trials)} Soft accuracy on validation sets, ${drawsText(definition.draws)}.`);
  terminal.say(
    'The best of many is too optimistic. No trial saw the test set: it will tell how good these values are.',
  );
  terminal.say();
  terminal.say(`  best values  ${printable(bestConfig)}`);
  terminal.say(`  page         ${printable(page)}`);
  terminal.say();
  terminal.say(`Next: ${printable(commandLine('train', '--config', bestConfig, '--seeds', SEEDS))}`);
}

/** A sweep for programs. */
export function sweepAsJson({ folder, definition, trials, bestConfig }: SweepResult, page: string): object {
  return { sweep: folder, definition, trials, bestConfig: bestConfig ?? null, page };
}

/** Last parts of paths; the whole ones where these are not different. */
function shortNames(paths: readonly string[]): readonly string[] {
  const short = paths.map((path) => path.replace(/^.*\./, ''));
  return new Set(short).size === short.length && !short.includes('epochs') ? short : paths;
}

function scoreText({ score, standardError, isComplete }: TrialOutcome): string {
  if (score === null) return 'diverged';
  const spread = standardError === null ? '' : ` ± ${inPercent(standardError)}`;
  return `${inPercent(score)}${spread}${isComplete ? '' : ' (stopped)'}`;
}

function countText(trials: readonly TrialOutcome[]): string {
  const complete = trials.filter(({ isComplete, score }) => isComplete && score !== null).length;
  const diverged = trials.filter(({ score }) => score === null).length;
  const stopped = trials.length - complete - diverged;
  const parts = [
    `${complete} of ${trials.length} trials were trained to the end`,
    ...(stopped === 0 ? [] : [`${stopped} stopped early`]),
    ...(diverged === 0 ? [] : [`${diverged} diverged`]),
  ];
  return `${parts.join(', ')}.`;
}

function drawsText(draws: number): string {
  return draws === 1 ? 'of one draw' : `mean ± standard error over ${draws} draws`;
}
