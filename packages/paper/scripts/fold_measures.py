"""What is measured of a learner on a test fold: the definitions of packages/paper/src/seven-tables/measures.ts, by scikit-learn."""

import numpy
from sklearn.metrics import average_precision_score, f1_score, recall_score

# A probability of 0 for what happened would be an infinite loss.
LEAST_PROBABILITY = 1e-15
BINS = 15


def measures(labels, answers, probabilities):
    """labels and answers: indices of classes; probabilities: [rows, classes]. Classes without a test row do not count."""
    labels, answers, probabilities = map(numpy.asarray, (labels, answers, probabilities))
    present = numpy.unique(labels)
    recalls = recall_score(labels, answers, labels=present, average=None)
    own = probabilities[numpy.arange(len(labels)), labels] / probabilities.sum(axis=1)
    with numpy.errstate(divide="ignore"):
        g_mean = numpy.exp(numpy.log(recalls).mean())
    return {
        "balancedAccuracy": recalls.mean(),
        "macroF1": f1_score(labels, answers, labels=present, average="macro"),
        "gMean": g_mean,
        "macroAveragePrecision": numpy.mean(
            [average_precision_score(labels == p, probabilities[:, p]) for p in present]
        ),
        "logLoss": -numpy.log(numpy.maximum(own, LEAST_PROBABILITY)).mean(),
        "calibrationError": calibration_error(labels, probabilities),
    }


def calibration_error(labels, probabilities):
    """ECE of the likeliest class: bins (0, 1/15], (1/15, 2/15] …"""
    confidence = probabilities.max(axis=1)
    right = probabilities.argmax(axis=1) == labels
    uppers = numpy.arange(1, BINS + 1) / BINS
    bins = numpy.minimum(numpy.searchsorted(uppers, confidence), BINS - 1)
    gaps = [abs((right[bins == b] - confidence[bins == b]).sum()) for b in range(BINS)]
    return sum(gaps) / len(labels)
