"""k-means with a proof: what is said of points is true, and both checkers agree."""

import contextlib
import importlib.util
import io
import itertools
import json
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from certificates import sealed

ROOT = Path(__file__).resolve().parents[2]


def load_script():
    path = ROOT / "tools" / "check_certificate.py"
    spec = importlib.util.spec_from_file_location("check_certificate", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = load_script()


def by_script(folder, certificate, points, *columns):
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        return SCRIPT.main([str(folder / certificate), str(folder / points), "--points", *columns])


def both(tertium, certificate="r/certificate.json", points="p.csv", columns=()):
    flags = ["--columns", columns[0]] if columns else []
    run = tertium.run("verify", certificate, points, "--points", *flags, code=None)
    return run.returncode, by_script(tertium.folder, certificate, points, *columns)


def table(rows, header=True):
    lines = [",".join(f"x{c}" for c in range(len(rows[0])))] if header else []
    return "\n".join(lines + [",".join(map(str, row)) for row in rows]) + "\n"


def squares(rows, groups):
    """The sum of squared distances to the centres, exactly; numbers as they are written."""
    total = Fraction(0)
    for group in groups:
        own = [[Fraction(str(x)) for x in rows[i]] for i in group]
        for column in zip(*own, strict=True):
            mean = sum(column) / len(column)
            total += sum((x - mean) ** 2 for x in column)
    return total


def groupings(items, clusters):
    for labels in itertools.product(range(clusters), repeat=items):
        firsts = [labels.index(a) for a in range(clusters) if a in labels]
        if len(firsts) == clusters and firsts == sorted(firsts):
            yield [[i for i in range(items) if labels[i] == a] for a in range(clusters)]


def found(result):
    return [[int(name) for name in cluster["members"]] for cluster in result["clusters"]]


def near(a, b):
    return abs(float(a) - float(b)) <= 1e-9 * max(abs(float(a)), abs(float(b)), 1e-300)


def cluster(tertium, rows, k, *flags, header=True):
    tertium.file("p.csv", table(rows, header))
    out = tertium.run("cluster", "p.csv", "--points", "-k", k, "--json", *flags).stdout
    return json.loads(out)


def random_rows(rng, count, dimensions, decimals):
    centres = [[rng.uniform(-9, 9) for _ in range(dimensions)] for _ in range(3)]
    return [[round(x + rng.gauss(0, 1.5), decimals) for x in centres[i % 3]] for i in range(count)]


@pytest.mark.parametrize("seed", range(12))
def test_says_what_trying_all_groupings_says(tertium, seed):
    rng = random.Random(seed)
    count, k = rng.randint(4, 8), rng.randint(2, 3)
    # 17 digits cannot be held exactly: distances are rounded then.
    rows = random_rows(rng, count, rng.randint(1, 3), (0, 2, 17)[seed % 3])
    result = cluster(tertium, rows, k, "-o", "r", "--proof", "full")
    by_value = sorted(squares(rows, groups) for groups in groupings(count, k))
    points = result["points"]
    assert points["rounded"] == (seed % 3 == 2)
    assert near(squares(rows, found(result)), points["squares"])
    assert near(points["squares"], by_value[0])
    nearest = 1 + Fraction(1, 2**52)  # of a fraction, the double that is nearest to it
    assert Fraction(points["least_squares"]) <= by_value[0] * nearest
    assert result["gap"] <= 1e-6
    assert near(points["total_squares"], squares(rows, [range(count)]))
    if by_value[0] > 0:
        assert both(tertium) == (0, 0)
        verified = json.loads(
            tertium.run("verify", "r/certificate.json", "p.csv", "--points", "--json").stdout
        )
        assert Fraction(verified["least_squares"]) <= by_value[0] * nearest
        assert near(verified["squares"], by_value[0])
    if (result["proof"] or {}).get("only_best"):
        assert by_value[1] > by_value[0]


@pytest.mark.parametrize(
    ("rows", "k", "squared", "sentence"),
    [
        ([[1, 2]] * 5, 2, 0, "proved: no sum of squares is below 0"),
        ([[1, 2]] * 5, 1, 0, "proved: no sum of squares is below 0"),
        ([[1, 2]], 1, 0, "proved: no sum of squares is below 0"),
        ([[0, 0], [3, 4]], 1, 12.5, "proved: there is no other grouping into one group"),
        ([[0, 0], [3, 4]], 2, 0, "proved: no sum of squares is below 0"),
        ([[0, 0], [3, 4], [1, 1]], 3, 0, "proved: no sum of squares is below 0"),
        ([[0], [0], [5], [5], [9], [9]], 3, 0, "proved: no sum of squares is below 0"),
        ([[0], [0], [5], [5], [9], [9]], 5, 0, "proved: no sum of squares is below 0"),
        # Either of two groupings is the best.
        ([[0], [1], [2]], 2, 0.5, "proved: no other grouping of these 3 points into 2 groups has"),
        ([[0], [1], [1], [2]], 3, 0, "proved: no sum of squares is below 0"),
        ([[0], [1], [10], [12]], 2, 2.5, "proved: every other grouping of these 4 points into 2"),
    ],
)
def test_tells_the_truth_about_ties_and_ends(tertium, rows, k, squared, sentence):
    result = cluster(tertium, rows, k, "-o", "r")
    assert result["points"]["squares"] == pytest.approx(squared, abs=1e-12)
    text = tertium.run("cluster", "p.csv", "--points", "-k", k).stdout
    assert sentence in text
    if (tertium.folder / "r" / "certificate.json").exists():
        assert both(tertium) == (0, 0)


def test_duplicates_are_no_hindrance(tertium):
    rng = random.Random(3)
    rows = random_rows(rng, 4, 2, 1) * 2
    result = cluster(tertium, rows, 3, "--proof", "full")
    best = min(squares(rows, groups) for groups in groupings(8, 3))
    assert near(result["points"]["squares"], best)
    assert result["gap"] <= 1e-6


def test_scale_changes_nothing_but_units(tertium):
    rng = random.Random(5)
    rows = random_rows(rng, 30, 2, 2)
    here = cluster(tertium, rows, 3)["points"]
    for power in (-30, 30):
        scaled = [[f"{x}e{power}" for x in row] for row in rows]
        there = cluster(tertium, scaled, 3, "-o", "r")["points"]
        assert near(there["squares"], here["squares"] * 10.0 ** (2 * power))
        assert both(tertium) == (0, 0)


def test_coordinates_of_very_different_sizes(tertium):
    """What is below the grid of the coordinates is rounded, and the claim pays for it."""
    rows = [["1e-30", 0], [0, 1], [3, "1e-25"], ["3.5", 1], ["7.25", 0], ["8.125", 2]]
    result = cluster(tertium, rows, 3, "-o", "r")
    best = min(squares(rows, groups) for groups in groupings(6, 3))
    assert result["points"]["rounded"]
    assert near(result["points"]["squares"], best)
    assert Fraction(result["points"]["least_squares"]) <= best
    assert both(tertium) == (0, 0)


# ---- forgeries


def forged(tertium, change, points="p.csv"):
    fields = json.loads((tertium.folder / "r" / "certificate.json").read_text())
    del fields["checksum"]
    change(fields)
    tertium.file("r/forged.json", sealed(fields))
    return both(tertium, "r/forged.json", points)


def squares_of(fields, factor):
    fields["upper_bound"] *= factor


@pytest.fixture
def tied(tertium):
    """A proof by cuts about points with two best groupings, in distances that are exact."""
    rows = [[0, 0], [1, 0], [2, 0], [0, 5], [1, 5], [2, 5], [4, 2], [4, 3], [9, 9]]
    cluster(tertium, rows, 3, "-o", "r", "--proof", "full")
    fields = json.loads((tertium.folder / "r" / "certificate.json").read_text())
    assert fields["version"] == 2
    return rows


def test_honest_copies_pass_and_forgeries_do_not(tertium, tied):
    def shift(name, by):
        return lambda fields: fields["similarity"].update({name: fields["similarity"][name] + by})

    assert forged(tertium, lambda fields: None) == (0, 0)
    for change in (
        lambda fields: squares_of(fields, 0.999 if fields["upper_bound"] > 0 else 1.001),
        lambda fields: fields.update(objective=fields["objective"] * 0.99),
        lambda fields: fields["labels"].reverse(),
        lambda fields: fields["similarity"].update(kind="precomputed"),
        lambda fields: fields["similarity"].pop("exponent"),
        lambda fields: fields["similarity"].update(exponent=0.0),
        lambda fields: fields["similarity"].update(exponent=True),
        lambda fields: fields["similarity"].update(exponent=2**70),
        lambda fields: fields["similarity"].update(denominator=1),
        shift("exponent", 1),
        shift("exponent", 2),
        shift("comparisons", 1),
        shift("checksum", 1),
        lambda fields: fields.update(version=1),
    ):
        codes = forged(tertium, change)
        assert codes == (3, 3), codes


def test_finer_units_than_the_coordinates_have_are_not_used(tertium, tied):
    assert forged(tertium, lambda f: f["similarity"].update(exponent=-1)) in ((3, 3), (2, 3))


def test_other_points_are_not_what_was_proved(tertium, tied):
    for at in range(len(tied)):
        other = [list(row) for row in tied]
        other[at][1] += 1
        tertium.file("other.csv", table(other))
        assert both(tertium, points="other.csv") == (3, 3)
    tertium.file("other.csv", table(tied[::-1]))  # the names go by the rows
    assert both(tertium, points="other.csv") == (3, 3)


def test_only_best_is_refused_where_two_are_best(tertium):
    rows = [[0], [1], [2], [7], [8.5]]
    cluster(tertium, rows, 3, "-o", "r", "--proof", "full")
    fields = json.loads((tertium.folder / "r" / "certificate.json").read_text())
    values = sorted(squares(rows, groups) for groups in groupings(5, 3))
    assert values[0] == values[1]
    assert fields["claim"] == "bound"
    assert not fields["only_best"]
    assert forged(tertium, lambda f: f.update(only_best=True)) == (3, 3)


def test_rounding_is_counted_against_the_claim(tertium):
    """The bound of the file has room for rounded distances; without it the file is refused."""
    rng = random.Random(11)
    rows = [[repr(rng.gauss(0, 1)), repr(rng.gauss(0, 1))] for _ in range(12)]
    result = cluster(tertium, rows, 3, "-o", "r", "--proof", "full")
    assert result["points"]["rounded"]
    fields = json.loads((tertium.folder / "r" / "certificate.json").read_text())
    assert fields["claim"] == "bound"
    assert both(tertium) == (0, 0)
    # f of the rounded distances, of which the true one may be larger.
    assert forged(tertium, lambda f: f.update(upper_bound=f["objective"])) == (3, 3)


def test_a_file_about_points_proves_nothing_about_answers(tertium, tied):
    answers = "anchor,near,far\n0,1,2\n1,2,3\n"
    tertium.file("answers.csv", answers)
    assert tertium.run("verify", "r/certificate.json", "answers.csv", code=None).returncode == 3
    matrix = np.zeros((9, 9))
    np.save(tertium.folder / "m.npy", matrix)
    assert tertium.run("verify", "r/certificate.json", "m.npy", code=None).returncode == 3


# ---- files


SOME = "name,x,y\na,0,1\nb,0.5,1\nc,7,7\nd,7,7.5\n"


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        (SOME, []),
        (SOME.replace(",", "\t"), []),
        (SOME.replace(",", ";"), []),
        (SOME.replace("\n", "\r\n"), []),
        ("\ufeff" + SOME, []),
        (SOME.split("\n", 1)[1], []),
        (SOME.replace("name,x", ",x"), []),
        ("kind,name,x,y\nu,a,0,1\nu,b,0.5,1\nv,c,7,7\nv,d,7,7.5\n", ["--exclude-columns", "kind"]),
        (
            "kind,name,x,y\nu,a,0,1\nu,b,0.5,1\nv,c,7,7\nv,d,7,7.5\n",
            ["--columns", "x,y", "--name-column", "name"],
        ),
        ("x,id,y\n0,a,1\n0.5,b,1\n7,c,7\n7,d,7.5\n", ["--columns", "3,1"]),
        ('"x, in m",name,y\n0,a,1\n0.5,b,1\n7,c,7\n7,d,7.5\n', []),
        ("y,x,name,rest\n1,0,a,3\n1,0.5,b,1\n7,7,c,4\n7.5,7,d,1\n", ["--exclude-columns", "rest"]),
    ],
)
def test_tables_as_people_have_them(tertium, text, flags):
    tertium.file("p.csv", text)
    out = tertium.run("cluster", "p.csv", "--points", "-k", 2, "--json", *flags).stdout
    groups = {frozenset(c["members"]) for c in json.loads(out)["clusters"]}
    assert groups == {frozenset("ab"), frozenset("cd")}


