import { useMemo, useRef, useState } from 'preact/hooks';
import { addressOf, go, route, setQuery } from '../../navigation/route.js';
import { saveCsv } from '../../parts/csv.js';
import { count, counted } from '../../parts/format.js';
import { Empty, Fault, Loading } from '../../parts/notices.js';
import { StateMark } from '../../parts/state-mark.js';
import { runs as allRuns, folders, unread } from '../../server/run-store.js';
import { ColumnChoice } from './column-choice.js';
import { type Column, columnsOf, DEFAULT_COLUMNS } from './columns.js';
import { parseFilter } from './filter.js';
import { type Row, rowsOf, rowText, sorted } from './rows.js';
import { useFilterKey } from './use-filter-key.js';
import { VirtualTable } from './virtual-table.js';

const NAME_WIDTH = innerWidth < 500 ? 160 : 250;
const BOX_WIDTH = 40;
const DEFAULT_SORT = 'changed';

/** The table of all runs. */
export function RunsView() {
  const runs = allRuns.value;
  if (runs === undefined) return <Loading what="Looking for runs" />;
  if (runs.size === 0 && unread.value === 0) return <NoRuns />;
  return <RunsTable />;
}

function NoRuns() {
  return (
    <Empty title="No runs yet">
      <p>
        There are no runs in {folders.value.join(', ')}. Train one on the page <a href={addressOf(['data'])}>Data</a>,
        or in a terminal:
      </p>
      <pre>
        <code>npx evenhand train data.csv --target class</code>
      </pre>
      <p>Runs appear here automatically.</p>
    </Empty>
  );
}

function RunsTable() {
  const { query } = route.value;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const filterBox = useRef<HTMLInputElement>(null);
  useFilterKey(filterBox);
  const text = query.get('filter') ?? '';
  const grouped = query.get('group') === 'seeds';
  const sortKey = query.get('sort') ?? DEFAULT_SORT;
  const descending = (query.get('order') ?? (sortKey === DEFAULT_SORT ? 'down' : 'up')) === 'down';
  const chosen = query.get('columns')?.split(',') ?? DEFAULT_COLUMNS;
  const runs = allRuns.value;
  const columns = useMemo(() => columnsOf(runs?.values() ?? []), [runs]);
  const showSweeps = query.get('sweeps') === 'yes';
  const { rows, unknown, hidden } = useMemo(() => {
    const parsed = parseFilter(text, columns);
    const listed = [...(runs?.values() ?? [])].filter(({ sweep }) => showSweeps || sweep === null);
    const shown = listed.filter(parsed.filter);
    const column = columns.find(({ key }) => key === sortKey) ?? columns[0];
    const all = rowsOf(shown, grouped);
    return {
      rows: column === undefined ? all : sorted(all, column, descending),
      unknown: parsed.unknown,
      hidden: (runs?.size ?? 0) - listed.length,
    };
  }, [runs, columns, text, grouped, sortKey, descending, showSweeps]);
  const shownColumns = columns.filter(({ key }) => chosen.includes(key));
  const idsOf = (row: Row) => row.runs.map(({ id }) => id);
  const isSelected = (row: Row) => idsOf(row).every((id) => selected.has(id));
  const toggle = (row: Row) => {
    const next = new Set(selected);
    const turnOff = isSelected(row);
    for (const id of idsOf(row)) turnOff ? next.delete(id) : next.add(id);
    setSelected(next);
  };
  const open = (row: Row) =>
    row.runs.length === 1 ? go(['runs', row.first.id]) : go(['compare'], { runs: idsOf(row).join(',') });
  const present = [...selected].filter((id) => runs?.has(id));
  const saveTable = () =>
    saveCsv(
      [
        ['run', ...shownColumns.map(({ title }) => title)],
        ...rows.map((row) => [row.first.name, ...shownColumns.map((column) => rowText(row, column))]),
      ],
      'runs',
    );
  return (
    <>
      <h1 class="sr-only">Runs</h1>
      <div class="toolbar">
        <label class="filter">
          <span class="sr-only">Filter</span>
          <input
            ref={filterBox}
            type="search"
            value={text}
            placeholder="Filter: fraud  method=enhancement  balancedAccuracy>0.8"
            onInput={({ currentTarget }) => setQuery({ filter: currentTarget.value })}
          />
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={grouped}
            onChange={({ currentTarget }) => setQuery({ group: currentTarget.checked ? 'seeds' : '' })}
          />
          seeds as one
        </label>
        {hidden > 0 || showSweeps ? (
          <label class="check">
            <input
              type="checkbox"
              checked={showSweeps}
              onChange={({ currentTarget }) => setQuery({ sweeps: currentTarget.checked ? 'yes' : '' })}
            />
            trials of sweeps
          </label>
        ) : null}
        <ColumnChoice columns={columns} chosen={chosen} />
        <button type="button" onClick={saveTable}>
          CSV
        </button>
        {present.length === 0 ? (
          <span class="note">Select runs to compare them</span>
        ) : (
          <a class="button primary" href={addressOf(['compare'], { runs: present.join(',') })}>
            Compare {present.length}
          </a>
        )}
      </div>
      {unknown.length === 0 ? null : (
        <Fault message={`There is no column ${unknown.join(', ')}; “columns” lists them.`} />
      )}
      <p class="note table-count" role="status">
        {counted(rows.length, grouped ? 'group' : 'run')}
        {unread.value > 0 ? `, ${count(unread.value)} more to be read` : ''}
      </p>
      {rows.length === 0 ? (
        <Empty title="No run matches the filter">
          <p>
            <button type="button" onClick={() => setQuery({ filter: '' })}>
              Remove the filter
            </button>
          </p>
        </Empty>
      ) : (
        <VirtualTable
          label="Runs"
          rows={rows}
          widths={[BOX_WIDTH, NAME_WIDTH, ...shownColumns.map(({ width }) => width)]}
          keyOf={({ id }) => id}
          isSelected={isSelected}
          onOpen={open}
          onSelect={toggle}
          head={<Head columns={shownColumns} sortKey={sortKey} descending={descending} />}
          cells={(row) => (
            <Cells row={row} columns={shownColumns} isSelected={isSelected(row)} onToggle={() => toggle(row)} />
          )}
        />
      )}
    </>
  );
}

