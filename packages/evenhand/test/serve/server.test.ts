import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openModel, type Predictor, UserError } from '../../src/index.js';
import type { ModelServer } from '../../src/serve/server.js';
import { imageOf } from '../images/crafted-image.js';
import { CLASSES, imageModel, modelFiles, post, startServer, tableModel } from './models.js';

const file = modelFiles({
  'table.onnx': tableModel,
  'image.onnx': imageModel,
  'other.txt': () => Buffer.from('hello'),
});

const ROWS = [
  { age: 42, member: true, city: 'Oslo', since: '2020-05-01' },
  { age: 17.5, member: 'no', city: 'Bern', since: null },
  { age: -3 },
];

/** What the model says of rows, as the server should write it. */
async function expected(model: Predictor, rows: typeof ROWS | object[]) {
  const { labels, probabilities } = await model.predictRows(JSON.parse(JSON.stringify(rows)));
  return labels.map((label, row) => ({
    class: label,
    probabilities: Object.fromEntries(
      model.classNames.map((name, q) => [name, probabilities[row * model.classNames.length + q]]),
    ),
  }));
}

describe('a server of a model of tables', () => {
  let server: ModelServer;
  let model: Predictor;
  beforeAll(async () => {
    server = await startServer(file('table.onnx'));
    model = await openModel(file('table.onnx'));
  });
  afterAll(async () => {
    await server.drain();
    await model.close();
  });

  it('answers rows of JSON as the model does, and tells what is missing or unknown', async () => {
    const { status, json } = await post(server, ROWS);
    expect(status).toBe(200);
    expect(json.predictions).toEqual(await expected(model, ROWS));
    expect(json.notes.join()).toContain('Column "city" has texts that training never saw, such as "Bern"');
    expect(json.model).toBe(server.model.version);
  });

  it('answers one row by itself', async () => {
    const [row] = ROWS;
    const { json } = await post(server, row ?? {});
    expect(json.predictions).toEqual(await expected(model, ROWS.slice(0, 1)));
  });

  it('takes a row with its class: rows of the training data have one', async () => {
    const [row] = ROWS;
    expect((await post(server, { ...row, churn: 'yes' })).json.predictions).toEqual(
      await expected(model, ROWS.slice(0, 1)),
    );
  });

  it('answers CSV and JSON lines as the model answers their rows, as JSON or as CSV', async () => {
    const predictions = await expected(model, ROWS);
    const csv = 'since;city;age;member\n2020-05-01;Oslo;42;yes\n;Bern;17.5;no\n;;-3;\n';
    expect((await post(server, csv, { 'Content-Type': 'text/csv; charset=utf-8' })).json.predictions).toEqual(
      predictions,
    );
    const lines = ROWS.map((row) => `${JSON.stringify(row)}\n`).join('');
    const answer = await post(server, lines, { 'Content-Type': 'application/x-ndjson', Accept: 'text/csv' });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header, ...rows] = answer.text.trimEnd().split('\n');
    expect(header).toBe('predicted,probability of low,probability of mid,probability of =high');
    // A spreadsheet must not take a class for a formula.
    expect(rows.map((row) => row.split(',')[0])).toEqual(
      predictions.map((prediction) => (prediction.class === '=high' ? "'=high" : prediction.class)),
    );
  });

  it('says of the model what a client needs to know', async () => {
    const description = await (await fetch(`${server.address}/model`)).json();
    expect(description).toMatchObject({
      name: 'table.onnx',
      version: expect.stringMatching(/^[0-9a-f]{12}$/),
      takes: 'table',
      target: 'churn',
      classes: CLASSES,
      decision: { kind: 'threshold', class: 2, threshold: 0.4 },
    });
    expect(description.columns).toContainEqual({ name: 'member', kind: 'boolean', texts: ['no', 'yes'] });
  });

  it('describes itself by OpenAPI: every path of the document answers, with the status that it names', async () => {
    const document = await (await fetch(`${server.address}/openapi.json`)).json();
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.components.schemas.Row.properties)).toEqual(['age', 'member', 'city', 'since']);
    for (const [path, methods] of Object.entries<Record<string, { responses: object }>>(document.paths)) {
      for (const [method, { responses }] of Object.entries(methods)) {
        const response = await fetch(server.address + path, { method: method.toUpperCase() });
        expect(Object.keys(responses)).toContain(String(response.status));
      }
    }
  });

  it('counts requests and predictions for Prometheus', async () => {
    const metric = async (name: string) => {
      const text = await (await fetch(`${server.address}/metrics`)).text();
      const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
      return Number(line?.slice(name.length) ?? 0);
    };
    const [label] = (await model.predictRows(ROWS.slice(0, 1))).labels;
    const names = [
      'evenhand_requests_total{path="/predict",status="200"}',
      `evenhand_predictions_total{class="${label}"}`,
      'evenhand_predict_seconds_count',
      'evenhand_predict_seconds_bucket{le="+Inf"}',
      'evenhand_batch_instances_sum',
    ];
    const before = await Promise.all(names.map(metric));
    await post(server, ROWS[0] ?? {});
    await post(server, ROWS[0] ?? {});
    const after = await Promise.all(names.map(metric));
    expect(after.map((value, i) => value - (before[i] ?? 0))).toEqual([2, 2, 2, 2, 2]);
    expect(await metric('evenhand_waiting_instances')).toBe(0);
  });

  it('says whether it is well', async () => {
    const response = await fetch(`${server.address}/health`);
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: 'ok', model: server.model.version, stale: false },
    ]);
  });

  it.each<[what: string, body: string, headers: Record<string, string>, status: number, message: string]>([
    ['malformed JSON', '{"age": 42', {}, 400, 'The body is no JSON'],
    ['an empty body', '', {}, 400, 'The body is empty'],
    ['an unknown column', '[{"age": 1}, {"agee": 42}]', {}, 422, 'row 2 has the column "agee" (did you mean "age"?)'],
    ['an unknown column of CSV', 'age,member,city,since,hat\n1,,,,2\n', { 'Content-Type': 'text/csv' }, 422, '"hat"'],
    ['a column that CSV lacks', 'age,member,city\n1,,\n', { 'Content-Type': 'text/csv' }, 422, 'no column "since"'],
    ['a text for a number', '[{"age": 1}, {"age": "old"}]', {}, 422, 'row 2: the column "age" has "old"'],
    ['a list for a value', '{"age": [1]}', {}, 422, '"age" is a list'],
    ['what is no row', '[7]', {}, 422, 'row 1 is 7; expected an object'],
    ['an image', 'x', { 'Content-Type': 'image/png' }, 415, 'the model was trained with a table'],
    [
      'another type',
      'x',
      { 'Content-Type': 'text/html' },
      415,
      'The Content-Type is text/html; expected application/json',
    ],
    ['ragged CSV', 'age,member,city,since\n1,2\n', { 'Content-Type': 'text/csv' }, 422, 'line 2'],
  ])('fault 49: refuses %s, naming what is wrong', async (_, body, headers, status, message) => {
    const answer = await post(server, body, headers);
    expect(answer.json.error.message).toContain(message);
    expect([answer.status, answer.json.error.status]).toEqual([status, status]);
  });

  it('fault 49: refuses more rows than it has room to answer, however short they are', async () => {
    const answer = await post(server, `[${'{},'.repeat(100_000)}{}]`);
    expect([answer.status, answer.json.error.message]).toEqual([
      422,
      'The request has 100,001 rows; expected at most 100,000. Send several requests.',
    ]);
    const csv = `age,member,city,since\n${',,,\n'.repeat(100_001)}`;
    expect((await post(server, csv, { 'Content-Type': 'text/csv' })).json.error.message).toBe(
      answer.json.error.message,
    );
  });

  it('ignores unknown columns if it is asked to', async () => {
    const rows = ROWS.map((row) => ({ ...row, hat: 'green', ['__proto__']: 3 }));
    expect((await post(server, rows, {}, '?unknown=ignore')).json.predictions).toEqual(await expected(model, ROWS));
    const csv = 'hat,since,city,age,member\n1,2020-05-01,Oslo,42,yes\n';
    const answer = await post(server, csv, { 'Content-Type': 'text/csv' }, '?unknown=ignore');
    expect(answer.json.predictions).toEqual(await expected(model, ROWS.slice(0, 1)));
    expect((await post(server, rows, {}, '?unknown=perhaps')).status).toBe(400);
  });

  it('says which addresses there are, and by which method', async () => {
    const missing = await fetch(`${server.address}/nothing`);
    expect([missing.status, (await missing.json()).error.message]).toEqual([
      404,
      'There is no such address; there are POST /predict, GET /model, GET /health, GET /metrics, GET /openapi.json.',
    ]);
    const wrong = await fetch(`${server.address}/predict`);
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('refuses pages of other machines, whatever name they call this one by', async () => {
    const { request } = await import('node:http');
    const statusOf = (headers: Record<string, string>) =>
      new Promise((resolve) => {
        request(`${server.address}/model`, { headers }, (response) => resolve(response.resume().statusCode)).end();
      });
    expect(await statusOf({ Host: 'evil.example' })).toBe(403);
    expect(await statusOf({ Host: 'localhost.evil.example:80' })).toBe(403);
    expect(await statusOf({ Origin: 'https://evil.example' })).toBe(403);
    expect(await statusOf({ Origin: 'null' })).toBe(403);
    for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:99', '[::1]:8080']) {
      expect(await statusOf({ Host: host, Origin: `http://${host.toLowerCase()}` }), host).toBe(200);
    }
  });
});

