import { z } from 'zod';
import { at } from '../checked-access.js';
import { objectiveSchema } from '../decision/objective.js';
import { type MethodName, methods } from '../methods/registry.js';
import { imbalanceProfileSchema } from '../splits/imbalance/imbalance-profile.js';
import { DEFAULT_TEST_SHARE, DEFAULT_VALIDATION_PER_CLASS } from '../splits/split-options.js';
import { GIVEN_TYPES } from '../tables/column-typing.js';

/** `name` of a section that does not say which one of its kinds it is. */
export const DEFAULT_NAMES = {
  method: 'enhancement',
  loss: 'cross-entropy',
  optimizer: 'adamw',
  schedule: 'cosine',
} as const;

/** What a network can be trained on. */
export const DEVICES = ['cpu', 'cuda', 'webgpu', 'dml', 'coreml'] as const;

/** The share of the epochs after which held-out instances train too, unless another is given. */
export const GIVE_BACK = 0.67;

const DEFAULT_BATCH_SIZE = 128;

const count = z.int().min(1);
const countFromZero = z.int().min(0);
const share = z.number().gt(0).lt(1);
const shareFromZero = z.number().min(0).lt(1);
const text = z.string().min(1);

const dataSchema = z.strictObject({
  source: text.describe(
    'a CSV, TSV, JSON lines or Parquet file (text also as .gz; - is stdin), a folder of images, or a known data set: mnist, fashion-mnist, cifar10, caltech101',
  ),
  target: text.exactOptional().describe("a table's column with the class"),
  missingLabels: z.enum(['refuse', 'drop']).default('refuse').describe('what to do with rows without a class'),
  missingValues: z.enum(['impute', 'refuse']).default('impute').describe('what to do with missing features'),
  ignore: z.array(text).exactOptional().describe('columns to leave out'),
  types: z
    .record(text, z.enum(GIVEN_TYPES))
    .exactOptional()
    .describe('types of columns, instead of the detected ones: numeric, categorical, date, or text, which is left out'),
  invalidCells: z
    .enum(['missing', 'refuse'])
    .exactOptional()
    .describe(
      'what to do with a few cells that are not numbers in a column of numbers, or not dates in a column of dates (by default they are missing values)',
    ),
  delimiter: z
    .enum(['comma', 'semicolon', 'tab', 'pipe'])
    .exactOptional()
    .describe('the delimiter of a text file (detected unless given)'),
  decimal: z.enum(['point', 'comma']).exactOptional().describe('the decimal sign of numbers (detected unless given)'),
  rareClasses: z
    .enum(['keep', 'refuse', 'merge', 'drop'])
    .default('keep')
    .describe('classes with too few instances to split (keep: train on them but leave them out of the test)'),
  imageSize: count
    .exactOptional()
    .describe(
      'height and width to which images are resized, in pixels; by default their own size if all have the same of at most 64, else 32',
    ),
  group: text
    .exactOptional()
    .describe('a column; rows with the same value stay on the same side of a split, and it is not used as a feature'),
  duplicatesTogether: z
    .boolean()
    .default(true)
    .describe('whether instances with the same features stay on the same side of a split'),
  testShare: shareFromZero
    .exactOptional()
    .describe(
      `share of the instances for the test set; if left out, the source's own test set, or ${DEFAULT_TEST_SHARE} if it has none; 0 with folds: train on everything and estimate out of fold`,
    ),
  testPerClass: count.exactOptional().describe('test instances of every class, instead of a share'),
  validationPerClass: count.default(DEFAULT_VALIDATION_PER_CLASS).describe('validation instances of every class'),
  giveBack: z
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe(
      `share of the epochs after which the validation instances join the training set and the labels no longer change; 1: never, as published; 0: nothing is held out (only for methods that do not measure). By default ${GIVE_BACK} for methods that measure, such as enhancement, and 0 for others, but 1 with folds, early stopping or a fitted decision`,
    ),
  validationDraw: countFromZero
    .exactOptional()
    .describe(
      'which validation instances are drawn from the training set: another number, other instances; for tuning on several draws',
    ),
  splitSeed: countFromZero
    .default(0)
    .describe('seed of the split and the imbalance; the same for all runs that are compared'),
  imbalance: imbalanceProfileSchema
    .exactOptional()
    .describe('how a balanced training set is made imbalanced, for experiments'),
});

