import { z } from 'zod';
import { UserError } from '../user-error.js';
import { describeIssue, faultsOf } from '../wording/schema-faults.js';
import { completeConfig, type GivenConfig } from './base-config.js';
import { checkSearch } from './check-search.js';
import { isList, type Parameter, parseDomain, searchError, sizeOf } from './domain.js';
import { SAMPLERS } from './samplers.js';

const count = z.int().min(1);

const DEFAULT_TRIALS = 30;
const DEFAULT_MIN_EPOCHS = 3;

const definitionSchema = z.strictObject({
  config: z.looseObject({}),
  search: z.record(z.string(), z.unknown()),
  sampler: z.enum(SAMPLERS).exactOptional(),
  trials: count.exactOptional(),
  draws: count.default(3),
  pruning: z.union([z.literal(false), z.strictObject({ minEpochs: count })]).exactOptional(),
  ahead: count.default(4),
});

/** What a user has to say about a sweep. */
export interface SweepInput {
  /** The configuration that all trials share; a `ConfigInput`, without what is searched. */
  readonly config: object;
  /** By the path of an option: a list of values, or a range `{ from, to, scale, integer }`. */
  readonly search: Readonly<Record<string, unknown>>;
  /** How values are chosen. @defaultValue `grid` if all combinations of lists are few enough, else `tpe` */
  readonly sampler?: SweepDefinition['sampler'];
  /** The number of trials, each with values of its own. @defaultValue 30; all combinations in a grid */
  readonly trials?: number;
  /** Times that a trial is trained, with another validation set and seed each. @defaultValue 3 */
  readonly draws?: number;
  /** Whether bad trials end early, and the fewest epochs that are trained all the same. @defaultValue after 3 epochs or more */
  readonly pruning?: SweepDefinition['pruning'];
  /** How many evaluations are decided on before the result of the first of them counts. @defaultValue 4 */
  readonly ahead?: number;
}

/** A sweep, complete: what `sweep.json` holds. It decides every result. */
export interface SweepDefinition {
  /** Complete too, but for what is searched, and for sections whose kind is. */
  readonly config: GivenConfig;
  readonly search: Readonly<Record<string, Parameter['domain']>>;
  readonly sampler: (typeof SAMPLERS)[number];
  readonly trials: number;
  readonly draws: number;
  readonly pruning: false | { readonly minEpochs: number };
  readonly ahead: number;
}

/**
 * Checks a sweep and fills in every default; what it gives can be given again.
 *
 * @param source - what a message calls it
 * @throws {@link UserError} for what cannot be searched, or could not be trained for some of the values
 */
export function parseSweep(given: unknown, source = 'the sweep'): SweepDefinition {
  const result = definitionSchema.safeParse(given, { error: describeIssue });
  if (!result.success) throw new UserError(`${source}: ${faultsOf(result.error, given).join('; ')}`);
  const { config, search, draws, ahead, ...chosen } = result.data;
  const parameters = Object.entries(search).map(([path, domain]) => ({ path, domain: parseDomain(path, domain) }));
  if (parameters.length === 0) {
    throw new UserError(
      `${source}: nothing is searched; expected an option and its values, such as "optimizer.learningRate": {"from": 0.001, "to": 0.3, "scale": "log"}`,
    );
  }
  const complete = completeConfig(config, parameters);
  checkSearch(complete, parameters);
  const { sampler, trials } = chooseSampler(parameters, chosen);
  const { pruning = sampler === 'grid' ? false : { minEpochs: DEFAULT_MIN_EPOCHS } } = chosen;
  if (sampler === 'grid' && pruning !== false) {
    throw new UserError(
      `${source}: a grid trains every combination to its end; leave pruning out, or take the sampler random`,
    );
  }
  const domains = Object.fromEntries(parameters.map(({ path, domain }) => [path, domain]));
  return { config: complete, search: domains, sampler, trials, draws, pruning, ahead };
}

/** The searched options in their order. */
export function parametersOf({ search }: Pick<SweepDefinition, 'search'>): Parameter[] {
  return Object.entries(search).map(([path, domain]) => ({ path, domain }));
}

function chooseSampler(
  parameters: readonly Parameter[],
  { sampler, trials }: Pick<z.output<typeof definitionSchema>, 'sampler' | 'trials'>,
): Pick<SweepDefinition, 'sampler' | 'trials'> {
  const combinations = parameters.reduce((product, { domain }) => product * sizeOf(domain), 1);
  const range = parameters.find(({ domain }) => !isList(domain));
  const name = sampler ?? (range === undefined && combinations <= (trials ?? DEFAULT_TRIALS) ? 'grid' : 'tpe');
  if (name === 'grid') {
    if (range !== undefined) {
      throw searchError(range.path, `a grid needs a list of values; expected such as ${range.path}=1,3,10`);
    }
    if (trials !== undefined && trials < combinations) {
      throw new UserError(
        `trials is ${trials}, and the grid has ${combinations} combinations; leave trials out, or take the sampler tpe or random`,
      );
    }
    return { sampler: name, trials: combinations };
  }
  const most = Math.min(trials ?? DEFAULT_TRIALS, combinations);
  if (trials !== undefined && trials > combinations) {
    throw new UserError(
      `trials is ${trials}, and there are only ${combinations} combinations; expected at most as many, or the sampler grid`,
    );
  }
  return { sampler: name, trials: most };
}
