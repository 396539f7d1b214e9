import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Batches, QueueFullError } from '../../src/serve/batches.js';
import type { Answers, Instances } from '../../src/serve/model-thread.js';

const LIMITS = { batch: 8, waiting: 100 };

/** A model that answers every instance with itself, and computes when it is told to. */
class Echo {
  readonly batches: number[] = [];
  readonly #steps: (() => void)[] = [];

  readonly compute = async (instances: Instances): Promise<Answers> => {
    this.batches.push(instances.length);
    await new Promise<void>((resolve) => this.#steps.push(resolve));
    return { classes: Int32Array.from(instances), probabilities: Float32Array.from(instances) };
  };

  /** Finishes the batch that is being computed, once there is one. */
  async step(): Promise<void> {
    for (;;) {
      const step = this.#steps.shift();
      if (step !== undefined) return step();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** Requests of these sizes, all different instances. */
function requests(sizes: readonly number[]): Float64Array<ArrayBuffer>[] {
  let next = 0;
  return sizes.map((size) => Float64Array.from({ length: size }, () => next++));
}

describe('Batches', () => {
  it('gives every request its own answers, however they are batched', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 12 }), async (sizes) => {
        const compute = async (instances: Instances) => ({
          classes: Int32Array.from(instances),
          probabilities: Float32Array.from(instances),
        });
        const batches = new Batches(compute, { batch: 8, waiting: 1000 });
        const asked = requests(sizes);
        const answers = await Promise.all(asked.map((request) => batches.predict(request, request.length)));
        expect(answers.map(({ classes }) => [...classes])).toEqual(asked.map((request) => [...request]));
        expect(batches.waiting).toBe(0);
      }),
      { numRuns: 100, seed: 5 },
    );
  });

  it('puts what comes while the model computes into the next batch, and does not wait for it to fill up', async () => {
    const echo = new Echo();
    const batches = new Batches(echo.compute, LIMITS);
    const [first, ...later] = requests([1, 2, 3]);
    if (first === undefined) throw new Error('there is a first request');
    const answers = [batches.predict(first, 1)];
    while (echo.batches.length === 0) await new Promise((resolve) => setImmediate(resolve));
    answers.push(...later.map((request) => batches.predict(request, request.length)));
    expect(batches.waiting).toBe(5);
    await echo.step();
    await echo.step();
    await Promise.all(answers);
    expect(echo.batches).toEqual([1, 5]);
  });

  it('makes batches no larger than the limit, unless a request by itself is', async () => {
    const echo = new Echo();
    const batches = new Batches(echo.compute, LIMITS);
    const answers = requests([5, 4, 20, 3, 5]).map((request) => batches.predict(request, request.length));
    for (let i = 0; i < 4; i++) await echo.step();
    await Promise.all(answers);
    expect(echo.batches).toEqual([5, 4, 20, 8]);
  });

  it('refuses what comes when too much waits, and says when to come again; what was taken is answered', async () => {
    const echo = new Echo();
    const batches = new Batches(echo.compute, { batch: 4, waiting: 6 });
    const [huge = new Float64Array(), small = new Float64Array(), more = new Float64Array()] = requests([50, 4, 3]);
    const taken = batches.predict(huge, huge.length); // nobody is before it
    await expect(batches.predict(small, small.length)).rejects.toThrow(QueueFullError);
    while (echo.batches.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const waiting = batches.predict(small, small.length);
    const refused = await batches.predict(more, more.length).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'QueueFullError', seconds: expect.any(Number) });
    await echo.step();
    await echo.step();
    expect((await taken).classes).toHaveLength(50);
    expect((await waiting).classes).toHaveLength(4);
  });

  it('fails the requests of a batch that fails, and goes on with the next one', async () => {
    let fails = true;
    const batches = new Batches(async (instances) => {
      if (fails) throw new Error('no memory');
      return { classes: Int32Array.from(instances), probabilities: Float32Array.from(instances) };
    }, LIMITS);
    await expect(batches.predict(Float64Array.of(1), 1)).rejects.toThrow('no memory');
    fails = false;
    expect((await batches.predict(Float64Array.of(2), 1)).classes).toEqual(Int32Array.of(2));
    await batches.idle();
  });
});
