import type { Random } from '@evenhand/engine';
import { at } from '../checked-access.js';

/** A distribution that was estimated from a few values. */
export interface Estimator<Value> {
  sample(random: Random): Value;
  logDensity(value: Value): number;
}

interface Kernel {
  readonly mean: number;
  readonly deviation: number;
}

/** Wide enough to be nearly even over [0, 1]. */
const PRIOR: Kernel = { mean: 0.5, deviation: 1 };
/** Kernels never get narrower than one part in this many, however many values there are. */
const FINEST = 100;

/**
 * A Parzen estimator of positions in [0, 1] (Bergstra et al. 2011): `p(x) = 1/(n+1) · Σ_i N(x; m_i, s_i) / Z_i` over a kernel at
 * every position and the prior, each cut off at 0 and 1 and scaled by its mass `Z_i` in between. A kernel is as wide as
 * the larger of the gaps to its neighbours.
 */
export function parzenEstimator(positions: readonly number[]): Estimator<number> {
  const kernels = kernelsAt(positions);
  return {
    sample: (random) => sampleKernel(at(kernels, Math.floor(random() * kernels.length)), random),
    logDensity: (position) => {
      const sum = kernels.reduce((total, kernel) => total + density(kernel, position), 0);
      return Math.log(sum / kernels.length);
    },
  };
}

/** Values of a list: `p(c) = (n_c + 1) / (n + C)` with C values in the list. */
export function countEstimator(indices: readonly number[], size: number): Estimator<number> {
  const counts = Array.from({ length: size }, () => 1);
  for (const index of indices) counts[index] = at(counts, index) + 1;
  const total = indices.length + size;
  return {
    sample: (random) => {
      let left = random() * total;
      const index = counts.findIndex((count) => {
        left -= count;
        return left < 0;
      });
      return index === -1 ? size - 1 : index;
    },
    logDensity: (index) => Math.log(at(counts, index) / total),
  };
}

function kernelsAt(positions: readonly number[]): Kernel[] {
  const narrowest = 1 / Math.min(FINEST, 1 + positions.length);
  const sorted = [...positions, PRIOR.mean].sort((a, b) => a - b);
  const gapsAt = (position: number) => {
    const index = sorted.indexOf(position);
    return Math.max(position - (sorted[index - 1] ?? 0), (sorted[index + 1] ?? 1) - position);
  };
  const kernels = positions.map((mean) => ({ mean, deviation: Math.min(1, Math.max(narrowest, gapsAt(mean))) }));
  return [...kernels, PRIOR];
}

/** Again and again until it is inside; with a mean in [0, 1] that is soon. */
function sampleKernel({ mean, deviation }: Kernel, random: Random): number {
  for (;;) {
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const position = mean + deviation * radius * Math.cos(2 * Math.PI * random());
    if (position >= 0 && position <= 1) return position;
  }
}

function density({ mean, deviation }: Kernel, position: number): number {
  const mass = normalMass((1 - mean) / deviation) - normalMass(-mean / deviation);
  return Math.exp(-(((position - mean) / deviation) ** 2) / 2) / (Math.sqrt(2 * Math.PI) * deviation * mass);
}

/** Mass of the standard normal distribution below z, to 1e-7 (Abramowitz and Stegun, 26.2.17). */
function normalMass(z: number): number {
  if (z < 0) return 1 - normalMass(-z);
  const t = 1 / (1 + 0.2316419 * z);
  const series = COEFFICIENTS.reduceRight((sum, coefficient) => (sum + coefficient) * t, 0);
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}

const COEFFICIENTS = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
