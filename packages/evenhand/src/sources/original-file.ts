import { createHash } from 'node:crypto';

/** A file as its authors published it. */
export interface OriginalFile {
  readonly file: string;
  /** Of its content, in hex. */
  readonly sha256: string;
}

/** What is wrong with the content of such a file, if anything. */
export function originalFileProblem({ sha256 }: OriginalFile, content: Uint8Array): string | undefined {
  const received = createHash('sha256').update(content).digest('hex');
  return received === sha256 ? undefined : `its SHA-256 is ${received}, expected ${sha256}`;
}
