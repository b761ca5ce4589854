"""Runs clang-tidy of .venv (.clang-tidy) over the sources of the library and the command line.

Half of its time goes into parsing headers. So the sources of a folder are first checked as if they
were one file, which they are to the sanitizer builds. Where that finds anything, each is checked by
itself, and only what that finds counts.

A file that passed is not checked again until it, a header of ours it includes, its compile command
or .clang-tidy changes: its fingerprint is kept in the cache of the user, so that another checkout
of the same sources need not check it either.
"""

import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from sources import ROOT, source_files

TIDY = ROOT / ".venv" / "bin" / "clang-tidy"
BUILD = ROOT / "build" / "tidy"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
PASSED = CACHE / "tertium" / "tidy"
TOGETHER = BUILD / "together"
# For several sources as one: the analyzer must not take them for headers, and a name in one may
# hide that of another (within one file, the release build looks for that).
TOGETHER_FLAGS = ["-Xclang", "-analyzer-opt-analyze-headers", "-Wno-shadow"]
OWN_FILES = r"/(tertium|cli)/.*\.[ch]pp$"
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def configure() -> dict[Path, list[str]]:
    """Configures a clang build, never built; returns the flags each file is compiled with."""
    command = ["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja"]
    command += ["-DCMAKE_CXX_COMPILER=clang++-14", "-DCMAKE_BUILD_TYPE=Debug"]
    command += ["-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DTERTIUM_TESTS=OFF", "-DTERTIUM_BENCH=OFF"]
    command += ["-DTERTIUM_CCACHE=OFF"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"cannot configure {BUILD}:\n{run.stdout}{run.stderr}")
    entries = json.loads((BUILD / "compile_commands.json").read_text())
    # COMPILER FLAGS -o OBJECT -c FILE
    return {Path(entry["file"]): shlex.split(entry["command"])[1:-4] for entry in entries}


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


def fingerprint(source: Path, flags: list[str], version: str) -> str:
    anywhere = [flag.replace(str(ROOT), "") for flag in flags]
    digest = hashlib.sha256("\0".join([version, *anywhere]).encode())
    for path in [ROOT / ".clang-tidy", *own_files(source)]:
        digest.update(f"\0{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def groups(sources: list[Path], flags: dict[Path, list[str]]) -> list[list[Path]]:
    """Sources in one folder with the same flags; the groups that take longest come first."""
    alike = defaultdict(list)
    for source in sources:
        alike[source.parent, tuple(flags[source])].append(source)
    return sorted(alike.values(), key=lambda group: -sum(path.stat().st_size for path in group))


def tidy(source: Path, flags: list[str]) -> tuple[bool, str]:
    command = [TIDY, "--quiet", f"--config-file={ROOT / '.clang-tidy'}"]
    command += [f"--header-filter={OWN_FILES}", source, "--", *flags]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return run.returncode == 0, run.stdout + (run.stderr if run.returncode else "")


def check(group: list[Path], flags: list[str]) -> list[tuple[Path, bool, str]]:
    """For each file of the group, whether it passed and what clang-tidy said."""
    if len(group) > 1:
        text = "".join(f'#include "{source}"\n' for source in group)
        together = TOGETHER / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.cpp"
        together.write_text(text)
        passed, _ = tidy(together, [*flags, *TOGETHER_FLAGS])
        if passed:
            return [(source, True, "") for source in group]
    return [(source, *tidy(source, flags)) for source in group]


def main() -> int:
    if not TIDY.exists():
        sys.exit(f"{TIDY} not found: run tools/setup")
    version = subprocess.run([TIDY, "--version"], capture_output=True, text=True).stdout
    flags = configure()
    sources = [path for path in source_files(".cpp", under=("tertium", "cli")) if path in flags]
    marks = {path: PASSED / fingerprint(path, flags[path], version) for path in sources}
    todo = [path for path in sources if not marks[path].exists()]
    print(f"clang-tidy: {len(todo)} of {len(sources)} files to check", flush=True)

    for folder in (PASSED, TOGETHER):
        folder.mkdir(parents=True, exist_ok=True)
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        running = [pool.submit(check, group, flags[group[0]]) for group in groups(todo, flags)]
        for done in concurrent.futures.as_completed(running):
            for path, passed, output in done.result():
                if passed:
                    marks[path].touch()
                else:
                    failures += 1
                    print(f"--- {path.relative_to(ROOT)}\n{output}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
