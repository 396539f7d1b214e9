import { Adwin, type AdwinJSON, type AdwinOptions } from './adwin.js';

/** {@link RecallDrift} as JSON. */
export interface RecallDriftJSON {
  readonly options: AdwinOptions;
  readonly classes: readonly AdwinJSON[];
}

/** A change that was found. */
export interface RecallChange {
  /** The class whose recall has changed. */
  readonly label: number;
  /** Its recall since the change, as far as it is known. */
  readonly recall: number;
  /** Whether it has become worse. What has become better is learning, not drift. */
  readonly worse: boolean;
}

/**
 * Watches the recall of each class by itself, as a rare class can be lost without a trace in the accuracy: an {@link Adwin} for each, given 1 for
 * each row of the class that was answered correctly, and 0 for each that was not.
 */
export class RecallDrift {
  readonly #options: AdwinOptions;
  readonly #classes: Adwin[] = [];

  constructor(options: AdwinOptions = {}) {
    new Adwin(options); // checks them
    this.#options = options;
  }

  /** Takes in a row's class and answer, and returns the change that is found with it, if there is one. */
  add(label: number, answer: number): RecallChange | undefined {
    while (this.#classes.length <= label) this.#classes.push(new Adwin(this.#options));
    const detector = this.#classes[label];
    if (detector === undefined) {
      throw new RangeError(`RecallDrift: label is ${label}; expected a class index, an integer from 0`);
    }
    const before = detector.mean;
    if (!detector.add(label === answer ? 1 : 0)) return undefined;
    return { label, recall: detector.mean, worse: detector.mean < before };
  }

  toJSON(): RecallDriftJSON {
    return { options: this.#options, classes: this.#classes.map((detector) => detector.toJSON()) };
  }

  /** What `toJSON` was called on. */
  static fromJSON({ options, classes }: RecallDriftJSON): RecallDrift {
    const drift = new RecallDrift(options);
    drift.#classes.push(...classes.map((detector) => Adwin.fromJSON(detector)));
    return drift;
  }
}
