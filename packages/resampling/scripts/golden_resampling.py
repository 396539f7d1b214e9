#!/usr/bin/env python3
"""Golden values for the resampling methods, from imbalanced-learn 0.10 on scikit-learn 1.2 (Debian: python3-imblearn).

    /usr/bin/python3 packages/resampling/scripts/golden_resampling.py <folder with tabular/*.csv> > packages/resampling/test/golden/resampling.json

Neither inputs nor rows are stored: test/golden/data-sets.ts draws the same data from the same integers, or reads the same tables, and of
the rows that imbalanced-learn selects there is a hash. Where its 0.10 is known to differ from what it documents, the script steps
around the difference and says so.
"""
import hashlib
import json
import sys
import warnings
from collections import Counter
from contextlib import contextmanager, nullcontext

import imblearn
import numpy as np
import sklearn
from imblearn.over_sampling import ADASYN, SMOTE, SMOTEN, SMOTENC, BorderlineSMOTE, KMeansSMOTE, RandomOverSampler
from imblearn.under_sampling import (AllKNN, ClusterCentroids, CondensedNearestNeighbour, EditedNearestNeighbours,
                                     InstanceHardnessThreshold, NearMiss, NeighbourhoodCleaningRule, OneSidedSelection,
                                     RandomUnderSampler, RepeatedEditedNearestNeighbours, TomekLinks)
from imblearn.utils import check_sampling_strategy
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors._base import KNeighborsMixin

warnings.filterwarnings("ignore")
GENERATED = 40
TABLES = ["abalone", "ann-thyroid", "glass", "mammography", "page-blocks", "winequality-white", "yeast"]
TABLE_ROWS = 700
DRAWS = 10000
POINTS = 200


class Integers:
    """Numerical Recipes' linear congruential generator: the same 24-bit integers in every language."""

    def __init__(self, seed):
        self.state = seed

    def next(self, limit):
        self.state = (self.state * 1664525 + 1013904223) % 2**32
        return (self.state >> 8) % limit


