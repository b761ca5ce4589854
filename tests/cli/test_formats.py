"""Every layout and container of answers that users have ends in the right similarity.

The files are small and made by hand: what each row says is written beside it.
"""

import gzip
import io
import json

import numpy as np
import pytest
from definitions import adds3, adds4, answers, most_central, odd_one_out, rows

# --- layouts with three items: name -> (file, content, flags, triplets it says) ---

PARTICIPANT_JSON = {
    "participant_responses": {
        "uid1": [
            {
                "target_indices": [
                    {"index": 5, "label": "center"},
                    {"index": 2, "label": "left"},
                    {"index": 7, "label": "right"},
                ],
                "index_winner": 7,
            },
            {
                "target_indices": [
                    {"index": 2, "label": "center"},
                    {"index": 5, "label": "left"},
                    {"index": 7, "label": "right"},
                ]
            },
        ],
        "uid2": [
            {
                "target_indices": [
                    {"index": 7, "label": "left"},
                    {"index": 5, "label": "right"},
                    {"index": 2, "label": "center"},
                ],
                "index_winner": 7,
            }
        ],
    }
}

GRID_JSON = [
    {
        "worker_id": 3,
        "HIT_screens": [
            {
                "probe": "p.jpg",
                "images": ["a.jpg", "b.jpg", "c.jpg", "d.jpg"],
                "near_answer": ["b.jpg", "d.jpg"],
                "is_catchtrial": False,
            },
            {
                "probe": "p.jpg",
                "images": ["a.jpg", "p.jpg"],
                "near_answer": ["p.jpg"],
                "is_catchtrial": True,
            },
        ],
    }
]

JSPSYCH = """trial_type,worker_id,rt,stimulus,response,trial_category,choices
preload,w1,,,,,
html,w1,900,Welcome. Press any key to begin., ,,
html,w1,null,+,null,,
html,w1,1195,img/a.png,0,random,"[""img/b.png"",""img/c.png""]"
html,w1,1195,img/b.png,1,random,"[""img/c.png"",""img/a.png""]"
html,w1,,img/c.png,null,random,"[""img/b.png"",""img/a.png""]"
"""

PSYCHOPY_ODD = """\ufefftrial_type,event,stimulus,response,participant,date
instructions,,,,S1,2020
triplet,shown,"[""a"", ""b"", ""c""]",,S1,2020
triplet,answered,"[""a"", ""b"", ""c""]",3,S1,2020
triplet,answered,"[""b"", ""d"", ""c""]",1,S1,2020
practice,answered,"[""a"", ""d"", ""c""]",2,S1,2020
"""

