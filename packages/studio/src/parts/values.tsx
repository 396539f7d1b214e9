import type { OptionValue } from 'evenhand/studio';
import { saveCsv } from './csv.js';
import { optionText } from './format.js';

interface ValuesProps {
  readonly title: string;
  readonly name: string;
  /** What its rows are. @defaultValue option */
  readonly heading?: string;
  readonly values: Readonly<Record<string, OptionValue>>;
}

/** Values by their names, as a table. */
export function Values({ title, name, heading = 'option', values }: ValuesProps) {
  const rows = Object.entries(values);
  return (
    <section>
      <h2>{title}</h2>
      <section class="scroll" tabIndex={0} aria-label={title}>
        <table class="values">
          <thead>
            <tr>
              <th scope="col">{heading}</th>
              <th scope="col" class="text">
                value
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([path, value]) => (
              <tr key={path}>
                <th scope="row">{path}</th>
                <td class="text">{optionText(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div class="table-foot">
        <span class="save">
          <button
            type="button"
            aria-label={`Save “${title}” as CSV`}
            onClick={() =>
              saveCsv(
                [[heading, 'value'], ...rows.map(([path, value]) => [path, optionText(value)])],
                `${name} ${title}`,
              )
            }
          >
            CSV
          </button>
        </span>
      </div>
    </section>
  );
}
