import { UserError } from '../user-error.js';

/** Where a queue is. */
export interface QueueAddress {
  readonly kind: 'redis' | 'postgres';
  readonly host: string;
  readonly port: number;
  /** For messages: never with user or password. */
  readonly text: string;
  /** As it was given, with all that is secret in it. */
  readonly secret: URL;
}

const KINDS: Readonly<Record<string, { readonly kind: QueueAddress['kind']; readonly port: number }>> = {
  'redis:': { kind: 'redis', port: 6379 },
  'rediss:': { kind: 'redis', port: 6379 },
  'postgres:': { kind: 'postgres', port: 5432 },
  'postgresql:': { kind: 'postgres', port: 5432 },
};

const EXPECTED = 'expected redis://host:6379 or postgres://user@host/database';

/**
 * What `--queue` or `EVENHAND_QUEUE` says, or another word for a server.
 *
 * @param what - what messages call it
 * @throws {@link UserError} if no queue can be there; what was given is not repeated, as a password may be in it
 */
export function parseQueueUrl(given: string, what = '--queue'): QueueAddress {
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw new UserError(`${what} is not an address; ${EXPECTED}`);
  }
  const known = Object.hasOwn(KINDS, url.protocol) ? KINDS[url.protocol] : undefined;
  if (known === undefined) throw new UserError(`${what} begins with ${url.protocol}//; ${EXPECTED}`);
  if (url.hostname === '') throw new UserError(`${what} names no host; ${EXPECTED}`);
  if (known.kind === 'redis' && !/^\/?\d*$/.test(url.pathname)) {
    throw new UserError(
      `${what} names the database "${url.pathname.slice(1)}"; expected a number, such as redis://host:6379/0`,
    );
  }
  const port = url.port === '' ? known.port : Number(url.port);
  const text = `${url.protocol}//${url.hostname}:${port}${url.pathname === '/' ? '' : url.pathname}`;
  return { kind: known.kind, host: url.hostname.replace(/^\[|\]$/g, ''), port, text, secret: url };
}

/** A message of another library, without what is secret in the address. */
export function withoutSecrets(message: string, { secret }: Pick<QueueAddress, 'secret'>): string {
  const secrets = [secret.href, secret.password, decodeURIComponent(secret.password)].filter((text) => text !== '');
  return secrets.reduce((text, hidden) => text.replaceAll(hidden, '…'), message);
}
