import { balancedEnhancement } from './balanced-enhancement.js';
import { balancedMixup } from './balanced-mixup.js';
import { balancedSoftmax } from './balanced-softmax.js';
import { classBalanced } from './class-balanced.js';
import { classWeights } from './class-weights.js';
import { classWiseDifficulty } from './class-wise-difficulty.js';
import { classifierRetraining } from './classifier-retraining.js';
import { confusionMargins } from './confusion-margins.js';
import { costSensitiveness } from './cost-sensitiveness.js';
import { enhancement } from './enhancement.js';
import { influenceBalanced } from './influence-balanced.js';
import { inverseFrequency } from './inverse-frequency.js';
import { ldam } from './ldam.js';
import { learnedCosts } from './learned-costs.js';
import { learningToReweight } from './learning-to-reweight.js';
import { logitAdjustment } from './logit-adjustment.js';
import type { Method } from './method.js';
import { mixup } from './mixup.js';
import { oneHot } from './one-hot.js';
import { overSampling } from './over-sampling.js';
import { postHocLogitAdjustment } from './post-hoc-logit-adjustment.js';
import { reWeighting } from './re-weighting.js';
import { adasyn } from './resampling/adasyn.js';
import { balancedBagging } from './resampling/balanced-bagging.js';
import { borderlineSmote } from './resampling/borderline-smote.js';
import { clusterCentroids } from './resampling/cluster-centroids.js';
import { editedNearestNeighbours } from './resampling/edited-nearest-neighbours.js';
import { kMeansSmote } from './resampling/k-means-smote.js';
import { nearMiss } from './resampling/near-miss.js';
import { neighbourhoodCleaning } from './resampling/neighbourhood-cleaning.js';
import { oneSidedSelection } from './resampling/one-sided-selection.js';
import { ptBagging } from './resampling/pt-bagging.js';
import { randomUnderSampling } from './resampling/random-under-sampling.js';
import { rose } from './resampling/rose.js';
import { smote } from './resampling/smote.js';
import { smoteEnn } from './resampling/smote-enn.js';
import { smoteNC } from './resampling/smote-nc.js';
import { smoteTomek } from './resampling/smote-tomek.js';
import { tomek } from './resampling/tomek.js';
import { tauNormalisation } from './tau-normalisation.js';

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
  'class-wise-difficulty': classWiseDifficulty,
  'influence-balanced': influenceBalanced,
  'learning-to-reweight': learningToReweight,
  'logit-adjustment': logitAdjustment,
  'post-hoc-logit-adjustment': postHocLogitAdjustment,
  'tau-normalisation': tauNormalisation,
  'classifier-retraining': classifierRetraining,
  'balanced-softmax': balancedSoftmax,
  'learned-costs': learnedCosts,
  ldam,
  mixup,
  'balanced-mixup': balancedMixup,
  'over-sampling': overSampling,
  rose,
  smote,
  'smote-nc': smoteNC,
  'borderline-smote': borderlineSmote,
  'k-means-smote': kMeansSmote,
  adasyn,
  'random-under-sampling': randomUnderSampling,
  'balanced-bagging': balancedBagging,
  'pt-bagging': ptBagging,
  'near-miss': nearMiss,
  'cluster-centroids': clusterCentroids,
  tomek,
  'edited-nearest-neighbours': editedNearestNeighbours,
  'neighbourhood-cleaning': neighbourhoodCleaning,
  'one-sided-selection': oneSidedSelection,
  'smote-tomek': smoteTomek,
  'smote-enn': smoteEnn,
});

/** A name in the registry of methods. */
export type MethodName = keyof typeof methods;

/** Whether there is a method of this name. */
export function isMethodName(name: string): name is MethodName {
  return Object.hasOwn(methods, name);
}
