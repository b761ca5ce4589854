"""Runs clang-tidy of .venv (.clang-tidy) over the sources of the library and the command line.

A file that passed is not checked again until it, a header of ours it includes, its compile command
or .clang-tidy changes: its fingerprint is kept in build/tidy/passed/.
"""

import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from sources import ROOT, source_files

TIDY = ROOT / ".venv" / "bin" / "clang-tidy"
BUILD = ROOT / "build" / "tidy"
PASSED = BUILD / "passed"
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def configure() -> dict[Path, dict]:
    """Configures a clang build, never built, for its compile commands; returns them by file."""
    command = ["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja"]
    command += ["-DCMAKE_CXX_COMPILER=clang++-14", "-DCMAKE_BUILD_TYPE=Debug"]
    command += ["-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DTERTIUM_TESTS=OFF", "-DTERTIUM_BENCH=OFF"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"cannot configure {BUILD}:\n{run.stdout}{run.stderr}")
    entries = json.loads((BUILD / "compile_commands.json").read_text())
    return {Path(entry["file"]): entry for entry in entries}


def own_files(source: Path) -> list[Path]:
    """`source` and every project header it includes, directly or not, in a fixed order."""
    seen: set[Path] = set()
    todo = [source]
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        for name in INCLUDE.findall(path.read_text(errors="replace")):
            places = (ROOT / name, BUILD / "generated" / name, path.parent / name)
            todo += [place for place in places if place.is_file()]
    return sorted(seen)


def fingerprint(source: Path, compile_command: str, version: str) -> str:
    digest = hashlib.sha256(f"{version}\0{compile_command}".encode())
    for path in [ROOT / ".clang-tidy", *own_files(source)]:
        digest.update(f"\0{path}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def check(source: Path) -> tuple[bool, str]:
    run = subprocess.run(
        [TIDY, "--quiet", "-p", BUILD, source], cwd=ROOT, capture_output=True, text=True
    )
    return run.returncode == 0, run.stdout + (run.stderr if run.returncode else "")


def main() -> int:
    if not TIDY.exists():
        sys.exit(f"{TIDY} not found: run tools/setup")
    version = subprocess.run([TIDY, "--version"], capture_output=True, text=True).stdout
    commands = configure()
    sources = [path for path in source_files(".cpp", under=("tertium", "cli")) if path in commands]
    marks = {
        path: PASSED / fingerprint(path, commands[path]["command"], version) for path in sources
    }
    todo = [path for path in sources if not marks[path].exists()]
    print(f"clang-tidy: {len(todo)} of {len(sources)} files to check", flush=True)

    PASSED.mkdir(parents=True, exist_ok=True)
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(check, todo)
        for path, (passed, output) in zip(todo, results, strict=True):
            if passed:
                marks[path].touch()
            else:
                failures += 1
                print(f"--- {path.relative_to(ROOT)}\n{output}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
