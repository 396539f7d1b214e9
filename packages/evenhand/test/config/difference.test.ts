import { expect, it } from 'vitest';
import { configDifference, configHash } from '../../src/config/difference.js';
import { parseConfig } from '../../src/config/parse.js';

const data = { source: 'yeast.csv', target: 'class' };
const model = { name: 'mlp' } as const;
const config = parseConfig({ data, model, threads: 2 });

it('equal configurations have no difference and one hash, whatever the order of their options', () => {
  const other = parseConfig(
    '{"threads":2,"epochs":60,"model":{"name":"mlp"},"data":{"target":"class","source":"yeast.csv"}}',
  );
  expect(configDifference(config, other)).toEqual([]);
  const reversed = { ...Object.fromEntries(Object.entries(config).reverse()), ...config };
  expect(configHash(reversed)).toBe(configHash(config));
});

it('fault 8: names every option that differs, with both values', () => {
  const other = parseConfig({
    data: { ...data, group: 'patient' },
    threads: 2,
    model: { hidden: [32] },
    optimizer: { name: 'sgd', weightDecay: 0.01 },
  });
  expect(configDifference(config, other)).toEqual([
    { path: 'model.hidden', before: [128, 64], after: [32] },
    { path: 'optimizer.name', before: 'adamw', after: 'sgd' },
    { path: 'optimizer.learningRate', before: 0.001, after: 0.05 },
    { path: 'data.group', before: undefined, after: 'patient' },
    { path: 'optimizer.momentum', before: undefined, after: 0.9 },
  ]);
  expect(configHash(other)).not.toBe(configHash(config));
});
