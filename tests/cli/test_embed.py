"""`tertium embed`, and groups of placed items: `tertium cluster --method tste`."""

import csv
import json

import numpy as np
import pytest
from clusterings import clear_groups, cluster

METHODS = ["tste", "ste", "ckl", "gnmds", "soe"]


def survey(items=14, count=1500, seed=1):
    """Triplets without mistakes about points in the plane."""
    rng = np.random.default_rng(seed)
    points = rng.uniform(-1, 1, (items, 2))
    rows = []
    for _ in range(count):
        a, b, c = rng.choice(items, 3, replace=False)
        if np.linalg.norm(points[a] - points[b]) > np.linalg.norm(points[a] - points[c]):
            b, c = c, b
        rows.append((f"item {a}", f"item {b}", f"item {c}"))
    return rows


def as_csv(rows):
    return "anchor,near,far\n" + "".join(",".join(row) + "\n" for row in rows)


def read_points(path):
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["item", *(f"x{d}" for d in range(1, len(header)))]
    return {name: np.array(values, float) for name, *values in rows}


@pytest.mark.parametrize("method", METHODS)
def test_places_items_as_their_answers_say(tertium, method):
    rows = survey()
    tertium.file("a.csv", as_csv(rows))
    call = ("embed", "a.csv", "--method", method, "-o", "p.csv", "--json")
    found = json.loads(tertium.run(*call).stdout)
    points = read_points(tertium.folder / "p.csv")
    assert {name: list(point) for name, point in points.items()} == dict(
        zip(found["items"], found["points"], strict=True)
    )
    wrong = sum(
        np.linalg.norm(points[a] - points[b]) >= np.linalg.norm(points[a] - points[c])
        for a, b, c in rows
    )
    assert found["error"] == pytest.approx(wrong / len(rows), abs=1e-12)
    assert found["error"] < 0.05
    assert found["heldout"][0]["error"] < 0.1
    assert [held["dimensions"] for held in found["heldout"]] == [2]


def test_held_out_answers_choose_the_dimensions(tertium):
    tertium.file("a.csv", as_csv(survey()))
    call = ("embed", "a.csv", "--dimensions", "auto", "-o", "p.csv", "--json")
    found = json.loads(tertium.run(*call).stdout)
    errors = found["heldout"]
    assert [held["dimensions"] for held in errors] == [1, 2, 3, 4, 5]
    best = min(errors, key=lambda held: held["error"])
    enough = best["error"] + best["standard_error"]
    assert found["dimensions"] == next(h["dimensions"] for h in errors if h["error"] <= enough) == 2


def test_says_the_same_at_any_number_of_threads(tertium):
    tertium.file("a.csv", as_csv(survey()))
    for threads in (1, 3):
        tertium.run("embed", "a.csv", "-o", f"{threads}.csv", "--threads", threads, "--folds", 0)
    assert (tertium.folder / "1.csv").read_bytes() == (tertium.folder / "3.csv").read_bytes()


def test_items_that_nothing_links_have_no_place(tertium):
    tertium.file("a.csv", as_csv([*survey(), ("x", "y", "z")]))
    text = tertium.run("embed", "a.csv", "-o", "p.csv", "--folds", 0).stdout
    assert "no place          3 items" in text
    lines = (tertium.folder / "p.csv").read_text("utf-8").splitlines()
    assert sorted(lines[-3:]) == ["x,,", "y,,", "z,,"]


@pytest.mark.parametrize("method", METHODS)
def test_groups_of_placed_items(tertium, method):
    clear = clear_groups("adds3", (5, 9, 7), 3000)
    tertium.file("a.csv", clear.csv())
    call = ("a.csv", "--method", method, "--clusters", 3, "--resamples", 3)
    result = cluster(tertium, *call)
    assert {frozenset(c["members"]) for c in result["clusters"]} == {
        frozenset(np.array(clear.names)[clear.labels == label]) for label in (1, 2, 3)
    }
    assert result["bootstrap"]["resamples"] == 3


BAD = {
    "a snapshot": ("a.sim", [], ["answers"]),
    "no dimensions": ("a.csv", ["--dimensions", 0], ["'0'", "from 1, or auto"]),
    "a word": ("a.csv", ["--dimensions", "many"], ["'many'", "auto"]),
    "as many dimensions as items": ("a.csv", ["--dimensions", 14], ["14", "1 to 13"]),
    "an unknown method": ("a.csv", ["--method", "mds"], ["'mds'", "tste"]),
    "no start": ("a.csv", ["--starts", 0], ["--starts 0"]),
    "one fold": ("a.csv", ["--folds", 1], ["--folds 1"]),
    "nothing to choose by": ("a.csv", ["--dimensions", "auto", "--folds", 0], ["hold out"]),
}


@pytest.mark.parametrize(("source", "flags", "says"), BAD.values(), ids=BAD.keys())
def test_what_cannot_be_placed_is_refused(tertium, source, flags, says):
    tertium.file("a.csv", as_csv(survey()))
    tertium.run("similarity", "a.csv", "-o", "a.sim")
    message = tertium.refuse("embed", source, *flags, "-o", "p.csv")
    for words in says:
        assert words in message
    assert not (tertium.folder / "p.csv").exists()
