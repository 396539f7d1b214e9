import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openModel } from '../../src/index.js';
import type { ModelServer } from '../../src/serve/server.js';
import { start } from '../cli/evenhand.js';
import { modelFiles, post, startServer, tableModel } from './models.js';

const file = modelFiles({ 'table.onnx': tableModel });
const MEGABYTE = 2 ** 20;
/** Rows that keep the model busy for longer than a request takes. */
const LONG = 400_000;

/** What came of a request: a status with its answer, or why there was none. */
type Outcome =
  | { readonly status: number; readonly answer: string; readonly closes: boolean }
  | { readonly failed: string };

function ask(address: string, age: number, agent: Agent): Promise<Outcome> {
  return new Promise((resolve) => {
    const headers = { 'Content-Type': 'application/json' };
    const asked = request(`${address}/predict`, { method: 'POST', agent, headers }, (response) => {
      let answer = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        answer += text;
      });
      const closes = response.headers.connection === 'close';
      response.on('end', () => resolve({ status: response.statusCode ?? 0, answer, closes }));
      response.on('error', ({ message }) => resolve({ failed: message }));
    });
    asked.on('error', (error) => resolve({ failed: 'code' in error ? String(error.code) : error.message }));
    asked.end(JSON.stringify({ age }));
  });
}

describe('fault 49: under load', () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startServer(file('table.onnx'), { bodyLimit: MEGABYTE });
  });
  afterAll(() => server.drain());

  it('fault 49: 1,000 concurrent requests get 1,000 answers, each its own', async () => {
    const agent = new Agent({ keepAlive: true });
    const ages = Array.from({ length: 1000 }, (_, i) => i - 500);
    const outcomes = await Promise.all(ages.map((age) => ask(server.address, age, agent)));
    agent.destroy();
    const model = await openModel(file('table.onnx'));
    const { probabilities } = await model.predictRows(ages.map((age) => ({ age })));
    await model.close();
    for (const [i, outcome] of outcomes.entries()) {
      if ('failed' in outcome) throw new Error(`request ${i}: ${outcome.failed}`);
      expect(outcome.status).toBe(200);
      const { predictions } = JSON.parse(outcome.answer);
      // Batches of another size may be added up in another order.
      expect(predictions[0].probabilities.low).toBeCloseTo(probabilities[3 * i] ?? Number.NaN, 5);
    }
  });

  it('fault 49: a body of 100 MB is refused by its header, and as soon as it is too long without one', async () => {
    const answer = await post(server, new Uint8Array(100 * MEGABYTE).fill(0x20)).catch(({ cause }) => cause);
    // Whoever does not look for an answer before all is sent finds the connection closed.
    if (answer instanceof Error)
      expect(answer).toHaveProperty('code', expect.stringMatching(/EPIPE|ECONNRESET|SOCKET/));
    else expect([answer.status, answer.json.error.message]).toEqual([413, expect.stringContaining('larger than 1 MB')]);

    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += MEGABYTE;
        if (sent > 100 * MEGABYTE) controller.close();
        else controller.enqueue(new Uint8Array(MEGABYTE).fill(0x20));
      },
    });
    const refused = await post(server, endless).catch(({ cause }) => cause);
    if (!(refused instanceof Error)) expect(refused.status).toBe(413);
    expect((await post(server, { age: 1 })).status).toBe(200);
  });

  it('fault 49: a client that reads the answer before it has sent everything is told the limit', async () => {
    const outcome = await new Promise((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json', 'Content-Length': 100 * MEGABYTE };
      const asked = request(`${server.address}/predict`, { method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
        asked.destroy();
      });
      asked.on('error', reject);
      asked.flushHeaders();
    });
    expect(outcome).toBe(413);
  });

  it('fault 49: beyond its queue a server says 503 and when to come again, and answers what it took', async () => {
    const small = await startServer(file('table.onnx'), { queue: 5 });
    const { batches } = small.model;
    const agent = new Agent({ keepAlive: true });
    const computed = batches.predict(new Float64Array(4 * LONG), LONG);
    await new Promise((resolve) => setImmediate(resolve)); // now the model has it
    const waiting = batches.predict(new Float64Array(4 * 5), 5);
    const refused = await post(small, { age: 1 });
    expect([refused.status, refused.json.error.message]).toEqual([503, expect.stringMatching(/ask again in \d+ s/)]);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect([(await computed).classes.length, (await waiting).classes.length]).toEqual([LONG, 5]);
    expect(await ask(small.address, 1, agent)).toMatchObject({ status: 200 });
    agent.destroy();
    await small.drain();
  });
});

it('fault 49: SIGTERM under load loses no answer: what was asked is answered, then the process ends with 0', async () => {
  const command = start(['serve', file('table.onnx'), '--port', '0', '--json'], { cwd: '/' });
  const { address } = JSON.parse(await command.says('}'));
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let answered = 0;
  const lost: string[] = [];
  const client = async (number: number) => {
    for (;;) {
      const outcome = await ask(address, number, agent);
      if ('failed' in outcome) {
        // Nobody listens any more: this was never taken on.
        if (outcome.failed !== 'ECONNREFUSED') lost.push(outcome.failed);
        return;
      }
      if (outcome.status !== 200) lost.push(outcome.answer);
      answered++;
      if (answered === 500) command.kill('SIGTERM');
      if (outcome.closes) return;
    }
  };
  await Promise.all(Array.from({ length: 64 }, (_, number) => client(number)));
  const { code, stderr } = await command.ended();
  agent.destroy();
  expect(lost).toEqual([]);
  expect(answered).toBeGreaterThanOrEqual(500);
  expect([code, stderr]).toEqual([0, expect.stringContaining('Answering pending requests, then closing')]);
});
