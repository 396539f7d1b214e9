import { CLASSES } from '../points.js';
import { snapshot } from '../state.js';
import type { Method } from '../training/protocol.js';
import { ClassMark } from './class-mark.jsx';

/** What a network makes of each class: its share of the square, and how many held-out points are found. */
export function Results({ method, title }: { readonly method: Method; readonly title: string }) {
  const now = snapshot.value;
  const own = now?.methods.find((candidate) => candidate.method === method);
  return (
    <table class="results">
      <caption class="sr-only">Results of {title}</caption>
      <thead>
        <tr>
          <th scope="col">class</th>
          <th scope="col">its region</th>
          <th scope="col">held-out found</th>
        </tr>
      </thead>
      <tbody>
        {(now?.classes ?? [0, 1]).map((label, place) => (
          <tr key={label} data-class={CLASSES[label]}>
            <th scope="row">
              <ClassMark label={label} /> {CLASSES[label]}
            </th>
            <td class="area">{own === undefined ? '–' : percent(own.areas[place] ?? 0)}</td>
            <td>
              {own === undefined ? '–' : own.found[place]} of {now?.heldOutCounts[place] ?? '–'}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
