"""The processes that the benchmarks of the programs start; this one stays small (see run.py)."""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from read_similarity import watch

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
RESULTS = HERE / "RESULTS.md"


def output(*command: str) -> str:
    """What the command prints, or nothing if it fails."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def commit() -> str:
    changes = output("git", "status", "--porcelain", "--", ".", f":!{RESULTS.relative_to(ROOT)}")
    name = output("git", "rev-parse", "--verify", "--short=12", "HEAD") or "no commit"
    return name + ("+changes" if changes else "")


class Kept:
    """Results by name, each with the commit that gave it, in a file: a run that was stopped goes on
    with TERTIUM_BENCH_RESUME=1."""

    def __init__(self, file: Path):
        self.file = file
        self.results = {}
        if os.environ.get("TERTIUM_BENCH_RESUME") and file.exists():
            self.results = json.loads(file.read_text(encoding="utf-8"))

    def result(self, name: str, measure) -> dict:
        """What was kept, else what `measure` returns, and the "commit"."""
        if name not in self.results:
            self.results[name] = {**measure(), "commit": commit()}
            self.file.write_text(json.dumps(self.results, indent=1), encoding="utf-8")
        print(f"{name}: {self.results[name]}", file=sys.stderr, flush=True)
        return self.results[name]


@dataclass(frozen=True)
class Tertium:
    binary: Path

    def run(self, *words) -> tuple[str, float, int]:
        """What it prints, wall seconds and peak bytes of the whole process."""
        start = time.perf_counter()
        printed, peak = watch([self.binary, *map(str, words)])
        return printed, time.perf_counter() - start, peak

    def sdp(self, *words) -> tuple[dict, float, int]:
        """The same for `tertium sdp`, with the JSON it prints."""
        printed, elapsed, peak = self.run("sdp", *words, "--json")
        return json.loads(printed), elapsed, peak


def worker(script: str, *words):
    """Run a file of this folder and return the JSON it prints."""
    command = [sys.executable, HERE / script, *map(str, words)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def scs(*words):
    return worker("scs_reference.py", *words)


def require(condition: bool, message: str) -> None:
    """Stop the benchmark unless the condition holds."""
    if not condition:
        sys.exit(f"benchmark stopped: {message}")
