import { z } from 'zod';

/** A way to make balanced data imbalanced, for experiments: how many instances of each class are kept. */
export type ImbalanceProfile =
  /** A tenth of classes 0, 2, 4, …: the paper's "10 % of even classes". */
  | { readonly kind: 'mnist-even' }
  /** One in 2ᵖ of class p: the paper's long tail. */
  | { readonly kind: 'mnist-long-tail' }
  /** One in `factor^(p/(N−1))` of class p: everything of the first class, one in `factor` of the last. */
  | { readonly kind: 'exponential'; readonly factor: number }
  /** One in `factor` of the last classes, which are `minorityShare` of all; everything of the others. */
  | { readonly kind: 'step'; readonly factor: number; readonly minorityShare: number }
  /** `exponential` with factor 100 on CIFAR-10, with the very images that LDAM-DRW's code selects. */
  | { readonly kind: 'cifar10-lt' };

const factor = z.number().gte(1).describe('how many times fewer instances the rarest class gets');
const minorityShare = z.number().gt(0).lt(1).describe('share of the classes that become rare');

/** Checks a profile that comes from a file. */
export const imbalanceProfileSchema: z.ZodType<ImbalanceProfile> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('mnist-even') }),
  z.strictObject({ kind: z.literal('mnist-long-tail') }),
  z.strictObject({ kind: z.literal('exponential'), factor }),
  z.strictObject({ kind: z.literal('step'), factor, minorityShare }),
  z.strictObject({ kind: z.literal('cifar10-lt') }),
]);

/** How many instances a profile keeps of each class, those for validation among them. */
export function keptCounts(profile: ImbalanceProfile, sizes: readonly number[]): number[] {
  switch (profile.kind) {
    case 'mnist-even': // ⌈n_p/f_p⌉ with f_p = 9·[(p+1) mod 2] + 1
      return sizes.map((size, p) => Math.ceil(size / (9 * ((p + 1) % 2) + 1)));
    case 'mnist-long-tail': // ⌈n_p/f_p⌉ with f_p = 2^p
      return sizes.map((size, p) => Math.ceil(size / 2 ** p));
    case 'exponential':
      return exponential(sizes, profile.factor);
    case 'step': {
      const minority = Math.min(sizes.length - 1, Math.max(1, Math.round(sizes.length * profile.minorityShare)));
      const first = sizes.length - minority;
      return sizes.map((size, p) => (p < first ? size : Math.floor(size / profile.factor)));
    }
    case 'cifar10-lt':
      return exponential(sizes, 100);
  }
}

function exponential(sizes: readonly number[], factor: number): number[] {
  return sizes.map((size, p) => Math.floor(size / factor ** (p / (sizes.length - 1))));
}
