"""Kernels, trees and points: tertium against cblearn and scipy.

run() is called by bench/run.py. The others run in a virtual environment of their own, made in the
folder of the benchmark from bench/requirements-cblearn.txt.
"""

import csv
import json
import math
import subprocess
import sys
from pathlib import Path
from statistics import median

import numpy as np
from processes import HERE, Tertium, require

TITLE = "Kernels, trees and points: tertium against cblearn and scipy"
REPEATS = 3
ITEMS = 1000
TRIPLETS = 100_000
FLIPPED = 0.1  # of the answers
TREE_ITEMS = 60
TREE_TRIPLETS = 5_000
KERNEL_ITEMS = 1000
EMBEDDINGS = {"tste": "TSTE", "ste": "STE", "ckl": "CKL", "gnmds": "GNMDS", "soe": "SOE"}
LARGER_ERROR = 0.002  # a difference that is no difference: two hundred of the answers


def python_of_cblearn(work: Path) -> Path:
    folder = work / "cblearn"
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        wanted = HERE / "requirements-cblearn.txt"
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", wanted], check=True)
    return python


def reference(python: Path, *words) -> dict:
    command = [python, HERE / "rivals_reference.py", *map(str, words)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def triplets(work: Path, items: int, count: int, flipped: float) -> tuple[Path, np.ndarray]:
    """Different triplets about random points of the plane, for both sides in one file."""
    rng = np.random.default_rng(items)
    points = rng.uniform(-1, 1, (items, 2))
    rows = rng.integers(0, items, (int(1.2 * count), 3))
    a, b, c = rows.T
    rows = np.unique(rows[(a != b) & (a != c) & (b < c)], axis=0)
    while len(rows) < count:
        more = rng.integers(0, items, (count, 3))
        a, b, c = more.T
        rows = np.unique(np.vstack([rows, more[(a != b) & (a != c) & (b < c)]]), axis=0)
    rows = rng.permutation(rows)[:count]
    a, b, c = points[rows.T]
    nearer = np.linalg.norm(a - b, axis=1) < np.linalg.norm(a - c, axis=1)
    swapped = nearer == (rng.uniform(size=count) < flipped)
    rows[swapped, 1:] = rows[swapped, :0:-1]
    path = work / f"rivals-{items}-{count}.npy"
    np.save(path, rows)
    return path, rows


def error(points: np.ndarray, rows: np.ndarray) -> float:
    a, b, c = points[rows.T]
    return float(np.mean(((a - b) ** 2).sum(axis=1) >= ((a - c) ** 2).sum(axis=1)))


def points_in(path: Path, items: int) -> np.ndarray:
    points = np.full((items, 2), np.nan)
    with path.open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    for item, *values in rows:
        points[int(item)] = list(map(float, values))
    return points


def cell(times: list[float]) -> str:
    return f"{median(times):.3g} s ({min(times):.3g} to {max(times):.3g})"


def row(what: str, name: str, ours: list[float], theirs: list[float], quality: str) -> dict:
    return {
        "what": what,
        "method": name,
        "tertium": cell(ours),
        "other": cell(theirs),
        "times faster": f"{median(theirs) / median(ours):.1f}",
        "quality": quality,
    }


def measure_embedding(tertium: Tertium, python: Path, work: Path, name: str) -> dict:
    path, rows = triplets(work, ITEMS, TRIPLETS, FLIPPED)
    found = work / "points.csv"
    call = ("embed", path, "--method", name, "--folds", 0, "--starts", 1, "-o", found, "--force")
    ours, theirs = [], []
    for _ in range(REPEATS):
        ours.append(tertium.run(*call, "-q")[1])
        other = reference(python, "embedding", EMBEDDINGS[name], path)
        theirs.append(other["seconds"])
    our_error = error(points_in(found, ITEMS), rows)
    their_error = error(np.array(other["points"]), rows)
    require(our_error <= their_error + LARGER_ERROR, f"{name}: {our_error} against {their_error}")
    quality = f"contradicted {100 * our_error:.2f} % against {100 * their_error:.2f} %"
    return row(f"{ITEMS} items, {TRIPLETS:,} triplets", name, ours, theirs, quality)


def measure_tree(tertium: Tertium, python: Path, work: Path) -> dict:
    path, _ = triplets(work, TREE_ITEMS, TREE_TRIPLETS, FLIPPED)
    call = ("cluster", path, "--method", "4-al", "--clusters", 2, "--quick", "--json")
    ours, theirs = [], []
    for _ in range(REPEATS):
        printed, elapsed, _ = tertium.run(*call)
        ours.append(elapsed)
    other = reference(python, "hc", path)
    theirs.append(other["seconds"])
    tree = json.loads(printed)["tree"]

    def joins(leaves, linkage):
        made = [frozenset([leaf]) for leaf in leaves]
        for a, b, *_ in linkage:
            made.append(made[int(a)] | made[int(b)])
        return made[len(leaves) :]

    same = joins(list(map(int, tree["leaves"])), tree["linkage"]) == joins(
        list(range(TREE_ITEMS)), other["linkage"]
    )
    require(same, "4-AL: the merges differ")
    what = f"{TREE_ITEMS} items, {TREE_TRIPLETS:,} triplets"
    return row(what, "4-AL (ComparisonHC)", ours, theirs, "the same merges")


def measure_kernel(tertium: Tertium, python: Path, work: Path) -> dict:
    count = round(KERNEL_ITEMS * math.log(KERNEL_ITEMS) ** 4)
    path, _ = triplets(work, KERNEL_ITEMS, count, FLIPPED)
    kernel, other = work / "mulk3.npy", work / "mulk3-scipy.npy"
    ours, theirs = [], []
    for _ in range(REPEATS):
        call = ("similarity", path, "--similarity", "mulk3", "-o", kernel, "--force", "-q")
        ours.append(tertium.run(*call)[1])
        theirs.append(reference(python, "mulk3", path, other)["seconds"])
    difference = float(np.abs(np.load(kernel) - np.load(other)).max())
    require(difference < 1e-9, f"MulK-3 differs by {difference}")
    what = f"{KERNEL_ITEMS} items, {count:,} triplets"
    return row(what, "MulK-3 (scipy.sparse)", ours, theirs, f"differ by {difference:.0e} at most")


def run(binary: Path, work: Path) -> tuple[str, list[dict[str, str]]]:
    python = python_of_cblearn(work)
    tertium = Tertium(binary)
    rows = [measure_kernel(tertium, python, work), measure_tree(tertium, python, work)]
    rows += [measure_embedding(tertium, python, work, name) for name in EMBEDDINGS]
    about = (
        f"Triplets about random points of the plane, {FLIPPED:.0%} of them turned round. tertium: "
        "wall time of the whole process, which reads and writes files, with one start of a "
        "descent (`--starts 1 --folds 0`); cblearn and scipy: the call alone, with their "
        f"defaults in 2 dimensions. Medians (and range) of {REPEATS} runs in turns; ComparisonHC "
        "of cblearn once. Quality is recomputed from what both wrote."
    )
    return about, rows
