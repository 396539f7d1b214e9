import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Column, TableDataset } from 'evenhand/data';
import { makeFolder, writeAtomically } from 'evenhand/files';
import { configOf, readSplits, SEVEN_TABLES, type SevenTable, tableFile, untestedPlaces } from './seven-tables.js';
import { type PlannedLine, type TrainLinesOptions, trainLines } from './train-lines.js';
import { type Candidate, readTuningRanking, recipeOf, type Stage } from './tuning-ranking.js';

const SPLITS = [0, 1, 2];
const MORE_SPLITS = [3, 4, 5, 6, 7];
/** Of the rows that may be used to choose defaults. */
const HELD_OUT = 0.3;
/** The defaults before this, from first probes on MNIST: they are tried again whatever their place. */
const FIRST_RATES = { enhancementRate: 3, updatingRate: 0.3 };

/**
 * mammography has one row 3,329 times, which is too large for any test set, so that it would be nearly all that is trained on: of
 * the rows that are left for tuning, each counts once.
 */
const TUNED_ON_DISTINCT_ROWS: readonly SevenTable[] = ['mammography'];

/** Chooses the defaults for tables, stage by stage; what a file has a line of is not trained again. */
export async function tuneDefaults(file: string, options: TrainLinesOptions): Promise<void> {
  const files = await writeTuningParts(join(options.folder, 'tuning'));
  const tune = async (stage: Stage, candidates: readonly Candidate[], splits = SPLITS) => {
    const lines = candidates.flatMap((candidate) =>
      SEVEN_TABLES.map((table) => lineOf({ stage, table, candidate }, files.get(table) ?? '', splits)),
    );
    await trainLines(file, lines, options);
    return readTuningRanking(file);
  };
  const shared = { epochs: 60, hidden: [128, 64] };
  const grid = [1e-3, 3e-3, 1e-2].flatMap((learningRate) =>
    [0, 0.2].map((dropout) => ({ learningRate, ...shared, dropout, weightDecay: 0.01, batchSize: 128 })),
  );
  const found = (await tune('grid', grid)).best('grid');
  const changes: readonly Partial<Candidate>[] = [
    { learningRate: 3e-4 },
    { epochs: 120 },
    { hidden: [256, 128] },
    { weightDecay: 0.1 },
    { batchSize: 64 },
  ];
  const around = changes.map((change) => ({ ...found, ...change }));
  const recipe = (await tune('around', around)).best('grid', 'around');
  const oneHot: Candidate = { method: 'one-hot', ...recipe };
  const enhancement = (rates: typeof FIRST_RATES): Candidate => ({ method: 'enhancement', ...rates, ...recipe });
  const rates = [1, 3, 10, 30].flatMap((enhancementRate) =>
    [0.1, 0.3, 1].map((updatingRate) => enhancement({ enhancementRate, updatingRate })),
  );
  const best = (await tune('rates', [oneHot, ...rates]))
    .of('rates')
    .map(({ candidate }) => candidate)
    .filter(({ method }) => method === 'enhancement')
    .slice(0, 3);
  await tune('finalists', [oneHot, ...best, enhancement(FIRST_RATES)], MORE_SPLITS);
}

/** What a line of tuning begins with. */
interface TuningKey {
  readonly stage: Stage;
  readonly table: SevenTable;
  readonly candidate: Candidate;
}

function lineOf(key: TuningKey, source: string, splits: readonly number[]): PlannedLine {
  const { table, candidate } = key;
  const name = Object.values(candidate).flat().join('-');
  return {
    key,
    trials: splits.map((seed) => {
      const config = configOf(table, seed, recipeOf(candidate));
      // What is left beside all test sets may hold a class only once or twice.
      const data = { ...config.data, source, rareClasses: 'drop' as const, testShare: HELD_OUT };
      return { key: join('tuning', table, name, String(seed)), config: { ...config, data } };
    }),
    measured: (evaluations) => ({
      balancedAccuracy: evaluations.map(({ report }) => Number(report.balancedAccuracy.toFixed(4))),
    }),
  };
}

/** Writes the rows of each table that are in none of its test sets to a file of their own. */
async function writeTuningParts(folder: string): Promise<Map<SevenTable, string>> {
  await makeFolder(folder);
  const files = new Map<SevenTable, string>();
  for (const table of SEVEN_TABLES) {
    const split = await readSplits(table);
    const untested = untestedPlaces(split);
    const places = TUNED_ON_DISTINCT_ROWS.includes(table) ? distinct(split.dataset, untested) : untested;
    const [header = '', ...rows] = (await readFile(tableFile(table), 'utf8')).split('\n');
    const file = join(folder, `${table}.csv`);
    await writeAtomically(file, [header, ...places.map((place) => rows[place] ?? ''), ''].join('\n'));
    files.set(table, file);
  }
  return files;
}

/** The first place of every row, of those with the same features. */
function distinct({ columns }: TableDataset, places: readonly number[]): number[] {
  const cell = (column: Column, place: number) => ('codes' in column ? column.codes : column.values)[place];
  const featuresOf = (place: number) => columns.map((column) => cell(column, place)).join();
  return [...new Map([...places].reverse().map((place) => [featuresOf(place), place])).values()].reverse();
}
