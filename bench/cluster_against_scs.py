"""From a CSV to clusters: tertium against the authors' procedure with SCS; run by run.py."""

import json
import os
from functools import partial
from math import log, sqrt
from pathlib import Path
from statistics import median

from processes import Kept, Tertium, require, scs
from solve_sdp import CLUSTERS, SCS_EPS, Planted, n_log_n, planted_answers, with_range

TITLE = "From answers to clusters: tertium against the authors' procedure with SCS"
TIGHT_GOAL = 1000
LOOSE_GOAL = 50
REPEATS = {True: 7, False: 5}  # by tight or not
SIZES = {True: Planted(1_000, n_log_n(1_000, 4)), False: Planted(1_000, n_log_n(1_000, 3))}
SMALL_SIZES = {True: Planted(400, 3_000_000), False: Planted(400, 400_000)}  # by tight or not


def run(binary: Path, work: Path) -> tuple[str, list[dict[str, str]]]:
    small = bool(os.environ.get("TERTIUM_BENCH_SMALL"))
    tertium = Tertium(binary)
    sizes = SMALL_SIZES if small else SIZES
    kept = Kept(work / f"cluster_against_scs{'_small' if small else ''}.json")
    rows = []
    for tight, goal in ((True, TIGHT_GOAL), (False, LOOSE_GOAL)):
        data = sizes[tight]
        problem = f"{data.title()}, {'tight' if tight else 'not tight'}"
        found = kept.result(problem, partial(measure, tertium, work, data, tight))
        ratio = found["scs"] / median(found["quick"])
        rows.append(
            {
                "problem": problem,
                "tertium cluster --quick: s": with_range(found["quick"]),
                "with null test, held-out answers and confidence: s": with_range(found["full"]),
                "SCS: s": f"{found['scs']:.0f} ({found['each']})",
                "SCS / quick": f"{ratio:.0f}x",
                "SCS / all": f"{found['scs'] / median(found['full']):.0f}x",
                "goal": f">= {goal}x",
                "goal met": "met" if ratio >= goal else "not met",
                "at commit": found["commit"],
            }
        )
    about = (
        f"{'SMALL SIZES, NOT A MEASUREMENT. ' if small else ''}The paper's planted model with its "
        f"default noise, {CLUSTERS} equal clusters. tertium: wall time of the whole "
        "process, from the CSV of answers to labels.csv, result.json and, if there is one, "
        "certificate.json, with the number of clusters found by SPUR (`--clusters auto`); medians "
        "(and range). `--quick` leaves out the null test, the held-out answers and the "
        f"confidence. SCS {scs('version')}: the procedure of the authors, two SDP-lambda and then "
        f"SDP-k for k = 2, 3, 4, eps {SCS_EPS:g}, setup and solve only, without reading answers "
        "and without k-means, one run; SPUR as printed would also need k = 5 and 6. Before the "
        "clock was started: every item in its planted cluster, and the certificate verified where "
        "the problem is tight."
    )
    return about, rows


def measure(tertium: Tertium, work: Path, data: Planted, tight: bool) -> dict:
    answers = planted_answers(work, data)
    quick = times(tertium, work, answers, data, tight, ["--quick"])
    full = times(tertium, work, answers, data, tight, [])
    return {"quick": quick, "full": full, **authors_procedure(answers, data)}


def times(
    tertium: Tertium, work: Path, answers: Path, data: Planted, tight: bool, flags: list[str]
) -> list[float]:
    folder = work / "clusters"
    seconds = []
    for _ in range(REPEATS[tight]):
        _, elapsed, _ = tertium.run("cluster", answers, "-q", "-o", folder, *flags)
        seconds.append(elapsed)
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    labels = dict(zip(result["items"], result["labels"], strict=True))
    pairs = {(labels[str(item)], item % CLUSTERS) for item in range(data.items)}
    require(result["k"] == CLUSTERS and len(pairs) == CLUSTERS, f"{data.title()}: other clusters")
    if tight:
        tertium.run("verify", folder / "certificate.json", answers)
    return seconds


def authors_procedure(answers: Path, data: Planted) -> dict:
    c, n = data.triplets, data.items
    programs = [("lambda", sqrt(c * log(n) / n)), ("lambda", c / n)]
    programs += [("clusters", k) for k in (2, 3, 4)]
    seconds, each = [], []
    for program, value in programs:
        result = scs("solve", answers, program, value, SCS_EPS)
        seconds.append(result["seconds"])
        each.append(f"{program} {value:.4g}: {result['seconds']:.0f} s")
    return {"scs": sum(seconds), "each": ", ".join(each)}
