"""Calibrate the constants of Theorem 1 by simulation.

    python3 bench/theory_constants.py

Prints, for a grid of planted models, what each constant would have to be there; the defaults of
TheoremConstants in tertium/planning/theory.hpp are the rounded extremes:

c2  answers at which every item is found with chance 0.95 (`tertium plan`), over
    n^3 (ln n)^2 / (epsilon delta n_min)^2: the largest
c1  smallest delta of a grid at which 20 n^2 right answers are enough, over
    sqrt(n ln n) / n_min: the largest
c3  ||S - S~|| over max(sqrt(m ln n / n), m epsilon sqrt(ln n / n^3), (ln n)^2): the largest
c4  n_min delta_1 / 2 over m epsilon delta n_min / n^2: the smallest
"""

import json
import os
import subprocess
import tempfile
from math import log, sqrt
from pathlib import Path

BINARY = os.environ.get("TERTIUM_BIN", Path(__file__).resolve().parents[1] / "build" / "tertium")
RUNS = 100
CONFIDENCE = 0.95  # of `tertium plan`
# items, clusters, epsilon, delta
MODELS = [
    (60, 2, 0.8, 0.8),
    (100, 2, 0.8, 0.5),
    (100, 4, 0.8, 0.8),
    (200, 4, 0.8, 0.5),
    (200, 4, 0.4, 0.8),
    (400, 4, 0.75, 0.5),
]
SMALL_DELTAS = [(60, 2), (100, 2), (100, 4), (200, 4)]
DELTAS = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
KINDS = ["triplets", "quadruplets"]


def run(*words) -> str:
    command = [BINARY, *map(str, words)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def plan(n: int, k: int, epsilon: float, delta: float, kind: str) -> int | None:
    model = ["--items", n, "--clusters", k, "--epsilon", epsilon, "--delta", delta]
    return json.loads(run("plan", *model, "--kind", kind, "--runs", RUNS, "--json"))["answers"]


def enough(n: int, k: int, delta: float, kind: str) -> bool:
    model = ["--items", n, "--clusters", k, "--epsilon", 1, "--delta", delta, "--kind", kind]
    found = run("plan", *model, "--runs", RUNS, "--answers", 20 * n * n, "--json")
    return json.loads(found)["curve"][0]["chance"] >= CONFIDENCE


def answers_constant(n: int, k: int, epsilon: float, delta: float, answers: int) -> float:
    return answers * (epsilon * delta * (n // k)) ** 2 / (n**3 * log(n) ** 2)


def lambda_constants(
    n: int, k: int, epsilon: float, delta: float, kind: str, m: int
) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        answers, truth = Path(folder) / "a.csv", Path(folder) / "t.csv"
        model = ["--items", n, "--clusters", k, "--epsilon", epsilon, "--delta", delta]
        files = ["-o", answers, "--truth", truth, "-q"]
        run("simulate", *model, "--kind", kind, "--answers", m, *files, "--force")
        noise = ["--epsilon", epsilon, "--delta", delta]
        found = json.loads(run("theory", answers, "--truth", truth, *noise, "--json"))
    there = found["proposition_at_expected"]
    lowest = max(sqrt(m * log(n) / n), m * epsilon * sqrt(log(n) / n**3), log(n) ** 2)
    n_min = n // k
    return there["lo"] / lowest, n_min * there["delta_1"] / 2 * n * n / (
        m * epsilon * delta * n_min
    )


def main() -> None:
    for kind in KINDS:
        for n, k, epsilon, delta in MODELS:
            answers = plan(n, k, epsilon, delta, kind)
            line = f"{kind:11} n={n} k={k} epsilon={epsilon} delta={delta}: "
            if answers is None:
                print(line + "no number of answers is enough", flush=True)
                continue
            c2 = answers_constant(n, k, epsilon, delta, answers)
            c3, c4 = lambda_constants(n, k, epsilon, delta, kind, answers)
            print(f"{line}{answers} answers, c2 {c2:.4f}, c3 {c3:.3f}, c4 {c4:.3f}", flush=True)
        for n, k in SMALL_DELTAS:
            delta = next(delta for delta in DELTAS if enough(n, k, delta, kind))
            c1 = delta * (n // k) / sqrt(n * log(n))
            print(f"{kind:11} n={n} k={k}: found from delta {delta}, c1 {c1:.3f}", flush=True)


if __name__ == "__main__":
    main()
