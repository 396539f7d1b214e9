import { UserError } from 'evenhand';
import { ablationVariants, TUNING_TABLES, tuningFolds } from '../../seven-tables/ablation.js';
import { ablationSection, writeAblationSection } from '../../seven-tables/ablation-section.js';
import { tablesIn } from '../../seven-tables/tables.js';
import type { LearnerComparison } from './compare-learners.js';

/** `evenhand-paper tables --ablation`: the parts of the learner. */
export const ABLATION: LearnerComparison = {
  files: { results: 'results/tables/tuning.jsonl', page: 'docs/learner.md' },
  variants: ablationVariants(),
  keys: tuningFolds(),
  tablesFolder: tuningFolder,
  section: ablationSection,
  writeSection: writeAblationSection,
};

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
