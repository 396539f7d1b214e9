import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { makeFolder } from '../../../files/make-folder.js';
import { prepareOutput } from '../../../files/output-file.js';
import { type FollowOptions, followStream, type ModelOutput } from '../../../stream/folder/follow-stream.js';
import { STREAM_FILES } from '../../../stream/folder/stream-files.js';
import type { StreamLearner } from '../../../stream/learner/stream-learner.js';
import { ROW_FORMATS } from '../../../stream/sources/row-formats.js';
import { UserError } from '../../../user-error.js';
import { commandLine } from '../../../wording/command-line.js';
import { counted } from '../../../wording/numbers.js';
import { countOf } from '../../options/checked-words.js';
import { addExamples, addOutputOptions, terminalOf, textOf, valuesOf } from '../../options/define-command.js';
import { interruptible } from '../../terminal/interruptible.js';
import { addLearnerFlags, givenKinds, givenLearnerOptions } from './stream-flags.js';
import { StreamDisplay } from './stream-progress.js';
import { sourceOf } from './stream-source-flags.js';

/** `evenhand stream`. */
export function defineStream(command: Command): Command {
  addExamples(command, [
    'stream events.ndjson --follow --target class --id id --folder streams/events --out answers.ndjson',
    'stream - --target class --folder streams/sensors < readings.csv > answers.ndjson',
    'stream events.ndjson --follow --target class --folder streams/events --export --export-every 1000',
    'stream redis://localhost:6379 --key events --follow --target class --id id --folder streams/events',
  ])
    .argument(
      '<source>',
      'rows as NDJSON or CSV: a file, or - for stdin; or redis://host:6379 or postgres://user@host/database',
    )
    .requiredOption('--folder <folder>', 'where state and log are kept; an existing stream continues where it stopped')
    .option('--follow', 'wait for more at the end of the file, or of what a server has')
    .option('--key <name>', 'the stream in Redis, or the table in PostgreSQL')
    .option('--position <column>', 'a column of the table whose value increases with every row (default id)')
    .option('--replayed', 'stdin begins at its first row again: pass over what has been learned from')
    .option('--format <name>', `${ROW_FORMATS.join(' or ')} (default: detected from the first line)`)
    .option('--out <file>', 'answers as JSON lines; - is stdout (default: stdout, unless it is a terminal)')
    .option(
      '--export [file]',
      'write the model with every checkpoint, at SIGUSR2, and at the end (default: model.onnx in the folder)',
    )
    .option('--export-every <rows>', 'rows between two exports (default: those between two checkpoints)')
    .option('--checkpoint-every <rows>', 'rows between two checkpoints (default 10000)')
    .option('--log-every <rows>', 'rows between two lines of metrics in the log (default 1000)')
    .option('--sample <rows>', 'first rows, from which column types are detected (default 100)')
    .option('--ignore <columns>', 'columns to leave out, separated by commas')
    .option(
      '--type <column=type>',
      'numeric, boolean or categorical, if the detected type is wrong (may be repeated)',
      collected,
    );
  addOutputOptions(addLearnerFlags(command));
  return command.action(async (path: string) => {
    const terminal = terminalOf(command);
    const options = givenLearnerOptions(command);
    const { folder, json } = valuesOf(command);
    if (typeof folder !== 'string') throw new Error('internal: --folder is no text');
    const { source, name, file } = sourceOf(command, path, options);
    const out = textOf(command, 'out');
    const inputs = file === undefined ? [] : [file];
    const answers = await answersTo(out ?? (json === true || process.stdout.isTTY === true ? undefined : '-'), inputs);
    const model = await modelOutput(command, folder, inputs);
    const display = new StreamDisplay(terminal);
    let last: StreamLearner | undefined;
    const result = await interruptible(
      terminal,
      (signal) =>
        followStream({
          folder,
          source,
          options,
          roles: { ignore: textOf(command, 'ignore')?.split(',') ?? [], kinds: givenKinds(command) },
          sample: countOf(command, '--sample') ?? 100,
          checkpointEvery: countOf(command, '--checkpoint-every') ?? 10_000,
          logEvery: countOf(command, '--log-every') ?? 1000,
          ...answers,
          ...(model === undefined ? {} : { model }),
          signal,
          onNote: (note) => terminal.note(`note: ${note}`),
          onProgress: (learner) => {
            last = learner;
            display.show(learner);
          },
        }),
      () =>
        `stopped at a checkpoint; to continue: ${commandLine('stream', name, '--target', options.target, '--folder', folder)}`,
    ).finally(() => last === undefined || display.end(last));
    if (result.damaged > 0) terminal.note(`note: ${counted(result.damaged, 'line')} left out: not a row`);
    terminal.json(result);
  });
}

/** Where the model goes, and when. */
async function modelOutput(
  command: Command,
  folder: string,
  inputs: readonly string[],
): Promise<ModelOutput | undefined> {
  const given = valuesOf(command).export;
  const every = countOf(command, '--export-every');
  if (given === undefined) {
    if (every === undefined) return undefined;
    throw new UserError('--export-every is given without --export; expected both, or neither');
  }
  const isNamed = typeof given === 'string';
  if (!isNamed) await makeFolder(folder);
  const write = await prepareOutput(isNamed ? given : join(folder, STREAM_FILES.model), inputs);
  return { write, every, onDemand: exportSignal() };
}

/** SIGUSR2, which Windows does not have, asks for a model. Before the stream is open it asks for nothing, and ends nothing. */
function exportSignal(): NonNullable<ModelOutput['onDemand']> {
  let demand: () => void = () => undefined;
  if (process.platform !== 'win32') process.on('SIGUSR2', () => demand());
  return (exportNow) => {
    demand = exportNow;
    return () => {
      demand = () => undefined;
    };
  };
}

/** Where answers go: to stdout, into a file that grows, or into a pipe or a device, which nothing can be cut off from. */
async function answersTo(
  out: string | undefined,
  inputs: readonly string[],
): Promise<Pick<FollowOptions, 'out' | 'onAnswers'>> {
  if (out === undefined) return {};
  if (out === '-') return { onAnswers: writeAnswers };
  const write = await prepareOutput(out, inputs);
  const there = await stat(out).catch(() => undefined);
  return there === undefined || there.isFile() ? { out } : { onAnswers: write };
}

/** Waits for whoever reads the answers. */
async function writeAnswers(lines: string): Promise<void> {
  if (lines !== '' && !process.stdout.write(lines)) await once(process.stdout, 'drain');
}

function collected(one: string, before: readonly string[] = []): string[] {
  return [...before, one];
}
