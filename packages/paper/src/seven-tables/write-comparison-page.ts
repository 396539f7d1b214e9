import { writeAtomically } from 'evenhand/files';
import { markdownTable } from '../documents/markdown-table.js';
import { ComparisonTables } from './comparison-tables.js';
import { OUR_LEARNER, variantHash } from './fold-job.js';
import { type FoldResult, FoldResults } from './fold-results.js';
import { FOLDS, REPEATS } from './folds.js';
import { PEERS } from './peers.js';
import { foldRange, keysOf } from './selection.js';
import { SEVEN_TABLES } from './tables.js';
import { verdicts } from './verdicts.js';

/** Writes `docs/tables.md` from the results that are there. */
export async function writeComparisonPage(file: string, lines: readonly FoldResult[]): Promise<void> {
  await writeAtomically(file, comparisonPage(lines));
}

/** The page; it says which results are missing. */
export function comparisonPage(lines: readonly FoldResult[]): string {
  const results = new FoldResults(lines);
  const tables = new ComparisonTables(results, keysOf(Object.keys(SEVEN_TABLES), REPEATS, foldRange()));
  const [versions] = lines.flatMap(({ version }) => version ?? []);
  return `# Seven tables, compared with scikit-learn and imbalanced-learn

<!-- Written by npm run tables from results/tables: change those, not this page. -->

Seven imbalanced tables. ${OUR_LEARNER} is told only the target. The results are from ${FOLDS}-fold cross-validation, repeated ${REPEATS} times, with the same folds for
all learners. Each number is the mean over the tables of the mean over
their ${FOLDS * REPEATS} test folds; in brackets is the mean rank among the learners shown, 1 being the best. The best of each column is bold.

${tables.means()}
${missing(results, tables)}
## In short

${verdicts(tables)}

## Table by table

${tables.byTable('balancedAccuracy')}

${tables.byTable('macroAveragePrecision')}

${tables.byTable('logLoss')}

## How it was measured

${dataTable()}

From the UCI Machine Learning Repository; mammography by Woods et al. 1993. They are not in this repository.

**Folds.** Stratified by class; a class with fewer rows than folds is spread over as many folds as it has rows. Identical rows are in the same
fold: mammography has one row 3,329 times, which fills a fold except for the rare class. Five classes of abalone have only
one row each, so they could not be learned when they are tested: all learners train on them, and none is tested on them.

**Metrics.** Balanced accuracy is the mean of the classes' recalls: a class with five rows counts as much as one with five thousand. F1 and
average precision (one class against the rest) are means over the classes as well. G-mean is the geometric mean of the recalls: 0 as
soon as one class is missed, as happens on every fold of abalone. These use the classes that occur in the test fold. Log-loss is the
mean of −ln p with p at least 1e-15; ECE is the expected calibration error of the likeliest class in 15 bins. Balanced accuracy, F1 and
G-mean are computed from the answers, the others from the probabilities. Those of ${OUR_LEARNER} are computed by \`@evenhand/encoding\`, the others by
scikit-learn; a test checks that both give the same numbers.

**Seconds** are CPU time for one fold, training and prediction, with one thread.

**Peers** (${versions ?? 'no results yet'}). ${libraryText('scikit-learn')}, of which these with \`class_weight="balanced"\`: ${weightedText()}.
${libraryText('imbalanced-learn')}. They have their own defaults, with these exceptions: logistic regression and MLPClassifier get up to 5,000 iterations; SMOTE uses fewer than its 5
neighbours if the rarest class has fewer, and where a class has only one row to learn from, rows are copied instead. Logistic regression, SVC and
MLPClassifier get standardised numbers and one-hot categories; the others get ordinal codes, which HistGradientBoosting is told are categories.
Missing numbers are replaced by medians, except for HistGradientBoosting, which handles them itself.

## What was tuned, and on which rows

${TUNED}

## Reproduce it

With the tables in \`$EVENHAND_DATA/tabular\`, and Debian's python3-sklearn, python3-imblearn and python3-pandas:

\`\`\`sh
npm run --silent tables -- --folds-for-peers > folds.jsonl
python3 packages/paper/scripts/peers.py --folds folds.jsonl --tables-folder "$EVENHAND_DATA/tabular" --results results/tables/peers.jsonl
npm run tables
\`\`\`

Folds with a line in \`results/tables\` are not computed again. The lines of ${OUR_LEARNER} carry a hash of the configuration: after a change of defaults, the
last command starts over; with \`--no-training\` it only writes this page.
`;
}

const TUNED = `No peer was tuned. ${OUR_LEARNER}'s recipe was chosen on twenty-one other tables, which \`packages/paper/scripts/tuning_tables.R\` makes from data sets in
Debian's packages, on at most two of their five folds; [the default for tables](learner.md#what-each-part-brings) shows what each part brought there. Two questions were prompted by results on the seven tables. A first run of
sixteen folds, with evenly smoothed labels, ranked the rows of larger tables worse than MLPClassifier did. That led to comparing labels smoothed evenly and by class
frequency on larger tuning tables. A run of all folds showed that abalone, which has classes with one to ten rows, was far behind SVC. That raised the question whether such classes
should count less in the choice of the epoch. Both questions were decided on the tuning tables.`;

/** What the reader has to know of results that are not there. */
function missing(results: FoldResults, tables: ComparisonTables): string {
  const expected = [OUR_LEARNER, ...Object.keys(PEERS)];
  const begun = tables.incomplete.map(({ learner, folds, of }) => `${learner} (${folds} of ${of} folds)`);
  const none = expected.filter((learner) => !results.learners.includes(learner)).map((learner) => `${learner} (none)`);
  const sentences = [
    ...(begun.length + none.length === 0
      ? []
      : [`**Preliminary:** not in this table, because results are missing: ${[...begun, ...none].join(', ')}.`]),
    ...(results.learners.includes(OUR_LEARNER) && results.configurationOf(OUR_LEARNER) !== variantHash({})
      ? [`**Out of date:** the results of ${OUR_LEARNER} were measured with other defaults than the current ones.`]
      : []),
  ];
  return sentences.map((sentence) => `\n${sentence}\n`).join('');
}

function dataTable(): string {
  const rows = Object.entries(SEVEN_TABLES).map(([name, { rows, columns, classes, largest, smallest }]) => [
    ...[name, rows, columns, classes, largest, smallest],
  ]);
  return markdownTable(['table', 'rows', 'columns', 'classes', 'largest class', 'smallest'], rows);
}

function libraryText(library: string): string {
  const names = Object.entries(PEERS).flatMap(([name, peer]) => (peer.library === library ? [name] : []));
  return `From ${library}: ${names.join(', ')}`;
}

function weightedText(): string {
  return Object.entries(PEERS)
    .flatMap(([name, { classWeighted }]) => (classWeighted ? [name] : []))
    .join(', ');
}