def draw(seed):
    """Every third data set lies on a grid and is full of equal rows and equal distances; the others have none."""
    integers = Integers(seed)
    grid = seed % 3 == 0
    columns = 1 + integers.next(24)
    classes = 2 if seed % 2 == 0 else 3 + integers.next(2)
    smallest = 8 + integers.next(12)
    # The smallest class is one of its own, and need not be the last.
    order = [(label + seed // 2) % classes for label in range(classes)]
    labels = []
    for place, label in enumerate(order):
        labels += [label] * (smallest if place == 0 else smallest + 20 * place + integers.next(60))
    for i in range(len(labels) - 1, 0, -1):
        j = integers.next(i + 1)
        labels[i], labels[j] = labels[j], labels[i]
    rows = []
    for label in labels:
        if grid:
            rows.append([integers.next(4) + label * integers.next(2) for _ in range(columns)])
        else:
            rows.append([(sum(integers.next(2**20) for _ in range(3)) + label * 2**18) / 2**20 for _ in range(columns)])
    return np.array(rows, dtype=float), np.array(labels), not grid


def read_table(path):
    """Numeric columns of every n-th row; classes of 12 rows or more, in the order of their names, one after the other."""
    with open(path) as file:
        lines = [line.split(",") for line in file.read().split("\n")[1:] if line != ""]
    lines = lines[:: -(-len(lines) // TABLE_ROWS)]
    frequent = sorted(name for name, count in Counter(line[-1] for line in lines).items() if count >= 12)
    lines = [line for name in frequent for line in lines if line[-1] == name]
    numeric = [c for c in range(len(lines[0]) - 1) if all(is_number(line[c]) for line in lines)]
    rows = np.array([[float(line[c]) for c in numeric] for line in lines])
    return rows, np.array([frequent.index(line[-1]) for line in lines])


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


@contextmanager
def ties_by_row():
    """scikit-learn leaves open which of equally near rows it takes, and imbalanced-learn takes the first for the row itself. In here the last
    column is a row's number and no feature: a row is its own nearest one, and then the smaller number is nearer."""
    original = KNeighborsMixin.kneighbors

    def kneighbors(self, X=None, n_neighbors=None, return_distance=True):
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        if self.metric == "precomputed":
            squared, known, asked = np.array(X), np.arange(X.shape[1]), np.arange(X.shape[0])
        else:
            known, asked = self._fit_X[:, -1], X[:, -1]
            squared = np.zeros((len(X), len(self._fit_X)))
            for column in range(X.shape[1] - 1):
                squared += (X[:, column, None] - self._fit_X[None, :, column]) ** 2
        key = np.where(asked[:, None] == known[None, :], -1.0, squared)
        nearest = np.array([np.lexsort((known, row))[:k] for row in key])
        distances = np.sqrt(np.take_along_axis(squared, nearest, axis=1))
        return (distances, nearest) if return_distance else nearest

    KNeighborsMixin.kneighbors = kneighbors
    try:
        yield
    finally:
        KNeighborsMixin.kneighbors = original


class NoSteps(np.random.RandomState):
    """Synthetic rows stay where their bases are, so that one can see which these are."""

    def uniform(self, low=0.0, high=1.0, size=None):
        return np.zeros(size)


class InOrder(np.random.RandomState):
    """Every row is drawn once."""

    def choice(self, a, size=None, replace=True, p=None):
        return np.arange(size) % len(a)


class GivenProbabilities(ClassifierMixin, BaseEstimator):
    """A classifier that knows by heart what it says of row i, which it finds in the last column."""

    def __init__(self, table=None):
        self.table = table

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return self.table[X[:, -1].astype(int)]


class GivenClusters(BaseEstimator):
    def __init__(self, clusters=None, n_clusters=8):
        self.clusters, self.n_clusters = clusters, n_clusters

    def fit_predict(self, X):
        return self.clusters

    fit = predict = fit_predict


def digest(numbers):
    numbers = np.asarray(numbers, dtype="<i4")
    return f"{hashlib.sha256(numbers.tobytes()).hexdigest()[:12]}:{len(numbers)}"


def selected(sampler, X, y):
    """The rows that are left, in ascending order, read from the last column, their number."""
    X_res, y_res = sampler.fit_resample(X, y)
    rows = X_res[:, -1].astype(int)
    assert (y[rows] == y_res).all()
    # A class that is lost: ours is kept whole instead.
    return None if len(set(y_res)) < len(set(y)) else digest(np.sort(rows))


def selected_by_content(sampler, X, y):
    """The same for a sampler that must not see the row's number."""
    place = {row.tobytes(): i for i, row in enumerate(X)}
    X_res, y_res = sampler.fit_resample(X, y)
    if len(set(y_res)) < len(set(y)):
        return None
    return digest(sorted(place[row.tobytes()] for row in np.ascontiguousarray(X_res)))


def start_rows(y, classes, seed):
    """Which rows condensing and one-sided selection begin with: each class draws one, in ascending order."""
    state = np.random.RandomState(seed)
    return {int(c): int(np.flatnonzero(y == c)[state.randint(low=0, high=np.sum(y == c), size=1)][0]) for c in classes}


def deterministic(X, y, plain):
    """All deterministic methods on one data set; `plain` data has no ties and is given to imbalanced-learn as it is."""
    numbered = np.column_stack([X, np.arange(len(X))])
    data = X if plain else numbered
    take = selected_by_content if plain else selected
    counts = Counter(y)
    minority = min(counts, key=counts.get)
    samplers = {
        "tomek": TomekLinks(),
        "tomek all": TomekLinks(sampling_strategy="all"),
        "enn all": EditedNearestNeighbours(),
        "enn mode": EditedNearestNeighbours(kind_sel="mode", n_neighbors=5),
        "enn majority": EditedNearestNeighbours(sampling_strategy="majority"),
        "renn": RepeatedEditedNearestNeighbours(),
        "renn mode": RepeatedEditedNearestNeighbours(kind_sel="mode"),
        "allknn": AllKNN(),
        "allknn mode": AllKNN(kind_sel="mode", n_neighbors=5),
        "ncr mode": NeighbourhoodCleaningRule(kind_sel="mode"),
        "ncr threshold": NeighbourhoodCleaningRule(kind_sel="mode", threshold_cleaning=0.1, n_neighbors=5),
        "near miss 1": NearMiss(version=1),
        "near miss 2": NearMiss(version=2),
        "near miss 3": NearMiss(version=3, n_neighbors_ver3=4),
    }
    results = {}
    with nullcontext() if plain else ties_by_row():
        for name, sampler in samplers.items():
            results[name] = take(sampler, data, y)

        # 0.10 asks whether all neighbours' labels are non-zero, which is what it means only for two classes of which 1 is the smaller one.
        results["ncr all"] = take(NeighbourhoodCleaningRule(kind_sel="all"), data, (y == minority).astype(int))

        classes = sorted(set(y) - {minority})
        results["oss start"] = start_rows(y, classes, 7)
        results["oss"] = take(OneSidedSelection(random_state=7), data, y)

        # 0.10 takes a position among the rows of a class for a row number: the same thing if the class comes first.
        majority = max(counts, key=counts.get)
        first = np.argsort(y != majority, kind="stable")
        data_first = data[first].copy()
        if not plain:
            data_first[:, -1] = np.arange(len(X))
        results["cnn start"] = start_rows(y[first], [majority], 3)
        results["cnn"] = take(CondensedNearestNeighbour(random_state=3, sampling_strategy="majority"), data_first, y[first])

        results["smote neighbours"] = class_neighbours(data, y, minority)
        results["borderline"] = border(data, y, minority)
        results["adasyn"] = adasyn(data, y, numbered)
    results["hardness"] = hardness(numbered, y)
    results["k-means smote"] = k_means_smote(numbered, y)
    return {name: value for name, value in results.items() if value is not None}


def class_neighbours(X, y, label):
    sampler = SMOTE(k_neighbors=5, sampling_strategy={label: int(np.sum(y == label)) + 1}, random_state=0)
    sampler.fit_resample(X, y)
    rows = np.flatnonzero(y == label)
    return digest(rows[sampler.nn_k_.kneighbors(X[rows], return_distance=False)[:, 1:]].reshape(-1))


def border(X, y, label):
    sampler = BorderlineSMOTE(m_neighbors=10)
    sampler._validate_estimator()
    sampler.nn_m_.fit(X)
    rows = np.flatnonzero(y == label)
    return digest(rows[sampler._in_danger_noise(sampler.nn_m_, X[rows], label, y, kind="danger")])


def adasyn(X, y, numbered):
    """How many new rows each row gets: the steps are zero, so that new rows are copies."""
    try:
        X_res, _ = ADASYN(random_state=NoSteps(0)).fit_resample(X, y)
    except (RuntimeError, ValueError):
        return None
    if X.shape[1] == numbered.shape[1]:
        return digest(np.bincount(X_res[len(X):, -1].astype(int), minlength=len(X)))
    place = {row.tobytes(): i for i, row in enumerate(X)}
    rows = [place[row.tobytes()] for row in np.ascontiguousarray(X_res[len(X):])]
    return digest(np.bincount(rows, minlength=len(X)))


def hardness(numbered, y):
    """Probabilities in steps of 1/64: some rows are equally hard."""
    classes = y.max() + 1
    table = np.array([[(row * 37 + label * 11) % 65 / 64 for label in range(classes)] for row in range(len(y))])
    sampler = InstanceHardnessThreshold(estimator=GivenProbabilities(table), cv=2, random_state=0)
    return selected(sampler, numbered, y)


def k_means_smote(numbered, y):
    """How many new rows each cluster gets, the clusters being given: row number modulo 3. The number is no feature, but equals in all rows."""
    clusters = np.arange(len(y)) % 3
    X = numbered[:, :-1]
    place = {}
    for i, row in enumerate(X):
        place.setdefault((row.tobytes(), y[i]), []).append(i)
    if any(len(set(clusters[rows])) > 1 for rows in place.values()):
        return None
    sampler = KMeansSMOTE(kmeans_estimator=GivenClusters(clusters, 3), cluster_balance_threshold=0.01, random_state=NoSteps(0))
    try:
        X_res, y_res = sampler.fit_resample(X, y)
    except (RuntimeError, ValueError):
        return None
    new = range(len(X), len(X_res))
    cells = [clusters[place[(X_res[i].tobytes(), y_res[i])][0]] + 3 * y_res[i] for i in new]
    return digest(np.bincount(cells, minlength=3 * (y.max() + 1)))


def categories(seed):
    """A table of categories, and one of numbers and categories, from the same integers."""
    integers = Integers(seed)
    labels = [1 if i % 5 == 0 else 0 for i in range(100 + integers.next(60))]
    nominal = [[integers.next(3 + column) + (label if integers.next(2) == 0 else 0) for column in range(4)] for label in labels]
    numbers = [[(integers.next(2**20) + label * 2**18) / 2**20 for _ in range(3)] for label in labels]
    return np.array(nominal), np.array(numbers), np.array(labels)


def categorical(seed):
    nominal, numbers, y = categories(seed)
    minority = np.flatnonzero(y == 1)
    with ties_by_row():
        sampler = SMOTEN(random_state=InOrder(0), sampling_strategy={1: 2 * len(minority)})
        X_res, _ = sampler.fit_resample(nominal, y)
    mixed = np.column_stack([nominal[:, :2], numbers])
    sampler = SMOTENC([0, 1], random_state=0)
    sampler.fit_resample(mixed, y)
    neighbours = sampler.nn_k_.kneighbors(sampler.nn_k_._fit_X, return_distance=False)[:, 1:]
    return {"seed": seed, "smoten": digest(X_res[len(y):].reshape(-1)), "smote-nc neighbours": digest(minority[neighbours].reshape(-1))}


def strategies():
    """What each strategy asks for, by kind of sampling, or null where it is refused."""
    kinds = {"over-sampling": "over-sampling", "under-sampling": "under-sampling", "cleaning": "clean-sampling"}
    names = ["auto", "minority", "majority", "not minority", "not majority", "all", "most"]
    cases = []
    for counts in ([10, 30], [30, 10], [5, 0, 9, 7], [4, 4, 4], [6, 6]):
        y = np.repeat(np.arange(len(counts)), counts)
        some = next(label for label, count in enumerate(counts) if count)
        wishes = [*names, 0.1, 1 / 3, 0.5, 0.77, 1.0, 0.0, 1.5, -0.5, {some: counts[some]}, {some: 60}, {some: 2}, {some: -1}, {9: 5}]
        wishes += [{label: max(counts) for label, count in enumerate(counts) if count}, [some], [9], []]
        for kind, theirs in kinds.items():
            for wish in wishes:
                try:
                    asked = check_sampling_strategy(wish, y, theirs)
                    result = [[int(label), int(rows)] for label, rows in asked.items()]
                except ValueError:
                    result = None
                cases.append({"counts": counts, "kind": kind, "strategy": wish, "targets": result})
    return cases


def distributions():
    """Of the synthetic rows' columns the values below which 0.5 %, 1 %, … of 10,000 draws lie."""
    X, y, _ = draw(2)
    X = X[:, :3]
    counts = Counter(y)
    minority = min(counts, key=counts.get)
    wish = {minority: counts[minority] + DRAWS}
    clusters = np.arange(len(y)) % 3
    samplers = {
        "smote": SMOTE(random_state=1, sampling_strategy=wish),
        "adasyn": ADASYN(random_state=1, sampling_strategy=wish),
        "borderline 1": BorderlineSMOTE(random_state=1, sampling_strategy=wish),
        "k-means smote": KMeansSMOTE(kmeans_estimator=GivenClusters(clusters, 3), cluster_balance_threshold=0.01, random_state=1,
                                     sampling_strategy=wish),
        "random": RandomOverSampler(random_state=1, sampling_strategy=wish),
        "random, shrinkage": RandomOverSampler(random_state=1, sampling_strategy=wish, shrinkage=1.5),
        "random under-sampling": RandomUnderSampler(),
    }
    results = {}
    for name, sampler in samplers.items():
        if name == "random under-sampling":
            rounds = [RandomUnderSampler(random_state=seed).fit_resample(X, y) for seed in range(-(-DRAWS // counts[minority]))]
            new = np.vstack([X_res[y_res != minority] for X_res, y_res in rounds])[:DRAWS]
        else:
            new = sampler.fit_resample(X, y)[0][len(X):]
        results[name] = distribution(new)
    mixed = np.column_stack([np.floor(X[:, 0] * 4), X[:, 1:]])
    results["smote-nc"] = distribution(SMOTENC([0], random_state=1, sampling_strategy=wish).fit_resample(mixed, y)[0][len(X):])
    return results


def distribution(new):
    at = np.quantile(new, np.arange(1, POINTS) / POINTS, axis=0, method="lower")
    below = (new[None, :, :] <= at[:, None, :]).mean(axis=1)
    return {"draws": len(new), "at": at.T.round(9).tolist(), "below": below.T.round(4).tolist()}


def centroids():
    """Six clusters far apart, of which k-means finds the means whatever it begins with."""
    integers = Integers(99)
    rows = [[100 * (i % 6) + integers.next(1000) / 1024, 100 * (i % 3) + integers.next(1000) / 1024] for i in range(60)]
    X, y = np.array(rows + [[900.0 + i, 900.0] for i in range(6)]), np.array([0] * 60 + [1] * 6)
    new = ClusterCentroids(random_state=0).fit_resample(X, y)[0][:6]
    return sorted([float(a), float(b)] for a, b in new)


def main(folder):
    generated = [{"seed": seed, **deterministic(*draw(seed))} for seed in range(1, GENERATED + 1)]
    tables = []
    for name in TABLES:
        print(name, file=sys.stderr, flush=True)
        X, y = read_table(f"{folder}/tabular/{name}.csv")
        tables.append({"table": name, "rows": len(y), "columns": X.shape[1], **deterministic(X, y, False)})
    versions = f"imbalanced-learn {imblearn.__version__}, scikit-learn {sklearn.__version__}"
    lists = {"generated": generated, "tables": tables, "categorical": [categorical(seed) for seed in range(1, 41)]}
    lists["strategies"] = strategies()
    parts = [json.dumps("madeWith") + ": " + json.dumps(versions)]
    parts += [json.dumps(name) + ": [\n" + ",\n".join(json.dumps(item) for item in items) + "\n]" for name, items in lists.items()]
    parts.append(json.dumps("distributions") + ": " + json.dumps(distributions()))
    parts.append(json.dumps("centroids") + ": " + json.dumps(centroids()))
    print("{\n" + ",\n".join(parts) + "\n}")


main(sys.argv[1])
