import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { errorCode } from './file-error.js';

/** Whether a process of this computer lives, and when it started; null where the system does not say. */
interface ProcessState {
  readonly alive: boolean;
  /** The same text as long as the process lives; another one for a later process of the same number. */
  readonly started: string | null;
}

const GONE: ProcessState = { alive: false, started: null };

/** Looks a process up by its number. */
export function processState(pid: number): ProcessState {
  if (process.platform === 'linux') return linuxProcessState(pid);
  if (!answers(pid)) return GONE;
  if (process.platform === 'win32') return { alive: true, started: null };
  const started = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim();
  return { alive: true, started: started || null };
}

/** `/proc/<pid>/stat` is `pid (name) state …`, the start in clock ticks since boot is its 22nd field; names may hold anything. */
function linuxProcessState(pid: number): ProcessState {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return GONE;
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, ticks] = [fields[0], fields[19]];
  // A zombie has ended; its parent has not asked yet how.
  if (state === 'Z' || state === 'X') return GONE;
  return { alive: true, started: `${bootOf()} ${ticks}` };
}

function bootOf(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
}

function answers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM'; // it lives, and is somebody else's
  }
}
