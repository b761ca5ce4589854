"""Breaks the mathematics in one line at a time and sees that a test notices.

    .venv/bin/python tools/mutate.py [NUMBER...]

Reads tools/mutations.toml: a line of a file, what becomes of it, and the C++ tests that must fail
then. Works on a copy of the tree in build/mutants, where only the changed file is compiled again. A
text that is not in its file exactly once, and a mutant that does not compile, are mistakes in the
table. Exits with 1 if a mutant survives.
"""

import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

from sources import ROOT, source_files

COPY = ROOT / "build" / "mutants"
BUILD = COPY / "build"
TABLE = ROOT / "tools" / "mutations.toml"
LONGEST_TEST = 300  # seconds; a mutant that never ends is noticed, too


@dataclass(frozen=True)
class Mutation:
    number: int
    file: str
    line: str
    becomes: str
    tests: str  # a filter of GoogleTest

    def __str__(self) -> str:
        return f"{self.number:>3} {self.file}: {self.line.strip()}  ->  {self.becomes.strip()}"


def read_table(table: Path = TABLE) -> list[Mutation]:
    entries = tomllib.loads(table.read_text(encoding="utf-8"))["mutation"]
    return [Mutation(number, **entry) for number, entry in enumerate(entries, start=1)]


def mutated(text: str, mutation: Mutation) -> str:
    """The text of the file with its one line changed; raises ValueError if that is not clear."""
    found = text.count(mutation.line)
    if found != 1:
        raise ValueError(f"found {found} times, expected once: {mutation}")
    if "\n" in mutation.line or mutation.line == mutation.becomes:
        raise ValueError(f"no change of one line: {mutation}")
    return text.replace(mutation.line, mutation.becomes)


def copy_tree() -> None:
    """Brings the copy up to date; files that are the same keep their time, and what was built."""
    kept = set()
    suffixes = (".cpp", ".hpp", ".in", ".cmake", "CMakeLists.txt")
    for source in source_files(*suffixes):
        target = COPY / source.relative_to(ROOT)
        kept.add(target)
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    for old in COPY.rglob("*_test.cpp"):
        if old not in kept and BUILD not in old.parents:
            old.unlink()


def run(command: list, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options
    )


def build() -> str:
    """Empty, or what the compiler says."""
    done = run(["cmake", "--build", BUILD, "--target", "tertium_tests"])
    return done.stdout if done.returncode else ""


def configure() -> None:
    command = ["cmake", "-S", COPY, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
    # Of a library that is shared only itself is linked again.
    command += ["-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG", "-DBUILD_SHARED_LIBS=ON"]
    command += ["-DTERTIUM_CLI=OFF", "-DTERTIUM_BENCH=OFF", "-DTERTIUM_INSTALL=OFF"]
    done = run(command)
    if done.returncode:
        sys.exit(done.stdout)


def failing(tests: str) -> bool:
    """Whether a test fails, or none is found."""
    try:
        done = run([BUILD / "tertium_tests", f"--gtest_filter={tests}"], timeout=LONGEST_TEST)
    except subprocess.TimeoutExpired:
        return True
    if "Running 0 tests" in done.stdout:
        sys.exit(f"no test fits {tests}")
    return done.returncode != 0


def is_caught(mutation: Mutation) -> bool:
    path = COPY / mutation.file
    original = path.read_text(encoding="utf-8")
    try:
        path.write_text(mutated(original, mutation), encoding="utf-8")
        if errors := build():
            sys.exit(f"does not compile: {mutation}\n{errors}")
        return failing(mutation.tests)
    finally:
        path.write_text(original, encoding="utf-8")


def main() -> int:
    table = read_table()
    for mutation in table:  # before the work
        mutated((ROOT / mutation.file).read_text(encoding="utf-8"), mutation)
    chosen = {int(word) for word in sys.argv[1:]} or {mutation.number for mutation in table}
    COPY.mkdir(parents=True, exist_ok=True)
    copy_tree()
    configure()
    if errors := build():
        sys.exit(errors)
    for tests in sorted({mutation.tests for mutation in table if mutation.number in chosen}):
        if failing(tests):
            sys.exit(f"fails without any mutation: {tests}")

    survivors = []
    for mutation in table:
        if mutation.number in chosen:
            caught = is_caught(mutation)
            print(f"{'caught  ' if caught else 'SURVIVED'} {mutation}", flush=True)
            survivors += [] if caught else [mutation]
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} caught")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
