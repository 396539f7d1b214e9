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
import { BUDGET_ROWS } from '../equal-budget/rows.js';
import { runMissing } from '../equal-budget/run-missing.js';
import { ALL_RUNS, budgetRuns, DRAWS, EPOCHS, SEEDS } from '../equal-budget/runs.js';
import { npmScript } from '../npm-script.js';

const RESULTS = 'results/budget/mnist.jsonl';

/** `evenhand-paper budget`. */
export const defineBudget: DefineCommand = (command) => {
  addExamples(command, ['budget -- --processes 2', 'budget -- --only one-hot,logit-adjustment --seeds 1'], 'npm run')
    .option('--only <rows>', `which rows, by comma (default: all): ${BUDGET_ROWS.map(({ name }) => name).join(', ')}`)
    .option('--seeds <number>', 'seeds that every draw is trained with', String(SEEDS))
    .option('--draws <number>', 'draws of the images', String(DRAWS))
    .option('--epochs <number>', `number of epochs (default ${EPOCHS}); another number needs --results`)
    .option('--results <file>', `where results are and go (default: ${RESULTS})`)
    .option('--no-training', 'show the results that are there')
    .option('--processes <number>', 'runs that are trained at once, one thread each', '1');
  return addOutputOptions(command).action(async () => {
    const terminal = terminalOf(command);
    const epochs = countOf(command, '--epochs') ?? EPOCHS;
    const results = textOf(command, 'results') ?? (epochs === EPOCHS ? RESULTS : null);
    if (results === null) {
      throw new UserError('--results is missing; with --epochs, expected a file for the results of these runs');
    }
    const names = BUDGET_ROWS.map(({ name }) => name);
    const only =
      textOf(command, 'only')
        ?.split(',')
        .map((name) => oneOf('--only', name, names)) ?? names;
    const runs = budgetRuns({
      rows: BUDGET_ROWS.filter(({ name }) => only.includes(name)),
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
        () => `interrupted; go on with:\n  ${printable(npmScript('budget', ...process.argv.slice(3)))}`,
      );
    }
    terminal.say(`  results  ${printable(results)}`);
    terminal.json({ results });
  });
};
