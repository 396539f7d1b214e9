"""scikit-learn on the splits of docs/tables.md.

    npm run --silent tables -- --splits | python3 packages/paper/src/seven-tables/scikit_learn.py results/tables/results.jsonl

Appends to that file; what has a line there is not repeated.
"""

import inspect
import json
import sys
import warnings
from pathlib import Path

import numpy
import pandas
import sklearn
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score, recall_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

# The transformers of numeric and of categorical columns, and the estimator with its options.
MODELS = {
    "LogisticRegression": (StandardScaler(), OneHotEncoder(handle_unknown="ignore"), LogisticRegression, {"max_iter": 5000}),
    "RandomForest": ("passthrough", OneHotEncoder(handle_unknown="ignore"), RandomForestClassifier, {}),
    "HistGradientBoosting": (
        "passthrough",
        OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
        HistGradientBoostingClassifier,
        {},
    ),
}


def has_class_weight(estimator):
    return "class_weight" in inspect.signature(estimator).parameters


def model_of(name, table, seed):
    numeric, categorical, estimator, options = MODELS[name]
    weights = {"class_weight": "balanced"} if has_class_weight(estimator) else {}
    kinds = [column["kind"] for column in table["columns"]]
    names = [column["name"] for column in table["columns"]]
    transformer = ColumnTransformer(
        [
            ("numeric", numeric, [n for n, kind in zip(names, kinds) if kind == "numeric"]),
            ("categorical", categorical, [n for n, kind in zip(names, kinds) if kind != "numeric"]),
        ]
    )
    return make_pipeline(transformer, estimator(random_state=seed, **weights, **options))


def main():
    results = Path(sys.argv[1])
    lines = results.read_text().splitlines() if results.exists() else []
    done = {(line["method"], line["table"], line["seed"]) for line in map(json.loads, lines)}
    warnings.simplefilter("error", ConvergenceWarning)
    for table in json.load(sys.stdin):
        data = pandas.read_csv(table["path"])
        classes = numpy.array(table["classes"])
        # The same rows in the same order.
        assert (data["class"].astype(str) == classes).all()
        for split in table["splits"]:
            for name in MODELS:
                if (name, table["table"], split["seed"]) in done:
                    continue
                model = model_of(name, table, split["seed"])
                model.fit(data.iloc[split["fit"]], classes[split["fit"]])
                truth = classes[split["test"]]
                chosen = model.predict(data.iloc[split["test"]])
                present = numpy.unique(truth)
                line = {
                    "method": name,
                    "table": table["table"],
                    "seed": split["seed"],
                    "version": f"scikit-learn {sklearn.__version__}",
                    "classWeight": "balanced" if has_class_weight(MODELS[name][2]) else None,
                    "balancedAccuracy": recall_score(truth, chosen, labels=present, average="macro"),
                    "macroF1": f1_score(truth, chosen, labels=present, average="macro"),
                    "accuracy": accuracy_score(truth, chosen),
                }
                with results.open("a") as file:
                    file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
