"""What must not matter does not: the order and the names of items, the order of answers, their
unit, pairs of answers that cancel, how many files they are in, how many threads read them.

The clusters and what is proved about them stay the same; TERTIUM_ATTACK=1 tries many more surveys.
"""

import csv
import io
import os

import numpy as np
import pytest
from certificates import planted
from clusterings import groups, without_seconds, written

ROUNDING = 1e-9
SURVEYS = {
    "clear": lambda: planted(*groups((5, 9, 7)), 3000, seed=1),
    "clear quadruplets": lambda: planted(*groups((4, 5, 6)), 5000, "adds4", seed=1),
    "hazy": lambda: planted(*groups((6, 8, 7)), 700, seed=2, noise=0.3),
    "two sizes": lambda: planted(*groups((3, 12)), 900, seed=5, noise=0.2),
}
if os.environ.get("TERTIUM_ATTACK"):
    for i in range(40):
        SURVEYS[f"survey {i}"] = lambda i=i: planted(
            *groups((3 + i % 4, 4 + i % 3, 8), seed=i), 300 + 60 * i, seed=i, noise=0.05 * (i % 7)
        )


class Survey:
    """Answers as rows of names, to be changed and written again."""

    def __init__(self, problem):
        self.header = ["anchor", "near", "far"] if problem.kind == "adds3" else list("ijkl")
        self.names = problem.names
        self.answers = [row[:-1] for row in problem.rows]

    def csv(self, answers=None, weight=None):
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(self.header + ([] if weight is None else ["weight"]))
        for answer in self.answers if answers is None else answers:
            writer.writerow([*answer, *([] if weight is None else [weight])])
        return file.getvalue()


@pytest.fixture
def survey(request):
    return Survey(request.param())


def cluster(tertium, *arguments, folder="out"):
    tertium.run("cluster", *arguments, "-q", "-o", folder)
    return written(tertium, folder)


def grouping(result, name_of=lambda name: name):
    """The clusters without their numbers."""
    members = [[name_of(name) for name in entry["members"]] for entry in result["clusters"]]
    return {frozenset(group) for group in members}


def assert_same(result, other, name_of=lambda name: name, unit=1):
    """The same clusters, verdict and bounds; numbers of `other` are in units of `unit`."""
    assert other["k"] == result["k"]
    assert grouping(other, name_of) == grouping(result)
    assert [entry["size"] for entry in other["clusters"]] == [
        entry["size"] for entry in result["clusters"]
    ]
    assert other["objective"] == pytest.approx(unit * result["objective"], rel=ROUNDING)
    proof, proved = result["certificate"], other["certificate"]
    assert (proved is None) == (proof is None)
    if proof is not None:
        for field in ("verdict", "level"):
            assert proved[field] == proof[field]
    if proof is not None and proof["verdict"] == "optimal":
        assert other["upper_bound"] == pytest.approx(unit * result["upper_bound"], rel=ROUNDING)
        for end in ("lo", "hi"):  # how far a proof was pushed may differ by its tolerance
            assert proved[end] == pytest.approx(unit * proof[end], rel=1e-3)
    else:  # a solver stops when it is near enough, and may come from another side
        assert other["upper_bound"] >= unit * result["objective"] * (1 - ROUNDING)
        assert other["upper_bound"] == pytest.approx(unit * result["upper_bound"], rel=2e-3)


SURVEY = pytest.mark.parametrize("survey", SURVEYS.values(), ids=SURVEYS.keys(), indirect=True)


@SURVEY
def test_the_order_of_items(tertium, survey):
    tertium.file("a.csv", survey.csv())
    result = cluster(tertium, "a.csv", "--quick")
    for seed in (1, 2) if os.environ.get("TERTIUM_ATTACK") else (1,):
        order = np.random.default_rng(seed).permutation(survey.names)
        file = io.StringIO()
        csv.writer(file).writerows([["index", "name"], *enumerate(order)])
        tertium.file("items.csv", file.getvalue())
        other = cluster(tertium, "a.csv", "--quick", "--items", "items.csv", folder="other")
        assert other["items"] == list(order)
        assert_same(result, other)


@SURVEY
def test_the_names_of_items(tertium, survey):
    tertium.file("a.csv", survey.csv())
    result = cluster(tertium, "a.csv", "--quick")
    numbers = np.random.default_rng(3).permutation(len(survey.names))
    new = {name: f"x{number}" for name, number in zip(survey.names, numbers, strict=True)}
    old = {name: known for known, name in new.items()}
    tertium.file("b.csv", survey.csv([[new[name] for name in row] for row in survey.answers]))
    assert_same(result, cluster(tertium, "b.csv", "--quick", folder="other"), old.get)


@SURVEY
def test_the_order_of_answers(tertium, survey):
    tertium.file("a.csv", survey.csv())
    result = cluster(tertium, "a.csv", "--quick")
    order = np.random.default_rng(4).permutation(len(survey.answers))
    tertium.file("b.csv", survey.csv([survey.answers[i] for i in order]))
    other = cluster(tertium, "b.csv", "--quick", folder="other")
    for one in (result, other):
        del one["inputs"], one["seconds"]
    assert other == result


@SURVEY
def test_the_unit_of_weights(tertium, survey):
    tertium.file("a.csv", survey.csv(weight=1))
    tertium.file("b.csv", survey.csv(weight=2))
    result = cluster(tertium, "a.csv", "--quick")
    assert_same(result, cluster(tertium, "b.csv", "--quick", folder="other"), unit=2)


@SURVEY
def test_two_answers_that_cancel(tertium, survey):
    tertium.file("a.csv", survey.csv())
    first = survey.answers[0]
    turned = (first[0], first[2], first[1]) if len(first) == 3 else (*first[2:], *first[:2])
    tertium.file("b.csv", survey.csv([*survey.answers, first, turned]))
    result = cluster(tertium, "a.csv", "--quick")
    assert_same(result, cluster(tertium, "b.csv", "--quick", folder="other"))


@SURVEY
def test_one_file_or_two(tertium, survey):
    half = len(survey.answers) // 2
    tertium.file("a.csv", survey.csv())
    tertium.file("b.csv", survey.csv(survey.answers[:half]))
    tertium.file("c.csv", survey.csv(survey.answers[half:]))
    result = cluster(tertium, "a.csv", "--resamples", 10)
    other = cluster(tertium, "b.csv", "c.csv", "--resamples", 10, folder="other")
    for one in (result, other):
        del one["inputs"], one["seconds"]
    assert other == result


@pytest.mark.parametrize("survey", [SURVEYS["hazy"]], ids=["hazy"], indirect=True)
def test_any_number_of_threads_gives_the_same_bytes(tertium, survey):
    """Reading, held-out choice, null test, confidence and search, all of them in one run."""
    tertium.file("a.csv", survey.csv())
    flags = ["--clusters", "heldout", "--resamples", 10]
    results = []
    for threads in (1, 2, 5):
        folder = f"by {threads}"
        cluster(tertium, "a.csv", *flags, "--threads", threads, folder=folder)
        results.append(without_seconds((tertium.folder / folder / "result.json").read_text()))
    assert results[0] == results[1] == results[2]
