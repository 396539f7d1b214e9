// The age of abalones, 28 classes of 1 to 689 shells: node examples/gallery/abalone.mjs [--quick] [--out folder] [--results folder]
// The table is tabular/abalone.csv in the folder that EVENHAND_DATA names.
import { join } from 'node:path';
import { openRun, train } from 'evenhand';
import { writeReport } from 'evenhand/report';
import { dataPath, out, percent, quick, tell } from './story.mjs';

const folder = join(out, 'abalone');
const config = {
  data: { source: dataPath('tabular', 'abalone.csv'), target: 'class' },
  ...(quick ? { model: { name: 'mlp', hidden: [16] }, epochs: 2 } : {}),
};
const { evaluation, notes } = await train(config, { folder, importance: !quick });
await writeReport(folder);
for (const note of notes) console.log(`note: ${note}`);
const balancedAccuracy = evaluation.estimates.balancedAccuracy.value;

// Ages are ordered: a mistake of one year is small. The model was not told, and yet most of its answers are within one year.
const run = await openRun(folder);
const { names } = await run.classes();
const { labels, answers } = await run.predictions();
const years = Array.from(labels, (label, i) => Math.abs(Number(names[label]) - Number(names[answers[i]])));
const within = (most) => years.filter((difference) => difference <= most).length / years.length;
const [right, oneYear, threeYears] = [within(0), within(1), within(3)];
tell('abalone', { testRows: years.length, balancedAccuracy, right, oneYear, threeYears }, [
  `balanced accuracy: ${percent(balancedAccuracy)}`,
  `right to the year: ${percent(right)}; within one year: ${percent(oneYear)}; within three: ${percent(threeYears)}`,
]);
