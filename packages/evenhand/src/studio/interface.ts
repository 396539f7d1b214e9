// What the studio's server sends and takes, as JSON. The page knows no more of the server than this.

/** What has become of a run. `damaged`: one of its files cannot be read. */
export type RunState = 'running' | 'finished' | 'stopped' | 'diverged' | 'damaged';

/** The value of an option in a table: lists and objects are JSON. */
export type OptionValue = string | number | boolean | null;

/** An epoch, counted from 1, and the validation soft accuracy after it. */
export interface EpochScore {
  readonly epoch: number;
  readonly softAccuracy: number;
}

/** The test metrics of a finished run, as shares; null where its test set does not define them. */
export interface RunMetrics {
  readonly balancedAccuracy: number | null;
  readonly minorityAccuracy: number | null;
  readonly accuracy: number | null;
  readonly macroF1: number | null;
  readonly gMean: number | null;
  readonly logLoss: number | null;
}

/** What a person wrote about a run. */
export interface RunNotes {
  readonly tags: readonly string[];
  readonly note: string;
}

/** A run, as the table shows it. */
export interface RunSummary extends RunNotes {
  /** Names it in addresses; made of its folder. */
  readonly id: string;
  readonly name: string;
  /** Relative to where the studio was started. */
  readonly folder: string;
  /** The sweep that it is a trial of. */
  readonly sweep: string | null;
  readonly state: RunState;
  /** What is damaged. */
  readonly problem: string | null;
  readonly dataset: string;
  readonly method: string;
  readonly model: string;
  readonly seed: number | null;
  readonly split: number | null;
  /** Complete epochs, and how many are planned; of a portfolio, epochs of all members so far. */
  readonly epochs: { readonly done: number; readonly planned: number | null };
  readonly best: EpochScore | null;
  readonly last: EpochScore | null;
  readonly loss: number | null;
  readonly metrics: RunMetrics | null;
  /** Runs with the same one differ in nothing but split, seed and machine. */
  readonly group: string;
  /** When its files changed last, in milliseconds since 1970. */
  readonly changed: number;
  /** Options that are not the same in all runs, by their dotted names. */
  readonly options: Readonly<Record<string, OptionValue>>;
}

/** `GET /api/runs?since=`: all runs, or what has changed since a version. */
export interface RunList {
  /** To ask for the next changes with. */
  readonly version: number;
  /** Whether this is all there is, not just what changed. */
  readonly isWhole: boolean;
  readonly runs: readonly RunSummary[];
  /** Runs that are gone. */
  readonly removed: readonly string[];
  /** Options that are the same in all runs. */
  readonly shared: Readonly<Record<string, OptionValue>>;
  /** Folders that are shown. */
  readonly folders: readonly string[];
  /** Run folders that were found and have yet to be read. */
  readonly unread: number;
  readonly sweeps: readonly SweepSummary[];
}

/** A sweep, as it is listed. */
export interface SweepSummary {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly isRunning: boolean;
}

/** What was measured after an epoch. */
export interface EpochLine {
  /** From 1. */
  readonly epoch: number;
  readonly loss: number;
  readonly learningRate: number;
  readonly validation: {
    readonly softAccuracy: number;
    readonly accuracy: number;
    readonly softRecall: readonly (number | null)[];
  } | null;
}

/** `GET /api/runs/:id` */
export interface RunDetails {
  readonly run: RunSummary;
  readonly classes: {
    readonly names: readonly string[];
    readonly training: readonly number[];
    readonly validation: readonly number[];
    readonly test: readonly number[];
  } | null;
  /** The whole configuration, by dotted names. */
  readonly config: Readonly<Record<string, OptionValue>>;
  readonly environment: Readonly<Record<string, OptionValue>>;
  /** Trains the same again. */
  readonly command: string;
  /** Of a portfolio: those that were begun. */
  readonly members: readonly string[];
  /** Whether `model.onnx` is there. */
  readonly hasModel: boolean;
  /** Whether this studio can stop it, or go on with it. */
  readonly canStop: boolean;
  readonly canResume: boolean;
}

/** An `epoch` event of `GET /api/events?run=`: a line of the run's metrics, or of a member's. Its id counts the lines. */
export interface EpochEvent {
  /** A member's name; null for the run itself. */
  readonly member: string | null;
  readonly line: EpochLine;
}

/** `GET /api/runs/:id/generators` */
export interface GeneratorFrames {
  readonly classes: readonly string[];
  /** For each epoch the entries that differ from the identity: row, column, difference, one after the other. */
  readonly frames: readonly { readonly epoch: number; readonly entries: readonly number[] }[];
  /** The largest difference: full colour. */
  readonly most: number;
}

/** `GET /api/compare?runs=a,b` */
export interface Comparison {
  readonly runs: readonly RunSummary[];
  /** Options that are not the same in all of these runs. */
  readonly differences: readonly { readonly path: string; readonly values: readonly (OptionValue | undefined)[] }[];
  /** The curve of every run. */
  readonly curves: readonly { readonly id: string; readonly lines: readonly EpochLine[] }[];
  /** The comparison's sections as HTML; null where the runs cannot be compared, and then why. */
  readonly html: string | null;
  readonly reason: string | null;
}

/** What went wrong, for people. Every answer that is not 2xx has this. */
export interface Failure {
  readonly error: string;
}
