import type { DataCheckResult } from 'evenhand/studio';
import { ClassCounts } from '../../parts/class-counts.js';
import { saveCsv } from '../../parts/csv.js';
import { count, counted, NONE } from '../../parts/format.js';
import type { DataChoice } from './given-config.js';

const TYPES = ['numeric', 'categorical', 'date', 'text'];

interface CheckResultProps {
  readonly result: DataCheckResult;
  readonly choice: DataChoice;
  onTarget(name: string): void;
  onColumns(columns: Pick<DataChoice, 'ignore' | 'types'>): void;
}

/** What is in the data, and what training would make of it. */
export function CheckResult(props: CheckResultProps) {
  const { result, choice, onTarget } = props;
  const { rows, instances, classes, columns, likelyTargets = [], duplicates, training, notes, problems = [] } = result;
  const names = [
    ...new Set([
      ...columns.map(({ name }) => name),
      ...choice.ignore,
      ...(choice.target === '' ? [] : [choice.target]),
    ]),
  ];
  return (
    <>
      <h2>What is in it</h2>
      <p>
        {counted(rows ?? instances ?? 0, result.kind === 'images' ? 'image' : 'row')}
        {classes === undefined ? '' : `, ${counted(classes.length, 'class').replace('classs', 'classes')}`}
        {duplicates === undefined ? '' : `, ${counted(duplicates, 'duplicate')}`}.
        {training === undefined
          ? ''
          : ` Training would use the model ${training.model}, the method ${training.method} and the loss ${training.loss}, for at most ${training.epochs} epochs.`}
      </p>
      {problems.map((problem) => (
        <p key={problem} class="fault" role="alert">
          Training would refuse this: {problem}
        </p>
      ))}
      {result.kind === 'images' ? null : (
        <p>
          <label>
            The classes are in the column{' '}
            <select value={choice.target} onChange={({ currentTarget }) => onTarget(currentTarget.value)}>
              <option value="">choose one</option>
              {names.map((name) => (
                <option key={name} value={name}>
                  {name}
                  {likelyTargets.includes(name) ? ' (likely)' : ''}
                </option>
              ))}
            </select>
          </label>
        </p>
      )}
      {notes.length === 0 ? null : (
        <ul>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {classes === undefined ? null : <ClassCounts classes={classes} />}
      {columns.length === 0 && choice.ignore.length === 0 ? null : <Columns {...props} />}
    </>
  );
}

function Columns({ result: { columns }, choice: { ignore, types, target }, onColumns }: CheckResultProps) {
  const leftOut = ignore.filter((name) => !columns.some((column) => column.name === name));
  const setUsed = (name: string, isUsed: boolean) =>
    onColumns({ types, ignore: isUsed ? ignore.filter((one) => one !== name) : [...ignore, name] });
  const setType = (name: string, type: string) => {
    const others = Object.fromEntries(Object.entries(types).filter(([one]) => one !== name));
    onColumns({ ignore, types: type === '' ? others : { ...others, [name]: type } });
  };
  const table = [
    ['column', 'type', 'missing', 'distinct', 'used'],
    ...columns.map(({ name, kind, missing, distinct, used }) => [
      name,
      kind,
      String(missing),
      String(distinct),
      used ? 'yes' : 'no',
    ]),
  ];
  return (
    <section>
      <h2>Columns</h2>
      <section class="scroll" tabIndex={0} aria-label="Columns">
        <table>
          <thead>
            <tr>
              <th scope="col">column</th>
              <th scope="col" class="text">
                type
              </th>
              <th scope="col">missing</th>
              <th scope="col">distinct</th>
              <th scope="col" class="text">
                used
              </th>
            </tr>
          </thead>
          <tbody>
            {[
              ...columns,
              ...leftOut.map((name) => ({ name, kind: NONE, missing: null, distinct: null, used: false })),
            ].map(({ name, kind, missing, distinct, used }) => (
              <tr key={name}>
                <th scope="row">
                  <bdi>{name}</bdi>
                </th>
                <td class="text">
                  <select
                    aria-label={`Type of ${name}`}
                    value={types[name] ?? ''}
                    disabled={name === target}
                    onChange={({ currentTarget }) => setType(name, currentTarget.value)}
                  >
                    <option value="">{kind}</option>
                    {TYPES.filter((type) => type !== kind || types[name] !== undefined).map((type) => (
                      <option key={type} value={type}>
                        as {type}
                      </option>
                    ))}
                  </select>
                </td>
                <td>{missing === null ? NONE : count(missing)}</td>
                <td>{distinct === null ? NONE : count(distinct)}</td>
                <td class="text">
                  <label class="check">
                    <input
                      type="checkbox"
                      aria-label={`Use ${name}`}
                      checked={!ignore.includes(name)}
                      disabled={name === target}
                      onChange={({ currentTarget }) => setUsed(name, currentTarget.checked)}
                    />
                    {used || name === target ? '' : 'left out'}
                  </label>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div class="table-foot">
        <span class="save">
          <button type="button" aria-label="Save “Columns” as CSV" onClick={() => saveCsv(table, 'columns')}>
            CSV
          </button>
        </span>
      </div>
    </section>
  );
}