const logitNorm = z.boolean().default(true).describe('batch normalisation directly before the softmax');
const dropout = z.number().min(0).lt(1).default(0).describe('dropout rate');
const transformer = {
  logitNorm,
  dropout,
  patch: count.default(4).describe('height and width of a patch'),
  width: count.default(128).describe('features per token'),
  depth: count.default(6).describe('number of blocks'),
  heads: count.default(4).describe('number of attention heads'),
  mlpRatio: z.number().gt(0).default(2).describe("hidden units per feature in a block's perceptron"),
};

/** The engine's models; their shapes come from the data. */
const NETWORKS = [
  z.strictObject({
    name: z.literal('mlp'),
    logitNorm,
    dropout,
    hidden: z.array(count).default([128, 64]).describe('units of the hidden layers'),
  }),
  z.strictObject({
    name: z.literal('tabular'),
    logitNorm: logitNorm.default(false),
    dropout: dropout.default(0.15),
    hidden: z.array(count).default([256, 256, 256]).describe('units of the hidden layers'),
    periodic: z.boolean().default(true).describe('add learned cosines of every number (periodic embeddings)'),
  }),
  z.strictObject({
    name: z.literal(['lenet5', 'resnet20', 'resnet32', 'resnet44', 'resnet56', 'resnet18', 'resnet34']),
    logitNorm,
  }),
  z.strictObject({ name: z.literal('vit'), ...transformer }),
  z.strictObject({
    name: z.literal('eanet'),
    ...transformer,
    memory: count.default(64).describe('number of memory units'),
  }),
] as const;

const networkSchema = z.discriminatedUnion('name', NETWORKS);

/** Boosted trees; what is not here is as in `@evenhand/trees`. */
const treesSchema = z.strictObject({
  name: z.literal('trees'),
  learningRate: z
    .number()
    .gt(0)
    .max(1)
    .exactOptional()
    .describe(
      'learning rate of boosting: every tree is multiplied by it; by default 0.05, and 0.1 with more than 10,000 training rows',
    ),
  leaves: z
    .int()
    .min(2)
    .max(65_536)
    .exactOptional()
    .describe('largest number of leaves of a tree; by default one for every 128 training rows, from 8 to 31'),
  minimalLeafRows: count.default(5).describe('smallest number of training rows in a leaf'),
  l2: z.number().min(0).default(1).describe('λ, the L2 penalty on leaf values: a leaf has the value −G/(H + λ)'),
  rowShare: z.number().gt(0).max(1).default(0.8).describe('share of the rows that a round uses'),
  columnShare: z.number().gt(0).max(1).default(0.7).describe('share of the columns that a tree may use'),
  roundsPerEpoch: count.default(5).describe('rounds of boosting per epoch; the trees are measured after each epoch'),
});

const LEARNERS = [...NETWORKS, treesSchema] as const;
const learnerSchema = z.discriminatedUnion('name', LEARNERS);
const modelSchema = z.discriminatedUnion('name', [z.strictObject({ name: z.literal('auto') }), ...LEARNERS]);

// A union must be seen to have a first member.
const { 'one-hot': plain, ...others } = methods;
const methodSchema = z.discriminatedUnion('name', [
  plain.section,
  ...Object.values(others).map(({ section }) => section),
]);

const lossSchema = z.discriminatedUnion('name', [
  z.strictObject({ name: z.literal(['cross-entropy', 'mean-square-error', 'hinge']) }),
  z.strictObject({
    name: z.literal('focal'),
    gamma: z.number().min(0).default(2).describe('γ: how strongly well-predicted instances are down-weighted'),
  }),
]);

const learningRate = z.number().gt(0).describe('the highest learning rate; the schedule decides how it changes');
const weightDecay = z.number().min(0).describe('weight decay');
const clipNorm = z
  .number()
  .gt(0)
  .exactOptional()
  .describe('largest norm of the gradient; larger gradients are scaled down to this norm');

const beta2 = z
  .number()
  .min(0)
  .lt(1)
  .exactOptional()
  .describe(
    'decay rate of the second moment of the gradients, β₂; by default 0.999, and 0.95 for models auto and tabular',
  );

