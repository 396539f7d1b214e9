import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Problem } from './problem.js';

/** Names of this machine that only it can be called by. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;

/** Whether an address is reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/**
 * Who may ask. With a token: whoever knows it. Without one, on this machine alone: programs of this machine, but no page of a
 * browser that comes from elsewhere, whatever name it has given to this machine's address.
 *
 * @returns throws a {@link Problem} for a request that is not allowed
 */
export function accessCheck(token: string | undefined, host: string): (incoming: IncomingMessage) => void {
  if (token !== undefined) {
    const expected = digest(`Bearer ${token}`);
    return ({ headers }) => {
      if (timingSafeEqual(digest(headers.authorization ?? ''), expected)) return;
      throw new Problem(401, 'The token is missing or wrong; expected the header "Authorization: Bearer …".', {
        'WWW-Authenticate': 'Bearer',
      });
    };
  }
  if (!isLoopback(host)) return () => undefined;
  return ({ headers }) => {
    if (
      isLoopback(hostName(headers.host)) &&
      (headers.origin === undefined || isLoopback(originName(headers.origin)))
    ) {
      return;
    }
    throw new Problem(
      403,
      'The server answers programs of its own machine only; the Host or Origin of this request is another. ' +
        'Call it as 127.0.0.1 or localhost, or start it with --token.',
    );
  };
}

/** Of one length whatever it is of, so that comparing takes as long. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function hostName(host: string | undefined): string {
  return (host ?? '').replace(/:\d+$/, '');
}

function originName(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : '';
}
