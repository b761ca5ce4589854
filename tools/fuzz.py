"""Lets libFuzzer look for inputs that break a reader: `make fuzz SECONDS=600`.

Runs every target of build/fuzz/tertium_fuzz for so many seconds, starting from fuzz/corpus/TARGET
and from what earlier runs found (build/fuzz/found/TARGET). An input that breaks something is kept
in build/fuzz/crashes/TARGET: `build/tertium_replay TARGET FILE` runs it again. Prints how much was
tried, in how many seconds of CPU (on a busy machine less than went by), and exits with 1 if
anything broke.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from sources import ROOT

BUILD = ROOT / "build" / "fuzz"
PROGRAM = BUILD / "tertium_fuzz"
# What a target may need for one input. Inputs are small, so what takes more grows too fast.
LIMITS = ["-timeout=10", "-rss_limit_mb=2048", "-malloc_limit_mb=512", "-max_len=4096"]
SANITIZERS = {
    "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=0",
    "ASAN_SYMBOLIZER_PATH": "/usr/bin/llvm-symbolizer-14",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}


@dataclass
class Outcome:
    target: str
    executions: int
    cpu_seconds: float
    coverage: int  # edges of the program that were reached
    corpus: int
    crashes: list[Path]
    log: Path
    code: int


def all_targets() -> list[str]:
    listing = subprocess.run([PROGRAM], capture_output=True, text=True, check=False).stderr
    return re.findall(r"^  (\w+)$", listing, re.MULTILINE)


def last_number(pattern: str, text: str) -> int:
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def fuzz(target: str, seconds: int) -> Outcome:
    found, crashes = BUILD / "found" / target, BUILD / "crashes" / target
    for folder in (found, crashes):
        folder.mkdir(parents=True, exist_ok=True)
    log = BUILD / f"{target}.log"
    command = [PROGRAM, target, *LIMITS, f"-max_total_time={seconds}", "-print_final_stats=1"]
    command.append(f"-artifact_prefix={crashes}/")
    dictionary = ROOT / "fuzz" / "dictionaries" / f"{target}.dict"
    if dictionary.exists():
        command.append(f"-dict={dictionary}")
    command += [found, ROOT / "fuzz" / "corpus" / target]
    with log.open("w") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=output, env={**os.environ, **SANITIZERS}
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    text = log.read_text(errors="replace")
    return Outcome(
        target,
        executions=last_number(r"stat::number_of_executed_units:\s*(\d+)", text),
        cpu_seconds=usage.ru_utime,
        coverage=last_number(r"\bcov: (\d+)", text),
        corpus=len(list(found.iterdir())),
        crashes=sorted(crashes.iterdir()),
        log=log,
        code=process.returncode,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="targets at the same time")
    parser.add_argument("targets", nargs="*", help="only these")
    options = parser.parse_args()
    if not PROGRAM.exists():
        sys.exit(f"{PROGRAM} not found: run make fuzz")
    known = all_targets()
    if unknown := set(options.targets) - set(known):
        parser.error(f"no such target: {', '.join(sorted(unknown))}; known: {', '.join(known)}")

    broken = 0
    columns = f"{'target':<12}{'executions':>12}{'CPU s':>8}{'edges':>8}{'corpus':>8}"
    print(f"{columns}  {options.seconds} s each")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = [pool.submit(fuzz, name, options.seconds) for name in options.targets or known]
        for done in concurrent.futures.as_completed(running):
            one = done.result()
            verdict = "clean" if one.code == 0 and not one.crashes else f"BROKEN, see {one.log}"
            numbers = f"{one.executions:>12}{one.cpu_seconds:>8.0f}{one.coverage:>8}{one.corpus:>8}"
            print(f"{one.target:<12}{numbers}  {verdict}", flush=True)
            for path in one.crashes:
                print(f"  {path}", flush=True)
            broken += verdict != "clean"
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
