import { type ClassReservoir, type ClassStatistics, randomAt } from '@evenhand/streams';
import { at, float64At } from '../../checked-access.js';
import { isBagging, type StreamOptions } from '../options.js';
import type { RowFeatures } from '../rows/row-features.js';
import { baggingRates } from './class-targets.js';
import { type LearningRows, membersOf, rowsPerStep } from './stream-network.js';

/** A row whose class is known. */
export interface LabelledRow {
  readonly cells: Float32Array;
  readonly label: number;
}

/** What a step is made of. */
export interface StepParts {
  readonly options: StreamOptions;
  readonly features: RowFeatures;
  readonly reservoir: ClassReservoir;
  readonly statistics: ClassStatistics;
  /** Counted from 0: decides all that is random. */
  readonly step: number;
}

/** No row counts for more in a step: Poisson's tail must not throw the network about. */
const MOST_COPIES = 100;

/** The rows of a learning step: the new ones, and behind them some of the reservoir, the classes in turn. */
export function learningRows(fresh: readonly LabelledRow[], parts: StepParts): LearningRows {
  const { options, features } = parts;
  const rows = [...fresh, ...replayed(parts)];
  const size = rowsPerStep(options);
  const inputs = new Float32Array(size * features.inputs);
  const scale = features.scale();
  for (const [i, { cells }] of rows.entries()) features.writeInputs(cells, scale, inputs, i * features.inputs);
  const labels = Int32Array.from({ length: size }, (_, i) => rows[i]?.label ?? 0);
  return { inputs, labels, weights: isBagging(options) ? baggedWeights(rows, parts) : equalWeights(rows.length, size) };
}

function replayed({ options, reservoir, statistics, step }: StepParts): LabelledRow[] {
  const kept = Array.from({ length: statistics.classes }, (_, label) => label).filter(
    (label) => reservoir.size(label) > 0,
  );
  const count = kept.length === 0 ? 0 : rowsPerStep(options) - options.batch;
  return Array.from({ length: count }, (_, i) => {
    const draw = step * count + i;
    const label = at(kept, draw % kept.length);
    const cells = reservoir.draw(label, draw);
    if (cells === undefined) throw new Error(`internal: no row of class ${label} is kept`);
    return { cells, label };
  });
}

function equalWeights(rows: number, size: number): Float32Array<ArrayBuffer> {
  return new Float32Array(size).fill(1, 0, rows);
}

/** How often each network learns from each row: numbers of a Poisson distribution, whose mean depends on the class. */
function baggedWeights(
  rows: readonly LabelledRow[],
  { options, statistics, step }: StepParts,
): Float32Array<ArrayBuffer> {
  const rates = baggingRates(options, statistics);
  const size = rowsPerStep(options);
  const weights = new Float32Array(membersOf(options) * size);
  for (let member = 0; member < membersOf(options); member++) {
    for (const [i, { label }] of rows.entries()) {
      weights[member * size + i] = poisson(float64At(rates, label), randomAt(options.seed, member, step * size + i));
    }
  }
  return weights;
}

/** The number whose distribution function reaches a share: inversion, term by term `e^−λ·λ^k/k!`. */
function poisson(rate: number, share: number): number {
  const mean = Math.min(rate, MOST_COPIES);
  let [count, term] = [0, Math.exp(-mean)];
  for (let reached = term; reached < share && count < 3 * MOST_COPIES; reached += term) {
    count++;
    term *= mean / count;
  }
  return count;
}