describe('a server with a token', () => {
  it('answers whoever knows it, and tells everybody else only that it is well', async () => {
    const server = await startServer(file('table.onnx'), { token: 'correct horse' });
    try {
      expect((await fetch(`${server.address}/health`)).status).toBe(200);
      for (const path of ['/model', '/metrics', '/openapi.json', '/nothing']) {
        expect((await fetch(server.address + path)).status, path).toBe(401);
      }
      expect((await post(server, ROWS)).status).toBe(401);
      expect((await post(server, ROWS, { Authorization: 'Bearer wrong' })).status).toBe(401);
      const answer = await post(server, ROWS, { Authorization: 'Bearer correct horse' });
      expect([answer.status, answer.json.predictions.length]).toEqual([200, 3]);
    } finally {
      await server.drain();
    }
  });
});

describe('a server of a model of images', () => {
  it('answers an image as the model does', async () => {
    const server = await startServer(file('image.onnx'));
    const model = await openModel(file('image.onnx'));
    try {
      const pixels = Array.from({ length: 16 }, (_, i) => 16 * i);
      const image = new Uint8Array(await imageOf(pixels, { width: 4, channels: 1 }));
      const { labels, probabilities } = await model.predictPixels(Uint8Array.from(pixels));
      const { json } = await post(server, image, { 'Content-Type': 'image/png' });
      expect(json.predictions).toEqual([
        { class: labels[0], probabilities: { dark: probabilities[0], bright: probabilities[1] } },
      ]);
      const damaged = await post(server, image.slice(0, 40), { 'Content-Type': 'image/png' });
      expect([damaged.status, damaged.json.error.message]).toEqual([422, expect.stringContaining('the image')]);
      expect((await post(server, ROWS)).json.error.message).toContain('the model was trained with images');
      expect(await (await fetch(`${server.address}/model`)).json()).toMatchObject({
        takes: 'images',
        shape: { channels: 1, height: 4, width: 4 },
        decision: { kind: 'likeliest' },
      });
    } finally {
      await server.drain();
      await model.close();
    }
  });
});

describe('starting a server', () => {
  it('refuses what is no model, and an address that is taken or is not there', async () => {
    await expect(startServer(file('other.txt'))).rejects.toThrow(UserError);
    const server = await startServer(file('table.onnx'));
    const port = Number(new URL(server.address).port);
    await expect(startServer(file('table.onnx'), { port })).rejects.toThrow(
      `cannot listen on 127.0.0.1, port ${port}: another program listens there`,
    );
    await expect(startServer(file('table.onnx'), { host: '192.0.2.1' })).rejects.toThrow('Choose another --host');
    await server.drain();
  });
});
