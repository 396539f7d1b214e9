import {
  adasyn,
  allKNearestNeighbours,
  borderlineSmote,
  clusterCentroids,
  condensedNearestNeighbour,
  editedNearestNeighbours,
  instanceHardnessThreshold,
  kMeansSmote,
  type Labels,
  nearMiss,
  neighbourhoodCleaning,
  oneSidedSelection,
  type Resampled,
  randomOverSampling,
  randomUnderSampling,
  repeatedEditedNearestNeighbours,
  type Strategy,
  smote,
  smoteEnn,
  smoteN,
  smoteNC,
  smoteTomek,
  tomekLinks,
  type Values,
} from '../src/index.js';

interface CommonOptions {
  readonly seed: number;
  readonly strategy?: Strategy;
  readonly lenient?: boolean;
}

/** A method as the common checks see it. */
export interface Method {
  readonly name: string;
  readonly kind: 'over-sampling' | 'under-sampling' | 'cleaning' | 'combined';
  readonly run: (features: Values, labels: Labels, options: CommonOptions) => Resampled;
  /** Nothing about it is random. */
  readonly deterministic?: true;
  /** How many rows the smallest class must have: one more than there are neighbours. */
  readonly leastRows?: number;
  /** Numbers of rows come out as asked for; not for methods that round row by row, or depend on what they find. */
  readonly exact?: true;
  /** May have missing numbers. */
  readonly anyNumbers?: true;
}

/** Probabilities for methods that take them instead of features: how near a row is to the mean of each class, made to sum to 1. */
function probabilitiesOf(features: Values, labels: Labels): Float64Array {
  const columns = features.length / labels.length;
  const classes = Math.max(...Array.from(labels, Number)) + 1;
  return Float64Array.from({ length: labels.length * classes }, (_, i) => {
    const value = features[(Math.floor(i / classes) + 1) * columns - 1] ?? 0;
    return Number.isFinite(value) ? 1 / (1 + Math.abs(value - (i % classes))) : Number.NaN;
  });
}

/** Every method, in the variants that differ in how they work. */
export const methods: readonly Method[] = [
  { name: 'randomOverSampling', kind: 'over-sampling', run: randomOverSampling, exact: true, anyNumbers: true },
  {
    name: 'randomOverSampling with shrinkage',
    kind: 'over-sampling',
    run: (x, y, options) => randomOverSampling(x, y, { ...options, shrinkage: 1 }),
    exact: true,
  },
  { name: 'smote', kind: 'over-sampling', run: smote, exact: true, leastRows: 6 },
  {
    name: 'smoteNC',
    kind: 'over-sampling',
    run: (x, y, options) => smoteNC(x, y, { ...options, categorical: [0] }),
    exact: true,
    leastRows: 6,
  },
  { name: 'smoteN', kind: 'over-sampling', run: smoteN, exact: true, leastRows: 6 },
  { name: 'borderlineSmote 1', kind: 'over-sampling', run: borderlineSmote, leastRows: 6 },
  {
    name: 'borderlineSmote 2',
    kind: 'over-sampling',
    run: (x, y, options) => borderlineSmote(x, y, { ...options, variant: 2 }),
    leastRows: 6,
  },
  {
    name: 'kMeansSmote',
    kind: 'over-sampling',
    run: (x, y, options) => kMeansSmote(x, y, { ...options, clusters: 2, balanceThreshold: 0 }),
    leastRows: 6,
  },
  { name: 'adasyn', kind: 'over-sampling', run: adasyn, leastRows: 6 },
  { name: 'randomUnderSampling', kind: 'under-sampling', run: randomUnderSampling, exact: true, anyNumbers: true },
  {
    name: 'randomUnderSampling with replacement',
    kind: 'under-sampling',
    run: (x, y, options) => randomUnderSampling(x, y, { ...options, replacement: true }),
    exact: true,
    anyNumbers: true,
  },
  ...([1, 2, 3] as const).map(
    (version): Method => ({
      name: `nearMiss ${version}`,
      kind: 'under-sampling',
      run: (x, y, { seed: _, ...options }) => nearMiss(x, y, { version, ...options }),
      deterministic: true,
      leastRows: 3,
      ...(version < 3 && { exact: true }),
    }),
  ),
  {
    name: 'instanceHardnessThreshold',
    kind: 'under-sampling',
    run: (x, y, options) => instanceHardnessThreshold(probabilitiesOf(x, y), y, options),
    deterministic: true,
  },
  { name: 'clusterCentroids', kind: 'under-sampling', run: clusterCentroids, exact: true },
  {
    name: 'clusterCentroids with hard voting',
    kind: 'under-sampling',
    run: (x, y, options) => clusterCentroids(x, y, { ...options, voting: 'hard' }),
    exact: true,
  },
  { name: 'tomekLinks', kind: 'cleaning', run: tomekLinks, deterministic: true },
  { name: 'editedNearestNeighbours', kind: 'cleaning', run: editedNearestNeighbours, deterministic: true },
  {
    name: 'repeatedEditedNearestNeighbours',
    kind: 'cleaning',
    run: repeatedEditedNearestNeighbours,
    deterministic: true,
  },
  { name: 'allKNearestNeighbours', kind: 'cleaning', run: allKNearestNeighbours, deterministic: true },
  { name: 'neighbourhoodCleaning', kind: 'cleaning', run: neighbourhoodCleaning, deterministic: true },
  { name: 'condensedNearestNeighbour', kind: 'cleaning', run: condensedNearestNeighbour },
  { name: 'oneSidedSelection', kind: 'cleaning', run: oneSidedSelection },
  { name: 'smoteTomek', kind: 'combined', run: smoteTomek, leastRows: 6 },
  { name: 'smoteEnn', kind: 'combined', run: smoteEnn, leastRows: 6 },
];
