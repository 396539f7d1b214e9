import { checkCount, checkRate, type Schedule, type WarmUp, withWarmUp } from './schedule.js';

/** How {@link cosine} is set. */
export interface CosineOptions extends WarmUp {
  readonly rate: number;
  /** Steps of the whole training, warm-up included. */
  readonly steps: number;
  /** The rate at step `steps` and after. @defaultValue 0 */
  readonly final?: number;
}

/** A rate that falls along half a cosine, from `rate` at the end of the warm-up to `final`. */
export function cosine({ rate, steps, final = 0, warmUp = 0 }: CosineOptions): Schedule {
  checkRate('rate', rate);
  checkRate('final', final);
  checkCount('warmUp', warmUp);
  checkCount('steps', steps, warmUp + 1);
  return withWarmUp(rate, warmUp, (step) => {
    const done = Math.min((step - warmUp) / (steps - warmUp), 1);
    return final + ((rate - final) * (1 + Math.cos(Math.PI * done))) / 2;
  });
}
