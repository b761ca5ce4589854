"""How often SPUR and held-out answers find the number of clusters. run() is called by run.py."""

import csv
import json
import os
import random
from collections import Counter
from functools import partial
from math import log
from pathlib import Path

from processes import HERE, Kept, Tertium, require

TITLE = "The number of clusters: SPUR and held-out answers side by side"
SEEDS = range(1, 21)
PLANTED = [2, 4, 6, 8, 10]
ITEMS = 1_000
GOAL = 19  # of 20, up to MOST_CLUSTERS
MOST_CLUSTERS = 8
MNIST_ITEMS = 2_000
MNIST_BETWEEN = range(9, 12)
PLANTED_TOLERANCE = 0.01  # the largest theta is far from the next
MNIST_TOLERANCE = 0.001
DATA = Path(os.environ.get("TERTIUM_DATA", HERE.parents[1] / "shared" / "data"))


def run(binary: Path, work: Path) -> tuple[str, list[dict[str, str]]]:
    small = bool(os.environ.get("TERTIUM_BENCH_SMALL"))
    if small:
        work = work / "small"
        work.mkdir(exist_ok=True)
    tertium, kept = Tertium(binary), Kept(work / "number_of_clusters.json")
    seeds = list(SEEDS)[: 2 if small else None]
    rows = [planted(tertium, kept, work, k, seeds, 200 if small else ITEMS) for k in PLANTED]
    points = DATA / "mnist" / "tsne_test.csv"
    if points.exists():
        rows.append(mnist(tertium, kept, work, points, seeds, 300 if small else MNIST_ITEMS))
        digits = (
            " MNIST: 2000 of 10,000 digits, others for each seed, answers by the distance in the "
            "authors' embedding, without noise."
        )
    else:
        digits = ""
    about = (
        f"{'SMALL SIZES, NOT A MEASUREMENT. ' if small else ''}n(ln n)^3 triplets. Planted: n=1000 "
        f"items, default noise, equal clusters.{digits} Held-out: `--clusters heldout`. SPUR: "
        f"`--clusters auto --tolerance {PLANTED_TOLERANCE}` ({MNIST_TOLERANCE} for MNIST). How "
        "often each number was found."
    )
    return about, rows


def by_heldout(tertium: Tertium, answers: Path) -> dict:
    # The partition into so many clusters, and its bound, are not what is asked here.
    return chosen(tertium, answers, "heldout", "--resamples", 1, "--tolerance", 0.5)


def by_spur(tertium: Tertium, answers: Path, tolerance: float) -> dict:
    return chosen(tertium, answers, "auto", "--quick", "--tolerance", tolerance)


def chosen(tertium: Tertium, answers: Path, clusters: str, *flags) -> dict:
    printed = tertium.run("cluster", answers, "--json", "--clusters", clusters, *flags)[0]
    return {"k": json.loads(printed)["k"]}


def row(
    problem: str, spur_found: list[dict], heldout_found: list[dict], right: range, goal: int | None
) -> dict:
    spur = [choice["k"] for choice in spur_found]
    heldout = [choice["k"] for choice in heldout_found]
    hits = sum(h in right for h in heldout)
    return {
        "problem": problem,
        "SPUR finds": often(spur),
        "SPUR right": f"{sum(s in right for s in spur)} of {len(spur)}",
        "held-out answers find": often(heldout),
        "held-out right": f"{hits} of {len(heldout)}",
        "goal": "" if goal is None else f">= {goal} of {len(heldout)}",
        "goal met": "" if goal is None else "met" if hits >= goal else "not met",
        "SPUR at commit": commits(spur_found),
        "held-out at commit": commits(heldout_found),
    }


def commits(found: list[dict]) -> str:
    return ", ".join(sorted({choice["commit"] for choice in found}))


def often(numbers: list[int]) -> str:
    return ", ".join(f"{k}: {count}" for k, count in sorted(Counter(numbers).items()))


def planted(
    tertium: Tertium, kept: Kept, work: Path, clusters: int, seeds: list[int], items: int
) -> dict:
    problem = f"planted, k={clusters}"
    answers = work / "number.csv"

    def simulate(seed: int) -> Path:
        flags = ["--items", items, "--clusters", clusters, "--answers", "n*ln(n)^3"]
        flags += ["--epsilon", 0.75, "--delta", 0.5, "--seed", seed, "-o", answers]
        tertium.run("simulate", *flags, "--force")
        return answers

    def spur(seed: int) -> dict:
        return by_spur(tertium, simulate(seed), PLANTED_TOLERANCE)

    def heldout(seed: int) -> dict:
        return by_heldout(tertium, simulate(seed))

    by = {"SPUR": spur, "held-out": heldout}
    found = {way: every_seed(kept, f"{problem}, {way}", seeds, by[way]) for way in by}
    goal = round(GOAL / len(SEEDS) * len(seeds)) if clusters <= MOST_CLUSTERS else None
    right = range(clusters, clusters + 1)
    return row(problem, found["SPUR"], found["held-out"], right, goal)


def every_seed(kept: Kept, name: str, seeds: list[int], measure) -> list[dict]:
    return [kept.result(f"{name}, seed {seed}", partial(measure, seed)) for seed in seeds]


def mnist(
    tertium: Tertium, kept: Kept, work: Path, points: Path, seeds: list[int], items: int
) -> dict:
    with points.open(encoding="utf-8") as file:
        table = [(r["x"], r["y"]) for r in csv.DictReader(file)]
    require(len(table) == 10_000, f"{points}: {len(table)} points")
    answers, subset_file = work / "number.csv", work / "number-points.csv"

    def simulate(seed: int) -> Path:
        subset = random.Random(seed).sample(table, items)
        subset_file.write_text("x,y\n" + "".join(f"{x},{y}\n" for x, y in subset), encoding="utf-8")
        count = int(items * log(items) ** 3)
        flags = ["--points", subset_file, "--answers", count, "--epsilon", 1, "--seed", seed]
        tertium.run("simulate", *flags, "-o", answers, "--force")
        return answers

    def spur(seed: int) -> dict:
        return by_spur(tertium, simulate(seed), MNIST_TOLERANCE)

    def heldout(seed: int) -> dict:
        return by_heldout(tertium, simulate(seed))

    spur_found = every_seed(kept, "MNIST, SPUR", seeds, spur)
    heldout_found = every_seed(kept, "MNIST, held-out", seeds, heldout)
    return row("MNIST 10", spur_found, heldout_found, MNIST_BETWEEN, len(seeds))
