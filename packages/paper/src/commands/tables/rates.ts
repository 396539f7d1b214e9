import { UserError } from 'evenhand';
import { rateFolds, rateVariants } from '../../seven-tables/rates.js';
import { ratesSection, writeRatesSection } from '../../seven-tables/rates-section.js';
import { SEVEN_TABLES, sevenTablesFolder, tablesIn } from '../../seven-tables/tables.js';
import type { LearnerComparison } from './compare-learners.js';

/** `evenhand-paper tables --rates`: automatic rates of enhancement encoding against a tuned grid. */
export const RATES: LearnerComparison = {
  files: { results: 'results/tables/rates.jsonl', page: 'docs/rates.md' },
  variants: rateVariants(),
  keys: rateFolds(),
  tablesFolder: sevenFolder,
  section: ratesSection,
  writeSection: writeRatesSection,
};

/** The folder, which has all of the seven tables. */
async function sevenFolder(given: string | undefined): Promise<string> {
  const folder = given ?? sevenTablesFolder();
  const known = await tablesIn(folder);
  const missing = Object.keys(SEVEN_TABLES).filter((table) => !known.includes(table));
  if (missing.length === 0) return folder;
  throw new UserError(`${folder} has no table ${missing.join(', ')}; with --rates, expected all of the seven`);
}
