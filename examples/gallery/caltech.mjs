// Photographs of seven things, from 200 down to 13 images: node examples/gallery/caltech.mjs [--quick] [--out folder] [--results folder]
// The images are 101_ObjectCategories (Caltech 101) in the folder that EVENHAND_DATA names.
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { train } from 'evenhand';
import { writeComparison } from 'evenhand/report';
import { dataPath, out, percent, quick, tell } from './story.mjs';

// A long tail, as collections have it: each thing has about 0.63 times as many photographs as the one before.
const things = ['airplanes', 'Motorbikes', 'watch', 'bonsai', 'ketch', 'chandelier', 'butterfly'];
const photographs = join(out, 'photographs');
for (const [i, thing] of things.entries()) {
  const from = dataPath('101_ObjectCategories', thing);
  const count = Math.round((quick ? 30 : 200) * 0.63 ** i);
  mkdirSync(join(photographs, thing), { recursive: true });
  for (const file of readdirSync(from).sort().slice(0, Math.max(6, count))) {
    cpSync(join(from, file), join(photographs, thing, file));
  }
}

const folders = [];
const numbers = {};
const lines = [];
for (const method of ['one-hot', 'logit-adjustment']) {
  const folder = join(out, `caltech-${method}`);
  const config = {
    data: { source: photographs, imageSize: 32 },
    model: { name: quick ? 'lenet5' : 'resnet20' },
    method: { name: method },
    augmentation: { flip: true },
    epochs: quick ? 1 : 20,
    batchSize: 32,
  };
  const { evaluation } = await train(config, { folder });
  folders.push(folder);
  const balancedAccuracy = evaluation.estimates.balancedAccuracy.value;
  const recalls = evaluation.report.perClass.map(({ name, recall }) => [name, recall.value]);
  const found = evaluation.report.perClass.map(({ name, recall }) => `${name} ${percent(recall.value)}`);
  numbers[method] = { balancedAccuracy, recalls: Object.fromEntries(recalls) };
  lines.push(`${method}: balanced accuracy ${percent(balancedAccuracy)}`, `  ${found.join(', ')}`);
}
await writeComparison(folders, join(out, 'caltech.html'));
tell('caltech', numbers, lines);
