"""Makes docs/errors.md from what the program says to every bad input of tests/cli/bad_cases.py.

    .venv/bin/python tools/errors_page.py

Runs the tests of them against build/tertium (or TERTIUM_BIN), which fail while the page is out of
date.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from sources import ROOT

TESTS = ROOT / "tests" / "cli"


def collect() -> dict[str, str]:
    """What the program says about each case, by its name."""
    with tempfile.TemporaryDirectory() as folder:
        collected = Path(folder) / "messages"
        command = [sys.executable, "-m", "pytest", "-q", TESTS / "test_errors.py", "-k", "answered"]
        environment = {**os.environ, "TERTIUM_ERRORS": str(collected)}
        if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode:
            sys.exit("the tests fail: the page stays as it was")
        lines = collected.read_text(encoding="utf-8").splitlines()
    return dict(map(json.loads, lines))


def main() -> int:
    sys.path.insert(0, str(TESTS))
    from errors_page import PAGE, page

    PAGE.write_text(page(collect()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
