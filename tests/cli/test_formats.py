"""The same answers in any container, with any names and flags, give the same similarity; what a
file cannot tell is never guessed."""

import gzip
import io
import json

import numpy as np
import pytest
from definitions import adds3, adds4, answers, most_central, odd_one_out, rows

# --- the same answers in any dress ---

SAME = answers("4 5 6; 5 4 6; 6 5 4; 4 5 6")
SAME_ROWS = [row for row, count in SAME.items() for _ in range(count)]


def table(separator=",", end="\n", quote=""):
    lines = [("anchor", "near", "far"), *SAME_ROWS]
    return "".join(separator.join(f"{quote}{c}{quote}" for c in line) + end for line in lines)


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


RECORDS = [dict(zip(("anchor", "near", "far"), row, strict=True)) for row in SAME_ROWS]
INTEGERS = np.array(SAME_ROWS, dtype=int)

DRESSES = {
    "commas": ("a.csv", table()),
    "tabs": ("a.tsv", table("\t")),
    "tabs in a .csv": ("a.csv", table("\t")),
    "semicolons": ("a.csv", table(";")),
    "spaces": ("a.txt", table(" ")),
    "commas and spaces": ("a.csv", table(", ")),
    "byte order mark": ("a.csv", "\ufeff" + table()),
    "CRLF": ("a.csv", table(end="\r\n")),
    "CRLF and tabs": ("a.csv", table("\t", end="\r\n")),
    "quoted": ("a.csv", table(quote='"')),
    "quoted, mark and CRLF": ("a.csv", "\ufeff" + table(end="\r\n", quote='"')),
    "blank lines": ("a.csv", "\n" + table(end="\n\n") + "\n\n"),
    "blank lines with CRLF": ("a.csv", table(end="\r\n\r\n")),
    "rows of empty cells": ("a.csv", table() + ",,\n,,\n"),
    "no final line end": ("a.csv", table().rstrip("\n")),
    "comments first": ("a.csv", "# made by hand\n" + table()),
    "floats": ("a.csv", table().replace("4", "4.0").replace("5", "5.00")),
    "JSON records": ("a.json", json.dumps(RECORDS)),
    "JSON records, indented": ("a.json", json.dumps(RECORDS, indent=2)),
    "JSON records in an object": ("a.json", json.dumps({"version": 1, "answers": RECORDS})),
    "JSON numbers": ("a.json", json.dumps([{k: int(v) for k, v in r.items()} for r in RECORDS])),
    "JSON arrays": ("a.json", json.dumps(INTEGERS.tolist())),
    "JSON lines": ("a.jsonl", "".join(json.dumps(r) + "\n" for r in RECORDS)),
    "JSON lines of arrays": ("a.jsonl", "".join(f"{json.dumps(r)}\n" for r in INTEGERS.tolist())),
    "JSON lines with a mark and CRLF": (
        "a.jsonl",
        "\ufeff" + "\r\n".join(json.dumps(r) for r in RECORDS),
    ),
    "npy int64": ("a.npy", npy(INTEGERS)),
    "npy uint8": ("a.npy", npy(INTEGERS.astype(np.uint8))),
    "npy int32, big end first": ("a.npy", npy(INTEGERS.astype(">i4"))),
    "npy float": ("a.npy", npy(INTEGERS.astype(float))),
    "npy in column order": ("a.npy", npy(np.asfortranarray(INTEGERS))),
}


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize(("name", "content"), DRESSES.values(), ids=DRESSES.keys())
def test_same_answers_in_any_dress(tertium, name, content, packed):
    if packed:
        content = gzip.compress(content if isinstance(content, bytes) else content.encode())
        name += ".gz"
    assert tertium.similarity(tertium.file(name, content)).pairs == adds3(SAME)


@pytest.mark.parametrize("kind", ["commas", "JSON lines", "npy int64", "JSON records"])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_standard_input(tertium, kind, packed):
    content = DRESSES[kind][1]
    content = content if isinstance(content, bytes) else content.encode()
    stdin = gzip.compress(content) if packed else content
    assert tertium.similarity("-", stdin=stdin).pairs == adds3(SAME)


