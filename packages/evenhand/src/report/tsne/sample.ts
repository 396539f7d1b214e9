import { seededRandom } from '@evenhand/engine';

/**
 * At most so many instances, drawn by seed, in rising order. Each class keeps its share, but at least its first few: of a
 * rare class every point counts. Where there are too many classes for that, all instances are drawn alike.
 */
export function stratifiedSample(labels: Int32Array, classes: number, most: number, seed: number): number[] {
  if (labels.length <= most) return Array.from(labels.keys());
  const random = seededRandom(seed, 'sample');
  const keys = Array.from(labels, (label, instance) => ({ label, instance, key: random() }));
  const fewest = Math.floor(most / (4 * classes));
  if (fewest === 0) {
    const drawn = keys.sort((a, b) => a.key - b.key).slice(0, most);
    return drawn.map(({ instance }) => instance).sort((a, b) => a - b);
  }
  const share = (most - fewest * classes) / labels.length;
  const chosen = Array.from({ length: classes }, (_, p) => {
    const own = keys.filter(({ label }) => label === p).sort((a, b) => a.key - b.key);
    return own.slice(0, fewest + Math.floor(share * own.length)).map(({ instance }) => instance);
  });
  return chosen.flat().sort((a, b) => a - b);
}
