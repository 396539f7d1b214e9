import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically, writeError } from 'evenhand/files';
import { costSection } from './cost-section.js';
import { type Prose, panelsOf, type ReproductionDocument } from './document.js';
import { figuresSection } from './figures-section.js';
import { readMaps } from './output-maps.js';
import { renderHtml } from './render-html.js';
import { renderMarkdown } from './render-markdown.js';
import { type Results, readResults } from './results.js';
import { setupSection } from './setup-section.js';
import type { Statement, Verdict } from './statement.js';
import { statementsOf, statementsSection } from './statements-section.js';
import { subsetsSection } from './subsets-section.js';
import { summaryBlocks, writeSummary } from './summary.js';
import { FIGURES_FOLDER, svgFile } from './svg-file.js';
import { openQuestionSection, tableSection } from './tables-section.js';
import { tuningSection } from './tuning-section.js';

/** Where the page's numbers come from, and where it goes. */
export interface ReproductionPageOptions {
  /** The folder with `<table>.<scale>.jsonl` and `tuning/*.jsonl`. */
  readonly results: string;
  /** The folder with the run folders, which t-SNE needs; the page tells what is not there. */
  readonly runs?: string;
  /** Where `reproduction.html`, `reproduction.md` and `figures/*.svg` go. */
  readonly folder: string;
  /** A document with a place for the summary, such as `docs/results.md`. */
  readonly summary?: string;
}

/** What was written. */
export interface ReproductionPage {
  readonly page: string;
  readonly figures: readonly string[];
}

/**
 * Writes what came of reproducing the paper: a page that needs no other file and no network, the same as Markdown, and the
 * figures. The same results give the same bytes.
 *
 * @throws {@link UserError} if a line of the results is damaged, or the folder cannot be written
 */
export async function writeReproductionPage(options: ReproductionPageOptions): Promise<ReproductionPage> {
  const { runs, folder, summary } = options;
  const results = await readResults(options.results);
  const document = await documentOf(results, runs);
  const figuresFolder = join(folder, FIGURES_FOLDER);
  await mkdir(figuresFolder, { recursive: true }).catch((error: unknown) => {
    throw writeError(figuresFolder, error);
  });
  const figures: string[] = [];
  for (const { file, chart } of panelsOf(document)) {
    const path = join(figuresFolder, `${file}.svg`);
    await writeAtomically(path, svgFile(chart));
    figures.push(path);
  }
  await writeAtomically(join(folder, 'reproduction.md'), renderMarkdown(document));
  if (summary !== undefined) await writeSummary(summary, results);
  const page = join(folder, 'reproduction.html');
  await writeAtomically(page, renderHtml(document));
  return { page, figures };
}

async function documentOf(results: Results, runs: string | undefined): Promise<ReproductionDocument> {
  const { tables, openQuestion } = results;
  const maps = await readMaps(tables, runs);
  const statements = statementsOf(tables, maps);
  return {
    title: 'Enhancement encoding: does the paper reproduce?',
    lead: lead(statements),
    sections: [
      { heading: 'In two minutes', blocks: summaryBlocks(results) },
      setupSection(results),
      ...tables.map(tableSection),
      ...(openQuestion === undefined ? [] : [openQuestionSection(openQuestion)]),
      subsetsSection(tables),
      figuresSection(tables, maps),
      statementsSection(statements),
      tuningSection(results),
      costSection(tables),
    ],
  };
}

function lead(statements: readonly Statement[]): Prose[] {
  const count = (which: Verdict) => statements.filter(({ verdict }) => verdict === which).length;
  const measured = statements.length - count('not measured');
  return [
    '“Enhancement encoding” (arXiv 2208.11056) trains classifiers on imbalanced data. Before every epoch it re-encodes the labels, according to ' +
      'which classes the network confuses. This page puts the paper’s experiments and ours side by side. It is generated from the results of our runs.',
    `Of the paper’s ${statements.length} statements about its results, we measured ${measured}. Our numbers agree with ` +
      `${count('agrees')} and disagree with ${count('disagrees')}; for ${count('cannot tell')} we cannot tell; ` +
      `${count('no verdict, the table is incomplete')} are about incomplete tables and get no verdict.`,
  ];
}
