"""Files as people have them: what each holds is counted by hand and written beside it.

A case is read with its flags and gives so many items, answers and participants and begins with a
sentence; or it is refused, the message has these parts, and with each flag that the message
suggests the file is read after all. docs/formats.md has a row for every tool (test_files.py).
"""

import io
import json
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Read:
    """What a person finds in the file."""

    items: int
    answers: int
    people: int
    first: str  # the first answer as a sentence, without "row N: "
    notes: tuple = ()  # parts of what is said besides


@dataclass(frozen=True)
class Refused:
    says: tuple
    remedies: dict = field(default_factory=dict)  # flags that the message names -> what is read


@dataclass(frozen=True)
class Case:
    tool: str
    what: str
    files: dict
    expected: Read | Refused
    flags: tuple = ()

    @property
    def name(self):
        return f"{self.tool}: {self.what}"


def csv(text):
    """Lines without the blanks that show them in one column here."""
    return "".join(line.strip() + "\n" for line in text.strip().splitlines())


def one(tool, what, content, expected, *flags, name="answers.csv"):
    return Case(tool, what, {name: content}, expected, flags)


def saved(array, **options):
    file = io.StringIO()
    np.savetxt(file, array, **options)
    return file.getvalue()


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def nearer(anchor, near, far):
    return f"'{anchor}' is more like '{near}' than like '{far}'"


ODD = "of '{0}', '{1}' and '{2}', '{2}' is the odd one out".format
CENTRAL = "of '{0}', '{1}' and '{2}', '{0}' is the most central".format
THREE = Read(3, 3, 0, nearer("car", "bus", "pear"))
PLAIN = "car,bus,pear\nbus,car,pear\ncar,bus,pear\n"
NAMED = "anchor,near,far\n" + PLAIN

SCRIPTS = [
    one("a script", "three columns of numbers", "3,4,5\n4,3,5\n", Read(3, 2, 0, nearer(3, 4, 5))),
    one("a script", "names without a header", PLAIN, THREE),
    one("a script", "semicolons", NAMED.replace(",", ";"), THREE),
    one("a script", "tabs", NAMED.replace(",", "\t"), THREE, name="answers.tsv"),
    one("a script", "a BOM and CRLF", "\ufeff" + NAMED.replace("\n", "\r\n"), THREE),
    one(
        "a script",
        "quoted cells",
        '"car","bus","pear"\n"bus","car","pear"\n"car","bus","pear"\n',
        THREE,
    ),
    one(
        "a script",
        "a participant column",
        "subj,anchor,near,far\nA,car,bus,pear\nB,bus,car,pear\n",
        Read(3, 2, 2, nearer("car", "bus", "pear")),
    ),
    one("a script", "positive and negative", "anchor,positive,negative\n" + PLAIN, THREE),
    one(
        "a script",
        "query, pos, neg in JSON lines",
        '{"query": "car", "pos": "bus", "neg": "pear"}\n'
        '{"query": "bus", "pos": "car", "neg": "pear"}\n',
        Read(3, 2, 0, nearer("car", "bus", "pear")),
        name="answers.jsonl",
    ),
    one(
        "a script",
        "quadruplets",
        "i,j,k,l\na,b,c,d\nb,c,a,d\n",
        Read(4, 2, 0, "'a' and 'b' are more alike than 'c' and 'd'"),
    ),
    one(
        "a script",
        "two pairs and an answer",
        "i,j,k,l,choice\na,b,c,d,1\na,c,b,d,2\n",
        Refused(
            ("pair", "alike"),
            {
                "--answer-means alike": Read(
                    4, 2, 0, "'a' and 'b' are more alike than 'c' and 'd'"
                ),
                "--answer-means different": Read(
                    4, 2, 0, "'c' and 'd' are more alike than 'a' and 'b'"
                ),
            },
        ),
    ),
    one(
        "a script",
        "three items, no hint which is odd",
        "item1,item2,item3,answer\na,b,c,c\nb,c,d,b\n",
        Refused(
            ("picking",),
            {
                "--kind odd-one-out": Read(4, 2, 0, ODD("a", "b", "c")),
                "--kind most-central": Read(4, 2, 0, CENTRAL("c", "a", "b")),
            },
        ),
    ),
    one(
        "a script",
        "left and right in words",
        "anchor,left,right,choice\ncar,bus,pear,left\nbus,pear,car,right\n",
        Read(3, 2, 0, nearer("car", "bus", "pear")),
    ),
    one(
        "a script",
        "answers that mean two things",
        "anchor,left,right,choice\ncar,bus,pear,1\nbus,car,pear,1\n",
        Refused(
            ("several things",),
            {
                "--answer-values 0/1": Read(3, 2, 0, nearer("car", "pear", "bus")),
                "--answer-values 1/2": Read(3, 2, 0, nearer("car", "bus", "pear")),
                "--answer-values +1/-1": Read(3, 2, 0, nearer("car", "bus", "pear")),
            },
        ),
    ),
]

