import { parseConfig } from '../config/parse.js';
import { type Config, DEFAULT_NAMES } from '../config/schema.js';
import { UserError } from '../user-error.js';
import { examplesOf, type Parameter, type TrialValues } from './domain.js';
import { describeValues } from './values.js';

/** A configuration that is checked only together with a trial's values. */
export type GivenConfig = Readonly<Record<string, unknown>>;

/** Sections that have kinds: another kind has other options. */
const SECTIONS = ['model', ...Object.keys(DEFAULT_NAMES)];

/**
 * A configuration with every default filled in, so that a sweep does not depend on them. A section whose kind is searched
 * stays as it was given: what is missing there depends on the kind. What is searched is left out.
 */
export function completeConfig(given: GivenConfig, parameters: readonly Parameter[]): GivenConfig {
  const first = Object.fromEntries(parameters.map(({ path, domain }) => [path, examplesOf(domain)[0]]));
  // One thread for each process is faster than several for one.
  const base = withValidation(withNetwork(given));
  const complete: Record<string, unknown> = { ...configWith({ ...base, threads: 1 }, first) };
  for (const section of SECTIONS) {
    if (!Object.hasOwn(first, `${section}.name`)) continue;
    if (given[section] === undefined) delete complete[section];
    else complete[section] = given[section];
  }
  return parameters.reduce((left: GivenConfig, { path }) => withoutValue(left, path.split('.')), complete);
}

/** @throws {@link UserError} that names the values, where they make no configuration */
export function configWith(config: GivenConfig, values: TrialValues): Config {
  const entries = Object.entries(values);
  const filled = entries.reduce((changed, [path, value]) => withValue(changed, path.split('.'), value), config);
  const parsed = parseConfig(filled, `the configuration with ${describeValues(values)}`);
  if (parsed.model.name === 'auto') {
    throw new UserError(
      'model.name is "auto", a portfolio, and a sweep tunes one network; expected "mlp" or "tabular"',
      {
        options: ['model.name'],
      },
    );
  }
  if (parsed.data.giveBack < 1) {
    throw new UserError(
      `data.giveBack is ${parsed.data.giveBack}, and a sweep compares trials by validation instances after all of their epochs; expected 1`,
      { options: ['data.giveBack'] },
    );
  }
  if (parsed.earlyStopping === undefined) return parsed;
  if (config.earlyStopping === undefined) {
    const { earlyStopping: _, ...whole } = parsed; // the recipe's, not the user's
    return whole;
  }
  throw new UserError(
    'earlyStopping is set, and a sweep compares trials after all of their epochs; leave it out, and search epochs instead',
  );
}

/** A sweep tunes one network: of a table, mlp unless another is named. */
function withNetwork(given: GivenConfig): GivenConfig {
  const isTable = isObject(given.data) && given.data.target !== undefined;
  return isTable && given.model === undefined ? { ...given, model: { name: 'mlp' } } : given;
}

/** What trials are compared by is held out to the end, unless the user says otherwise, which is refused. */
function withValidation(given: GivenConfig): GivenConfig {
  return isObject(given.data) ? { ...given, data: { giveBack: 1, ...given.data } } : given;
}

function withValue(config: GivenConfig, [key = '', ...rest]: readonly string[], value: unknown): GivenConfig {
  if (rest.length === 0) return { ...config, [key]: value };
  const section = Object.hasOwn(config, key) ? config[key] : undefined;
  return { ...config, [key]: withValue(isObject(section) ? section : {}, rest, value) };
}

function withoutValue(config: GivenConfig, [key = '', ...rest]: readonly string[]): GivenConfig {
  const { [key]: section, ...others } = config;
  return rest.length > 0 && isObject(section) ? { ...config, [key]: withoutValue(section, rest) } : others;
}

function isObject(value: unknown): value is GivenConfig {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
