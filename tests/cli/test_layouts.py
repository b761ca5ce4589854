"""Every layout of answers that users have ends in the right similarity.

The files are small and made by hand: what each row says is written beside it.
"""

import json

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
