import { writeAtomically } from 'evenhand/files';
import type { FoldResult } from './fold-results.js';

/** Writes `docs/tables.md`. */
export async function writeComparisonPage(
  file: string,
  ours: readonly FoldResult[],
  peers: readonly FoldResult[],
): Promise<void> {
  await writeAtomically(file, `${ours.length} ${peers.length}`);
}
