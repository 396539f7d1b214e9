import { quoted } from 'evenhand/command-line';

/** What to type in a clone of the repository to run a command of ours: `npm run reproduce -- table1`. */
export function npmScript(command: string, ...words: readonly string[]): string {
  return ['npm', 'run', command, ...(words.length === 0 ? [] : ['--', ...words.map(quoted)])].join(' ');
}
