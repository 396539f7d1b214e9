import { DivergedJobError, type JobPool } from '../experiments/job-pool.js';
import { UserError } from '../user-error.js';
import { configWith } from './base-config.js';
import { type DrawToEvaluate, divergedDraw, type EvaluatedDraw, readDraw, scoreOf } from './evaluated-draw.js';
import { meanScore } from './outcome.js';
import { epochsAt, epochsOf, rungCount } from './rungs.js';
import type { RungEvaluation } from './schedule.js';
import type { SweepFolder } from './sweep-folder.js';

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
  readonly #pool: JobPool;
  readonly #onEpochs: (done: number) => void;
  readonly #rungs: number;
  /** Results of an earlier process that were not asked for yet. */
  readonly #recorded: EvaluatedDraw[];
  /** Complete ones, by the run's folder. */
  readonly #epochs = new Map<string, number>();

  /** @param onEpochs - is told how many epochs are done in all */
  constructor(folder: SweepFolder, pool: JobPool, onEpochs: (done: number) => void) {
    this.#folder = folder;
    this.#pool = pool;
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
      this.#countEpochs(this.#folder.runFolder(found.trial, found.draw), found.epoch);
      return;
    }
    throw new UserError(
      `${this.#folder.path} goes on differently than it began: its results have draw ${found.draw} of trial ${found.trial} ` +
        `where draw ${wanted?.draw} of trial ${wanted?.trial} is expected. They were changed, or made by another version of ` +
        'evenhand: start a new sweep',
    );
  }

  async #evaluateDraw(draw: DrawToEvaluate): Promise<EvaluatedDraw> {
    const folder = this.#folder.runFolder(draw.trial, draw.draw);
    try {
      const known = await readDraw(folder, draw);
      if (known !== undefined) {
        this.#countEpochs(folder, draw.epoch);
        return known;
      }
      const job = { folder, config: this.#configOf(draw), pauseAfter: draw.epoch };
      await this.#pool.run(job, ({ epoch }) => this.#countEpochs(folder, epoch));
      const found = await readDraw(folder, draw);
      if (found === undefined) throw new Error(`internal: ${folder} was not trained for ${draw.epoch} epochs`);
      return found;
    } catch (error) {
      if (error instanceof DivergedJobError) return divergedDraw(folder, draw);
      // What cannot be trained for one trial ends the sweep: the others do not go on for hours.
      this.#pool.stop(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }

  /** Every draw has its own validation instances, initial weights and order. */
  #configOf({ values, draw }: DrawToEvaluate) {
    const { config } = this.#folder.definition;
    return configWith(config, { ...values, 'data.validationDraw': draw, seed: Number(config.seed) + draw });
  }

  #countEpochs(folder: string, epoch: number): void {
    this.#epochs.set(folder, epoch);
    this.#onEpochs([...this.#epochs.values()].reduce((sum, epochs) => sum + epochs, 0));
  }
}
