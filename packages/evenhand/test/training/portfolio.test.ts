import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@evenhand/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConfigInput, openModel, openRun, resume, train } from '../../src/index.js';
import { mixingWeights } from '../../src/training/mixing-weights.js';
import { Child } from '../runs/child-process.js';
import { temporaryFolder } from '../runs/examples.js';
import { filesOf, NETWORK_RESULTS, predictionsOf, resultsOf, writeTable } from './problem.js';

const small = (source: string, options: Partial<ConfigInput> = {}): ConfigInput => ({
  data: { source, target: 'class' },
  model: { name: 'auto' },
  folds: 3,
  epochs: 6,
  threads: 1,
  portfolio: [
    { name: 'linear', model: { name: 'mlp', hidden: [], logitNorm: false }, schedule: { name: 'cosine' } },
    { name: 'trees', model: { name: 'trees', roundsPerEpoch: 2 }, labelSmoothing: 0 },
    { name: 'tabular', model: { name: 'tabular', hidden: [16] } },
  ],
  ...options,
});

describe('the default for a table', () => {
  it('is a portfolio with all that it is told of itself', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder);
    const events: string[] = [];
    const { evaluation } = await train(small(source), {
      folder: join(folder, 'run'),
      onEvent: (event) => events.push(event.kind === 'started' ? `started ${event.member?.name}` : event.kind),
    });
    const { portfolio = [] } = evaluation;
    expect(portfolio.map(({ name }) => name)).toEqual(['linear', 'trees', 'tabular']);
    expect(portfolio.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
    expect(evaluation.report.balancedAccuracy).toBeGreaterThan(0.6);
    // What all have in common is told once.
    expect(events.filter((kind) => kind === 'dataset' || kind === 'split' || kind === 'finished')).toEqual([
      'dataset',
      'split',
      'finished',
    ]);
    expect(events.filter((kind) => kind.startsWith('started'))).toEqual([
      'started linear',
      'started trees',
      'started tabular',
    ]);
    const files = await filesOf(join(folder, 'run'));
    expect(files).toContain('model.onnx');
    expect(files).toContain('members/linear/metrics.jsonl');
    const run = await openRun(join(folder, 'run'));
    expect(run.config.decision.objective).toBe('balanced-accuracy');
    expect((await run.evaluation()).portfolio).toEqual(portfolio);
  });

  it('answers as its one exported model does, on 1,000 rows of which a tenth has a missing value', async () => {
    const folder = await temporaryFolder();
    const source = await writeTable(folder, [3500, 1100, 400]);
    const run = join(folder, 'run');
    await train(small(source, { epochs: 2 }), { folder: run });
    const model = await openModel(join(run, 'model.onnx'));
    const { labels, probabilities } = await model.predictFile(source);
    const [header = [], ...rows] = await predictionsOf(run);
    const predicted = header.indexOf('predicted');
    expect(rows).toHaveLength(1000);
    for (const cells of rows) {
      const row = Number(cells[0]) - 1;
      for (const [q, text] of cells.slice(-3).entries()) {
        expect(Math.abs(Number(text) - (probabilities[row * 3 + q] ?? 2))).toBeLessThan(1e-6);
      }
      expect(cells[predicted]?.replace(/^'/, '')).toBe(labels[row]);
    }
    await model.close();
  });

  it('leaves out what no time is left for, and says so', async () => {
    const folder = await temporaryFolder();
    const { evaluation } = await train(small(await writeTable(folder), { time: 1e-3 }), {
      folder: join(folder, 'run'),
    });
    expect(evaluation.portfolio).toMatchObject([
      { name: 'linear', weight: 1, epochs: 1 },
      { name: 'trees', weight: 0, leftOut: 'the time of 0.001 s was over before its training began' },
      { name: 'tabular', weight: 0, leftOut: 'the time of 0.001 s was over before its training began' },
    ]);
    expect(existsSync(join(folder, 'run', 'members', 'tabular'))).toBe(false);
  });

  it('goes on without a member that diverges', async () => {
    const folder = await temporaryFolder();
    const config = small(await writeTable(folder));
    const [linear, , tabular] = config.portfolio ?? [];
    if (linear === undefined || tabular === undefined) throw new Error('two members');
    const wild = { ...tabular, optimizer: { name: 'sgd' as const, learningRate: 1e30 } };
    const { evaluation } = await train({ ...config, portfolio: [linear, wild] }, { folder: join(folder, 'run') });
    expect(evaluation.portfolio?.[1]).toMatchObject({ name: 'tabular', weight: 0 });
    expect(evaluation.portfolio?.[1]?.leftOut).toMatch(/^its training diverged in epoch \d/);
  });
});

it('goes on without trees where the method is for networks only', async () => {
  const folder = await temporaryFolder();
  const config = small(await writeTable(folder), { method: { name: 'ldam' }, epochs: 2 });
  const { evaluation } = await train(config, { folder: join(folder, 'run'), importance: false });
  expect(evaluation.portfolio?.[1]).toMatchObject({ name: 'trees', weight: 0 });
  expect(evaluation.portfolio?.[1]?.leftOut).toContain('changes the last layer of a network');
});

it('goes on without trees where there are very many classes', async () => {
  const folder = await temporaryFolder();
  const source = join(folder, 'table.csv');
  const rows = Array.from({ length: 65 * 4 }, (_, i) => `${i % 65},${((i * 7919) % 1009) / 8},class ${i % 65}`);
  await writeFile(source, `x,y,class\n${rows.join('\n')}\n`);
  const { evaluation } = await train(small(source, { epochs: 1 }), { folder: join(folder, 'run'), importance: false });
  expect(evaluation.portfolio?.[1]).toMatchObject({ name: 'trees', weight: 0 });
  expect(evaluation.portfolio?.[1]?.leftOut).toContain('with 65 classes, trees would take far longer');
});

const TRAINING = `
  const [mode, folder, config] = process.argv.slice(1);
  const { train, resume } = await import(dist + 'index.js');
  const say = (text) => process.stdout.write(text + '\\n');
  const options = { checkpointSeconds: 0.01, onEvent: ({ kind }) => kind === 'started' && say('started') };
  await (mode === 'train' ? train(JSON.parse(config), { folder, ...options }) : resume(folder, options));
  say('complete');
`;

const KILLS = Math.min(Number(process.env.EVENHAND_KILLS ?? 3), 20);

it(`faults 4 and 5: killed at ${KILLS} random moments, a portfolio comes to the same bytes as one that was not`, {
  timeout: 180_000,
}, async () => {
  const folder = await temporaryFolder();
  const config = small(await writeTable(folder, [600, 200, 60]), { epochs: 10 });
  const start = performance.now();
  await train(config, { folder: join(folder, 'whole') });
  const longest = (2 * (performance.now() - start)) / (KILLS + 1);
  const random = seededRandom(3, 'kills');
  const run = join(folder, 'run');
  for (let kill = 0; kill < KILLS; kill++) {
    const mode = existsSync(join(run, 'config.json')) ? 'resume' : 'train';
    const child = new Child(TRAINING, [mode, run, JSON.stringify(config)]);
    await child.said('started');
    await sleep(random() * longest);
    child.kill('SIGKILL');
    const { signal, output } = await child.ended();
    expect(signal === 'SIGKILL' || output.endsWith('complete\n'), output).toBe(true);
  }
  await resume(run);
  for (const member of ['linear', 'trees', 'tabular']) {
    const inside = (of: string) => resultsOf(join(folder, of, 'members', member), NETWORK_RESULTS);
    expect(await inside('run')).toEqual(await inside('whole'));
  }
  for (const name of ['evaluation.json', 'importance.json', 'predictions.csv', 'model.onnx']) {
    const { readFile } = await import('node:fs/promises');
    expect([name, (await readFile(join(run, name))).equals(await readFile(join(folder, 'whole', name)))]).toEqual([
      name,
      true,
    ]);
  }
});

describe('the weights of a mixture', () => {
  /** Squared distance from a target: least for a known mixture. */
  const distanceTo = (target: readonly number[]) => (mixture: Float32Array) =>
    target.reduce((sum, wanted, i) => sum + (wanted - (mixture[i] ?? 0)) ** 2, 0);

  it('find the mixture that was made', () => {
    const outputs = [Float32Array.of(1, 0), Float32Array.of(0, 1)];
    expect(mixingWeights(outputs, distanceTo([0.25, 0.75]))).toEqual([0.25, 0.75]);
  });

  it('sum to 1, and make a mixture that is no worse than the best of its members', () => {
    const member = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(member, { minLength: 1, maxLength: 4 }), member, (members, target) => {
        const outputs = members.map((values) => Float32Array.from(values));
        const loss = distanceTo(target);
        const weights = mixingWeights(outputs, loss);
        expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 9);
        const mixture = Float32Array.from({ length: 4 }, (_, i) =>
          outputs.reduce((sum, output, m) => sum + (weights[m] ?? 0) * (output[i] ?? 0), 0),
        );
        expect(loss(mixture)).toBeLessThanOrEqual(Math.min(...outputs.map(loss)) + 1e-6);
      }),
    );
  });
});
