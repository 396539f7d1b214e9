import { join } from 'node:path';
import { at } from '../checked-access.js';
import { type Config, isOfTrees, type LearnerConfig, learnerConfig } from '../config/schema.js';
import { answersOf } from '../decision/answer-rule.js';
import type { Checkpoint } from '../runs/checkpoint.js';
import type { PortfolioMember, Refit } from '../runs/evaluation-file.js';
import { isRun, RUN_FILES } from '../runs/run-files.js';
import type { ResumedRun, RunSetting } from '../runs/run-writer.js';
import { openDataset } from '../sources/open-source.js';
import { DivergedError } from './diverged.js';
import type { TrainingListener } from './events.js';
import { finish } from './finish.js';
import { whyNotForNetworks, whyNotForTrees } from './learners/tree-labels.js';
import { mixingWeights } from './mixing-weights.js';
import { checkRefit, refit, type TrainedPack } from './refit.js';
import type { RunResult } from './result.js';
import type { RunOptions, TimedOptions } from './run-options.js';
import { settingOf } from './run-setting.js';
import { setUpTraining, type TrainingSetup } from './set-up.js';
import { balancedLogLoss } from './validation.js';

/** Begins a run or goes on with one, once all is known of it. */
export type BeginRun = (
  setting: RunSetting,
  /** Puts training where a checkpoint was made; throws what does not fit. */
  restore: (checkpoint: Checkpoint, folder: string) => Promise<void>,
) => Promise<ResumedRun>;

/** A network, a pack or trees that were trained in a run of their own. */
export interface LearnerRun extends TrainedPack {
  readonly result: RunResult;
}

/** Trains a member of a portfolio in a folder, or goes on with it. */
type TrainMember = (folder: string, config: LearnerConfig, options: TimedOptions) => Promise<LearnerRun>;

/**
 * Trains the members of a portfolio one after the other, each in a run of its own below the folder `members`, and mixes their
 * probabilities by how good they are out of fold. One that diverges is left out, and so is one for which no time is left.
 */
export async function trainPortfolio(
  config: Config,
  options: RunOptions,
  begin: BeginRun,
  trainMember: TrainMember,
): Promise<RunResult> {
  const { onEvent = () => undefined, signal } = options;
  const deadline = config.time === undefined ? Number.POSITIVE_INFINITY : performance.now() + 1000 * config.time;
  const onProgress = (done: number, total: number) => onEvent({ kind: 'reading', done, total });
  const dataset = options.dataset ?? (await openDataset(config.data, { onProgress, signal }));
  const members = membersOf(config);
  const { gitCommit } = options;
  const shared = await setUpTraining(at(members, 0).config, onEvent, { dataset, signal, gitCommit });
  if (config.refit === true) checkRefit(shared);
  const { run, notes } = await begin({ ...settingOf(shared), config }, async () => undefined);
  try {
    const trained: Trained[] = [];
    const folderOf = (name: string) => join(run.path, RUN_FILES.members, name);
    const optionsOf = (name: string) => ({
      ...options,
      dataset,
      deadline,
      importance: false, // that of the mixture is asked for
      onEvent: ofMember(onEvent, {
        name,
        index: members.findIndex((member) => member.name === name),
        of: members.length,
      }),
    });
    for (const [index, { name, config: own }] of members.entries()) {
      const folder = folderOf(name);
      const unfit = isOfTrees(own) ? whyNoTreesBeside(own, shared) : whyNotForNetworks(own.method.name);
      if (unfit !== undefined) {
        trained.push({ name, leftOut: unfit });
        continue;
      }
      if (performance.now() >= deadline && trained.length > 0 && !isRun(folder)) {
        trained.push({ name, leftOut: `the time of ${config.time} s was over before its training began` });
        continue;
      }
      try {
        const member = await trainMember(folder, own, optionsOf(name));
        trained.push({ name, ...member });
      } catch (error) {
        const isLast = index === members.length - 1 && !trained.some((one) => 'trained' in one);
        if (!(error instanceof DivergedError) || isLast) throw error;
        trained.push({ name, leftOut: `its training diverged in epoch ${error.divergence.epoch + 1}` });
      }
    }
    const mixture = mixed(trained, shared);
    const { networks, portfolio } =
      config.refit === true
        ? await refitted(mixture, (name, pack) => refit(pack, folderOf(name), optionsOf(name)))
        : mixture;
    const evaluation = await finish({ config, setup: shared, networks, portfolio }, run, options);
    const result: RunResult = {
      folder: run.path,
      epochs: Math.max(...portfolio.map(({ epochs }) => epochs)),
      stoppedEarly: false,
      evaluation,
      notes: [...shared.dataset.notes, ...shared.split.notes, ...notes],
    };
    onEvent({ kind: 'finished', result });
    return result;
  } catch (error) {
    await run.withdraw();
    throw error;
  } finally {
    run.release();
  }
}

