import { readFileSync } from 'node:fs';

/** What a process has taken so far. */
export interface ProcessUsage {
  /** Of all processors together. */
  readonly seconds: number;
  /** That it has now. */
  readonly megabytes: number;
}

const TICKS_PER_SECOND = 100;

/** What Linux says of another process; undefined on other systems, and when it is gone. */
export function usageOf(pid: number): ProcessUsage | undefined {
  try {
    // Behind the name, which may have blanks and brackets: the state is field 3 of the manual, and the times are 14 and 15.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    const kilobytes = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { seconds: (Number(user) + Number(system)) / TICKS_PER_SECOND, megabytes: Number(kilobytes) / 1024 };
  } catch {
    return undefined;
  }
}
