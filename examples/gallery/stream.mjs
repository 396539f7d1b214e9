// Alarms of a machine whose behaviour changes: node examples/gallery/stream.mjs [--quick] [--out folder] [--results folder]
// Nothing to download: 20,000 readings, of which 2 % are alarms; in the middle, alarms begin to look different.
import { join } from 'node:path';
import { columnsOfStream, StreamLearner } from 'evenhand/stream';
import * as runtime from 'onnxruntime-node';
import { writeLineChart } from './line-chart.mjs';
import { out, percent, quick, tell } from './story.mjs';

let seed = 1;
const random = () => {
  seed = (seed * 48271) % 2147483647;
  return seed / 2147483647;
};
const noise = () => random() + random() + random() - 1.5;
const count = quick ? 2000 : 20000;
const readings = Array.from({ length: count }, (_, i) => {
  const isAlarm = random() < 0.02;
  const direction = i < count / 2 ? 1 : -1;
  return {
    heat: noise() + (isAlarm ? direction : 0),
    vibration: noise() + (isAlarm ? 0.7 : 0),
    state: isAlarm ? 'alarm' : 'fine',
  };
});

const columns = columnsOfStream(readings.slice(0, 100), { target: 'state' });
const lines = {};
const numbers = {};
const printed = [];
for (const method of ['one-hot', 'logit-adjustment']) {
  const changes = [];
  const learner = await StreamLearner.create({ target: 'state', method }, columns, {
    runtime,
    onEvent: (event) => changes.push(event),
  });
  lines[method] = [];
  let row = 0;
  for await (const outcome of learner.follow(readings)) {
    if (outcome.kind !== 'answer') continue;
    row++;
    // Every row is predicted before it is learned from, so this is a fair test on the last 1,000 rows.
    if (row % (count / 40) === 0) lines[method].push(learner.metrics().windowed.gMean ?? 0);
  }
  const found = changes.filter(({ kind }) => kind !== 'class').map((event) => event.row);
  const [before, after] = [0.5, 1].map((share) => lines[method][share * 40 - 1]);
  numbers[method] = { before, after, changes: found };
  printed.push(
    `${method}: G-mean ${percent(before)} before the change, ${percent(after)} at the end; changes found at rows ${found.join(', ') || 'none'}`,
  );
}
writeLineChart(join(out, 'stream.svg'), {
  title: 'G-mean of the last 1,000 rows; in the middle, alarms begin to look different',
  lines,
  last: `row ${count.toLocaleString('en-US')}`,
});
tell('stream', numbers, printed);
