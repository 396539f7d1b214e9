import * as tf from '@tensorflow/tfjs';

/** What the backend's numbers reach. Half precision is what WebGL has on some phones. */
function floatRange(): { readonly smallestNormal: number; readonly largest: number } {
  return tf.backend().floatPrecision() === 16
    ? { smallestNormal: 2 ** -14, largest: 65504 }
    : { smallestNormal: 2 ** -126, largest: (2 - 2 ** -23) * 2 ** 127 };
}

/**
 * `log y` of a softmax output, with the gradient `1/y` down to the smallest normal number.
 *
 * TensorFlow.js's own losses clip `y` at 1e-7 first, which stops the gradient of every class below. With one-hot labels
 * that goes unnoticed, because only the true class has a gradient there. Encoded labels have negative entries for the
 * other classes, and the softmax multiplies `1/y` by `y` again: what reaches the logits is `(Σl)·y − l`, however small
 * `y` is.
 */
export const flooredLog: (probabilities: tf.Tensor) => tf.Tensor = withGradient(
  (y) => tf.log(tf.maximum(y, floatRange().smallestNormal)),
  (dy, y) => {
    const { smallestNormal, largest } = floatRange();
    // Near the floor a label entry over y can leave the range of float32, and ∞·y would not come back from the softmax.
    return tf.clipByValue(tf.div(dy, tf.maximum(y, smallestNormal)), -largest, largest);
  },
);

/**
 * `(1−y)^γ·log y` as a function of `u = log y`. Its derivative is `(1−y)^γ − γ·(1−y)^(γ−1)·y·u`.
 */
export function focusedLog(gamma: number): (logProbabilities: tf.Tensor) => tf.Tensor {
  // 1 − y without cancellation. At y = 1 the floor keeps (1−y)^(γ−1) finite for γ < 1, and u = 0 makes the product 0.
  const rest = (u: tf.Tensor) => tf.maximum(tf.neg(tf.expm1(u)), floatRange().smallestNormal);
  return withGradient(
    (u) => tf.mul(tf.pow(rest(u), gamma), u),
    (du, u) => {
      const oneMinusY = rest(u);
      const focus = tf.pow(oneMinusY, gamma);
      const slope = tf.mul(tf.mul(gamma, tf.pow(oneMinusY, gamma - 1)), tf.mul(tf.exp(u), u));
      return tf.mul(du, tf.sub(focus, slope));
    },
  );
}

/** An element-wise operation that brings its own gradient. */
function withGradient(
  value: (x: tf.Tensor) => tf.Tensor,
  gradient: (dy: tf.Tensor, x: tf.Tensor) => tf.Tensor,
): (x: tf.Tensor) => tf.Tensor {
  return (x) => {
    const operation = tf.customGrad((...inputs) => {
      const [input, save] = inputs;
      if (!(input instanceof tf.Tensor) || typeof save !== 'function') {
        throw new TypeError('internal: tf.customGrad did not hand over one tensor and a save function');
      }
      // The forward pass's tensors are gone when the gradient is computed; only saved ones remain.
      save([input]);
      return { value: value(input), gradFunc: (dy, saved) => saved.map((kept) => gradient(dy, kept)) };
    });
    return operation(x);
  };
}
