import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConfigInput, train } from 'evenhand';
import { parseConfig, parseSweep } from 'evenhand/config';
import { savePlan } from '../built.js';
import { readFiles } from '../fuzz-case.js';
import type { Files } from '../reader.js';
import { picture } from './images.js';

const OPTIONS = { epochs: 2, batchSize: 16, threads: 1 } as const;
const MLP: ConfigInput['model'] = { name: 'mlp', hidden: [4] };
const VIT: ConfigInput['model'] = { name: 'vit', patch: 4, width: 8, depth: 1, heads: 2 };

/** The models of small runs: on tables and images, with an objective and without. */
export function modelCorpus(): Promise<Files> {
  return inTemporaryFolder(async (folder) => {
    const model = async (name: string, config: ConfigInput): Promise<[string, Uint8Array]> => {
      await train(config, { folder: join(folder, name) });
      return [`${name}.onnx`, await readFile(join(folder, name, 'model.onnx'))];
    };
    const table = await writeTable(folder, ['common', 'rare', 'rarer']);
    const two = await writeTable(folder, ['no', 'yes']);
    const images = await writeImages(folder);
    return new Map([
      await model('three-classes', { ...OPTIONS, data: { source: table, target: 'class' }, model: MLP }),
      await model('objective', {
        ...OPTIONS,
        data: { source: two, target: 'class' },
        model: MLP,
        decision: { objective: 'balanced-accuracy' },
      }),
      await model('vit', { ...OPTIONS, data: { source: images }, model: VIT }),
      await model('lenet', {
        ...OPTIONS,
        epochs: 1,
        data: { source: images, imageSize: 28 },
        model: { name: 'lenet5' },
      }),
    ]);
  });
}

/** All that a folder of runs can have but the model: the files of a run, the plan of a comparison, and a sweep. */
export function runCorpus(): Promise<Files> {
  return inTemporaryFolder(async (folder) => {
    const data = { source: await writeTable(folder, ['no', 'yes']), target: 'class' };
    const config = { ...OPTIONS, data, model: MLP, decision: { objective: 'macro-f1' } } as const;
    const run = join(folder, 'run');
    await train(config, { folder: run });
    await rm(join(run, 'model.onnx'));
    const plan = join(folder, 'plan');
    const trials = [0, 1].map((seed) => ({ key: `seed-${seed}`, config: parseConfig({ ...config, seed }) }));
    await savePlan({ folder: plan, trials });
    const search = {
      'optimizer.learningRate': { from: 1e-4, to: 0.1, scale: 'log' },
      'method.enhancementRate': [1, 3],
    };
    const sweep = Buffer.from(JSON.stringify(parseSweep({ config, search }), null, 2));
    return new Map([...(await readFiles(run)), ...(await readFiles(plan)), ['sweep.json', sweep]]);
  });
}

async function inTemporaryFolder<Result>(make: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'evenhand-corpus-'));
  try {
    return await make(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function writeTable(folder: string, classes: readonly string[]): Promise<string> {
  const rows = Array.from({ length: 72 }, (_, i) => {
    const kind = ['red', 'green', 'blue'][i % 3];
    const label = classes[i % 9 === 0 ? classes.length - 1 : i % (classes.length - 1 || 1)];
    return `${(i * 7) % 23}.5,${kind},2024-0${1 + (i % 9)}-1${i % 10},${i % 2 === 0 ? 'yes' : 'no'},${label}\n`;
  });
  const path = join(folder, `${classes.length}-classes.csv`);
  await writeFile(path, `amount,kind,day,member,class\n${rows.join('')}`);
  return path;
}

async function writeImages(folder: string): Promise<string> {
  const path = join(folder, 'images');
  for (const [label, name] of ['cat', 'dog'].entries()) {
    await mkdir(join(path, name), { recursive: true });
    for (let i = 0; i < 12; i++) {
      await writeFile(
        join(path, name, `${i}.png`),
        await picture(8, 8, 3, 3 * i + label)
          .png()
          .toBuffer(),
      );
    }
  }
  return path;
}
