import { encodeLabels, labelBuffer, softConfusionMatrix } from '@evenhand/encoding';
import { type Comparison, compare, type Work } from './measure.js';
import { Peer } from './peer.js';

/**
 * Label encoding and soft confusion against NumPy, float32, and encoding against the paper's matrix product. Both sides
 * write into memory that is there already; NumPy gets the integers it likes best and every way that we know, without checks.
 * Ours checks every label and every probability.
 */
export async function benchEncoding(quick: boolean, progress: (text: string) => void): Promise<Comparison[]> {
  const peer = Peer.python(
    'numpy_encoding.py',
    ['numpy'],
    'on Debian: apt-get install python3-numpy libopenblas0-pthread',
  );
  const scale = quick ? 0.01 : 1;
  const comparisons: Comparison[] = [];
  try {
    for (const [instances, classes] of [
      [1e7, 10],
      [1e6, 100],
    ] as const) {
      for (const work of encodingWork(instances * scale, classes)) {
        progress(`encoding: ${work.name}`);
        comparisons.push(await compare(work, peer, quick ? 2 : 20));
      }
    }
    for (const [instances, classes] of [
      [1e6, 10],
      [1e5, 1000],
    ] as const) {
      const work = softConfusionWork(instances * scale, classes);
      progress(`encoding: ${work.name}`);
      comparisons.push(await compare(work, peer, quick ? 2 : 20));
    }
  } finally {
    peer?.stop();
  }
  return comparisons;
}

function encodingWork(instances: number, classes: number): Work[] {
  const labels = randomLabels(instances, classes);
  const generator = Float32Array.from({ length: classes ** 2 }, Math.random);
  const rows = labelBuffer(instances, classes).fill(1);
  const ours = (): undefined => {
    encodeLabels(labels, generator, rows);
  };
  const size = `${instances} × ${classes}`;
  return [
    { name: `encode ${size}`, ours, peerWork: { work: 'encode', instances, classes } },
    { name: `encode ${size} against the paper's product`, ours, peerWork: { work: 'product', instances, classes } },
  ];
}

function softConfusionWork(instances: number, classes: number): Work {
  const labels = randomLabels(instances, classes);
  const probabilities = new Float32Array(instances * classes);
  for (let i = 0; i < instances; i++) {
    const row = probabilities.subarray(i * classes, (i + 1) * classes);
    let sum = 0;
    for (let q = 0; q < classes; q++) sum += row[q] = Math.random();
    row.set(row.map((value) => value / sum));
  }
  const sums = new Float64Array(classes ** 2);
  return {
    name: `soft confusion ${instances} × ${classes}`,
    ours: () => {
      softConfusionMatrix(labels, probabilities, classes, sums);
    },
    peerWork: { work: 'softConfusion', instances, classes },
  };
}

function randomLabels(instances: number, classes: number): Uint8Array | Uint16Array {
  const labels = classes <= 256 ? new Uint8Array(instances) : new Uint16Array(instances);
  for (let i = 0; i < instances; i++) labels[i] = Math.floor(Math.random() * classes);
  return labels;
}
