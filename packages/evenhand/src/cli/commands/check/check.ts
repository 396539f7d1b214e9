import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { at } from '../../../checked-access.js';
import type { Config } from '../../../config/schema.js';
import { bySize } from '../../../dataset/class-order.js';
import { hasTooManyClasses } from '../../../dataset/many-classes.js';
import { fileName, STANDARD_INPUT } from '../../../files/standard-input.js';
import { isTable } from '../../../sources/open-source.js';
import { commandLine } from '../../../wording/command-line.js';
import { count } from '../../../wording/numbers.js';
import { addExamples, addOutputOptions, terminalOf, textOf, valuesOf } from '../../options/define-command.js';
import { givenConfig } from '../../options/given-config.js';
import { addConfigOptions } from '../../options/options-from-schema.js';
import type { CommandContext } from '../../program.js';
import { formatTable } from '../../terminal/table.js';
import type { Terminal } from '../../terminal/terminal.js';
import { printable } from '../../terminal/text.js';
import { configsOf } from '../train/plan-runs.js';
import { type CheckedColumn, checkColumns, checkData, type DataCheck, likelyTargets } from './data-check.js';
import { asTyped, givenReadingFlags, readingFlags } from './reading-flags.js';

/** Of very many classes, how many of the commonest and of the rarest are shown. */
const SHOWN = 20;

/** `evenhand check`. */
export function defineCheck(command: Command, { onProblems }: CommandContext): Command {
  addExamples(command, ['check fraud.csv', 'check fraud.csv --target class', 'check photos/ --json']).argument(
    '[data]',
    'a CSV, TSV, JSON lines or Parquet file (- is stdin), a folder of images, or the name of a known data set',
  );
  addOutputOptions(addConfigOptions(command));
  return command.action(async (data: string | undefined) => {
    const terminal = terminalOf(command);
    const given = await givenConfig(data, valuesOf(command));
    const config = at(configsOf(given, textOf(command, 'method')), 0);
    const { source, target } = config.data;
    if (target === undefined && isTable(source) && (source === STANDARD_INPUT || existsSync(source))) {
      await showColumns(terminal, config.data);
      return;
    }
    const onProgress = (done: number, total: number) => {
      if (terminal.isLive) terminal.replaceLine(`reading images  ${count(done)} of ${count(total)}`);
    };
    const checked = await checkData(config, onProgress);
    showCheck(terminal, config, checked);
    terminal.json(asJson(config, checked));
    if (checked.problems.length > 0) onProblems();
  });
}

async function showColumns(terminal: Terminal, data: Config['data']): Promise<void> {
  const { source } = data;
  const found = await checkColumns(data);
  const targets = likelyTargets(found);
  terminal.say(
    `${printable(source === STANDARD_INPUT ? fileName(source) : source)}: ${count(found.rows)} rows, ${count(found.columns.length)} columns\n`,
  );
  terminal.say(columnTable(terminal, found.columns));
  if (found.notes.length > 0) terminal.say();
  for (const note of found.notes) terminal.say(`note: ${note}`);
  const [first = 'COLUMN'] = targets;
  const features = found.columns.filter(({ name }) => name !== first);
  const flags = readingFlags(data, features, found.writing);
  sayFlags(terminal, flags);
  terminal.say(
    `\nWhich column holds the classes?${targets.length > 0 ? ` Perhaps ${printable(targets.slice(0, 3).join(', '))}.` : ''}`,
  );
  terminal.say(`Next: ${printable(commandLine('check', source, '--target', first, ...givenReadingFlags(data)))}`);
  terminal.json({
    source,
    rows: found.rows,
    columns: found.columns,
    likelyTargets: targets,
    flags,
    notes: found.notes,
  });
}

function sayFlags(terminal: Terminal, flags: readonly string[]): void {
  terminal.say('\nFlags for the same types, to copy and change (types: numeric, categorical, date, text):');
  terminal.say(`  ${printable(asTyped(flags))}`);
}

