"""Read triplets from CSV and add them up to the AddS-3 matrix: tertium against polars.

run() is called by bench/run.py. Everything that holds data runs in a process of its own, started
as a subcommand of this file; those need numpy and polars.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

TITLE = "Read 10^7 triplets and add up AddS-3: tertium against polars"
ROWS = 10_000_000
ITEMS = [1_000, 10_000, 100_000]  # from dense to sparse
SEED = 1
REPEATS = 5
TRIALS = 2  # runs of each way to write it in polars, to find the finalists
FINALISTS = 3  # ways that are timed against tertium
GOAL = 5  # polars seconds / tertium seconds
ENTRY_BYTES = 12  # two 4-byte indices and a 4-byte value

ENGINES = ["eager", "in-memory", "streaming"]
QUERIES = ["two_keys", "packed_key", "packed_key_counts"]


def run(binary: Path, work: Path) -> tuple[str, list[dict[str, str]]]:
    rows = []
    for items in ITEMS:
        triplets = work / f"triplets-{ROWS}-{items}-{SEED}.csv"
        if not triplets.exists():
            worker("generate", triplets, items)
        rows.append(measure(binary, work, triplets, items))
    about = (
        f"{ROWS:,} random triplets `anchor,near,far` of integer items, files in the page cache, "
        f"medians (and range) of {REPEATS} interleaved runs. "
        "tertium: wall time of the whole process, which also writes the matrix to a file. "
        f"polars {worker('version')}: a fresh process each time, timed after the import, result "
        "left in memory; the fastest of "
        f"{len(ENGINES) * len(QUERIES)} ways to write it (engine and query named in the table). "
        "Peak memory is that of the process. Both matrices were the same, entry by entry, before "
        "the clock was started."
    )
    return about, rows


def measure(binary: Path, work: Path, triplets: Path, items: int) -> dict[str, str]:
    ways = [(engine, query) for engine in ENGINES for query in QUERIES]
    trial = {way: min(time_polars(triplets, *way)[0] for _ in range(TRIALS)) for way in ways}
    finalists = sorted(ways, key=trial.get)[:FINALISTS]
    nonzeros = check(binary, work, triplets, finalists)

    tertium, polars = [], {way: [] for way in finalists}
    for _ in range(REPEATS):
        tertium.append(time_tertium(binary, work, triplets))
        for way in finalists:
            polars[way].append(time_polars(triplets, *way))
    way = min(finalists, key=lambda way: seconds(polars[way]))

    ratio = seconds(polars[way]) / seconds(tertium)
    return {
        "items": f"{items:,}",
        "tertium, s": with_range(tertium),
        "polars, s": with_range(polars[way]),
        "polars / tertium": f"{ratio:.1f}",
        f"goal >= {GOAL}x": "met" if ratio >= GOAL else "not met",
        "tertium, rows/s": f"{ROWS / seconds(tertium):.2e}",
        "polars, rows/s": f"{ROWS / seconds(polars[way]):.2e}",
        "tertium peak, MB": megabytes(tertium),
        "polars peak, MB": megabytes(polars[way]),
        f"matrix ({ENTRY_BYTES} B x nonzeros), MB": f"{nonzeros * ENTRY_BYTES / 1e6:.0f}",
        "polars way": ", ".join(way),
    }


def check(binary: Path, work: Path, triplets: Path, ways: list[tuple[str, str]]) -> int:
    """The number of nonzero pairs; stops the benchmark if two results differ."""
    matrix = work / "out.mtx"
    command = [binary, "similarity", triplets, "-o", matrix, "--force"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    nonzeros = worker("check", triplets, matrix, *(word for way in ways for word in way))
    matrix.unlink()
    return nonzeros


def time_tertium(binary: Path, work: Path, triplets: Path) -> tuple[float, int]:
    """Wall seconds and peak bytes."""
    result = work / "out.sim"
    start = time.perf_counter()
    _, peak = watch([binary, "similarity", triplets, "-o", result, "--force"])
    elapsed = time.perf_counter() - start
    result.unlink()
    return elapsed, peak


def time_polars(triplets: Path, engine: str, query: str) -> tuple[float, int]:
    """Seconds of the work alone, and peak bytes of the process."""
    printed, peak = watch([sys.executable, __file__, "polars", triplets, engine, query])
    return json.loads(printed), peak


def watch(command: list) -> tuple[str, int]:
    """Run a command; return what it prints and its peak memory in bytes."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    with process.stdout:
        printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return printed, usage.ru_maxrss * 1024  # Linux counts in KiB


