import { readFileSync } from 'node:fs';

/** The most memory that this process has held, in MB. */
export function peakMemory(): number {
  // Linux hands maxRSS on from the process that started this one, which may have held far more; VmHWM is its own.
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024;
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
}
