/// <reference types="node" />
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { TreesError } from '../errors.js';
import type { TreeModel } from '../model/model.js';
import type { TableValues } from '../model/predict.js';
import type { PredictRequest, PredictResponse } from './predict-protocol.js';

/** Rows that are worth a message. */
const FEWEST_ROWS = 64;

/** Predicts in threads of its own, so that the thread of the caller stays free. Answers are those of `predict`, bit for bit. */
export class TreePredictor {
  readonly #model: TreeModel;
  readonly #workers: readonly Worker[];
  #last: Promise<unknown> = Promise.resolve();

  /** @param threads - one per core if left out */
  constructor(model: TreeModel, threads = availableParallelism()) {
    this.#model = model;
    this.#workers = Array.from({ length: Math.max(1, Math.floor(threads)) }, () => {
      const worker = new Worker(new URL('./predict-worker.js', import.meta.url), { workerData: model, execArgv: [] });
      worker.unref();
      return worker;
    });
  }

  /**
   * `[rows, classes]`: the probabilities of rows.
   *
   * @param memberOf - for every row the one member that is asked. @defaultValue the mean of all
   */
  predict(table: TableValues, memberOf?: Int32Array): Promise<Float32Array> {
    const answer = this.#last.then(() => this.#predict(table, memberOf));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #predict({ values, columns }: TableValues, memberOf: Int32Array | undefined): Promise<Float32Array> {
    const rows = values.length / columns;
    const perThread = Math.max(FEWEST_ROWS, Math.ceil(rows / this.#workers.length));
    const parts = this.#workers.flatMap((worker, i) => {
      const [from, to] = [i * perThread, Math.min(rows, (i + 1) * perThread)];
      if (i > 0 && from >= rows) return [];
      const part = {
        columns,
        values: values.slice(from * columns, to * columns),
        ...(memberOf === undefined ? {} : { memberOf: memberOf.slice(from, to) }),
      };
      return [ask(worker, part)];
    });
    const answers = await Promise.all(parts);
    const probabilities = new Float32Array(rows * this.#model.classes);
    let written = 0;
    for (const answer of answers) {
      probabilities.set(answer.probabilities, written);
      written += answer.probabilities.length;
    }
    return probabilities;
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

function ask(worker: Worker, request: PredictRequest): Promise<PredictResponse> {
  return new Promise((resolve, reject) => {
    const failed = (error: unknown) => settle(() => reject(error));
    const ended = () => failed(new TreesError('a thread of the prediction ended by itself; start again'));
    const answered = (response: PredictResponse) => settle(() => resolve(response));
    const settle = (how: () => void) => {
      worker.off('message', answered).off('error', failed).off('exit', ended);
      worker.unref();
      how();
    };
    worker.on('message', answered).on('error', failed).on('exit', ended);
    worker.ref();
    worker.postMessage(request);
  });
}
