import { EnhancementEncoder } from '@evenhand/encoding';
import {
  adamw,
  createModel,
  createProgram,
  crossEntropy,
  type OnnxRuntime,
  type Program,
  ProgramSession,
  seededRandom,
  shuffled,
  splitIntoBatches,
} from '@evenhand/engine';
import { heldOut, type Point, paintedClasses } from '../points.js';
import { GRID, METHODS, type Method, type MethodSnapshot, type Rates, type Snapshot } from './protocol.js';

const BATCH = 128;
const EVALUATION_BATCH = 512;
const HIDDEN = [16];
const LEARNING_RATE = 0.01;
/** Much, for smooth borders. */
const WEIGHT_DECAY = 0.3;
/** Epochs after a change until training is over. */
const EPOCHS = 150;
/** What is left of the learning rate then. */
const LAST_RATE = 0.02;

/** A network in the contest. */
interface Contestant {
  readonly method: Method;
  readonly session: ProgramSession;
}

/** The points that teach, and those that measure. */
interface Split {
  readonly training: readonly Point[];
  readonly validation: readonly Point[];
}

/**
 * Three networks that begin with the same weights and see the same points in the same order; they differ in their labels and logits
 * alone. One-hot: `CE(z, e_p)`. Enhancement: `CE(z, G_p)`, G measured on the held-out points before every epoch (Algorithm 1).
 * Logit adjustment: `CE(z + τ·log π, e_p)`.
 */
export class Contest {
  /** The classes that take part: indices in the list of all. */
  readonly classes: readonly number[];
  readonly #contestants: readonly Contestant[];
  readonly #encoder: EnhancementEncoder;
  #points: readonly Point[];
  #rates: Rates;
  #epoch = 0;
  #changedAt = 0;
  #step = 0;

