import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from '@evenhand/engine';
import type { ConfigInput } from '../../src/index.js';

/** Names of the classes of {@link writeTable}, none of them harmless. */
export const CLASS_NAMES = ['=cmd', '__proto__', 'plain'];

/**
 * A CSV with numbers, categories, booleans, missing values and three imbalanced classes that can be learned.
 *
 * @param counts - rows of each class
 */
export async function writeTable(folder: string, counts: readonly number[] = [120, 40, 20], seed = 1): Promise<string> {
  const random = seededRandom(seed, 'table');
  const rows = counts.flatMap((count, label) =>
    Array.from({ length: count }, () => {
      const noise = () => (random() + random() + random() - 1.5) * 1.4;
      const missing = random() < 0.1;
      const colour = random() < 0.7 ? ['red', 'green', 'blue'][label] : 'grey';
      const cells = [label + noise(), missing ? '' : 2 - label + noise(), colour, random() < 0.5 ? 'yes' : 'no'];
      return `${[...cells, CLASS_NAMES[label]].join(',')}\n`;
    }),
  );
  const path = join(folder, 'table.csv');
  await writeFile(path, `x,y,colour,member,class\n${rows.join('')}`);
  return path;
}

/** A configuration whose training is random in every way that there is for tables. */
export function tableConfig(source: string, options: Partial<ConfigInput> = {}): ConfigInput {
  return {
    data: { source, target: 'class' },
    model: { name: 'mlp', hidden: [16], dropout: 0.2 },
    optimizer: { name: 'adamw', learningRate: 0.01 },
    epochs: 4,
    batchSize: 8,
    threads: 1,
    ...options,
  };
}

/** What every finished run has to have the same bytes of, whatever interrupted it; one on a table that is no member of a portfolio has more. */
export const NETWORK_RESULTS = [
  'config.json',
  'metrics.jsonl',
  'generator.jsonl',
  'evaluation.json',
  'predictions.csv',
  'model.onnx',
];
const RESULTS = [...NETWORK_RESULTS, 'importance.json'];

/** The files of a run that do not depend on when it was interrupted, by name, in hex where they are binary. */
export async function resultsOf(run: string, results: readonly string[] = RESULTS): Promise<Map<string, string>> {
  // Where nothing is held out, no epoch is the best.
  const checkpoints = ['last', 'best'].map((kind) => `checkpoints/${kind}.safetensors`);
  const there = checkpoints.filter((name) => existsSync(join(run, name)));
  const read = async (name: string): Promise<[string, string]> => {
    const isText = /json|csv/.test(name);
    return [name, (await readFile(join(run, name))).toString(isText ? 'utf8' : 'hex')];
  };
  return new Map(await Promise.all([...results, ...there].map(read)));
}

/** Everything in a run folder, sorted. */
export async function filesOf(run: string): Promise<string[]> {
  return (await readdir(run, { recursive: true })).sort();
}

/** `predictions.csv` as cells; for tables whose texts have no commas. */
export async function predictionsOf(run: string): Promise<string[][]> {
  const text = await readFile(join(run, 'predictions.csv'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
}
