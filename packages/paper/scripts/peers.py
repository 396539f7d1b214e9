"""scikit-learn and imbalanced-learn on the folds of docs/tables.md.

    npm run --silent tables -- --folds-for-peers > folds.jsonl
    OMP_NUM_THREADS=1 python3 packages/paper/scripts/peers.py --folds folds.jsonl --tables-folder "$EVENHAND_DATA/tabular" \\
        --results results/tables/peers.jsonl

Appends a line per learner, table, repeat and fold; what has a line there is not repeated. Written for Debian 12: python3-sklearn 1.2.1,
python3-imblearn 0.10.0, python3-pandas. One thread; seconds are those of the processor, so that other programs do not count.
"""

import argparse
import json
import os
import time
import warnings
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")  # before numpy reads them

import imblearn
import numpy
import pandas
import sklearn
from fold_measures import measures
from imblearn.ensemble import (
    BalancedBaggingClassifier,
    BalancedRandomForestClassifier,
    EasyEnsembleClassifier,
    RUSBoostClassifier,
)
from imblearn.over_sampling import SMOTE, RandomOverSampler
from imblearn.pipeline import make_pipeline
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline as make_transformer
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import SVC


class Columns:
    """How columns become numbers; a missing category is a category of its own."""

    def __init__(self, columns):
        self.numeric = [c["name"] for c in columns if c["kind"] == "numeric"]
        self.categorical = [c["name"] for c in columns if c["kind"] != "numeric"]

    def read(self, file):
        data = pandas.read_csv(file)
        for name in self.categorical:
            data[name] = data[name].astype(object).where(data[name].notna(), "missing").astype(str)
        return data

    def standardised(self):
        """For what measures distances or follows gradients."""
        numeric = make_transformer(SimpleImputer(strategy="median"), StandardScaler())
        return self.transformer(numeric, OneHotEncoder(handle_unknown="ignore", sparse_output=False))

    def imputed(self):
        """For trees that take no missing values."""
        return self.transformer(SimpleImputer(strategy="median"), self.ordinal(unknown=-1))

    def as_they_are(self):
        """For trees that know missing values and categories."""
        return self.transformer("passthrough", self.ordinal(unknown=numpy.nan))

    @staticmethod
    def ordinal(unknown):
        return OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=unknown)

    def transformer(self, numeric, categorical):
        return ColumnTransformer([("numeric", numeric, self.numeric), ("categorical", categorical, self.categorical)])

    def which_are_categorical(self):
        return [False] * len(self.numeric) + [True] * len(self.categorical)


def over_sampler(labels, seed):
    """SMOTE with as many of its 5 neighbours as the rarest class has; copies of rows where a class has only one."""
    rarest = numpy.bincount(labels).min()
    if rarest < 2:
        return RandomOverSampler(random_state=seed)
    return SMOTE(k_neighbors=min(5, rarest - 1), random_state=seed)


# From the columns, the training labels and a seed: a pipeline.
PEERS = {
    "LogisticRegression": lambda columns, labels, seed: make_pipeline(
        columns.standardised(), LogisticRegression(class_weight="balanced", max_iter=5000)
    ),
    "RandomForest": lambda columns, labels, seed: make_pipeline(
        columns.imputed(), RandomForestClassifier(class_weight="balanced", random_state=seed)
    ),
    "BalancedRandomForest": lambda columns, labels, seed: make_pipeline(
        columns.imputed(), BalancedRandomForestClassifier(random_state=seed)
    ),
    "HistGradientBoosting": lambda columns, labels, seed: make_pipeline(
        columns.as_they_are(),
        HistGradientBoostingClassifier(
            class_weight="balanced", categorical_features=columns.which_are_categorical(), random_state=seed
        ),
    ),
    "BalancedBagging": lambda columns, labels, seed: make_pipeline(
        columns.imputed(), BalancedBaggingClassifier(random_state=seed)
    ),
    "RUSBoost": lambda columns, labels, seed: make_pipeline(columns.imputed(), RUSBoostClassifier(random_state=seed)),
    "SMOTE + LogisticRegression": lambda columns, labels, seed: make_pipeline(
        columns.standardised(), over_sampler(labels, seed), LogisticRegression(max_iter=5000)
    ),
    "EasyEnsemble": lambda columns, labels, seed: make_pipeline(
        columns.imputed(), EasyEnsembleClassifier(random_state=seed)
    ),
    "MLPClassifier": lambda columns, labels, seed: make_pipeline(
        columns.standardised(), MLPClassifier(max_iter=5000, random_state=seed)
    ),
    "SVC": lambda columns, labels, seed: make_pipeline(
        columns.standardised(), SVC(class_weight="balanced", probability=True, cache_size=500, random_state=seed)
    ),
}


def measured(peer, columns, data, labels, classes, fold_of, fold, seed):
    training, test = numpy.flatnonzero(fold_of != fold), numpy.flatnonzero(fold_of == fold)
    start = time.process_time()
    model = PEERS[peer](columns, labels[training], seed)
    model.fit(data.iloc[training], labels[training])
    answers = model.predict(data.iloc[test])
    known = model.predict_proba(data.iloc[test])
    seconds = time.process_time() - start
    probabilities = numpy.zeros((len(test), classes))
    probabilities[:, model.classes_] = known
    return {**measures(labels[test], answers, probabilities), "seconds": round(seconds, 3)}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--folds", required=True, type=Path)
    arguments.add_argument("--tables-folder", required=True, type=Path)
    arguments.add_argument("--results", required=True, type=Path)
    arguments.add_argument("--peers", default=",".join(PEERS))
    given = arguments.parse_args()
    # imbalanced-learn announces changes of its next version, and starts its threads in an old way.
    warnings.filterwarnings("ignore", category=FutureWarning)
    warnings.filterwarnings("ignore", message="`sklearn.utils.parallel.delayed`")
    tables = [json.loads(line) for line in given.folds.read_text().splitlines()]
    read = given.results.read_text().splitlines() if given.results.exists() else []
    done = {(line["learner"], line["table"], line["repeat"], line["fold"]) for line in map(json.loads, read)}
    versions = f"scikit-learn {sklearn.__version__}, imbalanced-learn {imblearn.__version__}"
    for peer in given.peers.split(","):
        for table in tables:
            columns = Columns(table["columns"])
            data = columns.read(given.tables_folder / f"{table['table']}.csv")
            labels = numpy.array(table["labels"])
            # The same rows in the same order.
            assert (data["class"].astype(str) == numpy.array(table["classNames"])[labels]).all(), table["table"]
            for repeat, fold_of in enumerate(table["folds"]):
                for fold in range(max(fold_of) + 1):
                    if (peer, table["table"], repeat, fold) in done:
                        continue
                    seed = repeat * (max(fold_of) + 1) + fold
                    line = {
                        "learner": peer,
                        "table": table["table"],
                        "repeat": repeat,
                        "fold": fold,
                        **measured(peer, columns, data, labels, len(table["classNames"]), numpy.array(fold_of), fold, seed),
                        "version": versions,
                    }
                    with given.results.open("a") as file:
                        file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
