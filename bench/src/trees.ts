import { type Comparison, compare } from './measure.js';
import { Peer } from './peer.js';

/** What both sides are asked for. Settings are those of scikit-learn: 255 bins, 31 leaves, rate 0.1. */
export interface TreesWork {
  readonly work: 'train' | 'memory' | 'predict';
  readonly rows: number;
  readonly columns: number;
  readonly classes: number;
  readonly rounds: number;
}

const WORKS: readonly Omit<TreesWork, 'work'>[] = [
  { rows: 50_000, columns: 30, classes: 5, rounds: 100 },
  { rows: 500_000, columns: 30, classes: 2, rounds: 100 },
];

/**
 * Boosted trees against scikit-learn's `HistGradientBoostingClassifier`, both on two threads. Prediction is ONNX Runtime's with our model, beside
 * `predict_proba`. Each side is a process of its own, and a fresh one for peak memory.
 */
export async function benchTrees(quick: boolean, progress: (text: string) => void): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const one of WORKS) {
    const size = quick ? { ...one, rows: one.rows / 25, rounds: 5 } : one;
    const name = `${size.rows} × ${size.columns}, ${size.classes} classes`;
    progress(`trees: ${name}`);
    comparisons.push(await compareOnce(`training, ${name}`, 'ms', { ...size, work: 'train' }, quick ? 1 : 3));
    comparisons.push(await compareOnce(`peak memory of training, ${name}`, 'MB', { ...size, work: 'memory' }, 1));
    comparisons.push(await compareOnce(`prediction, ${name}`, 'ms', { ...size, work: 'predict' }, quick ? 1 : 5));
  }
  return comparisons;
}

async function compareOnce(name: string, unit: 'ms' | 'MB', work: TreesWork, rounds: number): Promise<Comparison> {
  const evenhand = Peer.start(process.execPath, new URL('./peers/evenhand-trees.js', import.meta.url));
  const sklearn = Peer.python('sklearn_trees.py', ['sklearn'], 'on Debian: apt-get install python3-sklearn');
  const ours = async () => Math.min(...(await evenhand.run(work)).values());
  try {
    return await compare({ name, unit, ours, peerWork: work }, sklearn, rounds);
  } finally {
    evenhand.stop();
    sklearn?.stop();
  }
}
