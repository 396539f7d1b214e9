import { CLASSES } from '../points.js';
import { ClassMark } from './class-mark.jsx';

/** How far from 0 the fullest colour is. */
const FULL = 3;

/** A matrix with a row and a column per class, coloured: above 0 like heat, below it like cold. */
export function LabelMatrix(props: {
  readonly caption: string;
  readonly classes: readonly number[];
  /** Names of the rows; a class each unless given. */
  readonly rows?: readonly string[];
  readonly values: readonly number[];
}) {
  const { caption, classes, rows, values } = props;
  const width = classes.length;
  return (
    <table class="labels">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <td />
          {classes.map((label) => (
            <th key={label} scope="col">
              <ClassMark label={label} />
              <span class="sr-only">{CLASSES[label]}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: values.length / width }, (_, row) => (
          <tr key={row}>
            <th scope="row">{rows?.[row] ?? <RowName label={classes[row] ?? 0} />}</th>
            {classes.map((label, column) => (
              <Cell key={label} value={values[row * width + column] ?? 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RowName({ label }: { readonly label: number }) {
  return (
    <>
      <ClassMark label={label} /> <span class="sr-only">{CLASSES[label]}</span>
    </>
  );
}

function Cell({ value }: { readonly value: number }) {
  const share = `${Math.round(45 * Math.min(1, Math.abs(value) / FULL))}%`;
  const shown = (Math.abs(value) < 0.005 ? 0 : value).toFixed(2).replace('-', '−');
  return (
    <td class={value < 0 ? 'below' : 'above'} style={{ '--share': share }}>
      {shown}
    </td>
  );
}
