import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from 'evenhand';
import type { Story } from './stories.js';

/** Where the scripts are in a clone. */
const SCRIPTS = join('examples', 'gallery');

/** Where a story's files go: all of them, and what it came to. */
export interface StoryFolders {
  readonly out: string;
  readonly results: string;
}

/** Runs the script of a story, which says on its own what it does. */
export async function tellStory(story: Story, { out, results }: StoryFolders, signal: AbortSignal): Promise<void> {
  const script = join(SCRIPTS, `${story}.mjs`);
  if (!existsSync(script)) throw new UserError(`there is no ${script} here; run this in a clone of the repository`);
  const words = [script, '--out', out, '--results', results];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'inherit', 'inherit'] });
  const stop = () => child.kill();
  signal.addEventListener('abort', stop);
  try {
    const [code] = await once(child, 'close');
    signal.throwIfAborted();
    if (code !== 0) throw new UserError(`${script} ended with exit code ${code}; what it said is above`);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
