import { type Comparison, compare } from './measure.js';
import { Peer } from './peer.js';

/** A data set: normal columns, independent of each other or made of a few factors, and a smaller class that lies beside the larger one. */
interface DataSet {
  readonly rows: number;
  readonly columns: number;
  /** The larger class has this many times as many rows. */
  readonly ratio: number;
  readonly correlated: boolean;
}

/** What both sides are asked for. */
export interface ResamplingWork extends DataSet {
  readonly work: 'time' | 'memory';
  readonly method: 'smote' | 'tomek' | 'enn' | 'k-means smote' | 'near miss';
}

const INDEPENDENT = { rows: 20_000, columns: 20, ratio: 10, correlated: false };
const CORRELATED = { ...INDEPENDENT, correlated: true };

const WORKS: readonly (DataSet & Pick<ResamplingWork, 'method'>)[] = [
  { method: 'smote', rows: 50_000, columns: 30, ratio: 100, correlated: false },
  { method: 'tomek', ...CORRELATED },
  { method: 'tomek', ...INDEPENDENT },
  { method: 'enn', ...CORRELATED },
  { method: 'enn', ...INDEPENDENT },
  { method: 'k-means smote', ...INDEPENDENT },
  { method: 'near miss', ...INDEPENDENT },
];

/**
 * Resampling against imbalanced-learn, which searches neighbours on all cores; ours on one. Both sides check their input and return the
 * new matrix. Each side is a process of its own, and a fresh one for peak memory.
 */
export async function benchResampling(quick: boolean, progress: (text: string) => void): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const one of WORKS) {
    const size = quick ? { ...one, rows: one.rows / 20 } : one;
    const name = `${one.method} ${size.rows} × ${size.columns}, 1 : ${size.ratio}${size.correlated ? ', correlated' : ''}`;
    progress(`resampling: ${name}`);
    comparisons.push(await compareOnce(name, 'ms', { ...size, work: 'time' }, quick ? 1 : 5));
    comparisons.push(await compareOnce(`peak memory of ${name}`, 'MB', { ...size, work: 'memory' }, 1));
  }
  return comparisons;
}

async function compareOnce(name: string, unit: 'ms' | 'MB', work: ResamplingWork, rounds: number): Promise<Comparison> {
  const evenhand = Peer.start(process.execPath, new URL('./peers/evenhand-resampling.js', import.meta.url));
  const imblearn = Peer.python('imblearn_resampling.py', ['imblearn'], 'on Debian: apt-get install python3-imblearn');
  const ours = async () => Math.min(...(await evenhand.run(work)).values());
  try {
    return await compare({ name, unit, ours, peerWork: work }, imblearn, rounds);
  } finally {
    evenhand.stop();
    imblearn?.stop();
  }
}
