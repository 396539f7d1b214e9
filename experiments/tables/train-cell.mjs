// One cell of an experiment, in a process of its own: node train-cell.mjs '<JSON>'. Its result goes to standard output.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { train } from 'evenhand';
import { configOf, readTuningPart, TABLES } from './tables.mjs';

const { table: name, seeds, tuning, given } = JSON.parse(process.argv[2]);
const table = TABLES.find((known) => known.name === name);
const folder = await mkdtemp(join(tmpdir(), 'evenhand-tables-'));
try {
  const options = tuning ? { dataset: await readTuningPart(table) } : {};
  const results = [];
  for (const seed of seeds) {
    const complete = configOf(table, seed, given);
    // What is left beside all test sets may hold a class only once or twice.
    const config = tuning ? { ...complete, data: { ...complete.data, rareClasses: 'drop', testShare: 0.3 } } : complete;
    const { evaluation } = await train(config, { folder: join(folder, String(seed)), ...options });
    const { accuracy, balancedAccuracy, macro } = evaluation.report;
    results.push({ balancedAccuracy, macroF1: macro.f1.value, accuracy });
  }
  process.stdout.write(JSON.stringify(results));
} finally {
  await rm(folder, { recursive: true, force: true });
}
