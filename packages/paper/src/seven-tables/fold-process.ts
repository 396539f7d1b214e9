// Learns one fold, told as JSON on the command line, and prints what was measured as JSON.
import { UserError } from 'evenhand';
import { learnFold } from './fold-job.js';

try {
  process.stdout.write(JSON.stringify(await learnFold(JSON.parse(process.argv[2] ?? ''))));
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  process.stderr.write(error.message);
  process.exitCode = 1;
}
