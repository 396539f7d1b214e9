import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { codeVersion } from 'evenhand';
import { expect, it } from 'vitest';
import { engineFingerprint } from '../../src/runs/engine-fingerprint.js';

it('the fingerprint of the engine is the same in another process, and computed once in this one', async () => {
  const here = engineFingerprint();
  expect(engineFingerprint()).toBe(here);
  expect(await here).toMatch(/^[0-9a-f]{16}$/);
  const script = "import { codeVersion } from 'evenhand'; console.log((await codeVersion()).engine);";
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  expect(stdout.trim()).toBe(await here);
});

it('the version of the code is the commit of the current folder, and that fingerprint', async () => {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  expect(await codeVersion()).toEqual({ gitCommit: commit, engine: await engineFingerprint() });
});
