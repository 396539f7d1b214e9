import { balancedEnhancement } from './balanced-enhancement.js';
import { balancedSoftmax } from './balanced-softmax.js';
import { classBalanced } from './class-balanced.js';
import { classWeights } from './class-weights.js';
import { confusionMargins } from './confusion-margins.js';
import { costSensitiveness } from './cost-sensitiveness.js';
import { enhancement } from './enhancement.js';
import { inverseFrequency } from './inverse-frequency.js';
import { ldam } from './ldam.js';
import { logitAdjustment } from './logit-adjustment.js';
import type { Method } from './method.js';
import { oneHot } from './one-hot.js';
import { overSampling } from './over-sampling.js';
import { postHocLogitAdjustment } from './post-hoc-logit-adjustment.js';
import { reWeighting } from './re-weighting.js';

/** Every method stands under its own name. */
function registry<Methods extends { readonly [Name in keyof Methods & string]: Method<Name> }>(
  methods: Methods,
): Readonly<Methods> {
  return methods;
}

/** All methods, by name. Tests are typed over these names. */
export const methods = registry({
  'one-hot': oneHot,
  enhancement,
  're-weighting': reWeighting,
  'cost-sensitiveness': costSensitiveness,
  'balanced-enhancement': balancedEnhancement,
  'confusion-margins': confusionMargins,
  'class-balanced': classBalanced,
  'inverse-frequency': inverseFrequency,
  'class-weights': classWeights,
  'logit-adjustment': logitAdjustment,
  'post-hoc-logit-adjustment': postHocLogitAdjustment,
  'balanced-softmax': balancedSoftmax,
  ldam,
  'over-sampling': overSampling,
});

/** A name in the registry of methods. */
export type MethodName = keyof typeof methods;

/** Whether there is a method of this name. */
export function isMethodName(name: string): name is MethodName {
  return Object.hasOwn(methods, name);
}
