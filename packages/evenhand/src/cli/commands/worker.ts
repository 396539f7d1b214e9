import type { Command } from 'commander';
import { runWorker } from '../../queue/worker.js';
import { UserError } from '../../user-error.js';
import { counted } from '../../wording/numbers.js';
import { countOf } from '../options/checked-words.js';
import { addExamples, addOutputOptions, terminalOf, textOf, valuesOf } from '../options/define-command.js';
import { addQueueOption, endSoon, requireQueue } from '../options/queue-options.js';
import { interruptible } from '../terminal/interruptible.js';

/** `evenhand worker`. */
export function defineWorker(command: Command): Command {
  addQueueOption(
    addExamples(command, [
      'worker --queue redis://queue.example:6379 --processes 4',
      'worker --queue postgres://evenhand@queue.example/evenhand --once',
    ]),
    'where to take trials from',
  )
    .option('--processes <number>', 'number of trials at once, each with its own number of threads (default 1)')
    .option('--once', 'end after one trial, for batch systems')
    .option('--idle <seconds>', 'end after this many seconds without a trial (default: keep waiting)')
    .option('--mixed', 'take trials from coordinators that were started with --mixed')
    .option(
      '--lock <seconds>',
      'seconds without a sign of life after which its trials go to other workers (default 60)',
    )
    .option('--upload-every <seconds>', 'seconds between two uploads of a checkpoint (default 120)')
    .option('--cache-size <gigabytes>', 'how much data to keep on this machine (default 10)')
    .option(
      '--patience <seconds>',
      'how long to wait for a coordinator that serves the data and is away (default 600)',
    );
  return addOutputOptions(command).action(async () => {
    const terminal = terminalOf(command);
    const numbers = {
      processes: countOf(command, '--processes', MOST_PROCESSES),
      idleSeconds: countOf(command, '--idle'),
      lockSeconds: countOf(command, '--lock'),
      uploadSeconds: countOf(command, '--upload-every'),
      patienceSeconds: countOf(command, '--patience'),
      cacheBytes: cacheBytes(textOf(command, 'cacheSize')),
    };
    const { once, mixed } = valuesOf(command);
    const url = requireQueue(command);
    const outcome = await interruptible(
      terminal,
      async (signal) => {
        const done = await runWorker({
          url,
          once: once === true,
          mixed: mixed === true,
          signal,
          onLine: (line) => terminal.note(line),
          ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined)),
        });
        signal.throwIfAborted();
        return done;
      },
      () => 'interrupted; what was being trained is at a checkpoint, for other workers',
    ).finally(endSoon);
    terminal.json(outcome);
    if (once === true && outcome.failed > 0)
      throw new UserError(`${counted(outcome.failed, 'trial')} failed; the lines above say why`);
  });
}

const MOST_PROCESSES = 1024;

function cacheBytes(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const gigabytes = Number(text);
  if (gigabytes > 0 && Number.isFinite(gigabytes)) return 1e9 * gigabytes;
  throw new UserError(`--cache-size is "${text}"; expected gigabytes, such as 0.5 or 20`);
}
