// 260 calcifications among 11,183 spots on mammograms: node examples/gallery/mammography.mjs [--quick] [--out folder] [--results folder]
// The table is tabular/mammography.csv in the folder that EVENHAND_DATA names.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openModel, train } from 'evenhand';
import { writeReport } from 'evenhand/report';
import { dataPath, out, percent, quick, tell } from './story.mjs';

// Names that people understand, instead of −1 and 1.
mkdirSync(out, { recursive: true });
const table = join(out, 'mammography.csv');
const text = readFileSync(dataPath('tabular', 'mammography.csv'), 'utf8');
writeFileSync(table, text.replaceAll(/,-1$/gm, ',normal').replaceAll(/,1$/gm, ',calcification'));

const objectives = [
  { name: 'balanced', text: 'as many as possible of both classes', objective: 'balanced-accuracy' },
  { name: 'precise', text: 'few false alarms', objective: { recallAtPrecision: 0.75, class: 'calcification' } },
];
const numbers = {};
const lines = [];
for (const { name, text: wish, objective } of objectives) {
  const folder = join(out, `mammography-${name}`);
  const config = {
    data: { source: table, target: 'class' },
    decision: { objective },
    ...(quick ? { model: { name: 'mlp', hidden: [16] }, epochs: 2 } : {}),
  };
  const { evaluation } = await train(config, { folder, importance: !quick });
  await writeReport(folder);
  const [rare] = evaluation.report.perClass.filter((one) => one.name === 'calcification');
  numbers[name] = { recall: rare?.recall.value, precision: rare?.precision.value, testCalcifications: rare?.support };
  lines.push(
    `${wish}: finds ${percent(rare?.recall.value)} of the calcifications; of its alarms ${percent(rare?.precision.value)} are right`,
  );
}

const model = await openModel(join(out, 'mammography-balanced', 'model.onnx'));
const { labels } = await model.predictRows([{ x1: 1.2, x2: 4.1, x3: 0.6, x4: 2.8, x5: -0.4, x6: 0.5 }]);
await model.close();
tell('mammography', { ...numbers, newSpot: labels[0] }, [...lines, `a new spot: ${labels[0]}`]);
