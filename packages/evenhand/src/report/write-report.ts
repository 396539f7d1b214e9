import type { Dataset } from '../dataset/dataset.js';
import { writeReportFiles } from '../runs/run-files.js';
import { treatRareClasses } from '../splits/rare-classes.js';
import { UserError } from '../user-error.js';
import { html } from './html.js';
import { modelCardMarkdown, modelCardSection } from './model-card.js';
import { page } from './page.js';
import { type RunData, readRunData } from './run-data.js';
import { classesSection, confusionSection } from './sections/classes.js';
import { furtherMetrics, headline } from './sections/headline.js';
import { importanceSection } from './sections/importance.js';
import { outputsSection, type ReportProgress } from './sections/outputs.js';
import { portfolioSection } from './sections/portfolio.js';
import { trainingSection } from './sections/training.js';
import { wrongExamplesSection } from './sections/wrong-examples.js';
import { usageSection } from './usage.js';

/** What a report may show beside what is in the run folder. */
export interface ReportOptions {
  /** The run's data, if it is at hand: images and rows that are answered wrongly are shown. */
  readonly dataset?: Dataset;
  /** Called while the longest part is made, the map of the outputs: steps done, of all. */
  readonly onProgress?: ReportProgress;
}

/**
 * Writes `report.html`, one page that needs no other file and no network, and `model-card.md` into the folder of a complete
 * run. The same run gives the same bytes.
 *
 * @returns the page's path
 * @throws {@link UserError} if the run is not complete, or the data set is not that of the run
 */
export async function writeReport(
  runFolder: string,
  { dataset, onProgress = () => undefined }: ReportOptions = {},
): Promise<string> {
  const run = await readRunData(runFolder);
  const shown = dataset === undefined ? undefined : dataOf(run, dataset);
  const body = html`${headline(run)}${furtherMetrics(run)}
${classesSection(run)}${confusionSection(run)}${importanceSection(run)}${portfolioSection(run)}${trainingSection(run)}${await outputsSection(run, onProgress)}
${await wrongExamplesSection(run, shown)}${usageSection(run.preprocessing)}${modelCardSection(run)}`;
  return writeReportFiles(runFolder, {
    report: page(`${run.environment.dataset.name}: ${run.config.method.name}`, body),
    modelCard: modelCardMarkdown(run),
  });
}

/** The instances as the run numbered them. */
function dataOf({ environment, config, folder }: RunData, dataset: Dataset): Dataset {
  if (dataset.contentHash !== environment.dataset.hash) {
    throw new UserError(
      `${dataset.name} is not the data of ${folder}: its content has the hash ${dataset.contentHash}; ` +
        `expected ${environment.dataset.hash}. Give the data that the run was trained with, or none`,
    );
  }
  return treatRareClasses(dataset, config.data.rareClasses);
}
