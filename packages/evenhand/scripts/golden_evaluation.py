#!/usr/bin/env python3
"""Golden values for src/evaluation, from scikit-learn 1.2, imbalanced-learn 0.10 and SciPy 1.10 (Debian's packages).

    python3 packages/evenhand/scripts/golden_evaluation.py > packages/evenhand/test/golden/evaluation.json
"""
import json
import sys
import warnings

import imblearn
import numpy as np
import scipy
import sklearn
from imblearn.metrics import geometric_mean_score
from scipy import stats
from sklearn import metrics

warnings.filterwarnings("ignore")
random = np.random.default_rng(20)


def confusion_case(classes, absent):
    """A confusion matrix and what the libraries say of the instances behind it."""
    matrix = random.integers(0, 30, (classes, classes)) + np.diag(random.integers(5, 60, classes))
    matrix[absent] = 0
    cells = [(p, q) for p in range(classes) for q in range(classes)]
    labels = np.repeat([p for p, _ in cells], matrix.ravel())
    predictions = np.repeat([q for _, q in cells], matrix.ravel())
    present = sorted(set(labels))
    minority = sorted(random.choice(present, max(1, len(present) // 2), replace=False).tolist())
    recall = metrics.recall_score(labels, predictions, labels=range(classes), average=None, zero_division=0)
    rare = np.isin(labels, minority)
    return dict(
        classes=classes, confusion=matrix.ravel().tolist(), minority=minority,
        accuracy=metrics.accuracy_score(labels, predictions),
        balancedAccuracy=metrics.balanced_accuracy_score(labels, predictions),
        macroF1=metrics.f1_score(labels, predictions, labels=present, average="macro"),
        gMean=geometric_mean_score(labels, predictions, labels=present, average="multiclass"),
        minorityAccuracy=metrics.accuracy_score(labels[rare], predictions[rare]),
        matthewsCorrelation=metrics.matthews_corrcoef(labels, predictions),
        recall=[recall[p] if p in present else None for p in range(classes)],
    )


def ranking_case(ranks):
    """Weights of distinct scores, from the highest down; some are 0, as in a resample."""
    positive, negative = random.poisson(0.8, ranks), random.poisson(1.2, ranks)
    positive[-1] += 1
    negative[0] += 1
    labels = np.repeat([1, 0], ranks)
    scores = np.tile(np.linspace(1, 0, ranks), 2)
    weights = np.concatenate([positive, negative])
    return dict(
        positive=positive.tolist(), negative=negative.tolist(),
        rocAuc=metrics.roc_auc_score(labels, scores, sample_weight=weights),
        averagePrecision=metrics.average_precision_score(labels, scores, sample_weight=weights),
    )


def percentile_case(draws):
    values = random.normal(size=draws)
    return dict(values=values.tolist(), low=np.percentile(values, 2.5), high=np.percentile(values, 97.5))


def tail_case(t, freedom):
    return dict(t=t, freedom=freedom, p=2 * stats.t.sf(abs(t), freedom))


def paired_case(pairs, shift):
    ours = np.round(random.normal(0.9 + shift, 0.02, pairs), 3)
    theirs = np.round(random.normal(0.9, 0.02, pairs), 3)
    flips = stats.permutation_test((ours, theirs), lambda a, b, axis: np.mean(a - b, axis=axis), vectorized=True,
                                   permutation_type="samples", n_resamples=2**pairs)
    return dict(
        ours=ours.tolist(), theirs=theirs.tolist(), meanDifference=np.mean(ours - theirs),
        standardDeviation=np.std(ours - theirs, ddof=1), tTest=stats.ttest_rel(ours, theirs).pvalue,
        signFlipTest=flips.pvalue,
    )


def wilson_case(hits, trials):
    interval = stats.binomtest(hits, trials).proportion_ci(confidence_level=0.95, method="wilson")
    return dict(hits=hits, trials=trials, low=interval.low, high=interval.high)


if __name__ == "__main__":
    golden = dict(
        madeWith=f"scikit-learn {sklearn.__version__}, imbalanced-learn {imblearn.__version__}, SciPy {scipy.__version__}",
        confusion=[confusion_case(classes, absent) for classes, absent in
                   [(2, []), (3, []), (5, [3]), (10, []), (10, [0, 9]), (25, [4, 5, 20])]],
        ranking=[ranking_case(ranks) for ranks in (2, 5, 40, 200)],
        percentiles=[percentile_case(draws) for draws in (100, 101, 238)],
        tails=[tail_case(t, freedom) for freedom in (1, 2, 3, 4, 5, 9, 10, 29, 99, 1000)
               for t in (0, 1e-3, 0.5, -0.999, 1, 1.5, -2.776, 5, 30, 1000)],
        paired=[paired_case(pairs, shift) for pairs, shift in
                [(2, 0.01), (3, 0), (5, 0), (5, 0.02), (5, 0.06), (8, 0.01), (10, -0.03), (15, 0.01)]],
        wilson=[wilson_case(hits, trials) for hits, trials in
                [(0, 1), (1, 1), (3, 3), (0, 5), (5, 5), (52, 52), (0, 1000), (2, 7)]],
    )
    sys.stdout.write(json.dumps(golden, separators=(",", ":"), default=float) + "\n")
