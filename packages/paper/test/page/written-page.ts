import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { writeReproductionPage } from '../../src/page/write-reproduction-page.js';
import type { CellResult } from '../../src/results/cell-result.js';
import { pageFolder, writeResults, writeTuning } from './results.js';

/** A folder for the files of the test that asks, gone with it. */
export async function folderOfTest(): Promise<string> {
  const folder = await pageFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The page of these results as Markdown and as HTML, with the folder of its figures. */
export async function written(lines: readonly CellResult[], tuning: readonly unknown[] = []) {
  const folder = await folderOfTest();
  const results = join(folder, 'results');
  await writeResults(results, lines);
  await writeTuning(results, tuning);
  return writtenOf(results, join(folder, 'docs'));
}

/** The same, of a folder of results. */
export async function writtenOf(results: string, folder: string) {
  const { page } = await writeReproductionPage({ results, folder });
  const markdown = await readFile(join(folder, 'reproduction.md'), 'utf8');
  return { markdown, html: await readFile(page, 'utf8'), figures: join(folder, 'figures') };
}
