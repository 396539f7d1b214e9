// The splits of every table and seed as JSON, for scikit_learn.py. Rows are counted from 0, without the header.
import { pathOf, readSplits, SEEDS, TABLES } from './tables.mjs';

const tables = [];
for (const table of TABLES) {
  const { dataset, splits } = await readSplits(table);
  const { classNames, columns } = dataset;
  tables.push({
    table: table.name,
    path: pathOf(table.name),
    columns: columns.map(({ name, kind }) => ({ name, kind })),
    classes: Array.from(dataset.labels, (label) => classNames[label]),
    splits: splits.map(({ training, validation, test }, i) => ({
      seed: SEEDS[i],
      // scikit-learn needs no validation set, so it learns from those rows too.
      fit: [...training, ...validation],
      test: [...test],
    })),
  });
}
process.stdout.write(JSON.stringify(tables));
