/// <reference types="node" />
import { parentPort, workerData } from 'node:worker_threads';
import type { TreeModel } from '../model/model.js';
import { predict } from '../model/predict.js';
import type { PredictRequest, PredictResponse } from './predict-protocol.js';

const model: TreeModel = workerData;

parentPort?.on('message', ({ values, columns, memberOf }: PredictRequest) => {
  const probabilities = predict(model, { values, columns }, memberOf);
  const response: PredictResponse = { probabilities };
  parentPort?.postMessage(response);
});
