import { expect, it } from 'vitest';
import { nearestName } from '../../src/wording/nearest-name.js';

it.each([
  ['epoch', 'epochs'], // left out
  ['bachtSize', 'batchSize'], // exchanged
  ['SEED', 'seed'], // capitals
  ['optimiser', 'optimizer'], // changed
  ['losss', 'loss'], // added
])('%s was meant to be %s', (given, meant) => {
  expect(nearestName(given, ['seed', 'epochs', 'batchSize', 'optimizer', 'loss'])).toBe(meant);
});

it.each(['colour', 'x', ''])('"%s" is near nothing', (given) => {
  expect(nearestName(given, ['seed', 'epochs', 'batchSize'])).toBeUndefined();
});

it('of two names it is the nearer one', () => {
  expect(nearestName('resnet23', ['resnet', 'resnet20', 'resnet34'])).toBe('resnet20');
});

it('names of 160,000 letters take no longer than others', () => {
  const begun = performance.now();
  expect(nearestName('h'.repeat(160_000), ['h'.repeat(160_001)])).toBeUndefined();
  expect(nearestName('epoch', ['h'.repeat(160_000), 'epochs'])).toBe('epochs');
  expect(performance.now() - begun).toBeLessThan(500);
});
