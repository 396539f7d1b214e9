import { i32, repeatWhile, when } from './instructions.js';
import { FunctionWriter, type WrittenFunction } from './module.js';

/**
 * Divides rows by a table that says 1 for the bins of the left child. The order of the rows stays. Both sides are written and one of the
 * two pointers moves on, because a branch would be guessed wrongly half of the time. Returns where the left rows end.
 */
export function partitionKernel(): WrittenFunction {
  const writer = new FunctionWriter('partition', 'i32');
  const rows = writer.parameter('i32');
  const rowsEnd = writer.parameter('i32');
  const bins = writer.parameter('i32');
  const stride = writer.parameter('i32');
  const table = writer.parameter('i32');
  const left = writer.parameter('i32');
  const right = writer.parameter('i32');
  const row = writer.local('i32');
  const step = writer.local('i32');
  const bin = i32.load8(i32.add(bins.value, i32.mul(row.value, stride.value)));
  const body = [
    ...row.set(i32.load(rows.value)),
    ...i32.store(left.value, row.value),
    ...i32.store(right.value, row.value),
    ...step.set(i32.shl(i32.load8(i32.add(table.value, bin)), i32.const(2))),
    ...left.set(i32.add(left.value, step.value)),
    ...right.set(i32.add(right.value, i32.sub(i32.const(4), step.value))),
    ...rows.set(i32.add(rows.value, i32.const(4))),
  ];
  const goOn = i32.ltUnsigned(rows.value, rowsEnd.value);
  return { writer, body: [...when(goOn, repeatWhile(body, goOn)), ...left.value] };
}
