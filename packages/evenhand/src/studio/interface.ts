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
  readonly streams: readonly StreamSummary[];
}

/** `GET /api/places`: what else there is at this server. */
export interface Places {
  /** Where the board of a queue is; null if the studio was started without one. */
  readonly queues: string | null;
}

/** A sweep, as it is listed. */
export interface SweepSummary {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  readonly isRunning: boolean;
}

/** A stream, as it is listed. */
export interface StreamSummary {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  /** Whether a process follows it now. */
  readonly isRunning: boolean;
  /** Rows at the last line of metrics, and how good answers to the last of them were; null before the first line. */
  readonly last: {
    readonly rows: number;
    readonly balancedAccuracy: number | null;
    readonly gMean: number | null;
  } | null;
  /** When its log changed last, in milliseconds since 1970. */
  readonly changed: number;
}

/** How good the answers of a stream have been; recalls in the order of the classes, null of one without rows. */
export interface StreamScores {
  readonly recall: readonly (number | null)[];
  readonly balancedAccuracy: number | null;
  readonly gMean: number | null;
  readonly accuracy: number | null;
  readonly kappa: number | null;
}

/** A line of metrics of a stream. */
export interface StreamMetricsLine {
  readonly kind: 'metrics';
  readonly rows: number;
  readonly labelled: number;
  /** Rows that wait for their label. */
  readonly waiting: number;
  /** In the order in which they appeared. */
  readonly classes: readonly string[];
  /** Of each class, rows of late: older ones count for less and less. */
  readonly recentRows: readonly number[];
  readonly faded: StreamScores;
  readonly windowed: StreamScores;
}

/** A `stream` event of `GET /api/events?stream=`: what the log of a stream says of it. Its id is where the line ends in the log. */
export type StreamLine =
  | StreamMetricsLine
  | { readonly kind: 'class'; readonly row: number; readonly class: string }
  /** A change for the worse: of the recall of a class, or of all answers. `level` is what it has come to. */
  | { readonly kind: 'drift'; readonly row: number; readonly class?: string; readonly level: number }
  /** A line that could not be read. */
  | { readonly kind: 'damaged'; readonly after: number; readonly name: string; readonly damage: string };

/** `GET /api/streams/:id/lines?after=`: the same, for a page without a stream of events. */
export interface StreamLinesAnswer {
  readonly events: readonly { readonly id: string; readonly event: StreamLine }[];
}

/** `GET /api/streams/:id`: what the last checkpoint says. */
export interface StreamDetails {
  readonly stream: StreamSummary;
  /** Lines of the source that were taken, and where to go on; null before the first. */
  readonly records: number;
  readonly position: string | null;
  readonly metrics: StreamMetricsLine;
  readonly columns: readonly { readonly name: string; readonly kind: string }[];
  readonly options: Readonly<Record<string, OptionValue>>;
  /** Serves the `model.onnx` that lies in the folder; null if there is none. */
  readonly serveCommand: string | null;
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

/** `GET /api/runs/:id/epochs?after=`: the same, for a page without a stream. */
export interface EpochLinesAnswer {
  readonly events: readonly { readonly id: string; readonly event: EpochEvent }[];
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

/** `GET /api/sweeps/:id` */
export interface SweepDetails {
  readonly sweep: SweepSummary;
  readonly sampler: string;
  /** Times that every trial is trained. */
  readonly draws: number;
  /** Trials that are planned. */
  readonly planned: number;
  readonly search: readonly SearchedOption[];
  /** In the order in which their results came. */
  readonly trials: readonly SweepTrial[];
  /** Runs that train now. */
  readonly running: readonly string[];
  readonly canStop: boolean;
}

/** An option that a sweep searches: a list of values, or a range. */
export interface SearchedOption {
  readonly path: string;
  readonly values: readonly OptionValue[] | null;
  readonly from: number | null;
  readonly to: number | null;
  readonly isLog: boolean;
}

/** What came of a trial. */
export interface SweepTrial {
  readonly trial: number;
  readonly values: Readonly<Record<string, OptionValue>>;
  /** From 0. */
  readonly rung: number;
  readonly epoch: number;
  readonly isComplete: boolean;
  /** Mean validation soft accuracy; null if training diverged. */
  readonly score: number | null;
  readonly standardError: number | null;
}

/** `GET /api/sources`: data that the studio finds where it was started, and what was given to it. */
export interface Sources {
  readonly sources: readonly { readonly path: string; readonly kind: 'table' | 'images' }[];
  /** Where runs go. */
  readonly runsFolder: string;
}

/** `POST /api/check`: what `evenhand check --json` says, with a target or without. */
export interface DataCheckResult {
  readonly source: string;
  readonly rows?: number;
  readonly kind?: 'table' | 'images';
  readonly instances?: number;
  readonly columns: readonly {
    readonly name: string;
    readonly kind: string;
    readonly missing: number;
    readonly distinct: number;
    readonly used: boolean;
  }[];
  readonly likelyTargets?: readonly string[];
  readonly duplicates?: number;
  readonly classes?: readonly {
    readonly name: string;
    readonly all: number;
    readonly training: number | null;
    readonly validation: number | null;
    readonly test: number | null;
  }[];
  readonly training?: {
    readonly model: string;
    readonly method: string;
    readonly loss: string;
    readonly epochs: number;
  };
  readonly notes: readonly string[];
  readonly problems?: readonly string[];
}

/** `GET /api/options`: the options of a configuration, as its schema describes them. */
export interface ConfigOption {
  readonly path: string;
  readonly description: string;
  /** Words with `|` between them, or what it may be. */
  readonly values: string;
  readonly form: 'text' | 'texts' | 'named texts' | 'named numbers' | 'json';
  /** Kinds of its section that have it; all if none is named. */
  readonly kinds: readonly string[];
}

/** `POST /api/config`: every option with the value that it would have, or what is wrong. */
export interface CompletedConfig {
  readonly config: Readonly<Record<string, OptionValue>> | null;
  readonly problem: string | null;
}

/** A training that was started here. */
export interface Training {
  /** Of its run. */
  readonly id: string;
  readonly folder: string;
  readonly state: 'running' | 'finished' | 'stopped' | 'failed';
  /** What went wrong. */
  readonly message: string | null;
}

/** `GET /api/runs/:id/model` */
export type ModelForm =
  | {
      readonly kind: 'table';
      readonly classes: readonly string[];
      readonly columns: readonly {
        readonly name: string;
        readonly kind: 'numeric' | 'boolean' | 'categorical' | 'date';
        /** What can be chosen. */
        readonly values: readonly string[];
        /** What stands for a missing value. */
        readonly fill: string;
      }[];
    }
  | { readonly kind: 'images'; readonly classes: readonly string[]; readonly shape: readonly number[] };

/** `POST /api/runs/:id/predict` */
export interface TriedPrediction {
  readonly label: string;
  /** From the likeliest class on. */
  readonly probabilities: readonly { readonly name: string; readonly probability: number }[];
  readonly notes: readonly string[];
  /** Test instances that the model sees most alike: from the nearest on. */
  readonly similar: readonly {
    readonly instance: string;
    readonly label: string;
    readonly answer: string;
    /** Hellinger distance of the probabilities, from 0 to 1. */
    readonly distance: number;
  }[];
}
