import { createInterface } from 'node:readline';

/** What the training peers are asked for. */
export interface TrainingRequest {
  readonly batch: number;
  readonly runs: number;
}

/** Answers every line of JSON with a line of JSON: what each way took. */
export async function answer<Request = TrainingRequest>(
  run: (request: Request) => Promise<Record<string, number>>,
): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const request: Request = JSON.parse(line);
    process.stdout.write(`${JSON.stringify(await run(request))}\n`);
  }
}

/** The best single step, in milliseconds: no mean, which favours the peer. */
export async function bestStep(runs: number, step: () => Promise<void>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await step();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}
