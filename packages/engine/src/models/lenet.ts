import { conv2d } from '../layers/convolution.js';
import { linear } from '../layers/linear.js';
import { maxPool } from '../layers/pooling.js';
import { flatten } from '../layers/structure.js';
import type { Model } from '../network/network.js';
import { relu } from '../operations/relu.js';
import { checkImages, defineModel, type ModelOptions } from './define.js';

/** Pooled, convolved with 5×5 and pooled again, an image of this size is one pixel. */
const SMALLEST_IMAGE = 12;

/**
 * LeNet-5 (LeCun et al. 1998) as it is used today: ReLU, maximum pooling, a linear classifier. Made for `[1, 28, 28]`,
 * which the first convolution pads to the original's 32×32; other images change the size of `fc1`.
 */
export function lenet5(options: ModelOptions): Model {
  checkImages('lenet5', options.input, SMALLEST_IMAGE);
  return defineModel('lenet5', options, (network, x) => {
    // The largest of the rectified is the rectified largest, and there are four times fewer of those.
    const conv1 = conv2d(network, x, { name: 'conv1', channels: 6, kernel: 5, padding: 2 });
    const pool1 = relu(maxPool(network, conv1, { name: 'pool1', size: 2 }));
    const conv2 = conv2d(network, pool1, { name: 'conv2', channels: 16, kernel: 5 });
    const pool2 = relu(maxPool(network, conv2, { name: 'pool2', size: 2 }));
    const fc1 = relu(linear(network, flatten(network, pool2), { name: 'fc1', units: 120 }));
    return relu(linear(network, fc1, { name: 'fc2', units: 84 }));
  });
}
