import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseConfig } from '../config/parse.js';
import { isRun } from '../runs/run-files.js';
import type { BlobStore } from '../store/blob-store.js';
import type { DataCache } from '../store/data-cache.js';
import { DivergedError } from '../training/diverged.js';
import type { TrainingEvent } from '../training/events.js';
import type { Executor, TrialOrder } from '../trials/executor.js';
import type { TrialJob, TrialReply } from './job.js';
import { downloadRun, uploadGrowingRun, uploadRun } from './run-transfer.js';

/** What a worker carries out its trials with. */
export interface TrialTools {
  /** Trains, in processes of this machine. */
  readonly processes: Executor;
  readonly cache: DataCache;
  /** Holds the runs while they are here. */
  readonly folder: string;
  /** Between two uploads of checkpoints. */
  readonly uploadSeconds: number;
  /** The worker's name, and the class of what it computes. */
  readonly worker: string;
  readonly numerics: string;
}

/** Is told what happens to a trial. */
export interface TrialListener {
  onEvent(event: TrainingEvent): void;
  /** A checkpoint is in the store: the manifest of the run folder. */
  onUploaded(run: string): Promise<void>;
  /** An upload in the middle failed; there will be others. */
  onMissedUpload(error: unknown): void;
}

/** The trial was left at a checkpoint, to be gone on with elsewhere. */
export class GivenUpError extends Error {
  /** @param keepsCheckpoint - whether what was trained so far is worth an upload */
  constructor(
    message: string,
    readonly keepsCheckpoint: boolean,
  ) {
    super(message);
  }
}

/** A trial on its way through a worker: data and run are fetched, trained with, and sent back. */
export class WorkerTrial {
  readonly #folder: string;
  #uploading: Promise<void> | undefined;
  #uploadedAt = performance.now();

  constructor(
    private readonly id: string,
    private readonly job: TrialJob,
    private readonly store: BlobStore,
    private readonly tools: TrialTools,
    private readonly listener: TrialListener,
  ) {
    this.#folder = join(tools.folder, id);
  }

  /**
   * Trains as far as is ordered.
   *
   * @param signal - its reason is a {@link GivenUpError}
   */
  async carryOut(signal: AbortSignal): Promise<TrialReply> {
    try {
      await this.#fetchRun();
      const diverged = await this.#train(await this.#order(), signal);
      const { worker, numerics } = this.tools;
      const reply = { run: await uploadRun(this.store, this.id, this.#folder), worker, numerics };
      return diverged === undefined ? { outcome: 'done', ...reply } : { outcome: 'diverged', ...diverged, ...reply };
    } catch (error) {
      const reason: unknown = signal.aborted ? signal.reason : error;
      if (reason instanceof GivenUpError && reason.keepsCheckpoint && isRun(this.#folder))
        await this.#upload().catch(this.listener.onMissedUpload);
      throw reason;
    } finally {
      await rm(this.#folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  async #fetchRun(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
    if (this.job.run !== undefined) await downloadRun(this.store, this.id, this.job.run, this.#folder);
  }

  async #order(): Promise<TrialOrder> {
    const { name, until, override, importance, gitCommit, data } = this.job;
    const config = parseConfig(this.job.config, `the trial ${name}`);
    const at =
      data.files === undefined
        ? config.data.source
        : join(await this.tools.cache.folderOf(this.store, data.files.manifest), data.files.path);
    return {
      folder: this.#folder,
      config,
      override,
      importance,
      gitCommit,
      data: { at, hash: data.hash },
      ...(until === undefined ? {} : { until }),
    };
  }

  async #train(order: TrialOrder, signal: AbortSignal): Promise<DivergedReply | undefined> {
    const onEvent = (event: TrainingEvent) => {
      this.listener.onEvent(event);
      if (event.kind === 'checkpoint' && event.checkpoint === 'last') this.#uploadIfDue();
    };
    try {
      await this.tools.processes.carryOut(order, onEvent, signal);
      return undefined;
    } catch (error) {
      if (!(error instanceof DivergedError)) throw error;
      const { message, divergence, options } = error;
      return { message, divergence: { ...divergence, instances: [...divergence.instances] }, options: [...options] };
    } finally {
      await this.#uploading;
    }
  }

  #uploadIfDue(): void {
    const { uploadSeconds } = this.tools;
    if (this.#uploading !== undefined || performance.now() - this.#uploadedAt < 1000 * uploadSeconds) return;
    this.#uploading = this.#uploadGrowing()
      .catch(this.listener.onMissedUpload)
      .finally(() => {
        this.#uploadedAt = performance.now();
        this.#uploading = undefined;
      });
  }

  async #uploadGrowing(): Promise<void> {
    const run = await uploadGrowingRun(this.store, this.id, this.#folder, `${this.#folder}.copy`);
    await this.listener.onUploaded(run);
  }

  async #upload(): Promise<void> {
    await this.listener.onUploaded(await uploadRun(this.store, this.id, this.#folder));
  }
}

type DivergedReply = Omit<Extract<TrialReply, { outcome: 'diverged' }>, 'outcome' | 'run' | 'worker' | 'numerics'>;
