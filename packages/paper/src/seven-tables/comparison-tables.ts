import { UserError } from 'evenhand';
import { comparePaired, type PairedComparison, sampleStatistics } from 'evenhand/evaluation';
import { at } from '../checked-access.js';
import {
  COMPARED_METHODS,
  type ComparedMethod,
  type ComparisonLine,
  type ComparisonResults,
  RIVALS,
  type Rival,
} from './comparison.js';
import { markdownTable, pValue, signed, spreadText } from './markdown-table.js';
import { SEEDS, SEVEN_TABLES, type SevenTable } from './seven-tables.js';

type MetricName = 'balancedAccuracy' | 'macroF1' | 'accuracy';

/** Enhancement against one-hot on a table. */
interface TableComparison extends PairedComparison {
  readonly table: SevenTable;
  /** Seeds on which it is better. */
  readonly better: number;
}

/** What is not by chance. */
const SIGNIFICANT = 0.05;

/** What the comparison comes to, as Markdown. */
export class ComparisonTables {
  readonly #results: ComparisonResults;
  /** Those that are done on all tables. */
  readonly #shown: readonly (ComparedMethod | Rival)[];
  readonly #comparisons: readonly TableComparison[];
  /** Enhancement against one-hot, with the tables as pairs. */
  readonly overall: PairedComparison;

  /** @throws UserError if one-hot, enhancement or a model of scikit-learn is not complete */
  constructor(results: ComparisonResults) {
    this.#results = results;
    this.#shown = [...COMPARED_METHODS, ...RIVALS].filter((method) => results.isComplete(method));
    this.#comparisons = SEVEN_TABLES.map((table) => {
      const ours = this.#percents('enhancement', table, 'balancedAccuracy');
      const theirs = this.#percents('one-hot', table, 'balancedAccuracy');
      const better = ours.filter((value, i) => value > at(theirs, i)).length;
      return { table, better, ...comparePaired(ours, theirs) };
    });
    this.overall = comparePaired(this.#means('enhancement'), this.#means('one-hot'));
  }

  /** Tables on which enhancement is above one-hot. */
  get won(): readonly TableComparison[] {
    return this.#comparisons.filter(({ meanDifference }) => meanDifference > 0);
  }

  /** How a model of scikit-learn was trained. */
  rival(name: Rival): Pick<ComparisonLine, 'version' | 'classWeight'> {
    const [line] = this.#lines(name, SEVEN_TABLES[0]);
    return line ?? {};
  }

  /** Balanced accuracy of all methods; the best on each table is bold. */
  results(): string {
    const means = new Map(this.#shown.map((method) => [method, this.#means(method)]));
    const best = SEVEN_TABLES.map((_, i) => Math.max(...[...means.values()].map((own) => at(own, i))));
    const rows = this.#shown.map((method) => {
      const own = means.get(method) ?? [];
      const cells = SEVEN_TABLES.map((table, i) => {
        const text = spreadText(this.#percents(method, table, 'balancedAccuracy'));
        return own[i] === best[i] ? `**${text}**` : text;
      });
      return [method, ...cells, sampleStatistics(own).mean.toFixed(1)];
    });
    return markdownTable(['balanced accuracy, %', ...SEVEN_TABLES, 'mean'], rows);
  }

  /** Enhancement against one-hot, table by table. */
  comparisons(): string {
    const rows = this.#comparisons.map(({ table, meanDifference, better, tTest, signFlipTest }) => [
      table,
      signed(meanDifference),
      `${better} of ${SEEDS.length}`,
      pValue(tTest),
      pValue(signFlipTest),
    ]);
    const header = ['enhancement against one-hot', 'difference', 'seeds better', 'p, paired t', 'p, sign flips'];
    return markdownTable(header, rows);
  }

  /** What balanced accuracy does not say. */
  otherMetrics(): string {
    const rows = SEVEN_TABLES.map((table) => [
      table,
      ...(['macroF1', 'accuracy'] as const).flatMap((metric) =>
        (['one-hot', 'enhancement'] as const).map((method) => spreadText(this.#percents(method, table, metric))),
      ),
    ]);
    const header = ['%', 'macro F1, one-hot', 'macro F1, enhancement', 'accuracy, one-hot', 'accuracy, enhancement'];
    return markdownTable(header, rows);
  }

  /** What is not in favour of enhancement, as a list. */
  drawbacks(): string {
    const own = this.#means('enhancement');
    const lost = this.#comparisons.filter(({ meanDifference }) => meanDifference <= 0);
    const certain = this.won.filter(({ tTest }) => tTest.value !== null && tTest.value < SIGNIFICANT);
    const better = this.#shown
      .filter((method) => method !== 'enhancement')
      .map((method) => {
        const means = this.#means(method);
        const count = means.filter((value, i) => value > at(own, i)).length;
        return `${method} on ${count} (mean ${sampleStatistics(means).mean.toFixed(1)})`;
      });
    return [
      `- Tables on which enhancement is not above one-hot: ${tableNames(lost)}.`,
      `- Tables on which it is above with p < ${SIGNIFICANT} by the paired t-test: ${tableNames(certain)}. Five seeds are few; and the ` +
        'five test sets of a table overlap, so that its p-values are kinder than they should be.',
      `- Tables, of ${SEVEN_TABLES.length}, on which another is above enhancement (whose mean is ${sampleStatistics(own).mean.toFixed(1)}): ${better.join('; ')}.`,
      `- Accuracy that enhancement loses: ${tableNames(this.#losses('accuracy'))}.`,
      `- Macro F1 that it loses: ${tableNames(this.#losses('macroF1'))}.`,
    ].join('\n');
  }

  /** Tables on which enhancement is below one-hot. */
  #losses(metric: MetricName): Pick<TableComparison, 'table' | 'meanDifference'>[] {
    const meanOf = (method: ComparedMethod, table: SevenTable) =>
      sampleStatistics(this.#percents(method, table, metric)).mean;
    return SEVEN_TABLES.map((table) => ({
      table,
      meanDifference: meanOf('enhancement', table) - meanOf('one-hot', table),
    })).filter(({ meanDifference }) => meanDifference < 0);
  }

  /** The mean balanced accuracy of a method on every table. */
  #means(method: ComparedMethod | Rival): number[] {
    return SEVEN_TABLES.map((table) => sampleStatistics(this.#percents(method, table, 'balancedAccuracy')).mean);
  }

  /** Every result of a metric, in per cent, by seed. */
  #percents(method: ComparedMethod | Rival, table: SevenTable, metric: MetricName): number[] {
    return this.#lines(method, table).map((line) => 100 * line[metric]);
  }

  #lines(method: ComparedMethod | Rival, table: SevenTable): ComparisonLine[] {
    const lines = this.#results.of(method, table);
    if (lines.length === SEEDS.length) return lines;
    throw new UserError(
      `${method} on ${table} has ${lines.length} results of ${SEEDS.length}, which the page needs. Train what is missing, ` +
        'or give --no-page; scikit_learn.py makes those of scikit-learn',
    );
  }
}

function tableNames(list: readonly Pick<TableComparison, 'table' | 'meanDifference'>[]): string {
  return list.length === 0
    ? 'none'
    : list.map(({ table, meanDifference }) => `${table} (${signed(meanDifference)})`).join(', ');
}
