import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { create, toBinary } from '@bufbuild/protobuf';
import { exportModel, models, readMetadata, readModel, withMetadata } from '@evenhand/engine';
import { fit, toONNX } from '@evenhand/trees';
import {
  AttributeProto_AttributeType,
  AttributeProtoSchema,
  FunctionProtoSchema,
  GraphProtoSchema,
  type ModelProto,
  ModelProtoSchema,
  NodeProtoSchema,
  TensorProto_DataLocation,
  TensorProto_DataType,
  TensorProtoSchema,
  TensorShapeProtoSchema,
  type TypeProto_Tensor,
  TypeProto_TensorSchema,
  TypeProtoSchema,
  ValueInfoProtoSchema,
} from 'onnx-buf';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Column, UserError } from '../../src/index.js';
import { classIndices } from '../../src/prediction/class-indices.js';
import type { Decision } from '../../src/prediction/decision.js';
import { exportImageModel, exportTableModel } from '../../src/prediction/export-model.js';
import { OPERATORS, operatorOf } from '../../src/prediction/model-graph.js';
import { openModel } from '../../src/prediction/predictor.js';
import { fitTablePreprocessing } from '../../src/preprocessing/fit-table.js';
import { allRows, boolean, categorical, date, numeric, table } from '../preprocessing/tables.js';
import { firstState, imageProgram, inferenceProgram, tableProgram } from './models.js';

