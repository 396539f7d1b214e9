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
from scipy import optimize, special, stats
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


def outputs(instances, classes, sharpness, zeros):
    """Labels, and probabilities as a network's: sharpness 1 is about calibrated, above it is too sure."""
    logits = random.normal(0, 1.5, (instances, classes))
    labels = np.array([random.choice(classes, p=row) for row in special.softmax(logits, axis=1)])
    probabilities = special.softmax(sharpness * logits, axis=1)
    if zeros:
        small = probabilities < 0.05
        small[np.arange(instances), labels] = False
        probabilities[small] = 0
        probabilities /= probabilities.sum(axis=1, keepdims=True)
    return labels, probabilities


def temperature_case(instances, classes, sharpness, zeros=False):
    labels, probabilities = outputs(instances, classes, sharpness, zeros)
    logits = np.log(np.maximum(probabilities, 2.0**-126))

    def loss(log_temperature):
        rows = special.log_softmax(logits / np.exp(log_temperature), axis=1)
        return -rows[np.arange(instances), labels].sum()

    best = optimize.minimize_scalar(loss, bounds=np.log([0.05, 20]), method="bounded", options=dict(xatol=1e-10))
    return dict(classes=classes, labels=labels.tolist(), probabilities=probabilities.ravel().tolist(),
                temperature=np.exp(best.x))


def threshold_case(instances, digits):
    labels, probabilities = outputs(instances, 2, 1, False)
    score = np.round(probabilities[:, 1], digits)
    edges = np.concatenate([[0], np.unique(score), [1]])
    thresholds = np.unique((edges[1:] + edges[:-1]) / 2)
    objectives = {
        "balanced-accuracy": lambda decisions: metrics.balanced_accuracy_score(labels, decisions),
        "f1": lambda decisions: metrics.f1_score(labels, decisions, zero_division=0),
        "costs": lambda decisions: -np.sum(metrics.confusion_matrix(labels, decisions, labels=[0, 1]) * [[0, 2], [5, 0]]),
    }
    best = {}
    for name, objective in objectives.items():
        values = np.array([objective((score >= threshold).astype(int)) for threshold in thresholds])
        ties = thresholds[values > values.max() - 1e-12]
        best[name] = ties[np.argmin(np.abs(ties - 0.5))]
    return dict(labels=labels.tolist(), positive=score.tolist(), costs=[2, 5], best=best)


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
        temperatures=[temperature_case(*arguments) for arguments in
                      [(20, 2, 1), (40, 2, 5), (60, 3, 3), (60, 5, 0.4), (50, 4, 2, True), (80, 3, 1)]],
        thresholds=[threshold_case(*arguments) for arguments in [(12, 3), (30, 1), (40, 6), (60, 2), (80, 6)]],
    )
    sys.stdout.write(json.dumps(golden, separators=(",", ":"), default=float) + "\n")
