import { methods } from 'evenhand/config';
import { writeAtomically } from 'evenhand/files';
import { NONE } from 'evenhand/report';
import { markdownTable } from '../documents/markdown-table.js';
import { type RunLine, readRunLines } from '../equal-budget/run-lines.js';
import { ComparisonTables } from '../seven-tables/comparison-tables.js';
import { type FoldResult, FoldResults } from '../seven-tables/fold-results.js';
import { methodFolds } from '../seven-tables/methods.js';
import { flowChart } from './flow-chart.js';
import { type MeasuredMethod, type MeasuredMethods, measureMethods, type Standing } from './measured-methods.js';

/** Where the runs on images are. */
const RUNS_ON_IMAGES = 'results/budget/mnist.jsonl';

/** What the terminal shows: means over the tables. */
export function methodsSection(lines: readonly FoldResult[]): string {
  return new ComparisonTables(new FoldResults(lines), methodFolds()).means();
}

/** Writes `docs/choosing.md` from the results that are there. */
export async function writeChoosingPage(file: string, lines: readonly FoldResult[]): Promise<void> {
  await writeAtomically(file, choosingPage(lines, await readRunLines(RUNS_ON_IMAGES)));
}

/** The page; it says which results are missing. */
export function choosingPage(foldLines: readonly FoldResult[], runLines: readonly RunLine[]): string {
  const measured = measureMethods(foldLines, runLines);
  return `# Which method?

<!-- Written by npm run tables -- --methods from results/tables/methods.jsonl and results/budget/mnist.jsonl: change those, not this page. -->

Every way of dealing with imbalance is a \`--method\` of \`evenhand train\`; [the command line](cli.md#methods) says in one sentence what each does. This page compares them.
If in doubt, leave \`--method\` out: the default is logit adjustment, for tables and images. To see what works best on your data, compare methods on several splits of it:

\`\`\`sh
npx evenhand train fraud.csv --target class --method logit-adjustment,smote,inverse-frequency --splits 5
\`\`\`

${flowChart(measured)}

## All methods

${methodTable(measured)}
${missing(measured)}
**Changes**: what differs from plain training. *Labels*: the target vectors of the loss. *Weights*: how much an instance counts. *Logits*: what is added to them
inside the loss, or the loss itself. *Rows*: which rows are trained on. *Answers*: how the probabilities are turned into answers afterwards.

**Needs**: *measuring* methods look at predictions for instances that the network is not trained on: with folds, all instances, out of fold; without folds, a few that are held out. *Tables*: the method needs
distances between rows, so it works only on tables. All methods except one-hot labels and the measuring methods use the class counts.

**Cost**: CPU time to train on the tables, relative to one-hot labels. Over-sampling makes epochs longer, under-sampling shorter.

**Tables**: mean balanced accuracy on the [seven tables](tables.md), and in brackets the mean of the method's ranks on them, 1 being the best. Each method trains a pack of four small networks with its own
defaults; answers are fitted out of fold, and everything else is equal. Fitting the answers evens out much of what a method does to the class frequencies: without folds the
differences are larger.

**MNIST**: top-1 accuracy on the balanced test images after training on a long tail, and the rank. Every method gets the same images; see [on an equal budget](method.md#on-an-equal-budget).

Nothing was tuned here: every method has its defaults, which are those of its authors where they name any.

## Reproduce it

With the tables in \`$EVENHAND_DATA/tabular\`; what already has a line in \`results\` is not computed again:

\`\`\`sh
npm run budget
npm run tables -- --methods
\`\`\`
`;
}

function methodTable({ methods: measured }: MeasuredMethods): string {
  const order = [...measured].sort((a, b) => (a.tables?.rank ?? Infinity) - (b.tables?.rank ?? Infinity));
  return markdownTable(
    ['method', 'changes', 'needs', 'cost', 'tables: balanced accuracy, % (rank)', 'MNIST: top-1, % (rank)', 'by'],
    order.map((method) => {
      const { name } = method;
      return [
        `\`${name}\``,
        methods[name].changes,
        needsOf(method),
        method.cost === null ? NONE : method.cost.toFixed(1),
        standing(method.tables, (mean) => (100 * mean).toFixed(1), 1),
        methods[name].tablesOnly === true ? 'not for images' : standing(method.images, (mean) => mean.toFixed(2), 0),
        methods[name].reference ?? '',
      ];
    }),
  );
}

function needsOf({ name }: MeasuredMethod): string {
  const { measures = false, tablesOnly = false } = methods[name];
  const needs = [...(measures ? ['measuring'] : []), ...(tablesOnly ? ['tables'] : [])];
  return needs.length === 0 ? NONE : needs.join(', ');
}

function standing(own: Standing | null, text: (mean: number) => string, digits: number): string {
  return own === null ? 'not yet' : `${text(own.mean)} (${own.rank.toFixed(digits)})`;
}

/** What the reader has to know of results that are not there. */
function missing({ folds, allFolds, withoutFolds, runs, allRuns, withoutRuns }: MeasuredMethods): string {
  const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  const sentences = [
    ...(folds < allFolds
      ? [`the numbers for tables are from the ${folds} of ${allFolds} folds for which all these methods have results`]
      : []),
    ...(withoutFolds.length > 0 ? [`not on tables yet: ${listed(withoutFolds)}`] : []),
    ...(runs < allRuns
      ? [`those for MNIST are from the ${runs} of ${allRuns} draws and seeds for which all these methods have results`]
      : []),
    ...(withoutRuns.length > 0 ? [`not on MNIST yet: ${listed(withoutRuns)}`] : []),
  ];
  return sentences.length === 0 ? '' : `\n**Preliminary:** ${sentences.join('; ')}.\n`;
}