const optimizerSchema = z.discriminatedUnion('name', [
  z.strictObject({
    name: z.literal('sgd'),
    learningRate: learningRate.default(0.05),
    momentum: z.number().min(0).lt(1).default(0.9).describe('momentum'),
    weightDecay: weightDecay.default(5e-4),
    clipNorm,
  }),
  z.strictObject({
    name: z.literal('adam'),
    learningRate: learningRate.default(1e-3),
    weightDecay: weightDecay.default(0),
    beta2,
    clipNorm,
  }),
  z.strictObject({
    name: z.literal('adamw'),
    learningRate: learningRate.default(1e-3),
    weightDecay: weightDecay.default(0.01),
    beta2,
    clipNorm,
  }),
]);

const warmUpEpochs = countFromZero.default(0).describe('number of epochs over which the learning rate rises');

const scheduleSchema = z.discriminatedUnion('name', [
  z.strictObject({ name: z.literal(['constant', 'cosine']), warmUpEpochs }),
  z.strictObject({
    name: z.literal('multi-step'),
    warmUpEpochs,
    milestones: z
      .array(count)
      .refine((epochs) => epochs.every((epoch, i) => i === 0 || epoch > at(epochs, i - 1)), {
        error: 'expected epochs in rising order',
      })
      .describe('epochs at which the learning rate falls'),
    factor: share.default(0.1).describe('factor by which the learning rate is multiplied at each milestone'),
  }),
  z.strictObject({ name: z.literal('one-cycle') }),
  z.strictObject({ name: z.literal('waves') }),
]);

/** How networks go through the data; trees have nothing like it. With the values that stand in a configuration of trees. */
const OF_NETWORKS = {
  optimizer: optimizerSchema.parse({ name: DEFAULT_NAMES.optimizer }),
  schedule: scheduleSchema.parse({ name: DEFAULT_NAMES.schedule }),
  batchSize: DEFAULT_BATCH_SIZE,
};

const augmentationSchema = z.strictObject({
  padding: countFromZero.default(4).describe('random shifts of up to this many pixels'),
  flip: z.boolean().default(true).describe('mirror half of the images, at random, left to right'),
});

const earlyStoppingSchema = z.strictObject({
  patience: count.default(10).describe('epochs without a better validation result before training stops'),
});

const decisionSchema = z.strictObject({
  temperature: z
    .boolean()
    .default(false)
    .describe(
      'calibrate the probabilities (temperature scaling, with a bias per class); always done with an objective',
    ),
  objective: objectiveSchema
    .exactOptional()
    .describe(
      'what the answers are optimised for: balanced-accuracy, macro-f1, accuracy, {"costs": [[0, 1], [5, 0]]} (rows: true classes; columns: answers) ' +
        'or {"recallAtPrecision": 0.9, "class": "fraud"}; by default balanced-accuracy with folds; without folds, the answer is the likeliest class',
    ),
});

/** A member of a portfolio, with what is different in its training. */
const memberSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/, { error: 'expected lower-case letters, digits and hyphens: it names a folder' })
    .describe('its name'),
  model: learnerSchema.describe('the network, or trees'),
  optimizer: optimizerSchema.exactOptional().describe('its own optimizer'),
  schedule: scheduleSchema.exactOptional().describe('its own schedule'),
  labelSmoothing: shareFromZero.exactOptional().describe('its own label smoothing'),
  epochs: count.exactOptional().describe('its own number of epochs'),
  batchSize: count.exactOptional().describe('its own batch size'),
  earlyStopping: earlyStoppingSchema.exactOptional().describe('its own early stopping'),
});

/**
 * All that a run is told: the one source of its checks, types, defaults and documentation. {@link parseConfig} fills in
 * what depends on the rest, the model and the threads, before it applies this.
 */
