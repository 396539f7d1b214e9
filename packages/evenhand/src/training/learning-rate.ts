import { schedules } from '@evenhand/engine';
import type { NetworkConfig } from '../config/schema.js';

/** The learning rate of every step, counted from 0. Epochs of the configuration become steps. */
export function learningRateOfStep(
  { schedule, optimizer, epochs }: Pick<NetworkConfig, 'schedule' | 'optimizer' | 'epochs'>,
  stepsPerEpoch: number,
): schedules.Schedule {
  const rate = optimizer.learningRate;
  const steps = epochs * stepsPerEpoch;
  switch (schedule.name) {
    case 'constant':
      return schedules.multiStep({ rate, milestones: [], warmUp: schedule.warmUpEpochs * stepsPerEpoch });
    case 'cosine':
      return schedules.cosine({ rate, steps, warmUp: schedule.warmUpEpochs * stepsPerEpoch });
    case 'multi-step': {
      const milestones = schedule.milestones.map((epoch) => epoch * stepsPerEpoch);
      const { factor, warmUpEpochs } = schedule;
      return schedules.multiStep({ rate, milestones, factor, warmUp: warmUpEpochs * stepsPerEpoch });
    }
    case 'waves':
      return schedules.waves({ rate, steps });
    case 'one-cycle': // to rise and to fall takes two
      return schedules.oneCycle({ rate, steps: Math.max(2, steps) });
  }
}
