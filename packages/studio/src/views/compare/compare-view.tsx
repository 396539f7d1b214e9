import type { Comparison } from 'evenhand/studio';
import { useMemo, useState } from 'preact/hooks';
import { LineChart, type Series } from '../../charts/line-chart.js';
import { addressOf, go, route } from '../../navigation/route.js';
import { saveCsv } from '../../parts/csv.js';
import { Figure } from '../../parts/figure.js';
import { optionText } from '../../parts/format.js';
import { Legend } from '../../parts/legend.js';
import { Empty, Fault, Loading } from '../../parts/notices.js';
import { ReportHtml } from '../../parts/report-part.js';
import { StateMark } from '../../parts/state-mark.js';
import { useAnswer } from '../../parts/use-answer.js';
import { runs } from '../../server/run-store.js';

/** Runs beside each other: only what differs, their curves on top of each other, and their test results. */
export function CompareView() {
  const wanted = route.value.query.get('runs') ?? '';
  const changed = wanted.split(',').reduce((latest, id) => Math.max(latest, runs.value?.get(id)?.changed ?? 0), 0);
  const { answer, fault } = useAnswer<Comparison>(
    wanted === '' ? null : `/api/compare?runs=${encodeURIComponent(wanted)}`,
    changed,
  );
  if (wanted === '') {
    return (
      <Empty title="Nothing to compare">
        <p>
          Select some <a href={addressOf(['runs'])}>runs</a> first.
        </p>
      </Empty>
    );
  }
  if (fault !== undefined) return <Fault message={fault} />;
  if (answer === undefined) return <Loading what="Comparing" />;
  return <Compared comparison={answer} />;
}

function Compared({ comparison }: { readonly comparison: Comparison }) {
  const { runs: compared, html, reason } = comparison;
  return (
    <>
      <p class="trail">
        <a href={addressOf(['runs'])}>Runs</a> / <span>{compared.length} compared</span>
      </p>
      <h1>{compared.length} runs side by side</h1>
      <Differences comparison={comparison} />
      <Curves comparison={comparison} />
      {reason === null ? null : <p class="note">{reason}</p>}
      {html === null ? null : (
        <section class="test-results">
          <h2>Test results</h2>
          <ReportHtml html={html} />
        </section>
      )}
    </>
  );
}

function Differences({ comparison: { runs: compared, differences } }: { readonly comparison: Comparison }) {
  const table = [
    ['run', ...differences.map(({ path }) => path)],
    ...compared.map(({ name }, i) => [name, ...differences.map(({ values }) => optionText(values[i]))]),
  ];
  return (
    <section>
      <h2>What differs</h2>
      {differences.length === 0 ? <p>Nothing: these runs have the same options.</p> : null}
      <section class="scroll" tabIndex={0} aria-label="What differs">
        <table>
          <thead>
            <tr>
              <th scope="col">run</th>
              <th scope="col" class="text">
                state
              </th>
              {differences.map(({ path }) => (
                <th key={path} scope="col" class="text">
                  {path}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {compared.map(({ id, name, state }, i) => (
              <tr key={id}>
                <th scope="row">
                  <a href={addressOf(['runs', id])}>
                    <bdi>{name}</bdi>
                  </a>
                </th>
                <td class="text">
                  <StateMark state={state} />
                </td>
                {differences.map(({ path, values }) => (
                  <td key={path} class="text">
                    {optionText(values[i])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div class="table-foot">
        <span class="save">
          <button type="button" aria-label="Save “What differs” as CSV" onClick={() => saveCsv(table, 'what differs')}>
            CSV
          </button>
        </span>
      </div>
    </section>
  );
}

function Curves({ comparison: { runs: compared, curves } }: { readonly comparison: Comparison }) {
  const [highlighted, setHighlighted] = useState<string | undefined>(undefined);
  // Runs that differ only in their seed have one colour.
  const { losses, softs } = useMemo(() => {
    const groups = [...new Set(compared.map(({ group }) => group))];
    const all = curves.flatMap(({ id, lines }) => {
      const run = compared.find((one) => one.id === id);
      return run === undefined ? [] : [{ id, name: run.name, colour: groups.indexOf(run.group), lines }];
    });
    const series = (value: (line: (typeof curves)[number]['lines'][number]) => number | undefined): Series[] =>
      all
        .map(({ lines, ...one }) => ({
          ...one,
          points: lines.flatMap((line) => {
            const y = value(line);
            return y === undefined ? [] : [[line.epoch, y] as const];
          }),
        }))
        .filter(({ points }) => points.length > 0);
    return { losses: series(({ loss }) => loss), softs: series(({ validation }) => validation?.softAccuracy) };
  }, [compared, curves]);
  if (losses.length === 0) return null;
  const pick = (id: string) => setHighlighted(highlighted === id ? undefined : id);
  const open = (id: string) => (highlighted === id ? go(['runs', id]) : setHighlighted(id));
  return (
    <section>
      <h2>Curves</h2>
      <Legend series={losses} highlighted={highlighted} onPick={pick} />
      <p class="note" role="status">
        {highlighted === undefined ? (
          'Click a line to pick its run.'
        ) : (
          <PickedRun id={highlighted} name={compared.find(({ id }) => id === highlighted)?.name ?? ''} />
        )}
      </p>
      <div class="charts">
        {softs.length === 0 ? null : (
          <Figure
            title="Soft accuracy"
            caption="On the validation set: the mean probability of the right class, with all classes counting equally."
          >
            <LineChart
              label="Validation soft accuracy of all runs over epochs"
              quantity="validation soft accuracy"
              series={softs}
              shares
              highlighted={highlighted}
              onPick={open}
            />
          </Figure>
        )}
        <Figure
          title="Loss"
          caption="Methods that encode the labels have a different loss: compare the shape of the curves, not their height."
        >
          <LineChart
            label="Training loss of all runs over epochs"
            quantity="mean training loss"
            series={losses}
            highlighted={highlighted}
            onPick={open}
          />
        </Figure>
      </div>
    </section>
  );
}

function PickedRun({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <>
      Picked: <a href={addressOf(['runs', id])}>{name}</a>. Click its line again to open it.
    </>
  );
}
