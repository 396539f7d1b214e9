import { runCommandLine } from './run-command-line.js';

// `evenhand predict … | head` ends when its reader does: that is no fault.
process.stdout.on('error', (error: Error & { readonly code?: string }) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

// No process.exit: what was written to a pipe has yet to arrive.
process.exitCode = await runCommandLine(process.argv.slice(2));
