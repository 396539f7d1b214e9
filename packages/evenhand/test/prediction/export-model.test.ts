import { create, toBinary } from '@bufbuild/protobuf';
import { ProgramSession, readMetadata, readModel, stateOfModel } from '@evenhand/engine';
import fc from 'fast-check';
import { ModelProtoSchema, ValueInfoProtoSchema } from 'onnx-buf';
import * as onnxRuntime from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import type { Column } from '../../src/index.js';
import type { Decision } from '../../src/prediction/decision.js';
import { exportImageModel, exportTableModel } from '../../src/prediction/export-model.js';
import { openModel } from '../../src/prediction/predictor.js';
import { tableFeeds } from '../../src/prediction/table-feeds.js';
import { applyTablePreprocessing } from '../../src/preprocessing/apply-table.js';
import { fitTablePreprocessing } from '../../src/preprocessing/fit-table.js';
import type { TablePreprocessing } from '../../src/preprocessing/preprocessing.js';
import { networkInput } from '../../src/preprocessing/table-features.js';
import { allRows, boolean, categorical, date, numeric, rowCount, table, twoTables } from '../preprocessing/tables.js';
import { firstState, imageProgram, tableProgram } from './models.js';

/** An exported model with one more output: the network's input, as the preprocessing inside the model makes it. */
function showingInput(model: Uint8Array, features: number): Uint8Array {
  const proto = readModel(model);
  const names = proto.graph?.node.flatMap(({ output }) => output) ?? [];
  // The last of its name: others may have been there before.
  const input = names.filter((name) => /^preprocessing\/input_*$/.test(name)).at(-1) ?? '';
  const dim = [{}, { value: { case: 'dimValue' as const, value: BigInt(features) } }];
  const type = { value: { case: 'tensorType' as const, value: { elemType: 1, shape: { dim } } } };
  proto.graph?.output.push(create(ValueInfoProtoSchema, { name: input, type }));
  return toBinary(ModelProtoSchema, proto);
}

/** The network's input as the exported model computes it. */
async function inputInside(preprocessing: TablePreprocessing, columns: readonly Column[], rows: Int32Array) {
  const program = tableProgram(preprocessing, 3, rows.length);
  const model = exportTableModel([{ program: program, state: firstState(program) }], preprocessing, ['a', 'b', 'c']);
  const session = await onnxRuntime.InferenceSession.create(showingInput(model, networkInput(preprocessing).features), {
    logSeverityLevel: 3,
    intraOpNumThreads: 1,
  });
  const results = await session.run(await tableFeeds(preprocessing, columns).feeds(rows));
  await session.release();
  const data = results[session.outputNames[2] ?? '']?.data;
  if (!(data instanceof Float32Array)) throw new Error('the model does not show its input');
  return data;
}

const ROWS = 16;
const columns = [
  numeric('age', 20, 30, Number.NaN, 50, -100, 200, 0, 45, 31, 32, 19, 3, 500, 60, 61, 62),
  boolean('member', 0, 1, 1, -1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 1),
  categorical('city', ...'Oslo Rome Oslo Rome Bonn Bonn Rome Bonn Oslo Lima Lima Bonn Oslo Oslo Rome Ulm'.split(' ')),
  date(
    'since',
    ...Array.from({ length: ROWS }, (_, i) => (i === 3 ? null : `20${i + 10}-0${1 + (i % 9)}-11T1${i % 10}:00Z`)),
  ),
];
const preprocessing = fitTablePreprocessing(table(...columns), allRows(ROWS));