ASK_ANSWER = """participant,anchor,left,right,answer,response
p1,car,bus,pear,bus,pear
p1,bus,car,pear,car,car
"""
ASK_ANCHOR = "anchor,probe,left,right,choice\ncar,mug,bus,pear,bus\nbus,mug,car,pear,car\n"

QUESTIONS = [
    one(
        "a survey",
        "the right answer and the person's",
        ASK_ANSWER,
        Refused(
            ("answer, response", "--answer"),
            {
                "--answer answer": Read(3, 2, 1, nearer("car", "bus", "pear")),
                "--answer response": Read(3, 2, 1, nearer("car", "pear", "bus")),
            },
        ),
    ),
    one(
        "a survey",
        "two columns that could be the anchor",
        ASK_ANCHOR,
        Refused(
            ("anchor, probe", "--anchor"),
            {
                "--anchor anchor": Read(3, 2, 0, nearer("car", "bus", "pear")),
                "--anchor probe": Read(4, 2, 0, nearer("mug", "bus", "pear")),
            },
        ),
    ),
    one(
        "a survey",
        "one column in two roles",
        "anchor,left,right,choice\ncar,bus,pear,bus\n",
        Refused(("'left'", "option 1", "answer")),
        "--answer",
        "left",
    ),
]

SALMON = """head,left,right,winner,loser,puid,response_time,head_filename
4,6,5,5,6,u1,0.9,<img src='4.png'>
5,6,4,6,4,u2,1.1,<img src='5.png'>
"""
NEXT = """,target_center,target_left,target_right,target_winner,participant_uid
0,a,b,c,c,u1
1,b,a,c,a,u1
2,c,a,b,,u1
"""
PICTURES = """trial_type,rt,stimulus,response,choices,subject_id
html-button-response,900,<p>Do you agree to take part in this study?</p>,0,"[""Yes"",""No""]",s1
html-button-response,811,"<img src=""img/cat.png"">",0,"[""img/dog.png"",""img/cup.png""]",s1
button,700,<img src='img/dog.png' width=100>,1,"[""<img src='img/cup.png'>"",""img/cat.png""]",s1
"""
THREE_PICTURES = """stimulus,response,choices,subject
"<img src=""cat.png""><img src=""dog.png""><img src=""cup.png"">",0,"[""Left"",""Right""]",s1
"<img src=""dog.png""><img src=""cup.png""><img src=""cat.png"">",1,"[""Left"",""Right""]",s1
"""
LISTED = """stimulus,response,choices
"[""cat"",""dog"",""cup""]",2,"[""1"",""2"",""3""]"
"[""dog"",""cup"",""cat""]",0,"[""1"",""2"",""3""]"
"""
JOINED = """stimulus,response
"cat, dog, cup",3
"dog, cup, cat",2
Welcome to this study. Press the space bar to go on,
"""

