import { at } from '../checked-access.js';
import type { TrialValues } from './domain.js';
import type { Sampler, Tried } from './samplers.js';

/** η: of so many trials on a rung one goes on. */
export const REDUCTION = 3;

/** A trial that is to be trained up to a rung and judged there. */
export interface RungEvaluation {
  readonly trial: number;
  readonly rung: number;
  readonly values: TrialValues;
}

interface Trial {
  readonly values: TrialValues;
  /** The highest rung that it was sent to. */
  rung: number;
  /** By rung, as far as known; null if training diverged. */
  readonly scores: (number | null)[];
}

/**
 * Decides what is evaluated next, by successive halving without waiting (ASHA, Li et al. 2020): a trial goes on to the next
 * rung as soon as it is among the best third of those seen on its own; if there is none, a new one is begun. The decisions
 * depend on what was told, in which order, and on nothing else.
 */
export class Schedule {
  readonly #trials: Trial[] = [];
  readonly #most: number;
  readonly #rungs: number;
  readonly #sampler: Sampler;

  constructor(options: { readonly trials: number; readonly rungs: number; readonly sampler: Sampler }) {
    this.#most = options.trials;
    this.#rungs = options.rungs;
    this.#sampler = options.sampler;
  }

  /** What to do next; undefined if there is nothing before more is told. */
  next(): RungEvaluation | undefined {
    return this.#promotion() ?? this.#newTrial();
  }

  /** Takes in how good a trial was on a rung; null if it diverged. */
  tell({ trial, rung }: RungEvaluation, score: number | null): void {
    at(this.#trials, trial).scores[rung] = score;
  }

  /** Whether a trial's last result is known, and no result of another can make it go on. */
  isOver(trial: number): boolean {
    const { rung, scores } = at(this.#trials, trial);
    const score = scores[rung];
    if (score === undefined) return false;
    if (score === null || rung === this.#rungs - 1) return true;
    return this.#ranked(rung).indexOf(trial) >= Math.floor(this.#most / REDUCTION);
  }

  #promotion(): RungEvaluation | undefined {
    for (let rung = this.#rungs - 2; rung >= 0; rung--) {
      const ranked = this.#ranked(rung);
      const best = ranked.slice(0, Math.floor(ranked.length / REDUCTION));
      for (const number of best) {
        const trial = at(this.#trials, number);
        if (trial.rung !== rung || trial.scores[rung] === null) continue;
        trial.rung++;
        return { trial: number, rung: trial.rung, values: trial.values };
      }
    }
    return undefined;
  }

  #newTrial(): RungEvaluation | undefined {
    const trial = this.#trials.length;
    if (trial === this.#most) return undefined;
    const values = this.#sampler(trial, this.#trials.map(triedOf));
    this.#trials.push({ values, rung: 0, scores: [] });
    return { trial, rung: 0, values };
  }

  /** Numbers of the trials with a result on a rung, the best first; of equally good ones, the first. */
  #ranked(rung: number): number[] {
    return this.#trials
      .flatMap(({ scores }, trial) => {
        const score = scores[rung];
        return score === undefined ? [] : [{ trial, score: score ?? Number.NEGATIVE_INFINITY }];
      })
      .sort((a, b) => (a.score === b.score ? a.trial - b.trial : b.score - a.score))
      .map(({ trial }) => trial);
  }
}

function triedOf({ values, scores }: Trial): Tried {
  return { values, rung: scores.length - 1, score: scores.at(-1) ?? null };
}

/**
 * Runs a schedule with several evaluations under way, and with the same decisions every time: the next one is made when
 * all but the last `ahead − 1` results are known, and from those alone, even if others have come in meanwhile. How fast
 * the evaluations are, and how many at once, changes nothing.
 *
 * @param evaluate - starts an evaluation
 * @param onKnown - is told of every result, in the order of the decisions
 */
export async function runSchedule<Result extends { readonly score: number | null }>(
  schedule: Schedule,
  ahead: number,
  evaluate: (evaluation: RungEvaluation) => Promise<Result>,
  onKnown: (evaluation: RungEvaluation, result: Result) => Promise<void>,
): Promise<void> {
  const underWay: { readonly evaluation: RungEvaluation; readonly result: Promise<Result> }[] = [];
  const takeIn = async () => {
    const first = underWay.shift();
    if (first === undefined) return;
    const result = await first.result;
    schedule.tell(first.evaluation, result.score);
    await onKnown(first.evaluation, result);
  };
  try {
    for (;;) {
      const evaluation = schedule.next();
      if (evaluation !== undefined) {
        const result = evaluate(evaluation);
        result.catch(() => undefined); // it is awaited when its turn comes
        underWay.push({ evaluation, result });
      } else if (underWay.length === 0) return;
      if (evaluation === undefined || underWay.length === ahead) await takeIn();
    }
  } finally {
    // After a failure nothing may go on behind the back of whoever called.
    await Promise.allSettled(underWay.map(({ result }) => result));
  }
}
