"""How often SPUR and held-out answers find the number of clusters. run() is called by run.py."""

import csv
import json
import os
import random
import sys
from collections import Counter
from math import log
from pathlib import Path

from processes import HERE, Tertium, require

TITLE = "The number of clusters: SPUR and held-out answers side by side"
SEEDS = range(1, 21)
PLANTED = [2, 4, 6, 8, 10]
ITEMS = 1_000
GOAL = 19  # of 20, up to MOST_CLUSTERS
MOST_CLUSTERS = 8
MNIST_ITEMS = 2_000
MNIST_BETWEEN = range(9, 12)
MNIST_SPUR_SEEDS = 2  # a solve takes minutes at this size
DATA = Path(os.environ.get("TERTIUM_DATA", HERE.parents[1] / "shared" / "data"))


def run(binary: Path, work: Path) -> tuple[str, list[dict[str, str]]]:
    small = bool(os.environ.get("TERTIUM_BENCH_SMALL"))
    tertium = Tertium(binary)
    seeds = list(SEEDS)[: 2 if small else None]
    rows = [planted(tertium, work, k, seeds, 200 if small else ITEMS) for k in PLANTED]
    points = DATA / "mnist" / "tsne_test.csv"
    if points.exists():
        rows.append(mnist(tertium, work, points, seeds, 300 if small else MNIST_ITEMS))
    about = (
        f"{'SMALL SIZES, NOT A MEASUREMENT. ' if small else ''}n(ln n)^3 triplets. Planted: n=1000 "
        "items, default noise, equal clusters. MNIST: 2000 of 10,000 digits, others for each seed, "
        "answers by the distance in the authors' embedding, without noise. Held-out: `--clusters "
        "heldout`. SPUR: `--clusters auto`. Both with `--tolerance 0.03`; SPUR on MNIST with the "
        f"first {MNIST_SPUR_SEEDS} seeds only, minutes each. How often each number was found."
    )
    return about, rows


def choices(tertium: Tertium, answers: Path, spur: bool) -> tuple[int | None, int]:
    """The k of SPUR, if asked for, and of the held-out answers."""
    common = ["cluster", answers, "--json", "--tolerance", 0.03]

    def chosen(*flags: str) -> int:
        return json.loads(tertium.run(*common, "--clusters", *flags)[0])["k"]

    by_heldout = chosen("heldout", "--resamples", "1")
    by_spur = chosen("auto", "--quick") if spur else None
    print(f"SPUR {by_spur}, held-out answers {by_heldout}", file=sys.stderr, flush=True)
    return by_spur, by_heldout


def row(problem: str, found: list[tuple[int | None, int]], right: range, goal: int | None) -> dict:
    spur = [s for s, _ in found if s is not None]
    heldout = [h for _, h in found]
    hits = sum(h in right for h in heldout)
    return {
        "problem": problem,
        "SPUR finds": often(spur),
        "SPUR right": f"{sum(s in right for s in spur)} of {len(spur)}",
        "held-out answers find": often(heldout),
        "held-out right": f"{hits} of {len(heldout)}",
        "goal": "" if goal is None else f">= {goal} of {len(heldout)}",
        "goal met": "" if goal is None else "met" if hits >= goal else "not met",
    }


def often(numbers: list[int]) -> str:
    return ", ".join(f"{k}: {count}" for k, count in sorted(Counter(numbers).items()))


def planted(tertium: Tertium, work: Path, clusters: int, seeds: list[int], items: int) -> dict:
    found = []
    answers = work / "number.csv"
    print(f"planted, k={clusters}:", file=sys.stderr, flush=True)
    for seed in seeds:
        flags = ["--items", items, "--clusters", clusters, "--answers", "n*ln(n)^3"]
        flags += ["--epsilon", 0.75, "--delta", 0.5, "--seed", seed, "-o", answers]
        tertium.run("simulate", *flags)
        found.append(choices(tertium, answers, spur=True))
    goal = round(GOAL / len(SEEDS) * len(seeds)) if clusters <= MOST_CLUSTERS else None
    return row(f"planted, k={clusters}", found, range(clusters, clusters + 1), goal)


def mnist(tertium: Tertium, work: Path, points: Path, seeds: list[int], items: int) -> dict:
    with points.open(encoding="utf-8") as file:
        table = [(r["x"], r["y"]) for r in csv.DictReader(file)]
    require(len(table) == 10_000, f"{points}: {len(table)} points")
    found = []
    answers, chosen = work / "number.csv", work / "number-points.csv"
    for seed in seeds:
        subset = random.Random(seed).sample(table, items)
        chosen.write_text("x,y\n" + "".join(f"{x},{y}\n" for x, y in subset), encoding="utf-8")
        count = int(items * log(items) ** 3)
        flags = ["--points", chosen, "--answers", count, "--epsilon", 1, "--seed", seed]
        tertium.run("simulate", *flags, "-o", answers)
        found.append(choices(tertium, answers, spur=seed <= MNIST_SPUR_SEEDS))
    return row("MNIST 10", found, MNIST_BETWEEN, len(seeds))
