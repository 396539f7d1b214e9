/** Threads that do the same work together. Each goes through the same program; what they share are the tasks. */
export interface Team {
  readonly size: number;
  /** This thread's number. */
  readonly index: number;
  /** Has every task done by one of the threads, and returns when all are done. Which thread does which is left to chance. */
  share(tasks: number, work: (task: number) => void): void;
}

/** A team of one. */
export const alone: Team = {
  size: 1,
  index: 0,
  share(tasks, work) {
    for (let task = 0; task < tasks; task++) work(task);
  },
};
