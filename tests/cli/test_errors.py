"""Every bad input of the table: the exit code, the message, nothing written, and its row in
docs/errors.md."""

import json
import os
import struct
import zlib
from pathlib import Path

import pytest
from bad_cases import BESIDE, CASES
from conftest import Tertium
from errors_page import PAGE, row

# tools/errors_page.py collects the messages here, to make the page of them.
COLLECTED = os.environ.get("TERTIUM_ERRORS")


@pytest.fixture(scope="module")
def beside(tmp_path_factory):
    """The files beside every case, and what became of a snapshot of the answers."""
    lab = Tertium(tmp_path_factory.mktemp("beside"))
    for name, content in BESIDE.items():
        lab.file(name, content)
    lab.run("similarity", "answers.csv", "-q", "-o", "whole.sim")
    whole = (lab.folder / "whole.sim").read_bytes()
    newer = whole[:8] + struct.pack("<I", 77) + whole[12:-4]
    lab.file("cut.sim", whole[:-9])
    lab.file("damaged.sim", whole[:20] + bytes([whole[20] ^ 1]) + whole[21:])
    lab.file("newer.sim", newer + struct.pack("<I", zlib.crc32(newer)))
    return lab.files()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bad_input_is_answered_as_the_page_says(tertium, beside, case):
    for name, content in (beside | case.files).items():
        tertium.file(name, content)
    before = tertium.files()
    done = tertium.run(*case.call, code=case.code)
    assert done.stdout == ""
    assert tertium.files() == before
    assert done.stderr.startswith("tertium: ")
    for part in case.says:
        assert part in done.stderr
    assert len(done.stderr) < 1000, "a message is to be read"
    assert all(character.isprintable() or character == "\n" for character in done.stderr)
    message = done.stderr.replace(str(tertium.folder.resolve()), "/home/you")
    if COLLECTED:
        with Path(COLLECTED).open("a", encoding="utf-8") as file:
            file.write(json.dumps([case.name, message]) + "\n")
    else:
        rows = PAGE.read_text(encoding="utf-8").splitlines()
        assert row(case, message) in rows, "run tools/errors_page.py"


def test_the_page_has_the_rows_of_the_table_and_no_others():
    assert len({case.name for case in CASES}) == len(CASES) >= 120
    cells = [line.split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines()]
    wrong = [row[0].removeprefix("| ") for row in cells if len(row) == 4]
    assert wrong[0] == "what is wrong"
    assert [text for text in wrong if text != "what is wrong"] == [case.wrong for case in CASES]
