"""The program under test, and the real data sets.

TERTIUM_BIN names the binary (build/tertium unless given), TERTIUM_DATA the folder of data sets
(../shared/data beside the repository unless given).
"""

import csv
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from clusterings import clear_groups, coin_tosses, hazy_groups

REPOSITORY = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("TERTIUM_DATA", REPOSITORY.parent / "shared" / "data"))
BINARY = Path(os.environ.get("TERTIUM_BIN", REPOSITORY / "build" / "tertium")).resolve()


def pytest_configure(config):
    config.addinivalue_line("markers", "data: needs the real data sets (TERTIUM_DATA)")
    config.addinivalue_line(
        "markers",
        "slow_sanitized: takes many starts or long numbers, and shows a program with sanitizers no "
        "code that other tests do not",
    )


def pytest_make_parametrize_id(val, argname):
    """Refuses the bytes of a file as the name of a test.

    Compressed bytes hold the time of day, and pytest's workers must agree on every name.
    """
    if isinstance(val, bytes):
        raise TypeError(f"name the cases of {argname!r} with ids=")


def pytest_collection_modifyitems(items):
    if DATA.is_dir():
        return
    reason = f"no data sets at {DATA}; provide them with TERTIUM_DATA=DIR"
    for item in items:
        if item.get_closest_marker("data"):
            item.add_marker(pytest.mark.skip(reason=reason))


@dataclass
class Similarity:
    """A matrix the program has exported: names in the order of the rows, and pairs not zero."""

    names: list
    pairs: dict


class Tertium:
    """Runs the program in a folder of its own; files are named relative to that folder."""

    def __init__(self, folder):
        self.folder = folder

    def file(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8", newline="")
        return name

    def files(self):
        """Everything in the folder with its content: what a failed run must leave as it was."""
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        }

    def command(self, *arguments):
        return [str(BINARY), *map(str, arguments)]

    def run(self, *arguments, stdin=b"", code=0):
        done = subprocess.run(
            self.command(*arguments),
            input=stdin,
            cwd=self.folder,
            capture_output=True,
            timeout=120,
            check=False,
        )
        done.stdout = done.stdout.decode("utf-8")
        done.stderr = done.stderr.decode("utf-8")
        assert code in (None, done.returncode), f"exit code {done.returncode}: {done.stderr}"
        return done

    def check(self, *arguments, stdin=b""):
        return json.loads(self.run("check", *arguments, "--json", stdin=stdin).stdout)

    def similarity(self, *arguments, stdin=b""):
        self.run("similarity", *arguments, "-q", "-o", "exported.csv", "--force", stdin=stdin)
        return self.read_csv("exported.csv")

    def read_csv(self, name):
        with (self.folder / name).open(encoding="utf-8", newline="") as file:
            (_, *names), *lines = csv.reader(file)
        assert [line[0] for line in lines] == names
        values = [[number(cell) for cell in line[1:]] for line in lines]
        pairs = {}
        for i, row in enumerate(values):
            assert row[i] == 0
            for j, value in enumerate(row):
                assert value == values[j][i], "not symmetric"
                if value != 0:
                    pairs[frozenset((names[i], names[j]))] = value
        return Similarity(names, pairs)

    def refuse(self, *arguments, stdin=b""):
        """Runs what must be refused; nothing may be left behind, nor an output be touched."""
        before = self.files()
        done = self.run(*arguments, stdin=stdin, code=2)
        assert self.files() == before
        assert done.stdout == ""
        return done.stderr


def number(text):
    return int(text) if text.lstrip("-").isdigit() else float(text)


@pytest.fixture(scope="session")
def sanitizer_reports(tmp_path_factory):
    """Where a program with sanitizers leaves its reports, however a test runs it."""
    folder = tmp_path_factory.mktemp("sanitizer_reports")
    for name in ("ASAN_OPTIONS", "TSAN_OPTIONS"):
        os.environ[name] = f"{os.environ.get(name, '')}:log_path={folder / 'report'}"
    return folder


@pytest.fixture(autouse=True)
def no_sanitizer_report(sanitizer_reports):
    """A report fails the test even if nothing else does, as where any exit code will do."""
    yield
    found = list(sanitizer_reports.iterdir())
    text = "\n".join(path.read_text(errors="replace") for path in found)
    for path in found:
        path.unlink()
    assert not found, text


@pytest.fixture
def tertium(tmp_path):
    assert BINARY.is_file(), f"no program at {BINARY}; run make, or set TERTIUM_BIN"
    return Tertium(tmp_path)


@pytest.fixture
def data():
    return DATA


@pytest.fixture
def repository():
    return REPOSITORY


@pytest.fixture(scope="session")
def clear():
    return clear_groups()


@pytest.fixture(scope="session")
def hazy():
    return hazy_groups()


@pytest.fixture(scope="session")
def coins():
    return coin_tosses()
