import { at } from '../checked-access.js';
/**
 * How far points of the same group lie apart, as a share of how far all points do: `Σ‖x − m_g‖² / Σ‖x − m‖²`, where `m_g` is
 * the mean of the point's group and `m` that of all. 0: every group is one point; 1: groups make no difference.
 *
 * @param data - `[points, dimensions]`
 * @param groups - the group of each point
 */
export function withinGroupScatter(data: Float64Array, groups: Int32Array): number {
  const dimensions = data.length / groups.length;
  const everything = new Int32Array(groups.length);
  const total = scatter(data, dimensions, everything);
  return total === 0 ? 0 : scatter(data, dimensions, groups) / total;
}

/** The sum of squared distances from the means of the groups. */
function scatter(data: Float64Array, dimensions: number, groups: Int32Array): number {
  const means = new Map<number, { count: number; sums: Float64Array }>();
  for (const [i, group] of groups.entries()) {
    const own = means.get(group) ?? { count: 0, sums: new Float64Array(dimensions) };
    own.count++;
    for (let d = 0; d < dimensions; d++) own.sums[d] = at(own.sums, d) + at(data, i * dimensions + d);
    means.set(group, own);
  }
  let sum = 0;
  for (const [i, group] of groups.entries()) {
    const own = means.get(group);
    if (own === undefined) throw new Error('internal: a group without a mean');
    for (let d = 0; d < dimensions; d++) sum += (at(data, i * dimensions + d) - at(own.sums, d) / own.count) ** 2;
  }
  return sum;
}
