import type { Command } from 'commander';
import { STANDARD_INPUT } from '../../../files/standard-input.js';
import { parseQueueUrl } from '../../../queue/queue-url.js';
import type { StreamOptionsInput } from '../../../stream/options.js';
import { postgresSource } from '../../../stream/sources/postgres-source.js';
import { redisSource } from '../../../stream/sources/redis-source.js';
import { ROW_FORMATS } from '../../../stream/sources/row-formats.js';
import type { StreamSource } from '../../../stream/sources/stream-source.js';
import { textSource } from '../../../stream/sources/text-source.js';
import { UserError } from '../../../user-error.js';
import { oneOf } from '../../options/checked-words.js';
import { textOf, valuesOf } from '../../options/define-command.js';

/** Where rows come from. */
interface NamedSource {
  readonly source: StreamSource;
  /** What a command line calls it, without passwords. */
  readonly name: string;
  /** If it is a file. */
  readonly file?: string;
}

/** The source that a command names. */
export function sourceOf(command: Command, path: string, options: StreamOptionsInput): NamedSource {
  const { follow, replayed } = valuesOf(command);
  const [key, position, format] = ['key', 'position', 'format'].map((name) => textOf(command, name));
  const isServer = /^(rediss?|postgres(ql)?):/.test(path);
  if (isServer) {
    if (key === undefined)
      throw new UserError('--key is missing; expected the stream in Redis, or the table in PostgreSQL');
    refuse('a server', { '--replayed': replayed, '--format': format });
    const address = parseQueueUrl(path, 'the source');
    if (address.kind === 'redis') {
      refuse('Redis', { '--position': position });
      return { source: redisSource(address, key, { follow: follow === true }), name: address.text };
    }
    const { id } = options;
    const table = { position: position ?? 'id', follow: follow === true, ...(id === undefined ? {} : { id }) };
    return { source: postgresSource(address, key, table), name: address.text };
  }
  const isInput = path === STANDARD_INPUT;
  if (isInput && process.stdin.isTTY === true) {
    throw new UserError('the standard input is a terminal; expected rows from a pipe or a file');
  }
  if (isInput)
    refuse('stdin, which is waited for anyway', { '--follow': follow, '--key': key, '--position': position });
  else refuse('a file', { '--replayed': replayed, '--key': key, '--position': position });
  const source = textSource(path, {
    target: options.target,
    follow: follow === true,
    replayed: replayed === true,
    ...(format === undefined ? {} : { format: oneOf('--format', format, ROW_FORMATS) }),
  });
  return { source, name: path, ...(isInput ? {} : { file: path }) };
}

/** An option that the source does not have was meant for another one. */
function refuse(what: string, options: Readonly<Record<string, unknown>>): void {
  const given = Object.entries(options).find(([, value]) => value !== undefined);
  if (given !== undefined) throw new UserError(`${given[0]} is not for ${what}; leave it out`);
}
