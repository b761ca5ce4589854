"""tertium similarity: exports, snapshots and their sums, repeats, weights, items, threads."""

import gzip
import json
import random
import subprocess
from collections import Counter

import numpy as np
import pytest
from definitions import adds3, adds4, answers, odd_one_out, rows

SIMILARITIES = {"AddS-3": (3, adds3), "AddS-4": (4, adds4)}


def random_answers(seed, count, width=3, items=12):
    """Distinct items in each; a few repeats and contradictions among them."""
    chance = random.Random(seed)
    found = [tuple(str(i) for i in chance.sample(range(items), width)) for _ in range(count)]
    return found + found[: count // 10]


def csv_of(found):
    return "".join(",".join(row) + "\n" for row in found)


def dense(names, pairs):
    matrix = np.zeros((len(names), len(names)))
    for pair, value in pairs.items():
        i, j = (names.index(name) for name in pair)
        matrix[i, j] = matrix[j, i] = value
    return matrix


def read_mtx(path):
    """(names, {pair: value}, number type) of a MatrixMarket file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    names = [line.split(" ", 2)[2] for line in lines if line.startswith("%item ")]
    size, *entries = (line.split() for line in lines if not line.startswith("%"))
    assert size == [str(len(names)), str(len(names)), str(len(entries))]
    assert all(int(i) > int(j) for i, j, _ in entries), "symmetric files hold the lower triangle"
    pairs = {frozenset((names[int(i) - 1], names[int(j) - 1])): float(v) for i, j, v in entries}
    return names, pairs, lines[0].split()[3]


# --- exports ---


@pytest.mark.parametrize("by_snapshot", [False, True], ids=["directly", "from a snapshot"])
@pytest.mark.parametrize(("width", "definition"), SIMILARITIES.values(), ids=SIMILARITIES.keys())
def test_exports_hold_the_definition(tertium, width, definition, by_snapshot):
    found = random_answers(1, 300, width)
    expected = definition(Counter(found))
    source = tertium.file("a.csv", csv_of(found))
    if by_snapshot:
        tertium.run("similarity", source, "-o", "a.sim")
        source = "a.sim"
    for output in ("s.csv", "s.npy", "s.mtx"):
        tertium.run("similarity", source, "-o", output)
    names = [str(i) for i in range(12)]  # integers keep their number and, in order, their row
    assert tertium.read_csv("s.csv").names == names
    assert tertium.read_csv("s.csv").pairs == expected
    matrix = np.load(tertium.folder / "s.npy")
    assert matrix.dtype == np.int64
    assert np.array_equal(matrix, dense(names, expected))
    assert read_mtx(tertium.folder / "s.mtx") == (names, expected, "integer")


def test_npy_of_named_items_comes_with_their_names(tertium):
    tertium.file("a.csv", rows("anchor near far; hog cat cow; cat cow dog"))
    done = tertium.run("similarity", "a.csv", "-o", "s.npy")
    assert "s.items.csv" in done.stdout
    (header, *lines) = (tertium.folder / "s.items.csv").read_text().splitlines()
    assert header == "row,name"
    names = [line.split(",")[1] for line in lines]
    assert [line.split(",")[0] for line in lines] == [str(i) for i in range(len(names))]
    expected = dense(names, adds3(answers("hog cat cow; cat cow dog")))
    assert np.array_equal(np.load(tertium.folder / "s.npy"), expected)


def test_numbers_are_in_order_and_before_names(tertium):
    tertium.file("a.csv", rows("anchor near far; 10 9 x10; x9 2 10"))
    assert tertium.similarity("a.csv").names == ["2", "9", "10", "x9", "x10"]


def test_exported_matrices_can_be_read_again(tertium):
    tertium.file("a.csv", rows("anchor near far; a b c; c d e; e f a; b d f"))
    expected = tertium.similarity("a.csv")
    tertium.run("similarity", "a.csv", "-o", "s.mtx")
    assert tertium.similarity("s.mtx") == expected
    tertium.run("similarity", "exported.csv", "-o", "again.csv")
    assert tertium.read_csv("again.csv") == expected


# --- snapshots ---

SPLITS = {
    "all files at once": [["a.csv", "b.csv", "c.csv", "d.csv"]],
    "in another order": [["d.csv", "b.csv", "a.csv", "c.csv"]],
    "a snapshot each": [["a.csv"], ["b.csv"], ["c.csv"], ["d.csv"], ["0", "1", "2", "3"]],
    "two and two": [["a.csv", "d.csv"], ["c.csv", "b.csv"], ["1", "0"]],
    "one more each time": [["a.csv"], ["0", "b.csv"], ["1", "c.csv"], ["d.csv", "2"]],
    "copied on the way": [["a.csv", "b.csv"], ["0"], ["1", "c.csv", "d.csv"]],
}


@pytest.mark.parametrize("items", [False, True], ids=["found items", "listed items"])
@pytest.mark.parametrize(("width", "definition"), SIMILARITIES.values(), ids=SIMILARITIES.keys())
@pytest.mark.parametrize("steps", SPLITS.values(), ids=SPLITS.keys())
def test_snapshots_merge_to_the_same(tertium, steps, width, definition, items):
    """Each step makes a snapshot from files and from the snapshots of earlier steps."""
    everything = []
    for seed, name in enumerate(["a.csv", "b.csv", "c.csv", "d.csv"]):
        found = random_answers(seed, 40, width, items=8 + seed)
        everything += found
        tertium.file(name, csv_of(found))
    listed = [str(i) for i in (7, 3, 99, 5, 1, 0, 2, 10, 9, 8, 6, 4)]  # an order of their own
    tertium.file("items.csv", "name\n" + "\n".join(listed) + "\n")
    flags = ["--items", "items.csv"] if items else []
    for number, sources in enumerate(steps):
        inputs = [f"{source}.sim" if source.isdigit() else source for source in sources]
        answers_read = any(source.endswith(".csv") for source in inputs)
        more = flags if answers_read else []
        tertium.run("similarity", *inputs, *more, "-o", f"{number}.sim")
    merged = tertium.similarity(f"{len(steps) - 1}.sim")
    assert merged.pairs == definition(Counter(everything))
    # Rows keep the order of the list, also when snapshots are added up.
    assert merged.names == (listed if items else sorted(set(sum(everything, ())), key=int))


def test_merged_snapshot_is_the_snapshot_of_all(tertium):
    first, second = random_answers(1, 50), random_answers(2, 50)
    tertium.file("a.csv", csv_of(first))
    tertium.file("b.csv", csv_of(second))
    for inputs, output in [
        (["a.csv"], "a.sim"),
        (["b.csv"], "b.sim"),
        (["b.sim", "a.sim"], "merged.sim"),
        (["a.csv", "b.csv"], "all.sim"),
    ]:
        tertium.run("similarity", *inputs, "-o", output)
    assert tertium.files()["merged.sim"] == tertium.files()["all.sim"]


@pytest.mark.parametrize("way", ["packed", "piped"])
def test_snapshots_may_be_packed_or_piped(tertium, way):
    found = random_answers(3, 2000, items=40)
    tertium.file("a.csv", csv_of(found))
    tertium.run("similarity", "a.csv", "-o", "a.sim")
    snapshot = (tertium.folder / "a.sim").read_bytes()
    tertium.file("a.sim.gz", gzip.compress(snapshot))
    source, stdin = ("-", snapshot) if way == "piped" else ("a.sim.gz", b"")
    assert tertium.similarity(source, stdin=stdin).pairs == adds3(Counter(found))


def test_packed_snapshot_that_shrinks_a_lot(tertium):
    # Its packed size is far below its true size.
    tertium.file(
        "items.csv", "id,name\n" + "".join(f"{i},thing number {i:06}\n" for i in range(3000))
    )
    tertium.file("a.csv", rows("0 1 2"))
    tertium.run("similarity", "a.csv", "--items", "items.csv", "-o", "a.sim")
    tertium.file("a.sim.gz", gzip.compress((tertium.folder / "a.sim").read_bytes()))
    tertium.run("check", "a.sim.gz")


def test_check_of_a_snapshot_shows_what_it_keeps(tertium):
    found = random_answers(4, 60)
    tertium.file("a.csv", csv_of(found))
    tertium.run("similarity", "a.csv", "-o", "a.sim")
    check = tertium.check("a.sim")
    assert (check["items"], check["comparisons"]) == (12, len(found))
    assert check["nonzero_pairs"] == len(adds3(Counter(found)))


@pytest.mark.parametrize("output", ["-", "/dev/stdout"])
def test_standard_output(tertium, output):
    tertium.file("a.csv", rows("0 1 2; 1 2 0"))
    tertium.run("similarity", "a.csv", "-o", "a.sim")
    command = tertium.command("similarity", "a.csv", "-q", "-o", output)
    done = subprocess.run(command, cwd=tertium.folder, capture_output=True, check=True)
    assert done.stdout == (tertium.folder / "a.sim").read_bytes()


# --- repeats ---

REPEATED = answers("0 1 2; 0 1 2; 0 1 2; 0 2 1; 1 0 2; 1 2 0; 2 0 1; 2 0 1")


@pytest.mark.parametrize(
    ("repeats", "kept"),
    [
        ("sum", REPEATED),
        ("once", dict.fromkeys(REPEATED, 1)),
        ("majority", answers("0 1 2; 2 0 1")),  # 1: split evenly, left out
    ],
)
def test_repeats(tertium, repeats, kept):
    tertium.file("a.csv", csv_of(REPEATED.elements()))
    assert tertium.similarity("a.csv", "--repeats", repeats).pairs == adds3(kept)
    done = tertium.run("similarity", "a.csv", "--repeats", repeats, "-o", "a.sim")
    assert ("1 question" in done.stderr) == (repeats == "majority")


@pytest.mark.parametrize(("repeats", "copies"), [("sum", [2, 2, 1]), ("once", [1, 1, 1])])
def test_repeats_of_quadruplets_know_that_pairs_have_no_order(tertium, repeats, copies):
    # The same answer written in several ways, and the opposite one.
    tertium.file("a.csv", rows("0 1 2 3; 1 0 3 2; 0 2 1 3; 2 0 3 1; 2 3 0 1"))
    kept = dict(zip(answers("0 1 2 3; 0 2 1 3; 2 3 0 1"), copies, strict=True))
    assert tertium.similarity("a.csv", "--repeats", repeats).pairs == adds4(kept)


@pytest.mark.parametrize(
    ("repeats", "kept"),
    [
        ("once", odd_one_out("a", "b", "c") + odd_one_out("a", "c", "b")),
        ("majority", odd_one_out("a", "b", "c")),
    ],
)
def test_repeats_of_odd_one_out(tertium, repeats, kept):
    tertium.file("a.csv", rows("a b odd; a b c; b a c; c a b"))
    assert tertium.similarity("a.csv", "--repeats", repeats).pairs == adds3(kept)


def test_once_is_a_set_over_all_files(tertium):
    # The paper's T is a set: a triplet counts once, whichever kind of question gave it.
    tertium.file("a.csv", rows("0 1 2"))
    tertium.file("b.csv", "a,b,odd\n0,1,2\n")
    expected = adds3({("0", "1", "2"), ("1", "0", "2")})
    assert tertium.similarity("a.csv", "b.csv", "--repeats", "once").pairs == expected


def test_majority_of_votes(tertium):
    content = (
        "anchor,b,c,votes_b_nearer,votes_c_nearer\n0,1,2,7,3\n1,0,2,2,2\n2,0,1,1,4\n2,1,0,0,1\n"
    )
    tertium.file("a.csv", content)
    similarity = tertium.similarity("a.csv", "--repeats", "majority")
    assert similarity.pairs == adds3(answers("0 1 2; 2 1 0"))


# --- weights ---


@pytest.mark.parametrize("column", ["weight", "count", "votes", "n", "Weight"])
def test_weights_add_up(tertium, column):
    tertium.file("a.csv", f"anchor,near,far,{column}\n0,1,2,3\n0,2,1,1\n1,0,2,0\n0,1,2,4\n")
    expected = {("0", "1", "2"): 7, ("0", "2", "1"): 1}
    assert tertium.similarity("a.csv").pairs == adds3(expected)
    tertium.run("similarity", "a.csv", "-o", "s.npy")
    assert np.load(tertium.folder / "s.npy").dtype == np.int64


def test_fractional_weights(tertium):
    weights = {
        ("0", "1", "2"): 0.5,
        ("0", "2", "1"): 0.125,
        ("1", "0", "2"): 2,
        ("2", "1", "0"): 0.1,
    }
    lines = [f"{','.join(t)},{w}\n" for t, w in weights.items()]
    tertium.file("a.csv", "anchor,near,far,weight\n" + "".join(lines))
    expected = adds3(weights)
    assert tertium.similarity("a.csv").pairs == pytest.approx(expected, abs=1e-9)
    tertium.run("similarity", "a.csv", "-o", "a.sim")
    assert tertium.similarity("a.sim").pairs == pytest.approx(expected, abs=1e-9)
    tertium.run("similarity", "a.sim", "-o", "s.npy")
    matrix = np.load(tertium.folder / "s.npy")
    assert np.allclose(matrix, dense(["0", "1", "2"], expected), atol=1e-9)
    tertium.run("similarity", "a.sim", "-o", "s.mtx")
    _, pairs, kind = read_mtx(tertium.folder / "s.mtx")
    assert pairs == pytest.approx(expected, abs=1e-9)
    assert kind == "real"


def test_fractions_and_whole_numbers_merge(tertium):
    tertium.file("a.csv", "anchor,near,far,weight\n0,1,2,0.5\n")
    tertium.file("b.csv", rows("0 1 2"))
    tertium.run("similarity", "a.csv", "-o", "a.sim")
    tertium.run("similarity", "b.csv", "-o", "b.sim")
    expected = adds3({("0", "1", "2"): 1.5})
    assert tertium.similarity("a.sim", "b.sim").pairs == expected
    assert tertium.similarity("a.csv", "b.csv").pairs == expected


def test_whole_weights_stay_exact(tertium):
    # 3e9 + 1 is more than 32 bits; the last digit must survive.
    tertium.file("a.csv", "anchor,near,far,weight\n" + "0,1,2,1000000000\n" * 3 + "0,1,2,1\n")
    assert tertium.similarity("a.csv").pairs == adds3({("0", "1", "2"): 3_000_000_001})


def test_small_weights_do_not_vanish(tertium):
    # Reliabilities that sum to 1 over many answers are this small.
    tertium.file("a.csv", "anchor,near,far,weight\n" + "0,1,2,0.0000001\n" * 10)
    done = tertium.run("similarity", "a.csv", "-o", "s.csv", code=None)
    if done.returncode == 0:
        assert tertium.read_csv("s.csv").pairs == pytest.approx(adds3({("0", "1", "2"): 1e-6}))
    else:
        assert "0.0000001" in done.stderr  # refusing is fine, dropping silently is not


# --- items ---

ITEMS = """index,name,image,category
0,zebra,pics/z.png,animal
1,apple,pics/a.png,fruit
2,Möhre,pics/m.png,vegetable
3,yak,pics/y.png,animal
"""


@pytest.mark.parametrize(
    "content",
    [
        rows("0 1 2; 2 1 0"),
        rows("0.0 1.0 2.0; 2.0 1.0 0.0"),
        rows("anchor near far; zebra apple Möhre; Möhre apple zebra"),
        rows("anchor near far; z.png a.png m.png; m.png a.png z.png"),
        rows("anchor near far; pics/z.png pics/a.png pics/m.png; x/m.png x/a.png x/z.png"),
        rows("anchor near far; zebra 1 m.png; 2 apple z.png"),
    ],
    ids=["index", "float index", "name", "picture", "path", "mixed"],
)
def test_items_by_index_name_or_picture(tertium, content):
    tertium.file("items.csv", ITEMS)
    tertium.file("a.csv", content)
    similarity = tertium.similarity("a.csv", "--items", "items.csv")
    # Names in the order of the list, with those never asked about.
    assert similarity.names == ["zebra", "apple", "Möhre", "yak"]
    assert similarity.pairs == adds3(answers("zebra apple Möhre; Möhre apple zebra"))


def test_item_name_chooses_the_column(tertium):
    tertium.file("items.csv", ITEMS)
    tertium.file("a.csv", rows("0 1 2"))
    flags = ["--items", "items.csv", "--item-name", "image"]
    assert tertium.similarity("a.csv", *flags).names == [f"pics/{c}.png" for c in "zamy"]


@pytest.mark.parametrize("first", [0, 1])
def test_ids_from_counts_rows_of_the_list(tertium, first):
    tertium.file("items.csv", "name\nzebra\napple\nyak\n")
    tertium.file("a.csv", csv_of([(str(first), str(first + 1), str(first + 2))]))
    similarity = tertium.similarity("a.csv", "--items", "items.csv", "--ids-from", first)
    assert similarity.names == ["zebra", "apple", "yak"]
    assert similarity.pairs == adds3(answers("zebra apple yak"))


def test_unknown_items_can_be_added(tertium):
    tertium.file("items.csv", ITEMS)
    tertium.file("a.csv", rows("anchor near far; zebra ant bee; ant bee apple"))
    similarity = tertium.similarity("a.csv", "--items", "items.csv", "--unknown-items", "add")
    assert similarity.names == ["zebra", "apple", "Möhre", "yak", "ant", "bee"]
    assert similarity.pairs == adds3(answers("zebra ant bee; ant bee apple"))


@pytest.mark.parametrize("name", ["items.json", "items.tsv", "items.csv.gz"])
def test_items_file_in_other_dress(tertium, name):
    content = {
        "items.json": json.dumps(
            [{"id": i, "name": n} for i, n in enumerate(["zebra", "apple", "x"])]
        ),
        "items.tsv": "\ufeffid\tname\r\n0\tzebra\r\n1\tapple\r\n2\tx\r\n",
        "items.csv.gz": gzip.compress(b'id,name\n0,"zebra"\n1,apple\n2,x\n'),
    }[name]
    tertium.file("a.csv", rows("0 1 2"))
    flags = ["--items", tertium.file(name, content)]
    assert tertium.similarity("a.csv", *flags).names == ["zebra", "apple", "x"]


def test_items_that_only_bad_rows_mention_do_not_exist(tertium):
    tertium.file("a.csv", "0,1,2\n1,2,0\n77,78\n0,2,1\n90,91,92,93\n")
    assert tertium.similarity("a.csv", "--skip-bad-rows").names == ["0", "1", "2"]


def test_files_of_the_user_are_not_overwritten_by_the_way(tertium):
    # The names of a .npy go to a file beside it; that may be the very list of items.
    tertium.file("cars.items.csv", ITEMS)
    tertium.file("a.csv", rows("0 1 2"))
    tertium.run("similarity", "a.csv", "--items", "cars.items.csv", "-o", "cars.npy", code=None)
    assert tertium.files()["cars.items.csv"] == ITEMS.encode()


def test_answers_are_not_overwritten(tertium):
    tertium.file("a.csv", rows("0 1 2"))
    assert "a.csv" in tertium.refuse("similarity", "a.csv", "-o", "./a.csv")


def test_snapshot_may_grow_in_place(tertium):
    tertium.file("a.csv", rows("0 1 2"))
    tertium.run("similarity", "a.csv", "-o", "all.sim")
    tertium.run("similarity", "all.sim", "a.csv", "-o", "all.sim")
    assert tertium.similarity("all.sim").pairs == adds3({("0", "1", "2"): 2})


def test_output_replaces_an_older_one(tertium):
    tertium.file("a.csv", rows("0 1 2"))
    tertium.file("b.csv", rows("3 4 5"))
    tertium.run("similarity", "b.csv", "-o", "s.csv")
    tertium.run("similarity", "a.csv", "-o", "s.csv", "--force")
    assert tertium.read_csv("s.csv").pairs == adds3(answers("0 1 2"))
    assert sorted(tertium.files()) == ["a.csv", "b.csv", "s.csv"]


# --- threads ---


def large_file(kind):
    """Several blocks of the reader, so that threads really share the work."""
    chance = random.Random(5)
    if kind == "numbers":
        lines = (",".join(map(str, chance.sample(range(300), 3))) for _ in range(300_000))
        return "\n".join(lines) + "\n"
    names = [f"näme {i}" if i % 3 else f'"quoted, ""{i}""\nin two lines"' for i in range(200)]
    lines = (",".join([*chance.sample(names, 3), "0.5"]) for _ in range(60_000))
    return "anchor,near,far,weight\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize("kind", ["numbers", "names"])
def test_threads_give_the_same_bytes(tertium, kind):
    tertium.file("a.csv", large_file(kind))
    for threads in (1, 2, 3):
        tertium.run("similarity", "a.csv", "--threads", threads, "-o", f"{threads}.sim")
    files = tertium.files()
    assert len(files["a.csv"]) > 3_000_000
    assert files["1.sim"] == files["2.sim"] == files["3.sim"]


def test_large_file_equals_numpy(tertium):
    content = large_file("numbers")
    tertium.file("a.csv", content)
    tertium.run("similarity", "a.csv", "--threads", 2, "-o", "s.npy")
    table = np.array([line.split(",") for line in content.splitlines()], dtype=int)
    expected = np.zeros((300, 300), dtype=int)
    anchor, near, far = table.T
    np.add.at(expected, (anchor, near), 1)
    np.add.at(expected, (anchor, far), -1)
    assert np.array_equal(np.load(tertium.folder / "s.npy"), expected + expected.T)


def test_first_bad_row_is_named_whatever_the_threads(tertium):
    lines = large_file("numbers").splitlines()
    for bad in (250_000, 120_000, 290_000):
        lines[bad] = "1,2"
    tertium.file("a.csv", "\n".join(lines) + "\n")
    for threads in (1, 2):
        message = tertium.refuse("similarity", "a.csv", "--threads", threads, "-o", "a.sim")
        assert "line 120001:" in message


@pytest.mark.parametrize("command", ["similarity", "check"])
def test_json_summary(tertium, command):
    tertium.file("a.csv", rows("0 1 2; 1 2 0; 3 0 1"))
    flags = ["-o", "a.sim"] if command == "similarity" else []
    summary = json.loads(tertium.run(command, "a.csv", "--json", *flags).stdout)
    assert (summary["items"], summary["comparisons"]) == (4, 3)
