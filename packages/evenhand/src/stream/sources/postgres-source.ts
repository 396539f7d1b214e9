import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { unusableServer } from '../../queue/check-server.js';
import type { QueueAddress } from '../../queue/queue-url.js';
import { UserError } from '../../user-error.js';
import { parsePosition, type SourceRecord, type StreamSource } from './stream-source.js';

/** How a table is read. */
export interface PostgresSourceOptions {
  /** A column that is larger with every row. */
  readonly position: string;
  /** The column of ids, which stays in the rows. */
  readonly id?: string;
  /** Whether more rows are waited for. */
  readonly follow: boolean;
}

const positionSchema = z.strictObject({ postgres: z.string() });

/** Rows that are asked for at a time, and milliseconds between two questions where there are none. */
const [ROWS, PAUSE] = [1000, 500];

/** What the position is called in an answer: as text, since JavaScript's numbers and dates are shorter. */
const POSITION = 'evenhand position';

/**
 * The rows of a table in the order of a column that grows. While it is followed, a server that goes away is waited for.
 *
 * @param table - its name, with its schema in front if it needs one
 * @throws {@link UserError} if the server or the table cannot be used
 */
export function postgresSource(address: QueueAddress, table: string, options: PostgresSourceOptions): StreamSource {
  const name = `${address.text}, ${table}`;
  const column = quoted(options.position);
  const from = `SELECT *, ${column}::text AS ${quoted(POSITION)} FROM ${table.split('.').map(quoted).join('.')}`;
  const ordered = `ORDER BY ${column} LIMIT ${ROWS}`;
  return {
    name,
    records: async function* (position, signal) {
      let last = position === undefined ? undefined : parsePosition(positionSchema, position, name).postgres;
      const server = await Server.connect(address, options.follow, signal);
      try {
        while (!signal.aborted) {
          const rows = await (last === undefined
            ? server.query(`${from} WHERE ${column} IS NOT NULL ${ordered}`, [])
            : server.query(`${from} WHERE ${column} > $1 ${ordered}`, [last]));
          if (rows.length > 0) yield rows.map((row) => recordOf(row, options));
          else if (!options.follow) return;
          else await sleep(PAUSE, undefined, { signal }).catch(() => undefined);
          last = rows.at(-1)?.[POSITION]?.toString() ?? last;
        }
      } finally {
        await server.close();
      }
    },
  };
}

type DatabaseRow = Readonly<Record<string, unknown>> & { readonly [POSITION]?: string };

function recordOf(row: DatabaseRow, { position, id }: PostgresSourceOptions): SourceRecord {
  const place = row[POSITION] ?? '';
  const cells = Object.entries(row).filter(([name]) => name !== POSITION && (name !== position || name === id));
  const behind: z.output<typeof positionSchema> = { postgres: place };
  return {
    row: Object.fromEntries(cells.map(([name, value]) => [name, value instanceof Date ? value.getTime() : value])),
    name: `the row of ${position} ${place}`,
    position: JSON.stringify(behind),
  };
}

/** An identifier as SQL takes it, whatever it is. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A connection that is made anew when it breaks, as long as more rows are waited for. */
class Server {
  readonly #address: QueueAddress;
  readonly #waits: boolean;
  readonly #signal: AbortSignal;
  #client: Client;

  private constructor(address: QueueAddress, waits: boolean, signal: AbortSignal, client: Client) {
    this.#address = address;
    this.#waits = waits;
    this.#signal = signal;
    this.#client = client;
  }

  static async connect(address: QueueAddress, waits: boolean, signal: AbortSignal): Promise<Server> {
    try {
      return new Server(address, waits, signal, await connected(address));
    } catch (error) {
      throw error instanceof UserError ? error : unusableServer('the source', address, error);
    }
  }

  async query(sql: string, values: readonly string[]): Promise<DatabaseRow[]> {
    for (;;) {
      try {
        return (await this.#client.query<DatabaseRow>(sql, [...values])).rows;
      } catch (error) {
        const isAnswer = error instanceof Error && 'severity' in error && error.severity === 'ERROR';
        if (this.#signal.aborted) return [];
        if (isAnswer || !this.#waits) throw unusableServer('the source', this.#address, error);
        await sleep(PAUSE, undefined, { signal: this.#signal }).catch(() => undefined);
        await this.close();
        this.#client = await connected(this.#address).catch(() => this.#client);
      }
    }
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined);
  }
}

type Client = Awaited<ReturnType<typeof connected>>;

async function connected(address: QueueAddress) {
  const { default: pg } = await import('pg').catch((cause: unknown) => {
    throw new UserError('a PostgreSQL source needs a package that is not installed: npm install pg', { cause });
  });
  const client = new pg.Client({ connectionString: address.secret.href, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // said by the next question
  await client.connect();
  return client;
}
