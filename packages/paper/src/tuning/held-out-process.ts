// Trains one run, and prints what was measured on held-out images.
import { answerOrder } from '../runner/answer-order.js';
import { trainHeldOut } from './held-out-run.js';

await answerOrder(trainHeldOut);
