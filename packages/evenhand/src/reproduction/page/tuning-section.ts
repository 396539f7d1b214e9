import type { Config } from '../../config/schema.js';
import { type Block, heading, type Panel, type Prose, paragraph, type Section } from './document.js';
import { counted, inPercent, points, rangeText } from './numbers.js';
import { type ResultRow, type Results, tableCells } from './results.js';
import { rowTitle } from './titles.js';
import { groupBy, hasRates, recipeIn, recipeText, type Trial, trialsOf } from './trials.js';
import { type TunedRates, tuningChart } from './tuning-chart.js';
import type { TuningLine } from './tuning-line.js';

/** What was searched and found, and how much depends on ε and μ. */
export function tuningSection({ tuning, tables }: Results): Section {
  // A row that was run at two scales is shown once.
  const rows = [...new Map(tables.flatMap((table) => table.rows).map((row) => [rowTitle(row), row])).values()];
  const linesOf = ({ setting, loss }: ResultRow) =>
    tuning.filter((line) => line.setting === setting.name && line.loss === loss);
  const untuned = rows.filter((row) => linesOf(row).length === 0).map(rowTitle);
  return {
    heading: 'Tuning',
    blocks: [
      paragraph(
        `${counted(tuning.length, 'tuning run')}. Recipes are compared with one-hot labels; a table uses one recipe for all ` +
          'of its methods. Only ε and μ are tuned for enhancement. All numbers are of validation images, which are drawn from the ' +
          'training part several times. There are few of them, so that accuracy is coarse: what counts is soft accuracy, ' +
          'the mean probability of the right class. The test accuracies of a few early runs with another recipe were known when the ' +
          'ranges of ε and μ were laid out; what is used was picked within them by validation images alone.',
      ),
      ...(untuned.length === 0 ? [] : [paragraph(`Without tuning runs: ${untuned.join('; ')}.`)]),
      ...rows.flatMap((row) => rowBlocks(row, linesOf(row))),
    ],
  };
}

function rowBlocks(row: ResultRow, lines: readonly TuningLine[]): Block[] {
  if (lines.length === 0) return [];
  const trials = trialsOf(lines);
  const used = tableCells(row, 'enhancement')[0]?.config;
  const oneHot = trials.filter(({ method }) => method.name === 'one-hot');
  const panels = ratePanels(row, trials, used);
  return [
    heading(rowTitle(row)),
    ...(oneHot.length === 0 ? [] : [recipeTable(row, oneHot, used)]),
    ...(panels.length === 0 ? [] : [{ kind: 'panels' as const, panels }]),
  ];
}

function recipeTable(row: ResultRow, oneHot: readonly Trial[], used: Config | undefined): Block {
  const usedText = used === undefined ? undefined : recipeText(recipeIn(used));
  return {
    kind: 'table',
    label: `Recipes tried with one-hot labels for ${rowTitle(row)}`,
    columns: [
      { name: 'learning rate' },
      { name: 'weight decay' },
      { name: 'batch' },
      { name: 'epochs' },
      { name: 'draws' },
      { name: 'soft accuracy' },
      { name: 'accuracy' },
      { name: 'in the tables', text: true },
    ],
    rows: [...oneHot]
      .sort((a, b) => b.mean - a.mean)
      .map(({ recipe, softAccuracies, accuracies }): Prose[] => [
        `${recipe.optimizer ?? 'sgd'} ${recipe.learningRate}`,
        String(recipe.weightDecay),
        String(recipe.batchSize),
        String(recipe.epochs),
        String(softAccuracies.length),
        inPercent(softAccuracies),
        inPercent(accuracies),
        recipeText(recipe) === usedText ? 'used' : '',
      ]),
  };
}

/** A heat map for every method and recipe of which more than one pair of ε and μ was tried. */
function ratePanels(row: ResultRow, trials: readonly Trial[], used: Config | undefined): Panel[] {
  const encoded = trials.filter(
    ({ method }) => method.enhancementRate !== undefined && method.updatingRate !== undefined,
  );
  const groups = groupBy(encoded, ({ method, recipe }) => `${method.name}, ${recipeText(recipe)}`);
  return groups
    .filter(({ length }) => length > 1)
    .flatMap((group, place): Panel[] => {
      const [first] = group;
      if (first === undefined) return [];
      const { recipe, method } = first;
      const found = group.map(({ method: { enhancementRate = 0, updatingRate = 0 }, mean }): TunedRates => {
        const isUsed =
          used !== undefined && method.name === 'enhancement' && hasRates(used, enhancementRate, updatingRate);
        return { enhancementRate, updatingRate, softAccuracy: mean, used: isUsed };
      });
      const baseline = trials.find(
        (trial) => trial.method.name === 'one-hot' && recipeText(trial.recipe) === recipeText(recipe),
      );
      const title = `${rowTitle(row)}: ${method.name}`;
      return [
        {
          file: ['tuning', row.setting.name, row.loss, ...(place === 0 ? [] : [String(place + 1)])].join('-'),
          title,
          chart: tuningChart(`Validation soft accuracy over ε and μ, ${title}`, found),
          caption:
            `Validation soft accuracy in per cent, mean over ${rangeText(group.map(({ softAccuracies }) => softAccuracies.length))} draws; ` +
            `${recipeText(recipe)}.` +
            (baseline === undefined ? '' : ` One-hot with this recipe: ${points(100 * baseline.mean)}.`) +
            (found.some((one) => one.used) ? ' The frame marks what the tables use.' : ''),
        },
      ];
    });
}
