// Trains one run, and prints what was measured.
import { answerOrder } from '../runner/answer-order.js';
import { trainRun } from './train-run.js';

await answerOrder(trainRun);
