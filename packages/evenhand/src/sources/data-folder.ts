import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** What decides where the data folder is. */
interface Host {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
}

/**
 * Where the well-known data sets are kept: `EVENHAND_DATA`, else the folder `evenhand` in the user's cache folder
 * (`XDG_CACHE_HOME` or `~/.cache`; on macOS `~/Library/Caches`; on Windows `LOCALAPPDATA`). It need not be there yet.
 */
export function dataFolder({ environment, platform, home }: Host = thisHost()): string {
  if (environment.EVENHAND_DATA) return resolve(environment.EVENHAND_DATA);
  if (platform === 'win32') return join(environment.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'evenhand');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'evenhand');
  const cache = environment.XDG_CACHE_HOME ?? '';
  // The XDG specification wants relative paths ignored.
  return join(isAbsolute(cache) ? cache : join(home, '.cache'), 'evenhand');
}

function thisHost(): Host {
  return { environment: process.env, platform: process.platform, home: homedir() };
}
