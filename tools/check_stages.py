"""Checks that data walks through the library in one direction.

Every folder of tertium/ is a stage. The stages and their order are the numbered list of
tertium/README.md, whose items begin like

    1. `core/` – what the stage does

A file may include its own stage and stages above it in that list, no stage below. Besides:

- an item may say more: a stage that "knows only `core/` and `answers/`" includes these and itself;
- every folder with C++ files is in the list (a listed stage need not exist yet);
- the library never includes cli/;
- the library's own headers are always named from the root: "tertium/stage/file.hpp";
- the generated tertium/version.hpp is free for all.

Files directly in tertium/ are the public headers if the README lists them, below a heading
"Public headers", each with the stage it is part of:

    - `error.hpp` belongs to `core/`

A public header counts as a header of its stage. It includes only other public headers and the
standard library; tertium/sdp.hpp also Eigen, and no other includes that. Each is listed, and
nothing else is directly in tertium/. Without such a list a file directly in tertium/ (the whole way
in one call) may include any stage, but no stage includes it.

Prints file:line for each offence and exits 1. Usage: check_stages.py [repository root]
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

STAGE = re.compile(r"^\d+\.\s+`([a-z0-9_]+)/`(.*)$", re.MULTILINE)
KNOWS_ONLY = re.compile(r"\bknows only ((?:`[a-z0-9_]+/`(?:, and |, | and )?)+)", re.IGNORECASE)
FOLDER = re.compile(r"`([a-z0-9_]+)/`")
PUBLIC_HEADERS = re.compile(r"^#+ Public headers$(.*?)(?=^#|\Z)", re.MULTILINE | re.DOTALL)
PUBLIC_HEADER = re.compile(r"^- `([a-z0-9_]+\.hpp)` belongs to `([a-z0-9_]+)/`", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
STANDARD_HEADER = re.compile(r"[a-z0-9_]+")
PUBLIC_WITH_EIGEN = "sdp.hpp"
GENERATED = "version.hpp"
CPP = {".hpp", ".cpp"}


@dataclass
class House:
    """What tertium/README.md says about the stages."""

    stages: list[str]  # in order
    knows: dict[str, set[str]] = field(default_factory=dict)  # of stages that know only some
    home: dict[str, str] | None = None  # the stage of each public header; None: no such list

    def stage_of(self, parts: tuple[str, ...]) -> str | None:
        """The stage of a path tertium/...; None for a file directly in tertium/ without one."""
        return parts[1] if len(parts) > 2 else (self.home or {}).get(parts[-1])


def read_house(readme: Path) -> House:
    """Raises ValueError, with the reason, for lists that are missing or contradict themselves."""
    if not readme.is_file():
        raise ValueError("missing; it lists the stages in order")
    text = readme.read_text(encoding="utf-8")
    items = STAGE.findall(text)
    if not items:
        raise ValueError("no stage list; expected lines like: 1. `core/` – ...")
    house = House([stage for stage, _ in items])
    for stage, sentence in items:
        if house.stages.count(stage) > 1:
            raise ValueError(f"stage `{stage}/` is listed twice")
        if known := KNOWS_ONLY.search(sentence):
            house.knows[stage] = set(FOLDER.findall(known[1]))
        elif "knows only" in sentence.lower():
            raise ValueError(f"what `{stage}/` knows is not like: knows only `core/` and `sdp/`")
    if section := PUBLIC_HEADERS.search(text):
        headers = PUBLIC_HEADER.findall(section[1])
        if not headers or len(headers) < len(re.findall("^- ", section[1], re.MULTILINE)):
            raise ValueError("a public header is not like: - `error.hpp` belongs to `core/`")
        house.home = dict(headers)
        if len(house.home) < len(headers):
            raise ValueError("a public header is listed twice")
    named = set().union(*house.knows.values(), (house.home or {}).values())
    if unknown := sorted(named - set(house.stages)):
        raise ValueError(f"`{unknown[0]}/` is mentioned, but is no stage of the list")
    return house


def includes(path: Path) -> Iterator[tuple[int, str, bool]]:
    """Line number, included name, and whether it is quoted, for each #include of `path`."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if match := INCLUDE.match(line):
            yield number, match[2], match[1] == '"'


def public_objection(path: Path, target: tuple[str, ...]) -> str | None:
    """Why the public header `path` may not include `target`, whatever its stage; None if it may."""
    name = "/".join(target)
    if target == ("tertium", PUBLIC_WITH_EIGEN):
        return f'a public header includes "{name}", and Eigen with it'
    if target[0] == "tertium":
        return f'a public header includes "{name}", which is internal' if len(target) > 2 else None
    if STANDARD_HEADER.fullmatch(name):
        return None
    if path.name == PUBLIC_WITH_EIGEN and target[0] == "Eigen":
        return None
    return f"a public header includes <{name}>, which its users would need too"


def stage_objection(own: str, name: str, other: str | None, house: House) -> str | None:
    """Why a file of stage `own` may not include `name` of stage `other`; None if it may."""
    if other is None:
        return f'stage `{own}/` includes "{name}", which stands after all stages'
    if other not in house.stages:
        return f'"{name}" is in no stage listed in tertium/README.md'
    if own in house.knows and other != own and other not in house.knows[own]:
        known = ", ".join(f"`{stage}/`" for stage in house.stages if stage in house.knows[own])
        return f'stage `{own}/` includes "{name}", but knows only {known}'
    if own in house.stages and house.stages.index(other) > house.stages.index(own):
        return f'stage `{own}/` includes "{name}", but `{other}/` comes after it'
    return None


def objection(path: Path, name: str, quoted: bool, house: House) -> str | None:
    """Why the library file `path` (relative to the root) may not include `name`; None if it may."""
    target = Path(name).parts
    if target[0] == "cli":
        return f'the library includes the command line: "{name}"'
    if target[0] != "tertium" and quoted:
        return f'name it from the root, "tertium/...", not "{name}"'
    is_public = house.home is not None and len(path.parts) == 2
    if is_public and (reason := public_objection(path, target)):
        return reason
    if target[0] != "tertium" or target[1:] == (GENERATED,):
        return None
    if house.home is not None and len(target) == 2 and target[1] not in house.home:
        return f'"{name}" is no public header listed in tertium/README.md'
    own = house.stage_of(path.parts)
    return own and stage_objection(own, name, house.stage_of(target), house)


def misplaced(path: Path, house: House) -> str | None:
    """Why there may be no such file; None if there may."""
    if len(path.parts) > 2:
        stage = path.parts[1]
        listed = stage in house.stages
        return None if listed else f"stage `{stage}/` is not listed in tertium/README.md"
    if house.home is None or path.name in house.home:
        return None
    return "only public headers that tertium/README.md lists are directly in tertium/"


def check(root: Path) -> list[str]:
    """All offences below `root`, each as "file:line: reason"."""
    readme = root / "tertium" / "README.md"
    try:
        house = read_house(readme)
    except ValueError as error:
        return [f"{readme}:1: {error}"]
    offences = [
        f"{readme}:1: there is no public header tertium/{header}"
        for header in house.home or {}
        if header != GENERATED and not (root / "tertium" / header).is_file()
    ]
    said: set[str] = set()
    for file in sorted(p for p in (root / "tertium").rglob("*") if p.suffix in CPP):
        path = file.relative_to(root)
        reason = misplaced(path, house)
        if reason and (len(path.parts) == 2 or reason not in said):  # of a stage once
            said.add(reason)
            offences.append(f"{path}:1: {reason}")
        for line, name, quoted in includes(file):
            if reason := objection(path, name, quoted, house):
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
