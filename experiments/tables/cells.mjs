// Cells of an experiment: each is trained in a child process, and its result is a line of a file. What has a line is done.
import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const AT_ONCE = 2;
const CHILD = fileURLToPath(new URL('train-cell.mjs', import.meta.url));
/** A program to start every child with, such as `nice`. */
const STARTED_BY = process.env.EVENHAND_STARTED_BY?.split(' ') ?? [];

/** The lines of a file of results; none if there is no file. */
export function readLines(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/**
 * Trains what is not done yet.
 *
 * @param file - gets a line for each cell
 * @param cells - `key` is what its line begins with and is known by, `job` what train-cell.mjs is told
 * @param lineOf - what else is in its line, from the results of its seeds
 */
export async function trainCells(file, cells, lineOf) {
  const known = readLines(file).map((line) => JSON.stringify(line));
  const isDone = (start) => known.some((line) => line.startsWith(`${start},`));
  const left = cells.filter(({ key }) => !isDone(JSON.stringify(key).slice(0, -1)));
  process.stderr.write(`${file}: ${left.length} of ${cells.length} cells are left\n`);
  const worker = async () => {
    for (let cell = left.shift(); cell !== undefined; cell = left.shift()) {
      const [program, ...rest] = [...STARTED_BY, process.execPath, CHILD, JSON.stringify(cell.job)];
      const { stdout } = await promisify(execFile)(program, rest);
      appendFileSync(file, `${JSON.stringify({ ...cell.key, ...lineOf(JSON.parse(stdout)) })}\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