def test_gzip_in_several_members(tertium):
    # cat a.gz b.gz > c.gz is a valid gzip file.
    parts = table().encode()
    content = gzip.compress(parts[:20]) + gzip.compress(parts[20:])
    assert tertium.similarity(tertium.file("a.csv.gz", content)).pairs == adds3(SAME)


def test_directory_of_files(tertium):
    tertium.file("session/p1.csv", "anchor,near,far\n4,5,6\n5,4,6\n")
    tertium.file("session/p2.csv.gz", gzip.compress(b"head;winner;loser\n6;5;4\n"))
    tertium.file("session/P3.CSV", "anchor,near,far\n4,5,6\n")  # as Windows names files
    tertium.file("session/.hidden.csv", "anchor,near,far\n7,8,9\n")
    tertium.file("session/deeper/other.csv", "anchor,near,far\n7,8,9\n")
    assert tertium.similarity("session").pairs == adds3(SAME)


def test_several_files_and_kinds_add_up(tertium):
    tertium.file("a.csv", rows("0 1 2"))
    tertium.file("b.csv", "a,b,odd\n1,2,0\n")
    tertium.file("c.csv", "central,other1,other2\n1,0,3\n")
    expected = [("0", "1", "2"), *odd_one_out("1", "2", "0"), *most_central("1", "0", "3")]
    assert tertium.similarity("a.csv", "b.csv", "c.csv").pairs == adds3(expected)


@pytest.mark.parametrize("text", ["%s", "%s\n", "[%s]"])
def test_single_record(tertium, text):
    tertium.file("a.json", text % json.dumps({"anchor": "a", "near": "b", "far": "c"}))
    assert tertium.similarity("a.json").pairs == adds3(answers("a b c"))


# --- names ---

NAMES = ["Äpfel", "groß", "日本", "naïve café", "comma, inside", 'quote "x"', "😀", "semi;colon"]


def quoted(names):
    return ",".join('"' + name.replace('"', '""') + '"' for name in names) + "\n"


@pytest.mark.parametrize("extra", [[], ["line\nbreak"], ["tab\tstop"], ["It's", "back\\slash"]])
def test_names_are_kept_to_the_end(tertium, extra):
    names = [*NAMES, *extra]
    triples = [(names[i], names[i - 1], names[i - 2]) for i in range(len(names))]
    content = "anchor,near,far\n" + "".join(quoted(t) for t in triples)
    similarity = tertium.similarity(tertium.file("a.csv", content))
    assert similarity.pairs == adds3(triples)
    assert set(similarity.names) == set(names)
    tertium.run("similarity", "a.csv", "-o", "a.sim")
    assert tertium.similarity("a.sim") == similarity


def test_names_in_json_and_json_lines(tertium):
    triples = [(NAMES[i], NAMES[i - 1], NAMES[i - 2]) for i in range(len(NAMES))]
    records = [dict(zip(("anchor", "near", "far"), t, strict=True)) for t in triples]
    tertium.file("a.json", json.dumps(records))  # escaped
    tertium.file("a.jsonl", "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records))
    assert tertium.similarity("a.json").pairs == adds3(triples)
    assert tertium.similarity("a.jsonl").pairs == adds3(triples)


def test_quoted_line_breaks_keep_line_numbers(tertium):
    content = 'anchor,near,far\n"two\nlines",b,c\nb,b,c\n'
    places = tertium.check(tertium.file("a.csv", content))["self_comparisons"]["places"]
    assert [place["line"] for place in places] == [4]


def test_text_behind_a_quoted_cell_is_not_dropped(tertium):
    # '"5"-tall' is no valid cell; as '5' it would be taken for another item.
    tertium.file("a.csv", 'anchor,near,far\n"5"-tall,b,c\n5,b,c\n')
    done = tertium.run("check", "a.csv", "--json", code=None)
    assert done.returncode == 2 or json.loads(done.stdout)["items"] == 4


def test_letters_as_items_are_not_a_header(tertium):
    # a, b, c, d are usual names of columns and usual names of letters. They come again below.
    content = rows("a b c d; b a d c; c a b d")
    tertium.file("a.csv", content)
    expected = adds4(answers("a b c d; b a d c; c a b d"))
    assert tertium.similarity("a.csv", "--header", "no").pairs == expected
    done = tertium.run("similarity", "a.csv", "-o", "b.csv", code=None)
    # Reading it right or asking are both fine; dropping the first answer is not.
    assert done.returncode == 2 or tertium.read_csv("b.csv").pairs == expected


# --- flags that say what the file means ---


def test_every_column_can_be_named(tertium):
    content = "w,q1,q2,q3,q4,who\n2,b,a,right,c,p\n3,a,b,left,c,q\n"
    flags = {"anchor": "q2", "option1": "q1", "option2": "q4", "answer": "q3"}
    flags |= {"weight": "w", "participant": "who"}
    arguments = [part for name, column in flags.items() for part in (f"--{name}", column)]
    tertium.file("a.csv", content)
    expected = {("a", "c", "b"): 2, ("b", "a", "c"): 3}
    assert tertium.similarity("a.csv", *arguments).pairs == adds3(expected)
    participants = tertium.check("a.csv", *arguments)["participants"]
    assert [(p["name"], p["answers"]) for p in participants] == [("p", 1), ("q", 1)]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("odd-one-out", odd_one_out("a", "c", "b") + odd_one_out("b", "c", "d")),
        ("most-central", most_central("b", "a", "c") + most_central("d", "b", "c")),
    ],
)
def test_kind_says_what_picking_meant(tertium, kind, expected):
    tertium.file("a.csv", "item1,item2,item3,answer\na,b,c,b\nb,c,d,d\n")
    assert tertium.similarity("a.csv", "--kind", kind).pairs == adds3(expected)
    assert "--kind" in tertium.refuse("check", "a.csv")


