#!/usr/bin/env python3
"""Golden values for permutation importance, from scikit-learn 1.2 (Debian's package).

    /usr/bin/python3 packages/evenhand/scripts/golden_importance.py > packages/evenhand/test/golden/importance.json
"""
import json

import numpy as np
import sklearn
from scipy import special
from sklearn.inspection import permutation_importance
from sklearn.metrics import balanced_accuracy_score, log_loss
from sklearn.utils.class_weight import compute_sample_weight

random = np.random.default_rng(18)
COUNTS, FEATURES, REPEATS = [24, 9, 4], 3, 4


class FixedModel:
    """softmax(x·W), with weights that nothing fits."""

    def __init__(self, weights):
        self.weights = weights

    def fit(self, inputs, labels):
        return self

    def predict_proba(self, inputs):
        return special.softmax(inputs @ self.weights, axis=1)


labels = np.repeat(np.arange(len(COUNTS)), COUNTS)
# Multiples of 1/4096: float32 has them exactly.
inputs = np.round(4096 * (random.normal(0, 1, (len(labels), FEATURES)) + np.eye(len(COUNTS))[labels] * [2, 1, 0])) / 4096
weights = np.round(64 * random.normal(0, 1, (FEATURES, len(COUNTS))) + 128 * np.eye(FEATURES)) / 64
balanced = compute_sample_weight("balanced", labels)
scorers = {
    "logLoss": lambda model, x, y: -log_loss(y, model.predict_proba(x), sample_weight=balanced),
    "balancedAccuracy": lambda model, x, y: balanced_accuracy_score(y, model.predict_proba(x).argmax(axis=1)),
}
# Every call permutes alike, for the seed is the same: once to see how, once for each score.
seen = []
permutation_importance(
    FixedModel(weights), inputs, labels, scoring=lambda model, x, y: seen.append(x.copy()) or 0, n_repeats=REPEATS, random_state=7
)
permuted = iter(seen[1:])
columns = []
for column in range(FEATURES):
    order = {value: row for row, value in enumerate(inputs[:, column])}
    assert len(order) == len(labels), "values that are all different show where they come from"
    columns.append({"donors": [[order[value] for value in next(permuted)[:, column]] for _ in range(REPEATS)]})
for name, scorer in scorers.items():
    result = permutation_importance(FixedModel(weights), inputs, labels, scoring=scorer, n_repeats=REPEATS, random_state=7)
    for column, entry in enumerate(columns):
        entry[name] = result.importances_mean[column]

print(json.dumps({
    "madeWith": f"scikit-learn {sklearn.__version__}",
    "labels": labels.tolist(),
    "inputs": inputs.tolist(),
    "weights": weights.tolist(),
    "columns": columns,
}))
