import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { UserError } from '../user-error.js';
import type { BlobStore } from './blob-store.js';
import { FileStore } from './file-store.js';
import { S3Store } from './s3-store.js';

/** Checks a {@link StorePlace} that came from another process. */
export const storePlaceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('http') }),
  z.strictObject({ kind: z.literal('file'), folder: z.string() }),
  z.strictObject({ kind: z.literal('s3'), bucket: z.string(), prefix: z.string() }),
]);

/** Where data and runs travel: served by the coordinator, in a folder that all machines share, or in S3. */
export type StorePlace = z.output<typeof storePlaceSchema>;

/**
 * What `--store` says.
 *
 * @throws {@link UserError} if it is none of the three
 */
export function parseStore(text: string): StorePlace {
  if (text === 'http') return { kind: 'http' };
  if (isAbsolute(text)) return { kind: 'file', folder: text };
  if (text.startsWith('file:')) return { kind: 'file', folder: folderIn(text) };
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*?))?\/?$/.exec(text) ?? [];
  if (bucket !== undefined) return { kind: 's3', bucket, prefix };
  throw new UserError(
    `--store is "${text}"; expected http (this process serves the data), the absolute path of a folder that all machines share, or s3://bucket/prefix`,
  );
}

function folderIn(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw new UserError(`--store is "${url}"; expected the absolute path of a folder, such as file:///mnt/shared`);
  }
}

/** Opens a store that needs nobody who serves it. */
export async function openStore(place: Exclude<StorePlace, { kind: 'http' }>): Promise<BlobStore> {
  return place.kind === 'file' ? new FileStore(place.folder) : S3Store.open(place);
}
