import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What the server answers to. */
export interface GuardOptions {
  /** Names and addresses that a request may call the server by, without the port. */
  readonly hosts: readonly string[];
  readonly port: number;
  /** Is told whenever an address was used: it opens the studio once. */
  readonly onUsed?: () => void;
}

/** Sites that a browser says a request comes from: this page itself, or nobody, as for an address that was typed. */
const OWN_SITES: readonly (string | null)[] = [null, 'none', 'same-origin'];

/**
 * Decides who may come in, before anything else looks at a request. A page of another site cannot: neither by its own name (Origin,
 * Sec-Fetch-Site) nor by a name that it has made point here (Host). Nor can another user of this computer, who does not have the cookie.
 */
export class Guard {
  readonly #hosts: ReadonlySet<string>;
  readonly #cookieName: string;
  readonly #onUsed: () => void;
  readonly #sessions = new Set<string>();
  #token = randomToken();

  constructor({ hosts, port, onUsed = () => undefined }: GuardOptions) {
    this.#hosts = new Set(hosts.map((host) => `${host}:${port}`));
    // Cookies know no ports: two studios on one computer keep theirs apart by name.
    this.#cookieName = `evenhand-studio-${port}`;
    this.#onUsed = onUsed;
  }

  /** What opens the studio, once. */
  get token(): string {
    return this.#token;
  }

  /** The answer to a request that must not come further; undefined if it may. */
  refuse(request: Request): Response | undefined {
    const { headers } = request;
    const host = headers.get('host') ?? '';
    if (!this.#hosts.has(host.toLowerCase())) return forbidden(`this server is not ${host || 'without a name'}`);
    const origin = headers.get('origin');
    if (origin !== null && origin !== `http://${host}`) return forbidden(`requests from ${origin} are refused`);
    if (!OWN_SITES.includes(headers.get('sec-fetch-site'))) return forbidden('requests from other sites are refused');
    const url = new URL(request.url);
    const given = url.searchParams.get('token');
    const hasSession = this.#hasSession(headers.get('cookie') ?? '');
    if (given !== null && request.method === 'GET' && url.pathname === '/') {
      if (hasSession) return redirect({});
      if (isSame(given, this.#token)) return redirect({ 'set-cookie': this.#newSession() });
      return forbidden(
        'this address was used already, or is of an earlier start: take the newest one from the terminal',
      );
    }
    if (hasSession) return undefined;
    return forbidden('open the studio by the address that it printed in the terminal');
  }

  #newSession(): string {
    const session = randomToken();
    this.#sessions.add(digest(session));
    this.#token = randomToken();
    this.#onUsed();
    return `${this.#cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/`;
  }

  #hasSession(cookies: string): boolean {
    return cookies
      .split(';')
      .map((cookie) => cookie.trim())
      .some(
        (cookie) =>
          cookie.startsWith(`${this.#cookieName}=`) &&
          this.#sessions.has(digest(cookie.slice(this.#cookieName.length + 1))),
      );
  }
}

function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** How long it takes tells nothing of the token. */
function isSame(given: string, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}

function forbidden(reason: string): Response {
  const text = `403: ${reason}.\n`;
  return new Response(text, { status: 403, headers: { 'content-type': 'text/plain; charset=utf-8', ...HARDENED } });
}

/** Without the token in its address: what is shared or kept in a history does not open the studio. */
function redirect(headers: Readonly<Record<string, string>>): Response {
  return new Response(null, { status: 303, headers: { location: '/', ...HARDENED, ...headers } });
}

/** Headers of every answer. */
export const HARDENED = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;
