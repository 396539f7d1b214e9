import type { Config } from 'evenhand/config';
import { counted, countedRange, NONE } from 'evenhand/report';
import { points, spreadInPercent } from '../numbers.js';
import type { TuningLine } from '../results/tuning-line.js';
import { groupBy, hasRates, recipeIn, recipeText, type Trial, trialsOf } from '../tuning/trials.js';
import { type Block, type Panel, type Prose, paragraph, type Section, heading as subHeading } from './document.js';
import type { ResultRow, Results } from './results.js';
import { rowConfig } from './row-config.js';
import { rowTitle } from './titles.js';
import { type TunedRates, tuningChart } from './tuning-chart.js';

/** What was searched and found, and how much depends on ε and μ. */
export function tuningSection({ tuning, tables }: Results): Section {
  // A row that was run at two scales is shown once.
  const rows = [
    ...new Map(
      tables.flatMap((table) => table.rows.map((row) => [rowTitle(row), { row, used: rowConfig(table, row) }])),
    ).values(),
  ];
  const linesOf = ({ setting, loss }: ResultRow) =>
    tuning.filter((line) => line.setting === setting.name && line.loss === loss);
  const untuned = rows.filter(({ row }) => linesOf(row).length === 0).map(({ row }) => rowTitle(row));
  const heading = 'Tuning';
  if (tuning.length === 0) return { heading, blocks: [paragraph('There are no tuning runs among these results.')] };
  return {
    heading,
    blocks: [
      paragraph(
        `${counted(tuning.length, 'tuning run')}. Recipes are compared with one-hot labels, and a row of a table uses one recipe for ` +
          'all methods. Only ε and μ are tuned for enhancement. Every number is measured on images from the training set, most of them over several ' +
          'draws. There are few validation images, so accuracy on them is coarse, and we compare by soft accuracy, the mean probability ' +
          'of the true class. But enhancement learns from these very images and makes networks more confident, which soft ' +
          'accuracy rewards. So where every class can spare some, runs were measured on held-out images that neither training nor the method saw (100 per class of MNIST ' +
          'with even classes reduced, a fifth of each class elsewhere), by the mean accuracy over classes.',
      ),
      paragraph(
        'What Table 1 uses was chosen by these runs alone, some of it over more draws than what it was compared with. But test accuracies ' +
          'influenced what was tried. Those of a few early runs suggested the ranges of ε and μ. Those of a whole long-tailed table without augmentation ' +
          '(results/unmoved), whose focal loss fell short of the paper’s, suggested random shifts. Those of MNIST with even classes reduced, ' +
          'where enhancement and one-hot did equally well, led to the runs there with ε of 10 and more and of 0.1 and less, and to most of the recipes with focal loss.',
      ),
      ...(untuned.length === 0 ? [] : [paragraph(`Not tuned: ${untuned.join('; ')}.`)]),
      ...rows.flatMap(({ row, used }) => rowBlocks(row, used, linesOf(row))),
    ],
  };
}

function rowBlocks(row: ResultRow, used: Config, lines: readonly TuningLine[]): Block[] {
  if (lines.length === 0) return [];
  const trials = trialsOf(lines);
  const oneHot = trials.filter(({ method }) => method.name === 'one-hot');
  const panels = ratePanels(row, trials, used);
  return [
    subHeading(rowTitle(row)),
    ...(oneHot.length === 0 ? [] : [recipeTable(row, oneHot, used)]),
    ...(panels.length === 0 ? [] : [{ kind: 'panels' as const, panels }]),
  ];
}

function recipeTable(row: ResultRow, oneHot: readonly Trial[], used: Config): Block {
  const usedText = recipeText(recipeIn(used));
  return {
    kind: 'table',
    label: `Recipes tried with one-hot labels for ${rowTitle(row)}`,
    columns: [
      { name: 'learning rate' },
      { name: 'weight decay' },
      { name: 'batch' },
      { name: 'epochs' },
      { name: 'shifts' },
      { name: 'images', text: true },
      { name: 'draws' },
      { name: 'soft accuracy' },
      { name: 'accuracy' },
      { name: 'in the tables', text: true },
    ],
    rows: [...oneHot]
      .sort((a, b) => b.images.localeCompare(a.images) || b.score - a.score)
      .map(({ recipe, images, softAccuracies, accuracies }): Prose[] => [
        `${recipe.optimizer ?? 'sgd'} ${recipe.learningRate}`,
        String(recipe.weightDecay),
        String(recipe.batchSize),
        String(recipe.epochs),
        recipe.padding === undefined ? NONE : `${recipe.padding} px`,
        images,
        String(accuracies.length),
        softAccuracies.length === 0 ? NONE : spreadInPercent(softAccuracies),
        spreadInPercent(accuracies),
        recipeText(recipe) === usedText ? 'used' : '',
      ]),
  };
}

/** A heat map for every method and recipe of which more than one pair of ε and μ was tried. */
function ratePanels(row: ResultRow, trials: readonly Trial[], used: Config): Panel[] {
  const encoded = trials.filter(
    ({ method }) => typeof method.enhancementRate === 'number' && typeof method.updatingRate === 'number',
  );
  const groups = groupBy(encoded, ({ method, recipe, images }) => `${method.name}, ${images}, ${recipeText(recipe)}`);
  return groups
    .filter(({ length }) => length > 1)
    .flatMap((group, index): Panel[] => {
      const [first] = group;
      if (first === undefined) return [];
      const { recipe, method, images } = first;
      const isUsedRecipe = recipeText(recipeIn(used)) === recipeText(recipe);
      const found = group.map(({ method: rates, score }): TunedRates => {
        const [enhancementRate, updatingRate] = [Number(rates.enhancementRate), Number(rates.updatingRate)];
        const isUsed = isUsedRecipe && method.name === 'enhancement' && hasRates(used, enhancementRate, updatingRate);
        return { enhancementRate, updatingRate, score, used: isUsed };
      });
      const baseline = trials.find(
        (trial) =>
          trial.method.name === 'one-hot' && trial.images === images && recipeText(trial.recipe) === recipeText(recipe),
      );
      const measure = images === 'validation' ? 'Validation soft accuracy' : 'Accuracy on held-out images';
      const title = `${rowTitle(row)}: ${method.name}`;
      return [
        {
          file: ['tuning', row.setting.name, row.loss, ...(index === 0 ? [] : [String(index + 1)])].join('-'),
          title,
          chart: tuningChart(`${measure} over ε and μ, ${title}`, found),
          caption:
            `${measure} in per cent, mean over ${countedRange(
              group.map(({ accuracies }) => accuracies.length),
              'draw',
            )}; ` +
            `${recipeText(recipe)}.` +
            (baseline === undefined
              ? ''
              : ` One-hot with this recipe: ${points(100 * baseline.score)} (${counted(baseline.accuracies.length, 'draw')}).`) +
            (found.some((one) => one.used) ? ' The frame marks what the tables use.' : ''),
        },
      ];
    });
}