/** Every round grows a tree per class and fold; above this, trees would take far longer than all other members together. */
const MOST_CLASSES_OF_TREES = 64;

/** Why trees are no member of a portfolio; undefined if they are. */
function whyNoTreesBeside({ method: { name } }: LearnerConfig, { method, dataset }: TrainingSetup): string | undefined {
  const classes = dataset.classNames.length;
  if (classes <= MOST_CLASSES_OF_TREES) return whyNotForTrees(name, method);
  return `with ${classes} classes, trees would take far longer than the other members; --model trees trains them alone`;
}

type Trained = { readonly name: string } & (LearnerRun | { readonly leftOut: string });

/**
 * The members of a portfolio with complete configurations of their own. None refits by itself: which have a share, and whether
 * there is time, is known when all are trained.
 */
function membersOf({
  model: _,
  refit: __,
  portfolio = [],
  ...shared
}: Config): { readonly name: string; readonly config: LearnerConfig }[] {
  return portfolio.map(({ name, model, ...own }) => ({ name, config: learnerConfig({ ...shared, ...own }, model) }));
}

/** What members do, for whoever shows the portfolio: what they have in common is told once, before them. */
function ofMember(
  onEvent: TrainingListener,
  member: { readonly name: string; readonly index: number; readonly of: number },
): TrainingListener {
  return (event) => {
    if (event.kind === 'dataset' || event.kind === 'split' || event.kind === 'finished') return;
    onEvent(event.kind === 'started' ? { ...event, member } : event);
  };
}

/** Networks with their weights, and what is told of all members. */
interface Mixture {
  readonly networks: readonly (TrainedPack & { readonly name: string; readonly weight: number })[];
  readonly portfolio: readonly PortfolioMember[];
}

/**
 * Refits the members that have a share, one after the other. As soon as the time is over, those that are left stay as they are; so does the
 * first where the training of any took all of it.
 */
async function refitted(
  { networks, portfolio }: Mixture,
  refitMember: (name: string, pack: TrainedPack) => ReturnType<typeof refit>,
): Promise<Mixture> {
  let outOfTime = networks.some((network) => network.outOfTime);
  const deployed: (Mixture['networks'][number] & { readonly refit?: Refit })[] = [];
  for (const network of networks) {
    const { name, weight } = network;
    const again = weight === 0 ? network : await refitMember(name, { ...network, outOfTime });
    outOfTime ||= again.outOfTime;
    deployed.push({ ...again, name, weight });
  }
  const refitOf = (name: string) => deployed.find((network) => network.name === name)?.refit;
  return {
    networks: deployed,
    portfolio: portfolio.map((member) => {
      const own = refitOf(member.name);
      return own === undefined ? member : { ...member, refit: own };
    }),
  };
}

function mixed(
  members: readonly Trained[],
  { measuring: { labels }, assumedLogPrior, dataset }: TrainingSetup,
): Mixture {
  const classes = dataset.classNames.length;
  const complete = members.filter((member) => 'trained' in member);
  const outputs = complete.map(({ trained }) => trained.measured);
  const weights = mixingWeights(outputs, (mixture) => balancedLogLoss(labels, mixture, classes, assumedLogPrior));
  const networks = complete.map(({ name, setup, trained, outOfTime }, i) => ({
    name,
    setup,
    trained,
    outOfTime,
    weight: at(weights, i),
  }));
  const evenly = { kind: 'offsets', offsets: Array.from(assumedLogPrior, (logShare) => -logShare) } as const;
  const portfolio = members.map((member): PortfolioMember => {
    if ('leftOut' in member) {
      const { name, leftOut } = member;
      return { name, weight: 0, balancedLogLoss: null, balancedAccuracy: null, epochs: 0, leftOut };
    }
    const { name, result, trained } = member;
    const answers = answersOf(evenly, trained.measured, classes);
    return {
      name,
      weight: networks.find((network) => network.name === name)?.weight ?? 0,
      balancedLogLoss: balancedLogLoss(labels, trained.measured, classes, assumedLogPrior),
      balancedAccuracy: meanRecall(labels, answers, classes),
      epochs: result.epochs,
    };
  });
  return { networks, portfolio };
}

/** Mean share of the instances of a class that are answered rightly, over the classes that there are. */
function meanRecall(labels: Int32Array, answers: Int32Array, classes: number): number {
  const counts = Array.from({ length: classes }, () => ({ all: 0, right: 0 }));
  for (const [i, label] of labels.entries()) {
    const own = at(counts, label);
    own.all++;
    if (answers[i] === label) own.right++;
  }
  const present = counts.filter(({ all }) => all > 0);
  return present.reduce((sum, { all, right }) => sum + right / all, 0) / present.length;
}
