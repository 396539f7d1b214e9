#!/usr/bin/env python3
"""Golden values for the metrics, from scikit-learn 1.2 and imbalanced-learn 0.10 (Debian: python3-sklearn, python3-imblearn).

    python3 packages/encoding/scripts/golden_metrics.py > packages/encoding/test/golden/metrics.json

Inputs are not stored: test/golden/cases.ts draws the same labels and scores from the same integers.
"""
import json
import sys
import warnings

import numpy as np
import imblearn
import sklearn
from imblearn.metrics import classification_report_imbalanced, geometric_mean_score, make_index_balanced_accuracy
from imblearn.metrics import specificity_score
from sklearn import metrics
from sklearn.calibration import calibration_curve

warnings.filterwarnings("ignore")
CASES = 240


class Integers:
    """Numerical Recipes' linear congruential generator: the same 24-bit integers in every language."""

    def __init__(self, seed):
        self.state = seed

    def next(self, limit):
        self.state = (self.state * 1664525 + 1013904223) % 2**32
        return (self.state >> 8) % limit


def draw(seed):
    integers = Integers(seed)
    classes = 2 if seed % 8 == 0 else 2 + integers.next(49)
    instances = 5 + integers.next(150)
    present = max(1 if seed % 40 == 0 else 2, classes - integers.next(1 + classes // 2))
    skew = 1 + seed % 3  # the smallest of several draws: low classes are frequent
    grain = 3 if seed % 5 == 0 else 10000  # coarse scores have ties
    labels, weights = [], []
    for _ in range(instances):
        label = (min(integers.next(present) for _ in range(skew)) + seed) % classes
        row = [1 + integers.next(grain) for _ in range(classes)]
        row[label] += integers.next(2 * grain)
        labels.append(label)
        weights.append(row)
    training = [1 + integers.next(200) for _ in range(classes)]
    weights = np.array(weights, dtype=float)
    return np.array(labels), weights / weights.sum(axis=1, keepdims=True), np.array(training)


def optional(value):
    return None if value is None or not np.isfinite(value) else float(value)


def case(seed):
    labels, scores, training = draw(seed)
    instances, classes = scores.shape
    predictions = scores.argmax(axis=1)
    support = np.bincount(labels, minlength=classes)
    predicted = np.bincount(predictions, minlength=classes)
    present = [p for p in range(classes) if support[p]]
    by_class = dict(labels=present, average=None)
    several = len(present) > 1

    precision, recall, f1, _ = metrics.precision_recall_fscore_support(labels, predictions, labels=present, zero_division=0)
    specificity = specificity_score(labels, predictions, **by_class) if several else [None]
    g_mean = geometric_mean_score(labels, predictions, **by_class) if several else [None]
    index = make_index_balanced_accuracy(alpha=0.1, squared=True)(geometric_mean_score)
    iba = index(labels, predictions, **by_class) if several else [None]
    auc = [metrics.roc_auc_score(labels == p, scores[:, p]) if several else None for p in present]
    ap = [metrics.average_precision_score(labels == p, scores[:, p]) for p in present]
    columns = dict(recall=recall, precision=precision, specificity=specificity, f1=f1, gMean=g_mean,
                   indexBalancedAccuracy=iba, rocAuc=auc, averagePrecision=ap)
    per_class = [dict(recall=None, precision=None, f1=None, gMean=None, indexBalancedAccuracy=None, rocAuc=None,
                      averagePrecision=None) for _ in range(classes)]
    for row, p in enumerate(present):
        per_class[p] = {name: optional(values[row]) for name, values in columns.items()}
        if predicted[p] == 0:
            per_class[p]["precision"] = None

    def mean(values, weights=None):
        return None if values[0] is None else optional(np.average(values, weights=weights))

    weights = support[present]
    order = np.argsort(-scores, axis=1, kind="stable")
    rank = (order == labels[:, None]).argmax(axis=1)
    k = min(5, classes)

    # Independent statements of the same thing, where the libraries have one.
    if len(present) == classes and classes > 2:
        for average in ("macro", "weighted"):
            whole = metrics.roc_auc_score(labels, scores, multi_class="ovr", average=average)
            assert abs(whole - mean(auc, weights if average == "weighted" else None)) < 1e-12
    if classes > 2 and len(np.unique(scores)) == scores.size:
        assert abs(metrics.top_k_accuracy_score(labels, scores, k=k, labels=range(classes)) - np.mean(rank < k)) < 1e-12
    if several:
        report = classification_report_imbalanced(labels, predictions, labels=present, output_dict=True, zero_division=0)
        for row, p in enumerate(present):
            assert abs(report[p]["spe"] - specificity[row]) < 1e-12 and abs(report[p]["iba"] - iba[row]) < 1e-12
        assert abs(report["avg_iba"] - mean(iba, weights)) < 1e-12

    confidence = scores.max(axis=1)
    right = predictions == labels
    accuracies, confidences = calibration_curve(right, confidence, n_bins=15)
    edges = np.arange(1, 15) / 15
    filled = np.bincount(np.searchsorted(edges, confidence), minlength=15)
    gaps = np.abs(accuracies - confidences)

    one_hot = np.eye(classes)[labels]
    rarest = sorted(range(classes), key=lambda p: (training[p], -p))[: classes // 2]
    minority = np.isin(labels, rarest)

    def group(members):
        recalls = [recall[present.index(p)] for p in members if support[p]]
        return optional(np.mean(recalls)) if recalls else None

    mcc = metrics.matthews_corrcoef(labels, predictions)
    kappa = metrics.cohen_kappa_score(labels, predictions)
    both = len(np.unique(predictions)) > 1 and several
    return dict(
        seed=seed, classes=classes, instances=instances,
        accuracy=metrics.accuracy_score(labels, predictions),
        topK=float(np.mean(rank < k)),
        balancedAccuracy=metrics.balanced_accuracy_score(labels, predictions),
        gMean=float(geometric_mean_score(labels, predictions, labels=present, average="multiclass")),
        matthewsCorrelation=optional(mcc) if both else None,
        cohensKappa=optional(kappa),
        minority=optional(np.mean(right[minority])) if minority.any() else None,
        many=group([p for p in range(classes) if training[p] > 100]),
        medium=group([p for p in range(classes) if 20 <= training[p] <= 100]),
        few=group([p for p in range(classes) if training[p] < 20]),
        macro={name: mean(values) for name, values in columns.items()},
        weighted={name: mean(values, weights) for name, values in columns.items()},
        brier=float(np.mean(((scores - one_hot) ** 2).sum(axis=1))) if classes > 2
        else 2 * metrics.brier_score_loss(labels, scores[:, 1], pos_label=1),
        expectedError=float(np.sum(filled[filled > 0] / instances * gaps)),
        maximumError=float(gaps.max()),
        perClass=per_class,
    )


if __name__ == "__main__":
    rows = [case(seed) for seed in range(CASES)]
    made_with = f"scikit-learn {sklearn.__version__}, imbalanced-learn {imblearn.__version__}, numpy {np.__version__}"
    sys.stdout.write(json.dumps(dict(madeWith=made_with, cases=rows), separators=(",", ":")) + "\n")
