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
  return `# Seven tables, beside scikit-learn and imbalanced-learn

<!-- Written by npm run tables from results/tables: change those, not this page. -->

Seven imbalanced tables. ${OUR_LEARNER} is told nothing but the target. Every row is tested: ${FOLDS} folds, ${REPEATS} times, the same for
everybody, and everybody learns from all rows of the other folds. Each number is the mean over the tables of the mean over
their ${FOLDS * REPEATS} test folds; in brackets the mean rank among the learners shown, 1 being the best. The best of each column is bold.

${tables.means()}
${missing(results, tables)}
## For and against

${verdicts(tables)}

## Table by table

${tables.byTable('balancedAccuracy')}

${tables.byTable('macroAveragePrecision')}

${tables.byTable('logLoss')}

## How it was measured

${dataTable()}

From the UCI Machine Learning Repository; mammography by Woods et al. 1993. They are not in this repository.

**Folds.** Stratified by class; a class with fewer rows than folds is spread over as many folds as it has rows. Identical rows are in one
fold: mammography has one row 3,329 times, which is a fold by itself but for the rare class. The five classes of abalone that have
a single row cannot be learned where they are tested: everybody trains with them, and nobody is tested on them.

**Measures.** Balanced accuracy is the mean of the classes' recalls: a class of five rows counts as much as one of five thousand. F1 and
average precision (a class against the rest) are means over the classes as well, G-mean is the geometric mean of the recalls: 0 as
soon as one class is missed, as happens on every fold of abalone. These take the classes that the test fold has. Log-loss is the
mean of −ln p with p at least 1e-15; ECE, the expected calibration error, is that of the likeliest class in 15 bins. Balanced accuracy, F1 and
G-mean are about the answers, the others about the probabilities. Ours are computed by \`@evenhand/encoding\`, the others by
scikit-learn; a test holds both to the same numbers.

**Seconds** are those that the processor needs for one fold, training and answering, with one thread.

**Peers** (${versions ?? 'no results yet'}). ${libraryText('scikit-learn')}, of these with \`class_weight="balanced"\`: ${weightedText()}.
${libraryText('imbalanced-learn')}. Their own defaults but for: up to 5,000 iterations of logistic regression and of MLPClassifier; SMOTE takes as many of its 5
neighbours as the rarest class has, and where a class has one row to learn from, rows are copied instead. Logistic regression, SVC and
MLPClassifier get standardised numbers and one-hot categories; the others ordinal codes, which HistGradientBoosting knows to be categories.
Missing numbers are medians, but for HistGradientBoosting, which takes them as they are.

## What was tuned, and on which rows

${TUNED}

## Again

With the tables in \`$EVENHAND_DATA/tabular\`, and Debian's python3-sklearn, python3-imblearn and python3-pandas:

\`\`\`sh
npm run --silent tables -- --folds-for-peers > folds.jsonl
python3 packages/paper/scripts/peers.py --folds folds.jsonl --tables-folder "$EVENHAND_DATA/tabular" --results results/tables/peers.jsonl
npm run tables
\`\`\`

What has a line in \`results/tables\` is not computed again. Our lines carry a hash of the configuration: after a change of defaults, the
last command starts anew; with \`--no-training\` it only writes this page.
`;
}

const TUNED = `No peer was tuned. ${OUR_LEARNER}'s recipe was chosen on twenty-one other tables, which \`packages/paper/scripts/tuning_tables.R\` makes of data sets in
Debian's packages, on two of their five folds at the most; [learner.md](learner.md) has what each part of it brought there. Two things came after a look at these tables. A first run of
sixteen folds, with labels smoothed evenly, showed that larger tables were ranked worse than by MLPClassifier. That led to comparing labels smoothed evenly and by the class
shares on larger tuning tables. A run of all folds showed that abalone, which has classes of one to ten rows, was far behind SVC. That led to the question whether such classes
should count less in the choice of the epoch. Both were decided on the tuning tables.`;

/** What the reader has to know of results that are not there. */
function missing(results: FoldResults, tables: ComparisonTables): string {
  const expected = [OUR_LEARNER, ...Object.keys(PEERS)];
  const begun = tables.incomplete.map(({ learner, folds, of }) => `${learner} (${folds} of ${of} folds)`);
  const none = expected.filter((learner) => !results.learners.includes(learner)).map((learner) => `${learner} (none)`);
  const sentences = [
    ...(begun.length + none.length === 0
      ? []
      : [`**Preliminary:** results are missing, and so not in this table, of ${[...begun, ...none].join(', ')}.`]),
    ...(results.learners.includes(OUR_LEARNER) && results.configurationOf(OUR_LEARNER) !== variantHash({})
      ? [`**Out of date:** the results of ${OUR_LEARNER} are of other defaults than the present ones.`]
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
