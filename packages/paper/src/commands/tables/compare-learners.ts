import { type DefineCommand, printable, terminalOf, textOf, valuesOf } from 'evenhand/command-line';
import type { Variant } from '../../seven-tables/fold-job.js';
import { type FoldKey, type FoldResult, readFoldResults } from '../../seven-tables/fold-results.js';
import { learnMissing } from './learn-missing.js';

/** A comparison of configurations of our learner that is a part of a page. */
export interface LearnerComparison {
  /** Where what is known of it is, and the page that it goes into. */
  readonly files: { readonly results: string; readonly page: string };
  readonly variants: ReadonlyMap<string, Variant>;
  readonly keys: readonly FoldKey[];
  /** The folder of its tables; throws what is wrong with the one that was given. */
  readonly tablesFolder: (given: string | undefined) => Promise<string>;
  readonly section: (lines: readonly FoldResult[]) => string;
  readonly writeSection: (file: string, lines: readonly FoldResult[]) => Promise<void>;
}

/** Learns what is missing of a comparison, shows it, and writes it into its page. */
export async function compareLearners(
  command: Parameters<DefineCommand>[0],
  { files, variants, keys, tablesFolder, section, writeSection }: LearnerComparison,
): Promise<void> {
  const terminal = terminalOf(command);
  const results = textOf(command, 'results') ?? files.results;
  const withoutPage = results !== files.results || valuesOf(command).page === false;
  const page = textOf(command, 'page') ?? (withoutPage ? null : files.page);
  if (valuesOf(command).training !== false) {
    const folder = await tablesFolder(textOf(command, 'tablesFolder'));
    await learnMissing(command, { tablesFolder: folder, results, variants, keys });
  }
  const lines = await readFoldResults(results);
  if (page !== null) await writeSection(page, lines);
  terminal.say(section(lines));
  terminal.say(`  results  ${printable(results)}`);
  if (page !== null) terminal.say(`  page     ${printable(page)}`);
  terminal.json({ results, page });
}
