import type { Labels, RowBuffer, Values } from './arrays.js';
import { checkSomeLabels } from './check-arguments.js';
import { checkClassNames } from './class-names.js';
import { costMatrix, normaliseRows } from './cost-matrix.js';
import { ENCODER_FORMAT, ENCODER_VERSION, type EncoderJSON, parseEncoder, type SavedRate } from './encoder-json.js';
import { checkPart, type EncodingPart, identityMatrix, updateGeneratorMatrix } from './generator-matrix.js';
import { encodeLabels } from './label-encoding.js';
import { addOwnSquares, diagonalOf, ownVariances } from './own-probability.js';
import type { EpochRates, Rate, RateContext, RateName } from './rates/rate.js';
import { checkedRate, rateNow } from './rates/rate-of-epoch.js';
import { filterRows, initialRowFilter, type RowFilterState } from './rates/row-filter.js';
import { classCounts, softConfusionMatrix } from './soft-confusion-matrix.js';

/** ε where none is given: `EnhancementEncoder`, `@evenhand/tfjs` and `evenhand` all start from it. Chosen by validation data. */
export const DEFAULT_ENHANCEMENT_RATE = 3;

/** μ where none is given, chosen together with {@link DEFAULT_ENHANCEMENT_RATE}: large values of both together do harm. */
export const DEFAULT_UPDATING_RATE = 0.1;

export interface EncoderOptions {
  /** The number of classes, or their names. */
  readonly classes: number | readonly string[];
  /**
   * ε ≥ 0: how strongly confusion changes the labels. 0 is one-hot training. `'auto'` is {@link steadyPush}.
   * @defaultValue {@link DEFAULT_ENHANCEMENT_RATE}, 3
   */
  readonly enhancementRate?: Rate;
  /**
   * μ from 0 to 1: how much of each epoch's measurement enters the generator matrix. `'auto'` is a rate per class, by how noisy the
   * measurement of the class is.
   * @defaultValue {@link DEFAULT_UPDATING_RATE}, 0.1
   */
  readonly updatingRate?: Rate;
  /** @defaultValue `'full'` */
  readonly part?: EncodingPart;
}

/**
 * Enhancement encoding's part in training (Algorithm 1 of the paper). Before every epoch, the first included: forward the
 * validation set in inference mode, `observe` it, `update`; then train the epoch on label rows from `encode`.
 *
 * @example
 * ```ts
 * const encoder = new EnhancementEncoder({ classes: ['healthy', 'ill'] });
 * for (let epoch = 0; epoch < epochs; epoch++) {
 *   encoder.observe(validation.labels, predict(validation.inputs));
 *   encoder.update();
 *   trainEpoch(training.inputs, encoder.encode(training.labels));
 * }
 * ```
 */
export class EnhancementEncoder {
  readonly classNames: readonly string[];
  readonly part: EncodingPart;
  readonly #enhancementRate: Rate;
  readonly #updatingRate: Rate;
  #epoch = 0;
  #generator: Float64Array;
  #softConfusion: Float64Array;
  #counts: Float64Array;
  #ownSquares: Float64Array;
  #rowFilter: RowFilterState;
  #rates: EpochRates | undefined;
  #staleClasses: readonly number[];
  /** After an update the next observation starts a new measurement. */
  #updated = true;

  constructor(options: EncoderOptions) {
    const {
      classes,
      part = 'full',
      enhancementRate = DEFAULT_ENHANCEMENT_RATE,
      updatingRate = DEFAULT_UPDATING_RATE,
    } = options;
    this.classNames = checkClassNames(classes);
    checkPart(part);
    this.part = part;
    this.#enhancementRate = checkedRate(enhancementRate, this.classes, 'enhancementRate');
    this.#updatingRate = checkedRate(updatingRate, this.classes, 'updatingRate');
    this.#generator = identityMatrix(this.classes);
    this.#softConfusion = new Float64Array(this.classes ** 2);
    this.#counts = new Float64Array(this.classes);
    this.#ownSquares = new Float64Array(this.classes);
    this.#rowFilter = initialRowFilter(this.classes);
    this.#staleClasses = this.classNames.map((_, p) => p);
  }

  /** The number of classes. */
  get classes(): number {
    return this.classNames.length;
  }

  /** How many updates there were: the epoch that is being trained, from 1. */
  get epoch(): number {
    return this.#epoch;
  }

  /** G, a copy: row p is the label of every instance of class p. */
  get generatorMatrix(): Float64Array {
    return this.#generator.slice();
  }

  /** S, a copy: what was observed since the last update; right after an update, what that update used. */
  get softConfusionMatrix(): Float64Array {
    return this.#softConfusion.slice();
  }

  /** How many instances of each class are in {@link softConfusionMatrix}; a copy. */
  get observedCounts(): Float64Array {
    return this.#counts.slice();
  }

  /** ε and μ of the last update; undefined before the first. */
  get rates(): EpochRates | undefined {
    return this.#rates;
  }

  /**
   * Classes whose row of G is older than the last update, because the validation set has no instance of them. All
   * classes before the first update.
   */
  get staleClasses(): readonly number[] {
    return this.#staleClasses;
  }

