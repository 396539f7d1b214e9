import { at } from '../checked-access.js';
import { BLOCK_FEATURES } from '../wasm/histogram-kernels.js';

/** Features whose bins lie side by side, row by row. */
export interface FeatureBlock {
  readonly first: number;
  readonly width: number;
  /** Where its bins begin, counted from those of the first block. */
  readonly offset: number;
}

/** Divides features into blocks of about the same width, as many as threads have work for. It changes no result. */
export function featureBlocks(features: number, rows: number, threads: number): readonly FeatureBlock[] {
  const least = Math.ceil(features / BLOCK_FEATURES);
  const count = Math.min(features, Math.ceil(least / threads) * threads);
  return Array.from({ length: count }, (_, i) => {
    const first = Math.floor((i * features) / count);
    const width = Math.floor(((i + 1) * features) / count) - first;
    return { first, width, offset: first * rows };
  });
}

/** Where the bin of a feature is: `offset + row * stride`, counted from the bins of the first block. */
export function binPlace(
  blocks: readonly FeatureBlock[],
  feature: number,
): { readonly offset: number; readonly stride: number } {
  const { first, width, offset } = at(
    blocks.filter((block) => block.first <= feature && feature < block.first + block.width),
    0,
  );
  return { offset: offset + feature - first, stride: width };
}
