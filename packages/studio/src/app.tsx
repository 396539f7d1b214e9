import type { Places } from 'evenhand/studio';
import { useEffect } from 'preact/hooks';
import { addressOf, route } from './navigation/route.js';
import { Empty } from './parts/notices.js';
import { useAnswer } from './parts/use-answer.js';
import { disconnected, runs } from './server/run-store.js';
import { CompareView } from './views/compare/compare-view.js';
import { DatasetView } from './views/data/dataset-view.js';
import { RunView } from './views/run/run-view.js';
import { RunsView } from './views/runs/runs-view.js';
import { StreamView } from './views/streams/stream-view.js';
import { StreamsView } from './views/streams/streams-view.js';
import { SweepView } from './views/sweeps/sweep-view.js';
import { SweepsView } from './views/sweeps/sweeps-view.js';
import { TryView } from './views/try/try-view.js';

const PLACES: readonly (readonly [path: string, title: string])[] = [
  ['runs', 'Runs'],
  ['sweeps', 'Sweeps'],
  ['streams', 'Streams'],
  ['data', 'Data'],
];

/** The page: where one can go, and where one is. */
export function App() {
  const { path } = route.value;
  const { answer: places } = useAnswer<Places>('/api/places');
  const [place = 'runs'] = path;
  const title = PLACES.find(([name]) => name === place)?.[1] ?? 'Studio';
  useEffect(() => {
    document.title = `${title} · Evenhand studio`;
  }, [title]);
  return (
    <>
      <header class="bar">
        <a class="brand" href={addressOf(['runs'])}>
          <span class="logo" aria-hidden="true" />
          Evenhand
        </a>
        <nav aria-label="Views">
          {PLACES.map(([name, text]) => (
            <a key={name} href={addressOf([name])} {...(name === place ? { 'aria-current': 'page' } : {})}>
              {text}
            </a>
          ))}
          <a href="./playground.html">Playground</a>
          {typeof places?.queues === 'string' ? <a href={places.queues}>Queues</a> : null}
        </nav>
      </header>
      {disconnected.value === undefined ? null : (
        <p class="fault banner" role="alert">
          {disconnected.value}
        </p>
      )}
      <main class={`studio ${place}`}>
        <View />
      </main>
    </>
  );
}

function View() {
  const [place = 'runs', id] = route.value.path;
  if (place === 'runs' && id !== undefined) return <RunView key={id} id={id} />;
  if (place === 'runs') return <RunsView />;
  if (place === 'compare') return <CompareView />;
  if (place === 'sweeps') return id === undefined ? <SweepsView /> : <SweepView key={id} id={id} />;
  if (place === 'streams') return id === undefined ? <StreamsView /> : <StreamView key={id} id={id} />;
  if (place === 'data') return <DatasetView />;
  if (place === 'try' && id !== undefined) return <TryView key={id} id={id} />;
  return (
    <Empty title="There is nothing here">
      <p>
        <a href={addressOf(['runs'])}>{runs.value === undefined ? 'To the runs' : `To the ${runs.value.size} runs`}</a>
      </p>
    </Empty>
  );
}
