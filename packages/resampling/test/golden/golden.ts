import { readFileSync } from 'node:fs';
import type { Strategy } from '../../src/index.js';
import type { SamplingKind } from '../../src/strategy.js';

/** The rows that one-sided selection and condensing begin with, by class. */
interface Starts {
  readonly 'oss start': Readonly<Record<string, number>>;
  readonly 'cnn start': Readonly<Record<string, number>>;
}

export interface Distribution {
  readonly draws: number;
  readonly at: readonly (readonly number[])[];
  readonly below: readonly (readonly number[])[];
}

interface Golden {
  readonly madeWith: string;
  readonly generated: readonly (Starts & { readonly seed: number; readonly [method: string]: unknown })[];
  readonly tables: readonly (Starts & {
    readonly table: string;
    readonly rows: number;
    readonly columns: number;
    readonly [method: string]: unknown;
  })[];
  readonly categorical: readonly {
    readonly seed: number;
    readonly smoten: string;
    readonly 'smote-nc neighbours': string;
  }[];
  readonly strategies: readonly {
    readonly counts: readonly number[];
    readonly kind: SamplingKind;
    readonly strategy: Strategy;
    readonly targets: readonly (readonly [number, number])[] | null;
  }[];
  readonly distributions: Readonly<Record<string, Distribution>>;
  readonly centroids: readonly (readonly [number, number])[];
}

/** What scripts/golden_resampling.py has printed. */
export const golden: Golden = JSON.parse(readFileSync(new URL('./resampling.json', import.meta.url), 'utf8'));
