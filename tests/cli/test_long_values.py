"""Errors are to be read: however long what they are about is, they are not."""

import io
import json

import numpy as np
import pytest

LONGEST = 1000
MILLIONS = 5_000_000


def saved(array):
    """The bytes of an .npy file."""
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def columns(count):
    return ",".join(f"column{i}" for i in range(count)) + "\n"


WIDE = columns(10_000) + ",".join("7" * 10_000) + "\n"
LONG = "x" * 1_000_000


# The file, the flags of `check`, and what the message must still say.
FILES = {
    "transposed array": ("a.npy", saved(np.zeros((3, 200_000), int)), [], ["200000 columns"]),
    "array as a matrix": (
        "a.npy",
        saved(np.zeros((3, 99_999))),
        ["--kind", "matrix"],
        ["3 x 99999"],
    ),
    "one line of numbers": ("a.csv", "1," * 300_000, [], []),
    "one line of letters": ("a.csv", "x" * MILLIONS, [], []),
    "one line of names": ("a.csv", columns(100_000), [], []),
    "one line of blanks and letters": ("a.csv", "word " * 200_000, [], []),
    "wide header": ("a.csv", WIDE, [], ["10000 columns", "column0"]),
    "wide header, no such column": (
        "a.csv",
        WIDE,
        ["--anchor", "colunm17", "--near", "1", "--far", "2"],
        ["'colunm17'", "(10000 in all)", "Did you mean 'column17'"],
    ),
    "wide header, where": ("a.csv", WIDE, ["--where", "none=1"], ["10000 in all"]),
    "long names of columns": (
        "a.csv",
        ",".join(c * 100_000 for c in "abcdef") + "\n1,2,3,4,5,6\n",
        [],
        ["6 columns", "aaa..."],
    ),
    "long item": ("a.csv", f"anchor,near,far\na,b,{'x' * MILLIONS},d\n", [], ["4 cells"]),
    "long weight": ("a.csv", f"anchor,near,far,weight\na,b,c,{'9' * MILLIONS}z\n", [], ["weight"]),
    "long options": (
        "a.csv",
        f"anchor,left,right,answer\na,{'b' * 99_999},{'c' * 99_999},up\n",
        [],
        ["'up'", "bbb..."],
    ),
    "long options, told": (
        "a.csv",
        f"anchor,left,right,answer\na,{'b' * 99_999},{'c' * 99_999},up\n",
        ["--answer-values", "item"],
        ["'up'", "bbb..."],
    ),
    "JSON with a long key": ("a.json", json.dumps([{"k" * MILLIONS: 1, "b": 2}] * 2), [], []),
    "JSON with many keys": (
        "a.json",
        json.dumps([{f"column{i}": i for i in range(10_000)}] * 2),
        [],
        ["10000 columns"],
    ),
    "JSON broken after a long text": ("a.json", '[{"a": "' + "x" * MILLIONS, [], []),
    "JSON lines": ("a.jsonl", (json.dumps({"a" * 99_999: 1}) + "\n") * 2, [], []),
    "matrix with long names": (
        "m.csv",
        f"item,{'a' * 99_999},{'b' * 99_999}\n{'a' * 99_999},0,1\n{'b' * 99_999},2,0\n",
        ["--kind", "matrix"],
        ["aaa...", "bbb...", "symmetric"],
    ),
    "matrix with a long cell": (
        "m.csv",
        f"0,1\n{'x' * MILLIONS},0\n",
        ["--kind", "matrix"],
        ["'xxx", "a number"],
    ),
    "MatrixMarket with a long line": (
        "m.mtx",
        "%%MatrixMarket matrix coordinate integer symmetric\n2 2 1\n" + "x" * MILLIONS + "\n",
        [],
        ["row, column and value"],
    ),
}


@pytest.mark.parametrize(("name", "content", "flags", "parts"), FILES.values(), ids=FILES.keys())
def test_long_files(tertium, name, content, flags, parts):
    tertium.file(name, content)
    message = tertium.refuse("check", name, *flags)
    assert message.startswith(f"tertium: {name}")
    assert len(message.encode()) < LONGEST
    for part in parts:
        assert part in message


