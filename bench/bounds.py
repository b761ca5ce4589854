"""Bounds where no certificate proves the partition, at every size, and how soon; run by run.py."""

import json
import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from before_after import earlier_program
from processes import Kept, Tertium, require

TITLE = "A bound at every size"
TOLERANCES = (1e-2, 3e-3, 1e-3)
FASTER = 3  # than the earlier program, to each of them


@dataclass(frozen=True)
class Planted:
    items: int
    clusters: int
    answers: str
    noise: tuple[float, float] = (0.75, 0.5)  # epsilon and delta

    def name(self) -> str:
        return f"n={self.items:,}, k={self.clusters}, {self.answers.replace('*', ' ')} answers"

    def file(self, tertium: Tertium, work: Path) -> Path:
        """Their sums; made once."""
        path = work / f"bounds_{self.items}_{self.clusters}.sim"
        if not path.exists():
            answers = work / "bounds.csv"
            flags = ["--items", self.items, "-k", self.clusters, "--answers", self.answers]
            flags += ["--epsilon", self.noise[0], "--delta", self.noise[1], "--seed", 1]
            tertium.run("simulate", *flags, "-o", answers, "--force", "-q")
            tertium.run("similarity", answers, "-o", path, "-q")
            answers.unlink()
        return path


@dataclass(frozen=True)
class Quick:
    problem: Planted
    most_seconds: float
    largest_gap: float
    most_gigabytes: float | None = None
    verified: bool = True  # by `tertium verify`, before it counts


QUICK = [
    Quick(Planted(5_000, 6, "n*ln(n)^3"), 15, 1e-2),
    Quick(Planted(30_000, 6, "12000000", (0.9, 0.6)), 30, 5e-3),
    Quick(Planted(100_000, 6, "40000000", (0.9, 0.6)), 120, 5e-3, verified=False),
]
MILLION = Quick(Planted(1_000_000, 10, "200000000", (0.9, 0.6)), 300, 0, 16, verified=False)
PROGRAMS = [
    Planted(700, 5, "n*ln(n)^3"),
    Planted(1_000, 8, "n*ln(n)^3"),
    Planted(2_000, 7, "n*ln(n)^3"),
]


def run(binary: Path, work: Path) -> tuple[str, list[dict[str, str]]]:
    small = bool(os.environ.get("TERTIUM_BENCH_SMALL"))
    quick = [Quick(Planted(1_200, 3, "n*ln(n)^3"), 15, 1e-1)] if small else list(QUICK)
    programs = [Planted(150, 3, "n*ln(n)^3")] if small else PROGRAMS
    if os.environ.get("TERTIUM_BENCH_MILLION"):
        quick.append(MILLION)
    before, after = Tertium(earlier_program(work)), Tertium(binary)
    kept = Kept(work / f"bounds{'_small' if small else ''}.json")
    rows = []
    for case in quick:
        found = kept.result(case.problem.name(), partial(clustered, after, work, case))
        rows.append(row_of_cluster(case, found))
    for problem in programs:
        for tolerance in TOLERANCES:
            name = f"{problem.name()}, {tolerance:g}"
            found = kept.result(name, partial(solved, before, after, work, problem, tolerance))
            rows.append(row_of_program(problem, tolerance, found))
    about = (
        f"{'SMALL SIZES, NOT A MEASUREMENT. ' if small else ''}Planted, from sums (`.sim`). "
        "`cluster --quick -k K`: the whole command; its bound is checked by `tertium verify` where "
        "the table says so. `sdp -k K --tolerance T`: until a feasible X and a bound are so near "
        "to each other, by the program before this bound (commit b440f7f) and now, in turns."
    )
    return about, rows


def clustered(tertium: Tertium, work: Path, case: Quick) -> dict:
    file = case.problem.file(tertium, work)
    folder = work / "bounds_result"
    flags = [file, "--quick", "-k", case.problem.clusters, "--json", "-o", folder, "--force"]
    printed, seconds, peak = tertium.run("cluster", *flags)
    result = json.loads(printed)
    if case.verified:
        verified = json.loads(tertium.run("verify", folder / "certificate.json", file, "--json")[0])
        require(verified["verified"], f"{case.problem.name()}: {verified['reason']}")
        require(
            verified["upper_bound"] <= result["upper_bound"] * (1 + 1e-9),
            "the file claims less than the result",
        )
    return {"seconds": seconds, "peak": peak, "gap": result["gap"]}


def row_of_cluster(case: Quick, found: dict) -> dict[str, str]:
    met = found["seconds"] <= case.most_seconds and found["gap"] <= case.largest_gap
    goal = f"{case.most_seconds:g} s, {100 * case.largest_gap:g} %"
    if case.most_gigabytes:
        goal += f", {case.most_gigabytes:g} GB"
        met = met and found["peak"] <= case.most_gigabytes * 1e9
    return {
        "problem": case.problem.name(),
        "command": "cluster --quick",
        "gap": f"{100 * found['gap']:.3g} %" + (", verified" if case.verified else ""),
        "before": "",
        "now": f"{found['seconds']:.1f} s, {found['peak'] / 1e9:.2f} GB",
        "goal": goal,
        "goal met": "met" if met else "not met",
    }


def solved(before: Tertium, after: Tertium, work: Path, problem: Planted, tolerance: float) -> dict:
    file = problem.file(after, work)
    words = [file, "--clusters", problem.clusters, "--tolerance", tolerance]
    results = [program.sdp(*words) for program in (before, after)]
    for result, _, _ in results:
        require(result["gap"] <= tolerance, f"{problem.name()}: a gap of {result['gap']}")
    # Two intervals around one optimum overlap.
    highest = max(result["objective"] for result, _, _ in results)
    lowest = min(result["upper_bound"] for result, _, _ in results)
    require(highest <= lowest * (1 + 1e-9), f"{problem.name()}: bounds that contradict each other")
    return {
        "before": results[0][1],
        "after": results[1][1],
        "gap": results[1][0]["gap"],
    }


def row_of_program(problem: Planted, tolerance: float, found: dict) -> dict[str, str]:
    ratio = found["before"] / found["after"]
    return {
        "problem": problem.name(),
        "command": f"sdp --tolerance {tolerance:g}",
        "gap": f"{100 * found['gap']:.3g} %",
        "before": f"{found['before']:.1f} s",
        "now": f"{found['after']:.1f} s",
        "goal": f"{FASTER} times as fast",
        "goal met": f"{'met' if ratio >= FASTER else 'not met'} ({ratio:.2f})",
    }
