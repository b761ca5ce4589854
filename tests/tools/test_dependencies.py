"""docs/dependencies.md lists what tools/setup and tools/requirements*.txt install, and no more."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def listed():
    """{package: (version, licence)} of all tables of the page."""
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z0-9+.-]+) \| (\S+) \| ([^|]+) \| [^|]+ \|$", text, re.MULTILINE)
    packages = {name: (version, licence) for name, version, licence in rows if name != "package"}
    assert len(packages) == len(rows) - text.count("| package |")
    return packages


def debian():
    """The packages of tools/setup: lines "name: purpose" in its lists."""
    text = (ROOT / "tools" / "setup").read_text(encoding="utf-8")
    lists = re.findall(r"^\w+_packages='\n(.*?)^'", text, re.MULTILINE | re.DOTALL)
    names = [line.split(":")[0] for block in lists for line in block.splitlines()]
    extra = re.findall(r"install_packages \$'(.*)'", text)
    assert len(lists) == 2
    assert len(extra) == 1
    return {*names, *(line.split(":")[0] for line in extra[0].split("\\n"))}


def pypi():
    """{package: version} of all files of requirements."""
    pinned = {}
    for path in (ROOT / "tools").glob("requirements*.txt"):
        lines = path.read_text(encoding="utf-8").splitlines()
        pinned |= dict(line.split("==") for line in lines if not line.startswith("#"))
    return pinned


def test_all_packages_are_listed_and_no_others():
    assert set(listed()) == debian() | set(pypi())


def test_pinned_versions_are_the_ones_listed():
    packages = listed()
    assert {name: packages[name][0] for name in pypi()} == pypi()


def test_every_package_has_a_licence():
    known = "MIT|BSD|Apache-2.0|MPL-2.0|GPL|LGPL|Zlib|PSF"
    assert all(re.search(known, licence) for _, licence in listed().values())