TOOLS = [
    one("SALMON", "head, winner, loser and pictures", SALMON, Read(3, 2, 2, nearer(4, 5, 6))),
    one(
        "NEXT",
        "an index without a name, a row without a winner",
        NEXT,
        Read(3, 2, 1, nearer("a", "c", "b")),
    ),
    one(
        "jsPsych",
        "pictures in HTML behind a page of consent",
        PICTURES,
        Read(3, 2, 1, nearer("img/cat.png", "img/dog.png", "img/cup.png")),
    ),
    one(
        "jsPsych",
        "three pictures in one stimulus",
        THREE_PICTURES,
        Refused(
            ("3 items", "Left, Right", "anchor"),
            {
                "--shown anchor,option1,option2": Read(
                    3, 2, 1, nearer("cat.png", "dog.png", "cup.png")
                ),
            },
        ),
    ),
    one(
        "jsPsych",
        "three pictures, the anchor in the middle",
        THREE_PICTURES,
        Read(3, 2, 1, nearer("dog.png", "cat.png", "cup.png")),
        "--shown",
        "option1,anchor,option2",
    ),
    one(
        "jsPsych",
        "a list of three and buttons 1, 2, 3",
        LISTED,
        Refused(
            ("3 items", "1, 2, 3"),
            {
                "--kind odd-one-out": Read(3, 2, 0, ODD("cat", "dog", "cup")),
                "--kind most-central": Read(3, 2, 0, CENTRAL("cup", "cat", "dog")),
            },
        ),
    ),
    one(
        "PsychoPy",
        "three names joined by commas, and a welcome",
        JOINED,
        Read(3, 2, 0, ODD("cat", "dog", "cup")),
    ),
    one(
        "PsychoPy",
        "a list of three and the odd one",
        'stimulus,response,participant\n"[""a"", ""b"", ""c""]",3,S1\n'
        '"[""b"", ""d"", ""c""]",1,S1\n',
        Read(4, 2, 1, ODD("a", "b", "c")),
    ),
    one(
        "PsychoPy",
        "a ranking by clicks",
        "ref,stim1,stim2,stim3,clicks,participant\nr,a,b,c,\"['stim2', 'stim1', 'stim3']\",p1\n",
        Read(4, 3, 1, nearer("r", "b", "a")),
    ),
    one(
        "THINGS",
        "tabs in a .csv",
        "image1\timage2\timage3\tchoice\tsubject_id\n1\t2\t3\t3\ts1\n2\t3\t4\t2\ts1\n",
        Refused(
            ("several things",),
            {
                "--answer-values item": Read(4, 2, 1, ODD(1, 2, 3)),
                "--answer-values 1/2": Read(4, 2, 1, ODD(1, 2, 3)),
            },
        ),
    ),
    one(
        "SPoSE",
        "the odd one last",
        "0 1 2\n2 1 3\n",
        Read(4, 2, 0, ODD(0, 1, 2)),
        "--odd",
        "last",
        name="train.txt",
    ),
    one(
        "Meadows",
        "trees of one participation",
        "participation,stim1_name,stim2_name,stim3_name,label\nnice-owl,a,b,c,c\nshy-cat,b,c,d,b\n",
        Read(4, 2, 2, ODD("a", "b", "c")),
    ),
    one(
        "MLDS",
        "resp 1: the second pair differs more",
        "resp,S1,S2,S3,S4\n1,1,2,4,5\n0,1,3,4,5\n",
        Read(5, 2, 0, "'1' and '2' are more alike than '4' and '5'"),
    ),
    one(
        "a car survey",
        "three objects and the chosen centre",
        "survey_round,chosen_center,triplet_object_1,triplet_object_2,triplet_object_3\n1,a,a,b,c\n2,c,a,b,c\n",
        Read(3, 2, 2, CENTRAL("a", "b", "c")),
    ),
    one(
        "Food100",
        "a grid and a catch trial",
        json.dumps(
            [
                {
                    "worker_id": 3,
                    "HIT_screens": [
                        {
                            "probe": "p",
                            "images": ["a", "b", "c"],
                            "near_answer": ["b"],
                            "is_catchtrial": False,
                        },
                        {
                            "probe": "p",
                            "images": ["a", "p"],
                            "near_answer": ["p"],
                            "is_catchtrial": True,
                        },
                    ],
                }
            ]
        ),
        Read(4, 2, 1, nearer("p", "b", "a")),
        name="answers.json",
    ),
    one(
        "material data",
        "votes in JSON",
        json.dumps({"answers": [[0, 1, 2], [2, 1, 0]], "agreement": [[7, 3], [0, 4]]}),
        Read(3, 3, 0, nearer(0, 1, 2) + " (votes 7 to 3)"),
        name="answers.json",
    ),
    one(
        "a crowd",
        "A, B, C and eval",
        "A,B,C,eval,worker\nx,y,z,1,w\ny,x,z,0,w\n",
        Read(3, 2, 1, nearer("x", "z", "y")),
    ),
    one(
        "Label Studio",
        "flat JSON with an annotator",
        json.dumps(
            [
                {"anchor": "car", "left": "bus", "right": "pear", "choice": "left", "annotator": 7},
                {
                    "anchor": "bus",
                    "left": "pear",
                    "right": "car",
                    "choice": "right",
                    "annotator": 8,
                },
            ]
        ),
        Read(3, 2, 2, nearer("car", "bus", "pear")),
        name="answers.json",
    ),
]

