import { expect, it } from 'vitest';
import type { PortfolioMember } from '../../src/runs/evaluation-file.js';
import { refitText } from '../../src/runs/refit-text.js';

const ORIGIN = 'Calibration, answers and out-of-fold estimates come from the networks that left out a fold.';

it('says on how many rows and for how many epochs a model was refitted, and what still comes from the folds', () => {
  expect(refitText({ refit: { rows: 1234, epochs: 1 } })).toBe(
    `The model was refitted on all 1,234 training rows for 1 epoch. ${ORIGIN}`,
  );
});

it('says why a model was not refitted', () => {
  expect(refitText({ refit: { skipped: 'the time of 60 s was over before it began' } })).toBe(
    'The model was not refitted: the time of 60 s was over before it began.',
  );
});

it('says it of every member with a share, and nothing where no refit was asked for', () => {
  const member = (name: string): PortfolioMember => ({
    name,
    weight: 0.5,
    balancedLogLoss: 0.1,
    balancedAccuracy: 0.9,
    epochs: 9,
  });
  const portfolio = [
    { ...member('linear'), refit: { rows: 90, epochs: 7 } },
    { ...member('tabular'), refit: { skipped: 'its training diverged in epoch 2' } },
    { ...member('none'), weight: 0 },
  ];
  expect(refitText({ portfolio })).toBe(
    `Member linear was refitted on all 90 training rows for 7 epochs. Member tabular was not refitted: its training diverged in epoch 2. ${ORIGIN}`,
  );
  expect(refitText({ portfolio: [member('linear')] })).toBeUndefined();
  expect(refitText({})).toBeUndefined();
});
