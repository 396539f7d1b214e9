"""scikit-learn's partial_fit on a stream of docs/streams.md; `npm run streams` starts this.

Takes one JSON object on stdin, with rows and labels, and prints for each learner the answers that it gave before it learned from the
row. Written for Debian 12: python3-sklearn 1.2.1. One thread; seconds are those of the processor.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"  # before numpy reads them

import json
import sys
import time
import warnings

import numpy
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

warnings.filterwarnings("ignore")

FADING = 1 - 1 / 2000  # of the class shares, as in our learners


def learner_of(name, classes, seed):
    if name == "SGDClassifier, weighted":
        return SGDClassifier(loss="log_loss", random_state=seed)
    if name == "MLPClassifier":
        return MLPClassifier(hidden_layer_sizes=(64,), learning_rate_init=0.003, random_state=seed)
    return GaussianNB(priors=numpy.full(classes, 1 / classes))


def answers_of(name, values, labels, classes, batch, seed):
    learner = learner_of(name, classes, seed)
    scaler = StandardScaler()
    weighted = name == "SGDClassifier, weighted"
    counts = numpy.zeros(classes)
    answers = numpy.full(len(labels), -1)
    for start in range(0, len(labels), batch):
        rows, known = values[start : start + batch], labels[start : start + batch]
        scaler.partial_fit(rows)
        inputs = numpy.nan_to_num(scaler.transform(rows))
        if start > 0:
            answers[start : start + batch] = learner.predict(inputs)
        for label in known:
            counts *= FADING
            counts[label] += 1
        shares = numpy.maximum(counts / counts.sum(), 1e-3)
        weights = {"sample_weight": 1 / (classes * shares[known])} if weighted else {}
        learner.partial_fit(inputs, known, classes=numpy.arange(classes), **weights)
    return answers


order = json.load(sys.stdin)
values = numpy.array(order["values"], dtype=float)
labels = numpy.array(order["labels"])
result = {}
for name in order["learners"]:
    before = time.process_time()
    answers = answers_of(name, values, labels, labels.max() + 1, order["batch"], order["seed"])
    result[name] = {"answers": answers.tolist(), "seconds": time.process_time() - before}
print(json.dumps(result))
