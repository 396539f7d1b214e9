import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConfigInput } from 'evenhand';
import { randomNumbers } from './random-numbers.js';

/** Classes of {@link writeTable}; not all of them are harmless. */
const CLASS_NAMES = ['=cmd', '__proto__', 'plain'];

/**
 * Writes a CSV file with two numbers, a category and imbalanced classes that can be learned; its last column is `class`.
 *
 * @param classNames - the first has the most rows
 */
export async function writeTable(folder: string, classNames: readonly string[] = CLASS_NAMES): Promise<string> {
  const random = randomNumbers(3);
  const rows = classNames.flatMap((name, p) =>
    Array.from({ length: Math.max(20, 100 - 40 * p) }, () => {
      const colour = random() < 0.7 ? (['red', 'green', 'blue'][p % 3] ?? '') : 'grey';
      return `${[p + 2 * random(), (p % 3) + random(), colour, `"${name.replaceAll('"', '""')}"`].join(',')}\n`;
    }),
  );
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'table.csv');
  await writeFile(path, `x,y,colour,class\n${rows.join('')}`);
  return path;
}

/** Training on such a table that takes a moment and is random in every way that there is for tables. */
export function tableConfig(source: string, options: Partial<ConfigInput> = {}): ConfigInput {
  return {
    data: { source, target: 'class', giveBack: 1 },
    model: { name: 'mlp', hidden: [16], dropout: 0.2 },
    optimizer: { name: 'adamw', learningRate: 0.01 },
    epochs: 2,
    batchSize: 8,
    threads: 1,
    ...options,
  };
}
