import { type ConfigInput, parseConfig } from 'evenhand/config';
import type { Files } from '../reader.js';

const DATA = { source: 'table.csv', target: 'class' } as const;

const CONFIGURATIONS: Readonly<Record<string, ConfigInput>> = {
  table: { data: { ...DATA, ignore: ['id'], types: { zip: 'categorical' } }, threads: 2 },
  costs: {
    data: DATA,
    decision: {
      objective: {
        costs: [
          [0, 1],
          [5, 0],
        ],
      },
    },
    method: { name: 'one-hot' },
    threads: 2,
  },
  steps: {
    data: { source: 'images', imageSize: 32 },
    model: { name: 'resnet20' },
    schedule: { name: 'multi-step', milestones: [10, 20], warmUpEpochs: 2 },
    optimizer: { name: 'sgd', learningRate: 0.1, clipNorm: 1 },
    augmentation: { padding: 2, flip: false },
    earlyStopping: { patience: 3 },
    threads: 2,
  },
};

/** Configurations as people write them, and as runs keep them. */
export async function configCorpus(): Promise<Files> {
  return new Map(
    Object.entries(CONFIGURATIONS).flatMap(([name, given]) => [
      [`${name}.json`, Buffer.from(JSON.stringify(given))] as const,
      [`${name}-complete.json`, Buffer.from(`\ufeff${JSON.stringify(parseConfig(given), null, 2)}`)] as const,
    ]),
  );
}