const BATCH = 4;
const columns = [
  numeric('age', 20, 30, Number.NaN, 500),
  boolean('member', 0, 1, -1, 1),
  categorical('__proto__', 'Oslo', 'Rome', 'Oslo', 'Rome'),
  date('since', '2020-01-01', '2021-06-01T12:30Z', null, '2019-02-28'),
];
const preprocessing = fitTablePreprocessing(table(...columns), allRows(4));
const program = tableProgram(preprocessing, 3, BATCH);
const classNames = ['low', 'toString', 'high'];
const model = exportTableModel([{ program: program, state: firstState(program) }], preprocessing, classNames, {
  logitShift: [0.2, -0.1, 0],
  calibration: { temperature: 1.5, biases: [0, 0.1, -0.1] },
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenhand-prediction-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Writes a file of the temporary folder and returns its path. */
async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function predict(some: readonly Column[], from: string | Uint8Array = model) {
  const predictor = await openModel(from);
  try {
    return await predictor.predictTable(some);
  } finally {
    await predictor.close();
  }
}

describe('predictTable', () => {
  it('gives labels, classes and probabilities that belong together', async () => {
    const { labels, classes, probabilities } = await predict(columns, await file('model.onnx', model));
    expect(labels).toEqual(Array.from(classes, (c) => classNames[c]));
    for (let row = 0; row < 4; row++) {
      const own = probabilities.subarray(3 * row, 3 * row + 3);
      expect(own.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 5);
      expect(own.indexOf(Math.max(...own))).toBe(classes[row]);
    }
  });

  it('predicts every row alike, alone, or among more rows than the model takes at once', async () => {
    const { probabilities } = await predict(columns);
    const many = 20_000;
    const repeated = columns.map((column): Column => {
      const place = (_: unknown, i: number) => i % 4;
      if (column.kind === 'numeric' || column.kind === 'date') {
        return { ...column, values: Float64Array.from({ length: many }, place).map((row) => column.values[row] ?? 0) };
      }
      return { ...column, codes: Int32Array.from({ length: many }, place).map((row) => column.codes[row] ?? 0) };
    });
    const all = await predict(repeated);
    expect(all.labels).toHaveLength(many);
    for (const row of [0, 1, 2, 3, 8191, 8192, 19_997, 19_999]) {
      const [own, first] = [3 * row, 3 * (row % 4)];
      expect([...all.probabilities.subarray(own, own + 3)]).toEqual(
        Array.from(probabilities.subarray(first, first + 3), (p) => expect.closeTo(p, 5)),
      );
    }
  });

  it('predicts nothing of no rows', async () => {
    const none = columns.map((column): Column => {
      if (column.kind === 'numeric' || column.kind === 'date') return { ...column, values: new Float64Array() };
      return { ...column, codes: new Int32Array() };
    });
    expect(await predict(none)).toEqual({ labels: [], classes: new Int32Array(), probabilities: new Float32Array() });
  });

  it('fault 25: finds columns by name, whatever their order and whatever else is there', async () => {
    const shuffled = [numeric('other', 1, 2, 3, 4), ...columns.slice().reverse()];
    expect(await predict(shuffled)).toEqual(await predict(columns));
  });

  it('fault 25: refuses a table without a column that the model was trained with', async () => {
    const predicting = predict(columns.slice(1));
    await expect(predicting).rejects.toThrow(UserError);
    await expect(predicting).rejects.toThrow(
      'the table has no column "age". Its columns are "member", "__proto__", "since".',
    );
  });

  it('takes a category that training never saw for an unknown one, as a missing one', async () => {
    const others = columns.filter(({ name }) => name !== '__proto__');
    const unseen = [...others, categorical('__proto__', 'Oslo', 'Lima', 'Oslo', 'Rome')];
    const missing = [...others, categorical('__proto__', 'Oslo', null, 'Oslo', 'Rome')];
    expect(await predict(unseen)).toEqual(await predict(missing));
    expect(await predict(unseen)).not.toEqual(await predict(columns));
  });

  it('refuses a model that was trained with images', async () => {
    const images = imageProgram([1, 2, 2], 2, 2);
    const how = { kind: 'images', version: 1, shape: [1, 2, 2], resize: 'cover' } as const;
    const bytes = exportImageModel([{ program: images, state: firstState(images) }], how, ['a', 'b']);
    await expect(predict(columns, bytes)).rejects.toThrow(
      'the model was trained with images; expected image files to predict, not a table',
    );
  });
});

describe('predictFile', () => {
  const csv = [
    'since;churn;__proto__;age;member',
    '2020-01-01;low;Oslo;20;no',
    '2021-06-01T12:30:00Z;high;Rome;30;yes',
    ';low;Oslo;N/A;',
    '2019-02-28;low;Rome;500;yes',
  ].join('\n');

  it('fault 25: predicts the rows of a file as those of the same table, whatever the order of its columns', async () => {
    const predictor = await openModel(model);
    const path = await file('customers.csv', csv);
    const { table: read, ...prediction } = await predictor.predictFile(path, { target: 'churn' });
    expect(prediction).toEqual(await predictor.predictTable(columns));
    expect(read.targets).toEqual(['low', 'high', 'low', 'low']);
    await predictor.close();
  });

  it('fault 25: refuses a file without a column that the model was trained with', async () => {
    const predictor = await openModel(model);
    const path = await file('renamed.csv', csv.replace('age', 'Age'));
    await expect(predictor.predictFile(path)).rejects.toThrow('renamed.csv has no column "age" (did you mean "Age"?)');
    await predictor.close();
  });
});

describe('predictImages', () => {
  it('reads files of any size as training did, and predicts them', async () => {
    const shape = [3, 4, 4] as const;
    const images = imageProgram(shape, 2, 3);
    const how = { kind: 'images', version: 1, shape, resize: 'cover' } as const;
    const predictor = await openModel(
      exportImageModel([{ program: images, state: firstState(images) }], how, ['dark', 'light']),
    );
    const grey = (value: number, width: number) =>
      sharp({ create: { width, height: 8, channels: 3, background: { r: value, g: value, b: value } } });
    const paths = await Promise.all(
      [10, 200].map(async (value, i) =>
        file(
          `${value}.png`,
          await grey(value, 8 + i)
            .png()
            .toBuffer(),
        ),
      ),
    );
    const fromFiles = await predictor.predictImages(paths);
    const pixels = Uint8Array.from({ length: 2 * 48 }, (_, i) => (i < 48 ? 10 : 200));
    expect(fromFiles).toEqual(await predictor.predictPixels(pixels));
    expect(fromFiles.probabilities.subarray(0, 2)).not.toEqual(fromFiles.probabilities.subarray(2));
    await expect(predictor.predictImages([join(folder, 'nowhere.png')])).rejects.toThrow('nowhere.png');
    await expect(predictor.predictPixels(new Uint8Array(47))).rejects.toThrow(
      'there are 47 pixels; expected a multiple of 48, images of 3×4×4',
    );
    await predictor.close();
  });

  it('refuses a model that was trained with a table', async () => {
    const predictor = await openModel(model);
    await expect(predictor.predictImages([])).rejects.toThrow(
      'the model was trained with a table; expected a table to predict, not images',
    );
    await predictor.close();
  });
});

describe('openModel', () => {
  const refusal = async (name: string, content: string | Uint8Array) => {
    const path = await file(name, content);
    const opened = openModel(path);
    await expect(opened).rejects.toThrow(UserError);
    return opened.catch((error: Error) => error.message.replace(path, name));
  };
  const changed = (change: (proto: ModelProto) => void) => {
    const proto = readModel(model);
    change(proto);
    return toBinary(ModelProtoSchema, proto);
  };

  it('refuses what is no ONNX model, empty or not there', async () => {
    expect(await refusal('page.onnx', '<html>not found</html>')).toBe(
      'page.onnx cannot be used: it is damaged, or not an ONNX model',
    );
    expect(await refusal('empty.onnx', '')).toBe('empty.onnx cannot be used: it is empty; expected an ONNX model');
    await expect(openModel(join(folder, 'nowhere.onnx'))).rejects.toThrow(
      /^cannot read .*nowhere\.onnx: there is no such file$/,
    );
  });

  it('refuses a model that was cut off, wherever that was', async () => {
    for (let part = 1; part < 40; part++) {
      const opened = openModel(model.subarray(0, Math.floor((model.length * part) / 40)));
      await expect(opened).rejects.toThrow(UserError);
    }
  });

  it('fault 31: refuses a model with external data', async () => {
    const external = changed(({ graph }) => {
      const externalData = [{ key: 'location', value: '../../etc/passwd' }];
      const dataLocation = TensorProto_DataLocation.EXTERNAL;
      graph?.initializer.push(create(TensorProtoSchema, { name: 'secret', dataLocation, externalData }));
    });
    expect(await refusal('external.onnx', external)).toBe(
      'external.onnx cannot be used: the tensor "secret" is stored in another file (external data); ' +
        'expected everything in one file. Save the model again without external data',
    );
  });

  it('refuses a model that is not ours, and says what it lacks', async () => {
    const foreign = exportModel(program, firstState(program));
    expect(await refusal('foreign.onnx', foreign)).toBe(
      'foreign.onnx is an ONNX model without the names of its classes and its preprocessing in its metadata; ' +
        'expected the model.onnx of a training run of evenhand',
    );
    expect(await refusal('half.onnx', withMetadata(foreign, { classNames }))).toContain(
      'half.onnx is an ONNX model without its preprocessing in its metadata',
    );
  });

  it('refuses a preprocessing of another version, and one that is not that of the model', async () => {
    const newer = withMetadata(model, { classNames, preprocessing: { kind: 'table', version: 2 } });
    expect(await refusal('newer.onnx', newer)).toMatch(
      /^newer\.onnx has a preprocessing that this version of evenhand does not know \(version: .+\); use the version that trained it$/,
    );
    const images = { kind: 'images', version: 1, shape: [1, 2, 2], resize: 'cover' };
    expect(await refusal('other.onnx', withMetadata(model, { classNames, preprocessing: images }))).toBe(
      'other.onnx takes other inputs than its metadata says: it was changed after training',
    );
  });

  it('refuses a model that ONNX Runtime refuses', async () => {
    const broken = changed(({ graph }) => graph?.node.splice(0, 1));
    expect(await refusal('broken.onnx', broken)).toMatch(
      /^broken\.onnx cannot be used: ONNX Runtime refuses it \(.+\)$/s,
    );
  });

  describe('fault 57: refuses a model that was edited so that its parts disagree:', () => {
    const inGraph = (change: (graph: NonNullable<ModelProto['graph']>) => void) =>
      changed(({ graph }) => graph !== undefined && change(graph));
    const metadata = () => readMetadata(readModel(model)).preprocessing ?? null;
    const reversed = (names: readonly string[]) => [...names].reverse();
    const refused = async (bytes: Uint8Array) => {
      const message = await refusal('edited.onnx', bytes);
      expect(message).toMatch(/^edited\.onnx cannot be used: .+\. It was changed after training$/);
      return message;
    };

    /** What a loop repeats: it goes on as long as it did, with what it had. */
    function sameAgain() {
      const { BOOL, FLOAT, INT64 } = TensorProto_DataType;
      const value = (name: string, elemType: TensorProto_DataType) => {
        const tensorType = create(TypeProto_TensorSchema, { elemType });
        if (elemType !== FLOAT) tensorType.shape = create(TensorShapeProtoSchema); // a single one
        const type = create(TypeProtoSchema, { value: { case: 'tensorType', value: tensorType } });
        return create(ValueInfoProtoSchema, { name, type });
      };
      const copied = (from: string, to: string) =>
        create(NodeProtoSchema, { opType: 'Identity', input: [from], output: [to] });
      return create(GraphProtoSchema, {
        name: 'sameAgain',
        input: [value('round', INT64), value('goesOn', BOOL), value('before', FLOAT)],
        node: [copied('goesOn', 'goesOnStill'), copied('before', 'after')],
        output: [value('goesOnStill', BOOL), value('after', FLOAT)],
      });
    }

    it('more names of classes than probabilities, and fewer', async () => {
      for (const names of [[...classNames, 'none'], classNames.slice(1)]) {
        expect(await refused(withMetadata(model, { classNames: names, preprocessing: metadata() }))).toContain(
          `its second output, "probabilities", has 3 columns; expected a probability for each of ${names.length} classes`,
        );
      }
    });

    it('names of classes in another order, in the metadata or in the graph', async () => {
      const message = 'the classes that its graph answers with are not those that its metadata names';
      const named = withMetadata(model, { classNames: reversed(classNames), preprocessing: metadata() });
      expect(await refused(named)).toContain(message);
      const answering = inGraph(({ initializer }) => {
        for (const { stringData } of initializer) stringData.reverse();
      });
      expect(await refused(answering)).toContain(message);
    });

    it('inputs of another shape or type than its preprocessing feeds, which can kill ONNX Runtime', async () => {
      const withInput = (change: (input: TypeProto_Tensor) => void) =>
        inGraph(({ input: [first] }) => {
          if (first?.type?.value.case === 'tensorType') change(first.type.value.value);
        });
      const edited = [
        withInput((input) => {
          const size = input.shape?.dim[1];
          if (size !== undefined) size.value = { case: 'dimValue', value: 2n ** 31n - 1n };
        }),
        withInput((input) => input.shape?.dim.pop()),
        withInput((input) => {
          input.elemType = 7;
        }),
      ];
      for (const bytes of edited) {
        expect(await refusal('edited.onnx', bytes)).toBe(
          'edited.onnx takes other inputs than its metadata says: it was changed after training',
        );
      }
    });

    it('an operator with a number beyond 32 bits, which can kill ONNX Runtime', async () => {
      const absurd = inGraph(({ node }) => {
        const attribute = node.flatMap(({ attribute }) => attribute).find(({ name }) => name === 'axis');
        if (attribute !== undefined) attribute.i = 2n ** 42n - 1n;
      });
      expect(await refused(absurd)).toMatch(/its operator ".+" has a number that no model needs/);
    });

    it('its outputs swapped, left out or added to', async () => {
      expect(await refused(inGraph(({ output }) => output.reverse()))).toContain(
        'its first output, "probabilities", is no text; expected the label',
      );
      expect(await refused(inGraph(({ output }) => output.pop()))).toContain('it has 1 outputs; expected 2');
      expect(await refused(inGraph(({ output }) => output.push(...output)))).toContain('it has 4 outputs; expected 2');
    });

    it('a label that is chosen by something other than the probabilities', async () => {
      const least = inGraph(({ node }) => {
        // What the choice looks at: the probabilities, the other way around.
        const choice = node.findIndex(({ opType }) => opType === 'ArgMax');
        const [chosen] = node.slice(choice, choice + 1);
        const [probabilities = ''] = chosen?.input ?? [];
        if (chosen !== undefined) chosen.input = ['turned'];
        node.splice(
          choice,
          0,
          create(NodeProtoSchema, { opType: 'Sub', input: ['zero', probabilities], output: ['turned'] }),
        );
      });
      const withZero = readModel(least);
      withZero.graph?.initializer.push(create(TensorProtoSchema, { name: 'zero', dataType: 1, floatData: [0] }));
      expect(await refused(toBinary(ModelProtoSchema, withZero))).toContain(
        'its label and its probabilities do not belong together',
      );
    });

    it('probabilities that are not probabilities', async () => {
      const doubled = inGraph(({ node }) => {
        const last = node.find(({ output }) => output.includes('probabilities'));
        if (last !== undefined) last.output = ['half'];
        node.push(create(NodeProtoSchema, { opType: 'Add', input: ['half', 'half'], output: ['probabilities'] }));
        const choice = node.find(({ opType }) => opType === 'ArgMax');
        if (choice !== undefined) choice.input = ['half'];
      });
      expect(await refused(doubled)).toContain('its label and its probabilities do not belong together');
    });

    it('a graph that never ends, or with an operator of its own', async () => {
      const endless = inGraph(({ node, initializer }) => {
        const index = node.findIndex(({ output }) => output.includes('probabilities'));
        const [last] = node.slice(index);
        if (last !== undefined) last.output = ['once'];
        const forever = { name: 'forever', dataType: TensorProto_DataType.BOOL, int32Data: [1] };
        initializer.push(create(TensorProtoSchema, forever));
        // ONNX Runtime takes it, and never comes back from running it.
        node.splice(
          index + 1,
          0,
          create(NodeProtoSchema, {
            opType: 'Loop',
            input: ['', 'forever', 'once'],
            output: ['probabilities'],
            attribute: [
              create(AttributeProtoSchema, { name: 'body', type: AttributeProto_AttributeType.GRAPH, g: sameAgain() }),
            ],
          }),
        );
      });
      expect(await refused(endless)).toContain('its graph has the operator "Loop", which our models do not have');
      const foreign = inGraph(({ node }) =>
        node.unshift(create(NodeProtoSchema, { opType: 'Relu', domain: 'com.example', output: ['nothing'] })),
      );
      expect(await refused(foreign)).toContain('its graph has the operator "com.example:Relu"');
      const defined = changed(({ functions }) => functions.push(create(FunctionProtoSchema, { name: 'Mine' })));
      expect(await refused(defined)).toContain('it defines an operator of its own, "Mine"');
    });
  });
});

it('fault 57: the operators that are accepted are those that models are exported with, no more and no less', () => {
  const used = new Set<string>();
  const collect = (bytes: Uint8Array) => {
    for (const node of readModel(bytes).graph?.node ?? []) used.add(operatorOf(node));
  };
  const decisions: Decision[] = [
    {},
    { logitScale: 2, logitShift: [0, 1], calibration: { temperature: 2, biases: [0, 1] } },
    { rule: { kind: 'offsets', offsets: [0, 1] } },
    {
      rule: {
        kind: 'costs',
        costs: [
          [0, 1],
          [2, 0],
        ],
      },
    },
    { rule: { kind: 'threshold', class: 1, threshold: 0.3 } },
  ];
  for (const decision of decisions) {
    const two = tableProgram(preprocessing, 2, BATCH);
    collect(exportTableModel([{ program: two, state: firstState(two) }], preprocessing, ['no', 'yes'], decision));
  }
  for (const [name, create] of Object.entries(models)) {
    const input = name === 'mlp' ? [12] : name === 'lenet5' ? [1, 28, 28] : [3, 32, 32];
    const classifiers = [{}, { logitNorm: false }, { classifier: 'cosine' } as const];
    // The classifier is the same in all models.
    for (const classifier of name === 'mlp' ? classifiers : [{}]) {
      const own = inferenceProgram(create({ input, classes: 3, ...classifier }), input);
      collect(exportModel(own, firstState(own)));
    }
  }
  const trees = fit(
    { values: Float32Array.of(1, 2), columns: 1, classes: 2, labels: Int32Array.of(0, 1) },
    { rounds: 1 },
  );
  collect(toONNX(trees.model));
  expect([...used].sort()).toEqual([...OPERATORS].sort());
});

describe('classIndices', () => {
  it('fault 24: are indices into the class list of the model', () => {
    expect(classIndices(['high', 'low', 'toString'], classNames)).toEqual(Int32Array.of(2, 0, 1));
  });

  it('fault 24: a class that training never saw is named, and shifts nothing', () => {
    const refused = () => classIndices(['low', '__proto__', 'hihg', '__proto__'], classNames);
    expect(refused).toThrow(UserError);
    expect(refused).toThrow(
      'The class "__proto__", of row 2 and 1 more, is not one that the model was trained with: "low", "toString", "high". ' +
        'Leave such rows out, or train again with this class.',
    );
    expect(() => classIndices(['low', 'hihg'], classNames, (row) => `line ${row + 2}`)).toThrow(
      'The class "hihg", of line 3, is not one that the model was trained with: "low", "toString", "high". Is it "high"? ',
    );
  });
});

describe('plain ONNX Runtime, in a script of 15 lines', () => {
  const script = fileURLToPath(new URL('../../../../examples/predict-with-plain-onnxruntime.mjs', import.meta.url));

  it('predicts from the model file alone what the library predicts', async () => {
    const since = columns[3]?.kind === 'date' ? columns[3].values : [];
    // The name `__proto__` in JSON text is an ordinary key.
    const rows = `[
      { "age": 20, "member": 0, "__proto__": "Oslo", "since": ${since[0]} },
      { "since": ${since[1]}, "__proto__": "Rome", "member": 1, "age": 30 },
      { "age": null, "__proto__": "Oslo" },
      { "age": 500, "member": 1, "__proto__": "Rome", "since": ${since[3]}, "other": 7 }
    ]`;
    const paths = [await file('model.onnx', model), await file('rows.json', rows)];
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...paths]);
    const { labels, probabilities } = await predict(columns);
    const lines = labels.map((label, i) => [label, ...probabilities.subarray(3 * i, 3 * i + 3)].join(' '));
    expect(stdout.trim().split('\n')).toEqual(lines);
  });
});