describe('the preprocessing inside a model', () => {
  it('gives the network what training gave it, for any table', async () => {
    await fc.assert(
      fc.asyncProperty(twoTables, async ({ first, second, training }) => {
        const fitted = fitTablePreprocessing(table(...first), training);
        const rows = allRows(second[0] === undefined ? 0 : rowCount(second[0]));
        const expected = applyTablePreprocessing(fitted, second, rows);
        const inside = await inputInside(fitted, second, rows);
        expect(inside).toHaveLength(expected.length);
        for (const [i, value] of expected.entries()) {
          expect(Math.abs((inside[i] ?? Number.NaN) - value)).toBeLessThanOrEqual(1e-5);
        }
      }),
      { numRuns: 80 },
    );
  });

  it('fault 17: fills what is missing with the median of training, whatever else is predicted', async () => {
    const fitted = fitTablePreprocessing(table(numeric('x', 1, 5, 9, 13, 100)), allRows(5));
    const [missing, median] = await inputInside(fitted, [numeric('x', Number.NaN, 9)], allRows(2));
    expect(missing).toBe(median);
  });

  it('takes each column under its own name, whatever it is, and whatever the network calls its values', async () => {
    const names = ['__proto__', 'label', 'probabilities', 'hidden1/weight', 'input', 'preprocessing/input', '🙂"'];
    const odd = names.map((name, i) => numeric(name, i, i + 1));
    const fitted = fitTablePreprocessing(table(...odd), allRows(2));
    const program = tableProgram(fitted, 2, 2);
    const model = exportTableModel([{ program: program, state: firstState(program) }], fitted, ['a', 'b']);
    const { graph } = readModel(model);
    expect(graph?.input.map(({ name }) => name)).toEqual(names);
    expect(graph?.output.map(({ name }) => name)).toEqual(['label_', 'probabilities_']);
    const predictor = await openModel(model);
    const { labels } = await predictor.predictTable(odd);
    expect(labels.every((label) => ['a', 'b'].includes(label))).toBe(true);
    await predictor.close();
  });
});

