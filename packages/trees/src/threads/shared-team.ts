import type { Team } from '../team.js';

/** What threads share to be a team: a counter of tasks for even and odd rounds, how many have arrived, and how many times all had. */
export function teamMemory(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(64));
}

const ARRIVED = 2;
const GENERATION = 3;
/** Looks before a thread goes to sleep: waking it takes longer than most tasks do. */
const LOOKS = 2_000;

/** A team of threads that share a memory made by {@link teamMemory}. */
export function sharedTeam(memory: Int32Array, index: number, size: number): Team {
  let generation = Atomics.load(memory, GENERATION);
  const meet = (): void => {
    const counter = generation & 1;
    if (Atomics.add(memory, ARRIVED, 1) === size - 1) {
      // The last one: nobody takes tasks any more, and nobody arrives before it has opened.
      Atomics.store(memory, ARRIVED, 0);
      Atomics.store(memory, counter, 0);
      Atomics.store(memory, GENERATION, (generation + 1) | 0);
      Atomics.notify(memory, GENERATION);
    } else {
      for (let look = 0; look < LOOKS && Atomics.load(memory, GENERATION) === generation; look++);
      while (Atomics.load(memory, GENERATION) === generation) Atomics.wait(memory, GENERATION, generation);
    }
    generation = (generation + 1) | 0;
  };
  return {
    size,
    index,
    share(tasks, work) {
      const counter = generation & 1;
      for (;;) {
        const task = Atomics.add(memory, counter, 1);
        if (task >= tasks) break;
        work(task);
      }
      meet();
    },
  };
}
