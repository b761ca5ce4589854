"""Solve SDP-k on planted data: tertium against SCS. run() is called by bench/run.py.

Everything that holds data runs in a process of its own: planted.py, scs_reference.py and
build/bench/products_bench. With TERTIUM_BENCH_SMALL=1 the sizes are small: to try this file, not
to measure.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from math import log
from pathlib import Path
from statistics import median

from processes import HERE, Tertium, require, scs
from sdp_agreement import broken_claims

TITLE = "Solve SDP-k on planted data: tertium against SCS"
SEED = 1
CLUSTERS = 4
REPEATS = {"tight": 7, "mixed": 5, "alternated": 1, "larger": 3, "many": 3}
SCS_EPS = 1e-3  # absolute and relative
FINE_GAPS = [1e-4, 1e-5]  # the last one is the bracket that errors are measured with
FINE_LIMITS = ["--most-seconds", 120, "--most-iterations", 1_000_000]

# Goals: tertium is so many times as fast as SCS.
TIGHT_GOAL = 1000
SAME_ERROR_GOAL = 100
LARGER_GOAL = 10  # against SCS on half the items
PRODUCTS_GOAL = 200  # search and proof cost at most so many products S*x
MEMORY_GOAL = 2e9  # bytes


def n_log_n(n: int, power: float) -> int:
    return int(n * log(n) ** power)


@dataclass(frozen=True)
class Planted:
    items: int
    triplets: int

    def title(self) -> str:
        return f"n={self.items:,}, {self.triplets:,} triplets"


def planted_answers(work: Path, data: Planted, clusters: int = CLUSTERS, seed: int = SEED) -> Path:
    """A CSV of answers, made once; item i is in cluster i % clusters."""
    numbers = [data.items, clusters, data.triplets, seed]
    answers = work / f"planted-{'-'.join(map(str, numbers))}.csv"
    if not answers.exists():
        command = [sys.executable, HERE / "planted.py", answers, *map(str, numbers)]
        subprocess.run(command, check=True)
    return answers


@dataclass(frozen=True)
class Sizes:
    tight: Planted  # the partition is the optimum
    loose: Planted  # it is not
    larger: Planted  # not either, twice the items
    many: Planted


FULL = Sizes(
    tight=Planted(1_000, n_log_n(1_000, 4)),
    loose=Planted(1_000, n_log_n(1_000, 3)),
    larger=Planted(2_000, n_log_n(2_000, 3)),
    many=Planted(10_000, 10_000_000),
)
SMALL = Sizes(
    tight=Planted(400, 3_000_000),
    loose=Planted(100, n_log_n(100, 3)),
    larger=Planted(200, n_log_n(200, 3)),
    many=Planted(400, 3_000_000),
)


def run(binary: Path, work: Path) -> tuple[str, list[dict[str, str]]]:
    small = bool(os.environ.get("TERTIUM_BENCH_SMALL"))
    sizes = SMALL if small else FULL
    bench = Bench(Tertium(binary), work)
    rows = tight(bench, sizes.tight)
    loose_rows, scs_seconds = loose(bench, sizes.loose)
    rows += loose_rows
    rows += larger(bench, sizes.larger, sizes.loose, scs_seconds)
    rows += many(bench, sizes.many)
    about = (
        f"{'SMALL SIZES, NOT A MEASUREMENT. ' if small else ''}The paper's planted model with its "
        f"default noise, {CLUSTERS} equal clusters, SDP-{CLUSTERS}. tertium: wall time of the "
        "whole process, from a snapshot of the similarity in the page cache (search and proof: "
        "seconds it reports), medians (and range) of 3 to 7 runs; one run where no range is given. "
        f"SCS {scs('version')}: eps {SCS_EPS:g}, the matrix in memory, setup and solve, one run. "
        f"{threads()} Its answers are slightly infeasible. Their error is taken as (the best bound "
        "on the optimum - the value of a feasible point made from its X) / that value, and tertium "
        "is asked for a gap as small. Mixed: X projected to the spectral set and mixed with an "
        "inner point, a simple way that loses much. Alternated: 20 alternating projections "
        "before that, not in the time of SCS; nearer to what its X is worth, and a partition "
        "rounded from it may be better still. The answers were checked before the clock was "
        "started: certificates prove the planted partition, X and N were recomputed with numpy."
    )
    return about, rows


def threads() -> str:
    limit = os.environ.get("OPENBLAS_NUM_THREADS")
    cores = len(os.sched_getaffinity(0))
    return f"Both may use {cores} cores{f', BLAS {limit}' if limit else ''}."


@dataclass(frozen=True)
class Bench:
    tertium: Tertium
    work: Path

    def files(self, data: Planted) -> tuple[Path, Path]:
        """The answers, made once, and the snapshot of their similarity."""
        answers = planted_answers(self.work, data)
        snapshot = answers.with_suffix(".sim")
        self.tertium.run("similarity", answers, "-q", "-o", snapshot)
        return answers, snapshot

    def certificate(self, data: Planted, answers: Path, snapshot: Path) -> Path:
        """A verified proof that the planted partition is the optimum, or the benchmark stops."""
        path = self.work / "certificate.json"
        flags = ["--clusters", CLUSTERS, "--certificate", path]
        result, _, _ = self.tertium.sdp(snapshot, *flags)
        require(result["status"] == "certified", f"{data.title()}: {result['status']}")
        certificate = json.loads(path.read_text(encoding="utf-8"))
        labels = dict(zip(certificate["items"], certificate["labels"], strict=True))
        pairs = {(labels[str(item)], item % CLUSTERS) for item in range(data.items)}
        require(
            len(pairs) == len(set(certificate["labels"])) == CLUSTERS,
            f"{data.title()}: another partition than the planted one",
        )
        self.tertium.run("verify", path, answers)
        return path


def tight(bench: Bench, data: Planted) -> list[dict[str, str]]:
    answers, snapshot = bench.files(data)
    certificate = bench.certificate(data, answers, snapshot)
    reference = scs("solve", answers, "clusters", CLUSTERS, SCS_EPS)
    require(reference["status"] == "solved", f"SCS, {data.title()}: {reference['status']}")

    solving, verifying = [], []
    for _ in range(REPEATS["tight"]):
        flags = ["--clusters", CLUSTERS, "--certificate", certificate]
        result, elapsed, _ = bench.tertium.sdp(snapshot, *flags)
        require(result["status"] == "certified", f"{data.title()}: {result['status']}")
        solving.append(elapsed)
        verifying.append(bench.tertium.run("verify", certificate, answers)[1])
    off = abs(reference["objective"] - result["objective"]) / abs(result["objective"])
    title = data.title() + ", tight"
    return [
        row(
            title,
            "search, proof and certificate: s",
            with_range(solving),
            f"{reference['seconds']:.3g} (objective off by {off:.1e})",
            *speed(reference["seconds"] / median(solving), TIGHT_GOAL),
        ),
        row(title, "verify the certificate against the answers: s", with_range(verifying)),
    ]


def loose(bench: Bench, data: Planted) -> tuple[list[dict[str, str]], float]:
    """Rows, and the seconds of SCS."""
    answers, snapshot = bench.files(data)
    title = data.title() + ", not tight"
    lower, upper, fine_rows = bracket(bench, title, answers, snapshot)

    saved = bench.work / "scs-x.npy"
    reference = scs("solve", answers, "clusters", CLUSTERS, SCS_EPS, saved)
    require(reference["status"] == "solved", f"SCS, {title}: {reference['status']}")
    worth = scs("repair", answers, CLUSTERS, saved)
    middle = (lower + upper) / 2
    rows = [
        row(
            title,
            "optimum",
            f"{lower:.8g} to {upper:.8g}",
            f"{worth['objective']:.8g} (least entry {worth['least_entry']:.1e}, least eigenvalue "
            f"{worth['least_eigenvalue']:.1e}, trace {worth['trace']:.6g}, row sums off by "
            f"{worth['row_sums']:.1e})",
            f"SCS is off by {abs(worth['objective'] - middle) / abs(middle):.1e}",
        ),
    ]
    for way in ("mixed", "alternated"):
        error = (upper - worth[way]) / abs(worth[way])
        require(error > 0, f"{title}: SCS has a feasible {worth[way]}, the bound is {upper}")
        times, gap = same_error(bench, snapshot, error, REPEATS[way])
        note = "" if gap <= error else f" (not reached: gap {gap:.1e})"
        cells = speed(reference["seconds"] / median(times), SAME_ERROR_GOAL) if not note else []
        rows.append(
            row(
                title,
                f"error {error:.1e} of SCS ({way}): s",
                with_range(times) + note,
                f"{reference['seconds']:.3g} ({reference['iterations']} iterations)",
                *cells,
            )
        )
    return rows + fine_rows, reference["seconds"]


def same_error(
    bench: Bench, snapshot: Path, error: float, repeats: int
) -> tuple[list[float], float]:
    """Seconds until the gap is at most the error, and the largest gap of all runs."""
    times, gaps = [], []
    for _ in range(repeats):
        flags = ["--clusters", CLUSTERS, "--tolerance", repr(error), *FINE_LIMITS]
        result, elapsed, _ = bench.tertium.sdp(snapshot, *flags)
        times.append(elapsed)
        gaps.append(result["gap"])
    return times, max(gaps)


def bracket(bench: Bench, title: str, answers: Path, snapshot: Path) -> tuple[float, float, list]:
    """The best objective and bound over the fine gaps, recomputed, and the rows of their times."""
    x, dual = bench.work / "x.npy", bench.work / "dual.npy"
    lower, upper, rows = [], [], []
    for gap in FINE_GAPS:
        flags = ["--clusters", CLUSTERS, "--tolerance", gap, *FINE_LIMITS]
        flags += ["--save-x", x, "--save-dual", dual, "--force"]
        result, elapsed, _ = bench.tertium.sdp(snapshot, *flags)
        claims = scs("claims", answers, "clusters", CLUSTERS, x, dual)
        wrong = broken_claims(result, claims)
        require(not wrong, f"{title}: {'; '.join(wrong)}")
        lower.append(result["objective"])
        upper.append(result["upper_bound"])
        note = "" if result["gap"] <= gap else f" (not reached: gap {result['gap']:.1e})"
        rows.append(row(title, f"gap {gap:g}: s", f"{elapsed:.3g}{note}"))
    return max(lower), min(upper), rows


def larger(
    bench: Bench, data: Planted, compared: Planted, scs_seconds: float
) -> list[dict[str, str]]:
    _, snapshot = bench.files(data)
    times = []
    for _ in range(REPEATS["larger"]):
        flags = ["--clusters", CLUSTERS, "--tolerance", SCS_EPS]
        result, elapsed, _ = bench.tertium.sdp(snapshot, *flags)
        require(result["gap"] <= SCS_EPS, f"{data.title()}: gap {result['gap']}")
        times.append(elapsed)
    return [
        row(
            data.title() + ", not tight",
            f"gap {SCS_EPS:g}: s",
            with_range(times),
            f"{scs_seconds:.3g} for n={compared.items:,}",
            *speed(scs_seconds / median(times), LARGER_GOAL),
        )
    ]


def many(bench: Bench, data: Planted) -> list[dict[str, str]]:
    answers, snapshot = bench.files(data)
    bench.certificate(data, answers, snapshot)
    product = product_seconds(bench, snapshot)
    searching, whole, peaks = [], [], []
    for _ in range(REPEATS["many"]):
        result, elapsed, peak = bench.tertium.sdp(snapshot, "--clusters", CLUSTERS)
        require(result["status"] == "certified", f"{data.title()}: {result['status']}")
        searching.append(result["seconds"])
        whole.append(elapsed)
        peaks.append(peak)
    ratio = median(searching) / product[1]
    each = ", ".join(f"{vectors}: {1e3 * product[vectors]:.3g} ms" for vectors in product)
    return [
        row(
            data.title(),
            "search and proof: s",
            f"{with_range(searching)}; whole process {with_range(whole)}",
            "",
            f"{ratio:.0f} products S*x (time of one, by number of vectors: {each})",
            f"<= {PRODUCTS_GOAL} products",
            ratio <= PRODUCTS_GOAL,
        ),
        row(
            data.title(),
            "peak memory: MB",
            f"{max(peaks) / 1e6:.0f}",
            "",
            "",
            f"<= {MEMORY_GOAL / 1e6:.0f}",
            max(peaks) <= MEMORY_GOAL,
        ),
    ]


def product_seconds(bench: Bench, snapshot: Path) -> dict[int, float]:
    """Median seconds of one product with a block of vectors, by the number of vectors."""
    program = bench.work / "products_bench"
    require(program.exists(), f"no {program}: build everything, with Google Benchmark installed")
    done = subprocess.run(
        [program, "--benchmark_format=json", "--benchmark_repetitions=5"],
        env=os.environ | {"TERTIUM_BENCH_SNAPSHOT": str(snapshot)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    seconds = {}
    for entry in json.loads(done.stdout)["benchmarks"]:
        require(not entry.get("error_occurred"), f"products_bench: {entry.get('error_message')}")
        if entry.get("aggregate_name") == "median":
            require(entry["time_unit"] == "ms", "products_bench: another unit than ms")
            seconds[int(entry["run_name"].split("/")[1])] = entry["real_time"] / 1e3
    require(1 in seconds, "products_bench: no product with one vector")
    return seconds


def row(problem: str, measured: str, tertium: str, scs="", compared="", goal="", met=None) -> dict:
    return {
        "problem": problem,
        "measured": measured,
        "tertium": tertium,
        "SCS": scs,
        "compared": compared,
        "goal": goal,
        "goal met": "" if met is None else "met" if met else "not met",
    }


def speed(ratio: float, goal: float) -> tuple[str, str, bool]:
    """The last cells of a row about a ratio of times."""
    return f"{ratio:.3g}x", f">= {goal}x", ratio >= goal


def with_range(times: list[float]) -> str:
    if len(times) == 1:
        return f"{times[0]:.3g}"
    return f"{median(times):.3g} ({min(times):.3g}-{max(times):.3g})"
