import { createModel, createProgram, crossEntropy, type Model, type Program, type State, sgd } from '@evenhand/engine';
import type { TablePreprocessing } from '../../src/preprocessing/preprocessing.js';
import { networkInput } from '../../src/preprocessing/table-features.js';

/** What every program here is trained with; none is. */
const TRAINING = { batchSize: 4, labels: 'indices', loss: crossEntropy, optimizer: sgd(), seed: 3 } as const;

/** A small network for a table. */
export function tableProgram(preprocessing: TablePreprocessing, classes: number, evaluationBatch: number): Program {
  const { features, categories } = networkInput(preprocessing);
  const model = createModel('mlp', { input: [features], classes, categories, hidden: [6] });
  return createProgram(model, { ...TRAINING, evaluationBatch });
}

/** A network for images of bytes. */
export function imageProgram(input: readonly number[], classes: number, evaluationBatch: number): Program {
  const normalisation = {
    mean: input.slice(0, 1).flatMap((n) => Array(n).fill(0.4)),
    std: [0.3, 0.3, 0.3].slice(0, input[0]),
  };
  const model = createModel('mlp', { input, classes, hidden: [6] });
  return createProgram(model, { ...TRAINING, evaluationBatch, inputType: 'uint8', normalisation });
}

/** A program of any model of the registry. */
export function inferenceProgram(model: Model, input: readonly number[]): Program {
  const [channels = 0] = input;
  const images = {
    inputType: 'uint8' as const,
    normalisation: { mean: Array(channels).fill(0.4), std: Array(channels).fill(0.3) },
  };
  return createProgram(model, { ...TRAINING, evaluationBatch: 2, ...(input.length === 3 ? images : {}) });
}

/** The state that a program starts with. */
export function firstState({ state }: Program): State {
  return new Map(state.map(({ name, shape, initial }) => [name, { shape, data: initial.slice() }]));
}