@pytest.mark.parametrize("kind", ["triplets", "odd-one-out", "most-central"])
def test_kind_of_three_plain_columns(tertium, kind):
    tertium.file("a.csv", rows("7 8 9; 8 7 9"))
    expected = {
        "triplets": answers("7 8 9; 8 7 9"),
        "odd-one-out": odd_one_out("8", "9", "7") + odd_one_out("7", "9", "8"),
        "most-central": most_central("7", "8", "9") + most_central("8", "7", "9"),
    }[kind]
    flags = ["--odd", "first"] if kind == "odd-one-out" else []
    assert tertium.similarity("a.csv", "--kind", kind, *flags).pairs == adds3(expected)


def test_where_keeps_rows_with_the_value(tertium):
    content = "anchor,near,far,part,day\na,b,c,real,1\na,c,b,training,1\nb,a,c,real,2\n"
    tertium.file("a.csv", content)
    one = tertium.similarity("a.csv", "--where", "part=real")
    assert one.pairs == adds3(answers("a b c; b a c"))
    both = tertium.similarity("a.csv", "--where", "part=real", "--where", "day=2")
    assert both.pairs == adds3(answers("b a c"))
    assert tertium.check("a.csv", "--where", "part=real")["rows"]["filtered"] == 1


def test_separator_and_header_can_be_told(tertium):
    tertium.file("a.txt", "near|far|anchor\nfar|near|anchor\n")
    flags = ["--separator", "|", "--header"]
    assert tertium.similarity("a.txt", *flags, "no").pairs == adds3(
        answers("near far anchor; far near anchor")
    )
    assert tertium.similarity("a.txt", *flags, "yes").pairs == adds3(answers("anchor far near"))


# --- a matrix made elsewhere ---

MATRIX = np.array(
    [[0, 2, -1, 0, 3], [2, 0, 4, 0, 0], [-1, 4, 0, 5, 0], [0, 0, 5, 0, 1], [3, 0, 0, 1, 0]]
)
MATRIX_PAIRS = {
    frozenset((str(i), str(j))): MATRIX[i, j] for i in range(5) for j in range(i) if MATRIX[i, j]
}


def matrix_table(header=False, factor=1):
    lines = [",".join(f"{value * factor:g}" for value in row) for row in MATRIX]
    if header:
        lines = ["item,0,1,2,3,4", *(f"{i},{line}" for i, line in enumerate(lines))]
    return "\n".join(lines) + "\n"


