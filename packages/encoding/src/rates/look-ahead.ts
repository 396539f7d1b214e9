import { at } from '../checked-access.js';
import type { RateFunction } from './rate.js';

/** What is tried in every epoch. */
const CANDIDATES: readonly number[] = [0, 0.3, 1, 3, 10, 30];

/**
 * The largest shift of a logit that is looked at, what makes odds e times as large, and the largest mean push on the labels: further ahead a
 * straight line is not to be believed. Of an untrained network no class has anything to lose, and the largest ε would look best.
 */
const FARTHEST = 1;

/** Losses that differ by less are the same, as float32 probabilities go; of the same ones the smallest ε is taken. */
const TOLERANCE = 1e-6;

/**
 * ε by looking one step ahead: of some candidates the one with which the last layer, pushed as the encoded labels will push it, has the
 * lowest balanced log-loss on the validation set; then half of the way there from the ε before.
 *
 * The label of class r pushes the logits of its examples by `−ε·c_r`, and with them those of everything that looks alike. Of the training
 * examples that look like x, the share `P(r|x)` are of class r: so says the network. A validation example of class p is
 * therefore pushed by `Δ_p = −ε·Σ_r s'[p,r]·c_r`, row p of `ε·S'·(I − S')`: by its own class upwards, and by those it is mistaken for as they need it,
 * which may be away from p. Its log-loss changes by `mean_i log Σ_q P(q|x_i)·exp(Δ_pq) − Δ_pp ≤ log Σ_q s'[p,q]·exp(Δ_pq) − Δ_pp`
 * (Jensen). It is this bound, averaged over classes, that is compared: it needs S' alone, and a step that lowers it lowers the loss. Candidates that shift a
 * logit by more than 1, or labels by more than 1 on average, are left out.
 *
 * @example
 * ```ts
 * new EnhancementEncoder({ classes: 10, enhancementRate: lookAhead, updatingRate: 'auto' });
 * ```
 */
export const lookAhead: RateFunction = ({ classes, normalisedSoftConfusion, previousRates }) => {
  const rows = Array.from({ length: classes }, (_, p) =>
    normalisedSoftConfusion.subarray(p * classes, (p + 1) * classes),
  );
  const pushes = rows.flatMap((row, p) => (isMeasured(row) ? [{ p, row, push: pushOn(row, rows) }] : []));
  const farthest = pushes.reduce((most, { push }) => push.reduce((a, b) => Math.max(a, Math.abs(b)), most), 0);
  const meanLoss = pushes.reduce((sum, { p, row }) => sum + 1 - at(row, p), 0) / pushes.length;
  const candidates = CANDIDATES.filter((rate) => rate * Math.max(farthest, meanLoss) <= FARTHEST);
  const losses = candidates.map((rate) =>
    pushes.reduce((sum, { p, row, push }) => sum + lossBound(row, p, rate, push) / pushes.length, 0),
  );
  const least = Math.min(...losses);
  const best = at(
    candidates,
    losses.findIndex((loss) => loss <= least + TOLERANCE),
  );
  const before = previousRates?.enhancementRate;
  return typeof before === 'number' ? (before + best) / 2 : best;
};

/** `Σ_r s'[p,r]·(e_r − s'_r)`: where ε = 1 pushes the logits of examples with this row of S'. Classes that were not measured push nothing. */
function pushOn(row: Float64Array, rows: readonly Float64Array[]): Float64Array {
  const push = new Float64Array(row.length);
  for (const [r, other] of rows.entries()) {
    if (!isMeasured(other)) continue;
    const likeness = at(row, r);
    for (let k = 0; k < push.length; k++) push[k] = at(push, k) + likeness * ((k === r ? 1 : 0) - at(other, k));
  }
  return push;
}

/** By how much, at most, the push changes the mean log-loss of class p. */
function lossBound(row: Float64Array, p: number, rate: number, push: Float64Array): number {
  const power = row.reduce((sum, share, q) => sum + share * Math.exp(rate * at(push, q)), 0);
  return Math.log(power) - rate * at(push, p);
}

function isMeasured(row: Float64Array): boolean {
  return !Number.isNaN(at(row, 0));
}
