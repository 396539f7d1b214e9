import type { SweepDefinition } from './definition.js';
import { examplesOf, type TrialValues } from './domain.js';
import { REDUCTION } from './schedule.js';

/**
 * How many rungs a sweep has, the last at the end of training: each with three times the epochs of the one before, the first
 * with `minEpochs` at least; and no more than leave one trial in three on each of them something to do.
 */
export function rungCount(definition: Pick<SweepDefinition, 'config' | 'search' | 'pruning' | 'trials'>): number {
  if (definition.pruning === false) return 1;
  const most = Math.min(fewestEpochs(definition) / definition.pruning.minEpochs, definition.trials);
  let rungs = 1;
  while (REDUCTION ** rungs <= most) rungs++;
  return rungs;
}

/** Epochs after which a trial is judged on a rung: `⌈E/η^k⌉`, k rungs below the last, with E epochs in all. */
export function epochsAt(rung: number, rungs: number, epochs: number): number {
  return Math.ceil(epochs / REDUCTION ** (rungs - 1 - rung));
}

/** Epochs in all of a trial with these values. */
export function epochsOf({ config }: Pick<SweepDefinition, 'config'>, values: TrialValues): number {
  return Number(values.epochs ?? config.epochs);
}

/** Epochs that the trials will take in all if every rung lets one third pass; searched epochs by their middle. */
export function expectedEpochs(definition: SweepDefinition): number {
  const { trials, draws, search, config } = definition;
  const choices = search.epochs === undefined ? [config.epochs] : examplesOf(search.epochs);
  const epochs = Number(choices[Math.floor(choices.length / 2)]);
  const rungs = rungCount(definition);
  const ends = Array.from({ length: rungs }, (_, rung) => epochsAt(rung, rungs, epochs));
  return ends.reduce(
    (sum, end, rung) => sum + draws * Math.floor(trials / REDUCTION ** rung) * (end - (ends[rung - 1] ?? 0)),
    0,
  );
}

function fewestEpochs({ config, search }: Pick<SweepDefinition, 'config' | 'search'>): number {
  return Math.min(...(search.epochs === undefined ? [config.epochs] : examplesOf(search.epochs)).map(Number));
}
