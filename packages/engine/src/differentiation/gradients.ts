import { type Each, oneForEach } from '../graph/each.js';
import type { Tensor } from '../graph/graph.js';
import { broadcastAxes } from '../graph/shape.js';
import { sameShape } from '../graph/tensor.js';
import { add } from '../operations/arithmetic.js';
import { sum } from '../operations/reductions.js';
import { reshape } from '../operations/reshape.js';

/**
 * Reverse-mode differentiation: `∂loss/∂w` for every tensor of `targets`, as new nodes of the same graph.
 *
 * Un-broadcasting and accumulation happen here, and only here: a vector-Jacobian product may return its gradient in the
 * broadcast shape, and one gradient for each use.
 *
 * @param loss - a float32 scalar
 */
export function gradients<const Targets extends readonly Tensor[]>(
  loss: Tensor,
  targets: Targets,
): Each<Targets, Tensor> {
  if (loss.rank !== 0 || loss.type !== 'float32') {
    throw new TypeError(`the loss "${loss.name}" has shape [${loss.shape.join(', ')}]; expected a float32 scalar`);
  }
  const { graph } = loss;
  const forward = graph.nodes.slice(); // the backward nodes are appended while we walk
  const relevant = dependents(forward, targets);
  if (!relevant.has(loss)) throw new TypeError(`the loss "${loss.name}" does not depend on any of the targets`);

  const cotangents = new Map<Tensor, Tensor>([[loss, graph.scalar(1)]]);
  for (const node of forward.reverse()) {
    const upstream = node.outputs.map((output) => cotangents.get(output) ?? null);
    const needed = node.inputs.map((input) => relevant.has(input));
    if (upstream.every((gradient) => gradient === null) || !needed.includes(true)) continue;
    const { vjp } = node;
    if (vjp === null) {
      throw new TypeError(
        `${node.name}: no gradient flows through ${node.operation}, but the loss depends on a target through it`,
      );
    }
    graph.inScopeOf(`${node.name}/grad`, () => {
      for (const [i, gradient] of vjp(upstream, needed).entries()) {
        const input = node.inputs[i];
        if (gradient === null || input === undefined || needed[i] !== true) continue;
        const own = unbroadcast(gradient, input);
        const before = cotangents.get(input);
        cotangents.set(input, before === undefined ? own : add(before, own));
      }
    });
  }
  const found = targets.map((target) => {
    const gradient = cotangents.get(target);
    if (gradient === undefined) throw new TypeError(`the loss "${loss.name}" does not depend on "${target.name}"`);
    return gradient;
  });
  return oneForEach<Targets, Tensor>(targets, found);
}

/** The targets and every tensor that is computed from one of them. */
function dependents(
  nodes: readonly { inputs: readonly Tensor[]; outputs: readonly Tensor[] }[],
  targets: readonly Tensor[],
) {
  const found = new Set<Tensor>(targets);
  for (const { inputs, outputs } of nodes) {
    if (inputs.some((input) => found.has(input))) for (const output of outputs) found.add(output);
  }
  return found;
}

/** Sums a gradient over the axes that broadcasting stretched. */
function unbroadcast(gradient: Tensor, input: Tensor): Tensor {
  if (sameShape(gradient.shape, input.shape)) return gradient;
  const axes = broadcastAxes(gradient.shape, input.shape);
  const summed = axes.length === 0 ? gradient : sum(gradient, { axes });
  return reshape(summed, input.shape);
}
