import type { Tensor } from '../graph/graph.js';
import { axisSize } from '../graph/shape.js';
import { conv2d } from '../layers/convolution.js';
import { batchNorm } from '../layers/normalisation.js';
import { globalAveragePool, maxPool } from '../layers/pooling.js';
import { residual } from '../layers/structure.js';
import { kaimingNormal } from '../network/initialisers.js';
import type { Model, Network } from '../network/network.js';
import { pad } from '../operations/pad.js';
import { averagePool } from '../operations/pooling.js';
import { relu } from '../operations/relu.js';
import { checkImages, defineModel, type ModelOptions } from './define.js';

/** Convolution and batch norm; the norm has a shift, so the convolution needs no bias. */
interface ConvNorm {
  /** Appended to the names `conv` and `norm`. */
  readonly suffix?: string;
  readonly channels: number;
  readonly kernel: number;
  readonly stride: number;
}

function convNorm(network: Network, x: Tensor, { suffix = '', channels, kernel, stride }: ConvNorm): Tensor {
  const convolved = conv2d(network, x, {
    name: `conv${suffix}`,
    channels,
    kernel,
    stride,
    padding: (kernel - 1) / 2,
    initialise: kaimingNormal('out'),
    bias: false,
  });
  return batchNorm(network, convolved, { name: `norm${suffix}` });
}

/** How a block's input gets the shape of its output, where stride or channels change it. */
type Shortcut = (network: Network, x: Tensor, channels: number, stride: number) => Tensor;

/** Option A of He et al.: every second pixel, and zeros for the new channels; nothing to learn. */
const zeroPaddedShortcut: Shortcut = (_, x, channels, stride) => {
  const pixels = averagePool(x, { size: 1, stride });
  const added = channels - axisSize(x.shape, 1);
  const before = Math.floor(added / 2);
  return pad(pixels, [0, before, 0, 0], [0, added - before, 0, 0]);
};

/** Option B of He et al.: a 1×1 convolution and a batch norm. */
const projectedShortcut: Shortcut = (network, x, channels, stride) =>
  network.scope('shortcut', () => convNorm(network, x, { channels, kernel: 1, stride }));

interface Block {
  readonly name: string;
  readonly channels: number;
  readonly stride: number;
  readonly shortcut: Shortcut;
}

/** Two 3×3 convolutions, and their input added before the last ReLU. */
function basicBlock(network: Network, x: Tensor, { name, channels, stride, shortcut }: Block): Tensor {
  const sum = residual(network, x, {
    name,
    branch: (input) => {
      const inner = relu(convNorm(network, input, { suffix: '1', channels, kernel: 3, stride }));
      return convNorm(network, inner, { suffix: '2', channels, kernel: 3, stride: 1 });
    },
    shortcut: (input) =>
      stride === 1 && axisSize(input.shape, 1) === channels ? input : shortcut(network, input, channels, stride),
  });
  return network.scope(name, () => relu(sum));
}

interface Stage {
  readonly channels: number;
  readonly blocks: number;
}

/** Stages `stage1`, `stage2`, … of blocks; each but the first halves the image. */
function buildStages(network: Network, x: Tensor, stages: readonly Stage[], shortcut: Shortcut): Tensor {
  return stages.reduce(
    (image, { channels, blocks }, s) =>
      network.scope(`stage${s + 1}`, () =>
        Array.from({ length: blocks }, (_, b) => b).reduce((inner, b) => {
          const stride = s > 0 && b === 0 ? 2 : 1;
          return basicBlock(network, inner, { name: `block${b + 1}`, channels, stride, shortcut });
        }, image),
      ),
    x,
  );
}

/** For small images: a 3×3 stem and three stages of 16, 32 and 64 channels, `6·blocks + 2` layers. */
function cifarResnet(name: string, blocks: number) {
  return (options: ModelOptions): Model => {
    checkImages(name, options.input, 4);
    return defineModel(name, options, (network, x) => {
      const stem = network.scope('stem', () => relu(convNorm(network, x, { channels: 16, kernel: 3, stride: 1 })));
      const stages = [16, 32, 64].map((channels) => ({ channels, blocks }));
      return globalAveragePool(network, buildStages(network, stem, stages, zeroPaddedShortcut));
    });
  };
}

/** For photographs: a 7×7 stem and a maximum pooling, each halving the image, and four stages. */
function imagenetResnet(name: string, blocks: readonly [number, number, number, number]) {
  return (options: ModelOptions): Model => {
    checkImages(name, options.input, 32);
    return defineModel(name, options, (network, x) => {
      const stem = network.scope('stem', () => {
        const convolved = relu(convNorm(network, x, { channels: 64, kernel: 7, stride: 2 }));
        return maxPool(network, convolved, { size: 3, stride: 2, padding: 1 });
      });
      const stages = blocks.map((count, s) => ({ channels: 64 * 2 ** s, blocks: count }));
      return globalAveragePool(network, buildStages(network, stem, stages, projectedShortcut));
    });
  };
}

/** ResNet-20 for CIFAR (He et al. 2015), shortcuts without parameters. */
export const resnet20 = cifarResnet('resnet20', 3);

/** ResNet-32 for CIFAR (He et al. 2015), shortcuts without parameters. */
export const resnet32 = cifarResnet('resnet32', 5);

/** ResNet-44 for CIFAR (He et al. 2015), shortcuts without parameters. */
export const resnet44 = cifarResnet('resnet44', 7);

/** ResNet-56 for CIFAR (He et al. 2015), shortcuts without parameters. */
export const resnet56 = cifarResnet('resnet56', 9);

/** ResNet-18 for ImageNet (He et al. 2015), projected shortcuts. */
export const resnet18 = imagenetResnet('resnet18', [2, 2, 2, 2]);

/** ResNet-34 for ImageNet (He et al. 2015), projected shortcuts. */
export const resnet34 = imagenetResnet('resnet34', [3, 4, 6, 3]);