TRIPLET_FILES = {
    "1 commas, from 0": ("a.csv", rows("0 1 2; 1 2 0; 3 0 1"), [], answers("0 1 2; 1 2 0; 3 0 1")),
    "1 semicolons, from 1": ("a.txt", rows("1 2 3; 3 2 1", ";"), [], answers("1 2 3; 3 2 1")),
    "1 tabs": ("a.tsv", rows("0 1 2; 2 1 0", "\t"), [], answers("0 1 2; 2 1 0")),
    "1 spaces": ("a.txt", rows("0 1 2; 2 1 0", " "), [], answers("0 1 2; 2 1 0")),
    "1 uneven spaces": ("a.txt", "  0  1 2\n10   1 2 \n", [], answers("0 1 2; 10 1 2")),
    "1 names that come again": (
        "a.csv",
        rows("hog cat cow; cat hog cow"),
        [],
        answers("hog cat cow; cat hog cow"),
    ),
    "1 names, told": ("a.csv", rows("hog cat cow"), ["--header", "no"], answers("hog cat cow")),
    "1 columns by number": (
        "a.csv",
        rows("x hog cow cat; y cat cow hog"),
        ["--anchor", "2", "--near", "4", "--far", "3", "--header", "no"],
        answers("hog cat cow; cat hog cow"),
    ),
    "2 head, winner, loser": (
        "a.csv",
        "head,winner,loser\n4,5,6\n5,6,4\n",
        [],
        answers("4 5 6; 5 6 4"),
    ),
    "2 SALMON": (
        "a.csv",
        "head,left,right,winner,loser,puid,response_time,head_filename\n"
        "4,6,5,5,6,u1,0.9,<img src='4.png'>\n5,6,4,6,4,u2,1.1,<img src='5.png'>\n",
        [],
        answers("4 5 6; 5 6 4"),
    ),
    "4 positive and negative": (
        "a.csv",
        "anchor,positive,negative\na,b,c\nb,c,a\n",
        [],
        answers("a b c; b c a"),
    ),
    "4 query, pos, neg": ("a.csv", "query,neg,pos\na,c,b\nb,a,c\n", [], answers("a b c; b c a")),
    "4 JSON lines": (
        "a.jsonl",
        '{"query": "a", "pos": "b", "neg": "c"}\n\n{"neg": "a", "pos": "c", "query": "b"}\n',
        [],
        answers("a b c; b c a"),
    ),
    "5 A, B, C, eval": (
        "a.csv",
        "A,B,C,eval,worker\nx,y,z,1,w\ny,x,z,0,w\nz,x,y,1,v\n",
        [],
        answers("x z y; y x z; z y x"),
    ),
    "5 votes in JSON": (
        "a.json",
        json.dumps({"answers": [[0, 1, 2], [2, 1, 0]], "agreement": [[7, 3], [0, 4]]}),
        [],
        {("0", "1", "2"): 7, ("0", "2", "1"): 3, ("2", "0", "1"): 4},
    ),
    "5 votes in columns": (
        "a.csv",
        "anchor,b,c,votes_b_nearer,votes_c_nearer\n0,1,2,7,3\n2,1,0,0,0\n",
        [],
        {("0", "1", "2"): 7, ("0", "2", "1"): 3},
    ),
    "6 NEXT CSV": (
        "a.csv",
        ",target_center,target_left,target_right,target_winner,participant_uid\n"
        "0,a,b,c,c,u1\n1,b,a,c,a,u1\n2,c,a,b,,u1\n",
        [],
        answers("a c b; b a c"),
    ),
    "6 NEXT JSON": ("a.json", json.dumps(PARTICIPANT_JSON), [], answers("5 7 2; 2 7 5")),
    "7 jsPsych": (
        "a.csv",
        JSPSYCH,
        [],
        answers("img/a.png img/b.png img/c.png; img/b.png img/a.png img/c.png"),
    ),
    "8 PsychoPy odd one out": (
        "a.csv",
        PSYCHOPY_ODD,
        ["--where", "trial_type=triplet", "--where", "event=answered"],
        odd_one_out("a", "b", "c") + odd_one_out("d", "c", "b"),
    ),
    "9 odd first": (
        "a.csv",
        rows("9 1 2; 1 3 4"),
        ["--odd", "first"],
        odd_one_out("1", "2", "9") + odd_one_out("3", "4", "1"),
    ),
    "9 SPoSE, odd last": (
        "a.txt",
        rows("1 2 9; 3 4 1", " "),
        ["--odd", "last"],
        odd_one_out("1", "2", "9") + odd_one_out("3", "4", "1"),
    ),
    "9 odd in a column": (
        "a.csv",
        "item1,item2,item3,weird\nhog,cat,cow,cow\ncow,dog,hog,cow\n",
        ["--odd", "weird"],
        odd_one_out("hog", "cat", "cow") + odd_one_out("dog", "hog", "cow"),
    ),
    "9 two items and the odd one": (
        "a.csv",
        "a,b,odd,typeface\n1,2,9,serif\n3,4,1,sans\n",
        [],
        odd_one_out("1", "2", "9") + odd_one_out("3", "4", "1"),
    ),
    "9 THINGS: tabs in a .csv": (
        "a.csv",
        rows("image1 image2 image3 choice subject_id; 10 20 30 3 1; 20 40 30 1 2", "\t"),
        [],
        odd_one_out("10", "20", "30") + odd_one_out("40", "30", "20"),
    ),
    "10 central": (
        "a.csv",
        "central,other1,other2\n1,0,15\n24,0,1\n",
        [],
        most_central("1", "0", "15") + most_central("24", "0", "1"),
    ),
    "10 survey of cars": (
        "a.csv",
        "survey_round,chosen_center,triplet_object_1,triplet_object_2,triplet_object_3,"
        "response_time\n1,32,32,16,30,11.108\n1,18,15,18,53,19.483\n",
        [],
        most_central("32", "16", "30") + most_central("18", "15", "53"),
    ),
    "11 Meadows": (
        "a.csv",
        "participation,stim1_name,stim2_name,stim3_name,label\np1,a,b,c,b\np1,d,b,c,d\n",
        [],
        odd_one_out("a", "c", "b") + odd_one_out("b", "c", "d"),
    ),
    "12 ranking by clicks": (
        "a.csv",
        "ref,stim1,stim2,stim3,clicks\nr,a,b,c,\"['stim2', 'stim3', 'stim1']\"\n",
        [],
        answers("r b c; r b a; r c a"),
    ),
    "12 not all clicked": (
        "a.csv",
        "ref,stim1,stim2,stim3,clicks\nr,a,b,c,\"['stim2']\"\n",
        [],
        answers("r b a; r b c"),
    ),
    "12 best and rest": (
        "a.txt",
        "head best rest0 rest1 rest2\nr a b c d\nb a r c d\n",
        [],
        answers("r a b; r a c; r a d; b a r; b a c; b a d"),
    ),
    "13 grid": (
        "a.json",
        json.dumps(GRID_JSON, indent=4),
        [],
        answers("p.jpg b.jpg a.jpg; p.jpg b.jpg c.jpg; p.jpg d.jpg a.jpg; p.jpg d.jpg c.jpg"),
    ),
}


@pytest.mark.parametrize(
    ("name", "content", "flags", "expected"), TRIPLET_FILES.values(), ids=TRIPLET_FILES.keys()
)
def test_layouts_of_triplets(tertium, name, content, flags, expected):
    similarity = tertium.similarity(tertium.file(name, content), *flags)
    assert similarity.pairs == adds3(expected)


