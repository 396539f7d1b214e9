import type { Model } from '../network/network.js';
import type { ModelOptions } from './define.js';
import { lenet5 } from './lenet.js';
import { type MlpOptions, mlp } from './mlp.js';
import { resnet18, resnet20, resnet32, resnet34, resnet44, resnet56 } from './resnet.js';
import { type TabularOptions, tabular } from './tabular.js';
import { type EanetOptions, eanet, type VitOptions, vit } from './transformer.js';

/** What each model can be told, by the model's name. */
export interface OptionsOfModels {
  readonly mlp: MlpOptions;
  readonly tabular: TabularOptions;
  readonly lenet5: ModelOptions;
  readonly resnet20: ModelOptions;
  readonly resnet32: ModelOptions;
  readonly resnet44: ModelOptions;
  readonly resnet56: ModelOptions;
  readonly resnet18: ModelOptions;
  readonly resnet34: ModelOptions;
  readonly vit: VitOptions;
  readonly eanet: EanetOptions;
}

/** A name in the registry of models. */
export type ModelName = keyof OptionsOfModels;

/** All models, by name. */
export const models: { readonly [Name in ModelName]: (options: OptionsOfModels[Name]) => Model } = {
  mlp,
  tabular,
  lenet5,
  resnet20,
  resnet32,
  resnet44,
  resnet56,
  resnet18,
  resnet34,
  vit,
  eanet,
};

/** Whether there is a model of this name. */
export function isModelName(name: string): name is ModelName {
  return Object.hasOwn(models, name);
}

/**
 * A model by its name.
 *
 * @example
 * ```ts
 * const model = createModel('mlp', { input: [30], classes: 10, hidden: [64], dropout: 0.1 });
 * ```
 */
export function createModel<Name extends ModelName>(name: Name, options: OptionsOfModels[Name]): Model {
  if (!isModelName(name)) {
    throw new RangeError(`model is "${String(name)}"; expected one of ${Object.keys(models).join(', ')}`);
  }
  return models[name](options);
}
