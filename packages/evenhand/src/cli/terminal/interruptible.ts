import { InterruptedError, listenForInterruption } from '../../training/interruption.js';
import type { Terminal } from './terminal.js';

/**
 * Does work that the first SIGINT or SIGTERM stops at a point from which it can go on, and the second one at once.
 *
 * @param howToGoOn - what to say when it was stopped
 */
export async function interruptible<Result>(
  terminal: Terminal,
  work: (signal: AbortSignal) => Promise<Result>,
  howToGoOn: () => string,
): Promise<Result> {
  const interruption = listenForInterruption();
  interruption.signal.addEventListener('abort', () =>
    terminal.note('Stopping after this step; press Ctrl-C again to stop at once.'),
  );
  try {
    return await work(interruption.signal);
  } catch (error) {
    if (error instanceof InterruptedError) terminal.complain(howToGoOn());
    throw error;
  } finally {
    interruption.stop();
  }
}