@pytest.mark.parametrize(
    ("text", "flags", "said"),
    [
        ("x,y,kind\n1,2,a\n3,4,a\n", [], ["(kind)", "'a'", "--exclude-columns kind"]),
        ("x,y\n1,2\n3,\n", [], ["line 3, column 2 (y)", "missing", "--exclude-columns y"]),
        ("x,y\n1,NA\n3,4\n", [], ["line 2, column 2 (y)", "missing"]),
        ("x,y\n1,2\n3,four\n", [], ["line 3, column 2 (y)", "'four'"]),
        ("1,2\n3,inf\n", [], ["line 2, column 2", "finite"]),
        ("x,y\n1,2\n3\n", [], ["line 3", "1 cells"]),
        ("x,y\n", [], ["no points"]),
        ("", [], ["no points"]),
        ("n,x\na,1\na,2\n", ["--name-column", "n"], ["line 3", "no other point"]),
        ("x,y\n1,2\n3,4\n", ["--columns", "z"], ["--columns 'z'", "x, y"]),
        ("x,y\n1,2\n3,4\n", ["--exclude-columns", "1,2"], ["no column of coordinates"]),
        ("x,y\n1,2\n3,4\n", ["--anchor", "x"], ["--anchor", "--points"]),
        ("x,y\n1,2\n3,4\n", ["--repeats", "once"], ["--repeats once", "--points"]),
        ("x,y\n1e200,2\n3,4\n", [], ["1e200", "another unit"]),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_place(tertium, text, flags, said):
    tertium.file("p.csv", text)
    run = tertium.run("cluster", "p.csv", "--points", "-k", 1, *flags, code=2)
    for words in said:
        assert words in run.stderr


def test_flags_of_points_want_points(tertium):
    tertium.file("p.csv", SOME)
    run = tertium.run("cluster", "p.csv", "--columns", "x", code=2)
    assert "--columns without --points" in run.stderr
    run = tertium.run("cluster", "p.csv", "p.csv", "--points", code=2)
    assert "one table" in run.stderr


def test_the_number_of_groups_is_asked_for(tertium):
    tertium.file("p.csv", SOME)
    for choice in ("auto", "heldout", "spur"):
        run = tertium.run("cluster", "p.csv", "--points", "-k", choice, code=2)
        assert "--clusters K" in run.stderr
    assert json.loads(tertium.run("cluster", "p.csv", "--points", "-k", "2-3", "--json").stdout)[
        "k"
    ] in (2, 3)


def test_an_array_says_the_same_as_its_text(tertium):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(20, 3)) + 4 * np.eye(3)[np.arange(20) % 3]
    np.save(tertium.folder / "p.npy", X)
    np.savetxt(tertium.folder / "p.csv", X, delimiter=",")  # 19 digits, two more than it takes
    results = []
    for name in ("p.npy", "p.csv"):
        out = tertium.run("cluster", name, "--points", "-k", 3, "-o", "r", "--json").stdout
        results.append(json.loads(out))
        assert both(tertium, points=name if name.endswith("npy") else "p.csv")[0] == 0
    assert results[0]["labels"] == results[1]["labels"]
    assert results[0]["points"]["squares"] == results[1]["points"]["squares"]
    assert results[0]["points"]["least_squares"] == results[1]["points"]["least_squares"]
    assert by_script(tertium.folder, "r/certificate.json", "p.npy") == 0


def test_chosen_columns_are_what_is_proved(tertium):
    rows = [[i % 3, 10 * (i % 2), (7 * i) % 5] for i in range(9)]
    tertium.file("p.csv", table(rows))
    tertium.run("cluster", "p.csv", "--points", "-k", 2, "--columns", "x0,x2", "-o", "r")
    assert both(tertium, columns=("x0,x2",)) == (0, 0)
    assert both(tertium, columns=("x0,x1",)) == (3, 3)
    assert both(tertium) == (3, 3)


def test_too_many_points_get_groups_without_a_bound(tertium):
    centres = np.array([[0, 0], [50, 0], [0, 50]])
    rng = np.random.default_rng(4)
    X = centres[np.arange(6000) % 3] + rng.normal(size=(6000, 2))
    np.save(tertium.folder / "p.npy", X)
    result = json.loads(tertium.run("cluster", "p.npy", "--points", "-k", 3, "--json").stdout)
    planted = sum(((X[a::3] - X[a::3].mean(0)) ** 2).sum() for a in range(3))
    assert result["points"]["squares"] == pytest.approx(planted, rel=1e-9)
    assert result["points"]["least_squares"] is None
    assert "no proof and no bound for 6000 points" in result["warnings"][0]
    run = tertium.run("cluster", "p.npy", "--points", "-k", "2-3", code=2)
    assert "--clusters K" in run.stderr


def test_threads_change_nothing(tertium):
    rng = random.Random(8)
    tertium.file("p.csv", table(random_rows(rng, 60, 3, 1)))
    results = []
    for threads in (1, 2):
        out = tertium.run(
            "cluster", "p.csv", "--points", "-k", 4, "--json", "--threads", threads
        ).stdout
        result = json.loads(out)
        del result["seconds"]
        results.append(result)
    assert results[0] == results[1]
