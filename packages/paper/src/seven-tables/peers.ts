/** What `scripts/peers.py` trains. */
interface Peer {
  readonly library: 'scikit-learn' | 'imbalanced-learn';
  /** Whether it is told to weigh classes by their rarity: `class_weight="balanced"`. */
  readonly classWeighted: boolean;
}

export const PEERS: Readonly<Record<string, Peer>> = {
  LogisticRegression: { library: 'scikit-learn', classWeighted: true },
  RandomForest: { library: 'scikit-learn', classWeighted: true },
  HistGradientBoosting: { library: 'scikit-learn', classWeighted: true },
  SVC: { library: 'scikit-learn', classWeighted: true },
  MLPClassifier: { library: 'scikit-learn', classWeighted: false },
  BalancedRandomForest: { library: 'imbalanced-learn', classWeighted: false },
  BalancedBagging: { library: 'imbalanced-learn', classWeighted: false },
  EasyEnsemble: { library: 'imbalanced-learn', classWeighted: false },
  RUSBoost: { library: 'imbalanced-learn', classWeighted: false },
  'SMOTE + LogisticRegression': { library: 'imbalanced-learn', classWeighted: false },
};