function columnTable(terminal: Terminal, columns: readonly CheckedColumn[]): string {
  const rows = columns.map(({ name, kind, missing, distinct, used }) => [
    name,
    kind,
    count(missing),
    count(distinct),
    used ? '' : 'left out',
  ]);
  const titles = [
    { title: 'column', align: 'left' },
    { title: 'type', align: 'left' },
    { title: 'missing' },
    { title: 'distinct' },
    { title: '', align: 'left' },
  ] as const;
  return formatTable(titles, rows, (title) => terminal.style('bold', title));
}

function showCheck(terminal: Terminal, config: Config, checked: DataCheck): void {
  const { dataset, columns, duplicates, notes, problems } = checked;
  const { source, target } = config.data;
  const instances = count(dataset.labels.length);
  const size = dataset.kind === 'table' ? `${instances} rows` : `${instances} images of ${dataset.shape.join(' × ')}`;
  terminal.say(
    `${printable(dataset.name)}: ${size}, ${dataset.classNames.length} classes, ${count(duplicates)} duplicates\n`,
  );
  if (columns.length > 0) terminal.say(`${columnTable(terminal, columns)}\n`);
  terminal.say(classTable(terminal, checked));
  terminal.say(`\n${plannedTraining(config)}`);
  for (const note of notes) terminal.say(`note: ${note}`);
  if (dataset.kind === 'table') sayFlags(terminal, readingFlags(config.data, columns, dataset.writing));
  for (const problem of problems) terminal.say(`${terminal.style('red', 'Training would refuse this:')} ${problem}`);
  if (problems.length > 0) return;
  const options = target === undefined ? [] : ['--target', target, ...givenReadingFlags(config.data)];
  terminal.say(`\nNext: ${printable(commandLine('train', source, ...options))}`);
}

/** What training would do, in a sentence. */
function plannedTraining({ model, portfolio, folds, method, loss, epochs }: Config): string {
  const how = `the method ${method.name} and the loss ${loss.name}, for ${epochs} epochs`;
  if (portfolio === undefined) return `Training would use the model ${model.name}, ${how}.`;
  const names = portfolio.map(({ name }) => name);
  return (
    `Training would mix ${names.length === 1 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`}, ${folds} models each, every one leaving out ` +
    `a fold of the training rows, with ${how} at the most.`
  );
}

function classTable(terminal: Terminal, { dataset, counts, split }: DataCheck): string {
  const order = bySize(counts);
  // With folds nothing is set aside to validate.
  const measures = split?.validation.some((instances) => instances > 0) ?? true;
  const shown = measures ? (['training', 'validation', 'test'] as const) : (['training', 'test'] as const);
  const isCut = hasTooManyClasses(order.length);
  const rows = (isCut ? [...order.slice(0, SHOWN), ...order.slice(-SHOWN)] : order).map((p) => {
    const parts = shown.map((part) => (split === null ? '–' : count(at(split[part], p))));
    return [at(dataset.classNames, p), count(at(counts, p)), ...parts];
  });
  const numbers = ['all', ...shown].map((title) => ({ title }));
  const table = formatTable([{ title: 'class', align: 'left' }, ...numbers], rows, (title) =>
    terminal.style('bold', title),
  );
  const hidden = count(order.length - rows.length);
  return isCut
    ? `${table}\n  The ${SHOWN} commonest and the ${SHOWN} rarest; --json has the other ${hidden} too.`
    : table;
}

function asJson(config: Config, { dataset, columns, counts, duplicates, split, notes, problems }: DataCheck): object {
  return {
    source: config.data.source,
    kind: dataset.kind,
    instances: dataset.labels.length,
    columns,
    duplicates,
    classes: dataset.classNames.map((name, p) => ({
      name,
      all: at(counts, p),
      training: split?.training[p] ?? null,
      validation: split?.validation[p] ?? null,
      test: split?.test[p] ?? null,
    })),
    training: { model: config.model.name, method: config.method.name, loss: config.loss.name, epochs: config.epochs },
    ...(dataset.kind === 'table' ? { flags: readingFlags(config.data, columns, dataset.writing) } : {}),
    notes,
    problems,
  };
}
