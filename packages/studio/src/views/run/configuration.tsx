import type { OptionValue, RunDetails } from 'evenhand/studio';
import { CopyBox } from '../../parts/copy-box.js';
import { saveCsv } from '../../parts/csv.js';
import { optionText } from '../../parts/format.js';

/** What the run was told, what it ran on, and the command that does it again. */
export function Configuration({ details: { command, config, environment, run } }: { readonly details: RunDetails }) {
  return (
    <>
      <h2>Train it again</h2>
      <CopyBox label="Command that trains it again" text={command} />
      <Values title="Configuration" name={run.name} values={config} />
      <Values title="Environment" name={run.name} values={environment} />
    </>
  );
}

interface ValuesProps {
  readonly title: string;
  readonly name: string;
  readonly values: Readonly<Record<string, OptionValue>>;
}

function Values({ title, name, values }: ValuesProps) {
  const rows = Object.entries(values);
  return (
    <section>
      <h2>{title}</h2>
      <section class="scroll" tabIndex={0} aria-label={title}>
        <table class="values">
          <thead>
            <tr>
              <th scope="col">option</th>
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
                [['option', 'value'], ...rows.map(([path, value]) => [path, optionText(value)])],
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
