import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { exportImageModel, exportTableModel } from '../../src/prediction/export-model.js';
import { fitTablePreprocessing } from '../../src/preprocessing/fit-table.js';
import { ModelServer, type ServeOptions } from '../../src/serve/server.js';
import { firstState, imageProgram, tableProgram } from '../prediction/models.js';
import { allRows, boolean, categorical, date, numeric, table } from '../preprocessing/tables.js';

const preprocessing = fitTablePreprocessing(
  table(
    numeric('age', 20, 30, Number.NaN, 500),
    boolean('member', 0, 1, -1, 1),
    categorical('city', 'Oslo', 'Rome', 'Oslo', '7'),
    date('since', '2020-01-01', '2021-06-01T12:30Z', null, '2019-02-28'),
  ),
  allRows(4),
);

/** The model of tables: its columns, in their order. */
export const TYPES = preprocessing.columns.map(({ type }) => type);
export const CLASSES = ['low', 'mid', '=high'];

/** A model of tables that knows the columns age, member, city and since. */
export function tableModel(classNames: readonly string[] = CLASSES): Uint8Array {
  const program = tableProgram(preprocessing, classNames.length, 4);
  const rule = { kind: 'threshold', class: 2, threshold: 0.4 } as const;
  return exportTableModel([{ program, state: firstState(program) }], preprocessing, classNames, { rule });
}

/** A model of grey images of 4 × 4. */
export function imageModel(): Uint8Array {
  const program = imageProgram([1, 4, 4], 2, 2);
  const how = { kind: 'images', version: 1, shape: [1, 4, 4], resize: 'cover' } as const;
  return exportImageModel([{ program, state: firstState(program) }], how, ['dark', 'bright']);
}

/** Files in a folder of the tests of one test file. */
export function modelFiles(models: Readonly<Record<string, () => Uint8Array>>): (name: string) => string {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenhand-serve-'));
    for (const [name, model] of Object.entries(models)) await writeFile(join(folder, name), model());
  });
  afterAll(() => rm(folder, { recursive: true }));
  return (name) => join(folder, name);
}

const MEGABYTE = 2 ** 20;

/** Serves a model on a free port of this machine. */
export function startServer(file: string, options: Partial<ServeOptions> = {}): Promise<ModelServer> {
  return ModelServer.start(file, {
    host: '127.0.0.1',
    port: 0,
    queue: 10_000,
    bodyLimit: 10 * MEGABYTE,
    onError: (error) => {
      throw error;
    },
    ...options,
  });
}

/** Posts to `/predict`: text, bytes or a stream as they are, anything else as JSON. */
export async function post(
  server: ModelServer,
  body: string | object,
  headers: Readonly<Record<string, string>> = {},
  query = '',
) {
  const response = await fetch(`${server.address}/predict${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: bodyOf(body),
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}

function bodyOf(body: string | object): BodyInit {
  if (typeof body === 'string' || body instanceof ReadableStream) return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}
