"""tertium agreement: two labelings compared by item name."""

import json
import random

import pytest
from definitions import adjusted_rand, normalised_mutual_information

ITEMS = "abcdefghijkl"


def labeling(labels, items=ITEMS):
    lines = [f"{item},{label}" for item, label in zip(items, labels, strict=False)]
    return "item,cluster\n" + "\n".join(lines) + "\n"


def compare(tertium, a, b, *flags):
    names = tertium.file("a.csv", a), tertium.file("b.csv", b)
    return json.loads(tertium.run("agreement", *names, "--json", *flags).stdout)


CASES = {
    "identical": ("001122", "001122"),
    "renamed": ("001122", "xxzzyy"),
    "independent": ("000111", "010101"),
    "finer": ("000000111111", "001122334455"),
    "one cluster against many": ("000000", "001122"),
    "many against one cluster": ("001122", "000000"),
    "one cluster each": ("0000", "1111"),
    "singletons each": ("0123", "3210"),
    "singletons against one cluster": ("0123", "0000"),
    "one item": ("0", "1"),
    "two items, together and apart": ("00", "01"),
}


@pytest.mark.parametrize(("a", "b"), CASES.values(), ids=CASES.keys())
def test_indices_follow_their_definitions(tertium, a, b):
    result = compare(tertium, labeling(a), labeling(b))
    assert result["adjusted_rand"] == pytest.approx(adjusted_rand(a, b), abs=1e-12)
    assert result["normalised_mutual_information"] == pytest.approx(
        normalised_mutual_information(a, b), abs=1e-12
    )
    assert result["items"] == len(a)
    assert (result["clusters_a"], result["clusters_b"]) == (len(set(a)), len(set(b)))


@pytest.mark.parametrize("seed", range(5))
def test_random_labelings(tertium, seed):
    chance = random.Random(seed)
    n = 60
    items = [f"thing {i}" for i in range(n)]
    a = [chance.randrange(4) for _ in items]
    b = [x if chance.random() < 0.6 else chance.randrange(5) for x in a]
    result = compare(tertium, labeling(a, items), labeling(b, items))
    assert result["adjusted_rand"] == pytest.approx(adjusted_rand(a, b), abs=1e-12)
    assert result["normalised_mutual_information"] == pytest.approx(
        normalised_mutual_information(a, b), abs=1e-12
    )


def test_items_are_matched_by_name_not_by_row(tertium):
    straight = labeling("0011")
    reversed_rows = "name,group\nd,y\nc,y\nb,x\na,x\n"
    assert compare(tertium, straight, reversed_rows)["adjusted_rand"] == 1


def test_items_in_one_file_only_are_left_out_and_named(tertium):
    result = compare(tertium, labeling("0011"), labeling("0011", "abcz"))
    assert result["items"] == 3
    assert (result["only_in_a"], result["only_in_b"]) == (["d"], ["z"])
    text = tertium.run("agreement", "a.csv", "b.csv")
    assert "'d'" in text.stderr
    assert "'z'" in text.stderr


def test_columns_can_be_named(tertium):
    a = "thing,mine,other\na,0,1\nb,0,2\nc,1,3\n"
    b = "word;truth no.;extra\na;p;1\nb;p;1\nc;q;1\n"
    flags = ["--item-a", "thing", "--label-a", "mine", "--item-b", "1", "--label-b"]
    assert compare(tertium, a, b, *flags, "truth no.")["adjusted_rand"] == 1


def test_text_shows_the_same_numbers(tertium):
    a, b = "0011223", "0012223"
    tertium.file("a.csv", labeling(a))
    tertium.file("b.csv", labeling(b))
    text = tertium.run("agreement", "a.csv", "b.csv").stdout
    assert f"{adjusted_rand(a, b):.4f}" in text
    assert f"{normalised_mutual_information(a, b):.4f}" in text


@pytest.mark.parametrize(
    ("a", "b", "parts"),
    [
        ("thing,cluster\na,1\n", labeling("0"), ["a.csv", "thing", "--item-a"]),
        (labeling("0"), "thing,cluster\na,1\n", ["b.csv", "thing", "--item-b"]),
        ("item,colour\na,1\n", labeling("0"), ["a.csv", "colour", "--label-a"]),
        ("item,cluster\na,1\na,2\n", labeling("00"), ["a.csv", "line 3", "'a'", "line 2"]),
        ("item,cluster\n", labeling("00"), ["a.csv"]),
        ("", labeling("00"), ["a.csv", "empty"]),
        ("item,cluster\na\n", labeling("00"), ["a.csv", "line 2", "1 cells"]),
        (labeling("00", "xy"), labeling("00", "ab"), ["no item"]),
        (b"item,cluster\ncaf\xe9,1\n", labeling("00"), ["a.csv", "line 2", "UTF-8"]),
    ],
    ids=[
        "no items",
        "no items in B",
        "no labels",
        "twice",
        "only a header",
        "empty",
        "short row",
        "nothing common",
        "latin-1",
    ],
)
def test_bad_labelings_are_refused(tertium, a, b, parts):
    message = tertium.refuse("agreement", tertium.file("a.csv", a), tertium.file("b.csv", b))
    for part in parts:
        assert part in message


def test_missing_file_is_refused(tertium):
    message = tertium.refuse("agreement", tertium.file("a.csv", labeling("00")), "none.csv")
    assert "none.csv" in message


@pytest.mark.data
def test_car_labels_agree_with_themselves(tertium, data):
    labels = data / "car" / "labels.csv"
    flags = ["--label-a", "label", "--label-b", "class"]
    result = json.loads(tertium.run("agreement", labels, labels, "--json", *flags).stdout)
    assert result["items"] == 60
    assert result["adjusted_rand"] == 1
    assert result["normalised_mutual_information"] == pytest.approx(1)
