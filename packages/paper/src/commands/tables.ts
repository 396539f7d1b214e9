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
import { npmScript } from '../npm-script.js';
import { ComparisonTables } from '../seven-tables/comparison-tables.js';
import { OUR_LEARNER, type Variant, variantHash } from '../seven-tables/fold-job.js';
import { type FoldKey, FoldResults, readFoldResults } from '../seven-tables/fold-results.js';
import { FOLDS, foldsForPeers, REPEATS } from '../seven-tables/folds.js';
import { runFolds } from '../seven-tables/run-folds.js';
import { readTable, sevenTablesFolder, tablesIn } from '../seven-tables/tables.js';
import { writeComparisonPage } from '../seven-tables/write-comparison-page.js';

/** `evenhand-paper tables`. */
export const defineTables: DefineCommand = (command) => {
  addExamples(
    command,
    [
      'tables -- --page docs/tables.md',
      'tables -- --tables-folder tuning --results tuning.jsonl --variant \'weights={"method":{"name":"class-balanced"}}\' --folds 0-1',
    ],
    'npm run',
  )
    .option('--tables-folder <folder>', 'CSV files with a column "class" (default: the seven tables)')
    .option('--tables <names>', 'which of them, by comma (default: all)')
    .option('--repeats <number>', `how many of the ${REPEATS} divisions into folds`, String(REPEATS))
    .option('--folds <range>', 'which folds of each are tested', `0-${FOLDS - 1}`)
    .option(
      '--variant <name=json>',
      'a configuration of the learner and the name of its results; {} is the default (may be repeated)',
      (variant: string, before: readonly string[] = []) => [...before, variant],
    )
    .option('--results <file>', 'where our results are and go', 'results/tables/evenhand.jsonl')
    .option('--peers <file>', 'where the results of peers.py are', 'results/tables/peers.jsonl')
    .option('--page <file>', 'write the comparison of the seven tables as a page')
    .option('--folds-for-peers', 'print the folds as JSON lines, for peers.py, and do nothing else')
    .option('--processes <number>', 'folds that are learned at once, one thread each', '1');
  return addOutputOptions(command).action(async () => {
    const terminal = terminalOf(command);
    const tablesFolder = textOf(command, 'tablesFolder') ?? sevenTablesFolder();
    const known = await tablesIn(tablesFolder);
    const tables =
      textOf(command, 'tables')
        ?.split(',')
        .map((name) => oneOf('--tables', name, known)) ?? known;
    if (valuesOf(command).foldsForPeers === true) {
      for (const table of tables) {
        terminal.write(`${JSON.stringify(foldsForPeers(table, await readTable(tablesFolder, table)))}\n`);
      }
      return;
    }
    const variants = variantsOf(valuesOf(command).variant);
    const keys = keysOf(tables, countOf(command, '--repeats', REPEATS) ?? REPEATS, foldRange(textOf(command, 'folds')));
    const results = textOf(command, 'results') ?? '';
    await interruptible(
      terminal,
      (signal) =>
        runFolds(results, variants, keys, {
          tablesFolder,
          signal,
          processes: countOf(command, '--processes') ?? 1,
          onProgress: (text) => terminal.note(text),
        }),
      () => `interrupted; go on with:\n  ${printable(npmScript('tables', ...process.argv.slice(3)))}`,
    );
    const lines = [...(await readFoldResults(results)), ...(await readFoldResults(textOf(command, 'peers') ?? ''))];
    const page = textOf(command, 'page') ?? null;
    if (page !== null) await writeComparisonPage(page, lines);
    terminal.say(new ComparisonTables(new FoldResults(lines), keys).means());
    terminal.say(`  results  ${printable(results)}`);
    if (page !== null) terminal.say(`  page     ${printable(page)}`);
    terminal.json({ results, page });
  });
};

/** Every fold of some tables; the first fold of all tables first, so that early results are about all of them. */
function keysOf(tables: readonly string[], repeats: number, folds: readonly number[]): FoldKey[] {
  return Array.from({ length: repeats }, (_, repeat) =>
    folds.flatMap((fold) => tables.map((table) => ({ table, repeat, fold }))),
  ).flat();
}

/** `0-4`, or a single fold. */
function foldRange(text = `0-${FOLDS - 1}`): number[] {
  const [, first, last = first] = /^(\d)(?:-(\d))?$/.exec(text) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (from <= to && to < FOLDS) return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  throw new UserError(`--folds is "${text}"; expected a fold from 0 to ${FOLDS - 1}, or a range such as 0-1`);
}

/** Our configurations by name. */
function variantsOf(given: unknown): ReadonlyMap<string, Variant> {
  if (!Array.isArray(given)) return new Map([[OUR_LEARNER, {}]]);
  return new Map(
    given.map(String).map((text): [string, Variant] => {
      const [, name, json] = /^([^=]+)=(\{.*\})$/s.exec(text) ?? [];
      if (name === undefined || json === undefined) {
        throw new UserError(
          `--variant is "${text}"; expected a name and options as JSON, such as 'wide={"model":{"hidden":[256,128]}}'`,
        );
      }
      return [name, variantOf(name, json)];
    }),
  );
}

function variantOf(name: string, json: string): Variant {
  try {
    const variant: Variant = JSON.parse(json);
    variantHash(variant); // checks its options
    return variant;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`--variant ${name}: ${reason}`, { cause: error });
  }
}
