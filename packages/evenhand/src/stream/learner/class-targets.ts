import { costMatrix, steadyPush, updateGeneratorMatrix } from '@evenhand/encoding';
import type { ClassStatistics } from '@evenhand/streams';
import { at, float64At } from '../../checked-access.js';
import { replayOf, type StreamOptions } from '../options.js';

/** What a learning step is told of the classes. All have the network's room; classes that are not known are never answered. */
export interface ClassTargets {
  /** G `[room, room]`: row p is the label of a row of class p. */
  readonly generator: Float32Array<ArrayBuffer>;
  /** `[room]` */
  readonly classWeights: Float32Array<ArrayBuffer>;
  /** `[room, room]` */
  readonly logitOffsets: Float32Array<ArrayBuffer>;
}

/** What is added to the logits of classes that do not exist: their probability is 0 in float32. */
const NEVER = -1e4;

/** No class is taken for rarer: a class that has just appeared must not outweigh everything. */
const RAREST = 1e-3;

/** Rows of a class that are worth as much as knowing nothing of it, for an automatic μ. */
const PRIOR_ROWS = 10;

/**
 * The targets of a method.
 *
 * @param generator - G of the known classes
 * @param room - classes of the network
 */
export function classTargets(
  options: StreamOptions,
  statistics: ClassStatistics,
  generator: Float64Array,
  room: number,
): ClassTargets {
  const { classes } = statistics;
  const shares = learnedShares(options, statistics);
  const inSquare = (values: Float64Array, beyond: (p: number, q: number) => number) =>
    Float32Array.from({ length: room * room }, (_, i) => {
      const [p, q] = [Math.floor(i / room), i % room];
      return p < classes && q < classes ? float64At(values, p * classes + q) : beyond(p, q);
    });
  const offsets = Float64Array.from({ length: classes * classes }, (_, i) =>
    options.method === 'logit-adjustment' ? options.tau * Math.log(float64At(shares, i % classes)) : 0,
  );
  const balances = options.method === 'class-weights' || options.method === 'balanced-enhancement';
  return {
    generator: inSquare(generator, (p, q) => (p === q ? 1 : 0)),
    // w = 1/(N·π): the mean weight of the rows is 1.
    classWeights: Float32Array.from({ length: room }, (_, p) =>
      p < classes && balances ? 1 / (classes * float64At(shares, p)) : 1,
    ),
    logitOffsets: inSquare(offsets, (_, q) => (q < classes ? 0 : NEVER)),
  };
}

/**
 * The shares of the classes among the rows of a step: those of the stream, and of what is replayed, where all are alike. A share is at
 * least {@link RAREST}.
 */
function learnedShares(options: StreamOptions, statistics: ClassStatistics): Float64Array {
  const [replay, { batch }, { classes }] = [replayOf(options), options, statistics];
  const shares = statistics
    .shares()
    .map((share) => Math.max(RAREST, (batch * share + replay / classes) / (batch + replay)));
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}

/** Whether a method encodes labels. */
export function encodesLabels({ method }: StreamOptions): boolean {
  return method === 'enhancement' || method === 'balanced-enhancement';
}

/**
 * G after another look at what is confused: `G = (1−μ)·G* + μ·(I − ε·C)` with `C = S' − I`, of the faded soft-confusion matrix of rows that
 * were predicted before they were learned from.
 */
export function nextGenerator(
  options: StreamOptions,
  statistics: ClassStatistics,
  previous: Float64Array,
): Float64Array {
  const { classes, counts, softConfusion } = statistics;
  const grown = grownIdentity(previous, classes);
  if (classes < 2) return grown;
  const normalised = softConfusion.map((value, i) => {
    const count = float64At(counts, Math.floor(i / classes));
    return count > 0 ? value / count : Number.NaN;
  });
  const { enhancementRate, updatingRate } = options;
  return updateGeneratorMatrix(grown, costMatrix(normalised), {
    enhancementRate: enhancementRate === 'auto' ? pushingRate(normalised, classes, grown, counts) : enhancementRate,
    // S is a mean over many rows already: what is new of it counts in full, but for a class that has hardly been measured.
    updatingRate: updatingRate === 'auto' ? counts.map((count) => count / (count + PRIOR_ROWS)) : updatingRate,
  });
}

const push = steadyPush();

function pushingRate(
  normalisedSoftConfusion: Float64Array,
  classes: number,
  generatorMatrix: Float64Array,
  observedCounts: Float64Array,
) {
  const unknown = new Float64Array(classes);
  return push({
    epoch: 0,
    classes,
    normalisedSoftConfusion,
    generatorMatrix,
    observedCounts,
    ownVariance: unknown,
    gains: unknown,
    previousRates: undefined,
  });
}

/** G with one-hot labels for classes that it does not have yet. */
export function grownIdentity(generator: Float64Array, classes: number): Float64Array {
  const before = Math.sqrt(generator.length);
  if (before === classes) return generator;
  const grown = Float64Array.from({ length: classes ** 2 }, (_, i) => (i % (classes + 1) === 0 ? 1 : 0));
  for (let p = 0; p < before; p++) {
    for (let q = 0; q < before; q++) grown[p * classes + q] = at(generator, p * before + q);
  }
  return grown;
}

/**
 * How often a network of a bag learns from a row, on average: over-sampling repeats rare classes (`π_max/π_p`), under-sampling leaves out
 * common ones (`π_min/π_p`), as OOB and UOB of Wang, Minku and Yao (2015) do for two classes.
 */
export function baggingRates({ method }: StreamOptions, statistics: ClassStatistics): Float64Array {
  const shares = statistics.shares().map((share) => Math.max(RAREST, share));
  const reference = method === 'over-bagging' ? Math.max(...shares) : Math.min(...shares);
  return shares.map((share) => reference / share);
}
