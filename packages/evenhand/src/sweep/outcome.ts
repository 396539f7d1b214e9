import { sampleStatistics } from '../evaluation/sample-statistics.js';
import type { SweepDefinition } from './definition.js';
import type { TrialValues } from './domain.js';
import { type EvaluatedDraw, scoreOf } from './evaluated-draw.js';
import { epochsOf } from './rungs.js';
import { betterFirst } from './samplers.js';

/** The result of a trial. */
export interface TrialOutcome {
  readonly trial: number;
  readonly values: TrialValues;
  /** The rung it came to, from 0, and the epochs it was trained for by then. */
  readonly rung: number;
  readonly epoch: number;
  /** Whether these are all of its epochs. */
  readonly isComplete: boolean;
  /** Mean validation soft accuracy over the draws after that; null if training diverged in one of them. */
  readonly score: number | null;
  /** Standard error of that mean; null where there is one draw only. */
  readonly standardError: number | null;
}

/** The trials of a sweep, from best to worst: who came further is better; those that diverged come last. */
export function rankTrials(definition: SweepDefinition, evaluated: readonly EvaluatedDraw[]): TrialOutcome[] {
  const byTrial = new Map<number, EvaluatedDraw[]>();
  for (const draw of evaluated) byTrial.set(draw.trial, [...(byTrial.get(draw.trial) ?? []), draw]);
  const trials = [...byTrial.values()].map((draws) => outcomeOf(definition, draws));
  return trials.sort((a, b) => betterFirst(a, b) || a.trial - b.trial);
}

/** @param all - every line about one trial, as they were written */
function outcomeOf(definition: SweepDefinition, all: readonly EvaluatedDraw[]): TrialOutcome {
  const [last] = all.slice(-1);
  if (last === undefined) throw new Error('internal: a trial without results');
  const { trial, values, epoch } = last;
  const scores = all.filter((draw) => draw.epoch === epoch).map(scoreOf);
  const rung = new Set(all.map((draw) => draw.epoch)).size - 1;
  const isComplete = epoch === epochsOf(definition, values);
  return { trial, values, rung, epoch, isComplete, ...meanScore(scores) };
}

/** Mean and standard error of the scores of all draws; null where one of them diverged. */
export function meanScore(scores: readonly (number | null)[]): Pick<TrialOutcome, 'score' | 'standardError'> {
  const finite = scores.filter((score) => score !== null);
  if (finite.length < scores.length) return { score: null, standardError: null };
  const { mean, deviation } = sampleStatistics(finite);
  return { score: mean, standardError: deviation === null ? null : deviation / Math.sqrt(finite.length) };
}
