import { describeType } from '../../src/graph/tensor.js';
import { type OperationName, operations } from '../../src/operations/registry.js';
import { item } from './reference/array.js';
import { samples, withoutGradient } from './samples/index.js';

/** Every operation's name. */
export const operationNames = Object.keys(operations).filter((name): name is OperationName => name in operations);

/** The table of `docs/operations.md`, from the registry and the samples. */
export function operationTable(): string {
  const rows = operationNames.map((name) => {
    const own = samples[name];
    const counts = [...new Set(own.map(({ inputs }) => inputs.length))].sort((a, b) => a - b);
    const types = [...new Set(own.flatMap(({ inputs }) => inputs.map(({ type }) => type)))].sort();
    const example = item(own, 0).inputs.map(describeType).join(', ');
    const differentiated = own.filter(({ differentiable }) => differentiable.length > 0).length;
    const gradient = withoutGradient.has(name) ? '–' : `yes, ${differentiated} samples`;
    const inputs = counts.length === 1 ? `${counts[0]}` : `${counts[0]} to ${counts.at(-1)}`;
    return `| \`${name}\` | ${inputs} | ${types.join(', ')} | \`${example}\` | ${gradient} | ${own.length} |`;
  });
  return [
    '# Operations',
    '',
    'Every operation of the engine, with the samples that it is tested on. This file is generated: after a change of the',
    'operations or their samples, run `node packages/engine/scripts/operation-table.mjs`.',
    '',
    'Every sample is run by ONNX Runtime and compared, in type, shape and values, with a separate implementation in',
    'float64; gradients are compared with central differences of that implementation.',
    '',
    '| operation | inputs | types tested | first sample | gradient | samples |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
