import { join } from 'node:path';
import { z } from 'zod';
import { writeAtomically } from '../files/atomic-file.js';
import { readJsonFile } from './json-file.js';
import { RUN_FILES } from './run-files.js';

const counts = z.array(z.int().min(0)).readonly();

const classesSchema = z.object({
  /** In the order in which every file of the run has them. */
  names: z.array(z.string()).readonly(),
  /** Instances of each class in each part of the split. */
  counts: z.object({ training: counts, validation: counts, test: counts }),
});

/** The classes of a run: `classes.json`, written before training begins. */
export type RunClasses = Readonly<z.output<typeof classesSchema>>;

/** Instances of each class, in the order of the class names. */
export type ClassCounts = RunClasses['counts'];

/** Writes the classes of a run. */
export function writeClasses(folder: string, classes: RunClasses): Promise<void> {
  return writeAtomically(join(folder, RUN_FILES.classes), `${JSON.stringify(classes, null, 2)}\n`);
}

/** Reads the classes of a run, complete or not. */
export function readClasses(folder: string): Promise<RunClasses> {
  const file = join(folder, RUN_FILES.classes);
  const again = 'Resume the run: it is written again';
  return readJsonFile(file, classesSchema, {
    missing: `${folder} has no ${RUN_FILES.classes}; it was removed, or the run is of an earlier version. ${again}`,
    damaged: again,
  });
}
