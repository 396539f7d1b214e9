import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { UserError } from '../user-error.js';
import { errorMessage } from '../wording/error-message.js';
import { type BlobContent, BlobError, type BlobStore, checked } from './blob-store.js';

type S3Module = typeof import('@aws-sdk/client-s3');

/** Where in a bucket blobs are. */
export interface S3Place {
  readonly bucket: string;
  /** Before every key; may be empty. */
  readonly prefix: string;
}

/**
 * Blobs as objects of S3, or of a server that speaks its language. Credentials, region and endpoint are those of the AWS SDK:
 * `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT_URL` …
 */
export class S3Store implements BlobStore {
  readonly #client: S3Client;

  private constructor(
    private readonly sdk: S3Module,
    private readonly place: S3Place,
  ) {
    this.#client = new sdk.S3Client({
      // Servers other than Amazon's rarely have a host name for every bucket.
      forcePathStyle: (process.env.AWS_ENDPOINT_URL ?? process.env.AWS_ENDPOINT_URL_S3) !== undefined,
      // Keys are hashes: nothing is gained by the checksums of the SDK, which many servers do not know.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  /** @throws UserError if the SDK is not installed */
  static async open(place: S3Place): Promise<S3Store> {
    const sdk = await import('@aws-sdk/client-s3').catch((cause: unknown) => {
      throw new UserError('a store in S3 needs the AWS SDK, which is not installed: npm install @aws-sdk/client-s3', {
        cause,
      });
    });
    return new S3Store(sdk, place);
  }

  get name(): string {
    return ['s3:/', this.place.bucket, this.place.prefix].filter((part) => part !== '').join('/');
  }

  async has(key: string): Promise<boolean> {
    try {
      await this.#client.send(new this.sdk.HeadObjectCommand(this.#object(key)));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw this.#failed(key, error);
    }
  }

  async *read(key: string): AsyncGenerator<Uint8Array> {
    const { Body } = await this.#client
      .send(new this.sdk.GetObjectCommand(this.#object(key)))
      .catch((error: unknown) => {
        throw isMissing(error) ? new BlobError(`${key} is not in ${this.name}`) : this.#failed(key, error);
      });
    yield* checked(Body instanceof Readable ? Body : Readable.from([]), key, this.name);
  }

  async write(key: string, content: BlobContent): Promise<void> {
    // Before, not while it is sent: the SDK does not take back what it has begun.
    for await (const _ of checked(content.open(), key, 'what was to be written'));
    const body = Readable.from(content.open(), { objectMode: false });
    const command = new this.sdk.PutObjectCommand({ ...this.#object(key), Body: body, ContentLength: content.size });
    await this.#client.send(command).catch((error: unknown) => {
      throw this.#failed(key, error);
    });
  }

  async removeAll(prefix: string): Promise<void> {
    const { Bucket, Key: Prefix } = this.#object(`${prefix}/`);
    const { Contents = [] } = await this.#client
      .send(new this.sdk.ListObjectsV2Command({ Bucket, Prefix }))
      .catch((error: unknown) => {
        throw this.#failed(prefix, error);
      });
    for (const { Key } of Contents) await this.#client.send(new this.sdk.DeleteObjectCommand({ Bucket, Key }));
    // A page has at most 1,000 of them.
    if (Contents.length > 0) await this.removeAll(prefix);
  }

  #object(key: string): { readonly Bucket: string; readonly Key: string } {
    const { bucket, prefix } = this.place;
    return { Bucket: bucket, Key: prefix === '' ? key : `${prefix}/${key}` };
  }

  #failed(key: string, error: unknown): BlobError {
    return new BlobError(`${key} in ${this.name}: ${errorMessage(error)}`, { cause: error });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && ['NotFound', 'NoSuchKey'].includes(error.name);
}
