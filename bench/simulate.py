"""Simulate the planted model: tertium against vectorised NumPy.

run() is called by bench/run.py. The NumPy generator is bench/planted.py, which holds the
similarities of all pairs in memory; its answers are written by polars, many times faster than
NumPy writes text. Needs numpy, scipy and polars.
"""

import json
import sys
import time
from math import sqrt
from pathlib import Path

from processes import Tertium, require
from read_similarity import megabytes, seconds, watch, with_range

TITLE = "Simulate the planted model: tertium against NumPy"
CASES = [(1_000, 10_000_000), (10_000, 10_000_000)]
ONLY_TERTIUM = (1_000_000, 100_000_000)  # NumPy would need 4 TB for the pairs
CLUSTERS = 4
SEED = 1
REPEATS = 3
GOAL = 10  # NumPy seconds / tertium seconds
LARGEST_Z = 6  # of a statistic; a right generator exceeds it in 2 of 10^9 runs
INSIDE = 0.5 + 0.75 * 0.5 / 2  # chance that the option in the anchor's cluster wins


def run(binary: Path, work: Path) -> tuple[str, list[dict[str, str]]]:
    tertium = Tertium(binary)
    rows = [measure(tertium, work, items, answers) for items, answers in CASES]
    rows.append(measure_alone(tertium, work, *ONLY_TERTIUM))
    about = (
        "Triplets without replacement, four clusters, the paper's default noise, written to a CSV "
        f"file; medians (and range) of {REPEATS} interleaved runs. tertium: wall time of the whole "
        "process, file flushed to disk. NumPy: bench/planted.py, timed after the imports, written "
        "with polars. Before the clock was started, both files were checked: distinct "
        "questions of three different items, items mentioned equally often, and the option in the "
        "anchor's cluster chosen as often as the model says, within "
        f"{LARGEST_Z} standard deviations."
    )
    return about, rows


def measure(tertium: Tertium, work: Path, items: int, answers: int) -> dict[str, str]:
    ours, theirs, truth = work / "simulated.csv", work / "numpy.csv", work / "truth.csv"
    simulate(tertium, items, answers, ours, truth)
    numpy_seconds(items, answers, theirs)
    check(ours, items, answers, str(truth))
    check(theirs, items, answers, "cyclic")
    times, numpy_times = [], []
    for _ in range(REPEATS):
        times.append(simulate(tertium, items, answers, ours, truth))
        numpy_times.append(numpy_seconds(items, answers, theirs))
    for path in (ours, theirs, truth):
        path.unlink()
    ratio = seconds(numpy_times) / seconds(times)
    return row(items, answers, times) | {
        "NumPy, s": with_range(numpy_times),
        "NumPy / tertium": f"{ratio:.1f}",
        f"goal >= {GOAL}x": "met" if ratio >= GOAL else "not met",
        "NumPy peak, MB": megabytes(numpy_times),
    }


def measure_alone(tertium: Tertium, work: Path, items: int, answers: int) -> dict[str, str]:
    path, truth = work / "simulated.csv", work / "truth.csv"
    times = [simulate(tertium, items, answers, path, truth)]
    path.unlink()
    truth.unlink()
    keys = ["NumPy, s", "NumPy / tertium", f"goal >= {GOAL}x", "NumPy peak, MB"]
    return row(items, answers, times) | dict.fromkeys(keys, "–")


def row(items: int, answers: int, times: list[tuple[float, int]]) -> dict[str, str]:
    return {
        "items": f"{items:,}",
        "answers": f"{answers:.0e}",
        "tertium, s": with_range(times),
        "tertium, answers/s": f"{answers / seconds(times):.2e}",
        "tertium peak, MB": megabytes(times),
    }


def simulate(
    tertium: Tertium, items: int, answers: int, path: Path, truth: Path
) -> tuple[float, int]:
    words = ["--items", items, "--clusters", CLUSTERS, "--answers", answers, "--seed", SEED]
    _, elapsed, peak = tertium.run(
        "simulate", *words, "-o", path, "--truth", truth, "-q", "--force"
    )
    return elapsed, peak


def numpy_seconds(items: int, answers: int, path: Path) -> tuple[float, int]:
    words = ["generate", str(items), str(answers), str(path)]
    printed, peak = watch([sys.executable, __file__, *words])
    return json.loads(printed), peak


def check(path: Path, items: int, answers: int, truth: str) -> None:
    """Stop unless the statistics of a file are those of the model."""
    words = [sys.executable, __file__, "check", str(path), str(items), truth]
    found = json.loads(watch(words)[0])
    require(found["answers"] == answers, f"{path}: {found['answers']} answers")
    require(found["distinct"] == answers, f"{path}: questions were repeated")
    for name in ("inside_z", "mentions_z"):
        require(abs(found[name]) < LARGEST_Z, f"{path}: {name} is {found[name]}")


# Subcommands, each in its own process.


def generate(items: str, answers: str, path: str) -> float:
    from planted import planted_triplets

    start = time.perf_counter()
    planted_triplets(int(items), CLUSTERS, int(answers), SEED).write_csv(path)
    return time.perf_counter() - start


def statistics(path: str, items: str, truth: str) -> dict:
    import numpy as np
    import polars as pl

    n = int(items)
    anchor, near, far = (c.to_numpy().astype(np.int64) for c in pl.read_csv(path))
    label = np.arange(n) % CLUSTERS
    if truth != "cyclic":
        label = pl.read_csv(truth)["cluster"].to_numpy()
    for one, other in ((anchor, near), (anchor, far), (near, far)):
        assert (one != other).all(), "an item is compared with itself"
    key = (anchor * n + np.minimum(near, far)) * n + np.maximum(near, far)
    near_inside, far_inside = label[anchor] == label[near], label[anchor] == label[far]
    unlike = near_inside != far_inside
    # Similarities are shared by the comparisons of a pair: spread over pairs, not over answers.
    effective = min(unlike.sum(), n * (n - 1) / 2)
    share, p = near_inside[unlike].mean(), INSIDE
    mentions = np.bincount(np.concatenate([anchor, near, far]), minlength=n)
    expected = 3 * len(anchor) / n
    chi = ((mentions - expected) ** 2 / (expected * (1 - 3 / n))).sum()
    return {
        "answers": len(anchor),
        "distinct": len(np.unique(key)),
        "inside_z": float((share - p) / sqrt(p * (1 - p) / effective)),
        "mentions_z": float((chi - (n - 1)) / sqrt(2 * (n - 1))),
    }


SUBCOMMANDS = {"generate": generate, "check": statistics}

if __name__ == "__main__":
    print(json.dumps(SUBCOMMANDS[sys.argv[1]](*sys.argv[2:])))