QUADS = "'4' and '5' are more alike than '6' and '7'"
INDEXED = "0,4,5,6\n1,5,4,6\n2,6,5,4\n3,4,6,5\n"
PANDAS = [
    one(
        "pandas",
        "an index, and 0, 1, 2 as names",
        ",0,1,2\n0,4,5,6\n1,5,4,6\n",
        Read(3, 2, 0, nearer(4, 5, 6)),
    ),
    one(
        "pandas",
        "an index without a header",
        INDEXED,
        Refused(
            ("counts the rows",),
            {
                "--kind triplets": Read(3, 4, 0, nearer(4, 5, 6)),
                "--kind quadruplets": Read(7, 4, 0, "'0' and '4' are more alike than '5' and '6'"),
            },
        ),
    ),
    one("pandas", "0, 1, 2 as names of names", "0,1,2\n" + PLAIN, THREE),
    one(
        "pandas",
        "0, 1, 2 as names of numbers",
        "0,1,2\n" + "".join(f"{a},{a + 1},{a + 2}\n" for a in range(5, 17)),
        Refused(
            ("0, 1, 2",),
            {
                "--header yes": Read(14, 12, 0, nearer(5, 6, 7)),
                "--header no": Read(17, 13, 0, nearer(0, 1, 2)),
            },
        ),
    ),
    one(
        "pandas",
        "0, 1, 2 as names or as items",
        "0,1,2\n1,0,2\n2,0,1\n",
        Read(3, 3, 0, nearer(0, 1, 2), ("--header yes",)),
    ),
    one(
        "pandas",
        "an index beside names",
        "Unnamed: 0,anchor,near,far\n0,car,bus,pear\n1,bus,car,pear\n",
        Read(3, 2, 0, nearer("car", "bus", "pear")),
    ),
    one(
        "pandas",
        "integers in a column with gaps",
        "anchor,near,far\n4.0,5.0,6.0\n5.0,4.0,6.0\n",
        Read(3, 2, 0, nearer(4, 5, 6)),
    ),
    one(
        "pandas",
        "JSON records",
        json.dumps([{"anchor": "car", "near": "bus", "far": "pear"}] * 2),
        Read(3, 2, 0, nearer("car", "bus", "pear")),
        name="answers.json",
    ),
    one(
        "numpy",
        "savetxt with its usual format",
        saved(np.array([[8, 9, 10], [9, 8, 10]])),
        Read(3, 2, 0, nearer(8, 9, 10)),
        name="answers.txt",
    ),
    one(
        "numpy",
        "an array",
        npy(np.array([[8, 9, 10], [9, 8, 10]])),
        Read(3, 2, 0, nearer(8, 9, 10)),
        name="answers.npy",
    ),
    one(
        "R",
        "row names without a header cell",
        '"anchor","near","far"\n"1","car","bus","pear"\n"2","bus","car","pear"\n',
        Read(3, 2, 0, nearer("car", "bus", "pear")),
    ),
    one("Excel", "sep=; in the first line", "sep=;\n" + NAMED.replace(",", ";"), THREE),
]

