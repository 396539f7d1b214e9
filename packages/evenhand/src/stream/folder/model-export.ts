import type { WriteOutput } from '../../files/output-file.js';
import { UserError } from '../../user-error.js';
import type { StreamLearner } from '../learner/stream-learner.js';

/** Writes the model of a stream while it learns. Reading the network waits for the step that is computed, and the next step for that. */
export class ModelExport {
  readonly #learner: StreamLearner;
  readonly #write: WriteOutput;
  readonly #onNote: (note: string) => void;
  #last: Promise<void> = Promise.resolve();

  constructor(learner: StreamLearner, write: WriteOutput, onNote: (note: string) => void) {
    this.#learner = learner;
    this.#write = write;
    this.#onNote = onNote;
  }

  /**
   * Writes the model as it is now; one file at a time, so that the last one asked for is the one that stays.
   *
   * @throws {@link UserError} if it cannot be written
   */
  now(): Promise<void> {
    this.#last = this.#last.catch(() => undefined).then(() => this.#export());
    return this.#last;
  }

  async #export(): Promise<void> {
    const model = await this.#learner.exportModel().catch((error: unknown) => {
      // Learning goes on: there may be more classes the next time.
      if (!(error instanceof UserError)) throw error;
      this.#onNote(error.message);
    });
    if (model !== undefined) await this.#write(model);
  }
}
