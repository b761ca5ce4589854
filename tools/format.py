"""Checks the format of all C++ and Python sources; with --fix, corrects it.

C++ by clang-format-14 (.clang-format), Python by ruff (ruff.toml), which also lints.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from sources import ROOT, source_files


def find_tool(name: str) -> str:
    """The tool of the environment this Python runs in, or else of the system."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        sys.exit(f"{name} not found: run tools/setup")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fix", action="store_true", help="rewrite the files in place")
    fix = parser.parse_args().fix

    clang_format, ruff = find_tool("clang-format-14"), find_tool("ruff")
    cpp, python = source_files(".cpp", ".hpp"), source_files(".py")
    commands = []
    if cpp:
        commands.append([clang_format, *(["-i"] if fix else ["--dry-run", "-Werror"]), *cpp])
    if python:
        commands.append([ruff, "check", "--quiet", *(["--fix"] if fix else []), *python])
        commands.append([ruff, "format", "--quiet", *([] if fix else ["--diff"]), *python])

    failed = [command for command in commands if subprocess.run(command, cwd=ROOT).returncode]
    if failed and not fix:
        print("\nSources are not in format or have lint findings. `make format` repairs most.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
