import type { Emitter } from '../graph/emitter.js';
import type { Operation, Tensor } from '../graph/graph.js';
import { ShapeError } from '../graph/shape.js';
import { type Shape, sizeOf } from '../graph/tensor.js';
import { apply } from './apply.js';
import { mul } from './arithmetic.js';
import { expectType } from './elementwise.js';

/*
 * Random numbers from integers alone, so that the same key drops the same elements on every machine. Element i of the
 * mask is u = (k₀·a² + k₁·a + k₂) mod P with a = (c·i + d)⁵ mod P. For random k that is a family of hashes in which any three
 * elements are independent (Wegman and Carter, 1981); the k are fifth powers too, of the key times one constant plus
 * another. x⁵ is one-to-one mod P, because 5 does not divide P − 1. All products stay below 2⁶³, so nothing overflows.
 */

/** A Mersenne prime, the largest for which the sum of two products is an int64. */
const PRIME = 2 ** 31 - 1;

/** Factors and offsets of the key for k₀, k₁, k₂. */
const COEFFICIENTS = 3;

interface MaskAttributes {
  readonly shape: Shape;
  /** The probability of 0. */
  readonly rate: number;
  /** A number of the node's own: masks of one key in different streams have nothing to do with each other. */
  readonly stream: number;
}

/** The key is an int64 scalar. Output: 0 with probability `rate`, `1/(1 − rate)` otherwise. */
export const dropoutMaskOperation: Operation<[key: Tensor], MaskAttributes> = {
  name: 'dropoutMask',
  infer: ([key], { shape, rate }) => {
    expectType(key, 'int64');
    if (key.shape.length > 0) throw new ShapeError(`expected a scalar key, received [${key.shape.join(', ')}]`);
    if (!(rate >= 0 && rate < 1)) throw new ShapeError(`expected a rate from 0 to below 1, received ${rate}`);
    return [{ shape, type: 'float32' }];
  },
  emit: ({ emitter, inputs: [key], attributes: { shape, rate, stream } }) => {
    const modulo = (value: string) => emitter.node('Mod', [value, integer(emitter, PRIME)]);
    const product = (a: string, b: string) => emitter.node('Mul', [a, b]);
    const sum = (a: string, b: string) => emitter.node('Add', [a, b]);

    const constants = (from: number) =>
      emitter.integers(
        ...Array.from({ length: COEFFICIENTS }, (_, j) => residue((stream * 2 + from) * COEFFICIENTS + j)),
      );
    const seeds = modulo(sum(product(modulo(key), constants(1)), constants(2)));
    const [k0, k1, k2] = emitter.nodeOfSeveral('Split', [fifthPower(emitter, seeds)], ['k₀', 'k₁', 'k₂'], {
      axis: 0,
      num_outputs: COEFFICIENTS,
    });
    // Nothing here depends on an input, so ONNX Runtime computes it once, when the session is created.
    const range = [integer(emitter, 0), integer(emitter, sizeOf(shape)), integer(emitter, 1)];
    const index = emitter.node('Range', range);
    const [factor, offset] = [integer(emitter, residue(0)), integer(emitter, residue(1))];
    const a = fifthPower(emitter, modulo(sum(product(index, factor), offset)));
    const square = modulo(product(a, a));

    const u = modulo(sum(sum(product(square, k0), product(a, k1)), k2));
    const kept = emitter.node('GreaterOrEqual', [u, integer(emitter, Math.round(rate * PRIME))]);
    const mask = emitter.cast(kept, 'float32');
    return [emitter.node('Reshape', [product(mask, emitter.float(1 / (1 - rate))), emitter.integers(...shape)])];
  },
  vjp: null,
};

function integer(emitter: Emitter, value: number): string {
  return emitter.constant(BigInt64Array.of(BigInt(value)), []);
}

/** `x⁵ mod P`, every product reduced at once. */
function fifthPower(emitter: Emitter, x: string): string {
  const product = (a: string, b: string) => emitter.node('Mod', [emitter.node('Mul', [a, b]), integer(emitter, PRIME)]);
  const square = product(x, x);
  return product(product(square, square), x);
}

/** The n-th of our arbitrary numbers from 1 to P − 1: n through an integer hash (lowbias32 by C. Wellons). */
function residue(n: number): number {
  let hash = n + 0x9e3779b9;
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return (((hash ^ (hash >>> 16)) >>> 0) % (PRIME - 1)) + 1;
}

/**
 * Sets elements to 0 with probability `rate` and scales the others by `1/(1 − rate)`. Which ones, the key alone decides,
 * and which dropout of the graph this is: the first, the second, ….
 *
 * @param key - an int64 scalar that is different at every step
 */
export function dropout(x: Tensor, rate: number, key: Tensor): Tensor {
  if (rate === 0) return x;
  const { graph, shape } = x;
  const stream = graph.nodes.filter((node) => node.operation === dropoutMaskOperation.name).length;
  return graph.scope('dropout', () => mul(x, apply(dropoutMaskOperation, [key], { shape, rate, stream })));
}
