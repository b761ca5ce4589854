"""Triplets of the paper's planted model with its default noise.

    python3 bench/planted.py FILE.csv ITEMS CLUSTERS TRIPLETS SEED

Item i belongs to cluster i % CLUSTERS. The similarity of a pair is drawn once: normal with mean MU
inside a cluster, with mean 0 between clusters. Each triplet asks a different question (i; j, k),
all questions equally likely; it is answered by the similarities, and wrong with probability
(1 - EPSILON) / 2. Needs numpy, scipy and polars.
"""

import sys
from math import sqrt
from pathlib import Path

import numpy as np
import polars as pl
from scipy.special import ndtri

EPSILON = 0.75  # of the crowd: answers are right with probability (1 + EPSILON) / 2
DELTA = 0.5  # of the items: a pair inside is more alike with probability (1 + DELTA) / 2
SIGMA = 0.1
MU = sqrt(2) * SIGMA * ndtri((1 + DELTA) / 2)


def planted_triplets(n: int, k: int, m: int, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal(n * (n - 1) // 2, dtype=np.float32)  # of every pair, once
    anchor, one, other = distinct_questions(n, m, rng)

    def similarity(option: np.ndarray) -> np.ndarray:
        low, high = np.minimum(anchor, option), np.maximum(anchor, option)
        pair = low * n - low * (low + 1) // 2 + high - low - 1
        return MU * (anchor % k == option % k) + SIGMA * noise[pair]

    wrong = rng.random(m) < (1 - EPSILON) / 2
    first = (similarity(one) > similarity(other)) ^ wrong
    near, far = np.where(first, one, other), np.where(first, other, one)
    return pl.DataFrame({"anchor": anchor, "near": near, "far": far})


def distinct_questions(n: int, m: int, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """m different questions (anchor; one < other) of three different items, in random order."""
    if m > n * (n - 1) * (n - 2) // 2:
        raise ValueError(f"there are no {m} different questions about {n} items")
    keys = np.empty(0, dtype=np.int64)
    while keys.size < m:
        anchor, one, other = rng.integers(n, size=(3, (m - keys.size) * 11 // 10 + 1000))
        fits = (anchor != one) & (anchor != other) & (one != other)
        key = (anchor * n + np.minimum(one, other)) * n + np.maximum(one, other)
        keys = np.unique(np.concatenate([keys, key[fits]]))
    keys = rng.permutation(keys)[:m]
    return keys // (n * n), keys // n % n, keys % n


def main(path: str, *numbers: str) -> None:
    unfinished = Path(path).with_suffix(".part")
    planted_triplets(*map(int, numbers)).write_csv(unfinished)
    unfinished.rename(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
