/// <reference types="node" />
import type { Gate } from './gate.js';

/** How long the exit of the process waits for a native call that is running. */
const EXIT_PATIENCE = 60_000;

const running = new Set<Gate>();

/**
 * Has the exit of the process wait for the native call that is inside a gate.
 *
 * @param ended - when the thread behind the gate has ended
 */
export function stopAtExit(gate: Gate, ended: Promise<unknown>): void {
  if (running.size === 0) process.on('exit', stopAll);
  running.add(gate);
  void ended.then(() => {
    running.delete(gate);
    if (running.size === 0) process.off('exit', stopAll);
  });
}

function stopAll(): void {
  for (const gate of running) gate.stop();
  for (const gate of running) gate.waitUntilEmpty(EXIT_PATIENCE);
}
