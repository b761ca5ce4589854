"""Small programs on which tertium and SCS must agree: random, planted, real and degenerate ones.

    python3 bench/sdp_problems.py FOLDER [DATA]

Writes the matrices into FOLDER and prints the problems as JSON: title, input, program (clusters or
lambda) and its value, the tolerance to solve it to, the known optimum if there is one, a number.
DATA holds the real data sets. Needs numpy, scipy and polars.
"""

import json
import sys
from math import log, sqrt
from pathlib import Path

import numpy as np
from planted import planted_triplets

SEED = 1
TOLERANCE = 1e-8
SLOW_TOLERANCE = 1e-7  # of a problem on which both solvers need more than a minute for 1e-8
# Optima found by prototypes in double precision, primal value and bound agreeing.
CAR = {2: 228.910, 3: 313.443, 4: 349.226}
FOOD = {2: 3290.309, 3: 4530.92}


def symmetric(upper: np.ndarray) -> np.ndarray:
    upper = np.triu(upper, 1)
    return (upper + upper.T).astype(float)


def duplicated(S: np.ndarray, item: int) -> np.ndarray:
    """S with one more item, equal to the given one."""
    twice = np.append(np.arange(len(S)), item)
    return S[np.ix_(twice, twice)]


def blocks(*parts: np.ndarray) -> np.ndarray:
    n = sum(map(len, parts))
    S, start = np.zeros((n, n)), 0
    for part in parts:
        S[start : start + len(part), start : start + len(part)] = part
        start += len(part)
    return S


def planted_matrix(n: int, k: int, m: int) -> np.ndarray:
    anchor, near, far = planted_triplets(n, k, m, SEED).to_numpy().T
    S = np.zeros((n, n))
    np.add.at(S, (anchor, near), 1)
    np.add.at(S, (anchor, far), -1)
    return S + S.T


def matrices() -> list[tuple[str, np.ndarray, list[int], list[float]]]:
    """Title, S, the numbers of clusters and the lambdas to solve for."""
    rng = np.random.default_rng(SEED)

    def integers(n: int, low: int = -9, high: int = 9) -> np.ndarray:
        return symmetric(rng.integers(low, high, (n, n), endpoint=True))

    n20, n60 = integers(20), integers(60)
    rare = n60 * symmetric(rng.random((60, 60)) < 0.05)
    groups = np.arange(24) % 3
    exact = symmetric(np.where(groups[:, None] == groups, 2, -1))
    return [
        ("random integers", n20, [2, 5], [0, 8]),
        ("random integers", n60, [4, 12], [10]),
        ("random integers times 1,000,003", n20 * 1_000_003, [3], [8e6]),
        ("random, 5 % not zero", rare, [4], [3]),
        ("planted, n (ln n)^3", planted_matrix(100, 4, int(100 * log(100) ** 3)), [4], [20]),
        ("planted, n (ln n)^2", planted_matrix(100, 4, int(100 * log(100) ** 2)), [4], []),
        ("planted, n^2 ln n", planted_matrix(60, 3, int(60**2 * log(60))), [2, 3, 4], [30]),
        ("exact groups", exact, [2, 3, 4], [0, 1, 30]),
        ("S = 0", np.zeros((10, 10)), [1, 3, 10], [0, 1]),
        ("S = -1", symmetric(-np.ones((12, 12))), [1, 4, 12], [1]),
        ("S < 0", integers(20, -9, -1), [1, 3], [2]),
        ("S > 0", integers(20, 1, 9), [1, 3], [5]),
        ("disconnected", blocks(integers(12), integers(18)), [2, 4], [6]),
        ("disconnected, S > 0", blocks(integers(12, 1, 9), integers(18, 1, 9)), [1, 2, 3], [10]),
        ("items without answers", blocks(n20, np.zeros((5, 5))), [3], [8]),
        ("one answered pair", blocks(symmetric(np.full((2, 2), 5)), np.zeros((8, 8))), [2, 9], [1]),
        ("k = 1, n - 1 and n", n20, [1, 19, 20], []),
        ("duplicate items", duplicated(duplicated(n20, 3), 7), [3], [8]),
        ("one item", np.zeros((1, 1)), [1], [2]),
        ("two alike items", symmetric(np.full((2, 2), 3)), [1, 2], [1, 4]),
        ("two unlike items", symmetric(np.full((2, 2), -3)), [1, 2], [1]),
        ("three items", symmetric(np.array([[0, 4, -1], [0, 0, -2], [0, 0, 0]])), [1, 2, 3], [1]),
    ]


def real_problems(folder: Path) -> list[dict]:
    car, food = folder / "car" / "triplets.csv", folder / "food" / "triplets.csv"
    n, answers = 60, 12112
    ends = [sqrt(answers * log(n) / n), answers / n]  # where SPUR searches on Car
    found = [problem("Car", n, car, "clusters", k) | {"known": CAR[k]} for k in CAR]
    found += [problem("Car", n, car, "lambda", end) for end in ends]
    found += [problem("Food", 100, food, "clusters", k) | {"known": FOOD[k]} for k in FOOD]
    found[-1]["tolerance"] = SLOW_TOLERANCE
    return found


def problem(title: str, n: int, path: Path, program: str, value: float) -> dict:
    return {
        "title": f"{title}, n={n}, {'k' if program == 'clusters' else 'lambda'}={value:g}",
        "input": str(path),
        "program": program,
        "value": value,
        "tolerance": TOLERANCE,
        "known": None,
    }


def main(folder: str, data: str = "") -> None:
    problems = []
    for number, (title, S, clusters, lambdas) in enumerate(matrices()):
        path = Path(folder) / f"problem-{number}.npy"
        np.save(path, S)
        problems += [problem(title, len(S), path, "clusters", k) for k in clusters]
        problems += [problem(title, len(S), path, "lambda", value) for value in lambdas]
    problems += real_problems(Path(data)) if data else []
    print(json.dumps([found | {"number": at} for at, found in enumerate(problems)]))


if __name__ == "__main__":
    main(*sys.argv[1:])
