"""The project's own source files, for the checks."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def source_files(*suffixes: str, under: tuple[str, ...] = (".",)) -> list[Path]:
    """Files below `under` with one of `suffixes`: those git tracks or would track, sorted."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *under],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    paths = sorted({ROOT / name for name in listing.split("\0") if name.endswith(suffixes)})
    return [path for path in paths if path.is_file()]  # a file may be deleted but still tracked
