import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { RUN_FILES } from '../../../runs/run-files.js';
import type { TableReading } from '../../../sources/table-reading.js';
import { isStream } from '../../../stream/folder/stream-files.js';
import { UserError } from '../../../user-error.js';

/** The model of a run or a stream, which is named by its folder or by its `model.onnx`. */
export async function modelFile(run: string): Promise<string> {
  if (isModel(run)) return run;
  const file = join(run, RUN_FILES.model);
  if (existsSync(file)) return file;
  if (isStream(run)) {
    throw new UserError(
      `the stream in ${run} has exported no model; expected ${RUN_FILES.model} there. Continue evenhand stream with --export, or name the model`,
    );
  }
  const { openRun } = await import('../../../runs/run.js'); // says better what is wrong
  await (await openRun(run)).evaluation();
  return file;
}

/** How the run's own table was read; a model by itself does not say. */
export async function readingOf(run: string): Promise<TableReading> {
  if (isModel(run) || isStream(run)) return {};
  // The schema of configurations is large: models by themselves, and images, do without.
  const { openRun } = await import('../../../runs/run.js');
  const { tableReading } = await import('../../../sources/table-reading.js');
  return tableReading((await openRun(run)).config.data);
}

function isModel(run: string): boolean {
  return basename(run).endsWith('.onnx');
}