CAFE = "anchor,near,far\ncaf\u00e9,bus,pear \u2013 green\nbus,caf\u00e9,pear \u2013 green\n"
CAFE_READ = nearer("café", "bus", "pear \u2013 green")
FORMS = [
    one(
        "Excel",
        f"Unicode text, {name}",
        CAFE.replace(",", "\t").encode(name)
        if mark is None
        else mark + CAFE.replace(",", "\t").encode(name),
        Read(3, 2, 0, CAFE_READ, ("UTF-16",)),
    )
    for name, mark in (("utf-16", None), ("utf-16-be", b"\xfe\xff"), ("utf-16-le", b""))
] + [
    one(
        "Excel",
        "a CSV of Windows",
        CAFE.encode("cp1252"),
        Read(3, 2, 0, CAFE_READ, ("Windows-1252",)),
    ),
    one(
        "Excel",
        "a CSV of an old Mac",
        NAMED.replace("\n", "\r"),
        Read(3, 3, 0, nearer("car", "bus", "pear"), ("end in CR",)),
    ),
    one(
        "Excel",
        "one byte that is not UTF-8 among letters that are",
        CAFE.encode() + b"bus,caf\xe9,pear\n",
        Refused(("line 4", "UTF-8")),
    ),
    one(
        "Excel",
        "decimal commas",
        "anchor;near;far;weight\ncar;bus;pear;0,5\nbus;car;pear;1,25\n",
        Read(3, 2, 0, nearer("car", "bus", "pear") + " (weight 0,5)"),
    ),
    one(
        "Excel",
        "a comma that may stand for thousands",
        "anchor;near;far;weight\ncar;bus;pear;1,500\n",
        Refused(("'1,500'", "a weight")),
    ),
]

SPELLED = "anchor,near,far\nCar,bus,pear\ncar,Bus,pear\n"
NAMES = [
    one(
        "people",
        "upper and lower case",
        SPELLED,
        Read(
            5,
            2,
            0,
            nearer("Car", "bus", "pear"),
            ("'Bus' and 'bus'", "'Car' and 'car'", "--merge-names"),
        ),
    ),
    one(
        "people",
        "upper and lower case, merged",
        SPELLED,
        Read(3, 2, 0, nearer("car", "bus", "pear")),
        "--merge-names",
    ),
    one(
        "people",
        "folders and endings",
        "anchor,near,far\nimg/car.JPG,bus.jpg,pear\nhttp://x.org/s/car.jpg?v=2,bus.jpg,pear\n",
        Read(4, 2, 0, nearer("img/car.JPG", "bus.jpg", "pear"), ("--merge-names",)),
    ),
    one(
        "people",
        "folders and endings, merged",
        "anchor,near,far\nimg/car.JPG,bus.jpg,pear\nhttp://x.org/s/car.jpg?v=2,bus.jpg,pear\n",
        Read(3, 2, 0, nearer("car", "bus", "pear")),
        "--merge-names",
    ),
    one(
        "people",
        "composed and decomposed accents",
        "anchor,near,far\ncaf\u00e9,bus,pear\ncafe\u0301,pear,bus\n",
        Read(3, 2, 0, nearer("café", "bus", "pear")),
    ),
    one(
        "people",
        "no-break and double blanks",
        "anchor,near,far\nfire\u00a0truck,bus,pear\nfire  truck,pear,bus\n",
        Read(4, 2, 0, nearer("fire\u00a0truck", "bus", "pear"), ("--merge-names",)),
    ),
    Case(
        "people",
        "a list with names, files and aliases",
        {
            "answers.csv": "anchor,near,far\ncar,img/BUS.JPG,Birne\nCar,pear,bus.jpg\n",
            "items.csv": "name,image,alias\ncar,car.jpg,auto\nbus,bus.jpg,\n"
            "pear,pear.jpg,Birne;poire\n",
        },
        Read(3, 2, 0, nearer("car", "bus", "pear")),
        ("--items", "items.csv"),
    ),
]

