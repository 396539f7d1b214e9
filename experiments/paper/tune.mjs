// Measures recipes, ε and μ for the paper's tables: node experiments/paper/tune.mjs <trials.jsonl> <results.jsonl>. A trial is what a line
// of results/tuning begins with, so that such a file can be measured again; may be interrupted.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { trainCells } from '../cells.mjs';

const [trials, results] = process.argv.slice(2);
if (results === undefined)
  throw new Error('expected two files: node experiments/paper/tune.mjs <trials.jsonl> <results.jsonl>');
const lines = readFileSync(trials, 'utf8')
  .split('\n')
  .filter((line) => line !== '');
const cells = lines.map((line) => {
  const { setting, loss, method, recipe, images = 'validation', draw } = JSON.parse(line);
  const trial = { setting, loss, method, recipe, images, draw };
  return { key: trial, job: trial };
});
const program = fileURLToPath(new URL('train-trial.mjs', import.meta.url));
await trainCells(results, program, cells, (measured) => measured);
