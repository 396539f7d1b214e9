import type { Terminal } from 'evenhand/command-line';
import { count, duration, fit, formatTable, inPercent } from 'evenhand/command-line';
import { meanAndDeviation } from '../../numbers.js';
import type { CellResult } from '../../results/cell-result.js';
import { type RowSummary, summarise } from '../../results/summarise.js';
import type { CellEvent } from '../../runner/run-cells.js';
import { cellId } from '../../tables/cells.js';
import { PAPER_METHODS, TABLES } from '../../tables/tables.js';
import type { PlannedTable } from './reproduce-plan.js';

/** Milliseconds between two pictures on a terminal, and between two lines on running cells elsewhere. */
const REDRAW = 200;
const NEXT_LINE = 60_000;

/** A cell that is being trained. */
interface RunningCell {
  /** Epochs that were done when it was first heard of, and when that was. */
  readonly first: { readonly epoch: number; readonly at: number } | undefined;
  readonly epoch: number;
  readonly epochs: number;
}

/** Shows a table while its cells are trained: on a terminal a picture that changes, elsewhere a line for every cell. */
export class ReproduceDisplay {
  readonly #terminal: Terminal;
  readonly #planned: PlannedTable;
  readonly #results: CellResult[] = [];
  readonly #running = new Map<string, RunningCell>();
  readonly #startedAt = performance.now();
  #shownAt = performance.now();
  /** Epochs that were trained since then, and those that are still to come. */
  #trained = 0;
  #left: number;
  /** Cells that have no result. */
  readonly #without = { diverged: 0, failed: 0 };

  constructor(terminal: Terminal, planned: PlannedTable) {
    this.#terminal = terminal;
    this.#planned = planned;
    this.#left = planned.cells.reduce((sum, { config }) => sum + config.epochs, 0);
  }

  /** Takes in what happens, and shows it. */
  onEvent(event: CellEvent): void {
    const id = cellId(event.cell);
    const { epochs } = event.cell.config;
    switch (event.kind) {
      case 'found':
        this.#results.push(event.result);
        this.#left -= epochs;
        break;
      case 'begun':
        this.#running.set(id, { first: undefined, epoch: 0, epochs });
        break;
      case 'progress':
        this.#advance(id, event.epoch, epochs);
        if (!this.#terminal.isLive) this.#sayProgress();
        break;
      case 'done':
        this.#results.push(event.result);
        this.#end(id);
        if (!this.#terminal.isLive) this.#say(`${id}  top-1 ${inPercent(event.result.top1)} %`);
        break;
      case 'diverged':
      case 'failed':
        this.#without[event.kind]++;
        this.#end(id);
        this.#terminal.note(`${id} has no result: ${event.message}`);
        break;
    }
    this.#draw(event.kind === 'done');
  }

  /** Takes the picture away. */
  end(): void {
    if (this.#terminal.isLive) this.#terminal.replaceLine('');
  }

  /** Epochs that were trained before this began are neither to come nor a measure of speed. */
  #advance(id: string, epoch: number, epochs: number): void {
    const known = this.#running.get(id);
    const first = known?.first ?? { epoch, at: performance.now() };
    this.#running.set(id, { first, epoch, epochs });
    this.#left -= epoch - (known?.epoch ?? 0);
    this.#trained++;
  }

  #end(id: string): void {
    const known = this.#running.get(id);
    if (known !== undefined) this.#left -= known.epochs - known.epoch;
    this.#running.delete(id);
  }

  #say(text: string): void {
    this.#terminal.note(`${text}  (${this.#state()})`);
    this.#shownAt = performance.now();
  }

  #sayProgress(): void {
    if (performance.now() - this.#shownAt < NEXT_LINE) return;
    this.#say(this.#runningTexts().join('; '));
  }

  #draw(always: boolean): void {
    if (!this.#terminal.isLive || (!always && performance.now() - this.#shownAt < REDRAW)) return;
    this.#shownAt = performance.now();
    const lines = [`${this.#planned.table}  ${this.#state()}`, ...this.#table().split('\n'), ...this.#runningTexts()];
    this.#terminal.replaceLine(...lines.map((line) => fit(line, this.#terminal.columns - 1)));
  }

  /** How much is done, and how long the rest will take at the speed so far. */
  #state(): string {
    const { cells } = this.#planned;
    const seconds = (performance.now() - this.#startedAt) / 1000;
    return [
      `${count(this.#results.length)} of ${count(cells.length)} cells`,
      ...(['diverged', 'failed'] as const).flatMap((how) =>
        this.#without[how] > 0 ? [`${this.#without[how]} ${how}`] : [],
      ),
      ...(this.#trained > 0 && this.#left > 0 ? [`${duration((seconds * this.#left) / this.#trained)} left`] : []),
    ].join(', ');
  }

  /** Top-1 so far, in every row and of every method that is planned. */
  #table(): string {
    const { table, cells } = this.#planned;
    const planned = new Set<string>(cells.map(({ method }) => method));
    const methods = new Set([...PAPER_METHODS.filter((name) => planned.has(name)), ...planned]);
    const found = summarise(table, this.#results);
    const rowNames = new Set(cells.map(({ setting, loss }) => `${setting}/${loss}`));
    const rows = [...rowNames].map((name) => {
      const row = found.find(({ setting, loss }) => `${setting.name}/${loss}` === name);
      return [name, ...[...methods].map((method) => meanSoFar(row, method))];
    });
    const title = `${TABLES[table].title}, top-1 %`;
    return formatTable([{ title, align: 'left' }, ...[...methods].map((name) => ({ title: name }))], rows);
  }

  #runningTexts(): string[] {
    return [...this.#running].map(([id, { first, epoch, epochs }]) => {
      if (epoch === epochs) return `${id}  testing`;
      const done = first === undefined ? 0 : epoch - first.epoch;
      const seconds = first === undefined ? 0 : (performance.now() - first.at) / 1000;
      const left = done === 0 ? '' : `  ${duration((seconds * (epochs - epoch)) / done)} left`;
      return `${id}  epoch ${epoch + 1}/${epochs}${left}`;
    });
  }
}

/** With the number of seeds that are done. */
function meanSoFar(row: RowSummary | undefined, method: string): string {
  const own = row?.methods.find((summary) => summary.method === method);
  const top1 = own?.metrics.find(({ metric }) => metric === 'top1');
  return own === undefined || top1 === undefined ? '–' : `${meanAndDeviation(top1)} (${own.seeds.length})`;
}
