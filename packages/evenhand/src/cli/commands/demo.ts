import type { Command } from 'commander';
import { planRuns } from '../run-plan.js';
import { trainAndShow } from '../train-and-show.js';
import { addOutputOptions, defineCommand, terminalOf, textOf, valuesOf } from './define-command.js';

/** One recipe for both methods. */
const RECIPE = {
  data: { source: 'mnist', imbalance: { kind: 'mnist-long-tail' } },
  model: { name: 'lenet5' },
  loss: { name: 'cross-entropy' },
  optimizer: { name: 'sgd', learningRate: 0.01, momentum: 0.9, weightDecay: 5e-4 },
  schedule: { name: 'cosine' },
  batchSize: 128,
};

const EPOCHS = '30';

/** `evenhand demo`. */
export function demoCommand(): Command {
  const command = defineCommand(
    'demo',
    'Long-tailed MNIST: one-hot labels against enhancement encoding, in two minutes.',
    ['demo', 'demo --epochs 5 --run runs/quick'],
  )
    .option('--run <folder>', 'where the runs go (default: a new folder in runs/)')
    .option('--no-report', 'write no report.html')
    .option('--epochs <number>', `times that training goes through the data (default ${EPOCHS})`);
  addOutputOptions(command);
  return command.action(async () => {
    const terminal = terminalOf(command);
    terminal.note(
      'Handwritten digits, of which there are 5,918 zeros and 7 nines to learn from. LeNet-5, the same recipe twice.',
    );
    const epochs = textOf(command, 'epochs') ?? EPOCHS;
    const recipe = { ...RECIPE, epochs: /^\d+$/.test(epochs) ? Number(epochs) : epochs };
    const folder = textOf(command, 'run');
    const plan = planRuns(recipe, { method: 'one-hot,enhancement', seeds: 1, folder });
    await trainAndShow(terminal, plan, { report: valuesOf(command).report === true });
  });
}