MATRIX_FILES = {
    "npy": ("m.npy", npy(MATRIX), 1),
    "npy with fractions": ("m.npy", npy(MATRIX * 0.25), 0.25),
    "numbers only": ("m.csv", matrix_table(), 1),
    "with names": ("m.csv", matrix_table(header=True), 1),
    "with fractions": ("m.csv", matrix_table(factor=0.1), 0.1),
    "gzip": ("m.csv.gz", gzip.compress(matrix_table(header=True).encode()), 1),
}


@pytest.mark.parametrize(
    ("name", "content", "factor"), MATRIX_FILES.values(), ids=MATRIX_FILES.keys()
)
@pytest.mark.parametrize("flags", [[], ["--kind", "matrix"]], ids=["found", "told"])
def test_precomputed_similarity(tertium, name, content, factor, flags):
    similarity = tertium.similarity(tertium.file(name, content), *flags)
    expected = {pair: value * factor for pair, value in MATRIX_PAIRS.items()}
    assert similarity.pairs == pytest.approx(expected)
    assert similarity.names == list("01234")


@pytest.mark.parametrize("names", ["abcde", "01234"])
def test_check_of_a_matrix_says_what_it_is(tertium, names):
    # Its own export, with items whose names could be columns of answers.
    lines = [f"{name}," + ",".join(map(str, row)) for name, row in zip(names, MATRIX, strict=True)]
    tertium.file("m.csv", f"item,{','.join(names)}\n" + "\n".join(lines) + "\n")
    check = tertium.check("m.csv")
    assert check["similarity"] == "precomputed"
    assert (check["items"], check["nonzero_pairs"]) == (5, len(MATRIX_PAIRS))


def test_five_numbers_per_row_are_not_a_matrix_if_flags_say_so(tertium):
    tertium.file("a.csv", "0,1,2,3,2\n1,2,3,0,1\n")
    expected = adds4({("0", "1", "2", "3"): 2, ("1", "2", "3", "0"): 1})
    assert tertium.similarity("a.csv", "--weight", "5").pairs == expected


# --- what the file cannot tell is never guessed ---

OPEN_QUESTIONS = {
    "which is picked": ("item1,item2,item3,answer\na,b,c,b\n", "--kind"),
    "odd or central": ("image1,image2,image3,response\na,b,c,b\n", "--kind"),
    "alike or different": ("i,j,k,l,answer\na,b,c,d,1\nb,c,a,d,2\n", "--answer-means"),
    "header or items": ("hog,cat,cow\ndog,pig,hen\n", "--header"),
    "0/1 or 1/2": ("anchor,left,right,answer\na,b,c,1\nb,a,c,1\n", "--answer-values"),
    "ids or positions": ("anchor,left,right,answer\n5,1,0,1\n6,1,0,0\n", "--answer-values"),
    "unknown columns": ("foo,bar,baz\n1,2,3\n", "--anchor"),
    "five plain columns of names": ("hog,cat,cow,dog,pig\ncat,hog,cow,pig,hen\n", "--"),
}


@pytest.mark.parametrize(("content", "flag"), OPEN_QUESTIONS.values(), ids=OPEN_QUESTIONS.keys())
def test_ambiguous_files_are_not_guessed(tertium, content, flag):
    assert flag in tertium.refuse("check", tertium.file("a.csv", content))


SENTENCES = {
    "triplet": (
        rows("hog cat cow; cat hog cow"),
        "row 1: 'hog' is more like 'cat' than like 'cow'",
    ),
    "numbers": (rows("4 5 6; 5 4 6"), "row 1: '4' is more like '5' than like '6'"),
    "first row unanswered": (
        "anchor,left,right,answer\na,b,c,\nb,a,c,c\n",
        "row 2: 'b' is more like 'c' than like 'a'",
    ),
    "votes": (
        "anchor,b,c,votes_b_nearer,votes_c_nearer\n0,1,2,0,3\n",
        "row 1: '0' is more like '2' than like '1'",
    ),
}


@pytest.mark.parametrize("command", ["check", "similarity"])
@pytest.mark.parametrize(("content", "sentence"), SENTENCES.values(), ids=SENTENCES.keys())
def test_first_row_is_echoed_as_a_sentence(tertium, content, sentence, command):
    tertium.file("a.csv", content)
    output = ["-o", "a.sim"] if command == "similarity" else []
    assert sentence in tertium.run(command, "a.csv", *output).stdout
