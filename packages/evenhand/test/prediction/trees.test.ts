import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { seededRandom } from '@evenhand/engine';
import { fit, predict, type TrainingData } from '@evenhand/trees';
import { type AttributeProto, ModelProtoSchema } from 'onnx-buf';
import { describe, expect, it } from 'vitest';
import type { Column } from '../../src/dataset/column.js';
import type { TableDataset } from '../../src/dataset/dataset.js';
import { openModel, UserError } from '../../src/index.js';
import { exportTableModel } from '../../src/prediction/export-model.js';
import { exportTrees } from '../../src/prediction/export-trees.js';
import { applyTablePreprocessing } from '../../src/preprocessing/apply-table.js';
import { fitTablePreprocessing } from '../../src/preprocessing/fit-table.js';
import { treeFeatures, treeValues } from '../../src/preprocessing/tree-features.js';

const CLASSES = ['few', 'some', 'many'];

/** A table with numbers of which some are missing, numbers that never are, a boolean and categories; some are unknown with `strange`. */
function tableOf(rows: number, seed: number, strange: boolean): Pick<TableDataset, 'columns' | 'labels'> {
  const random = seededRandom(seed, 'trees');
  const draw = <Value>(of: () => Value) => Array.from({ length: rows }, of);
  const categories = strange ? ['x', 'a', 'b', 'c', 'y'] : ['a', 'b', 'c'];
  const columns: Column[] = [
    { name: 'gaps', kind: 'numeric', values: Float64Array.from(draw(() => (random() < 0.2 ? Number.NaN : random()))) },
    { name: 'whole', kind: 'numeric', values: Float64Array.from(draw(random)) },
    {
      name: 'yes',
      kind: 'boolean',
      texts: ['no', 'yes'],
      codes: Int32Array.from(draw(() => (random() < 0.4 ? 1 : 0))),
    },
    {
      name: 'kind',
      kind: 'categorical',
      categories,
      codes: Int32Array.from(draw(() => (random() < 0.1 ? -1 : Math.floor(random() * categories.length)))),
    },
  ];
  const [gaps, whole] = columns.map((column) => ('values' in column ? column.values : new Float64Array()));
  const labels = Int32Array.from({ length: rows }, (_, i) => {
    const missing = Number.isNaN(gaps?.[i] ?? 0);
    return missing ? 0 : (gaps?.[i] ?? 0) + (whole?.[i] ?? 0) > 1 ? 1 : 2;
  });
  return { columns, labels };
}

const all = (rows: number) => Int32Array.from({ length: rows }, (_, i) => i);
const training = tableOf(800, 1, false);
const dataset: TableDataset = {
  kind: 'table',
  name: 'a table',
  target: 'class',
  classNames: CLASSES,
  notes: [],
  contentHash: '',
  leftOut: [],
  ...training,
};
const preprocessing = fitTablePreprocessing(dataset, all(800));
const features = treeFeatures(preprocessing);
const data: TrainingData = {
  values: treeValues(features, applyTablePreprocessing(preprocessing, training.columns, all(800))),
  columns: features.tableColumns.length,
  categorical: features.categorical,
  classes: 3,
  labels: training.labels,
  folds: training.labels.map((_, i) => i % 2),
};
const { model } = fit(data, { rounds: 20, minimalLeafRows: 3 });
const file = exportTableModel([{ onnx: exportTrees(model, features) }], preprocessing, CLASSES);

describe('trees behind their preprocessing', () => {
  it('are given missing numbers as missing, and categories as such', () => {
    // "gaps" was missing in training, so that it stands first; the others follow, codes last.
    expect(features.tableColumns).toEqual([0, 1, 2, 3]);
    expect(features.categorical).toEqual([3]);
    const missing = data.values.filter((_, i) => i % 4 === 0).filter(Number.isNaN);
    const [gaps] = training.columns;
    if (gaps?.kind !== 'numeric') throw new Error('the first column has numbers');
    expect(missing).toHaveLength(gaps.values.filter(Number.isNaN).length);
  });

  it('answer 10,000 rows with missing values and unknown categories as TypeScript does, to 1e-6', async () => {
    const { columns } = tableOf(10_000, 2, true);
    const values = treeValues(features, applyTablePreprocessing(preprocessing, columns, all(10_000)));
    const expected = predict(model, { values, columns: 4 });
    const opened = await openModel(file);
    const { probabilities } = await opened.predictTable(columns);
    const worst = expected.reduce((most, p, i) => Math.max(most, Math.abs(p - (probabilities[i] ?? 2))), 0);
    expect(worst).toBeLessThan(1e-6);
    await opened.close();
  });
});

describe('fault 57: refuses a model whose trees were edited:', () => {
  const changed = (edit: (attributes: Map<string, AttributeProto>) => void) => {
    const proto = fromBinary(ModelProtoSchema, file);
    const node = proto.graph?.node.find(({ opType }) => opType === 'TreeEnsembleRegressor');
    edit(new Map(node?.attribute.map((one) => [one.name, one])));
    return toBinary(ModelProtoSchema, proto);
  };
  const ints = (attributes: Map<string, AttributeProto>, name: string) => attributes.get(name)?.ints ?? [];

  it.each<[string, string, (attributes: Map<string, AttributeProto>) => void]>([
    [
      'a node that is its own ancestor, which is gone through for ever',
      'a node leads to one in front of it, or to one that is not there',
      (attributes) => ints(attributes, 'nodes_truenodeids').fill(0n, 0, 1),
    ],
    [
      'a child that is not there',
      'a node leads to one in front of it, or to one that is not there',
      (attributes) => ints(attributes, 'nodes_falsenodeids').fill(100_000n, 0, 1),
    ],
    [
      'a column that is not there',
      'a node asks for a column that is not there',
      (attributes) => ints(attributes, 'nodes_featureids').fill(4n, 0, 1),
    ],
    [
      'a class that is not there',
      'a value belongs to no class',
      (attributes) => ints(attributes, 'target_ids').fill(3n, 0, 1),
    ],
    [
      'a value of no leaf',
      'a value belongs to no leaf',
      (attributes) => ints(attributes, 'target_nodeids').fill(0n, 0, 1),
    ],
    [
      'a list that is too short',
      'they do not say the same of every node',
      (attributes) => attributes.get('nodes_values')?.floats.pop(),
    ],
    [
      'a question of another kind',
      'a node asks for something else than numbers and categories',
      (attributes) => attributes.get('nodes_modes')?.strings.fill(new TextEncoder().encode('BRANCH_GT'), 0, 1),
    ],
  ])('%s', async (_, message, edit) => {
    const opening = openModel(changed(edit));
    await expect(opening).rejects.toThrow(UserError);
    await expect(opening).rejects.toThrow(message);
  });
});