QUADRUPLET_FILES = {
    "14 headerless": (rows("0 1 2 3; 0 2 0 1"), [], answers("0 1 2 3; 0 2 0 1")),
    "14 names": ("i,j,k,l\na,b,c,d\nb,c,a,d\n", [], answers("a b c d; b c a d")),
    "14 MLDS: 1 says the second pair differs more": (
        rows("resp S1 S2 S3 S4; 1 1 2 3 4; 0 2 3 4 5", " "),
        [],
        answers("1 2 3 4; 4 5 2 3"),
    ),
    "14 answer names the pair that is alike": (
        "i,j,k,l,answer\na,b,c,d,1\nb,c,a,d,2\n",
        ["--answer-means", "alike"],
        answers("a b c d; a d b c"),
    ),
    "14 answer names the pair that differs": (
        "i,j,k,l,answer\na,b,c,d,1\nb,c,a,d,2\n",
        ["--answer-means", "different"],
        answers("c d a b; b c a d"),
    ),
}


@pytest.mark.parametrize(
    ("content", "flags", "expected"), QUADRUPLET_FILES.values(), ids=QUADRUPLET_FILES.keys()
)
def test_layouts_of_quadruplets(tertium, content, flags, expected):
    similarity = tertium.similarity(tertium.file("a.csv", content), *flags)
    assert similarity.pairs == adds4(expected)


# --- layout 3: every accepted name of every column ---

THREE = ["anchor", "left", "right", "answer"]
OTHER_NAMES = [
    *((0, name) for name in ["head", "center", "target", "probe", "ref", "reference", "query"]),
    (0, "target_center"),
    *((3, name) for name in ["winner", "choice", "chosen", "response", "target_winner", "label"]),
    (0, "Target.Center"),
    (3, "ANSWER"),
    (1, "Left "),
]


@pytest.mark.parametrize(("column", "name"), OTHER_NAMES)
def test_names_of_columns(tertium, column, name):
    header = [*THREE[:column], name, *THREE[column + 1 :]]
    content = ",".join(header) + "\na,b,c,c\nb,a,c,a\n"
    assert tertium.similarity(tertium.file("a.csv", content)).pairs == adds3(
        answers("a c b; b a c")
    )


@pytest.mark.parametrize(
    "options", [("left", "right"), ("option1", "option2"), ("target_left", "target_right")]
)
def test_names_of_options(tertium, options):
    content = f"response,{options[1]},head,{options[0]}\nc,c,a,b\na,c,b,a\n"
    assert tertium.similarity(tertium.file("a.csv", content)).pairs == adds3(
        answers("a c b; b a c")
    )


# Answers to (a: b or c) and (b: a or c), picking the second and then the first option.
CODINGS = {
    "item": ("c", "a"),
    "0/1": ("1", "0"),
    "1/2": ("2", "1"),
    "+1/-1": ("-1", "+1"),
    "left/right": ("right", "left"),
    "column": ("option2", "Option 1"),
}


@pytest.mark.parametrize("told", [False, True])
@pytest.mark.parametrize(("coding", "picked"), CODINGS.items())
def test_ways_to_name_the_answer(tertium, coding, picked, told):
    content = f"anchor,option1,option2,answer\na,b,c,{picked[0]}\nb,a,c,{picked[1]}\n"
    flags = ["--answer-values", coding] if told else []
    assert tertium.similarity(tertium.file("a.csv", content), *flags).pairs == adds3(
        answers("a c b; b a c")
    )


def test_ids_as_answers_are_told_from_positions(tertium):
    # The first row fits ids, 0/1 and 1/2; only the last row decides that answers are ids.
    content = "anchor,left,right,answer\n5,1,2,1\n6,2,1,1\n7,3,4,3\n"
    assert tertium.similarity(tertium.file("a.csv", content)).pairs == adds3(
        answers("5 1 2; 6 1 2; 7 3 4")
    )


@pytest.mark.parametrize("order", ["1 -1 0", "1 0 -1", "0 1 -1"])
def test_zero_is_a_tie_among_plus_and_minus_one(tertium, order):
    lines = [f"{i},8,9,{value}\n" for i, value in enumerate(order.split())]
    tertium.file("a.csv", "anchor,left,right,answer\n" + "".join(lines))
    assert tertium.check("a.csv", "--answer-values=+1/-1")["rows"]["ties"] == 1
    # Without the flag it may be read right or asked about, never end in a riddle.
    done = tertium.run("check", "a.csv", "--json", code=None)
    if done.returncode == 0:
        assert json.loads(done.stdout)["rows"]["ties"] == 1
    else:
        assert "--answer-values" in done.stderr


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


@pytest.mark.parametrize(
    ("name", "content", "factor"),
    [
        ("m.npy", npy(MATRIX), 1),
        ("m.npy", npy(MATRIX * 0.25), 0.25),
        ("m.csv", matrix_table(), 1),
        ("m.csv", matrix_table(header=True), 1),
        ("m.csv", matrix_table(factor=0.1), 0.1),
        ("m.csv.gz", gzip.compress(matrix_table(header=True).encode()), 1),
    ],
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