export const configSchema = z
  .strictObject({
    data: dataSchema,
    model: modelSchema.describe(
      'what is trained: a network, boosted trees, or auto, a portfolio of a linear model, trees and a network (by default auto for tables, lenet5 for MNIST, resnet20 for other images)',
    ),
    portfolio: z
      .array(memberSchema)
      .min(1)
      .exactOptional()
      .describe('the members of model auto; their probabilities are mixed according to how good they are out of fold'),
    time: z
      .number()
      .gt(0)
      .exactOptional()
      .describe('time limit of training in seconds; it then stops at the end of an epoch'),
    method: methodSchema
      .prefault({ name: DEFAULT_NAMES.method })
      .describe(
        'how to deal with imbalance (by default logit-adjustment, and enhancement for model mlp; the weights of class-balanced saturate for classes above 10,000 instances: 396,000 against 4,000 are weighted 1 : 3, by inverse-frequency 1 : 99)',
      ),
    loss: lossSchema.prefault({ name: DEFAULT_NAMES.loss }).describe('the loss function'),
    optimizer: optimizerSchema.prefault({ name: DEFAULT_NAMES.optimizer }).describe('the optimizer'),
    schedule: scheduleSchema.prefault({ name: DEFAULT_NAMES.schedule }).describe('the learning rate over the epochs'),
    folds: count
      .default(1)
      .describe(
        'number of networks that are trained side by side on a table; each leaves out one fold of the training rows and is measured on it; 1: one network, measured on the validation rows. By default 8 for models auto and trees, else 1',
      ),
    refit: z
      .boolean()
      .exactOptional()
      .describe(
        'with folds: train once more on all training rows, for the number of epochs that was best out of fold, and make this the model; estimates remain out of fold',
      ),
    labelSmoothing: shareFromZero
      .exactOptional()
      .describe('label smoothing: share of every label that is spread over all classes'),
    epochs: count.default(60).describe('number of epochs; by default 60, and 48 for networks of the models auto and tabular'),
    batchSize: count.default(DEFAULT_BATCH_SIZE).describe('instances per step'),
    augmentation: augmentationSchema.exactOptional().describe('random changes to training images'),
    earlyStopping: earlyStoppingSchema.exactOptional().describe('stop when the validation result no longer improves'),
    decision: decisionSchema.prefault({}).describe('how probabilities become answers; fitted on the validation set'),
    seed: countFromZero.default(0).describe('seed of the initial weights and the order of the instances'),
    threads: count.describe(
      'number of threads per run (by default as many as the machine has, at most 8); with fewer, several runs are trained at once on the cpu',
    ),
    device: z.enum(DEVICES).default('cpu').describe('device'),
  })
  .check(({ value: { model, folds, portfolio, refit }, issues }) => {
    const refuse = (option: string, input: unknown, message: string) =>
      issues.push({ code: 'custom', path: [option], input, message });
    if (model.name === 'auto' && folds === 1) {
      refuse(
        'folds',
        folds,
        'expected at least 2 with model "auto", whose networks are mixed according to how good they are out of fold',
      );
    }
    if (refit === true && folds === 1) {
      refuse(
        'refit',
        refit,
        'expected false, or folds of at least 2: without folds there is no number of epochs that is best out of fold',
      );
    }
    if (model.name !== 'auto' && portfolio !== undefined) {
      refuse('portfolio', portfolio, `expected none with model "${model.name}"; it is for model "auto"`);
    }
    const names = portfolio?.map(({ name }) => name) ?? [];
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined) refuse('portfolio', portfolio, `expected different names; "${twice}" is there twice`);
  })
  .check(({ value: { data, method, earlyStopping, decision, folds }, issues }) => {
    const { giveBack } = data;
    const refuse = (message: string) =>
      issues.push({ code: 'custom', path: ['data', 'giveBack'], input: giveBack, message });
    if (giveBack === 1) return;
    if (folds > 1) refuse('expected 1 with folds, where nothing is held out');
    else if (earlyStopping !== undefined)
      refuse('expected 1 with early stopping, which needs instances that are never trained on');
    else if (decision.temperature || decision.objective !== undefined)
      refuse('expected 1 with a fitted decision, which needs instances that are never trained on');
    else if (giveBack === 0 && methods[method.name].measures === true)
      refuse(`expected more than 0 with the method "${method.name}", which measures held-out instances`);
  })
  .check(({ value, issues }) => {
    if (value.model.name !== 'trees') return;
    for (const option of ['optimizer', 'schedule', 'batchSize'] as const) {
      if (JSON.stringify(value[option]) === JSON.stringify(OF_NETWORKS[option])) continue;
      const message =
        'expected none with model "trees": it is for networks. The learning rate of trees is model.learningRate';
      issues.push({ code: 'custom', path: [option], input: value[option], message });
    }
  })
  .check(({ value: { epochs, schedule }, issues }) => {
    const warmUp = 'warmUpEpochs' in schedule ? schedule.warmUpEpochs : 0;
    const refuse = (option: string, message: string) =>
      issues.push({ code: 'custom', path: ['schedule', option], input: schedule, message });
    if (warmUp > 0 && warmUp >= epochs) refuse('warmUpEpochs', `expected less than all ${epochs} epochs`);
    if (schedule.name === 'multi-step' && (schedule.milestones[0] ?? warmUp) < warmUp) {
      refuse('milestones', `expected epochs from ${warmUp} on, when the warm-up is over`);
    }
  });

