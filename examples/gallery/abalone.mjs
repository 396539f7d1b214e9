// The age of abalones, 28 classes of 1 to 689 shells: node examples/gallery/abalone.mjs [--quick] [--out folder]
// The table is tabular/abalone.csv in the folder that EVENHAND_DATA names.
import { join } from 'node:path';
import { openRun, train } from 'evenhand';
import { writeReport } from 'evenhand/report';
import { dataPath, out, percent, quick } from './data-folder.mjs';

const folder = join(out, 'abalone');
const config = {
  data: { source: dataPath('tabular', 'abalone.csv'), target: 'class' },
  ...(quick ? { model: { name: 'mlp', hidden: [16] }, epochs: 2 } : {}),
};
const { evaluation, notes } = await train(config, { folder, importance: !quick });
await writeReport(folder);
for (const note of notes) console.log(`note: ${note}`);
console.log(`balanced accuracy: ${percent(evaluation.estimates.balancedAccuracy.value)}`);

// Ages are ordered: a mistake of one year is small. The model was not told, and seems to know.
const run = await openRun(folder);
const { names } = await run.classes();
const { labels, answers } = await run.predictions();
const years = Array.from(labels, (label, i) => Math.abs(Number(names[label]) - Number(names[answers[i]])));
const within = (most) => percent(years.filter((difference) => difference <= most).length / years.length);
console.log(`right to the year: ${within(0)}; within one year: ${within(1)}; within three: ${within(3)}`);
