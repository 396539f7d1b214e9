import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Names of the files in the folder of a stream. */
export const STREAM_FILES = {
  state: 'stream.safetensors',
  log: 'log.jsonl',
  /** Where `--export` without a name goes. */
  model: 'model.onnx',
  report: 'report.html',
} as const;

/** Texts that are saved with a learner. */
export const STREAM_TEXTS = {
  position: 'position',
  records: 'records',
  log: 'log bytes',
  out: 'answers bytes',
} as const;

/** Whether a stream was begun in this folder. */
export function isStream(folder: string): boolean {
  return existsSync(join(folder, STREAM_FILES.state));
}
