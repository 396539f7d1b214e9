import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { packageVersion } from '../package-version.js';
import { engineFingerprint } from '../runs/engine-fingerprint.js';

/** What a process computes with. */
export interface Numerics {
  readonly evenhand: string;
  readonly onnxRuntime: string;
  /** The major version. */
  readonly node: string;
  /** What the engine computes in three fixed steps: kernels differ between kinds of processors. */
  readonly engine: string;
}

/** Hexadecimal digits of a class: few enough to be read. */
const DIGITS = 12;

/** Finds out what this process computes with. */
export async function numericsHere(): Promise<Numerics> {
  return {
    evenhand: packageVersion(new URL('../../package.json', import.meta.url)),
    onnxRuntime: packageVersion(createRequire(import.meta.url).resolve('onnxruntime-node/package.json')),
    node: process.versions.node.split('.')[0] ?? '',
    engine: await engineFingerprint(),
  };
}

/** The class of machines that train the same configuration to the same bytes. */
export function numericsClass({ evenhand, onnxRuntime, node, engine }: Numerics): string {
  const text = JSON.stringify([evenhand, onnxRuntime, node, engine]);
  return createHash('sha256').update(text).digest('hex').slice(0, DIGITS);
}

/**
 * The queue of a class, so that no worker takes what it would train to other bytes.
 *
 * @param mixed - for machines of all classes that have the same version
 */
export function queueName(numerics: Numerics, mixed: boolean): string {
  return `evenhand-${numerics.evenhand}-${mixed ? 'mixed' : numericsClass(numerics)}`;
}

/** What is different between two machines, for people. */
export function numericsDifference(here: Numerics, there: Numerics): string {
  const parts: readonly (readonly [string, string, string])[] = [
    ['evenhand', here.evenhand, there.evenhand],
    ['ONNX Runtime', here.onnxRuntime, there.onnxRuntime],
    ['Node', here.node, there.node],
    ['results of the engine (processors differ)', here.engine, there.engine],
  ];
  const different = parts.filter(([, mine, other]) => mine !== other);
  return different.map(([name, mine, other]) => `${name} ${mine} here, ${other} there`).join('; ');
}
