/** What is longer nobody typed. */
const LONGEST = 1000;

/**
 * The name that was probably meant: the one with the fewest changed, added, left-out or exchanged letters, capitals aside;
 * none if more than a third of the letters would have to change.
 */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
  if (given.length > LONGEST) return undefined;
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(given.length / 3)) + 1;
  for (const name of names) {
    if (Math.abs(name.length - given.length) >= least) continue; // as many letters would have to change
    const distance = editDistance(given.toLowerCase(), name.toLowerCase());
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

/** Changes from one text to the other, neighbours that swap places counting as one (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          distanceAt(last, j) + 1,
          distanceAt(row, j - 1) + 1,
          distanceAt(last, j - 1) + same,
          swapped ? distanceAt(before, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, last] = [last, row];
  }
  return distanceAt(last, b.length);
}

function distanceAt(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
