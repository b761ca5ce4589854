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
MNIST_SPUR_SEEDS = 5  # a run takes two minutes at this size
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
            f"authors' embedding, without noise; SPUR with {MNIST_SPUR_SEEDS} seeds only, two "
            "minutes each."
        )
    else:
        digits = ""
    about = (
        f"{'SMALL SIZES, NOT A MEASUREMENT. ' if small else ''}n(ln n)^3 triplets. Planted: n=1000 "
        f"items, default noise, equal clusters.{digits} Held-out: `--clusters heldout`. SPUR: "
        "`--clusters auto`. How often each number was found."
    )
    return about, rows


def choices(tertium: Tertium, answers: Path, spur: bool) -> dict:
    """The k of SPUR, if asked for, and of held-out answers."""

    def chosen(clusters: str, *flags) -> int:
        printed = tertium.run("cluster", answers, "--json", "--clusters", clusters, *flags)[0]
        return json.loads(printed)["k"]

    # The partition into so many clusters, and its bound, are not what is asked here.
    heldout = chosen("heldout", "--resamples", 1, "--tolerance", 0.5)
    by_spur = chosen("auto", "--quick") if spur else None
    return {"spur": by_spur, "heldout": heldout}


def row(problem: str, found: list[dict], right: range, goal: int | None) -> dict:
    spur = [choice["spur"] for choice in found if choice["spur"] is not None]
    heldout = [choice["heldout"] for choice in found]
    hits = sum(h in right for h in heldout)
    return {
        "problem": problem,
        "SPUR finds": often(spur),
        "SPUR right": f"{sum(s in right for s in spur)} of {len(spur)}",
        "held-out answers find": often(heldout),
        "held-out right": f"{hits} of {len(heldout)}",
        "goal": "" if goal is None else f">= {goal} of {len(heldout)}",
        "goal met": "" if goal is None else "met" if hits >= goal else "not met",
        "at commit": ", ".join(sorted({choice["commit"] for choice in found})),
    }


def often(numbers: list[int]) -> str:
    return ", ".join(f"{k}: {count}" for k, count in sorted(Counter(numbers).items()))


def planted(
    tertium: Tertium, kept: Kept, work: Path, clusters: int, seeds: list[int], items: int
) -> dict:
    problem = f"planted, k={clusters}"
    answers = work / "number.csv"

    def measure(seed: int) -> dict:
        flags = ["--items", items, "--clusters", clusters, "--answers", "n*ln(n)^3"]
        flags += ["--epsilon", 0.75, "--delta", 0.5, "--seed", seed, "-o", answers]
        tertium.run("simulate", *flags)
        return choices(tertium, answers, spur=True)

    found = [kept.result(f"{problem}, seed {seed}", partial(measure, seed)) for seed in seeds]
    goal = round(GOAL / len(SEEDS) * len(seeds)) if clusters <= MOST_CLUSTERS else None
    return row(problem, found, range(clusters, clusters + 1), goal)


def mnist(
    tertium: Tertium, kept: Kept, work: Path, points: Path, seeds: list[int], items: int
) -> dict:
    with points.open(encoding="utf-8") as file:
        table = [(r["x"], r["y"]) for r in csv.DictReader(file)]
    require(len(table) == 10_000, f"{points}: {len(table)} points")
    answers, chosen = work / "number.csv", work / "number-points.csv"

    def measure(seed: int) -> dict:
        subset = random.Random(seed).sample(table, items)
        chosen.write_text("x,y\n" + "".join(f"{x},{y}\n" for x, y in subset), encoding="utf-8")
        count = int(items * log(items) ** 3)
        flags = ["--points", chosen, "--answers", count, "--epsilon", 1, "--seed", seed]
        tertium.run("simulate", *flags, "-o", answers)
        return choices(tertium, answers, spur=seed <= MNIST_SPUR_SEEDS)

    found = [kept.result(f"MNIST, seed {seed}", partial(measure, seed)) for seed in seeds]
    return row("MNIST 10", found, MNIST_BETWEEN, len(seeds))