@pytest.mark.parametrize(
    ("call", "name", "content", "part"),
    [
        (["agreement", "f.csv", "f.csv"], "f.csv", WIDE, "--item-a"),
        (["agreement", "f.csv", "f.csv"], "f.csv", f"item,cluster\n{LONG},1\n{LONG},2\n", "again"),
        (["check", "a.csv", "--items", "f.csv"], "f.csv", WIDE, "--item-name"),
        (["check", "a.csv", "--items", "f.csv"], "f.csv", f"{LONG}\n{LONG}\n", "again"),
        (["check", "a.csv", "--items", "f.csv"], "f.csv", f"name\n{LONG}\n", "items file"),
        (["cluster", "a.csv", "--quick", "--truth", "f.csv"], "f.csv", WIDE, "--truth-item"),
        (["cluster", "a.csv", "--truth", "f.csv"], "f.csv", f"item,class\n{LONG},1\n", "no item"),
        (["theory", "a.csv", "--truth", "f.csv"], "f.csv", WIDE, "column with the items"),
        (["theory", "a.csv", "--truth", "f.csv"], "f.csv", f"item,class\n{LONG},1\n", "no label"),
        (
            ["simulate", "--points", "f.csv", "--answers", 5, "-o", "o.csv"],
            "f.csv",
            f"1,2\n{LONG},4\n",
            "number",
        ),
    ],
)
def test_long_files_beside_the_answers(tertium, call, name, content, part):
    tertium.file("a.csv", "anchor,near,far\na,b,c\nb,c,a\nc,a,b\na,c,b\n")
    tertium.file(name, content)
    message = tertium.refuse(*call)
    assert part in message
    assert len(message.encode()) < LONGEST


@pytest.mark.parametrize(
    "claim",
    [
        "x" * MILLIONS,
        json.dumps({"format": "y" * MILLIONS}),
        json.dumps({"format": "tertium certificate", "version": list(range(500_000))}),
        json.dumps({"format": "tertium certificate", "version": 1, "claim": "z" * MILLIONS}),
        json.dumps(
            {"z" * MILLIONS: 1, "format": "tertium certificate", "version": 1, "claim": "bound"}
        ),
        '{"' + "k" * MILLIONS + '": 1, "' + "k" * MILLIONS + '": 2}',
    ],
    ids=["no JSON", "format", "version", "claim", "field", "field twice"],
)
def test_long_certificates(tertium, claim):
    tertium.file("a.csv", "anchor,near,far\na,b,c\n")
    tertium.file("c.json", claim)
    done = tertium.run("verify", "c.json", "a.csv", code=3)
    assert done.stdout == ""
    assert len(done.stderr.encode()) < LONGEST


def test_a_certificate_of_many_items(tertium):
    """About other answers: named is one item, not all."""
    model = ["--items", 300, "--clusters", 2, "--epsilon", 1, "--delta", 1]
    tertium.run("simulate", *model, "--answers", 50_000, "-o", "b.csv")
    tertium.run("sdp", "b.csv", "-k", 2, "--certificate", "c.json")
    for answers in ("ape,bee,cat\nbee,ape,cat\n", "1,2,3\n2,1,3\n"):
        tertium.file("a.csv", "anchor,near,far\n" + answers)
        done = tertium.run("verify", "c.json", "a.csv", code=3)
        assert "items: found" in done.stderr
        assert len(done.stderr.encode()) < LONGEST


def test_bad_rows_that_are_skipped_are_cut_too(tertium):
    tertium.file("a.csv", f"anchor,near,far,weight\na,b,c,1\na,b,c,{LONG}\n")
    done = tertium.run("similarity", "a.csv", "--skip-bad-rows", "-o", "s.sim")
    assert "line 3" in done.stderr
    assert len(done.stderr.encode()) < LONGEST