describe('an exported model', () => {
  const program = tableProgram(preprocessing, 2, ROWS);
  const state = firstState(program);
  const input = applyTablePreprocessing(preprocessing, columns, allRows(ROWS));

  async function networkProbabilities(): Promise<number[]> {
    const session = await ProgramSession.create(onnxRuntime, program, { threads: 1 });
    const probabilities = await session.predict(input);
    await session.close();
    return [...probabilities];
  }

  async function predicted(decision: Decision = {}) {
    const model = await openModel(
      exportTableModel([{ program: program, state: state }], preprocessing, ['no', 'yes'], decision),
    );
    const prediction = await model.predictTable(columns);
    await model.close();
    return prediction;
  }

  it('gives the probabilities of the network, and the name of the likelier class', async () => {
    const probabilities = await networkProbabilities();
    const prediction = await predicted();
    expect([...prediction.probabilities]).toEqual(probabilities.map((p) => expect.closeTo(p, 5)));
    const classes = allRows(ROWS).map((row) =>
      (probabilities[2 * row + 1] ?? 0) > (probabilities[2 * row] ?? 0) ? 1 : 0,
    );
    expect(prediction.classes).toEqual(classes);
    expect(prediction.labels).toEqual(Array.from(classes, (c) => ['no', 'yes'][c]));
    expect(new Set(classes).size).toBe(2);
  });

  it('scales logits, shifts them, then calibrates them', async () => {
    const [logitScale, shift, temperature, biases] = [3, [0.7, -1.3], 2.5, [0, 0.4]];
    const adjusted = (await networkProbabilities()).map((p, i) =>
      Math.exp((logitScale * Math.log(p) - (shift[i % 2] ?? 0)) / temperature + (biases[i % 2] ?? 0)),
    );
    const calibration = { temperature, biases };
    const { probabilities } = await predicted({ logitScale, logitShift: Float32Array.from(shift), calibration });
    for (let i = 0; i < 2 * ROWS; i += 2) {
      const [no = 0, yes = 0] = adjusted.slice(i, i + 2);
      expect(probabilities[i]).toBeCloseTo(no / (no + yes), 5);
      expect(probabilities[i + 1]).toBeCloseTo(yes / (no + yes), 5);
    }
  });

  it('answers a class from its threshold on, the threshold included', async () => {
    const { probabilities } = await predicted();
    const yes = probabilities.filter((_, i) => i % 2 === 1);
    const [threshold = 0] = [...yes].sort().slice(5, 6);
    const rule = (looked: number, from: number) => ({
      rule: { kind: 'threshold', class: looked, threshold: from } as const,
    });
    expect((await predicted(rule(1, threshold))).classes).toEqual(
      Int32Array.from(yes, (p) => (p >= threshold ? 1 : 0)),
    );
    const no = probabilities.filter((_, i) => i % 2 === 0);
    const { classes } = await predicted(rule(0, 0.6));
    expect(classes).toEqual(Int32Array.from(no, (p) => (p >= 0.6 ? 0 : 1)));
    expect((await predicted(rule(1, 0))).labels).toEqual(Array.from({ length: ROWS }, () => 'yes'));
  });

  it.each<[Decision, string]>([
    [{ logitShift: [1] }, 'logitShift is [1]; expected 2 numbers, one for each class'],
    [{ logitShift: [1, Number.NaN] }, 'logitShift is [1, NaN]; expected 2 numbers, one for each class'],
    [{ logitScale: 0 }, 'logitScale is 0; expected a number above 0'],
    [{ calibration: { temperature: 0, biases: [0, 0] } }, 'temperature is 0; expected a number above 0'],
    [{ calibration: { temperature: 1, biases: [0] } }, 'biases is [0]; expected 2 numbers, one for each class'],
    [{ rule: { kind: 'threshold', class: 1, threshold: 1.5 } }, 'threshold is 1.5; expected 0 to 1'],
    [{ rule: { kind: 'threshold', class: 2, threshold: 0.5 } }, 'class is 2; expected 0 to 1'],
    [{ rule: { kind: 'offsets', offsets: [0] } }, 'offsets is [0]; expected 2 numbers, one for each class'],
    [{ rule: { kind: 'costs', costs: [[0, 1]] } }, 'costs has 1 rows; expected 2'],
    [
      {
        rule: {
          kind: 'costs',
          costs: [
            [0, 1],
            [1, Number.NaN],
          ],
        },
      },
      'costs[1] is [1, NaN]; expected 2 numbers, one for each class',
    ],
  ])('refuses the decision %j', (decision, message) => {
    expect(() =>
      exportTableModel([{ program: program, state: state }], preprocessing, ['no', 'yes'], decision),
    ).toThrow(new RangeError(message));
  });

  it('refuses names that are not one for each class', () => {
    expect(() => exportTableModel([{ program: program, state: state }], preprocessing, ['no'])).toThrow(
      'there are 1 class names; expected one for each output of the network',
    );
  });

  it('refuses a network that takes something else than the preprocessing makes', () => {
    const other = fitTablePreprocessing(table(numeric('x', 1, 2)), allRows(2));
    expect(() => exportTableModel([{ program: program, state: state }], other, ['no', 'yes'])).toThrow(
      `the program takes ${networkInput(preprocessing).features} features; the preprocessing makes 1`,
    );
    const images = { kind: 'images', version: 1, shape: [1, 2, 2], resize: 'cover' } as const;
    expect(() => exportImageModel([{ program: program, state: state }], images, ['no', 'yes'])).toThrow(
      `the program takes float32 [${networkInput(preprocessing).features}]; expected uint8 [1, 2, 2]`,
    );
  });

  it('says its class names, its preprocessing and its rule in its metadata', () => {
    const odd = ['__proto__', '<img onerror=…>'];
    const metadata = readMetadata(
      readModel(exportTableModel([{ program: program, state: state }], preprocessing, odd)),
    );
    expect(metadata).toEqual({ classNames: odd, preprocessing });
    const rule = { kind: 'offsets', offsets: [0, -1] } as const;
    const ruled = readMetadata(
      readModel(exportTableModel([{ program: program, state: state }], preprocessing, odd, { rule })),
    );
    expect(ruled).toEqual({ classNames: odd, preprocessing, answers: rule });
  });

  it('keeps its weights under the names of training', () => {
    const kept = program.state.filter(({ kind }) => kind !== 'slot').map(({ name }) => name);
    const weights = stateOfModel(
      exportTableModel([{ program: program, state: state }], preprocessing, ['no', 'yes'], {
        calibration: { temperature: 2, biases: [0, 1] },
      }),
    );
    expect([...weights.keys()].sort()).toEqual([...kept].sort());
  });
});

describe('an exported model for images', () => {
  it('takes bytes, and normalises them inside', async () => {
    const program = imageProgram([3, 4, 5], 4, 6);
    const shape = [3, 4, 5] as const;
    const classNames = ['ant', 'bee', 'cat', 'dog'];
    const model = await openModel(
      exportImageModel(
        [{ program: program, state: firstState(program) }],
        { kind: 'images', version: 1, shape, resize: 'cover' },
        classNames,
      ),
    );
    const pixels = Uint8Array.from({ length: 6 * 60 }, (_, i) => (i * 37) % 256);
    const session = await ProgramSession.create(onnxRuntime, program, { threads: 1 });
    const expected = await session.predict(pixels);
    await session.close();
    const prediction = await model.predictPixels(pixels);
    expect([...prediction.probabilities]).toEqual(Array.from(expected, (p) => expect.closeTo(p, 5)));
    expect(prediction.labels).toEqual(Array.from(prediction.classes, (c) => classNames[c]));
    await model.close();
  });
});
