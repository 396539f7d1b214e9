import { seedInPack } from '@evenhand/engine';
import { buildCategories, buildRows, type Resampled } from '@evenhand/resampling';
import { at, int32At } from '../checked-access.js';
import type { PreparedMethod, RowsToResample } from '../methods/method.js';
import { type MethodName, methods } from '../methods/registry.js';
import { UserError } from '../user-error.js';
import type { Instances, MadeRows } from './instances.js';
import type { RowsOfNetworks } from './rows-of-networks.js';

/** What networks learn from, and the instances that the rows are indices of. */
interface LearnedRows {
  readonly instances: Instances;
  readonly rows: RowsOfNetworks;
}

/** By what rows are resampled. */
interface ResampleContext {
  readonly method: Pick<PreparedMethod, 'resample'>;
  readonly name: MethodName;
  readonly seed: number;
}

/**
 * Resamples the rows of every network by themselves, by nothing but these rows: what measures a network has no part in what it learns
 * from. Rows that the method makes are instances behind those of the data set.
 *
 * @throws {@link UserError} for images if the method measures distances, and for rows that it cannot resample
 */
export function resampleRows({ instances, rows }: LearnedRows, context: ResampleContext): LearnedRows {
  const { resample } = context.method;
  if (resample === undefined) return { instances, rows };
  if (instances.kind === 'images' && methods[context.name].tablesOnly === true) throw pixelsRefused(context.name);
  const made: MadeRows[] = [];
  let next = instances.labels.length;
  const resampled = (ofEach: readonly Int32Array[]) =>
    ofEach.map((own, network) => {
      const given = rowsToResample(instances, own);
      if (new Set(given.labels).size < 2) return own; // nothing to balance
      const result = checked(context.name, () => resample(given, seedInPack(context.seed, network)));
      const labels = result.labels.subarray(result.rows.length);
      if (labels.length > 0) made.push({ features: syntheticRows(given, result), labels });
      const taken = Array.from(result.rows, (row) => int32At(own, row));
      const synthetic = Array.from(labels, () => next++);
      return Int32Array.from([...taken, ...synthetic]);
    });
  const resampledRows: RowsOfNetworks = {
    rows: resampled(rows.rows),
    ...(rows.withHeldOut === undefined ? {} : { withHeldOut: resampled(rows.withHeldOut) }),
  };
  if (made.length === 0) return { instances, rows: resampledRows };
  if (instances.kind === 'images') throw new Error('internal: a method has made images');
  return { instances: instances.followedBy(made), rows: resampledRows };
}

function rowsToResample(instances: Instances, own: Int32Array): RowsToResample {
  const labels = own.map((instance) => int32At(instances.labels, instance));
  // Methods for images look at the labels only.
  if (instances.kind === 'images') return { features: new Float32Array(own.length), labels, width: 1, discrete: [] };
  return { features: instances.inputs(own), labels, width: at(instances.shape, 0), discrete: instances.discrete };
}

/** The synthetic rows of a result. Where there is nothing between two values, they have the one of a parent. */
function syntheticRows({ features, width, discrete }: RowsToResample, result: Resampled): Float32Array {
  const synthetic = { ...result, rows: new Int32Array(), labels: result.labels.subarray(result.rows.length) };
  const built = buildRows(features, synthetic, width);
  for (const [n, column] of discrete.entries()) {
    const values = features.filter((_, i) => i % width === column);
    buildCategories(values, synthetic, n).forEach((value, row) => {
      built[row * width + column] = value;
    });
  }
  return built;
}

/** What a sampler refuses is the data, or an option of the method. */
function checked(name: MethodName, resample: () => Resampled): Resampled {
  try {
    return resample();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UserError(`the method "${name}" cannot resample the training rows: ${error.message}`, {
      cause: error,
      options: ['method.name'],
    });
  }
}

function pixelsRefused(name: MethodName): UserError {
  const suited = Object.values(methods).filter(({ changes, tablesOnly }) => changes === 'rows' && tablesOnly !== true);
  return new UserError(
    `the method "${name}" goes by distances between rows of a table; between pixels they mean little. ` +
      `For images choose ${suited.map((method) => method.name).join(' or ')}, or a method that leaves the instances as they are`,
    { options: ['method.name'] },
  );
}
