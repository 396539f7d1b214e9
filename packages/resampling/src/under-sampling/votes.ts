import { outside } from '../checked-access.js';
import type { Neighbours } from '../neighbours/nearest-neighbours.js';

/** The class that most of a query's neighbours belong to; of equally frequent classes the first. */
export function majorityVote({ ids, k }: Neighbours, query: number, labels: Int32Array, tallies: Int32Array): number {
  tallies.fill(0);
  let winner = -1;
  for (let j = 0; j < k; j++) {
    const label = labels[ids[query * k + j] ?? 0] ?? outside(labels, query);
    const tally = (tallies[label] ?? 0) + 1;
    tallies[label] = tally;
    const most = winner < 0 ? 0 : (tallies[winner] ?? 0);
    if (tally > most || (tally === most && label < winner)) winner = label;
  }
  return winner;
}

/** Whether all of a query's neighbours belong to a class. */
export function isUnanimous({ ids, k }: Neighbours, query: number, labels: Int32Array, label: number): boolean {
  for (let j = 0; j < k; j++) if (labels[ids[query * k + j] ?? 0] !== label) return false;
  return true;
}