  private constructor(contestants: readonly Contestant[], points: readonly Point[], rates: Rates) {
    this.classes = paintedClasses(points);
    this.#contestants = contestants;
    this.#points = points;
    this.#rates = rates;
    this.#encoder = new EnhancementEncoder({
      classes: this.classes.length,
      enhancementRate: () => this.#rates.enhancementRate,
      updatingRate: () => this.#rates.updatingRate,
    });
  }

  /** @param points - of at least two classes */
  static async create(runtime: OnnxRuntime, points: readonly Point[], rates: Rates): Promise<Contest> {
    const program = programOf(paintedClasses(points).length);
    const contestants: Contestant[] = [];
    for (const method of METHODS) {
      contestants.push({ method, session: await ProgramSession.create(runtime, program, { threads: 1 }) });
    }
    return new Contest(contestants, points, rates);
  }

  /** Goes on with other points of the same classes, and other rates. */
  change(points: readonly Point[], rates: Rates): void {
    this.#points = points;
    this.#rates = rates;
    this.#changedAt = this.#epoch;
  }

  /** Measures, then trains every network on all points once. */
  async train(): Promise<void> {
    const { training, validation } = this.#split();
    await this.#measure(validation);
    const order = shuffled(Int32Array.from(training.keys()), seededRandom(this.#epoch, 'playground: order'));
    const inputs = inputsOf(training);
    const labels = this.#labelsOf(training);
    const batches = splitIntoBatches(order, BATCH, { incomplete: 'pad' }).map((places) => ({
      input: Float32Array.from({ length: 2 * BATCH }, (_, i) => inputs[2 * (places[i >> 1] ?? 0) + (i & 1)] ?? 0),
      labels: Int32Array.from(places, (place) => labels[place] ?? 0),
    }));
    for (const { method, session } of this.#contestants) {
      const constant = { ...this.#encoding(method, labels), learningRate: this.#learningRate() };
      await session.steps(batches.map((batch, i) => ({ ...batch, ...constant, step: this.#step + i })));
    }
    this.#step += batches.length;
    this.#epoch++;
  }

  /** Falls from the last change on, so that the borders come to rest. */
  #learningRate(): number {
    const done = Math.min(1, (this.#epoch - this.#changedAt) / EPOCHS);
    return LEARNING_RATE * (LAST_RATE + ((1 - LAST_RATE) / 2) * (1 + Math.cos(Math.PI * done)));
  }

  /** Whether nothing will change any more. */
  get isAtRest(): boolean {
    return this.#epoch - this.#changedAt >= EPOCHS;
  }

  /** What the networks say now. */
  async snapshot(): Promise<Snapshot> {
    const { validation } = this.#split();
    const labels = this.#labelsOf(validation);
    const methods: MethodSnapshot[] = [];
    for (const { method, session } of this.#contestants) {
      const probabilities = await session.predict(GRID_INPUTS);
      const areas = this.#shares(probabilities);
      methods.push({ method, probabilities, areas, found: await this.#found(session, validation, labels) });
    }
    return {
      epoch: this.#epoch,
      classes: this.classes,
      methods,
      heldOutCounts: this.classes.map((_, c) => labels.filter((label) => label === c).length),
      generator: [...this.#encoder.generatorMatrix],
    };
  }

  async close(): Promise<void> {
    for (const { session } of this.#contestants) await session.close();
  }

  #split(): Split {
    const isHeldOut = heldOut(this.#points);
    return {
      training: this.#points.filter((_, i) => isHeldOut[i] !== true),
      validation: this.#points.filter((_, i) => isHeldOut[i] === true),
    };
  }

  /** What the network of enhancement makes of the held-out points becomes the labels of this epoch. */
  async #measure(validation: readonly Point[]): Promise<void> {
    const network = this.#contestants.find(({ method }) => method === 'enhancement');
    if (network === undefined || validation.length === 0) return;
    this.#encoder.observe(this.#labelsOf(validation), await network.session.predict(inputsOf(validation)));
    this.#encoder.update();
  }

  /** The label row of every class, and what is added to the logits of its points in training. */
  #encoding(method: Method, labels: Int32Array) {
    const classes = this.classes.length;
    const generator = new Float32Array(classes ** 2);
    const logitOffsets = new Float32Array(classes ** 2);
    const encoded = this.#encoder.generatorMatrix;
    for (let p = 0; p < classes; p++) {
      for (let q = 0; q < classes; q++) {
        const place = p * classes + q;
        generator[place] = method === 'enhancement' ? (encoded[place] ?? 0) : p === q ? 1 : 0;
        const share = labels.filter((label) => label === q).length / labels.length;
        if (method === 'logit-adjustment') logitOffsets[place] = this.#rates.adjustment * Math.log(share);
      }
    }
    return { generator, logitOffsets };
  }

  /** Classes of points, counted among those that take part. */
  #labelsOf(points: readonly Point[]): Int32Array {
    return Int32Array.from(points, ({ label }) => this.classes.indexOf(label));
  }

  #shares(probabilities: Float32Array): number[] {
    const answers = answersOf(probabilities, this.classes.length);
    return this.classes.map((_, c) => answers.filter((answer) => answer === c).length / answers.length);
  }

  async #found(session: ProgramSession, validation: readonly Point[], labels: Int32Array): Promise<number[]> {
    if (validation.length === 0) return this.classes.map(() => 0);
    const answers = answersOf(await session.predict(inputsOf(validation)), this.classes.length);
    return this.classes.map((_, c) => answers.filter((answer, i) => answer === c && labels[i] === c).length);
  }
}

function programOf(classes: number): Program {
  return createProgram(createModel('mlp', { input: [2], classes, hidden: HIDDEN }), {
    batchSize: BATCH,
    evaluationBatch: EVALUATION_BATCH,
    labels: 'indices-with-generator',
    logitOffsets: 'fed',
    loss: crossEntropy,
    optimizer: adamw({ weightDecay: WEIGHT_DECAY }),
    seed: 2,
  });
}

/** What a network is fed: both coordinates from −2 to 2. */
function inputsOf(points: readonly { readonly x: number; readonly y: number }[]): Float32Array<ArrayBuffer> {
  return Float32Array.from(points.flatMap(({ x, y }) => [4 * x - 2, 4 * y - 2]));
}

const GRID_INPUTS = inputsOf(
  Array.from({ length: GRID * GRID }, (_, cell) => ({
    x: ((cell % GRID) + 0.5) / GRID,
    y: (Math.floor(cell / GRID) + 0.5) / GRID,
  })),
);

/** The likeliest class of every row. */
function answersOf(probabilities: Float32Array, classes: number): Int32Array {
  return Int32Array.from({ length: probabilities.length / classes }, (_, row) => {
    const own = probabilities.subarray(row * classes, (row + 1) * classes);
    return own.indexOf(Math.max(...own));
  });
}
