import { type CarriedOut, carryOut } from './carry-out.js';
import type { RunPlan } from './run-plan.js';
import { commandLine } from './shell.js';
import { comparisonAsJson, showComparison } from './show-comparison.js';
import { runAsJson, showRun } from './summary.js';
import type { Terminal } from './terminal.js';
import { printable } from './text.js';
import { writePage } from './write-page.js';

/** What to do beside training. */
export interface TrainAndShowOptions {
  /** How runs go on that were begun before; new runs only, if left out. */
  readonly resumed?: Parameters<typeof carryOut>[2];
  /** Whether to write `report.html`. */
  readonly report: boolean;
}

/** Trains the runs of a plan and shows what they came to: one run by itself, several beside each other. */
export async function trainAndShow(
  terminal: Terminal,
  plan: RunPlan,
  { resumed, report }: TrainAndShowOptions,
): Promise<void> {
  const { runs, dataset } = await carryOut(terminal, plan, resumed);
  const page = report ? await writePage(terminal, plan, dataset === undefined ? {} : { dataset }) : null;
  const [first, ...others] = runs;
  if (first !== undefined && others.length === 0) {
    showRun(terminal, first, page);
    terminal.json({ ...runAsJson(first), report: page });
    return;
  }
  showSeveral(terminal, plan.folder, runs, page);
}

function showSeveral(terminal: Terminal, folder: string, runs: CarriedOut['runs'], page: string | null): void {
  showComparison(terminal, runs);
  terminal.say();
  terminal.say(`  runs    ${printable(folder)}`);
  if (page !== null) terminal.say(`  report  ${printable(page)}`);
  terminal.say();
  const last = runs.at(-1)?.folder ?? folder;
  terminal.say(`Next: ${printable(commandLine('report', last))}`);
  terminal.json({ run: folder, runs: runs.map(runAsJson), ...comparisonAsJson(runs), report: page });
}