  /**
   * Takes in validation instances, in any number of calls. If an argument is bad, nothing changes.
   *
   * @param labels - true classes
   * @param probabilities - softmax outputs, one row per instance
   */
  observe(labels: Labels, probabilities: Values): void {
    const instances = checkSomeLabels(labels, this.classes);
    if (this.#updated) {
      this.#softConfusion = softConfusionMatrix(instances, probabilities, this.classes);
      this.#counts = classCounts(instances, this.classes);
      this.#ownSquares = new Float64Array(this.classes);
      this.#updated = false;
    } else {
      softConfusionMatrix(instances, probabilities, this.classes, this.#softConfusion);
      classCounts(instances, this.classes, this.#counts);
    }
    addOwnSquares(instances, probabilities, this.#ownSquares);
  }

  /** Updates the generator matrix with what was observed since the last update. */
  update(): void {
    if (this.#updated) {
      throw new RangeError('nothing was observed since the last update; call observe() with the validation set first');
    }
    const normalised = normaliseRows(this.#softConfusion, this.#counts);
    const ownVariance = ownVariances(this.#softConfusion, this.#ownSquares, this.#counts);
    const own = diagonalOf(normalised, this.classes);
    const filtered = filterRows(this.#rowFilter, { counts: this.#counts, own, ownVariance });
    // Each rate gets copies of its own: one that changes them changes nothing else.
    const context = (): RateContext => ({
      epoch: this.#epoch,
      classes: this.classes,
      normalisedSoftConfusion: normalised.slice(),
      generatorMatrix: this.generatorMatrix,
      observedCounts: this.observedCounts,
      ownVariance: ownVariance.slice(),
      gains: filtered.gains.slice(),
      previousRates: this.#rates,
    });
    const rates: EpochRates = {
      enhancementRate: rateNow(this.#enhancementRate, context(), 'enhancementRate'),
      updatingRate: rateNow(this.#updatingRate, context(), 'updatingRate'),
    };
    this.#generator = updateGeneratorMatrix(this.#generator, costMatrix(normalised), { ...rates, part: this.part });
    this.#rates = rates;
    this.#rowFilter = filtered.state;
    this.#staleClasses = this.classNames.flatMap((_, p) => (this.#counts[p] === 0 ? [p] : []));
    this.#epoch++;
    this.#updated = true;
  }

  /**
   * Label rows for training instances: row p of G for every instance of class p.
   *
   * @param into - where to write; see `encodeLabels`
   */
  encode(labels: Labels): Float32Array;
  encode<Rows extends RowBuffer>(labels: Labels, into: Rows): Rows;
  encode(labels: Labels, into?: RowBuffer): RowBuffer {
    return into === undefined ? encodeLabels(labels, this.#generator) : encodeLabels(labels, this.#generator, into);
  }

  toJSON(): EncoderJSON {
    return {
      format: ENCODER_FORMAT,
      version: ENCODER_VERSION,
      classNames: this.classNames,
      enhancementRate: savedRate(this.#enhancementRate),
      updatingRate: savedRate(this.#updatingRate),
      part: this.part,
      epoch: this.#epoch,
      generatorMatrix: Array.from(this.#generator),
      softConfusionMatrix: Array.from(this.#softConfusion),
      observedCounts: Array.from(this.#counts),
      ownSquares: Array.from(this.#ownSquares),
      rowFilter: this.#rowFilter,
      rates: this.#rates ?? null,
      staleClasses: this.#staleClasses,
      updated: this.#updated,
    };
  }

  /**
   * The encoder that `toJSON` was called on, exactly.
   *
   * @param json - parsed JSON; all of it is checked
   * @param schedules - the rates that were functions, which JSON cannot hold
   */
  static fromJSON(json: unknown, schedules: Schedules = {}): EnhancementEncoder {
    const state = parseEncoder(json);
    const encoder = new EnhancementEncoder({
      classes: state.classNames,
      part: state.part,
      enhancementRate: restoreRate(state.enhancementRate, schedules.enhancementRate, 'enhancementRate'),
      updatingRate: restoreRate(state.updatingRate, schedules.updatingRate, 'updatingRate'),
    });
    encoder.#epoch = state.epoch;
    encoder.#generator = Float64Array.from(state.generatorMatrix);
    encoder.#softConfusion = Float64Array.from(state.softConfusionMatrix);
    encoder.#counts = Float64Array.from(state.observedCounts);
    encoder.#ownSquares = Float64Array.from(state.ownSquares);
    encoder.#rowFilter = state.rowFilter;
    encoder.#rates = state.rates ?? undefined;
    encoder.#staleClasses = state.staleClasses;
    encoder.#updated = state.updated;
    return encoder;
  }
}

/** The rates of a saved encoder that were functions. */
export type Schedules = Pick<EncoderOptions, 'enhancementRate' | 'updatingRate'>;

function savedRate(rate: Rate): SavedRate {
  if (typeof rate === 'function') return 'schedule';
  return typeof rate === 'object' ? Array.from(rate) : rate;
}

function restoreRate(saved: SavedRate, given: Rate | undefined, name: RateName): Rate {
  if (saved !== 'schedule') return saved;
  if (given === undefined) {
    throw new TypeError(
      `${name} was a function when the encoder was saved; give it again: fromJSON(json, { ${name} })`,
    );
  }
  return given;
}
