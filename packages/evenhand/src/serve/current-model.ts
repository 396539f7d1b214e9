import { errorMessage } from '../wording/error-message.js';
import { followFile, signatureOf } from './follow-file.js';
import type { ModelChange } from './model-change.js';
import { ServedModel, type ServedModelOptions } from './served-model.js';

/** How a file is put to work. */
export interface CurrentModelOptions extends ServedModelOptions {
  /** Whether a new model takes the place of the old one when the file changes. */
  readonly follow: boolean;
  /** Is told what came of every change of the file. */
  readonly onChange: (change: ModelChange) => void;
  /** Is told what went wrong inside. */
  readonly onError: (error: unknown) => void;
}

/** The model of a file; if the file is followed, always the newest one that can be used. */
export class CurrentModel {
  readonly #file: string;
  readonly #options: CurrentModelOptions;
  readonly #end = new AbortController();
  readonly #following: Promise<void>;
  #model: ServedModel;
  #isStale = false;
  /** Models that have been replaced and still answer requests that began with them. */
  #retired: Promise<unknown> = Promise.resolve();
  /** When the model cannot answer any more, with what is the matter. */
  readonly failed: Promise<Error>;
  #fail: (fault: Error) => void = () => undefined;

  private constructor(file: string, model: ServedModel, signature: string | undefined, options: CurrentModelOptions) {
    this.#file = file;
    this.#options = options;
    this.#model = model;
    this.failed = new Promise((resolve) => {
      this.#fail = resolve;
    });
    this.#watch(model);
    this.#following = options.follow
      ? followFile(file, signature, () => this.#renew(), this.#end.signal)
      : Promise.resolve();
  }

  /** @throws UserError if the file is no model of evenhand, or ONNX Runtime cannot use it */
  static async open(file: string, options: CurrentModelOptions): Promise<CurrentModel> {
    const signature = await signatureOf(file); // before it is read: a change in between is one to be told of
    return new CurrentModel(file, await ServedModel.open(file, options), signature, options);
  }

  get model(): ServedModel {
    return this.#model;
  }

  /** Whether the file has changed into something that cannot be used. */
  get isStale(): boolean {
    return this.#isStale;
  }

  /** Answers what was asked for, then frees what it holds. */
  async close(): Promise<void> {
    this.#end.abort();
    await this.#following;
    await this.#model.close();
    await this.#retired;
  }

  /** Puts what the file is now in the place of the model. A request keeps the model that it began with. */
  async #renew(): Promise<void> {
    const { onChange, onError } = this.#options;
    const old = this.#model;
    let model: ServedModel;
    try {
      model = await ServedModel.open(this.#file, this.#options);
    } catch (error) {
      this.#isStale = true;
      onChange({ kind: 'refused', model: old, reason: errorMessage(error) });
      return;
    }
    this.#isStale = false;
    if (model.version === old.version) {
      await model.close();
      return;
    }
    this.#watch(model);
    this.#model = model;
    this.#retired = Promise.all([this.#retired, old.close().catch(onError)]);
    onChange({ kind: 'loaded', model });
  }

  #watch(model: ServedModel): void {
    void model.ended.then((fault) => fault === undefined || this.#fail(fault));
  }
}
