"""scikit-learn's partial_fit on a stream, one core. A line of JSON in; milliseconds out."""
import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import json
import sys
import time
import warnings

import numpy as np
import sklearn
from sklearn.linear_model import SGDClassifier
from sklearn.neural_network import MLPClassifier

warnings.filterwarnings("ignore")
DRAWN = 20_000


def draw(rows, columns, classes):
    """As draw() in evenhand-streams.ts."""
    random = np.random.RandomState(1)
    centres = 0.5 * random.randn(classes, columns)
    labels = np.minimum(classes - 1, np.floor(random.exponential(size=rows) / np.log(3))).astype(int)
    return centres[labels] + random.randn(rows, columns), labels


def learner_of(name):
    if name == "mlp":
        return MLPClassifier(hidden_layer_sizes=(64,), learning_rate_init=0.003, random_state=1), "MLPClassifier"
    return SGDClassifier(loss="log_loss", random_state=1), "SGDClassifier"


for line in sys.stdin:
    request = json.loads(line)
    batch, rows = request["batch"], request["rows"]
    features, labels = draw(min(rows, DRAWN), request["columns"], request["classes"])
    learner, name = learner_of(request["learner"])
    classes = np.arange(request["classes"])

    def take(first, last):
        for row in range(first, last, batch):
            start = row % (len(features) - batch + 1)
            learner.predict_proba(features[start : start + batch])
            learner.partial_fit(features[start : start + batch], labels[start : start + batch])

    learner.partial_fit(features[:batch], labels[:batch], classes=classes)
    take(0, 10 * batch)
    start = time.perf_counter()
    take(0, rows)
    print(json.dumps({f"scikit-learn {sklearn.__version__} {name}": (time.perf_counter() - start) * 1e3}), flush=True)
