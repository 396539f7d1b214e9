import { rateFolds, rateVariants } from '../../seven-tables/rates.js';
import { ratesSection, writeRatesSection } from '../../seven-tables/rates-section.js';
import type { LearnerComparison } from './compare-learners.js';
import { sevenFolder } from './seven-folder.js';

/** `evenhand-paper tables --rates`: automatic rates of enhancement encoding against a tuned grid. */
export const RATES: LearnerComparison = {
  files: { results: 'results/tables/rates.jsonl', page: 'docs/rates.md' },
  variants: rateVariants(),
  keys: rateFolds(),
  tablesFolder: (given) => sevenFolder(given, '--rates'),
  section: ratesSection,
  writeSection: writeRatesSection,
};
