import type { Config } from '../../../config/schema.js';
import { openCompleteRun } from '../../../runs/run.js';
import { isRun } from '../../../runs/run-files.js';
import { openDataset } from '../../../sources/open-source.js';
import { resume, train } from '../../../training/train.js';
import type { Executor } from '../../../trials/executor.js';
import { interruptible } from '../../terminal/interruptible.js';
import type { Terminal } from '../../terminal/terminal.js';
import { writeReportPage } from '../report/write-page.js';
import { runAsJson, showRun } from './show-run.js';
import { howToGoOn, TrainingDisplays } from './training-display.js';

/** How a run goes on that was begun before, or that it is new; and what to do beside training. */
export interface TrainOneOptions {
  /** Go on although configuration or data are not those of the run; a new run if left out. */
  readonly resumed?: { readonly override: boolean } | undefined;
  /** Whether to write `report.html`. */
  readonly report: boolean;
  /** Whether to measure what each column of a table is worth. @defaultValue true */
  readonly importance?: boolean;
  /** Where several runs are trained. @defaultValue in processes of this machine */
  readonly executor?: Executor | undefined;
}

/** Trains a run, or goes on with one, and shows what it came to. */
export async function trainOne(
  terminal: Terminal,
  { folder, config }: { readonly folder: string; readonly config: Config },
  { resumed, report, importance = true }: TrainOneOptions,
): Promise<void> {
  const displays = new TrainingDisplays(terminal, { runs: 1, atOnce: 1 });
  const display = displays.add(config.method.name);
  const onEvent = display.onEvent.bind(display);
  const dataset = await interruptible(
    terminal,
    async (signal) => {
      const onProgress = (done: number, total: number) => onEvent({ kind: 'reading', done, total });
      const opened = await openDataset(config.data, { onProgress, signal });
      const options = { onEvent, dataset: opened, signal, importance };
      await (resumed === undefined
        ? train(config, { ...options, folder })
        : resume(folder, { ...options, ...resumed, config }));
      return opened;
    },
    () => howToGoOn({ folder, isBegun: isRun(folder), isResumed: resumed !== undefined, saved: displays.saved }),
  );
  const page = report ? await writeReportPage(terminal, folder, dataset) : null;
  const run = await openCompleteRun(folder);
  showRun(terminal, run, page);
  terminal.json({ ...runAsJson(run), report: page });
}
