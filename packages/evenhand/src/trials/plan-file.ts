import { readdir, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseStrictJson } from '@evenhand/engine';
import { z } from 'zod';
import { parseConfig } from '../config/parse.js';
import { writeAtomically } from '../files/atomic-file.js';
import { makeFolder } from '../files/make-folder.js';
import { readTextIfThere } from '../files/read-file.js';
import { isRun } from '../runs/run-files.js';
import { UserError } from '../user-error.js';
import { commandLine } from '../wording/command-line.js';
import type { Trial } from './trial.js';

/** Runs that are trained and shown together. */
export interface TrialPlan {
  /** The folder that holds all of them. */
  readonly folder: string;
  /** Keys are names of folders, not longer paths. */
  readonly trials: readonly Trial[];
}

/** Its name in the folder of runs that are trained together. */
export const PLAN_FILE = 'comparison.json';

const planSchema = z.object({ runs: z.array(z.object({ name: z.string(), config: z.unknown() })) });

/** Whether a trial of a plan was trained, if only for a moment. */
export function isBegun({ folder, trials }: TrialPlan): boolean {
  return trials.some(({ key }) => isRun(join(folder, key)));
}

/**
 * Writes down what is to be trained, so that it can go on after a pause. No trial may find its folder taken after those before
 * it were trained: the folder must be empty.
 *
 * @returns takes that back if no trial was begun
 */
export async function savePlan(plan: TrialPlan): Promise<() => Promise<void>> {
  const { folder, trials } = plan;
  const [first] = await readdir(folder).catch(() => []);
  if (first !== undefined) {
    throw new UserError(
      `${folder} is not empty: "${first}" is in it; expected a new folder for several runs. ` +
        `Choose another one, or continue with what is there: ${commandLine('resume', folder)}`,
    );
  }
  const removeMade = await makeFolder(folder);
  const file = join(folder, PLAN_FILE);
  const withdraw = async () => {
    if (isBegun(plan)) return;
    await rm(file, { force: true });
    await removeMade();
  };
  const content = { runs: trials.map(({ key, config }) => ({ name: key, config })) };
  await writeAtomically(file, `${JSON.stringify(content, null, 2)}\n`).catch(async (error: unknown) => {
    await withdraw();
    throw error;
  });
  return withdraw;
}

/** The plan that a folder was made by; undefined if it is not one of several runs. */
export async function loadPlan(folder: string): Promise<TrialPlan | undefined> {
  const file = join(folder, PLAN_FILE);
  const text = await readTextIfThere(file);
  if (text === undefined) return undefined;
  let json: unknown;
  try {
    json = parseStrictJson(text);
  } catch (error) {
    throw new UserError(`${file} cannot be read (${error instanceof Error ? error.message : error})`);
  }
  const { data, error } = planSchema.safeParse(json);
  if (error !== undefined || data.runs.some(({ name }) => name !== basename(name) || name.startsWith('.'))) {
    throw new UserError(`${file} is not a list of runs; the file is damaged. Give the folders of the runs instead`);
  }
  return { folder, trials: data.runs.map(({ name, config }) => ({ key: name, config: parseConfig(config, file) })) };
}

/** The folders of runs, with those that were trained together taken one by one; none twice. */
export async function runFoldersIn(given: readonly string[]): Promise<string[]> {
  const plans = await Promise.all(given.map(loadPlan));
  const folders = given.flatMap((folder, i) => plans[i]?.trials.map(({ key }) => join(folder, key)) ?? [folder]);
  return folders.filter((folder, i) => folders.findIndex((other) => resolve(other) === resolve(folder)) === i);
}
