import { markdownTable } from './markdown-table.js';
import { configOf, readSplits, SEVEN_TABLES, untestedPlaces } from './seven-tables.js';
import { type Candidate, type RankedCandidate, recipeOf } from './tuning-ranking.js';

/** What the tables are like, as Markdown. */
export async function dataTable(): Promise<string> {
  const rows: (string | number)[][] = [];
  for (const table of SEVEN_TABLES) {
    const split = await readSplits(table);
    const { classNames, labels, columns } = split.dataset;
    const counts = classNames.map((_, p) => labels.filter((label) => label === p).length);
    rows.push([
      table,
      labels.length,
      columns.length,
      counts.length,
      Math.max(...counts),
      Math.min(...counts),
      split.splits[0]?.test.length ?? 0,
      untestedPlaces(split).length,
    ]);
  }
  const header = ['table', 'rows', 'columns', 'classes', 'largest class', 'smallest', 'test rows', 'rows for tuning'];
  return markdownTable(header, rows);
}

/** Recipes that were tried, as Markdown; the default is bold. */
export function recipeTable(candidates: readonly RankedCandidate[]): string {
  return tuningTable(
    candidates,
    ({ learningRate, epochs, hidden, dropout, weightDecay, batchSize }) => [
      learningRate,
      epochs,
      hidden.join('–'),
      dropout,
      weightDecay,
      batchSize,
    ],
    ['learning rate', 'epochs', 'hidden', 'dropout', 'weight decay', 'batch'],
  );
}

/** Pairs of ε and μ that were tried, as Markdown; the default is bold. */
export function ratesTable(candidates: readonly RankedCandidate[]): string {
  return tuningTable(
    candidates,
    ({ method = 'one-hot', enhancementRate = '–', updatingRate = '–' }) => [method, enhancementRate, updatingRate],
    ['method', 'ε', 'μ'],
  );
}

function tuningTable(
  candidates: readonly RankedCandidate[],
  describe: (candidate: Candidate) => readonly (string | number)[],
  names: readonly string[],
): string {
  const rows = candidates.map(({ candidate, tables, mean }) => {
    const own = SEVEN_TABLES.map((table) => (100 * (tables.get(table) ?? 0)).toFixed(1));
    const cells = [...describe(candidate), ...own, (100 * mean).toFixed(2)];
    return candidate.method !== 'one-hot' && isDefault(candidate) ? cells.map((cell) => `**${cell}**`) : cells;
  });
  return markdownTable([...names, ...SEVEN_TABLES, 'mean'], rows);
}

function isDefault(candidate: Candidate): boolean {
  const { model, optimizer, method, ...rest } = recipeOf(candidate);
  const defaults = configOf(SEVEN_TABLES[0], 0, { method: { name: method.name } });
  const told = { ...rest, model, optimizer, method };
  return Object.entries(told).every(([section, own]) => agrees(own, Reflect.get(defaults, section)));
}

/** Whether all that is told of something is so in the whole of it. */
function agrees(told: unknown, whole: unknown): boolean {
  if (typeof told !== 'object' || told === null || Array.isArray(told))
    return JSON.stringify(told) === JSON.stringify(whole);
  if (typeof whole !== 'object' || whole === null) return false;
  return Object.entries(told).every(([key, own]) => agrees(own, Reflect.get(whole, key)));
}
