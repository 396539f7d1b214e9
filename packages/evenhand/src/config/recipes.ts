/** What is different in a configuration for some models, where nothing else is said. */
type Recipe = Readonly<Record<string, unknown>>;

/** Networks for tables, after RealMLP (Holzmüller et al. 2024). */
const TABLE: Recipe = {
  method: { name: 'logit-adjustment' },
  optimizer: { name: 'adamw', learningRate: 0.04, weightDecay: 0.02, beta2: 0.95 },
  schedule: { name: 'waves' },
  labelSmoothing: 0.1,
  epochs: 48,
  earlyStopping: { patience: 24 },
};

/** How long trees are boosted: by rounds, of which a network has nothing. */
const BOOSTING: Recipe = { epochs: 60, earlyStopping: { patience: 10 } };

/** Boosted trees. */
const TREES: Recipe = { method: { name: 'logit-adjustment' }, folds: 8, ...BOOSTING };

/** @param given - the configuration: what it says of the length of training is said of every member */
function portfolioRecipe(given: Recipe): Recipe {
  const boosting = Object.entries(BOOSTING).filter(([option]) => given[option] === undefined);
  return {
    folds: 8,
    portfolio: [
      {
        name: 'linear',
        model: { name: 'mlp', hidden: [], logitNorm: false },
        optimizer: { name: 'adamw', learningRate: 0.03, weightDecay: 0.01 },
        schedule: { name: 'cosine' },
        labelSmoothing: 0,
      },
      { name: 'trees', model: { name: 'trees' }, labelSmoothing: 0, ...Object.fromEntries(boosting) },
      { name: 'tabular', model: { name: 'tabular', hidden: [128, 128] } },
    ],
  };
}

/** Networks for images: the best on long-tailed MNIST where every method gets the same images (docs/method.md), and nothing is held out. */
const IMAGES: Recipe = { method: { name: 'logit-adjustment' } };

/**
 * The recipe of a model. A perceptron by itself is trained as in the paper.
 *
 * @param given - the configuration as far as it is given
 */
export function recipeOf(model: unknown, given: Recipe): Recipe {
  if (model === 'auto') return { ...TABLE, ...portfolioRecipe(given) };
  if (model === 'tabular') return TABLE;
  if (model === 'trees') return TREES;
  return model === 'mlp' ? {} : IMAGES;
}
