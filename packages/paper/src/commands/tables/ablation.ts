import { UserError } from 'evenhand';
import { type DefineCommand, printable, terminalOf, textOf, valuesOf } from 'evenhand/command-line';
import { ablationVariants, TUNING_TABLES, tuningFolds } from '../../seven-tables/ablation.js';
import { ablationSection, writeAblationSection } from '../../seven-tables/ablation-section.js';
import { readFoldResults } from '../../seven-tables/fold-results.js';
import { tablesIn } from '../../seven-tables/tables.js';
import { learnMissing } from './learn-missing.js';

/** Where the parts of the learner have what is known of them. */
export const ABLATION_FILES = { results: 'results/tables/tuning.jsonl', page: 'docs/learner.md' };

/** `evenhand-paper tables --ablation`. */
export async function compareParts(command: Parameters<DefineCommand>[0]): Promise<void> {
  const terminal = terminalOf(command);
  const results = textOf(command, 'results') ?? ABLATION_FILES.results;
  const withoutPage = results !== ABLATION_FILES.results || valuesOf(command).page === false;
  const page = textOf(command, 'page') ?? (withoutPage ? null : ABLATION_FILES.page);
  if (valuesOf(command).training !== false) {
    const tablesFolder = await tuningFolder(textOf(command, 'tablesFolder'));
    await learnMissing(command, { tablesFolder, results, variants: ablationVariants(), keys: tuningFolds() });
  }
  const lines = await readFoldResults(results);
  if (page !== null) await writeAblationSection(page, lines);
  terminal.say(ablationSection(lines));
  terminal.say(`  results  ${printable(results)}`);
  if (page !== null) terminal.say(`  page     ${printable(page)}`);
  terminal.json({ results, page });
}

/** The folder, which has all of the tuning tables. */
async function tuningFolder(folder: string | undefined): Promise<string> {
  if (folder === undefined) {
    throw new UserError(
      '--tables-folder is missing; with --ablation, expected the folder that packages/paper/scripts/tuning_tables.R wrote, or --no-training',
    );
  }
  const known = await tablesIn(folder);
  const missing = TUNING_TABLES.filter((table) => !known.includes(table));
  if (missing.length === 0) return folder;
  throw new UserError(
    `${folder} has no table ${missing.join(', ')}; expected all that packages/paper/scripts/tuning_tables.R writes`,
  );
}
