import { type Shape, sizeOf } from '../../../src/graph/tensor.js';
import { item, type NdArray } from './array.js';

interface Mask {
  readonly shape: Shape;
  readonly rate: number;
  readonly stream: number;
}

const P = 2n ** 31n - 1n;
const WORD = 2n ** 32n;

/** lowbias32 with big integers, to a number from 1 to P − 1. */
function arbitrary(n: number): bigint {
  let hash = (BigInt(n) + 0x9e3779b9n) % WORD;
  hash = ((hash ^ (hash >> 16n)) * 0x7feb352dn) % WORD;
  hash = ((hash ^ (hash >> 15n)) * 0x846ca68bn) % WORD;
  return ((hash ^ (hash >> 16n)) % (P - 1n)) + 1n;
}

/** The polynomial (k₀·a² + k₁·a + k₂) mod P of a = (c·i + d)⁵, in big integers and without any reduction on the way. */
export function dropoutMask(inputs: readonly NdArray[], { shape, rate, stream }: Mask): NdArray[] {
  const key = BigInt(item(item(inputs, 0).data, 0));
  const reduced = ((key % P) + P) % P;
  const [k0, k1, k2] = [0, 1, 2].map(
    (j) => (reduced * arbitrary((stream * 2 + 1) * 3 + j) + arbitrary((stream * 2 + 2) * 3 + j)) ** 5n,
  );
  if (k0 === undefined || k1 === undefined || k2 === undefined) throw new RangeError('three coefficients');
  const threshold = BigInt(Math.round(rate * Number(P)));
  const data = Array.from({ length: sizeOf(shape) }, (_, i) => {
    const a = (BigInt(i) * arbitrary(0) + arbitrary(1)) ** 5n;
    return (k0 * a * a + k1 * a + k2) % P < threshold ? 0 : 1 / (1 - rate);
  });
  return [{ shape, type: 'float32', data }];
}
