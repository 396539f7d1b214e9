"""Golden values of boosted trees: scikit-learn's HistGradientBoostingClassifier.

Run with Debian 12's python3-sklearn (scikit-learn 1.2.1, numpy 1.24.2):

    OMP_NUM_THREADS=1 /usr/bin/python3 packages/trees/scripts/scikit_learn_boosting.py > packages/trees/test/golden/scikit-learn.json

The tables are drawn by a generator that test/random-table.ts has as well. Numbers are multiples of 1/64, so that float32 holds them exactly, and some are missing.
"""

import json
import sys

import numpy as np
import sklearn
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import balanced_accuracy_score, log_loss, roc_auc_score

MODULUS = 2**32


class Generator:
    def __init__(self, seed):
        self.state = seed

    def uniform(self):
        self.state = (self.state * 1664525 + 1013904223) % MODULUS
        return self.state / MODULUS


def table(seed, rows, columns, classes, missing, categories):
    """Column 0 has categories if there are any; the last column is noise; classes overlap, and the first is the most frequent."""
    random = Generator(seed)
    values = np.zeros((rows, columns))
    labels = np.zeros(rows, dtype=int)
    for i in range(rows):
        for j in range(columns):
            value = np.floor(random.uniform() * 512) / 64 - 4
            if j == 0 and categories > 0:
                value = np.floor(random.uniform() * categories)
            values[i, j] = np.nan if random.uniform() < missing else value
        first = values[i, 0] * 7 % 5 if categories > 0 else values[i, 0]
        known = [0.5 if np.isnan(v) else v for v in (first, values[i, 1], values[i, 2])]
        score = abs(known[0]) + known[1] * known[2] / 4 + 2 * random.uniform()
        labels[i] = int(min(classes - 1, max(0, np.floor(score - 1))))
    return values, labels


CASES = {
    "three classes": dict(columns=5, classes=3, missing=0.0, categories=0, weighted=False),
    "three classes, missing values": dict(columns=5, classes=3, missing=0.1, categories=0, weighted=False),
    "two classes with weights": dict(columns=4, classes=2, missing=0.0, categories=0, weighted=True),
    "a column of categories": dict(columns=4, classes=3, missing=0.05, categories=12, weighted=False),
}


def run(seed, columns, classes, missing, categories, weighted):
    rows = 3000
    values, labels = table(seed, rows, columns, classes, missing, categories)
    test, test_labels = table(seed + 1, rows, columns, classes, missing, categories)
    weights = np.array([1 + i % 4 for i in range(rows)]) if weighted else None
    model = HistGradientBoostingClassifier(
        max_iter=40,
        learning_rate=0.1,
        max_leaf_nodes=15,
        min_samples_leaf=20,
        early_stopping=False,
        categorical_features=[0] if categories > 0 else None,
    ).fit(values, labels, sample_weight=weights)
    probabilities = model.predict_proba(test)
    auc = (
        roc_auc_score(test_labels, probabilities[:, 1])
        if classes == 2
        else roc_auc_score(test_labels, probabilities, multi_class="ovr")
    )
    return dict(
        seed=seed,
        rows=rows,
        columns=columns,
        classes=classes,
        missing=missing,
        categories=categories,
        weighted=weighted,
        logLoss=log_loss(test_labels, probabilities),
        balancedAccuracy=balanced_accuracy_score(test_labels, probabilities.argmax(axis=1)),
        auc=auc,
        probabilities=[[round(p, 7) for p in row] for row in probabilities[:100].tolist()],
    )


cases = {name: run(100 + 10 * i, **case) for i, (name, case) in enumerate(CASES.items())}
json.dump(dict(versions=dict(sklearn=sklearn.__version__, numpy=np.__version__), cases=cases), sys.stdout, indent=1)
print()
