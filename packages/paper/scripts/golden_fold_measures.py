"""Golden values for test/seven-tables/measures.test.ts, by scikit-learn 1.2.1 (Debian 12).

    python3 packages/paper/scripts/golden_fold_measures.py > packages/paper/test/golden/fold-measures.json
"""

import json

import numpy
from fold_measures import measures


def example(name, labels, answers, probabilities):
    return {
        "name": name,
        "labels": numpy.asarray(labels).tolist(),
        "answers": numpy.asarray(answers).tolist(),
        "probabilities": numpy.asarray(probabilities).tolist(),
        "measures": {key: float(value) for key, value in measures(labels, answers, probabilities).items()},
    }


def drawn(seed, rows, classes, present):
    """Probabilities that know something, and answers that are not always the likeliest class."""
    random = numpy.random.default_rng(seed)
    labels = random.choice(present, size=rows)
    logits = random.normal(size=(rows, classes)) + 2 * numpy.eye(classes)[labels]
    probabilities = numpy.exp(logits) / numpy.exp(logits).sum(axis=1, keepdims=True)
    bias = numpy.linspace(0.5, 1.5, classes)
    return labels, (probabilities * bias).argmax(axis=1), probabilities


print(
    json.dumps(
        [
            example("two classes", *drawn(1, 40, 2, [0, 1])),
            example("five classes, two of them without a test row", *drawn(2, 60, 5, [0, 1, 3])),
            example(
                "a class never answered, equal probabilities, and none for what happened",
                [0, 0, 1, 1, 2, 2],
                [0, 0, 1, 0, 0, 1],
                [[0.5, 0.25, 0.25], [1, 0, 0], [0.2, 0.6, 0.2], [0.5, 0.5, 0], [1, 0, 0], [0.2, 0.6, 0.2]],
            ),
        ],
        indent=1,
    )
)
