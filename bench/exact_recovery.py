"""The paper's planted model: is every item in its cluster? run() is called by run.py."""

import csv
import json
import os
from math import log
from pathlib import Path

from processes import Tertium

TITLE = "Every item in its cluster: the planted model with default noise"
SEEDS = range(1, 11)
ITEMS = 1_000
CLUSTERS = 4
POWERS = (3, 4)


def run(binary: Path, work: Path) -> tuple[str, list[dict[str, str]]]:
    small = bool(os.environ.get("TERTIUM_BENCH_SMALL"))
    items = 150 if small else ITEMS
    tertium = Tertium(binary)
    rows = []
    for power in POWERS:
        results = [recovered(tertium, work, items, power, seed) for seed in SEEDS]
        right = sum(all_right for all_right, _, _ in results)
        rows.append(
            {
                "problem": f"n={items}, k={CLUSTERS}, n(ln n)^{power} = "
                f"{int(items * log(items) ** power):,} triplets",
                "number of clusters right": of(sum(k == CLUSTERS for _, k, _ in results)),
                "every item right": of(right),
                "proved optimal": of(sum(proved for _, _, proved in results)),
                "goal": of(len(SEEDS)),
                "goal met": "met" if right == len(SEEDS) else "not met",
            }
        )
    about = (
        f"{'SMALL SIZES, NOT A MEASUREMENT. ' if small else ''}`tertium simulate` with epsilon "
        "0.75 and delta 0.5, the paper's defaults, equal clusters; `tertium cluster --quick`, "
        f"number of clusters not given. Seeds {SEEDS[0]} to {SEEDS[-1]}: in how many of them."
    )
    return about, rows


def of(count: int) -> str:
    return f"{count} of {len(SEEDS)}"


def recovered(
    tertium: Tertium, work: Path, items: int, power: int, seed: int
) -> tuple[bool, int, bool]:
    """Whether the clusters are the planted ones, their number, and whether they are proved."""
    answers, truth = work / "recovery.csv", work / "recovery-truth.csv"
    flags = ["--items", items, "--clusters", CLUSTERS, "--answers", f"n*ln(n)^{power}"]
    flags += ["--epsilon", 0.75, "--delta", 0.5, "--seed", seed, "-o", answers, "--truth", truth]
    tertium.run("simulate", *flags, "--force")
    result = json.loads(tertium.run("cluster", answers, "--quick", "--json")[0])
    found = dict(zip(result["items"], result["labels"], strict=True))
    with truth.open(encoding="utf-8") as file:
        planted = {row["item"]: row["cluster"] for row in csv.DictReader(file)}
    pairs = {(planted[item], found[item]) for item in planted}
    all_right = len(pairs) == len(set(planted.values())) == len(set(found.values()))
    return all_right, result["k"], result["certificate"]["verdict"] == "optimal"
