import { join } from 'node:path';
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
import { npmScript } from '../npm-script.js';
import { COMPARED_METHODS, comparisonLines, readComparison } from '../seven-tables/comparison.js';
import { SEEDS, SEVEN_TABLES, splitsForScikitLearn } from '../seven-tables/seven-tables.js';
import { trainLines } from '../seven-tables/train-lines.js';
import { tuneDefaults } from '../seven-tables/tune-defaults.js';
import { readTuningRanking } from '../seven-tables/tuning-ranking.js';
import { writeComparisonPage } from '../seven-tables/write-comparison-page.js';

/** `evenhand-paper tables`. */
export const defineTables: DefineCommand = (command) => {
  addExamples(
    command,
    ['tables', 'tables -- --methods one-hot,enhancement --tables glass --seeds 1 --no-page'],
    'npm run',
  )
    .option('--methods <names>', `which of ${COMPARED_METHODS.join(', ')}, by comma (default: all)`)
    .option('--tables <names>', `which of ${SEVEN_TABLES.join(', ')}, by comma (default: all)`)
    .option('--seeds <number>', 'how many splits and seeds', String(SEEDS.length))
    .option('--tune', 'choose the defaults anew, with rows that are in no test set, before they are compared')
    .option('--splits', 'print the splits as JSON, for scikit_learn.py, and do nothing else')
    .option('--folder <folder>', 'where the runs go', 'runs/tables')
    .option('--results <folder>', 'where the results are and go', 'results/tables')
    .option('--page <file>', 'where the page goes', 'docs/tables.md')
    .option('--no-page', 'write no page')
    .option('--processes <number>', 'runs that are trained at once (default: as many as cores)');
  return addOutputOptions(command).action(async () => {
    const terminal = terminalOf(command);
    const { splits, tune } = valuesOf(command);
    if (splits === true) {
      terminal.write(JSON.stringify(await splitsForScikitLearn()));
      return;
    }
    const namesOf = <Name extends string>(option: string, known: readonly Name[]) =>
      textOf(command, option)
        ?.split(',')
        .map((name) => oneOf(`--${option}`, name, known)) ?? known;
    const lines = comparisonLines({
      methods: namesOf('methods', COMPARED_METHODS),
      tables: namesOf('tables', SEVEN_TABLES),
      seeds: countOf(command, '--seeds', SEEDS.length) ?? SEEDS.length,
    });
    const folder = textOf(command, 'results') ?? '';
    const files = { results: join(folder, 'results.jsonl'), tuning: join(folder, 'tuning.jsonl') };
    const how = {
      folder: textOf(command, 'folder') ?? '',
      processes: countOf(command, '--processes'),
      onProgress: (text: string) => terminal.note(text),
    };
    await interruptible(
      terminal,
      async (signal) => {
        if (tune === true) await tuneDefaults(files.tuning, { ...how, signal });
        await trainLines(files.results, lines, { ...how, signal });
      },
      () => `interrupted; go on with:\n  ${printable(npmScript('tables', ...process.argv.slice(3)))}`,
    );
    const page = textOf(command, 'page') ?? null;
    if (page !== null) {
      await writeComparisonPage(page, await readComparison(files.results), await readTuningRanking(files.tuning));
      terminal.say(`  page     ${printable(page)}`);
    }
    terminal.say(`  results  ${printable(files.results)}`);
    terminal.json({ results: files.results, page });
  });
};
