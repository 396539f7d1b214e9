import { join } from 'node:path';
import { sweep, UserError } from 'evenhand';
import {
  addCoordinatorOptions,
  addExamples,
  addOutputOptions,
  countOf,
  type DefineCommand,
  formatTable,
  givenSearch,
  interruptible,
  oneOf,
  printable,
  SweepDisplay,
  showSweep,
  sweepAsJson,
  terminalOf,
  textOf,
  valuesOf,
  withQueue,
} from 'evenhand/command-line';
import { NONE, writeSweepPage } from 'evenhand/report';
import { npmScript } from '../npm-script.js';
import { spreadInPercent } from '../numbers.js';
import { requireData } from '../runner/require-data.js';
import { SCALES } from '../tables/recipes.js';
import { rowTuning } from '../tables/row-tuning.js';
import { type HeldOutTuning, runHeldOut } from '../tuning/run-held-out.js';
import { recipeText, trialsOf } from '../tuning/trials.js';
import { methodOf } from './method-name.js';

/** `evenhand-paper tune`. */
export const defineTune: DefineCommand = (command) => {
  addExamples(
    command,
    [
      'long-tail/ce --search method.enhancementRate=1,3,10 --search method.updatingRate=0.1,0.3',
      'cifar10-lt/ce --held-out 0.2 --results results/tuning/table2.jsonl --search method.enhancementRate=0.1,0.3,1',
      'even/fl --method one-hot --search optimizer.learningRate=log:1e-3..1e-2 --search epochs=10,20,30',
    ],
    'npm run tune --',
  )
    .argument('<row>', 'a row of a table: long-tail/ce, cifar10-lt/mse …')
    .option(
      '--search <option=values>',
      'what to search: a list 1,3,10, a range 10..60 or log:1e-3..0.3, or a JSON file of these (may be repeated)',
      (search: string, before: readonly string[] = []) => [...before, search],
    )
    .option('--method <name>', 'the method that is trained; one-hot to compare recipes', 'enhancement')
    .option('--scale <scale>', 'paper or cpu: whose recipe is changed', 'cpu')
    .option(
      '--validation-per-class <number>',
      "held-out training images of every class that trials are compared by, instead of the row's; at most half of a class",
    )
    .option(
      '--held-out <share>',
      'compare by this share of each class of the training images, which neither training nor the method sees, instead of by validation images; needs --results',
    )
    .option('--results <file>', 'with --held-out: where one line per run goes; what has a line is not trained again')
    .option('--draws <number>', 'validation sets and seeds that every trial is trained with', '5')
    .option('--folder <folder>', 'where it goes; if the same is there, it goes on (default: a folder in runs/tuning/)')
    .option('--processes <number>', 'how many train at once (default: as many as cores)');
  addCoordinatorOptions(command);
  return addOutputOptions(command).action(async (row: string) => {
    const terminal = terminalOf(command);
    const { search } = valuesOf(command);
    const validationPerClass = countOf(command, '--validation-per-class');
    const { cell, definition } = rowTuning(row, {
      method: methodOf('--method', textOf(command, 'method') ?? ''),
      scale: oneOf('--scale', textOf(command, 'scale') ?? '', SCALES),
      search: await givenSearch(Array.isArray(search) ? search.map(String) : []),
      draws: countOf(command, '--draws') ?? 1,
      ...(validationPerClass === undefined ? {} : { validationPerClass }),
    });
    await requireData([cell]);
    const share = textOf(command, 'heldOut');
    if (share !== undefined) return tuneHeldOut(command, { cell, definition, share: shareOf(share) });
    const folder = textOf(command, 'folder') ?? join('runs', 'tuning', row.replaceAll('/', '-'));
    const processes = countOf(command, '--processes');
    const display = new SweepDisplay(terminal, definition);
    const result = await interruptible(
      terminal,
      (signal) =>
        withQueue(command, terminal, folder, (executor) =>
          sweep(definition, {
            folder,
            signal,
            onEvent: (event) => display.onEvent(event),
            ...(executor === undefined ? {} : { executor }),
            ...(processes === undefined ? {} : { processes }),
          }),
        ),
      () =>
        `interrupted; ${display.judged} of ${definition.trials} trials have results, in ${printable(folder)}. Continue with:\n` +
        `  ${printable(npmScript('tune', ...process.argv.slice(3)))}`,
    );
    display.end();
    const page = await writeSweepPage(result);
    showSweep(terminal, result, page);
    terminal.json(sweepAsJson(result, page));
  });
};

/** Trains every combination and shows them, the best first. */
async function tuneHeldOut(command: Parameters<DefineCommand>[0], tuning: HeldOutTuning): Promise<void> {
  const terminal = terminalOf(command);
  const results = textOf(command, 'results');
  if (textOf(command, 'queue') !== undefined)
    throw new UserError('--queue: with --held-out, runs are trained on this machine; leave one of the two out');
  if (results === undefined) throw new UserError('--results is missing; with --held-out, expected a file for the runs');
  const lines = await interruptible(
    terminal,
    (signal) =>
      runHeldOut(results, tuning, {
        processes: countOf(command, '--processes') ?? 1,
        signal,
        onProgress: (text) => terminal.note(text),
      }),
    () => `interrupted; continue with:\n  ${printable(npmScript('tune', ...process.argv.slice(3)))}`,
  );
  const trials = trialsOf(lines).sort((a, b) => b.score - a.score);
  const columns = ['method', 'ε', 'μ', 'recipe', 'draws', 'accuracy, %'].map((title) => ({ title }));
  const rows = trials.map(({ method, recipe, accuracies }) => [
    method.name,
    String(method.enhancementRate ?? NONE),
    String(method.updatingRate ?? NONE),
    recipeText(recipe),
    String(accuracies.length),
    spreadInPercent(accuracies),
  ]);
  terminal.say('Mean accuracy over classes on held-out training images: mean ± deviation over draws');
  terminal.say(formatTable(columns, rows));
  terminal.say(`  results  ${printable(results)}`);
  terminal.json({ results, trials });
}

function shareOf(text: string): number {
  const share = Number(text);
  if (share > 0 && share < 1) return share;
  throw new UserError(`--held-out is "${text}"; expected a share between 0 and 1, such as 0.2`);
}
