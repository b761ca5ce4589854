"""Checks that data walks through the library in one direction.

Every folder of tertium/ is a stage. The stages and their order are the numbered list of
tertium/README.md, whose items begin like

    1. `core/` – what the stage does

A file may include its own stage and stages above it in that list, no stage below. Besides:

- every folder with C++ files is in the list (a listed stage need not exist yet);
- a file directly in tertium/ (the whole way in one call) may include any stage, but no stage
  includes it; the generated tertium/version.hpp is free for all;
- certificate/verify* includes only core/, comparisons/, similarity/ and itself: it reads answers as
  everybody does, but shares no mathematics with what made the claim;
- the library never includes cli/;
- the library's own headers are always named from the root: "tertium/stage/file.hpp".

Prints file:line for each offence and exits 1. Usage: check_stages.py [repository root]
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

STAGE = re.compile(r"^\d+\.\s+`([a-z0-9_]+)/`", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
FREE_FOR_ALL = "tertium/version.hpp"
VERIFIER_MAY_KNOW = ("core", "comparisons", "similarity")
CPP = {".hpp", ".cpp"}


def read_stages(readme: Path) -> list[str]:
    """The stage names in order. Raises ValueError when the list is missing or repeats a stage."""
    if not readme.is_file():
        raise ValueError(f"{readme}:1: missing; it lists the stages in order")
    stages = STAGE.findall(readme.read_text(encoding="utf-8"))
    if not stages:
        raise ValueError(f"{readme}:1: no stage list; expected lines like: 1. `core/` – ...")
    for stage in stages:
        if stages.count(stage) > 1:
            raise ValueError(f"{readme}:1: stage `{stage}/` is listed twice")
    return stages


def includes(path: Path) -> Iterator[tuple[int, str, bool]]:
    """Line number, included name, and whether it is quoted, for each #include of `path`."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if match := INCLUDE.match(line):
            yield number, match[2], match[1] == '"'


def stage_of(parts: tuple[str, ...]) -> str | None:
    """The stage of a path tertium/stage/...; None for a file directly in tertium/."""
    return parts[1] if len(parts) > 2 else None


def objection(path: Path, name: str, quoted: bool, stages: list[str]) -> str | None:
    """Why the library file `path` (relative to the root) may not include `name`; None if it may."""
    target = Path(name).parts
    if target[0] == "cli":
        return f'the library includes the command line: "{name}"'
    if target[0] != "tertium":
        return f'name it from the root, "tertium/...", not "{name}"' if quoted else None
    own, other = stage_of(path.parts), stage_of(target)
    if own == "certificate" and path.name.startswith("verify") and name != FREE_FOR_ALL:
        itself = other == "certificate" and target[-1].startswith("verify")
        if not itself and other not in VERIFIER_MAY_KNOW:
            return f'the verifier must not know the solver, but includes "{name}"'
    if own is None or name == FREE_FOR_ALL:
        return None
    if other is None:
        return f'stage `{own}/` includes "{name}", which stands after all stages'
    if other not in stages:
        return f'"{name}" is in no stage listed in tertium/README.md'
    if own in stages and stages.index(other) > stages.index(own):
        return f'stage `{own}/` includes "{name}", but `{other}/` comes after it'
    return None


def check(root: Path) -> list[str]:
    """All offences below `root`, each as "file:line: reason"."""
    readme = root / "tertium" / "README.md"
    try:
        stages = read_stages(readme)
    except ValueError as error:
        return [str(error)]
    files = sorted(p for p in (root / "tertium").rglob("*") if p.suffix in CPP)
    offences = []
    unlisted: set[str] = set()
    for file in files:
        path = file.relative_to(root)
        stage = stage_of(path.parts)
        if stage is not None and stage not in stages and stage not in unlisted:
            unlisted.add(stage)
            offences.append(f"{path}:1: stage `{stage}/` is not listed in tertium/README.md")
        for line, name, quoted in includes(file):
            if reason := objection(path, name, quoted, stages):
                offences.append(f"{path}:{line}: {reason}")
    return offences


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    offences = check(root)
    for offence in offences:
        print(offence)
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
