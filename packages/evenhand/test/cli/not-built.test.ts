import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { MAIN } from './evenhand.js';

it('the command of a clone that is not built says in one line what to run, and exits with 1', async () => {
  const clone = await mkdtemp(join(tmpdir(), 'evenhand-clone-'));
  onTestFinished(() => rm(clone, { recursive: true }));
  await mkdir(join(clone, 'bin'));
  const command = join(clone, 'bin/evenhand.mjs'); // no package.json here says that it is a module
  await copyFile(MAIN, command);
  const ending = await new Promise((resolve) => {
    execFile(process.execPath, [command, '--help'], (error, stdout, stderr) =>
      resolve({ code: error?.code, stdout, stderr }),
    );
  });
  expect(ending).toEqual({
    code: 1,
    stdout: '',
    stderr: 'evenhand: it is not built yet; run "npm run build" first\n',
  });
});
