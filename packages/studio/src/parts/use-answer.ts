import { useEffect, useState } from 'preact/hooks';
import { ask, messageOf } from '../server/api.js';

/** What the server answered, or why it did not; neither while it is asked. */
export interface Asked<Answer> {
  readonly answer?: Answer;
  readonly fault?: string;
}

/**
 * Asks the server whenever the address changes; null asks nothing. The last answer to the same address stays while it is asked again.
 *
 * @param occasion - whenever it changes, the server is asked again
 */
export function useAnswer<Answer>(address: string | null, occasion: number | string = 0): Asked<Answer> {
  const [asked, setAsked] = useState<Asked<Answer> & { readonly address?: string; readonly occasion?: unknown }>({});
  useEffect(() => {
    if (address === null) return;
    const controller = new AbortController();
    const tell = (told: Asked<Answer>) => {
      if (!controller.signal.aborted) setAsked({ address, occasion, ...told });
    };
    ask<Answer>(address, { signal: controller.signal }).then(
      (answer) => tell({ answer }),
      (error: unknown) => tell({ fault: messageOf(error) }),
    );
    return () => controller.abort();
  }, [address, occasion]);
  return asked.address === address ? asked : {};
}
