import { type ProgramDefinition, packageVersion } from 'evenhand/command-line';
import { npmScript } from './npm-script.js';

/** The program `evenhand-paper`. */
export const PAPER: ProgramDefinition = {
  name: 'evenhand-paper',
  description: 'Carries out the experiments of the paper on enhancement encoding, and shows them beside what it found.',
  version: packageVersion(new URL('../package.json', import.meta.url)),
  examples: ['npm start', npmScript('reproduce', 'table1', '--only', 'long-tail/ce', '--seeds', '1')],
  commands: [
    {
      name: 'demo',
      description: 'Long-tailed MNIST: one-hot labels against enhancement encoding, in two minutes.',
      load: async () => (await import('./commands/demo.js')).defineDemo,
    },
    {
      name: 'reproduce',
      description: "Runs the paper's experiments; what is finished is not repeated.",
      load: async () => (await import('./commands/reproduce/reproduce.js')).defineReproduce,
    },
    {
      name: 'tune',
      description: "Searches for the recipe, ε or μ of a row of the paper's tables, by validation images alone.",
      load: async () => (await import('./commands/tune.js')).defineTune,
    },
    {
      name: 'tables',
      description:
        'Trains on folds of seven imbalanced tables, or others, and compares with scikit-learn and imbalanced-learn.',
      load: async () => (await import('./commands/tables/tables.js')).defineTables,
    },
    {
      name: 'budget',
      description: 'Compares ways of training on long-tailed MNIST that all get the same images.',
      load: async () => (await import('./commands/budget.js')).defineBudget,
    },
    {
      name: 'streams',
      description: 'Compares ways of learning from streams, made ones and tables, with scikit-learn.',
      load: async () => (await import('./commands/streams.js')).defineStreams,
    },
    {
      name: 'gallery',
      description: 'Runs the five examples of the gallery, and writes what they print into its page.',
      load: async () => (await import('./commands/gallery.js')).defineGallery,
    },
  ],
};
