import type { RunDetails } from 'evenhand/studio';
import { useEffect, useState } from 'preact/hooks';
import { addressOf, route } from '../../navigation/route.js';
import { ClassCounts } from '../../parts/class-counts.js';
import { ago, percent } from '../../parts/format.js';
import { Empty, Fault, Loading } from '../../parts/notices.js';
import { ReportPart } from '../../parts/report-part.js';
import { StateMark } from '../../parts/state-mark.js';
import { useAnswer } from '../../parts/use-answer.js';
import type { EpochLines } from '../../server/epoch-lines.js';
import { runs } from '../../server/run-store.js';
import { useEpochs } from '../../server/use-epochs.js';
import { Configuration } from './configuration.js';
import { Curves } from './curves.js';
import { Generator } from './generator.js';
import { Notes } from './notes.js';
import { RunActions } from './run-actions.js';

/** Parts of the view; those about results are there when the run is finished. */
const TABS: readonly (readonly [key: string, title: string, needsResults: boolean])[] = [
  ['', 'Overview', false],
  ['training', 'Training', false],
  ['classes', 'Classes', false],
  ['confusion', 'Confusion', true],
  ['outputs', 'Outputs', true],
  ['wrong', 'Wrong answers', true],
  ['model', 'Model', true],
  ['config', 'Configuration', false],
];

/** A run: how it trains, what it came to, and what it was told. */
export function RunView({ id }: { readonly id: string }) {
  const summary = runs.value?.get(id);
  const lines = useEpochs(id);
  const { answer: details, fault } = useAnswer<RunDetails>(`/api/runs/${id}`, `${summary?.changed} ${summary?.state}`);
  if (runs.value === undefined) return <Loading what="Looking for the run" />;
  if (summary === undefined && details === undefined && fault === undefined)
    return <Loading what="Looking for the run" />;
  if (summary === undefined) {
    return (
      <Empty title="This run no longer exists">
        <p>
          Its folder was removed, or is not below the folders that the studio shows.{' '}
          <a href={addressOf(['runs'])}>Back to the runs</a>
        </p>
      </Empty>
    );
  }
  if (fault !== undefined) return <Fault message={fault} />;
  if (details === undefined) return <Loading what="Reading the run" />;
  return <Details details={{ ...details, run: { ...details.run, ...summary } }} lines={lines} />;
}

function Details({ details, lines }: { readonly details: RunDetails; readonly lines: EpochLines }) {
  const { run } = details;
  const tab = route.value.query.get('tab') ?? '';
  useEffect(() => {
    const before = document.title;
    document.title = `${run.name} · Evenhand studio`;
    return () => {
      document.title = before;
    };
  }, [run.name]);
  const isFinished = run.state === 'finished';
  const tabs = TABS.filter(([, , needsResults]) => isFinished || !needsResults);
  return (
    <>
      <header class="run-head">
        <p class="trail">
          <a href={addressOf(['runs'])}>Runs</a> / <span>{run.folder}</span>
        </p>
        <h1>
          <bdi>{run.name}</bdi>
        </h1>
        <p class="facts">
          <StateMark state={run.state} />
          <span>{run.dataset}</span>
          <span>{run.method}</span>
          <span>{run.model}</span>
          <span>seed {run.seed}</span>
          <span>
            {run.epochs.done}
            {run.epochs.planned === null ? '' : ` of ${run.epochs.planned}`} epochs
          </span>
          {run.best === null ? null : (
            <span>
              best {percent(run.best.softAccuracy)} in epoch {run.best.epoch}
            </span>
          )}
          {run.last === null ? null : <span>last {percent(run.last.softAccuracy)}</span>}
          <span>{ago(run.changed)}</span>
        </p>
        <RunActions details={details} />
      </header>
      {run.problem === null ? null : <Fault message={run.problem} />}
      <nav class="tabs" aria-label="Parts of the run">
        {tabs.map(([key, title]) => (
          <a
            key={key}
            href={addressOf(['runs', run.id], { tab: key })}
            {...(key === tab ? { 'aria-current': 'page' } : {})}
          >
            {title}
          </a>
        ))}
      </nav>
      <Tab tab={tab} details={details} lines={lines} />
    </>
  );
}

interface TabProps {
  readonly tab: string;
  readonly details: RunDetails;
  readonly lines: EpochLines;
}

function Tab({ tab, details, lines }: TabProps) {
  const { run } = details;
  const part = (name: string, what: string) => (
    <ReportPart key={name} address={`/api/runs/${run.id}/report/${name}`} what={what} occasion={run.changed} />
  );
  switch (tab) {
    case 'training':
      return (
        <>
          <Curves details={details} lines={lines} />
          <Generator details={details} epochs={run.epochs.done} />
        </>
      );
    case 'classes':
      return run.state === 'finished' ? (
        part('classes', 'Counting the classes')
      ) : (
        <ClassCounts classes={countsOf(details)} />
      );
    case 'confusion':
      return part('confusion', 'Drawing the confusion matrices');
    case 'outputs':
      return (
        <>
          {part('outputs', 'Drawing reliability and trade-off')}
          <OutputMap details={details} />
        </>
      );
    case 'wrong':
      return part('wrong', 'Reading the data for the wrong answers');
    case 'model':
      return (
        <>
          {details.members.length === 0 ? null : part('portfolio', 'Reading the members')}
          {part('importance', 'Reading what the columns are worth')}
          {part('usage', 'Writing examples')}
        </>
      );
    case 'config':
      return <Configuration details={details} />;
    default:
      return (
        <>
          {run.state === 'finished' ? part('headline', 'Reading the results') : null}
          {run.state === 'finished' ? <h2>Training</h2> : null}
          <Curves details={details} lines={lines} />
          <h2>Notes</h2>
          <Notes run={run} />
        </>
      );
  }
}

/** The classes of a run that has no results yet. */
function countsOf({ classes }: RunDetails) {
  if (classes === null) return [];
  return classes.names.map((name, p) => {
    const [training = 0, validation = 0, test = 0] = [classes.training[p], classes.validation[p], classes.test[p]];
    return { name, all: training + validation + test, training, validation, test };
  });
}

/** The map takes a while to compute: it is made when somebody asks for it. */
function OutputMap({ details: { run, classes } }: { readonly details: RunDetails }) {
  const [isWanted, setWanted] = useState(false);
  if ((classes?.names.length ?? 0) <= 2) return null;
  if (isWanted) return <ReportPart address={`/api/runs/${run.id}/report/map`} what="Computing the map" />;
  return (
    <p>
      <button type="button" onClick={() => setWanted(true)}>
        Draw a map of the test outputs
      </button>
    </p>
  );
}
