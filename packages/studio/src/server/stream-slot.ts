/** Streams that all pages of a browser hold together: of six connections to a server, two stay free for everything else. */
const SLOTS = 4;

/**
 * Takes one of the few places for a stream, if one is free; it is given back when the page closes.
 *
 * @returns whether this page may hold a stream; always where the browser keeps no such places (an address that is neither this computer's nor https)
 */
export async function takeSlot(): Promise<boolean> {
  if (!('locks' in navigator)) return true;
  for (let slot = 0; slot < SLOTS; slot++) if (await hold(`evenhand-stream-${slot}`)) return true;
  return false;
}

function hold(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      // As long as the page lives.
      return lock === null ? undefined : new Promise(() => undefined);
    });
  });
}
