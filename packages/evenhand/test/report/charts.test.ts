import { seededRandom } from '@evenhand/engine';
import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { embeddingChart } from '../../src/report/plots/embedding.js';
import { heatMap } from '../../src/report/plots/heat-map.js';
import { recallChart } from '../../src/report/plots/recall.js';

function classesOf(count: number, name = (p: number) => `class ${p}`) {
  const places = Array.from({ length: count }, (_, p) => p);
  return { classNames: places.map(name), classOrder: places, minority: new Set(places.slice(count / 2)) };
}

function elements(svg: { readonly text: string }, selector: string) {
  return [...parseHTML(svg.text).document.querySelectorAll(selector)];
}

describe('the map of outputs', () => {
  const points = 10_000;
  const random = seededRandom(1, 'map');
  const embedding = Float64Array.from({ length: 2 * points }, () => 100 * random());
  const labels = Int32Array.from({ length: points }, (_, i) => i % 10);

  it('of 10,000 points is a light file: every point is drawn, in one path a class', () => {
    const svg = embeddingChart(classesOf(10), embedding, labels);
    const paths = elements(svg, 'path').map((path) => path.getAttribute('d') ?? '');
    expect(paths).toHaveLength(10);
    for (const path of paths) expect(path.match(/M/g)).toHaveLength(points / 10);
    expect(svg.text.length).toBeLessThan(250_000);
  });

  it('has coordinates of at most one decimal, inside its frame', () => {
    const numbers = elements(embeddingChart(classesOf(10), embedding, labels), 'path').flatMap(
      (path) => path.getAttribute('d')?.match(/[\d.]+/g) ?? [],
    );
    expect(numbers.filter((number) => !/^\d+(\.\d)?$/.test(number))).toEqual([]);
    expect(Math.max(...numbers.map(Number))).toBeLessThan(400);
  });

  it('of many classes colours the five rarest, and names them inside its frame', () => {
    const svg = embeddingChart(
      classesOf(20, (p) => `${'W'.repeat(30)}${p}`),
      embedding,
      labels.map((_, i) => i % 20),
    );
    const strokes = elements(svg, 'g[stroke]').map((group) => group.getAttribute('stroke'));
    expect(strokes.filter((stroke) => stroke?.startsWith('var(--series'))).toHaveLength(5);
    const names = elements(svg, 'text');
    expect(names).toHaveLength(5);
    for (const name of names) {
      const [, x] = /translate\(([\d.]+)/.exec(name.getAttribute('transform') ?? '') ?? [];
      expect(Math.abs(Number(x) - 200)).toBeLessThan(130);
    }
  });
});

describe('the map of outputs of many classes', () => {
  it('colours the rarest that are on it: others may have had too few instances to be tested', () => {
    const labels = Int32Array.from({ length: 60 }, (_, i) => i % 12);
    const svg = embeddingChart(
      classesOf(15),
      Float64Array.from({ length: 120 }, (_, k) => Math.sqrt(k)),
      labels,
    );
    expect(
      elements(svg, 'text')
        .map((name) => name.textContent)
        .sort(),
    ).toEqual([10, 11, 7, 8, 9].map((p) => `class ${p}`));
  });
});

describe('a chart with a row a class', () => {
  const recalls = (count: number) => [Array.from({ length: count }, () => ({ value: 0.5, low: 0.4, high: 0.6 }))];
  const labelled = (svg: { readonly text: string }) =>
    elements(svg, 'text').filter((text) => text.textContent === 'recall').length;

  it('has its axis with a label below', () => {
    expect(labelled(recallChart(classesOf(10), recalls(10)))).toBe(1);
  });

  it('of many classes, which scrolls, has it above as well', () => {
    expect(labelled(recallChart(classesOf(101), recalls(101)))).toBe(2);
  });
});

describe('a heat map', () => {
  it('leaves out what is 0 in whole per cent', () => {
    const svg = heatMap(classesOf(2), 'shares', Float64Array.of(0.996, 0.004, 0.006, 0.994));
    const texts = elements(svg, 'text').map((text) => text.textContent);
    expect(texts).toContain('1');
    expect(texts).not.toContain('0');
  });

  it('has the instances below their share, also where that is less than 1 per cent', () => {
    const svg = heatMap(
      classesOf(2),
      'shares',
      Float64Array.of(0.999, 0.001, 0.25, 0.75),
      1,
      Float64Array.of(1998, 2, 1, 3),
    );
    const texts = elements(svg, 'text').map((text) => text.textContent);
    expect(texts).toEqual(expect.arrayContaining(['100', '<1', '25', '75', '1,998', '2', '1', '3']));
  });

  it('is as strong in colour as asked: full colour may stand for less than 1', () => {
    const opacities = (full: number) =>
      elements(heatMap(classesOf(2), 'shares', Float64Array.of(0.2, 0.1, 0.05, 0.2), full), 'rect[fill-opacity]').map(
        (cell) => Number(cell.getAttribute('fill-opacity')),
      );
    expect(opacities(0.2)).toEqual([1, 0.5, 0.25, 1]);
    expect(opacities(1)).toEqual([0.2, 0.1, 0.05, 0.2]);
  });

  it('with long names is no wider than a column of the page', () => {
    const svg = heatMap(
      classesOf(11, () => 'x'.repeat(200)),
      'shares',
      new Float64Array(121).fill(1 / 11),
    );
    expect(Number(elements(svg, 'svg')[0]?.getAttribute('width'))).toBeLessThanOrEqual(464);
  });
});
