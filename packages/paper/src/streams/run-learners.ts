import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { UserError } from 'evenhand';
import { columnsOfStream, StreamLearner, type StreamRow } from 'evenhand/stream';
import * as runtime from 'onnxruntime-node';
import { z } from 'zod';
import { OUR_LEARNERS } from './learners.js';
import type { StreamRows } from './rows.js';

/** Rows that the learner is given at a time, and that peers predict and then learn from at a time: as many as ours learn from in a step. */
const BATCH = 32;

/** What was answered, and how long that took, in seconds of the processor. */
export interface Answered {
  readonly answers: readonly number[];
  readonly seconds: number;
}

/** Answers of one of our learners, −1 where it had none. */
export async function answersOfOurs(name: string, { columns, instances }: StreamRows, seed: number): Promise<Answered> {
  const rows = instances.map(({ values, label }): StreamRow => {
    const cells = columns.map((column, i): [string, number | undefined] => [column, values[i]]);
    return { ...Object.fromEntries(cells), [TARGET]: `class ${label}` };
  });
  const options = { target: TARGET, batch: BATCH, seed, ...OUR_LEARNERS[name] };
  const learner = await StreamLearner.create(options, columnsOfStream(rows.slice(0, 100), { target: TARGET }), {
    runtime,
  });
  const before = process.cpuUsage();
  try {
    const outcomes = await learner.take(rows);
    const { user, system } = process.cpuUsage(before);
    const answers = outcomes.map((outcome) => {
      const answer = outcome.kind === 'answer' ? outcome.answer : null;
      return answer === null ? -1 : Number(answer.slice('class '.length));
    });
    return { answers, seconds: (user + system) / 1e6 };
  } finally {
    await learner.close();
  }
}

/** A name that no column of the streams has. */
const TARGET = 'class of the row';

const SCRIPT = fileURLToPath(new URL('../../scripts/stream_peers.py', import.meta.url));

const peerAnswerSchema = z.record(z.string(), z.strictObject({ answers: z.array(z.int()), seconds: z.number() }));

/**
 * Answers of scikit-learn's learners.
 *
 * @param python - a Python that has it
 * @throws {@link UserError} if the script fails
 */
export async function answersOfPeers(
  python: string,
  names: readonly string[],
  { instances }: StreamRows,
  seed: number,
): Promise<ReadonlyMap<string, Answered>> {
  const child = spawn(python, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  const order = {
    learners: names,
    batch: BATCH,
    seed,
    values: instances.map(({ values }) => values.map((value) => (Number.isNaN(value) ? null : value))),
    labels: instances.map(({ label }) => label),
  };
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  child.stdin.end(JSON.stringify(order));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new UserError(`${python} ${SCRIPT} ended with code ${code}; what it printed says why`);
  return new Map(Object.entries(peerAnswerSchema.parse(JSON.parse(text))));
}
