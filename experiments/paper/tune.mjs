// Measures recipes, ε and μ for the paper's tables: node experiments/paper/tune.mjs <trials.jsonl> <results.jsonl>. A trial is what a line
// of results/tuning begins with, so that such a file can be measured again; may be interrupted.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readLines, trainCells } from '../cells.mjs';

const [trials, results] = process.argv.slice(2);
if (!existsSync(trials)) throw new Error(`there is no file ${trials}`);
const cells = readLines(trials).map(({ setting, loss, method, recipe, images = 'validation', draw }) => {
  const trial = { setting, loss, method, recipe, images, draw };
  return { key: trial, job: trial };
});
const program = fileURLToPath(new URL('train-trial.mjs', import.meta.url));
await trainCells(results, program, cells, (measured) => measured);
