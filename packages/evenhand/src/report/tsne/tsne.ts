import { seededRandom } from '@evenhand/engine';
import { affinities } from './affinities.js';
import { gradient } from './gradient.js';

const PERPLEXITY = 30;
const THETA = 0.7;
/** The first steps pull neighbours together more strongly, so that clusters form as wholes. */
const EXAGGERATION = 12;
const EXAGGERATED_STEPS = 150;
const STEPS = 500;

/**
 * Points in the plane that are neighbours where the given ones are: t-SNE with Barnes-Hut sums (van der Maaten 2014),
 * gradient descent with momentum and a gain for each coordinate. The same data and seed give the same points.
 *
 * @param data - `[points, dimensions]`
 * @returns x and y in turn
 */
export function tsne(data: Float64Array, points: number, seed: number): Float64Array {
  const random = seededRandom(seed, 't-sne');
  const embedding = Float64Array.from({ length: 2 * points }, () => 1e-4 * (random() - 0.5));
  if (points < 3) return embedding;
  const p = affinities(data, points, Math.min(PERPLEXITY, (points - 1) / 3));
  const velocity = new Float64Array(embedding.length);
  const gains = new Float64Array(embedding.length).fill(1);
  const rate = Math.max(50, points / EXAGGERATION);
  for (let step = 0; step < STEPS; step++) {
    const early = step < EXAGGERATED_STEPS;
    const slope = gradient(p, embedding, THETA, early ? EXAGGERATION : 1);
    descend(embedding, slope, velocity, gains, rate, early ? 0.5 : 0.8);
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
    const [down, speed, gain] = [slope[k] ?? 0, velocity[k] ?? 0, gains[k] ?? 1];
    const next = down > 0 !== speed > 0 ? gain + 0.2 : Math.max(0.01, gain * 0.8);
    gains[k] = next;
    velocity[k] = momentum * speed - rate * next * down;
    embedding[k] = (embedding[k] ?? 0) + (velocity[k] ?? 0);
  }
}
