import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recipeIn } from '../../src/tuning/trials.js';
import { longTail } from './results.js';
import { written } from './written-page.js';

describe('tuning', () => {
  const recipe = { learningRate: 0.01, weightDecay: 5e-4, batchSize: 128, epochs: 30 };
  const line = (method: object, draw: number, softAccuracy: number, others = {}) => ({
    ...{ setting: 'long-tail', loss: 'ce', method, recipe: { ...recipe, ...others }, draw },
    ...{ softAccuracy, accuracy: softAccuracy },
  });

  it('lists recipes from the best on, mean over draws', async () => {
    const { markdown } = await written(
      [],
      [
        line({ name: 'one-hot' }, 0, 0.8),
        line({ name: 'one-hot' }, 1, 0.82),
        line({ name: 'one-hot' }, 0, 0.9, { learningRate: 0.1 }),
      ],
    );
    const rows = markdown.split('\n').filter((row) => row.startsWith('| sgd'));
    expect(rows).toEqual([
      '| sgd 0.1 | 0.0005 | 128 | 30 | – | validation | 1 | 90.00 | 90.00 |  |',
      '| sgd 0.01 | 0.0005 | 128 | 30 | – | validation | 2 | 81.00 ± 1.41 | 81.00 ± 1.41 |  |',
    ]);
    expect(markdown).toContain('3 tuning runs.');
  });

  it('keeps apart what was measured on held-out images and on validation images, with moved images and without', async () => {
    const oneHot = { setting: 'long-tail', loss: 'ce', method: { name: 'one-hot' } };
    const { markdown } = await written(
      [],
      [
        { ...oneHot, recipe, images: 'held-out', draw: 0, accuracy: 0.95 },
        { ...oneHot, recipe, images: 'held-out', draw: 1, accuracy: 0.97 },
        line({ name: 'one-hot' }, 0, 0.8),
        line({ name: 'one-hot' }, 0, 0.9, { padding: 2 }),
      ],
    );
    const rows = markdown.split('\n').filter((row) => row.startsWith('| sgd'));
    expect(rows).toEqual([
      '| sgd 0.01 | 0.0005 | 128 | 30 | 2 px | validation | 1 | 90.00 | 90.00 |  |',
      '| sgd 0.01 | 0.0005 | 128 | 30 | – | validation | 1 | 80.00 | 80.00 |  |',
      '| sgd 0.01 | 0.0005 | 128 | 30 | – | held-out | 2 | – | 96.00 ± 1.41 |  |',
    ]);
  });

  it('draws soft accuracy over ε and μ, mean over draws, with what is used framed', async () => {
    const cells = longTail([], [91]);
    const config = cells[0]?.config ?? expect.unreachable();
    const { method } = config;
    const inTheTables = recipeIn(config);
    const { markdown, figures } = await written(cells, [
      line({ name: 'one-hot' }, 0, 0.7, inTheTables),
      line(method, 0, 0.8, inTheTables),
      line(method, 1, 0.9, inTheTables),
      line({ ...method, enhancementRate: 100 }, 0, 0.6, inTheTables),
      // Another recipe: its map has no frame.
      line(method, 0, 0.8),
      line({ ...method, enhancementRate: 100 }, 0, 0.6),
    ]);
    const other = await readFile(join(figures, 'tuning-long-tail-ce-2.svg'), 'utf8');
    expect(other).not.toMatch(/var\(--series-1\)[^<]*<rect/);
    const svg = await readFile(join(figures, 'tuning-long-tail-ce.svg'), 'utf8');
    expect(svg).toContain('>85.0<');
    expect(svg).toContain('>60.0<');
    expect(svg.match(/var\(--series-1\)[^<]*<rect/g)).toHaveLength(1);
    expect(markdown).toContain('mean over 1–2 draws');
    expect(markdown).toContain('One-hot with this recipe: 70.00 (1 draw). The frame marks what the tables use.');
  });

  it('refuses a line that is none, by its number', async () => {
    const lines = [line({ name: 'one-hot' }, 0, 0.8), line({ name: 'one-hot' }, 0, 80)];
    await expect(written([], lines)).rejects.toThrow(
      /a\.jsonl: line 2 is not the result of a tuning run: accuracy is 80/,
    );
  });
});
