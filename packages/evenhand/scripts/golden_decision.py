#!/usr/bin/env python3
"""Golden values for src/decision, from scikit-learn 1.2 and SciPy 1.10 (Debian's packages).

    python3 packages/evenhand/scripts/golden_decision.py > packages/evenhand/test/golden/decision.json
"""
import json
import sys

import numpy as np
import scipy
import sklearn
from scipy import optimize, special
from sklearn.linear_model import LogisticRegression

random = np.random.default_rng(20261117)


def outputs(counts, sharpness, shift):
    """Labels with the given counts, and probabilities of a classifier that is too sure (sharpness above 1) and shifted."""
    classes = len(counts)
    labels = np.repeat(np.arange(classes), counts)
    logits = random.normal(0, 1, (len(labels), classes)) + 1.5 * np.eye(classes)[labels]
    return labels, special.softmax(sharpness * logits + np.array(shift), axis=1)


def plain(labels, probabilities, weights, **values):
    return dict(labels=labels.tolist(), probabilities=probabilities.ravel().tolist(), weights=weights.tolist(), **values)


def two_classes(counts, sharpness, shift):
    """log p1/p0 as the one feature of a logistic regression without a penalty: its coefficient is 1/T, its intercept b1 - b0."""
    labels, probabilities = outputs(counts, sharpness, shift)
    weights = np.round(random.uniform(0.2, 5, len(labels)), 3)
    feature = np.log(probabilities[:, 1:] / probabilities[:, :1])
    model = LogisticRegression(penalty=None, tol=1e-12, max_iter=10_000).fit(feature, labels, sample_weight=weights)
    return plain(labels, probabilities, weights, temperature=1 / model.coef_[0, 0], bias=model.intercept_[0])


def several_classes(counts, sharpness, shift, expectation):
    """The loss that fitBiases documents, with no shift expected, minimised by BFGS."""
    labels, probabilities = outputs(counts, sharpness, shift)
    classes = len(counts)
    weights = np.round(random.uniform(0.2, 5, len(labels)), 3)
    shares = weights / weights.sum()
    per_class = np.bincount(labels, shares)
    logits = np.log(probabilities)
    worth = 1 / np.sum(per_class**2 / np.array(counts))

    def loss(point):
        rows = special.log_softmax(point[-1] * logits + point[:-1], axis=1)
        ridge = np.sum(per_class * expectation / np.array(counts) * point[:-1] ** 2)
        return -np.sum(shares * rows[np.arange(len(labels)), labels]) + (ridge + expectation / 10 / worth * (point[-1] - 1) ** 2) / 2

    found = optimize.minimize(loss, np.append(np.zeros(classes), 1), method="BFGS", options=dict(gtol=1e-9)).x
    return plain(labels, probabilities, weights, expectation=expectation, classes=classes, temperature=1 / found[-1],
                 biases=(found[:-1] - found[:-1].max()).tolist())


if __name__ == "__main__":
    golden = dict(
        madeWith=f"scikit-learn {sklearn.__version__}, SciPy {scipy.__version__}",
        twoClasses=[two_classes(*case) for case in [([60, 40], 1, [0, 0]), ([90, 12], 2.5, [0, 1.5]), ([30, 70], 0.5, [1, -1])]],
        severalClasses=[several_classes(*case) for case in
                        [([40, 30, 20], 1, [0, 0, 0], 10), ([60, 8, 4], 2, [0, 1, 2], 10), ([30, 25, 20, 15], 0.6, [1, 0, 0, -1], 3)]],
    )
    sys.stdout.write(json.dumps(golden, separators=(",", ":"), default=float) + "\n")