interface HeadProps {
  readonly columns: readonly Column[];
  readonly sortKey: string;
  readonly descending: boolean;
}

function Head({ columns, sortKey, descending }: HeadProps) {
  const sortBy = ({ key, isNumeric }: Column) => {
    const down = key === sortKey ? !descending : isNumeric;
    setQuery({ sort: key, order: down ? 'down' : 'up' });
  };
  return (
    <tr>
      <th scope="col">
        <span class="sr-only">selected</span>
      </th>
      <th scope="col" class="text">
        run
      </th>
      {columns.map((column) => {
        const order = column.key === sortKey ? (descending ? 'descending' : 'ascending') : undefined;
        return (
          <th
            key={column.key}
            scope="col"
            class={column.isNumeric ? '' : 'text'}
            {...(order === undefined ? {} : { 'aria-sort': order })}
          >
            <button type="button" class="sort" onClick={() => sortBy(column)}>
              {column.title}
              <span aria-hidden="true">{order === undefined ? '' : order === 'descending' ? ' ↓' : ' ↑'}</span>
            </button>
          </th>
        );
      })}
    </tr>
  );
}

interface CellsProps {
  readonly row: Row;
  readonly columns: readonly Column[];
  readonly isSelected: boolean;
  readonly onToggle: () => void;
}

function Cells({ row, columns, isSelected, onToggle }: CellsProps) {
  const { first, runs } = row;
  const several = runs.length > 1;
  const address = several
    ? addressOf(['compare'], { runs: runs.map(({ id }) => id).join(',') })
    : addressOf(['runs', first.id]);
  return (
    <>
      <td class="box">
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isSelected}
          aria-label={`Select ${first.name}`}
          onChange={onToggle}
        />
      </td>
      <th scope="row" title={first.folder}>
        <a href={address} tabIndex={-1}>
          <bdi>{first.name}</bdi>
        </a>
        {several ? <span class="note"> and {runs.length - 1} more</span> : null}
      </th>
      {columns.map((column) => (
        <td
          key={column.key}
          class={column.isNumeric ? '' : 'text'}
          title={column.isNumeric ? undefined : rowText(row, column)}
        >
          {column.key === 'state' && !several ? (
            <StateMark state={first.state} />
          ) : column.key === 'tags' ? (
            <Tags tags={first.tags} />
          ) : (
            rowText(row, column)
          )}
        </td>
      ))}
    </>
  );
}

function Tags({ tags }: { readonly tags: readonly string[] }) {
  return (
    <>
      {tags.map((tag) => (
        <span key={tag} class="tag">
          {tag}
        </span>
      ))}
    </>
  );
}
