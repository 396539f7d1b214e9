import { at } from '../checked-access.js';
import type { BatchReport } from './batches.js';
import type { ModelChange } from './model-change.js';

/** Upper bounds in seconds, from a tenth of a millisecond to ten seconds. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const INSTANCES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/** How a server is at the moment. */
interface ServerState {
  /** Instances in the queue. */
  readonly waiting: number;
  readonly version: string;
  readonly isStale: boolean;
}

/** Counts what a server does, in the text format of Prometheus. */
export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #predictions = new Map<string, number>();
  readonly #changes = new Map<ModelChange['kind'], number>([
    ['loaded', 0],
    ['refused', 0],
  ]);
  readonly #seconds = new Histogram(SECONDS);
  readonly #batchSeconds = new Histogram(SECONDS);
  readonly #batchInstances = new Histogram(INSTANCES);

  request(path: string, status: number, milliseconds: number): void {
    count(this.#requests, labels({ path, status: String(status) }));
    if (path === '/predict') this.#seconds.add(milliseconds / 1000);
  }

  batch({ instances, milliseconds }: BatchReport): void {
    this.#batchInstances.add(instances);
    this.#batchSeconds.add(milliseconds / 1000);
  }

  /** @param classes - indices of the predicted classes */
  predictions(classNames: readonly string[], classes: Int32Array): void {
    for (const index of classes) count(this.#predictions, at(classNames, index));
  }

  change({ kind }: ModelChange): void {
    count(this.#changes, kind);
  }

  text({ waiting, version, isStale }: ServerState): string {
    const changes = [...this.#changes].map(([outcome, value]) => [labels({ outcome }), value] as const);
    const predicted = [...this.#predictions].map(([name, value]) => [labels({ class: name }), value] as const);
    return [
      family('evenhand_requests_total', 'counter', 'Requests by path and status.', [...this.#requests]),
      family('evenhand_predictions_total', 'counter', 'Predicted instances by class.', predicted),
      this.#seconds.text('evenhand_predict_seconds', 'Time from a request to its answer.'),
      this.#batchSeconds.text('evenhand_batch_seconds', 'Time that the model takes for a batch.'),
      this.#batchInstances.text('evenhand_batch_instances', 'Instances that are computed at once.'),
      family('evenhand_waiting_instances', 'gauge', 'Instances in the queue.', [['', waiting]]),
      family('evenhand_model_info', 'gauge', 'The model that answers.', [[labels({ version }), 1]]),
      family('evenhand_model_stale', 'gauge', 'Whether a newer model file was refused.', [['', isStale ? 1 : 0]]),
      family('evenhand_model_changes_total', 'counter', 'Changes of the model file by what came of them.', changes),
      family('process_resident_memory_bytes', 'gauge', 'Memory of the process.', [['', process.memoryUsage.rss()]]),
      family('process_uptime_seconds', 'gauge', 'Seconds since the process started.', [['', process.uptime()]]),
    ].join('');
  }
}

/** How many values are at most as large as each of some bounds. */
class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #count = 0;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  add(value: number): void {
    this.#count++;
    this.#sum += value;
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    if (bucket >= 0) this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
  }

  text(name: string, help: string): string {
    let below = 0;
    const buckets = this.#bounds.map((bound, i) => {
      below += this.#counts[i] ?? 0;
      return `${name}_bucket${labels({ le: String(bound) })} ${below}\n`;
    });
    return `${heading(name, 'histogram', help)}${buckets.join('')}${name}_bucket{le="+Inf"} ${this.#count}\n${name}_sum ${this.#sum}\n${name}_count ${this.#count}\n`;
  }
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function family(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  values: readonly (readonly [labels: string, value: number])[],
): string {
  return heading(name, type, help) + values.map(([label, value]) => `${name}${label} ${value}\n`).join('');
}

function heading(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

/** `{class="fraud"}`, with what the format gives a meaning escaped. */
function labels(values: Readonly<Record<string, string>>): string {
  const escaped = Object.entries(values).map(
    ([name, value]) => `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return `{${escaped.join(',')}}`;
}
