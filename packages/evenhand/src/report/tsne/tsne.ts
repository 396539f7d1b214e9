import { seededRandom } from '@evenhand/engine';
import { float64At } from '../../checked-access.js';
import { affinities } from './affinities.js';
import { Gradient } from './gradient.js';

const PERPLEXITY = 30;
const THETA = 0.7;
/** The first steps pull neighbours together more strongly, so that clusters form as wholes. */
const EXAGGERATION = 12;
const EXAGGERATED_STEPS = 100;
const STEPS = 350;
const LOWEST_RATE = 50;

/**
 * Points in the plane that are neighbours where the given ones are: t-SNE with Barnes-Hut sums (van der Maaten 2014),
 * gradient descent with momentum and a gain for each coordinate, at a rate that grows with the number of points (Belkina et
 * al. 2019). The same data and seed give the same points.
 *
 * @param data - `[points, dimensions]`
 * @param onStep - is told after each step how many of all are done
 * @returns x and y in turn
 */
export function tsne(
  data: Float64Array,
  points: number,
  seed: number,
  onStep: (done: number, total: number) => void = () => undefined,
): Float64Array {
  const random = seededRandom(seed, 't-sne');
  const embedding = Float64Array.from({ length: 2 * points }, () => 1e-4 * (random() - 0.5));
  if (points < 3) return embedding;
  const gradient = new Gradient(affinities(data, points, Math.min(PERPLEXITY, (points - 1) / 3)));
  const velocity = new Float64Array(embedding.length);
  const gains = new Float64Array(embedding.length).fill(1);
  for (let step = 0; step < STEPS; step++) {
    const early = step < EXAGGERATED_STEPS;
    const exaggeration = early ? EXAGGERATION : 1;
    const slope = gradient.at(embedding, THETA, exaggeration);
    const rate = Math.max(LOWEST_RATE, points / exaggeration);
    descend(embedding, slope, velocity, gains, rate, early ? 0.5 : 0.8);
    onStep(step + 1, STEPS);
  }
  return embedding;
}

/** Jacobs' rule: a coordinate that keeps its direction speeds up, one that turns back slows down. */
function descend(
  embedding: Float64Array,
  slope: Float64Array,
  velocity: Float64Array,
  gains: Float64Array,
  rate: number,
  momentum: number,
): void {
  for (let k = 0; k < embedding.length; k++) {
    const down = float64At(slope, k);
    const speed = float64At(velocity, k);
    const gain = float64At(gains, k);
    const next = down > 0 !== speed > 0 ? gain + 0.2 : Math.max(0.01, gain * 0.8);
    const faster = momentum * speed - rate * next * down;
    gains[k] = next;
    velocity[k] = faster;
    embedding[k] = float64At(embedding, k) + faster;
  }
}
