import { packageVersion } from '../package-version.js';
import type { ProgramDefinition } from './program.js';

/** The program `evenhand`. */
export const EVENHAND: ProgramDefinition = {
  name: 'evenhand',
  description: 'Trains classifiers on imbalanced data, from a table or a folder of images to a tested model.',
  version: packageVersion(new URL('../../package.json', import.meta.url)),
  examples: ['npx evenhand check data.csv', 'npx evenhand train data.csv --target class'],
  commands: [
    {
      name: 'check',
      description: 'Shows what is in a data set and what training would do with it.',
      load: async () => (await import('./commands/check/check.js')).defineCheck,
    },
    {
      name: 'train',
      description: 'Trains a classifier and writes everything to a run folder.',
      load: async () => (await import('./commands/train/train.js')).defineTrain,
    },
    {
      name: 'resume',
      description: 'Continues a run, or several, after an interruption.',
      load: async () => (await import('./commands/train/resume.js')).defineResume,
    },
    {
      name: 'sweep',
      description: 'Searches for good values of options, using only validation data.',
      load: async () => (await import('./commands/sweep/sweep.js')).defineSweep,
    },
    {
      name: 'evaluate',
      description: "Tests a run's model on other data whose classes are known.",
      load: async () => (await import('./commands/evaluate/evaluate.js')).defineEvaluate,
    },
    {
      name: 'predict',
      description: 'Predicts the classes of new rows or images.',
      load: async () => (await import('./commands/predict/predict.js')).definePredict,
    },
    {
      name: 'stream',
      description: 'Predicts rows that keep arriving, and learns from them when their classes are known.',
      load: async () => (await import('./commands/stream/stream.js')).defineStream,
    },
    {
      name: 'serve',
      description: 'Serves predictions over HTTP.',
      load: async () => (await import('./commands/serve/serve.js')).defineServe,
    },
    {
      name: 'compare',
      description: 'Shows runs side by side; runs that differ only in their seed are shown as one.',
      load: async () => (await import('./commands/compare/compare.js')).defineCompare,
    },
    {
      name: 'report',
      description: 'Writes a report about one run, or about several side by side.',
      load: async () => (await import('./commands/report/report.js')).defineReport,
    },
    {
      name: 'studio',
      description: 'Opens a page in the browser to watch, compare, train and try runs.',
      load: async () => (await import('./commands/studio.js')).defineStudio,
    },
    {
      name: 'worker',
      description: 'Takes trials of sweep and train from a queue and trains them on this machine.',
      load: async () => (await import('./commands/worker.js')).defineWorker,
    },
    {
      name: 'queue',
      description: 'Shows a queue of trials, retries them or removes them.',
      load: async () => (await import('./commands/queue.js')).defineQueue,
    },
    {
      name: 'data',
      description: 'Downloads known data sets.',
      load: async () => (await import('./commands/data.js')).defineData,
    },
    {
      name: 'doctor',
      description: 'Shows what this machine has, and how fast it trains.',
      load: async () => (await import('./commands/doctor.js')).defineDoctor,
    },
    {
      name: 'completion',
      description: 'Prints a script that completes commands and options in a shell.',
      load: async () => (await import('./commands/completion.js')).defineCompletion,
    },
    {
      name: 'reference',
      description: 'Prints the reference of the command line.',
      load: async () => (await import('./commands/reference.js')).defineReference,
      hidden: true,
    },
  ],
};
