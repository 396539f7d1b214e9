import { sampleStatistics } from 'evenhand/evaluation';
import { NONE } from 'evenhand/report';
import { at } from '../checked-access.js';
import { markdownTable } from '../documents/markdown-table.js';
import type { FoldKey, FoldResults, MeasureName } from './fold-results.js';

/** How a measure is shown, and which direction is good. */
interface Measure {
  readonly title: string;
  readonly better: 'higher' | 'lower';
  readonly text: (value: number) => string;
}

const percent = (value: number) => (100 * value).toFixed(1);

const MEASURES: Readonly<Record<MeasureName, Measure>> = {
  balancedAccuracy: { title: 'balanced accuracy, %', better: 'higher', text: percent },
  macroF1: { title: 'macro F1, %', better: 'higher', text: percent },
  gMean: { title: 'G-mean, %', better: 'higher', text: percent },
  macroAveragePrecision: { title: 'macro average precision, %', better: 'higher', text: percent },
  logLoss: { title: 'log-loss', better: 'lower', text: (value) => value.toFixed(3) },
  calibrationError: { title: 'ECE, %', better: 'lower', text: percent },
  seconds: { title: 'seconds', better: 'lower', text: (value) => value.toFixed(1) },
};

const NAMES = [
  'balancedAccuracy',
  'macroF1',
  'gMean',
  'macroAveragePrecision',
  'logLoss',
  'calibrationError',
  'seconds',
] as const satisfies readonly MeasureName[];

/** What results on some folds come to. */
export class ComparisonTables {
  readonly #results: FoldResults;
  readonly #keys: readonly FoldKey[];
  readonly tables: readonly string[];

  /** @param keys - the folds that are looked at */
  constructor(results: FoldResults, keys: readonly FoldKey[]) {
    this.#results = results;
    this.#keys = keys;
    this.tables = [...new Set(keys.map(({ table }) => table))].sort();
  }

  /** Those that have results of all folds, best mean balanced accuracy first. */
  get complete(): string[] {
    const means = new Map(
      this.#results.learners.flatMap((learner) => {
        const mean = this.mean(learner, 'balancedAccuracy');
        return mean === null ? [] : [[learner, mean]];
      }),
    );
    return [...means].sort(([, a], [, b]) => b - a).map(([learner]) => learner);
  }

  /** How many of the folds the others have. */
  get incomplete(): { readonly learner: string; readonly folds: number; readonly of: number }[] {
    return this.#results.learners.flatMap((learner) => {
      const folds = this.#results.of(learner, this.#keys).length;
      return folds === 0 || folds === this.#keys.length ? [] : [{ learner, folds, of: this.#keys.length }];
    });
  }

  /** The mean of a measure over the folds of a table; null if some are missing. */
  onTable(learner: string, table: string, measure: MeasureName): number | null {
    const keys = this.#keys.filter((key) => key.table === table);
    const found = this.#results.of(learner, keys);
    if (found.length < keys.length) return null;
    return sampleStatistics(found.map((result) => result[measure])).mean;
  }

  /** The mean over the tables, each by its mean; null if folds are missing. */
  mean(learner: string, measure: MeasureName): number | null {
    const means = this.tables.map((table) => this.onTable(learner, table, measure));
    const known = means.filter((mean) => mean !== null);
    return known.length < means.length || known.length === 0 ? null : sampleStatistics(known).mean;
  }

  /** The mean rank of every complete learner over the tables, from 1; equal ones share their ranks. */
  meanRanks(measure: MeasureName): ReadonlyMap<string, number> {
    const learners = this.complete;
    const sign = MEASURES[measure].better === 'higher' ? -1 : 1;
    const ranks = this.tables.map((table) => {
      const values = learners.map((learner) => sign * (this.onTable(learner, table, measure) ?? Number.NaN));
      return values.map((own) => {
        const ahead = values.filter((value) => value < own).length;
        const equal = values.filter((value) => value === own).length;
        return ahead + (equal + 1) / 2;
      });
    });
    return new Map(learners.map((learner, i) => [learner, sampleStatistics(ranks.map((own) => at(own, i))).mean]));
  }

  /** Means over the tables with mean ranks; the best is bold. */
  means(): string {
    const learners = this.complete;
    const columns = NAMES.map((measure) => {
      const means = learners.map((learner) => this.mean(learner, measure) ?? Number.NaN);
      const best = MEASURES[measure].better === 'higher' ? Math.max(...means) : Math.min(...means);
      const ranks = this.meanRanks(measure);
      return learners.map((learner, i) => {
        const mean = at(means, i);
        const text = MEASURES[measure].text(mean);
        return `${mean === best ? `**${text}**` : text} (${ranks.get(learner)?.toFixed(1)})`;
      });
    });
    const rows = learners.map((learner, i) => [learner, ...columns.map((column) => at(column, i))]);
    return markdownTable(['mean (mean rank)', ...NAMES.map((measure) => MEASURES[measure].title)], rows);
  }

  /** Means over the tables of complete learners, a row for each measure; the best of those shown is bold. */
  meansOf(learners: readonly string[], measures: readonly MeasureName[], title: string): string {
    const rows = measures.map((measure) => {
      const means = learners.map((learner) => this.mean(learner, measure) ?? Number.NaN);
      const best = MEASURES[measure].better === 'higher' ? Math.max(...means) : Math.min(...means);
      const cells = means.map((mean) => {
        const text = MEASURES[measure].text(mean);
        return mean === best ? `**${text}**` : text;
      });
      return [MEASURES[measure].title, ...cells];
    });
    return markdownTable([title, ...learners], rows);
  }

  /** A measure on every table, of all that have results; the best is bold. */
  byTable(measure: MeasureName): string {
    const complete = this.complete;
    const learners = [...complete, ...this.incomplete.map(({ learner }) => learner)];
    const columns = this.tables.map((table) => {
      const means = learners.map((learner) => this.onTable(learner, table, measure));
      const known = means.filter((mean) => mean !== null);
      const best = MEASURES[measure].better === 'higher' ? Math.max(...known) : Math.min(...known);
      return means.map((mean) => {
        if (mean === null) return NONE;
        const text = MEASURES[measure].text(mean);
        return mean === best ? `**${text}**` : text;
      });
    });
    const rows = learners.map((learner, i) => {
      const mean = this.mean(learner, measure);
      return [learner, ...columns.map((column) => at(column, i)), mean === null ? NONE : MEASURES[measure].text(mean)];
    });
    return markdownTable([MEASURES[measure].title, ...this.tables, 'mean'], rows);
  }
}
