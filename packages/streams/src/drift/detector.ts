/**
 * Watches numbers that arrive one by one and detects when they have changed. All that it remembers is plain JSON, so that it continues after a
 * restart as if there had been none.
 */
export interface DriftDetector {
  /**
   * Takes the next number.
   *
   * @returns whether a change was found; if so, the detector has forgotten what came before the change
   */
  add(value: number): boolean;
  /** The mean of what it remembers; 0 before the first number. */
  readonly mean: number;
  /** How many numbers it remembers. */
  readonly size: number;
  toJSON(): unknown;
}

/** Numbers that detectors are given. */
export function checkValue(detector: string, value: number): void {
  if (!Number.isFinite(value)) throw new RangeError(`${detector}: the value is ${value}; expected a finite number`);
}

/** A probability among a detector's options. */
export function checkProbability(detector: string, name: string, value: number): void {
  if (!(value > 0 && value < 1)) {
    throw new RangeError(`${detector}: ${name} is ${value}; expected a number between 0 and 1`);
  }
}
