import { UserError } from 'evenhand';
import {
  addExamples,
  addOutputOptions,
  countOf,
  type DefineCommand,
  interruptible,
  oneOf,
  printable,
  terminalOf,
  textOf,
  valuesOf,
} from 'evenhand/command-line';
import { readMnist } from 'evenhand/data';
import { BUDGET_ROWS, METHOD_ROWS } from '../equal-budget/rows.js';
import { readRunLines } from '../equal-budget/run-lines.js';
import { runMissing } from '../equal-budget/run-missing.js';
import { ALL_RUNS, budgetRuns, DRAWS, EPOCHS, SEEDS } from '../equal-budget/runs.js';
import { budgetSection, writeBudgetSection } from '../equal-budget/section.js';
import { npmScript } from '../npm-script.js';

/** Where the comparison of docs has what is known of it. */
const OWN_FILES = { results: 'results/budget/mnist.jsonl', page: 'docs/method.md' };

/** Those of docs/method.md, and all other methods. */
const ROWS = [...BUDGET_ROWS, ...METHOD_ROWS];

/** `evenhand-paper budget`. */
export const defineBudget: DefineCommand = (command) => {
  addExamples(command, ['budget -- --processes 2', 'budget -- --only one-hot,logit-adjustment --seeds 1'], 'npm run')
    .option('--only <rows>', `which rows, by comma (default: all): ${ROWS.map(({ name }) => name).join(', ')}`)
    .option('--seeds <number>', 'seeds that every draw is trained with', String(SEEDS))
    .option('--draws <number>', 'draws of the images', String(DRAWS))
    .option('--epochs <number>', `number of epochs (default ${EPOCHS}); another number needs --results`)
    .option('--results <file>', `where results are and go (default: ${OWN_FILES.results})`)
    .option('--page <file>', `the page that the tables go into (default with these results: ${OWN_FILES.page})`)
    .option('--no-page', 'write into no page')
    .option('--no-training', 'show, and write into the page, the results that are there')
    .option('--processes <number>', 'runs that are trained at once, one thread each', '1');
  return addOutputOptions(command).action(async () => {
    const terminal = terminalOf(command);
    const epochs = countOf(command, '--epochs') ?? EPOCHS;
    const { results, page } = filesOf(command, epochs);
    const names = ROWS.map(({ name }) => name);
    const only =
      textOf(command, 'only')
        ?.split(',')
        .map((name) => oneOf('--only', name, names)) ?? names;
    const runs = budgetRuns({
      rows: ROWS.filter(({ name }) => only.includes(name)),
      draws: countOf(command, '--draws') ?? ALL_RUNS.draws,
      seeds: countOf(command, '--seeds') ?? ALL_RUNS.seeds,
      epochs,
    });
    if (valuesOf(command).training !== false) {
      await readMnist(); // says how to get it before anything is begun
      const how = {
        processes: countOf(command, '--processes') ?? 1,
        onProgress: (text: string) => terminal.note(text),
      };
      await interruptible(
        terminal,
        (signal) => runMissing(results, runs, { ...how, signal }),
        () => `interrupted; continue with:\n  ${printable(npmScript('budget', ...process.argv.slice(3)))}`,
      );
    }
    const lines = await readRunLines(results);
    if (page !== null) await writeBudgetSection(page, lines);
    terminal.say(budgetSection(lines, { ...ALL_RUNS, epochs }));
    terminal.say(`  results  ${printable(results)}`);
    if (page !== null) terminal.say(`  page     ${printable(page)}`);
    terminal.json({ results, page });
  });
};

/** The files that are read and written; null for a page that is not. Results of other numbers of epochs do not mix with those of the page. */
function filesOf(command: Parameters<DefineCommand>[0], epochs: number) {
  const results = textOf(command, 'results') ?? (epochs === EPOCHS ? OWN_FILES.results : null);
  if (results === null) {
    throw new UserError('--results is missing; with --epochs, expected a file for the results of these runs');
  }
  const withoutPage = results !== OWN_FILES.results || valuesOf(command).page === false;
  return { results, page: textOf(command, 'page') ?? (withoutPage ? null : OWN_FILES.page) };
}
