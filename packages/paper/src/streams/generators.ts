/** Numbers from 0 to below 1 (mulberry32): the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b9);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let hash = Math.imul(state ^ (state >>> 15), 1 | state);
    hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash;
    return ((hash ^ (hash >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An instance: the values of its columns, and its class. */
export interface Instance {
  readonly values: readonly number[];
  readonly label: number;
}

/** A source of instances whose concept may change while the stream goes on. */
interface Generator {
  readonly columns: readonly string[];
  readonly classes: number;
  /** One that draws from where the stream stands: `progress` from 0 to 1. */
  begin(random: () => number): (progress: number) => Instance;
}

const named = (count: number) => Array.from({ length: count }, (_, i) => `x${i + 1}`);

/** What SEA's first two columns are compared with, in each quarter of the stream. */
const SEA_THRESHOLDS = [8, 9, 7, 9.5];

/** SEA (Street and Kim 2001): `x₁ + x₂ ≤ θ` for uniform columns from 0 to 10, of which the third says nothing; a tenth of the labels are wrong. */
const sea: Generator = {
  columns: named(3),
  classes: 2,
  begin: (random) => (progress) => {
    const values = [10 * random(), 10 * random(), 10 * random()];
    const [first = 0, second = 0] = values;
    const threshold = SEA_THRESHOLDS[Math.min(3, Math.floor(4 * progress))] ?? 8;
    const label = first + second <= threshold ? 1 : 0;
    return { values, label: random() < 0.1 ? 1 - label : label };
  },
};

/** Agrawal, Imielinski and Swami (1993): people who ask for a loan. Function 1 decides in the first half, function 2 in the second. */
const agrawal: Generator = {
  columns: ['salary', 'commission', 'age', 'level', 'car', 'zip', 'value', 'years', 'loan'],
  classes: 2,
  begin: (random) => (progress) => {
    const between = (low: number, high: number) => low + (high - low) * random();
    const salary = between(20_000, 150_000);
    const commission = salary >= 75_000 ? 0 : between(10_000, 75_000);
    const [age, level, car, zip] = [
      Math.floor(between(20, 81)),
      Math.floor(5 * random()),
      1 + Math.floor(20 * random()),
      Math.floor(9 * random()),
    ];
    const value = (9 - zip) * 100_000 * between(0.5, 1.5);
    const values = [
      salary,
      commission,
      age,
      level,
      car,
      zip,
      value,
      1 + Math.floor(30 * random()),
      between(0, 500_000),
    ];
    const isFirst = progress < 0.5 ? age < 40 || age >= 60 : isSecondFunction(age, salary);
    return { values, label: isFirst ? 1 : 0 };
  },
};

function isSecondFunction(age: number, salary: number): boolean {
  if (age < 40) return salary >= 50_000 && salary <= 100_000;
  if (age < 60) return salary >= 75_000 && salary <= 125_000;
  return salary >= 25_000 && salary <= 75_000;
}

/** By how much a weight of the hyperplane changes with every instance, and how likely it then turns round. */
const [TURN, REVERSAL] = [0.001, 0.1];

/** The rotating hyperplane (Hulten, Spencer and Domingos 2001): `w·x ≥ ½Σw` for ten uniform columns; all weights wander; a twentieth of the labels are wrong. */
const hyperplane: Generator = {
  columns: named(10),
  classes: 2,
  begin: (random) => {
    const weights = Array.from({ length: 10 }, random);
    const directions = weights.map((): number => (random() < 0.5 ? -1 : 1));
    return () => {
      for (const [i, direction] of directions.entries()) {
        weights[i] = (weights[i] ?? 0) + TURN * direction;
        if (random() < REVERSAL) directions[i] = -direction;
      }
      const values = weights.map(random);
      const sum = values.reduce((total, value, i) => total + value * (weights[i] ?? 0), 0);
      const half = weights.reduce((total, weight) => total + weight / 2, 0);
      const label = sum >= half ? 1 : 0;
      return { values, label: random() < 0.05 ? 1 - label : label };
    };
  },
};

/** The segments of the digits: top, upper left, upper right, middle, lower left, lower right, bottom. */
const SEGMENTS = [
  '1110111',
  '0010010',
  '1011101',
  '1011011',
  '0111010',
  '1101011',
  '1101111',
  '1010010',
  '1111111',
  '1111011',
];

/**
 * LED (Breiman et al. 1984): a digit by seven segments, each wrong one time in ten, among seventeen columns that say nothing. In the middle of
 * the stream three of the segments change places with such columns.
 */
const led: Generator = {
  columns: named(24),
  classes: 10,
  begin: (random) => (progress) => {
    const label = Math.floor(10 * random());
    const values = Array.from({ length: 24 }, (_, i) => {
      const segment = SEGMENTS[label]?.[i];
      const shown = segment === undefined ? random() < 0.5 : (segment === '1') !== random() < 0.1;
      return shown ? 1 : 0;
    });
    if (progress < 0.5) return { values, label };
    return {
      values: [...values.slice(7, 10), ...values.slice(3, 7), ...values.slice(0, 3), ...values.slice(10)],
      label,
    };
  },
};

export const GENERATORS = { sea, agrawal, hyperplane, led } as const;

export type GeneratorName = keyof typeof GENERATORS;