def worker(*words):
    """Run a subcommand of this file in a process of its own and return what it found."""
    command = [sys.executable, __file__, *map(str, words)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def seconds(runs: list[tuple[float, int]]) -> float:
    return median(elapsed for elapsed, _ in runs)


def with_range(runs: list[tuple[float, int]]) -> str:
    times = [elapsed for elapsed, _ in runs]
    return f"{median(times):.2f} ({min(times):.2f}-{max(times):.2f})"


def megabytes(runs: list[tuple[float, int]]) -> str:
    return f"{median(peak for _, peak in runs) / 1e6:.0f}"


# Subcommands, each in its own process. They import numpy and polars themselves, so that the process
# that measures stays small.


def generate(path: str, items: str) -> None:
    """Write triplets of distinct items, each triplet equally likely."""
    import numpy as np
    import polars as pl

    rng, n = np.random.default_rng(SEED), int(items)
    anchor = rng.integers(n, size=ROWS)
    near = rng.integers(n - 1, size=ROWS)
    near += near >= anchor
    far = rng.integers(n - 2, size=ROWS)
    far += far >= np.minimum(anchor, near)
    far += far >= np.maximum(anchor, near)
    unfinished = Path(path).with_suffix(".part")
    pl.DataFrame({"anchor": anchor, "near": near, "far": far}).write_csv(unfinished)
    unfinished.rename(path)


def version() -> str:
    import polars as pl

    return f"{pl.__version__} ({pl.thread_pool_size()} threads)"


def polars(path: str, engine: str, query: str) -> float:
    import polars as pl  # noqa: F401  (the import is not part of the work)

    start = time.perf_counter()
    similarity = pairs(path, engine, query)
    elapsed = time.perf_counter() - start
    assert similarity.height > 0
    return elapsed


def pairs(path: str, engine: str, query: str):
    """The similarity of every pair asked about: columns row < col and value."""
    import polars as pl

    types = dict.fromkeys(["anchor", "near", "far"], pl.Int32)
    if engine == "eager":
        return globals()[query](pl.read_csv(path, schema_overrides=types))
    triplets = pl.scan_csv(path, schema_overrides=types)
    return globals()[query](triplets).collect(engine=engine)


def two_keys(triplets):
    """Group by the two columns row and col."""
    import polars as pl

    def half(other: str, sign: int):
        return triplets.select(
            pl.min_horizontal("anchor", other).alias("row"),
            pl.max_horizontal("anchor", other).alias("col"),
            pl.lit(sign, pl.Int32).alias("value"),
        )

    both = pl.concat([half("near", 1), half("far", -1)])
    return both.group_by("row", "col").agg(pl.col("value").sum())


def packed_key(triplets):
    """Group by row and col packed into one integer."""
    import polars as pl

    def half(other: str, sign: int):
        return triplets.select(pair(other), pl.lit(sign, pl.Int32).alias("value"))

    both = pl.concat([half("near", 1), half("far", -1)])
    return unpacked(both.group_by("pair").agg(pl.col("value").sum()))


def packed_key_counts(triplets):
    """As packed_key, but count near and far each by itself before adding up."""
    import polars as pl

    def half(other: str, sign: int):
        count = pl.len().cast(pl.Int32) * sign
        return triplets.group_by(pair(other)).agg(count.alias("value"))

    both = pl.concat([half("near", 1), half("far", -1)])
    return unpacked(both.group_by("pair").agg(pl.col("value").sum()))


def pair(other: str):
    import polars as pl

    row, col = pl.min_horizontal("anchor", other), pl.max_horizontal("anchor", other)
    return (row.cast(pl.Int64) * 2**32 + col).alias("pair")


def unpacked(sums):
    import polars as pl

    row, col = pl.col("pair") // 2**32, pl.col("pair") % 2**32
    return sums.select(row.cast(pl.Int32).alias("row"), col.cast(pl.Int32).alias("col"), "value")


def check_matrix(path: str, matrix: str, *words: str) -> int:
    """Compare a MatrixMarket file with what polars finds; return the number of nonzero pairs."""
    import polars as pl

    expected = read_matrix(matrix)
    for engine, query in zip(words[::2], words[1::2], strict=True):
        found = pairs(path, engine, query).filter(pl.col("value") != 0).sort("row", "col")
        if not found.equals(expected):
            sys.exit(f"{matrix} and polars ({engine}, {query}) differ on {path}")
    return expected.height


def read_matrix(matrix: str):
    """The entries of a symmetric MatrixMarket file: columns row < col (item names) and value."""
    import numpy as np
    import polars as pl

    names, lines = {}, 1
    with open(matrix, encoding="utf-8") as file:
        line = file.readline()
        assert line.strip() == "%%MatrixMarket matrix coordinate integer symmetric", line
        while line.startswith("%"):
            if line.startswith("%item "):
                _, row, name = line.split()
                names[int(row)] = int(name)
            line = file.readline()
            lines += 1
    rows, cols, entries = map(int, line.split())
    assert rows == cols, "not square"
    assert sorted(names) == list(range(1, rows + 1)), "an item has no name"
    name = np.array([-1] + [names[row] for row in range(1, rows + 1)], dtype=np.int32)

    table = pl.read_csv(
        matrix,
        separator=" ",
        has_header=False,
        skip_lines=lines,
        schema=dict.fromkeys(["i", "j", "value"], pl.Int32),
    )
    assert table.height == entries, "entries are missing"
    assert (table["i"] > table["j"]).all(), "not a lower triangle"
    i, j = name[table["i"].to_numpy()], name[table["j"].to_numpy()]
    ends = [pl.Series("row", np.minimum(i, j)), pl.Series("col", np.maximum(i, j))]
    return table.select(*ends, "value").sort("row", "col")


SUBCOMMANDS = {"generate": generate, "version": version, "polars": polars, "check": check_matrix}

if __name__ == "__main__":
    print(json.dumps(SUBCOMMANDS[sys.argv[1]](*sys.argv[2:])))