/** A complete configuration: every option has its value. */
export type Config = z.output<typeof configSchema>;

type SharedConfig = Omit<Config, 'model' | 'portfolio'>;

/** A complete configuration of one network, or of one pack. */
export interface NetworkConfig extends SharedConfig {
  readonly model: z.output<typeof networkSchema>;
}

/** A complete configuration of boosted trees. */
export interface TreesConfig extends SharedConfig {
  readonly model: z.output<typeof treesSchema>;
}

/** A complete configuration of what is trained in a run of its own. */
export type LearnerConfig = NetworkConfig | TreesConfig;

/** A configuration of one learner. */
export function learnerConfig(shared: SharedConfig, model: z.output<typeof learnerSchema>): LearnerConfig {
  return model.name === 'trees' ? { ...shared, ...OF_NETWORKS, model } : { ...shared, model };
}

export function isOfTrees(config: LearnerConfig): config is TreesConfig {
  return config.model.name === 'trees';
}

type Given = z.input<typeof configSchema>;

/** The models that are taken if none is named; the data decides which. */
export type DefaultModel = 'auto' | 'mlp' | 'lenet5' | 'resnet20';

type DefaultNames = typeof DEFAULT_NAMES & { readonly model: DefaultModel };

/** Sections that may leave out their name. They have the options of the default kind then. */
type GivenSections = {
  [Section in keyof DefaultNames]?:
    | NameOptional<NonNullable<Given[Section]>, DefaultNames[Section]>
    | AnyOf<Section>
    | undefined;
};

/** A variable for the name of any method: the compiler tells no more than 25 kinds apart by one. */
type AnyOf<Section> = Section extends 'method' ? { name: MethodName } : never;

type NameOptional<Kinds, Name> = Kinds | WithoutName<Kinds, Name, Kinds>;

/** Those kinds that are called `Name`, without it. Options of other kinds are mistakes, which the name would show otherwise. */
type WithoutName<Kind, Name, Kinds> = Kind extends { name: infer Own }
  ? [Extract<Own, Name>] extends [never]
    ? never
    : Omit<Kind, 'name'> & { [Key in 'name' | Exclude<KeyOfAny<Kinds>, keyof Kind>]?: never }
  : never;

type KeyOfAny<Kinds> = Kinds extends unknown ? keyof Kinds : never;

/** What a user has to say: the data, and whatever should differ from the defaults. */
export interface ConfigInput extends Omit<Given, keyof GivenSections | 'threads'>, GivenSections {
  /** Threads that compute; as many as the machine runs at once, at most 8. */
  threads?: number | undefined;
}

/** JSON Schema of what {@link parseConfig} takes, for editors and option lists. */
export function configJsonSchema() {
  const schema = z.toJSONSchema(configSchema, {
    io: 'input',

    override: ({ jsonSchema }) => leaveOutName(jsonSchema),
  });
  return { ...schema, required: ['data'] };
}

/** Default kinds. All options of the models that may be the default are among those of mlp. */
const NAMES_LEFT_OUT: readonly unknown[] = [...Object.values(DEFAULT_NAMES), 'auto', 'mlp'];

function leaveOutName(schema: z.core.JSONSchema.BaseSchema): void {
  const name = schema.properties?.name;
  if (typeof name !== 'object' || ![name.const, ...(name.enum ?? [])].some((one) => NAMES_LEFT_OUT.includes(one)))
    return;
  schema.required = schema.required?.filter((key) => key !== 'name') ?? [];
}
