import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two looks. Looking works on every file system; to be told does not. */
const EVERY = 500;

/** What tells that a file is another one, or has other content; undefined while there is none. */
export async function signatureOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found === undefined ? undefined : `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs}`;
}

/**
 * Tells of every change of a file, once it has stayed as it is from one look to the next: what is still being written is left alone.
 *
 * @param known - the {@link signatureOf} of the content that is known already
 * @param onChange - is waited for
 */
export async function followFile(
  path: string,
  known: string | undefined,
  onChange: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let [taken, before] = [known, known];
  while (await pause(signal)) {
    const now = await signatureOf(path);
    if (now === before && now !== taken) {
      taken = now;
      await onChange();
    }
    before = now;
  }
}

/** Whether to go on after it. */
async function pause(signal: AbortSignal): Promise<boolean> {
  // Nobody waits for the next look at the end of the process.
  await sleep(EVERY, undefined, { signal, ref: false }).catch(() => undefined);
  return !signal.aborted;
}
