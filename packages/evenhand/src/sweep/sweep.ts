import type { Executor } from '../trials/executor.js';
import { LocalProcesses } from '../trials/local-processes.js';
import { TrialRunner } from '../trials/trial-runner.js';
import { UserError } from '../user-error.js';
import { configWith } from './base-config.js';
import { parametersOf, parseSweep, type SweepDefinition, type SweepInput } from './definition.js';
import type { EvaluatedDraw } from './evaluated-draw.js';
import { rankTrials, type TrialOutcome } from './outcome.js';
import { expectedEpochs, rungCount } from './rungs.js';
import { createSampler } from './samplers.js';
import { type RungEvaluation, runSchedule, Schedule } from './schedule.js';
import { SweepFolder } from './sweep-folder.js';
import { type DrawTrial, type EvaluatedTrial, TrialEvaluator } from './trial-evaluator.js';

/** How a sweep is carried out. None of it changes what comes out. */
export interface SweepOptions {
  /** The sweep's folder: new, or that of the same sweep, which then goes on. */
  readonly folder: string;
  /** Processes that train at once, with one thread each. @defaultValue as many as the machine runs at once */
  readonly processes?: number;
  /** Trains somewhere other than in processes of this machine. It is closed at the end. */
  readonly executor?: Executor;
  /** Called with every event. */
  readonly onEvent?: (event: SweepEvent) => void;
  /** When aborted, all that is being trained is left at a checkpoint, and the signal's reason is thrown. */
  readonly signal?: AbortSignal;
}

/** What happens in a sweep. */
export type SweepEvent =
  /** Epochs of all draws that are done, and how many it will be if one trial in three passes every rung. */
  | { readonly kind: 'epochs'; readonly done: number; readonly expected: number }
  /** A trial was judged, here or in an earlier process. */
  | {
      readonly kind: 'evaluated';
      readonly trial: number;
      /** Null if training diverged. */
      readonly score: number | null;
      /** Whether it was trained to the end. */
      readonly isComplete: boolean;
    };

/** The result of a sweep. */
export interface SweepResult {
  readonly folder: string;
  readonly definition: SweepDefinition;
  /** From best to worst. */
  readonly trials: readonly TrialOutcome[];
  /** File with the configuration of the best trial, ready to be trained; undefined if every trial diverged. */
  readonly bestConfig: string | undefined;
}

/** In the sweep's folder. */
const BEST_CONFIG = 'best.json';

/**
 * Searches for good values of options on validation sets alone: no trial ever looks at the test set. Killed at any moment and called again with the
 * same definition and folder, it continues and comes to the same results.
 *
 * @example
 * ```ts
 * const { trials } = await sweep(
 *   {
 *     config: { data: { source: 'fraud.csv', target: 'class' } },
 *     search: { 'optimizer.learningRate': { from: 1e-4, to: 0.1, scale: 'log' }, 'method.enhancementRate': [1, 3, 10] },
 *   },
 *   { folder: 'sweeps/fraud' },
 * );
 * trials[0]?.values; // { 'optimizer.learningRate': 0.0031, 'method.enhancementRate': 3 }
 * ```
 * @throws {@link UserError} for what cannot be searched or trained, or if the folder holds another sweep
 */
export async function sweep(input: SweepInput | SweepDefinition, options: SweepOptions): Promise<SweepResult> {
  const definition = parseSweep(input);
  options.signal?.throwIfAborted();
  const folder = await SweepFolder.open(options.folder, definition);
  try {
    const evaluated = await evaluateAll(folder, options);
    const trials = rankTrials(folder.definition, evaluated);
    return { folder: folder.path, definition: folder.definition, trials, bestConfig: await writeBest(folder, trials) };
  } catch (error) {
    if (error instanceof UserError && (await folder.isUnused())) await folder.discard();
    throw error;
  } finally {
    folder.release();
  }
}

/** Every result, in the order of the decisions: the same however fast the trials were. */
async function evaluateAll(
  folder: SweepFolder,
  { processes, executor = new LocalProcesses(processes), signal, onEvent = () => undefined }: SweepOptions,
): Promise<EvaluatedDraw[]> {
  const { definition } = folder;
  const [rungs, expected] = [rungCount(definition), expectedEpochs(definition)];
  const sampler = createSampler(definition.sampler, parametersOf(definition), Number(definition.config.seed));
  const schedule = new Schedule({ trials: definition.trials, rungs, sampler });
  const runner = new TrialRunner<DrawTrial>({
    folder: folder.runs,
    executor,
    signal,
    onEvent: (event) => {
      if (event.kind !== 'training' || event.event.kind !== 'epoch') return;
      evaluator.countEpochs({ ...event.trial.draw, epoch: event.event.metrics.epoch + 1 });
    },
  });
  const evaluator = new TrialEvaluator(folder, runner, (done) => onEvent({ kind: 'epochs', done, expected }));
  const evaluated: EvaluatedDraw[] = [];
  const kept = new Set<number>();
  const record = async ({ trial, rung }: RungEvaluation, { draws, score, recorded }: EvaluatedTrial) => {
    for (const draw of draws.slice(recorded)) {
      refuseChangedData(folder.path, evaluated[0] ?? draw, draw);
      await folder.append(draw);
    }
    evaluated.push(...draws);
    onEvent({ kind: 'evaluated', trial, score, isComplete: rung === rungs - 1 });
    kept.add(trial);
    for (const other of kept) {
      if (!schedule.isOver(other)) continue;
      kept.delete(other);
      await folder.removeCheckpoints(other);
    }
  };
  try {
    await runSchedule(
      schedule,
      definition.ahead,
      (evaluation) => evaluator.evaluate(evaluation),
      (evaluation, result) =>
        record(evaluation, result).catch((error) => {
          runner.stop(error); // what is under way would train on for nothing
          throw error;
        }),
    );
  } finally {
    await runner.close();
  }
  for (const trial of kept) await folder.removeCheckpoints(trial);
  return evaluated;
}

/** A file that was edited since the sweep began would be compared with its former self. */
function refuseChangedData(path: string, before: EvaluatedDraw, now: EvaluatedDraw): void {
  if (before.dataset === now.dataset) return;
  throw new UserError(
    `the data has changed since ${path} was begun; expected the same. Restore it, or start a new sweep`,
  );
}

async function writeBest(folder: SweepFolder, [best]: readonly TrialOutcome[]): Promise<string | undefined> {
  if (best === undefined || best.score === null) return undefined;
  // As many threads as whoever trains it has.
  const { threads: _, ...config } = configWith(folder.definition.config, best.values);
  return folder.write(BEST_CONFIG, config);
}
