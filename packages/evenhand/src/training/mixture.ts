import { at, float32At } from '../checked-access.js';

/** What a network says, and how much that counts. */
interface MixturePart {
  readonly weight: number;
  readonly outputs: Float32Array;
}

/** The weighted mean of what several networks say. */
export function mixture(parts: readonly MixturePart[]): Float32Array {
  const [first, ...others] = parts;
  if (first !== undefined && others.length === 0) return first.outputs;
  return at(parts, 0).outputs.map((_, i) =>
    parts.reduce((sum, { weight, outputs }) => sum + weight * float32At(outputs, i), 0),
  );
}
