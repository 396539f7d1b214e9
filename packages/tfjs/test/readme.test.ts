import { readFileSync } from 'node:fs';
import { enhance } from '@evenhand/tfjs';
import * as tf from '@tensorflow/tfjs';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { SeededRandom } from './seeded-random.js';

beforeAll(async () => {
  await tf.setBackend('cpu');
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** The first TypeScript block, which is the one to copy. It is JavaScript too. */
function example(): string {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const code = /```ts\n(.*?)```/s.exec(readme)?.[1];
  if (code === undefined) throw new Error('README.md has no ts block');
  return code;
}

/** What the example prints. Initial weights and fit's shuffle come from Math.random, which is seeded here. */
async function printed(seed: number): Promise<string[]> {
  const random = new SeededRandom(seed);
  vi.spyOn(Math, 'random').mockImplementation(() => random.uniform());
  const lines: string[] = [];
  const body = example().replace(/^import .*$/gm, '');
  const run = new Function('enhance', 'tf', 'console', `return (async () => {${body}})();`);
  await run(enhance, tf, { log: (line: string) => lines.push(line) });
  return lines;
}

it("the README's second example saves a model, loads it, and goes on with its matrix", async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, code = ''] = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, inside]) => inside);
  const model = tf.sequential({ layers: [tf.layers.dense({ units: 2, activation: 'softmax', inputShape: [3] })] });
  const validation = { inputs: tf.ones([4, 3]), labels: [0, 0, 1, 1] };
  const { encoder, crossEntropy, callback } = enhance(model, { validation });
  model.compile({ optimizer: 'adam', loss: crossEntropy });
  const labels = tf.oneHot(tf.tensor1d([0, 0, 0, 1], 'int32'), 2);
  await model.fit(tf.ones([4, 3]), labels, { epochs: 1, verbose: 0, callbacks: callback });
  let artifacts: tf.io.ModelArtifacts = {};
  const url: tf.io.IOHandler = {
    save: async (saved) => {
      artifacts = saved;
      return { modelArtifactsInfo: { dateSaved: new Date(), modelTopologyType: 'JSON' } };
    },
    load: async () => artifacts,
  };
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const run = new Function(
    'enhance',
    'tf',
    'model',
    'url',
    'validation',
    `return (async () => {${code}; return enhancement;})();`,
  );
  const enhancement: ReturnType<typeof enhance> = await run(enhance, tf, model, url, validation);
  expect(enhancement.encoder.epoch).toBe(1);
  expect(enhancement.encoder.generatorMatrix).toEqual(encoder.generatorMatrix);
});

it("the README's example imports nothing but the two packages that it installs", () => {
  expect(example().match(/^import .*$/gm)).toEqual([
    "import { enhance } from '@evenhand/tfjs';",
    "import * as tf from '@tensorflow/tfjs';",
  ]);
});

it("the README's example runs as printed, and over three runs the rare class gains", async () => {
  // One run is not enough: the initial weights move the rare class's recall by several points.
  const sums = { oneHot: { rare: 0, balanced: 0 }, enhanced: { rare: 0, balanced: 0 } };
  for (const seed of [1, 2, 3]) {
    const lines = await printed(seed);
    expect(lines).toHaveLength(2);
    for (const [arm, line] of [
      [sums.oneHot, lines[0]],
      [sums.enhanced, lines[1]],
    ] as const) {
      const recalls = /^(?:one-hot|enhanced): recall \d+ \/ \d+ \/ (\d+) %, balanced accuracy (\d+) %$/.exec(
        line ?? '',
      );
      arm.rare += Number(recalls?.[1]);
      arm.balanced += Number(recalls?.[2]);
    }
  }
  expect(sums.enhanced.rare).toBeGreaterThan(sums.oneHot.rare);
  expect(sums.enhanced.balanced).toBeGreaterThan(sums.oneHot.balanced);
});
