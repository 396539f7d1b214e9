"""scikit-learn's histogram gradient boosting. A line of JSON in; milliseconds out, or peak memory in MB."""
import os

os.environ.setdefault("OMP_NUM_THREADS", "2")

import json
import sys
import time
import warnings

import numpy as np
import sklearn
from sklearn.ensemble import HistGradientBoostingClassifier

warnings.filterwarnings("ignore")


def draw(rows, columns, classes):
    """As draw() in evenhand-trees.ts."""
    random = np.random.RandomState(1)
    values = random.rand(rows, columns).astype(np.float32)
    a, b, c, d = values[:, :4].T
    score = 0.4 * (a > 0.6) + 0.8 * b * c + 0.2 * np.sin(6 * d) + 0.3 * random.rand(rows)
    return values, np.clip(np.floor(score / 1.3 * classes), 0, classes - 1).astype(int)


def fit(values, labels, rounds):
    return HistGradientBoostingClassifier(max_iter=rounds, early_stopping=False).fit(values, labels)


def peak_memory():
    """In MB; Linux hands ru_maxrss on from the process that started this one, VmHWM is its own."""
    if sys.platform != "linux":
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) / 1024


def answer(files, columns, classes, rounds):
    """Trains on files and writes the probabilities of all classes for others: those without a training row have none."""
    training, labels, test, answers = files
    model = fit(np.fromfile(training, np.float32).reshape(-1, columns), np.fromfile(labels, np.int32), rounds)
    probabilities = np.zeros((os.path.getsize(test) // 4 // columns, classes))
    probabilities[:, model.classes_] = model.predict_proba(np.fromfile(test, np.float32).reshape(-1, columns))
    probabilities.tofile(answers)


drawn = {}
for line in sys.stdin:
    request = json.loads(line)
    if request.pop("work") == "answers":
        answer(**request)
        print(json.dumps({}), flush=True)
        continue
    request = json.loads(line)
    if line not in drawn:
        drawn = {line: {"data": draw(request["rows"], request["columns"], request["classes"])}}
    values, labels = drawn[line]["data"]
    if request["work"] == "predict" and "model" not in drawn[line]:
        drawn[line]["model"] = fit(values, labels, request["rounds"])
    start = time.perf_counter()
    if request["work"] == "predict":
        drawn[line]["model"].predict_proba(values)
    else:
        fit(values, labels, request["rounds"])
    taken = (time.perf_counter() - start) * 1e3
    name = f"scikit-learn {sklearn.__version__}"
    print(json.dumps({name: peak_memory() if request["work"] == "memory" else taken}), flush=True)
