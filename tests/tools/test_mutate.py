"""The table of mutations fits the sources; what does not fit is an error, not a pass."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from mutate import Mutation, mutated, read_table  # noqa: E402


def test_every_mutation_changes_one_line():
    table = read_table()
    assert len(table) >= 40
    assert len({(entry.file, entry.line) for entry in table}) == len(table)
    for entry in table:
        before = (ROOT / entry.file).read_text(encoding="utf-8")
        after = mutated(before, entry)
        changed = [
            (a, b) for a, b in zip(before.splitlines(), after.splitlines(), strict=True) if a != b
        ]
        assert len(changed) == 1


def test_all_that_must_hold_is_broken():
    files = {entry.file for entry in read_table()}
    proofs = ("sdp/bound", "witness", "certify", "exact/", "verify/bound", "verify/tree")
    for part in (*proofs, "accumulator", "null_test"):
        assert any(part in file for file in files), part


@pytest.mark.parametrize(
    ("text", "line", "becomes"),
    [("x = 1;", "x = 2;", "x = 3;"), ("x;\nx;", "x;", "y;"), ("x;", "x;", "x;")],
    ids=["missing", "twice", "unchanged"],
)
def test_what_does_not_fit_is_an_error(text, line, becomes):
    with pytest.raises(ValueError, match=r"found|no change"):
        mutated(text, Mutation(1, "a.cpp", line, becomes, "*"))
