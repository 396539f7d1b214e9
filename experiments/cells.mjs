// Cells of an experiment: each is trained in a child process, and its result is a line of a file. What has a line is done.
import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { promisify } from 'node:util';

const AT_ONCE = 2;
/** A program to start every child with, such as `nice`. */
const STARTED_BY = process.env.EVENHAND_STARTED_BY?.split(' ') ?? [];

/** The lines of a file of results; none if there is no file. What an interruption left of the last one does not count. */
export function readLines(file) {
  return wholeLines(file).map((line) => JSON.parse(line));
}

function wholeLines(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

/**
 * Trains what is not done yet. A cell that fails stops no other; in the end it is an error, so that nobody goes on with half of the results.
 *
 * @param file - gets a line for each cell
 * @param program - trains a cell: it is told the job as JSON and writes JSON to standard output
 * @param cells - `key` is what its line begins with and is known by, `job` what the program is told
 * @param lineOf - what else is in its line, from what the program wrote
 */
export async function trainCells(file, program, cells, lineOf) {
  const known = wholeLines(file);
  if (existsSync(file)) truncateSync(file, Buffer.byteLength(known.map((line) => `${line}\n`).join('')));
  const isDone = (start) => known.some((line) => line.startsWith(`${start},`));
  const left = cells.filter(({ key }) => !isDone(JSON.stringify(key).slice(0, -1)));
  process.stderr.write(`${file}: ${left.length} of ${cells.length} cells are left\n`);
  let failed = 0;
  const worker = async () => {
    for (let cell = left.shift(); cell !== undefined; cell = left.shift()) {
      const [started, ...rest] = [...STARTED_BY, process.execPath, program, JSON.stringify(cell.job)];
      try {
        const { stdout } = await promisify(execFile)(started, rest);
        appendFileSync(file, `${JSON.stringify({ ...cell.key, ...lineOf(JSON.parse(stdout)) })}\n`);
      } catch (error) {
        process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
        failed++;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (failed > 0)
    throw new Error(`${failed} of ${cells.length} cells failed, see above; the same command tries them again`);
}
