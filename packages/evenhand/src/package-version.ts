import { readFileSync } from 'node:fs';

/** The version that a `package.json` says. */
export function packageVersion(file: URL | string): string {
  const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof json === 'object' && json !== null && 'version' in json && typeof json.version === 'string') {
    return json.version;
  }
  throw new Error(`internal: ${String(file)} has no version`);
}
