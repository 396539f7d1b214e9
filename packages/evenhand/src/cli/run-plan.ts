import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { z } from 'zod';
import { parseConfig } from '../config/parse.js';
import type { Config } from '../config/schema.js';
import { writeAtomically } from '../files/atomic-file.js';
import { makeFolder } from '../files/make-folder.js';
import { isMethodName, type MethodName, methods } from '../methods/registry.js';
import { RUN_FILES } from '../runs/run-folder.js';
import { UserError } from '../user-error.js';
import { nearestName } from '../wording/nearest-name.js';
import type { GivenConfig } from './given-config.js';

/** Runs that are trained and shown together. */
export interface RunPlan {
  /** The folder that holds all of them; with one run, that run's own. */
  readonly folder: string;
  readonly runs: readonly PlannedRun[];
}

/** A run that is to be, or was already. */
export interface PlannedRun {
  readonly folder: string;
  readonly config: Config;
}

const PLAN_FILE = 'comparison.json';

const planSchema = z.object({ runs: z.array(z.object({ name: z.string(), config: z.unknown() })) });

/** What is to be trained: every method with every seed. */
export interface PlanOptions {
  /** Names with commas between them; the configuration's own method if left out. */
  readonly method: string | undefined;
  /** The number of seeds, from the configuration's own on. */
  readonly seeds: number;
  /** @defaultValue a new folder in `runs` */
  readonly folder: string | undefined;
}

/** Plans runs. Several get sub-folders, named by method and seed. */
export function planRuns(given: GivenConfig, { method, seeds, folder }: PlanOptions): RunPlan {
  const names = methodNames(method);
  const configs = names.length === 0 ? [parseConfig(given)] : names.map((name) => withMethod(given, name, names));
  const all = configs.flatMap((config) =>
    Array.from({ length: seeds }, (_, i) => ({ ...config, seed: config.seed + i })),
  );
  const [first] = all;
  if (first === undefined) throw new Error('internal: no run was planned');
  const place = folder ?? freeFolder(first, all.length === 1);
  if (all.length === 1) return { folder: place, runs: [{ folder: place, config: first }] };
  return { folder: place, runs: all.map((config) => ({ folder: join(place, runName(config)), config })) };
}

function runName({ method, seed }: Config): string {
  return `${method.name}-seed-${seed}`;
}

function methodNames(list: string | undefined): MethodName[] {
  const names = (list ?? '').split(',').filter((name) => name !== '');
  return [...new Set(names)].map((name) => {
    if (isMethodName(name)) return name;
    const known = Object.keys(methods);
    const nearest = nearestName(name, known);
    const advice = nearest === undefined ? `expected ${known.join(', ')}` : `did you mean "${nearest}"?`;
    throw new UserError(`--method: there is no method "${name}"; ${advice}`);
  });
}

/** Of several methods, each takes the options that it knows. */
function withMethod(given: GivenConfig, name: MethodName, all: readonly MethodName[]): Config {
  const { method } = given;
  const options = typeof method === 'object' && method !== null ? Object.entries(method) : [];
  const known = (key: string, of: MethodName) => Object.hasOwn(methods[of].options.shape, key);
  const own = options.filter(
    ([key]) => key !== 'name' && (known(key, name) || !all.some((other) => known(key, other))),
  );
  return parseConfig({ ...given, method: { ...Object.fromEntries(own), name } });
}

/** `runs/fraud-enhancement`, or with a number behind it if that is there. */
function freeFolder({ data: { source }, method }: Config, single: boolean): string {
  const data = basename(source, extname(source)) || 'run';
  const name = join('runs', single ? `${data}-${method.name}` : data);
  for (let i = 1; ; i++) {
    const path = i === 1 ? name : `${name}-${i}`;
    if (!existsSync(path)) return path;
  }
}

/** The folders of runs, with those that were trained together taken apart; none twice. */
export async function foldersOf(given: readonly string[]): Promise<string[]> {
  const plans = await Promise.all(given.map(loadPlan));
  const folders = given.flatMap((folder, i) => plans[i]?.runs.map((run) => run.folder) ?? [folder]);
  return folders.filter((folder, i) => folders.findIndex((other) => resolve(other) === resolve(folder)) === i);
}

/** Whether a run was trained, if only for a moment. */
export function isBegun({ folder }: PlannedRun): boolean {
  return existsSync(join(folder, RUN_FILES.config));
}

/**
 * Writes down what is to be trained, so that it can go on after a pause.
 *
 * @returns takes that back if no run was begun
 */
export async function savePlan({ folder, runs }: RunPlan): Promise<() => Promise<void>> {
  const removeMade = await makeFolder(folder);
  const file = join(folder, PLAN_FILE);
  const withdraw = async () => {
    if (runs.some(isBegun)) return;
    await rm(file, { force: true });
    await removeMade();
  };
  const content = { runs: runs.map((run) => ({ name: basename(run.folder), config: run.config })) };
  await writeAtomically(file, `${JSON.stringify(content, null, 2)}\n`).catch(async (error: unknown) => {
    await withdraw();
    throw error;
  });
  return withdraw;
}

/** The plan that a folder was made by; undefined if it is not one of several runs. */
export async function loadPlan(folder: string): Promise<RunPlan | undefined> {
  const file = join(folder, PLAN_FILE);
  if (!existsSync(file)) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UserError(`${file} cannot be read (${error instanceof Error ? error.message : error})`);
  }
  const { data, error } = planSchema.safeParse(json);
  if (error !== undefined || data.runs.some(({ name }) => name !== basename(name) || name.startsWith('.'))) {
    throw new UserError(`${file} is not a list of runs; the file is damaged. Give the folders of the runs instead`);
  }
  return {
    folder,
    runs: data.runs.map(({ name, config }) => ({ folder: join(folder, name), config: parseConfig(config, file) })),
  };
}
