import { dirname } from 'node:path';
import type { Command } from 'commander';
import { inNewFolder } from '../../../files/claim-folder.js';
import { parseSweep, type SweepDefinition } from '../../../sweep/definition.js';
import { type SweepOptions, type SweepResult, sweep } from '../../../sweep/sweep.js';
import { isSweep, readSweep } from '../../../sweep/sweep-folder.js';
import { UserError } from '../../../user-error.js';
import { commandLine } from '../../../wording/command-line.js';
import { countOf } from '../../options/checked-words.js';
import { addExamples, addOutputOptions, terminalOf, textOf, valuesOf } from '../../options/define-command.js';
import { applySettings, type GivenConfig, givenConfig } from '../../options/given-config.js';
import { withKeptInput } from '../../options/kept-input.js';
import { addConfigOptions } from '../../options/options-from-schema.js';
import { addCoordinatorOptions, COORDINATOR_OPTIONS, withQueue } from '../../options/queue-options.js';
import { interruptible } from '../../terminal/interruptible.js';
import type { Terminal } from '../../terminal/terminal.js';
import { printable } from '../../terminal/text.js';
import { SweepDisplay } from './sweep-progress.js';
import { givenSearch } from './sweep-search.js';
import { showSweep, sweepAsJson } from './sweep-summary.js';

/** What may be said beside `--resume`. */
const BESIDE_RESUME = ['resume', 'processes', ...COORDINATOR_OPTIONS, 'json', 'quiet', 'debug'];

/** `evenhand sweep`. */
export function defineSweep(command: Command): Command {
  addExamples(command, [
    'sweep fraud.csv --target class --search optimizer.learningRate=log:1e-4..0.1 --search batchSize=32,128',
    'sweep fraud.csv --target class --search method.enhancementRate=1,3,10,30 --search method.updatingRate=0.1,0.3,1',
    'sweep --resume sweeps/fraud',
  ])
    .argument(
      '[data]',
      'a CSV, TSV, JSON lines or Parquet file (- is stdin), a folder of images, or the name of a known data set',
    )
    .option(
      '--search <option=values>',
      'what to search: a list 1,3,10, a range 10..60 or log:1e-3..0.3, or a JSON file of these (may be repeated)',
      (search: string, before: readonly string[] = []) => [...before, search],
    )
    .option(
      '--sampler <name>',
      'how values are chosen: tpe, random or grid (default: grid for few combinations, else tpe)',
    )
    .option('--trials <number>', 'number of trials (default 30; all combinations in a grid)')
    .option('--draws <number>', 'number of validation sets and seeds that every trial is trained with (default 3)')
    .option('--no-pruning', 'train every trial to its end')
    .option('--min-epochs <number>', 'smallest number of epochs before a trial is stopped (default 3)')
    .option('--ahead <number>', 'number of trials that are started before the result of the first is used (default 4)')
    .option(
      '--folder <folder>',
      'folder of the sweep; if the same sweep is there, it continues (default: a new one in sweeps/)',
    )
    .option('--processes <number>', 'number of trials trained at once (default: as many as cores)')
    .option('--resume <folder>', 'continue a sweep where it stopped');
  addCoordinatorOptions(command);
  addOutputOptions(addConfigOptions(command, 'several are searched: --search method.name=one-hot,enhancement'));
  return command.action(async (data: string | undefined) => {
    const terminal = terminalOf(command);
    const resumed = textOf(command, 'resume');
    if (resumed !== undefined) {
      const begun = await begunSweep(command, data, resumed);
      await sweepAndShow(command, begun, resumed);
      return;
    }
    const named = textOf(command, 'folder');
    const given = await givenSweep(command, data);
    await withKeptInput(
      terminal,
      given.config,
      named === undefined ? 'sweeps' : dirname(named),
      async (config, use) => {
        const definition = parseSweep({ ...given, config });
        const sweepIn = (folder: string) =>
          sweepAndShow(command, definition, folder).finally(() => use(isSweep(folder)));
        await (named === undefined
          ? inNewFolder({ parent: 'sweeps', source: sourceOf(definition) }, sweepIn)
          : sweepIn(named));
      },
    );
  });
}

async function sweepAndShow(command: Command, definition: SweepDefinition, folder: string): Promise<void> {
  const terminal = terminalOf(command);
  const processes = countOf(command, '--processes');
  await withQueue(command, terminal, folder, async (executor) => {
    const result = await sweepInTerminal(terminal, definition, {
      folder,
      ...(executor === undefined ? {} : { executor }),
      ...(processes === undefined ? {} : { processes }),
    });
    await show(terminal, result, executor?.notes ?? []);
  });
}

async function show(terminal: Terminal, result: SweepResult, notes: readonly string[]): Promise<void> {
  // Plots are drawn by large libraries, which other commands need not load.
  const { writeSweepPage } = await import('../../../sweep/page/write-sweep-page.js');
  const page = await writeSweepPage(result);
  showSweep(terminal, result, page);
  terminal.json({ ...sweepAsJson(result, page), ...(notes.length === 0 ? {} : { notes }) });
}

async function givenSweep(
  command: Command,
  data: string | undefined,
): Promise<{ readonly config: GivenConfig; readonly search: Record<string, unknown> }> {
  const values = valuesOf(command);
  if (values.threads !== undefined) {
    throw new UserError(
      '--threads: a sweep trains with one thread per process; choose the number of processes with --processes',
    );
  }
  const config = await givenConfig(data, values);
  if (typeof values.method === 'string') {
    if (values.method.includes(',')) {
      throw new UserError(`--method takes one name here; search several with --search method.name=${values.method}`);
    }
    applySettings(config, [`method.name=${values.method}`]);
  }
  const minEpochs = countOf(command, '--min-epochs');
  const pruning = values.pruning === false ? false : minEpochs === undefined ? undefined : { minEpochs };
  const given = {
    sampler: values.sampler,
    trials: countOf(command, '--trials'),
    draws: countOf(command, '--draws'),
    ahead: countOf(command, '--ahead'),
    pruning,
  };
  const defined = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const search = await givenSearch(Array.isArray(values.search) ? values.search.map(String) : []);
  return { config, search, ...defined };
}

async function begunSweep(command: Command, data: string | undefined, folder: string): Promise<SweepDefinition> {
  const other = command.options.find(
    (option) =>
      command.getOptionValueSource(option.attributeName()) === 'cli' && !BESIDE_RESUME.includes(option.attributeName()),
  );
  if (data !== undefined || other !== undefined) {
    throw new UserError(
      `--resume continues with the options that the sweep was started with; leave out ${other?.long ?? data}`,
    );
  }
  const definition = await readSweep(folder);
  if (definition !== undefined) return definition;
  throw new UserError(`${folder} is not a sweep: there is no sweep.json in it; expected a folder that sweep made`);
}

async function sweepInTerminal(
  terminal: Terminal,
  definition: SweepDefinition,
  options: Pick<SweepOptions, 'folder' | 'executor' | 'processes'>,
): Promise<SweepResult> {
  const display = new SweepDisplay(terminal, definition);
  const onEvent = display.onEvent.bind(display);
  const result = await interruptible(
    terminal,
    (signal) => sweep(definition, { ...options, signal, onEvent }),
    () =>
      `interrupted; ${display.judged} of ${definition.trials} trials have results, in ${printable(options.folder)}. Continue with:\n` +
      `  ${printable(commandLine('sweep', '--resume', options.folder))}`,
  );
  display.end();
  return result;
}

function sourceOf({ config: { data } }: SweepDefinition): string {
  return typeof data === 'object' && data !== null && 'source' in data ? String(data.source) : '';
}
