"""NumPy's ways to encode labels and to sum a soft-confusion matrix. A line of JSON in, one run of every way, milliseconds out."""
import json
import sys
import time

import numpy as np

state = {}


def prepare(instances, classes):
    if state.get("size") != (instances, classes):
        state.clear()
        random = np.random.default_rng(0)
        state["size"] = (instances, classes)
        state["labels"] = random.integers(0, classes, instances)  # int64: what NumPy indexes with without converting
        state["generator"] = random.random((classes, classes), dtype=np.float32)
        state["rows"] = np.ones((instances, classes), np.float32)
    return state["labels"], state["generator"], state["rows"]


def probabilities(instances, classes):
    if "probabilities" not in state:
        rows = np.random.default_rng(1).random((instances, classes), dtype=np.float32)
        rows /= rows.sum(axis=1, keepdims=True)
        state["probabilities"] = rows
    return state["probabilities"]


def encode(instances, classes):
    labels, generator, rows = prepare(instances, classes)
    return {
        "np.take(G, labels, axis=0, out=rows, mode='clip')": lambda: np.take(generator, labels, axis=0, out=rows, mode="clip"),
        "np.take(G, labels, axis=0)": lambda: np.take(generator, labels, axis=0),
        "G[labels]": lambda: generator[labels],
    }


def product(instances, classes):
    """The paper's L·G: as it is written, and with every array allocated beforehand."""
    labels, generator, rows = prepare(instances, classes)
    eye, one_hot = np.eye(classes, dtype=np.float32), state.setdefault("oneHot", np.empty_like(rows))

    def in_place():
        np.take(eye, labels, axis=0, out=one_hot, mode="clip")
        np.matmul(one_hot, generator, out=rows)

    return {
        "np.eye(N)[labels] @ G": lambda: eye[labels] @ generator,
        "np.matmul(np.take(eye, labels, out=L), G, out=rows)": in_place,
    }


def soft_confusion(instances, classes):
    labels, _, _ = prepare(instances, classes)
    values = probabilities(instances, classes)

    def by_class():
        order = np.argsort(labels.astype(np.uint16), kind="stable")
        starts = np.searchsorted(labels[order], np.arange(classes + 1))
        return np.stack([values[order[starts[p]:starts[p + 1]]].sum(axis=0) for p in range(classes)])

    def by_class_product():
        order = np.argsort(labels.astype(np.uint16), kind="stable")
        starts = np.searchsorted(labels[order], np.arange(classes + 1))
        ones = np.ones(instances, np.float32)
        return np.stack([ones[: starts[p + 1] - starts[p]] @ values[order[starts[p]:starts[p + 1]]] for p in range(classes)])

    def one_hot_product():
        return np.take(np.eye(classes, dtype=np.float32), labels, axis=0).T @ values

    def by_column():
        return np.stack([np.bincount(labels, values[:, q], classes) for q in range(classes)], axis=1)

    ways = {"sorted rows, sum of each class": by_class, "sorted rows, product of each class": by_class_product}
    if classes <= 100:  # seconds beyond that
        ways |= {"one-hot product LᵀY": one_hot_product, "np.bincount of each column": by_column}
    return ways


WORK = {"encode": encode, "product": product, "softConfusion": soft_confusion}
for line in sys.stdin:
    request = json.loads(line)
    times = {}
    for name, way in WORK[request["work"]](request["instances"], request["classes"]).items():
        start = time.perf_counter()
        way()
        times[name] = (time.perf_counter() - start) * 1e3
    print(json.dumps(times), flush=True)
