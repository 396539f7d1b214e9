import { UserError } from 'evenhand';
import {
  addExamples,
  addOutputOptions,
  countOf,
  type DefineCommand,
  oneOf,
  printable,
  terminalOf,
  textOf,
  valuesOf,
} from 'evenhand/command-line';
import { ComparisonTables } from '../../seven-tables/comparison-tables.js';
import { FoldResults, readFoldResults } from '../../seven-tables/fold-results.js';
import { FOLDS, foldsForPeers, REPEATS } from '../../seven-tables/folds.js';
import { foldRange, keysOf, variantsOf } from '../../seven-tables/selection.js';
import { writeTablesSummary } from '../../seven-tables/summary.js';
import { readTable, sevenTablesFolder, tablesIn } from '../../seven-tables/tables.js';
import { writeComparisonPage } from '../../seven-tables/write-comparison-page.js';
import { ABLATION } from './ablation.js';
import { compareLearners } from './compare-learners.js';
import { learnMissing } from './learn-missing.js';
import { METHODS } from './methods.js';
import { RATES } from './rates.js';

/** Where the seven tables have what is known of them. */
const OWN_FILES = {
  results: 'results/tables/evenhand.jsonl',
  peers: 'results/tables/peers.jsonl',
  page: 'docs/tables.md',
};

/** `evenhand-paper tables`. */
export const defineTables: DefineCommand = (command) => {
  addExamples(
    command,
    [
      'tables',
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
    .option('--results <file>', `where our results are and go (default for the seven tables: ${OWN_FILES.results})`)
    .option('--peers <file>', `where the results of peers.py are (default for the seven tables: ${OWN_FILES.peers})`)
    .option('--page <file>', `where the page about the seven tables goes (default for them: ${OWN_FILES.page})`)
    .option('--summary <file>', 'a document whose block of tables gets the comparison in short, such as README.md')
    .option(
      '--ablation',
      `compare the parts of the learner on the tuning tables (--tables-folder), for ${ABLATION.files.page}`,
    )
    .option(
      '--rates',
      `compare automatic rates of enhancement encoding with a tuned grid on the seven tables, for ${RATES.files.page}`,
    )
    .option(
      '--methods',
      `compare every method on the seven tables, everything else equal, and write ${METHODS.files.page} from these results and those of npm run budget`,
    )
    .option('--no-page', 'write no page')
    .option('--no-training', 'show, and write the page from, the results that are there')
    .option('--folds-for-peers', 'print the folds as JSON lines, for peers.py, and do nothing else')
    .option('--processes <number>', 'folds that are learned at once, one thread each', '1');
  return addOutputOptions(command).action(async () => {
    if (valuesOf(command).ablation === true) return compareLearners(command, ABLATION);
    if (valuesOf(command).rates === true) return compareLearners(command, RATES);
    if (valuesOf(command).methods === true) return compareLearners(command, METHODS);
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
    const { variant } = valuesOf(command);
    const variants = variantsOf(Array.isArray(variant) ? variant.map(String) : []);
    const keys = keysOf(tables, countOf(command, '--repeats', REPEATS) ?? REPEATS, foldRange(textOf(command, 'folds')));
    const { results, peers, page } = filesOf(command);
    await learnMissing(command, { tablesFolder, results, variants, keys });
    const lines = [...(await readFoldResults(results)), ...(peers === null ? [] : await readFoldResults(peers))];
    if (page !== null) await writeComparisonPage(page, lines);
    const summary = textOf(command, 'summary');
    if (summary !== undefined) await writeTablesSummary(summary, lines);
    terminal.say(new ComparisonTables(new FoldResults(lines), keys).means());
    terminal.say(`  results  ${printable(results)}`);
    if (page !== null) terminal.say(`  page     ${printable(page)}`);
    terminal.json({ results, page });
  });
};

/** The files that are read and written; null for one that is not. Results of other tables do not mix with those of the seven. */
function filesOf(command: Parameters<DefineCommand>[0]) {
  const others = textOf(command, 'tablesFolder') !== undefined;
  const results = textOf(command, 'results') ?? (others ? null : OWN_FILES.results);
  if (results === null) {
    throw new UserError('--results is missing; with --tables-folder, expected a file for the results of these tables');
  }
  const withoutPage = others || valuesOf(command).page === false;
  return {
    results,
    peers: textOf(command, 'peers') ?? (others ? null : OWN_FILES.peers),
    page: textOf(command, 'page') ?? (withoutPage ? null : OWN_FILES.page),
  };
}
