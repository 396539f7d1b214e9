import type { DataCheckResult, Sources } from 'evenhand/studio';
import { useEffect, useState } from 'preact/hooks';
import { route, setQuery } from '../../navigation/route.js';
import { Fault, Loading } from '../../parts/notices.js';
import { useAnswer } from '../../parts/use-answer.js';
import { ask, messageOf, send } from '../../server/api.js';
import { CheckResult } from './check-result.js';
import { type DataChoice, givenConfig } from './given-config.js';
import { TrainForm } from './train-form.js';

const NOTHING: Pick<DataChoice, 'ignore' | 'types'> = { ignore: [], types: {} };

/** Data: choose some, look at it, train on it. */
export function DatasetView() {
  const { query } = route.value;
  const [source, target] = [query.get('source') ?? '', query.get('target') ?? ''];
  const [columns, setColumns] = useState(NOTHING);
  const [uploads, setUploads] = useState(0);
  const { answer: sources, fault } = useAnswer<Sources>('/api/sources', uploads);
  const choose = (path: string) => {
    setColumns(NOTHING);
    setQuery({ source: path, target: '' });
  };
  const choice: DataChoice = { source, target, ...columns };
  const { result, problem, isChecking } = useCheck(choice);
  return (
    <>
      <h1>Data</h1>
      {fault === undefined ? null : <Fault message={fault} />}
      {sources === undefined ? (
        <Loading what="Looking for data" />
      ) : (
        <SourceChoice
          sources={sources}
          source={source}
          onChoose={(path) => {
            setUploads(uploads + 1);
            choose(path);
          }}
        />
      )}
      {problem === undefined ? null : <Fault message={problem} />}
      {isChecking ? <Loading what={`Reading ${source}`} /> : null}
      {result === undefined ? null : (
        <>
          <CheckResult
            result={result}
            choice={choice}
            onTarget={(name) => setQuery({ target: name })}
            onColumns={setColumns}
          />
          {result.classes === undefined || (result.problems ?? []).length > 0 ? null : <TrainForm choice={choice} />}
        </>
      )}
    </>
  );
}

interface SourceChoiceProps {
  readonly sources: Sources;
  readonly source: string;
  onChoose(path: string): void;
}

function SourceChoice({ sources: { sources }, source, onChoose }: SourceChoiceProps) {
  const [said, setSaid] = useState('');
  const take = (file: File | undefined) => {
    if (file === undefined) return;
    setSaid(`sending ${file.name}…`);
    ask<{ path: string }>(`/api/uploads/${encodeURIComponent(file.name)}`, { method: 'PUT', body: file }).then(
      ({ path }) => {
        setSaid('');
        onChoose(path);
      },
      (error: unknown) => setSaid(messageOf(error)),
    );
  };
  return (
    <section
      class="drop"
      aria-label="Choose data"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        take(event.dataTransfer?.files[0]);
      }}
    >
      <p>
        <label>
          Data{' '}
          <select value={source} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
            <option value="">
              {sources.length === 0 ? 'no table or image folder found here' : 'choose a table or an image folder'}
            </option>
            {sources.map(({ path, kind }) => (
              <option key={path} value={path}>
                {path}
                {kind === 'images' ? '/ (images)' : ''}
              </option>
            ))}
          </select>
        </label>
      </p>
      <p>
        <label>
          or drop a CSV, TSV, JSON lines or Parquet file here:{' '}
          <input
            type="file"
            accept=".csv,.tsv,.jsonl,.ndjson,.parquet,.gz"
            onChange={({ currentTarget }) => take(currentTarget.files?.[0])}
          />
        </label>{' '}
        <span role="status">{said}</span>
      </p>
      <p class="note">
        The list has tables, and folders with one sub-folder of images per class, below the folder where the studio was
        started. Dropped files are kept in the folder “uploads” next to the runs.
      </p>
    </section>
  );
}

/** What `check` says of the choice; asked again whenever it changes. */
function useCheck(choice: DataChoice) {
  const key = JSON.stringify(choice);
  const [checked, setChecked] = useState<{ key: string; result?: DataCheckResult; problem?: string }>({ key: '' });
  useEffect(() => {
    const wanted: DataChoice = JSON.parse(key);
    if (wanted.source === '') return;
    let isOver = false;
    send<DataCheckResult>('POST', '/api/check', givenConfig(wanted, new Map())).then(
      (result) => {
        if (!isOver) setChecked({ key, result });
      },
      (error: unknown) => {
        if (!isOver) setChecked({ key, problem: messageOf(error) });
      },
    );
    return () => {
      isOver = true;
    };
  }, [key]);
  const isOfSource = checked.result?.source === choice.source;
  return {
    // What was found before stays on the page while it is looked at again.
    result: isOfSource ? checked.result : undefined,
    problem: checked.key === key ? checked.problem : undefined,
    isChecking: choice.source !== '' && checked.key !== key,
  };
}
