#!/usr/bin/env python3
"""Golden values of NumPy's legacy random numbers, and of the CIFAR-10-LT selection made with them.

    /usr/bin/python3 packages/evenhand/scripts/golden_legacy_random.py > packages/evenhand/test/golden/legacy-random.json
"""
import json

import numpy as np

SEEDS = [0, 1, 42, 5489, 2**31, 2**32 - 1]
#: Past the first twist of the state, 624 words, and the second.
LATE = 1300


def words(seed):
    stream = np.random.RandomState(seed).randint(0, 2**32, LATE + 3, dtype=np.uint32)
    return {"seed": seed, "first": stream[:5].tolist(), "late": stream[LATE:].tolist()}


def selection(seed, sizes, kept):
    stream = np.random.RandomState(seed)
    chosen = []
    for size, count in zip(sizes, kept):
        ranks = np.arange(size)
        stream.shuffle(ranks)
        chosen.append(ranks[:count].tolist())
    return {"seed": seed, "sizes": sizes, "kept": kept, "ranks": chosen}


def digest(case):
    """A long selection as its first ranks and sums that a wrong or misplaced rank changes."""
    ranks = case.pop("ranks")
    case["classes"] = [
        {
            "first": own[:6],
            "sum": sum(own),
            "weighted": sum((place + 1) * rank for place, rank in enumerate(own)),
        }
        for own in ranks
    ]
    return case


long_tail = [int(5000 * 0.01 ** (c / 9)) for c in range(10)]
print(
    json.dumps(
        {
            "madeWith": f"NumPy {np.__version__}",
            "words": [words(seed) for seed in SEEDS],
            "small": [selection(seed, [1, 2, 3, 8, 9, 20], [1, 1, 2, 8, 4, 20]) for seed in SEEDS],
            "cifar10": [digest(selection(seed, [5000] * 10, long_tail)) for seed in (0, 1, 2)],
        }
    )
)
