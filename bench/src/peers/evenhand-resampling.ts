import { type Random, seededRandom } from '@evenhand/engine';
import {
  buildRows,
  editedNearestNeighbours,
  kMeansSmote,
  nearMiss,
  type Resampled,
  smote,
  tomekLinks,
} from '@evenhand/resampling';
import type { ResamplingWork } from '../resampling.js';
import { answer } from './answer.js';
import { peakMemory } from './peak-memory.js';

const FACTORS = 6;

const METHODS: Record<ResamplingWork['method'], (features: Float64Array, labels: Int32Array) => Resampled> = {
  smote: (features, labels) => smote(features, labels, { seed: 1 }),
  tomek: (features, labels) => tomekLinks(features, labels),
  enn: (features, labels) => editedNearestNeighbours(features, labels),
  'k-means smote': (features, labels) => kMeansSmote(features, labels, { seed: 1, balanceThreshold: 0.05 }),
  'near miss': (features, labels) => nearMiss(features, labels),
};

let drawn: { readonly key: string; readonly features: Float64Array; readonly labels: Int32Array } | undefined;

/** Our time to resample, in ms, or the most memory that it took, in MB. */
await answer(async (request: ResamplingWork) => {
  const key = JSON.stringify(request);
  if (drawn?.key !== key) drawn = { key, ...draw(request) };
  const { features, labels } = drawn;
  const start = performance.now();
  buildRows(features, METHODS[request.method](features, labels), request.columns);
  return { Evenhand: request.work === 'time' ? performance.now() - start : peakMemory() };
});

/** As draw() in imblearn_resampling.py: the smaller class lies 1 beside the larger one in the first three columns. */
function draw({ rows, columns, ratio, correlated }: ResamplingWork): { features: Float64Array; labels: Int32Array } {
  const random = seededRandom(1, 'bench resampling');
  const labels = Int32Array.from({ length: rows }, (_, row) => (row % (ratio + 1) === 0 ? 1 : 0));
  const mixing = Float64Array.from({ length: FACTORS * columns }, () => normal(random));
  const features = new Float64Array(rows * columns);
  const factors = new Float64Array(FACTORS);
  for (let row = 0; row < rows; row++) {
    for (let factor = 0; factor < FACTORS; factor++) factors[factor] = normal(random);
    for (let column = 0; column < columns; column++) {
      let value = (column < 3 ? (labels[row] ?? 0) : 0) + normal(random) * (correlated ? 0.3 : 1);
      for (let factor = 0; correlated && factor < FACTORS; factor++) {
        value += (factors[factor] ?? 0) * (mixing[factor * columns + column] ?? 0);
      }
      features[row * columns + column] = value;
    }
  }
  return { features, labels };
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
