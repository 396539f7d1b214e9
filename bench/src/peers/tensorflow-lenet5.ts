import * as tf from '@tensorflow/tfjs';
import { answer, bestStep } from './answer.js';

/**
 * Training steps of LeNet-5 in TensorFlow.js on its CPU backend, channels last, as its kernels want them. Neither weight
 * decay nor running statistics, which ours has: that favours TensorFlow.js.
 */
const CLASSES = 10;
await tf.setBackend('cpu');

const conv1 = weights<tf.Rank.R4>([5, 5, 1, 6], 25);
const conv2 = weights<tf.Rank.R4>([5, 5, 6, 16], 150);
const fc1 = weights<tf.Rank.R2>([400, 120], 400);
const fc2 = weights<tf.Rank.R2>([120, 84], 120);
const classifier = weights<tf.Rank.R2>([84, CLASSES], 84);
const scale = tf.variable(tf.ones([CLASSES]));
const shift = tf.variable(tf.zeros([CLASSES]));
const optimizer = tf.train.momentum(0.01, 0.9);
const batches = new Map<number, ReturnType<typeof randomBatch>>();

await answer(async ({ batch, runs }) => {
  const { input, labels } = batches.get(batch) ?? randomBatch(batch);
  const step = async () => {
    const loss = optimizer.minimize(() => crossEntropy(logits(input), labels), true);
    await loss?.data();
    loss?.dispose();
  };
  return { [`TensorFlow.js ${tf.version.tfjs}, CPU`]: await bestStep(runs, step) };
});

function logits(input: tf.Tensor4D): tf.Tensor {
  const first = pooled(tf.conv2d(input, conv1.weight, 1, 'same'), conv1.bias);
  const second = pooled(tf.conv2d(first, conv2.weight, 1, 'valid'), conv2.bias);
  const third = tf.relu<tf.Tensor2D>(tf.add(tf.matMul(tf.reshape(second, [-1, 400]), fc1.weight), fc1.bias));
  const fourth = tf.relu<tf.Tensor2D>(tf.add(tf.matMul(third, fc2.weight), fc2.bias));
  const rows = tf.add(tf.matMul(fourth, classifier.weight), classifier.bias);
  const { mean, variance } = tf.moments(rows, 0);
  return tf.batchNorm(rows, mean, variance, shift, scale, 1e-5);
}

function pooled(convolved: tf.Tensor4D, bias: tf.Tensor): tf.Tensor4D {
  return tf.maxPool(tf.relu<tf.Tensor4D>(tf.add(convolved, bias)), 2, 2, 'valid');
}

function crossEntropy(rows: tf.Tensor, labels: tf.Tensor): tf.Scalar {
  return tf.neg(tf.mean(tf.sum(tf.mul(labels, tf.logSoftmax(rows)), 1)));
}

function randomBatch(batch: number) {
  const indices = Int32Array.from({ length: batch }, (_, i) => i % CLASSES);
  const made = {
    input: tf.randomNormal<tf.Rank.R4>([batch, 28, 28, 1]),
    labels: tf.cast(tf.oneHot(tf.tensor1d(indices, 'int32'), CLASSES), 'float32'),
  };
  batches.set(batch, made);
  return made;
}

/** A weight of `shape` and its bias, of the size that suits `inputs` values. */
function weights<R extends tf.Rank>(shape: tf.ShapeMap[R], inputs: number) {
  return {
    weight: tf.variable<R>(tf.randomNormal<R>(shape, 0, 1 / Math.sqrt(inputs))),
    bias: tf.variable(tf.zeros([shape[shape.length - 1] ?? 0])),
  };
}
