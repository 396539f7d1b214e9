import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { resume, train } from '../../src/index.js';
import { UserError } from '../../src/user-error.js';
import { resultsOf, tableConfig, writeTable } from '../training/problem.js';
import { Child } from './child-process.js';
import { temporaryFolder } from './examples.js';

/**
 * Trains, and before every change of the disk writes down what would be left of it if the power failed: of a folder the
 * entries, and of a file the content, that it had when it was last flushed. A file that never was is there empty.
 */
const TRAINING = `
  import fs from 'node:fs';
  import { createHash } from 'node:crypto';
  import { join } from 'node:path';
  import { syncBuiltinESMExports } from 'node:module';
  const [config, root, kept, states] = process.argv.slice(1);
  const entriesOf = new Map();
  const contentOf = new Map();
  const folders = new Set();
  const inode = (path) => fs.lstatSync(path).ino;

  /** As a list of paths and contents. */
  function survivors(folder, path) {
    const found = [];
    for (const [name, entry] of entriesOf.get(folder) ?? []) {
      const inside = join(path, name);
      if (folders.has(entry)) found.push([inside, null], ...survivors(entry, inside));
      else found.push([inside, contentOf.get(entry) ?? Buffer.alloc(0)]);
    }
    return found;
  }

  const seen = new Set();
  function writeDown() {
    const survived = survivors(inode(root), '');
    const hash = createHash('sha256');
    for (const [path, content] of survived) hash.update(path + '\\n').update(content ?? 'folder').update('\\n');
    const key = hash.digest('hex');
    if (seen.has(key)) return;
    const state = join(states, String(seen.size).padStart(3, '0'));
    seen.add(key);
    fs.mkdirSync(state);
    for (const [path, content] of survived) {
      if (content === null) fs.mkdirSync(join(state, path));
      else fs.writeFileSync(join(state, path), content);
    }
  }

  const { open, rename, rm, truncate, mkdir } = fs.promises;
  let files = 0;
  fs.promises.open = async (path, ...rest) => {
    if (!String(path).startsWith(root)) return open(path, ...rest);
    writeDown();
    const isNew = !fs.existsSync(path);
    const handle = await open(path, ...rest);
    // Nothing gets the number of a file that is gone.
    if (isNew) fs.linkSync(path, join(kept, String(files++)));
    const sync = handle.sync.bind(handle);
    handle.sync = async () => {
      writeDown();
      await sync();
      const number = inode(path);
      if (fs.statSync(path).isDirectory()) {
        folders.add(number);
        entriesOf.set(number, new Map(fs.readdirSync(path).filter((name) => !name.startsWith('lock')).map((name) => {
          const entry = inode(join(path, name));
          if (fs.statSync(join(path, name)).isDirectory()) folders.add(entry);
          return [name, entry];
        })));
      } else contentOf.set(number, fs.readFileSync(path));
      writeDown();
    };
    return handle;
  };
  const before = (work) => async (...args) => {
    writeDown();
    return work(...args);
  };
  Object.assign(fs.promises, { rename: before(rename), rm: before(rm), truncate: before(truncate), mkdir: before(mkdir) });
  syncBuiltinESMExports();
  const { train } = await import(dist + 'index.js');
  await train(JSON.parse(config), { folder: join(root, 'run') });
  writeDown();
`;

it('fault 41: wherever the power fails, the run goes on to the same bytes, or has not begun', {
  timeout: 300_000,
}, async () => {
  const folder = await temporaryFolder();
  const config = tableConfig(await writeTable(folder), { epochs: 3, batchSize: 32 });
  const [root, kept, states] = ['root', 'kept', 'states'].map((name) => join(folder, name));
  if (root === undefined || kept === undefined || states === undefined) throw new Error('internal');
  for (const made of [root, kept, states]) await mkdir(made);
  const { code, output } = await new Child(TRAINING, [JSON.stringify(config), root, kept, states]).ended();
  expect(code, output).toBe(0);
  await train(config, { folder: join(folder, 'whole') });
  const whole = await resultsOf(join(folder, 'whole'));
  expect(await resultsOf(join(root, 'run'))).toEqual(whole);

  const found = (await readdir(states)).sort();
  const begun = found.findIndex((state) => existsSync(join(states, state, 'run', 'config.json')));
  expect(begun).toBeGreaterThan(2);
  expect(found.length - begun).toBeGreaterThan(8);
  for (const [i, state] of found.entries()) {
    const run = join(states, state, 'run');
    if (i < begun) {
      const refusal: unknown = await resume(run).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(UserError);
      expect(String(refusal)).toContain(`${run} is not a run: there is no config.json in it`);
    } else {
      await resume(run);
      expect(await resultsOf(run), state).toEqual(whole);
    }
  }
  // At the end nothing hangs on luck any more.
  expect(existsSync(join(states, found.at(-1) ?? '', 'run', 'evaluation.json'))).toBe(true);
});
