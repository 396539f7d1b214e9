"""imbalanced-learn's resampling. A line of JSON in; milliseconds out, or peak memory in MB."""
import json
import sys
import time
import warnings

import imblearn
import numpy as np
from imblearn.over_sampling import SMOTE, KMeansSMOTE
from imblearn.under_sampling import EditedNearestNeighbours, NearMiss, TomekLinks

warnings.filterwarnings("ignore")
FACTORS = 6
METHODS = {
    "smote": lambda: SMOTE(random_state=1),
    "tomek": lambda: TomekLinks(),
    "enn": lambda: EditedNearestNeighbours(),
    "k-means smote": lambda: KMeansSMOTE(random_state=1, cluster_balance_threshold=0.05),
    "near miss": lambda: NearMiss(),
}


def draw(rows, columns, ratio, correlated):
    """As draw() in evenhand-resampling.ts."""
    random = np.random.RandomState(1)
    labels = (np.arange(rows) % (ratio + 1) == 0).astype(int)
    features = random.randn(rows, columns) * (0.3 if correlated else 1)
    features[:, :3] += labels[:, None]
    if correlated:
        features += random.randn(rows, FACTORS) @ random.randn(FACTORS, columns)
    return features, labels


def peak_memory():
    """In MB; Linux hands ru_maxrss on from the process that started this one, VmHWM is its own."""
    if sys.platform != "linux":
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) / 1024


drawn = {}
for line in sys.stdin:
    request = json.loads(line)
    if line not in drawn:
        drawn = {line: draw(request["rows"], request["columns"], request["ratio"], request["correlated"])}
    features, labels = drawn[line]
    start = time.perf_counter()
    METHODS[request["method"]]().fit_resample(features, labels)
    taken = (time.perf_counter() - start) * 1e3
    name = f"imbalanced-learn {imblearn.__version__}"
    print(json.dumps({name: taken if request["work"] == "time" else peak_memory()}), flush=True)
