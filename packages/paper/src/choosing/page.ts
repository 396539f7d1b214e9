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

Every way of dealing with imbalance is a \`--method\` of \`evenhand train\`; [the command line](cli.md#methods) says in a sentence what each does. This page puts them beside each other.
If in doubt, leave \`--method\` out: the default is logit adjustment, for tables and images. To see what is best on your data, let them compete on several splits of it:

\`\`\`sh
npx evenhand train fraud.csv --target class --method logit-adjustment,smote,inverse-frequency --splits 5
\`\`\`

${flowChart(measured)}

## All methods

${methodTable(measured)}
${missing(measured)}
**Changes**: what differs from plain training. *Labels*: the rows of numbers that the network is to answer with. *Weights*: how much an instance counts. *Logits*: what is added to them
inside the loss, or the loss itself. *Rows*: which rows are learned from. *Answers*: what is made of the probabilities afterwards.

**Needs**: *measuring* methods look at instances that the network does not learn from: all of them out of fold with folds, some that are held out without. *Tables* are needed by methods that
measure distances between rows. *Trees* (\`--model trees\`) are needed by ensembles that go by rounds of boosting; here they are measured with boosted trees in the same folds, not with the networks of
the others. All but one-hot labels and the measuring methods count the classes.

**Cost**: seconds of the processor to train on the tables, one-hot labels being 1. Over-sampling makes epochs longer, under-sampling shorter.

**Tables**: mean balanced accuracy on the [seven tables](tables.md), and in brackets the mean of the method's ranks on them, 1 being the best. A pack of four small networks for each, with the
defaults of every method, answers fitted out of fold, and everything else equal. Answers that are fitted make up for much of what a method does to the shares of the classes: without folds the
differences are larger.

**MNIST**: top-1 on the balanced test images after training on a long tail, and the rank. Every method gets the same images; see [on an equal budget](method.md#on-an-equal-budget).

Nothing was tuned here: every method has its defaults, which are those of its authors where they give any.

## Again

With the tables in \`$EVENHAND_DATA/tabular\`; what has a line in \`results\` is not computed again:

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
  const { measures = false, tablesOnly = false, treesOnly = false } = methods[name];
  const needs = [...(measures ? ['measuring'] : []), ...(treesOnly ? ['trees'] : tablesOnly ? ['tables'] : [])];
  return needs.length === 0 ? NONE : needs.join(', ');
}

function standing(own: Standing | null, text: (mean: number) => string, digits: number): string {
  return own === null ? 'not yet' : `${text(own.mean)} (${own.rank.toFixed(digits)})`;
}

/** What the reader has to know of results that are not there. */
function missing({ folds, allFolds, withoutFolds, runs, allRuns, withoutRuns }: MeasuredMethods): string {
  const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  const sentences = [
    ...(folds < allFolds ? [`the tables are of the ${folds} of ${allFolds} folds that all these methods have`] : []),
    ...(withoutFolds.length > 0 ? [`not on tables yet: ${listed(withoutFolds)}`] : []),
    ...(runs < allRuns ? [`MNIST is of the ${runs} of ${allRuns} draws and seeds that all these methods have`] : []),
    ...(withoutRuns.length > 0 ? [`not on MNIST yet: ${listed(withoutRuns)}`] : []),
  ];
  return sentences.length === 0 ? '' : `\n**Preliminary:** ${sentences.join('; ')}.\n`;
}
