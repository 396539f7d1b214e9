// Readers with every fault that the fuzzer looks for.
import { setTimeout as sleep } from 'node:timers/promises';

const reader = (read) => ({
  share: 1,
  corpus: async () => new Map([['whole', new Uint8Array(4)]]),
  mutations: [damage],
  read,
});

/** The whole file is zeros, and is read without fault. */
const damage = (bytes, random) => Uint8Array.from(bytes, () => 1 + Math.floor(255 * random()));

const { readFileSync } = await import('node:fs');
const { UserError } = await import('evenhand');
const unlessWhole = (fault) => reader(async (file) => (readFileSync(file)[0] === 0 ? undefined : fault()));

export const READERS = {
  good: unlessWhole(() => {
    throw new UserError('this is no file of ours');
  }),
  'raw error': unlessWhole(() => undefined.length),
  'long message': unlessWhole(() => {
    throw new UserError('x'.repeat(100_000));
  }),
  pollution: unlessWhole(() => {
    Object.prototype.polluted = true;
  }),
  death: unlessWhole(() => process.abort()),
  'late rejection': unlessWhole(async () => {
    Promise.reject(new TypeError('nobody listens'));
    await sleep(1000);
  }),
  spinning: unlessWhole(() => {
    for (;;);
  }),
  waiting: unlessWhole(() => sleep(1e6)),
  memory: unlessWhole(async () => {
    globalThis.kept = Array.from({ length: 8 }, () => Buffer.alloc(50_000_000, 1));
    await sleep(1000);
  }),
  'refused corpus': reader(async () => {
    throw new UserError('not even the whole one');
  }),
};
