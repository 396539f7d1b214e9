import { engineFingerprint } from './engine-fingerprint.js';
import { gitCommit } from './environment.js';

/** Which code computes here. */
export interface CodeVersion {
  /** The commit of the current folder; null outside of git. */
  readonly gitCommit: string | null;
  /** A hash of what the engine computes in three fixed steps of a small fixed network. */
  readonly engine: string;
}

/** Finds out which code computes here. */
export async function codeVersion(): Promise<CodeVersion> {
  return { gitCommit: gitCommit(), engine: await engineFingerprint() };
}
