import { existsSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

/**
 * A folder that is not there yet, named after the data: `runs/fraud`, or with a number behind it where that is taken.
 *
 * @param parent - what it lies in
 * @param source - the data: a path, or the name of a data set
 * @param ending - what else it is called, such as `-enhancement`
 */
export function freeFolder(parent: string, source: string, ending = ''): string {
  const name = join(parent, `${basename(source, extname(source)) || 'data'}${ending}`);
  for (let i = 1; ; i++) {
    const path = i === 1 ? name : `${name}-${i}`;
    if (!existsSync(path)) return path;
  }
}
