import { type Random, seededRandom } from '@evenhand/engine';
import { at } from '../checked-access.js';
import {
  combination,
  indexIn,
  isList,
  type Parameter,
  positionOf,
  sizeOf,
  type TrialValues,
  valueAt,
} from './domain.js';
import { countEstimator, type Estimator, parzenEstimator } from './parzen.js';

/** How far a trial came, and how good it was there. */
interface Result {
  /** The highest rung with a known result; -1 while there is none. */
  readonly rung: number;
  /** There; null if training diverged. */
  readonly score: number | null;
}

/** A trial that was begun, as far as its results may be known. */
export interface Tried extends Result {
  readonly values: TrialValues;
}

/** Chooses the values of a trial, by its number and the trials before it, and by nothing else. */
export type Sampler = (trial: number, before: readonly Tried[]) => TrialValues;

/** The ways of choosing. */
export const SAMPLERS = ['tpe', 'random', 'grid'] as const;
export type SamplerName = (typeof SAMPLERS)[number];

/** @param seed - decides all that is random */
export function createSampler(name: SamplerName, parameters: readonly Parameter[], seed: number): Sampler {
  if (name === 'grid') return (trial) => gridValues(parameters, trial);
  return (trial, before) => {
    const random = seededRandom(seed, `trial/${trial}`);
    const values = name === 'tpe' ? tpeValues(parameters, before, random) : randomValues(parameters, random);
    return untried(values, parameters, before, random);
  };
}

/** Of lists there may be no other combination than those before: whoever defines a sweep has counted them. */
function untried(
  values: TrialValues,
  parameters: readonly Parameter[],
  before: readonly Tried[],
  random: Random,
): TrialValues {
  const known = new Set(before.map((trial) => JSON.stringify(trial.values)));
  let found = values;
  while (known.has(JSON.stringify(found))) found = randomValues(parameters, random);
  return found;
}

function gridValues(parameters: readonly Parameter[], trial: number): TrialValues {
  const lists = parameters.map(({ domain }) => (isList(domain) ? domain : []));
  const chosen = combination(lists, trial);
  return Object.fromEntries(parameters.map(({ path }, i) => [path, chosen[i]]));
}

function randomValues(parameters: readonly Parameter[], random: Random): TrialValues {
  const entries = parameters.map(({ path, domain }): [string, unknown] => {
    const position = random();
    return [path, isList(domain) ? domain[Math.floor(position * domain.length)] : valueAt(domain, position)];
  });
  return Object.fromEntries(entries);
}

/** Trials before the estimators have something to go by. */
const STARTUP = 10;
/** γ: the share of the trials that count as good. */
const GOOD_SHARE = 0.15;
/** Drawn from the good, of which the most promising is taken. */
const CANDIDATES = 24;

/**
 * The tree-structured Parzen estimator (Bergstra et al. 2011). Trials are split into the best ⌈γ·n⌉ and the rest; l is
 * estimated from the first, g from the second, for every parameter by itself. Expected improvement rises with
 * `l(x) / g(x)`: of some x that l gives, the one with the highest ratio is taken. Trials without a result yet count as
 * bad, which keeps those that run at the same time apart.
 */
function tpeValues(parameters: readonly Parameter[], before: readonly Tried[], random: Random): TrialValues {
  const ranked = before.filter(({ rung }) => rung >= 0).sort(betterFirst);
  if (ranked.length < STARTUP) return randomValues(parameters, random);
  const split = Math.ceil(GOOD_SHARE * ranked.length);
  const good = ranked.slice(0, split);
  const bad = [...ranked.slice(split), ...before.filter(({ rung }) => rung < 0)];
  const entries = parameters.map((parameter): [string, unknown] => {
    const [likely, unlikely] = [estimatorOf(parameter, good), estimatorOf(parameter, bad)];
    const chosen = mostPromising(likely, unlikely, random);
    const { path, domain } = parameter;
    return [path, isList(domain) ? domain[chosen] : valueAt(domain, chosen)];
  });
  return Object.fromEntries(entries);
}

/** Who came further is better: of its rung it was among the best. */
export function betterFirst(one: Result, other: Result): number {
  if (one.score === null || other.score === null) return Number(one.score === null) - Number(other.score === null);
  return other.rung - one.rung || other.score - one.score;
}

function estimatorOf({ path, domain }: Parameter, trials: readonly Tried[]): Estimator<number> {
  const values = trials.map((trial) => trial.values[path]);
  if (isList(domain))
    return countEstimator(
      values.map((value) => indexIn(domain, value)),
      sizeOf(domain),
    );
  return parzenEstimator(values.map((value) => positionOf(domain, Number(value))));
}

function mostPromising(likely: Estimator<number>, unlikely: Estimator<number>, random: Random): number {
  const candidates = Array.from({ length: CANDIDATES }, () => likely.sample(random));
  const promise = candidates.map((candidate) => likely.logDensity(candidate) - unlikely.logDensity(candidate));
  return at(candidates, promise.indexOf(Math.max(...promise)));
}
