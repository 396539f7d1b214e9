/**
 * Over-, under- and combined sampling for imbalanced classification, as in imbalanced-learn.
 *
 * @packageDocumentation
 */
export type { Labels, Values } from './arrays.js';
export { buildCategories, buildRows } from './build-rows.js';
export { type SmoteEnnOptions, smoteEnn, smoteTomek } from './combined/smote-and-cleaning.js';
export { type NeighbourOptions, nearestNeighbours, type SearchMethod } from './neighbours/nearest-neighbours.js';
export { adasyn } from './over-sampling/adasyn.js';
export { type BorderlineSmoteOptions, borderlineSmote } from './over-sampling/borderline-smote.js';
export { type KMeansSmoteOptions, kMeansSmote } from './over-sampling/k-means-smote.js';
export { type RandomOverSamplingOptions, randomOverSampling } from './over-sampling/random-over-sampling.js';
export { type OverSamplingOptions, type SmoteOptions, smote } from './over-sampling/smote.js';
export { type SmoteNCOptions, smoteNC } from './over-sampling/smote-nc.js';
export { smoteN } from './over-sampling/smoten.js';
export type { Resampled, SyntheticRows } from './resampled.js';
export type { Strategy, StrategyName } from './strategy.js';
export type { CleaningOptions } from './under-sampling/cleaning.js';
export { type ClusterCentroidsOptions, clusterCentroids } from './under-sampling/cluster-centroids.js';
export {
  type CondensedNearestNeighbourOptions,
  condensedNearestNeighbour,
} from './under-sampling/condensed-nearest-neighbour.js';
export {
  type Agreement,
  type AllKNearestNeighboursOptions,
  allKNearestNeighbours,
  type EditedNearestNeighboursOptions,
  editedNearestNeighbours,
  type RepeatedEditedNearestNeighboursOptions,
  repeatedEditedNearestNeighbours,
} from './under-sampling/edited-nearest-neighbours.js';
export { type InstanceHardnessOptions, instanceHardnessThreshold } from './under-sampling/instance-hardness.js';
export { type NearMissOptions, nearMiss } from './under-sampling/near-miss.js';
export { type NeighbourhoodCleaningOptions, neighbourhoodCleaning } from './under-sampling/neighbourhood-cleaning.js';
export { oneSidedSelection } from './under-sampling/one-sided-selection.js';
export { type RandomUnderSamplingOptions, randomUnderSampling } from './under-sampling/random-under-sampling.js';
export { tomekLinks } from './under-sampling/tomek-links.js';
