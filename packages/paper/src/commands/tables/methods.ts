import { methodsSection, writeChoosingPage } from '../../choosing/page.js';
import { methodFolds, methodVariants } from '../../seven-tables/methods.js';
import type { LearnerComparison } from './compare-learners.js';
import { sevenFolder } from './seven-folder.js';

/** `evenhand-paper tables --methods`: every method, everything else equal. */
export const METHODS: LearnerComparison = {
  files: { results: 'results/tables/methods.jsonl', page: 'docs/choosing.md' },
  variants: methodVariants(),
  keys: methodFolds(),
  tablesFolder: (given) => sevenFolder(given, '--methods'),
  section: methodsSection,
  writeSection: writeChoosingPage,
};
