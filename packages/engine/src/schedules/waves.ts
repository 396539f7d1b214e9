import { checkCount, checkRate, type Schedule } from './schedule.js';

/** How {@link waves} is set. */
export interface WavesOptions {
  /** The highest rate. */
  readonly rate: number;
  /** Steps of the whole training. */
  readonly steps: number;
  /** How often the rate rises and falls. @defaultValue 4 */
  readonly waves?: number;
}

/**
 * A rate that rises from 0 and falls to 0 again several times, each time twice as slowly: `½(1 − cos(2π·log₂(1 + (2ʷ − 1)·t)))` with t from 0 to 1
 * (Holzmüller et al. 2024). At the end of every wave the network is good: whoever stops early has a choice of them.
 */
export function waves({ rate, steps, waves: count = 4 }: WavesOptions): Schedule {
  checkRate('rate', rate);
  checkCount('steps', steps, 1);
  checkCount('waves', count, 1);
  return (step) => {
    checkCount('step', step);
    // The middle of the step: neither its first nor its last rate is 0.
    const t = Math.min((step + 0.5) / steps, 1);
    return (rate * (1 - Math.cos(2 * Math.PI * Math.log2(1 + (2 ** count - 1) * t)))) / 2;
  };
}