WHO = "anchor,near,far,{}\ncar,bus,pear,x1\nbus,car,pear,x1\ncar,bus,pear,x2\n"
PEOPLE = [
    one(
        "people",
        f"the column {column}",
        WHO.format(column),
        Read(3, 3, 2, nearer("car", "bus", "pear")),
    )
    for column in (
        "subject",
        "subj",
        "PROLIFIC_PID",
        "prolific_id",
        "Participant Private ID",
        "ResponseId",
        "annotator",
        "rater",
        "judge",
        "Subject_Nr",
        "run_id",
        "workerId",
        "ID",
    )
] + [
    Case(
        "people",
        "a file for each of them",
        {"answers.csv/p1.csv": NAMED, "answers.csv/p2.csv": NAMED + "pear,bus,car\n"},
        Read(3, 7, 2, nearer("car", "bus", "pear")),
        ("--participant", "file"),
    ),
    Case(
        "people",
        "the same file twice",
        {"answers.csv/p1.csv": NAMED, "answers.csv/p1 (1).csv": NAMED},
        Refused(
            ("the same content", "--duplicates keep"),
            {"--duplicates keep": Read(3, 6, 0, nearer("car", "bus", "pear"))},
        ),
    ),
]

FILTERED = """participant,anchor,near,far,rt,trial_type
p1,car,bus,pear,900,test
p1,cat,car,pear,150,test
p2,bus,car,pear,2000,test
p2,bus,car,pear,,practice
"""


def filtered(what, answers, first, *flags, items=4, people=2, notes=()):
    return one("filters", what, FILTERED, Read(items, answers, people, first, notes), *flags)


BUS = nearer("bus", "car", "pear")
CAR = nearer("car", "bus", "pear")
FILTERS = [
    filtered("all", 4, CAR),
    filtered("equal", 3, CAR, "--where", "trial_type=test"),
    filtered("not equal", 3, CAR, "--where", "anchor!=cat", items=3),
    filtered("at least", 2, CAR, "--where", "rt>=200", items=3),
    filtered("less", 1, nearer("cat", "car", "pear"), "--where", "rt<900", items=3, people=1),
    filtered("a list", 2, CAR, "--where", "anchor=car,cat", people=1),
    filtered("a pattern", 2, CAR, "--where", "anchor~CA*", people=1),
    filtered(
        "two that must hold", 2, CAR, "--where", "trial_type=test", "--where", "rt>200", items=3
    ),
    filtered("left out", 3, CAR, "--exclude", "trial_type=practice"),
    filtered("an empty cell", 3, CAR, "--exclude", "rt="),
    filtered("a person dropped", 2, CAR, "--drop", "p2", people=1),
    filtered(
        "a value that is nowhere beside one that is",
        2,
        BUS,
        "--where",
        "anchor=bus,bsu",
        items=3,
        people=1,
        notes=("'bsu'", "'cat'"),
    ),
    one(
        "filters",
        "a value that is nowhere",
        FILTERED,
        Refused(("trial_type=tset", "'practice'", "Did you mean 'test'?")),
        "--where",
        "trial_type=tset",
    ),
    Case(
        "filters",
        "a list of people",
        {"answers.csv": FILTERED, "people.txt": "p2\n"},
        Read(3, 2, 1, BUS),
        ("--participants-file", "people.txt"),
    ),
]

CASES = SCRIPTS + QUESTIONS + TOOLS + PANDAS + FORMS + NAMES + PEOPLE + FILTERS
