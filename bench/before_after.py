"""The same commands before and after, in one run: is anything slower?; run by run.py."""

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from processes import ROOT, Kept, Tertium, require
from solve_sdp import with_range

TITLE = "Default clustering, before and after"
BEFORE = "b440f7f"  # the last commit before the stages were put in order
SHARED = ROOT.parent / "shared" / "data"


@dataclass(frozen=True)
class Case:
    name: str
    command: tuple[str, ...]
    repeats: int
    goal: float  # how many times as fast at least
    simulate: tuple[str, ...] = ()  # flags of `tertium simulate`; empty: the file itself
    file: Path = Path()


def planted(items: int, clusters: int, answers: str) -> tuple[str, ...]:
    return ("--items", str(items), "--clusters", str(clusters), "--answers", answers, "--seed", "1")


# 0.9: what does not change at all differs by a tenth from run to run on shared machines.
SAME = 0.9
CASES = [
    Case("n=2000, k=7, n(ln n)^3, not tight", ("cluster",), 3, 2, planted(2000, 7, "n*ln(n)^3")),
    Case("n=1000, k=4, n(ln n)^4, tight", ("cluster",), 5, 1.5, planted(1000, 4, "n*ln(n)^4")),
    Case("n=1000, k=4, n(ln n)^3, not tight", ("cluster",), 3, SAME, planted(1000, 4, "n*ln(n)^3")),
    Case("the same, --quick", ("cluster", "--quick"), 3, SAME, planted(1000, 4, "n*ln(n)^3")),
    Case("n=300, k=6, n(ln n)^3", ("cluster",), 5, SAME, planted(300, 6, "n*ln(n)^3")),
    Case("Car", ("cluster",), 7, SAME, file=SHARED / "car" / "triplets.csv"),
    Case("Food", ("cluster",), 7, SAME, file=SHARED / "food" / "triplets.csv"),
    Case("faces", ("cluster",), 7, SAME, file=SHARED / "cfd36_faces" / "triplets.csv"),
]
SMALL_CASES = [
    Case("n=100, k=3", ("cluster",), 2, SAME, planted(100, 3, "n*ln(n)^3")),
]


def run(binary: Path, work: Path) -> tuple[str, list[dict[str, str]]]:
    small = bool(os.environ.get("TERTIUM_BENCH_SMALL"))
    before, after = Tertium(earlier_program(work)), Tertium(binary)
    kept = Kept(work / f"before_after{'_small' if small else ''}.json")
    rows = []
    for case in SMALL_CASES if small else CASES:
        found = kept.result(case.name, partial(measure, before, after, work, case))
        ratio = median(found["before"]) / median(found["after"])
        rows.append(
            {
                "answers": case.name,
                f"at {BEFORE}: s": with_range(found["before"]),
                "now: s": with_range(found["after"]),
                "times as fast": f"{ratio:.2f}",
                "goal": f">= {case.goal:g}",
                "goal met": "met" if ratio >= case.goal else "not met",
                "peak before, MB": f"{found['peak_before'] / 1e6:.0f}",
                "peak now, MB": f"{found['peak_after'] / 1e6:.0f}",
                "at commit": found["commit"],
            }
        )
    about = (
        f"{'SMALL SIZES, NOT A MEASUREMENT. ' if small else ''}`tertium cluster FILE` with nothing "
        f"but what the table says, by the program at commit {BEFORE} and by this one, in turns: "
        "wall time of the whole process, medians (and range), and its peak memory. Before the "
        "clock was started: the same number of clusters, the best value found not lower, the bound "
        f"not higher by more than the tolerance. A goal of {SAME:g} says: not slower."
    )
    return about, rows


def earlier_program(work: Path) -> Path:
    """The program of the earlier commit, built once."""
    source = work / f"source_{BEFORE}"
    binary = source / "build" / "tertium"
    if not binary.exists():
        shutil.rmtree(source, ignore_errors=True)
        source.mkdir(parents=True)
        files = subprocess.run(
            ["git", "archive", BEFORE], cwd=ROOT, capture_output=True, check=True
        )
        subprocess.run(["tar", "-x", "-C", source], input=files.stdout, check=True)
        configure = ["cmake", "-S", source, "-B", source / "build", "-G", "Ninja"]
        subprocess.run([*configure, "-DCMAKE_BUILD_TYPE=Release"], check=True)
        build = ["cmake", "--build", source / "build", "--target", "tertium_cli"]
        subprocess.run(build, check=True)
    return binary


def measure(before: Tertium, after: Tertium, work: Path, case: Case) -> dict:
    answers = file_of(after, work, case)
    flags = (*case.command, answers, "--json")
    results = [json.loads(program.run(*flags)[0]) for program in (before, after)]
    require(results[0]["k"] == results[1]["k"], f"{case.name}: another number of clusters")
    values = [best_value(result) for result in results]
    require(values[1] >= values[0] * (1 - 1e-9), f"{case.name}: a worse partition {values}")
    bounds = [result["upper_bound"] for result in results]
    require(bounds[1] <= bounds[0] * (1 + 1e-3), f"{case.name}: a worse bound {bounds}")
    found: dict = {"before": [], "after": [], "peak_before": 0, "peak_after": 0}
    for _ in range(case.repeats):
        for name, program in (("before", before), ("after", after)):
            _, seconds, peak = program.run(*flags)
            found[name].append(seconds)
            found[f"peak_{name}"] = max(found[f"peak_{name}"], peak)
    return found


def best_value(result: dict) -> float:
    consensus = result["consensus"]
    return consensus["best_objective"] if consensus else result["objective"]


def file_of(tertium: Tertium, work: Path, case: Case) -> Path:
    if not case.simulate:
        return case.file
    name = "_".join(case.simulate).replace("--", "").replace("*", "").replace("/", "")
    path = work / f"planted_{name}.csv"
    if not path.exists():
        tertium.run("simulate", *case.simulate, "-o", path)
    return path
