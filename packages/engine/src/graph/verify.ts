import type { Graph, Tensor } from './graph.js';

/**
 * Checks what the rest of the engine takes for granted: every value is made before it is used, by one node, in one graph,
 * and under a name of its own. A complaint is a bug of ours or of an operation added from outside.
 */
export function verifyGraph(graph: Graph, outputs: readonly Tensor[]): void {
  const known = new Set<Tensor>([...graph.inputs, ...graph.constants.keys()]);
  const names = new Set<string>([...known].map((tensor) => tensor.name));
  if (names.size !== known.size) throw new Error('internal: two inputs or constants of the graph share a name');
  for (const node of graph.nodes) {
    for (const input of node.inputs) {
      if (!known.has(input)) throw new Error(`internal: ${node.name} uses "${input.name}" before it is computed`);
    }
    for (const output of node.outputs) {
      if (output.graph !== graph) throw new Error(`internal: ${node.name} made "${output.name}" in another graph`);
      if (names.has(output.name)) throw new Error(`internal: the name "${output.name}" stands for two values`);
      known.add(output);
      names.add(output.name);
    }
  }
  for (const output of outputs) {
    if (!known.has(output)) throw new Error(`internal: output "${output.name}" is not computed by this graph`);
  }
}
