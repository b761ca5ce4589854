"""`tertium simulate`: files that the other commands read, and values that are refused."""

import csv

import numpy as np
import pytest

MODEL = ["--items", 40, "--clusters", 4, "--answers", 3000]
HEADERS = {
    "triplets": ["anchor", "near", "far"],
    "quadruplets": ["i", "j", "k", "l"],
    "odd-one-out": ["a", "b", "odd"],
    "most-central": ["central", "other1", "other2"],
}


def table(tertium, name):
    with (tertium.folder / name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize("kind", HEADERS)
def test_files_are_read_as_what_they_are(tertium, kind):
    flags = [*MODEL, "--kind", kind, "--participants", 3]
    tertium.run("simulate", *flags, "-o", "a.csv", "--truth", "t.csv")
    header, *rows = table(tertium, "a.csv")
    assert header == [*HEADERS[kind], "participant"]
    assert len(rows) == 3000
    found = tertium.check("a.csv")
    assert found["files"][0]["kind"] == kind
    assert found["items"] == 40
    header, *truth = table(tertium, "t.csv")
    assert header == ["item", "cluster"]
    assert [row[0] for row in truth] == [str(i) for i in range(40)]
    sizes = [sum(row[1] == str(c) for row in truth) for c in (1, 2, 3, 4)]
    assert sizes == [10, 10, 10, 10]


def test_the_clusters_are_in_the_answers(tertium):
    flags = ["--items", 60, "--sizes", "0.5,0.25,0.25", "--answers", "n*ln(n)^4", "--delta", 0.8]
    tertium.run("simulate", *flags, "-o", "a.csv", "--truth", "t.csv")
    tertium.run("similarity", "a.csv", "-o", "s.npy")
    s = np.load(tertium.folder / "s.npy")
    label = np.array([row[1] for row in table(tertium, "t.csv")[1:]])
    same = label[:, None] == label
    np.fill_diagonal(same, False)
    assert s[same].mean() > 0 > s[label[:, None] != label].mean()


def test_the_same_bytes_at_any_thread_count_and_to_stdout(tertium):
    flags = [*MODEL[:-1], 70000, "--replacement", "--seed", 5]
    first = tertium.run("simulate", *flags, "-o", "-", "--threads", 1).stdout
    for threads in (2, 3):
        tertium.run("simulate", *flags, "-o", "a.csv", "--force", "--threads", threads)
        assert (tertium.folder / "a.csv").read_text() == first
    assert tertium.run("simulate", *flags[:-1], 6, "-o", "-").stdout != first


@pytest.mark.parametrize("similarity", ["gaussian", "cosine"])
def test_points(tertium, similarity):
    x = np.random.default_rng(1).normal(size=(12, 3))
    np.save(tertium.folder / "x.npy", x)
    flags = ["--points", "x.npy", "--similarity", similarity, "--epsilon", 1, "--answers", "1e2"]
    tertium.run("simulate", *flags, "-o", "a.csv")
    if similarity == "cosine":
        unit = x / np.linalg.norm(x, axis=1)[:, None]
        w = unit @ unit.T
    else:
        w = np.exp(-((x[:, None] - x) ** 2).sum(axis=2))
    for anchor, near, far in table(tertium, "a.csv")[1:]:
        assert w[int(anchor), int(near)] > w[int(anchor), int(far)]


BAD = {
    "epsilon 0": (["--epsilon", 0], ["--epsilon 0", "above 0 and at most 1"]),
    "epsilon above 1": (["--epsilon", 1.5], ["--epsilon 1.5", "above 0 and at most 1"]),
    "delta 0": (["--delta", 0], ["--delta 0", "above 0 and at most 1"]),
    "delta above 1": (["--delta", 2], ["--delta 2", "above 0 and at most 1"]),
    "sizes": (["--sizes", "10,10,10,11"], ["sum to 41", "sum to 40"]),
    "proportions": (["--sizes", "0.5,0.2,0.2,0.2"], ["sum to 1.1", "sum to 1"]),
    "bad sizes": (["--sizes", "10,x,10,10"], ["--sizes", "positive numbers"]),
    "other count of sizes": (["--sizes", "20,20"], ["2 sizes", "as many sizes as clusters"]),
    "too many answers": (["--answers", 29641], ["1 to 29640", "--replacement"]),
    "no answers": (["--answers", 0], ["--answers '0'", "at least 1"]),
    "formula": (["--answers", "n*log(n)"], ["--answers", "n*ln(n)^3"]),
    "clusters": (["--clusters", 41], ["--clusters 41", "1 to 40"]),
    "items": (["--items", 2], ["--items 2", "3 to"]),
    "kind": (["--kind", "ranking"], ["--kind 'ranking'", "triplets, quadruplets"]),
    "distribution": (["--distribution", "cauchy"], ["normal, beta or uniform-normal"]),
    "printed": (["--as-printed"], ["--as-printed", "uniform-normal"]),
    "spread": (["--participants", 4, "--epsilon-spread", 0.5], ["--epsilon-spread 0.5"]),
    "spread alone": (["--epsilon-spread", 0.1], ["--participants"]),
    "epsilons": (["--participants", 3, "--epsilon", "0.5,0.6"], ["2 values", "3 participants"]),
    "participants": (["--participants", -1], ["--participants -1", "0 or more"]),
    "threads": (["--threads", -1], ["--threads -1"]),
    "points too": (["--points", "x.csv"], ["--points with --items"]),
    "similarity alone": (["--similarity", "cosine"], ["--points"]),
    "one file": (["--truth", "a.csv"], ["two different files"]),
    "no folder": (["--truth", "none/t.csv"], ["none/t.csv"]),
}


@pytest.mark.parametrize(("flags", "expected"), BAD.values(), ids=BAD.keys())
def test_bad_values_are_refused(tertium, flags, expected):
    given = {str(flag): value for flag, value in zip(MODEL[::2], MODEL[1::2], strict=True)}
    kept = [w for flag, value in given.items() if flag not in flags for w in (flag, value)]
    message = tertium.refuse("simulate", *kept, *flags, "-o", "a.csv")
    for words in expected:
        assert words in message


def test_what_must_be_given(tertium):
    assert "--items" in tertium.refuse("simulate", "--answers", 5, "--clusters", 2, "-o", "a.csv")
    assert "--sizes" in tertium.refuse("simulate", "--answers", 5, "--items", 20, "-o", "a.csv")
    assert "--answers" in tertium.refuse("simulate", "--items", 20, "--clusters", 2, "-o", "a.csv")
