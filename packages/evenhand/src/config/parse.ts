import { availableParallelism } from 'node:os';
import { parseStrictJson } from '@evenhand/engine';
import { isMethodName, methods } from '../methods/registry.js';
import { UserError } from '../user-error.js';
import { describeIssue, faultsOf } from '../wording/schema-faults.js';
import { recipeOf } from './recipes.js';
import { type Config, configSchema, DEFAULT_NAMES, type DefaultModel, GIVE_BACK } from './schema.js';

/** More threads rarely make a batch of ordinary size faster, and a laptop stays usable. */
const MOST_THREADS = 8;

/** The threads that compute unless others are asked for. */
export function defaultThreads(): number {
  return Math.min(availableParallelism(), MOST_THREADS);
}

/**
 * Checks a configuration and fills in every default, so that the result says all that a run depends on; what it gives can
 * be given again.
 *
 * @param given - JSON text, as in a file, or a `ConfigInput`
 * @param source - what a message calls it
 * @throws {@link UserError} with every fault; an unknown option names the nearest known one
 */
export function parseConfig(given: unknown, source = 'the configuration'): Config {
  const json = plainCopy(typeof given === 'string' ? parseJson(given, source) : given, source);
  const filled = isObject(json) ? { threads: defaultThreads(), ...withNames(json) } : json;
  const result = configSchema.safeParse(filled, { error: describeIssue });
  if (result.success) return result.data;
  const [first = '', ...others] = faultsOf(result.error, filled);
  const options = result.error.issues.map(({ path }) => path.join('.')).filter((path) => path !== '');
  if (others.length === 0) throw new UserError(`${source}: ${first}`, { options });
  throw new UserError(`${source} has ${others.length + 1} faults:\n  ${[first, ...others].join('\n  ')}`, { options });
}

function parseJson(text: string, source: string): unknown {
  try {
    return parseStrictJson(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(`${source} is not valid JSON (${reason}); expected an object such as {"data": {"source": …}}`);
  }
}

/** Far deeper than any option. */
const DEEPEST = 100;

/** A copy that nobody can change later, without options that are undefined; `__proto__` never becomes a prototype. */
function plainCopy(value: unknown, source: string, depth = 0): unknown {
  if (depth > DEEPEST) {
    throw new UserError(`${source} has more than ${DEEPEST} objects and lists inside each other; no option is so deep`);
  }
  if (Array.isArray(value)) return value.map((item) => plainCopy(item, source, depth + 1));
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') {
      throw new UserError(`${source} has an option "__proto__", which is not allowed; remove it`);
    }
    if (inner !== undefined) copy[key] = plainCopy(inner, source, depth + 1);
  }
  return copy;
}

/**
 * Sections that do not say their name get the default one, so that a single option of theirs can be set. What a model's recipe says
 * stands in for what is not given.
 */
function withNames(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const own = isObject(config.model) ? config.model : {};
  const model = { name: defaultModel(config.data, own), ...own };
  const recipe = recipeOf(model.name, config);
  const named: Record<string, unknown> = { ...recipe, ...config, model: config.model ?? model };
  if (isObject(named.model)) named.model = model;
  for (const [section, name] of Object.entries(DEFAULT_NAMES)) {
    const given = config[section] ?? {};
    if (!isObject(given)) continue;
    const usual = isObject(recipe[section]) ? recipe[section] : { name };
    const { name: kind = Object.keys(given).length === 0 ? usual.name : name } = given;
    named[section] = kind === usual.name ? { ...usual, ...given } : { name: kind, ...given };
  }
  if (typeof named.folds === 'number' && named.folds > 1) named.decision = withObjective(config.decision);
  else if (isObject(config.data)) named.data = { giveBack: usualGiveBack(named), ...config.data };
  return named;
}

/** Held-out instances train in the end too, where nothing but the method needs them. */
function usualGiveBack({ method, earlyStopping, decision }: Readonly<Record<string, unknown>>): number {
  const fitted = isObject(decision) && (decision.temperature === true || decision.objective !== undefined);
  if (earlyStopping !== undefined || fitted) return 1;
  if (!isObject(method) || typeof method.name !== 'string' || !isMethodName(method.name)) return 1;
  return methods[method.name].measures === true ? GIVE_BACK : 0;
}

/** Out of fold there are rows enough to fit answers on: to what people who care for rare classes mostly want. */
function withObjective(decision: unknown): unknown {
  if (decision === undefined) return { objective: 'balanced-accuracy' };
  return isObject(decision) ? { objective: 'balanced-accuracy', ...decision } : decision;
}

/** By the data: only tables have a target. Whoever gives options of a network without its name means the plainest for tables. */
function defaultModel(data: unknown, options: Readonly<Record<string, unknown>>): DefaultModel {
  if (!isObject(data) || data.target !== undefined) return Object.keys(options).length === 0 ? 'auto' : 'mlp';
  return data.source === 'mnist' || data.source === 'fashion-mnist' ? 'lenet5' : 'resnet20';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
