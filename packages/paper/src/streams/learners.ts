import type { StreamOptionsInput } from 'evenhand/stream';

/** A learner of ours: what it is told beside the target and the seed. */
type OurOptions = Omit<StreamOptionsInput, 'target' | 'seed'>;

/** Our learners by name. All else is as it is by default: nothing was tuned on these streams. */
export const OUR_LEARNERS: Readonly<Record<string, OurOptions>> = {
  'one-hot': { method: 'one-hot', replay: 0 },
  enhancement: { method: 'enhancement', replay: 0 },
  'class-weights': { method: 'class-weights', replay: 0 },
  'balanced-enhancement': { method: 'balanced-enhancement', replay: 0 },
  'logit-adjustment': { method: 'logit-adjustment', replay: 0 },
  'one-hot, replay': { method: 'one-hot' },
  'enhancement, replay': { method: 'enhancement' },
  'logit-adjustment, replay': { method: 'logit-adjustment' },
  'over-bagging (OOB)': { method: 'over-bagging' },
  'under-bagging (UOB)': { method: 'under-bagging' },
};

/** What `scripts/stream_peers.py` trains. */
const PEERS = ['SGDClassifier, weighted', 'MLPClassifier', 'GaussianNB, equal priors'] as const;

/** All learners, in the order of the tables. */
export const LEARNERS: readonly string[] = [...Object.keys(OUR_LEARNERS), ...PEERS];
