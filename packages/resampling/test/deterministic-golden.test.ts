import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  adasyn,
  allKNearestNeighbours,
  editedNearestNeighbours,
  instanceHardnessThreshold,
  kMeansSmote,
  nearMiss,
  neighbourhoodCleaning,
  type Resampled,
  repeatedEditedNearestNeighbours,
  tomekLinks,
} from '../src/index.js';
import { type LabelledRows, majorityOf, minorityOf, presentClasses, rowsOfClass } from '../src/labelled-rows.js';
import { neighboursAmong } from '../src/neighbours/nearest-neighbours.js';
import { borderRows } from '../src/over-sampling/borderline-smote.js';
import { condense } from '../src/under-sampling/condensed-nearest-neighbour.js';
import { selectOneSided } from '../src/under-sampling/one-sided-selection.js';
import { digest, drawDataSet, majorityFirst, readTable } from './golden/data-sets.js';
import { golden } from './golden/golden.js';

type Starts = Readonly<Record<string, number>>;
type Case = { readonly 'oss start': Starts; readonly 'cnn start': Starts; readonly [method: string]: unknown };

/** Methods whose result is a selection of rows. */
const selections: Record<string, (data: LabelledRows) => Resampled> = {
  tomek: ({ features, labels }) => tomekLinks(features, labels),
  'tomek all': ({ features, labels }) => tomekLinks(features, labels, { strategy: 'all' }),
  'enn all': ({ features, labels }) => editedNearestNeighbours(features, labels),
  'enn mode': ({ features, labels }) => editedNearestNeighbours(features, labels, { agreement: 'mode', neighbours: 5 }),
  'enn majority': ({ features, labels }) => editedNearestNeighbours(features, labels, { strategy: 'majority' }),
  renn: ({ features, labels }) => repeatedEditedNearestNeighbours(features, labels),
  'renn mode': ({ features, labels }) => repeatedEditedNearestNeighbours(features, labels, { agreement: 'mode' }),
  allknn: ({ features, labels }) => allKNearestNeighbours(features, labels),
  'allknn mode': ({ features, labels }) =>
    allKNearestNeighbours(features, labels, { agreement: 'mode', neighbours: 5 }),
  'ncr mode': ({ features, labels }) => neighbourhoodCleaning(features, labels, { agreement: 'mode' }),
  'ncr threshold': ({ features, labels }) =>
    neighbourhoodCleaning(features, labels, { agreement: 'mode', threshold: 0.1, neighbours: 5 }),
  'ncr all': ({ features, labels, counts }) => {
    const minority = minorityOf(counts);
    return neighbourhoodCleaning(
      features,
      labels.map((label) => Number(label === minority)),
    );
  },
  'near miss 1': ({ features, labels }) => nearMiss(features, labels, { version: 1 }),
  'near miss 2': ({ features, labels }) => nearMiss(features, labels, { version: 2 }),
  'near miss 3': ({ features, labels }) => nearMiss(features, labels, { version: 3, candidates: 4 }),
  hardness: ({ labels, counts }) => {
    const probabilities = [...labels.keys()].flatMap((row) =>
      Array.from(counts, (_, label) => ((row * 37 + label * 11) % 65) / 64),
    );
    return instanceHardnessThreshold(probabilities, labels);
  },
};

/** The parts of random methods that are not random, and random ones from given rows. */
const parts: Record<string, (data: LabelledRows, golden: Case) => Iterable<number>> = {
  oss: (data, { 'oss start': starts }) => {
    const minority = minorityOf(data.counts);
    const cleaned = Uint8Array.from(data.counts, (_, label) => Number(label !== minority));
    return selectOneSided(data, cleaned, startsOf(starts), 1);
  },
  cnn: (data, { 'cnn start': starts }) => {
    const majority = majorityOf(data.counts);
    const sorted = majorityFirst(data, majority);
    const kept = new Set(startsOf(starts).flatMap((start) => condense(sorted, start, 1)));
    return sorted.labels.map((_, row) => row).filter((row) => sorted.labels[row] !== majority || kept.has(row));
  },
  'smote neighbours': (data) => {
    const rows = rowsOfClass(data.labels, minorityOf(data.counts));
    return neighboursAmong(data, rows, rows, 5).ids;
  },
  borderline: (data) => borderRows(data, minorityOf(data.counts), 10),
  adasyn: ({ features, labels }) => {
    const { offsets, parents } = adasyn(features, labels, { seed: 1 }).synthetic;
    const shares = new Int32Array(labels.length);
    for (const offset of offsets.subarray(0, -1)) {
      const base = parents[offset] ?? 0;
      shares[base] = (shares[base] ?? 0) + 1;
    }
    return shares;
  },
  'k-means smote': ({ features, labels, counts }) => {
    const clusters = labels.map((_, row) => row % 3);
    const { synthetic } = kMeansSmote(features, labels, { seed: 1, clusters, balanceThreshold: 0.01 });
    const cells = new Int32Array(3 * counts.length);
    for (const offset of synthetic.offsets.subarray(0, -1)) {
      const base = synthetic.parents[offset] ?? 0;
      const cell = (clusters[base] ?? 0) + 3 * (labels[base] ?? 0);
      cells[cell] = (cells[cell] ?? 0) + 1;
    }
    return cells;
  },
};

function startsOf(starts: Starts): { label: number; rows: Int32Array }[] {
  return Object.entries(starts).map(([label, row]) => ({ label: Number(label), rows: Int32Array.of(row) }));
}

/** What we select on a data set, by method, for the methods of which there is a golden value. */
function ours(data: LabelledRows, theirs: Case): Record<string, string> {
  const results: Record<string, string> = {};
  for (const [name, method] of Object.entries(selections)) {
    if (name in theirs) results[name] = digest(method(data).rows);
  }
  for (const [name, part] of Object.entries(parts)) if (name in theirs) results[name] = digest(part(data, theirs));
  return results;
}

describe(`the same rows as ${golden.madeWith}`, () => {
  it('has at least 30 data sets for every method', () => {
    const all: Case[] = [...golden.generated, ...golden.tables];
    for (const name of Object.keys(selections).concat(
      'oss',
      'cnn',
      'smote neighbours',
      'borderline',
      'adasyn',
      'k-means smote',
    )) {
      expect(all.filter((one) => name in one).length, name).toBeGreaterThanOrEqual(30);
    }
  });

  it.each(golden.generated)('generated data set $seed', (theirs) => {
    const data = drawDataSet(theirs.seed);
    expect(presentClasses(data.counts)).toHaveLength(data.counts.length);
    expect(theirs).toMatchObject(ours(data, theirs));
  });

  it.for(golden.tables)('$table, $rows rows', (theirs, context) => {
    const file = join(process.env.EVENHAND_DATA ?? '', 'tabular', `${theirs.table}.csv`);
    if (!existsSync(file)) return context.skip(`EVENHAND_DATA is not set to a folder with tabular/${theirs.table}.csv`);
    const data = readTable(file);
    expect([data.labels.length, data.columns]).toEqual([theirs.rows, theirs.columns]);
    expect(theirs).toMatchObject(ours(data, theirs));
  });
});
