// Learns one fold, and prints what was measured.
import { answerOrder } from '../runner/answer-order.js';
import { learnFold } from './fold-job.js';

await answerOrder(learnFold);
