import { type Comparison, compare } from './measure.js';
import { Peer } from './peer.js';

/** What both sides are asked for: rows of normal columns, in classes that lie beside each other. */
export interface StreamWork {
  /** `time`: milliseconds to predict and then learn from all rows. `growth`: by how much memory in use grows after a tenth of them, in MB. */
  readonly work: 'time' | 'growth';
  readonly rows: number;
  readonly columns: number;
  readonly classes: number;
  /** Rows that are predicted, and then learned from, at a time. */
  readonly batch: number;
  /** Which of the peer's learners. */
  readonly learner: 'mlp' | 'sgd';
}

const SHAPE = { columns: 30, classes: 5 };
const WORKS = [
  { rows: 100_000, batch: 256 },
  { rows: 4_000, batch: 1 },
];

/** Rows over which memory should stay as it is; `EVENHAND_STREAM_ROWS=10000000` for a longer look. */
const LONG = Number(process.env.EVENHAND_STREAM_ROWS ?? 1_000_000);

/**
 * A stream against scikit-learn's `partial_fit`, one core each: predict a mini-batch, then learn from it. Ours also standardises, replays, measures, and
 * looks for change; scikit-learn only does the two.
 */
export async function benchStreams(quick: boolean, progress: (text: string) => void): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const { rows, batch } of WORKS) {
    for (const learner of ['mlp', 'sgd'] as const) {
      const work: StreamWork = { work: 'time', ...SHAPE, rows: quick ? rows / 20 : rows, batch, learner };
      const name = `${work.rows} rows × ${work.columns}, ${batch === 1 ? 'row by row' : `batches of ${batch}`}, against ${learner === 'mlp' ? 'MLPClassifier' : 'SGDClassifier'}`;
      progress(`streams: ${name}`);
      comparisons.push(await compareOnce(name, work, quick ? 1 : 3));
    }
  }
  const growth: StreamWork = { work: 'growth', ...SHAPE, rows: quick ? 20_000 : LONG, batch: 256, learner: 'mlp' };
  progress(`streams: memory over ${growth.rows} rows`);
  const evenhand = startOurs();
  try {
    const ours = async () => Math.max(...(await evenhand.run(growth)).values());
    comparisons.push(
      await compare(
        { name: `growth of memory in use over ${growth.rows} rows`, unit: 'MB', ours, peerWork: growth },
        null,
        1,
      ),
    );
  } finally {
    evenhand.stop();
  }
  return comparisons;
}

function startOurs(): Peer {
  return Peer.start(process.execPath, new URL('./peers/evenhand-streams.js', import.meta.url), ['--expose-gc']);
}

async function compareOnce(name: string, work: StreamWork, rounds: number): Promise<Comparison> {
  const evenhand = startOurs();
  const sklearn = Peer.python('sklearn_streams.py', ['sklearn'], 'on Debian: apt-get install python3-sklearn');
  const ours = async () => Math.min(...(await evenhand.run(work)).values());
  try {
    return await compare({ name, ours, peerWork: work }, sklearn, rounds);
  } finally {
    evenhand.stop();
    sklearn?.stop();
  }
}
