#!/usr/bin/env python3
"""Losses of the methods for imbalance and their gradients at the logits, from PyTorch 1.13 and scikit-learn 1.2 (Debian:
python3-torch, python3-sklearn).

    /usr/bin/python3 packages/evenhand/scripts/golden_methods.py > packages/evenhand/test/golden/methods.json

Written from the papers' formulas, in float64: Cui et al. 2019, Menon et al. 2021, Ren et al. 2020, Cao et al. 2019.
The weights "balanced" are scikit-learn's. Every loss is the mean over the batch; weights multiply, they do not enter the divisor.
"""
import json

import numpy as np
import sklearn
import torch
from sklearn.utils.class_weight import compute_class_weight

COUNTS = [500, 120, 30, 4]
CLASSES = len(COUNTS)
LABELS = [0, 1, 2, 3, 3, 0, 1, 2]
n = torch.tensor(COUNTS, dtype=torch.float64)
y = torch.tensor(LABELS)
rows = torch.arange(len(LABELS))
torch.manual_seed(5)
LOGITS = (2 * torch.randn(len(LABELS), CLASSES, dtype=torch.float64)).round(decimals=3)
COSINES = (2 * torch.rand(len(LABELS), CLASSES, dtype=torch.float64) - 1).round(decimals=3)


def negative_log(terms):
    """−log of the true class's share in each row of positive terms."""
    return -torch.log(terms[rows, y] / terms.sum(dim=1))


def cross_entropy(z):
    return negative_log(torch.exp(z))


def mean_square_error(z):
    probabilities = torch.exp(z) / torch.exp(z).sum(dim=1, keepdim=True)
    one_hot = torch.eye(CLASSES, dtype=torch.float64)[y]
    return ((probabilities - one_hot) ** 2).mean(dim=1)


def focal(gamma):
    def loss(z):
        entropy = cross_entropy(z)
        return (1 - torch.exp(-entropy)) ** gamma * entropy

    return loss


def class_balanced_weights(beta):
    weights = (1 - beta) / (1 - beta**n)
    return weights / weights.sum() * CLASSES


def sklearn_weights(class_weight, counts=COUNTS):
    labels = np.repeat(np.arange(len(counts)), counts)
    present = np.unique(labels)
    weights = np.zeros(len(counts))
    weights[present] = compute_class_weight(class_weight, classes=present, y=labels)
    return torch.tensor(weights)


def adjusted(loss, tau):
    prior = n / n.sum()
    return lambda z: loss(z + tau * torch.log(prior))


def balanced_softmax(z):
    return negative_log(n * torch.exp(z))


def ldam(max_margin, scale):
    margins = n ** (-1 / 4)
    margins = margins * (max_margin / margins.max())

    def loss(z):
        true = torch.exp(scale * (z[rows, y] - margins[y]))
        every = torch.exp(scale * z)
        others = every.sum(dim=1) - every[rows, y]
        return -torch.log(true / (true + others))

    return loss


def case(method, options, loss_name, loss, inputs=LOGITS, weights=None, epoch=0):
    z = inputs.clone().requires_grad_()
    each = loss(z)
    if weights is not None:
        each = each * weights[y]
    value = each.mean()
    value.backward()
    return {
        "method": method,
        "options": options,
        "loss": loss_name,
        "epoch": epoch,
        "logits": inputs.flatten().tolist(),
        "value": value.item(),
        "gradient": z.grad.flatten().tolist(),
    }


LOSSES = {"crossEntropy": cross_entropy, "meanSquareError": mean_square_error, "focal": focal(2)}
cases = []
for name, loss in LOSSES.items():
    for beta in (0.9, 0.9999):
        cases.append(case("class-balanced", {"beta": beta}, name, loss, weights=class_balanced_weights(beta)))
    cases.append(case("inverse-frequency", {}, name, loss, weights=sklearn_weights("balanced")))
    chosen = case("class-weights", {"weights": {"4": 20}}, name, loss, weights=sklearn_weights({3: 20}))
    cases.append(chosen)
    for tau in (0.5, 1.5):
        cases.append(case("logit-adjustment", {"tau": tau}, name, adjusted(loss, tau)))
cases.append(case("balanced-softmax", {}, "crossEntropy", balanced_softmax))
# The last of 10 epochs at a constant rate is one of those with deferred weights, the first is not.
cases.append(case("ldam", {}, "crossEntropy", ldam(0.5, 30), COSINES))
cases.append(case("ldam", {}, "crossEntropy", ldam(0.5, 30), COSINES, class_balanced_weights(0.9999), epoch=9))
cases.append(case("ldam", {"maxMargin": 0.3, "scale": 10}, "crossEntropy", ldam(0.3, 10), COSINES))
print(
    json.dumps(
        {
            "madeWith": f"PyTorch {torch.__version__}, scikit-learn {sklearn.__version__}",
            "counts": COUNTS,
            "labels": LABELS,
            "focalGamma": 2,
            "balanced": [
                {"counts": counts, "weights": sklearn_weights("balanced", counts).tolist()}
                for counts in ([396_000, 4_000], [5, 5], [1000, 1], [70, 0, 7, 3], COUNTS)
            ],
            "cases": cases,
        }
    )
)
