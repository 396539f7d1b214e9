import type { Trial } from '../trials/trial.js';
import type { TrialRunner } from '../trials/trial-runner.js';
import { UserError } from '../user-error.js';
import { configWith } from './base-config.js';
import { type DrawToEvaluate, divergedDraw, drawKey, type EvaluatedDraw, readDraw, scoreOf } from './evaluated-draw.js';
import { meanScore } from './outcome.js';
import { epochsAt, epochsOf, rungCount } from './rungs.js';
import type { RungEvaluation } from './schedule.js';
import type { SweepFolder } from './sweep-folder.js';

/** A draw of a trial as a run of its own. */
export interface DrawTrial extends Trial {
  readonly draw: DrawToEvaluate;
}

/** A trial on a rung, judged by all of its draws. */
export interface EvaluatedTrial {
  /** The mean over the draws; null if one of them diverged. */
  readonly score: number | null;
  readonly draws: readonly EvaluatedDraw[];
  /** Of which so many are in the results file already. */
  readonly recorded: number;
}

/** Trains and judges the trials of a sweep, and does nothing twice. */
export class TrialEvaluator {
  readonly #folder: SweepFolder;
  readonly #runner: TrialRunner<DrawTrial>;
  readonly #onEpochs: (done: number) => void;
  readonly #rungs: number;
  /** Results of an earlier process that were not asked for yet. */
  readonly #recorded: EvaluatedDraw[];
  /** Complete ones, by the draw's key. */
  readonly #epochs = new Map<string, number>();

  /** @param onEpochs - is told how many epochs are done in all */
  constructor(folder: SweepFolder, runner: TrialRunner<DrawTrial>, onEpochs: (done: number) => void) {
    this.#folder = folder;
    this.#runner = runner;
    this.#onEpochs = onEpochs;
    this.#rungs = rungCount(folder.definition);
    this.#recorded = [...folder.evaluated];
  }

  /** Results in the file are in the order of the decisions, in which this is called. */
  async evaluate({ trial, rung, values }: RungEvaluation): Promise<EvaluatedTrial> {
    const { definition } = this.#folder;
    const epoch = epochsAt(rung, this.#rungs, epochsOf(definition, values));
    const wanted = Array.from({ length: definition.draws }, (_, draw) => ({ trial, values, draw, epoch }));
    const recorded = this.#recorded.splice(0, wanted.length);
    for (const [i, found] of recorded.entries()) this.#checkRecorded(found, wanted[i]);
    const settled = await Promise.allSettled(wanted.slice(recorded.length).map((draw) => this.#evaluateDraw(draw)));
    const trained = settled.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
    const draws = [...recorded, ...trained];
    return { score: meanScore(draws.map(scoreOf)).score, draws, recorded: recorded.length };
  }

  #checkRecorded(found: EvaluatedDraw, wanted: DrawToEvaluate | undefined): void {
    const identity = (draw: DrawToEvaluate | undefined) =>
      JSON.stringify([draw?.trial, draw?.draw, draw?.epoch, draw?.values]);
    if (identity(found) === identity(wanted)) {
      this.countEpochs(found);
      return;
    }
    throw new UserError(
      `${this.#folder.path} goes on differently than it began: its results have draw ${found.draw} of trial ${found.trial} ` +
        `where draw ${wanted?.draw} of trial ${wanted?.trial} is expected. They were changed, or made by another version of ` +
        'evenhand: start a new sweep',
    );
  }

  async #evaluateDraw(draw: DrawToEvaluate): Promise<EvaluatedDraw> {
    const result = await this.#runner.run({
      key: drawKey(draw),
      config: this.#configOf(draw),
      until: draw.epoch,
      draw,
    });
    const { folder } = result;
    if (result.status === 'diverged') return divergedDraw(folder, draw);
    if (result.status === 'failed') {
      // What cannot be trained for one trial ends the sweep: the others do not go on for hours.
      this.#runner.stop(result.error);
      throw result.error;
    }
    this.countEpochs(draw);
    return readDraw(folder, draw);
  }

  /** Every draw has its own validation instances, initial weights and order. */
  #configOf({ values, draw }: DrawToEvaluate) {
    const { config } = this.#folder.definition;
    return configWith(config, { ...values, 'data.validationDraw': draw, seed: Number(config.seed) + draw });
  }

  /** Takes in how far a draw was trained. */
  countEpochs({ trial, draw, epoch }: Pick<DrawToEvaluate, 'trial' | 'draw' | 'epoch'>): void {
    this.#epochs.set(drawKey({ trial, draw }), epoch);
    this.#onEpochs([...this.#epochs.values()].reduce((sum, epochs) => sum + epochs, 0));
  }
}
