"""Every bad input: what is wrong, the call, and what the message must say.

docs/errors.md is made from these cases by tools/errors_page.py, which runs them (test_errors.py).
"""

import json
from dataclasses import dataclass, field

import numpy as np
from bad_files import BAD, BAD_ITEMS, HEADER
from certificates import Problem, sealed
from definitions import rows


@dataclass(frozen=True)
class Case:
    section: str  # of the page
    wrong: str  # what is wrong, in a few words
    call: list  # the words after `tertium`
    says: list  # parts of the message, in any order
    files: dict = field(default_factory=dict)  # beside those that every case has
    code: int = 2

    @property
    def name(self):
        return f"{self.section}: {self.wrong}"


# --- what is beside every case ---

SURVEY = HEADER + rows("0 1 2; 1 0 2; 3 4 0; 4 3 1; 2 0 4; 0 1 3; 1 0 4; 3 4 2")
TRUTH = "item,cluster\n0,1\n1,1\n2,1\n3,2\n4,2\n"
BESIDE = {
    "answers.csv": SURVEY,
    "truth.csv": TRUTH,
    "quadruplets.csv": rows("0 1 2 3; 1 2 3 0"),
    "matrix.csv": "\n".join([",".join("0" * 6)] * 6) + "\n",
    "points.csv": "0,1\n1,0\n2,2\n0.5,0\n",
    "others.csv": "item,class\nox,1\nyak,2\n",
    "pictures/dog.png": b"\x89PNG",
}


def of_flags(section, call, table, tail=()):
    """Cases of one call with other flags: {what is wrong: (flags, parts of the message)}."""
    return [
        Case(section, wrong, [*call, *map(str, flags), *tail], says)
        for wrong, (flags, says) in table.items()
    ]


FLAGS = {
    "a near item and an answer": (["--near", "1", "--answer", "2"], ["--near", "--answer"]),
    "a near item and an option": (["--near", "1", "--option1", "2"], ["--near"]),
    "a near item and an odd one": (["--near", "1", "--odd", "first"], ["--near"]),
    "an odd one and an answer": (["--odd", "first", "--answer", "2"], ["--odd"]),
    "an odd one among triplets": (["--odd", "first", "--kind", "triplets"], ["--odd"]),
    "an anchor of quadruplets": (["--anchor", "1", "--kind", "quadruplets"], ["--anchor"]),
    "an anchor of an odd one out": (["--anchor", "1", "--kind", "odd-one-out"], ["--anchor"]),
    "what pairs mean, of triplets": (
        ["--answer-means", "alike", "--kind", "triplets"],
        ["--answer-means"],
    ),
    "unknown items without a list": (["--unknown-items", "add"], ["--unknown-items", "--items"]),
    "an unknown kind": (["--kind", "nonsense"], ["--kind 'nonsense'", "odd-one-out"]),
    "a kind nearly right": (["--kind", "triplet"], ["Did you mean 'triplets'?"]),
    "a separator nearly right": (["--separator", "coma"], ["Did you mean 'comma'?"]),
    "unknown answers": (["--answer-values", "yes/no"], ["--answer-values 'yes/no'", "0/1"]),
    "an unknown meaning": (["--answer-means", "maybe"], ["--answer-means 'maybe'", "alike"]),
    "a header that is neither": (["--header", "perhaps"], ["--header 'perhaps'", "yes or no"]),
    "a separator of two letters": (["--separator", "ab"], ["--separator 'ab'", "semicolon"]),
    "ids from 2": (["--ids-from", "2"], ["--ids-from"]),
    "ids from a word": (["--ids-from", "x"], ["--ids-from 'x'", "a number"]),
    "a condition without a value": (["--where", "nothing"], ["--where 'nothing'", "COLUMN=VALUE"]),
    "a condition without a column": (["--where", "=x"], ["--where '=x'", "COLUMN=VALUE"]),
    "fewer than no threads": (["--threads", "-1"], ["--threads '-1'"]),
    "threads in words": (["--threads", "two"], ["--threads 'two'", "a number"]),
    "a fraction of threads": (["--threads", "1.5"], ["--threads '1.5'", "a whole number"]),
    "threads beyond all": (["--threads", "9" * 20], ["a smaller number"]),
    "threads twice": (["--threads", "1", "--threads", "2"], ["--threads 2 times", "it once"]),
    "an unknown flag": (["--nonsense"], ["'--nonsense'", "tertium check"]),
    "a flag nearly right": (["--wieght", "w"], ["'--wieght'", "Did you mean '--weight'"]),
    "a flag without its value": (["--where"], ["--where at the end", "its value"]),
}
CALLS = {
    "no command": ([], ["no command", "cluster"]),
    "an unknown command": (["frobnicate"], ["'frobnicate'", "a command"]),
    "a command nearly right": (["clster"], ["'clster'", "Did you mean 'cluster'"]),
    "help about no command": (["help", "clutser"], ["'clutser'", "'cluster'"]),
    "no input": (["check"], ["no INPUT", "expected one"]),
    "an empty name": (["check", ""], ["an empty name", "the name of a file"]),
    "one file too many": (["agreement", "a", "b", "c"], ["'c'", "nothing more"]),
    "no output": (["similarity", "answers.csv"], ["no --output"]),
}
MISSING = {
    "no such file": (["check", "elephants.tsv"], ["elephants.tsv: found no such file"]),
    "a name nearly right": (["check", "anwsers.csv"], ["Did you mean 'answers.csv'"]),
    "another ending": (["check", "answers.tsv"], ["Did you mean 'answers.csv'"]),
    "no such folder": (["check", "none/of/these.csv"], ["there is no folder 'none'"]),
    "a file for a folder": (["check", "answers.csv/b.csv"], ["a file where a folder should be"]),
    "a folder without answers": (["check", "pictures"], ["a directory without answers", ".csv"]),
    "no such list of items": (
        ["check", "answers.csv", "--items", "itmes.tsv"],
        ["itmes.tsv: found no such file"],
    ),
    "no such classes": (
        ["cluster", "answers.csv", "--quick", "--truth", "turth.csv"],
        ["Did you mean 'truth.csv'"],
    ),
    "a folder for classes": (
        ["agreement", "pictures", "truth.csv"],
        ["pictures: found a directory; expected a file"],
    ),
    "no such certificate": (["verify", "none.json", "answers.csv"], ["none.json: found no such"]),
}
SUMS = {
    "triplets and quadruplets": (
        ["similarity", "answers.csv", "quadruplets.csv", "-o", "s.sim"],
        ["quadruplets.csv", "triplets", "quadruplets"],
    ),
    "a matrix and answers": (
        ["similarity", "answers.csv", "matrix.csv", "-o", "s.sim"],
        ["matrix.csv", "alone"],
    ),
    "a snapshot cut off": (["check", "cut.sim"], ["cut.sim", "cut off"]),
    "a snapshot with a changed byte": (["check", "damaged.sim"], ["damaged.sim"]),
    "a snapshot of a newer version": (["check", "newer.sim"], ["version 77", "newer"]),
    "rows of a snapshot": (
        ["similarity", "whole.sim", "--where", "a=b", "-o", "s.sim"],
        ["--where", "files of answers"],
    ),
    "items of a snapshot": (
        ["similarity", "whole.sim", "--items", "truth.csv", "-o", "s.sim"],
        ["--items"],
    ),
    "repeats of a snapshot": (
        ["similarity", "whole.sim", "--repeats", "once", "-o", "s.sim"],
        ["whole.sim", "--repeats once"],
    ),
    "repeats that there are not": (
        ["similarity", "answers.csv", "--repeats", "twice", "-o", "s.sim"],
        ["--repeats 'twice'", "majority"],
    ),
    "an unknown similarity": (
        ["similarity", "answers.csv", "--similarity", "adds5", "-o", "s.sim"],
        ["adds5", "adds3"],
    ),
    "a similarity nearly right": (
        ["similarity", "answers.csv", "--similarity", "add3", "-o", "s.sim"],
        ["Did you mean 'adds3'"],
    ),
    "repeats nearly right": (
        ["similarity", "answers.csv", "--repeats", "onse", "-o", "s.sim"],
        ["Did you mean 'once'?"],
    ),
    "AddS-4 of triplets": (
        ["similarity", "answers.csv", "--similarity", "adds4", "-o", "s.sim"],
        ["adds4"],
    ),
    "a format that is not written": (
        ["similarity", "answers.csv", "-o", "s.json"],
        ["s.json"],
    ),
}
CLUSTERS = {
    "more clusters than items": (["--clusters", 22], ["22"]),
    "a range backwards": (["--clusters", "4-2"], ["4 to 2"]),
    "clusters in words": (["--clusters", "many"], ["many"]),
    "a negative seed": (["--seed", -1], ["--seed", "0 or more"]),
    "an unknown method": (["--method", "magic"], ["magic", "paper"]),
    "a method nearly right": (["--method", "papre"], ["Did you mean 'paper'?"]),
    "a rounding nearly right": (["--rounding", "kmean"], ["Did you mean 'kmeans'?"]),
    "a way to choose nearly right": (["-k", "heldot"], ["Did you mean 'heldout'?"]),
    "an effort nearly right": (["--proof", "ful"], ["Did you mean 'full'?"]),
    "a tolerance of 0": (["--tolerance", 0], ["tolerance"]),
    "a tolerance without end": (["--tolerance", "inf"], ["tolerance"]),
    "fewer than no resamples": (["--resamples", -3], ["resamples"]),
    "classes of other items": (["--truth", "others.csv"], ["others.csv", "--truth-item"]),
    "classes without items": (["--truth", "points.csv"], ["points.csv", "--truth-item"]),
    "an input as output": (["-o", "answers.csv"], ["answers.csv", "file"]),
    "a folder of others as output": (["-o", "pictures"], ["pictures", "--force"]),
}
PROGRAMS = {
    "neither clusters nor lambda": ([], ["--clusters"]),
    "both clusters and lambda": (["--clusters", 2, "--lambda", 1], ["--lambda"]),
    "no clusters": (["--clusters", 0], ["0 clusters"]),
    "more clusters than items": (["--clusters", 13], ["13 clusters"]),
    "a negative lambda": (["--lambda", -1], ["lambda = -1"]),
    "a lambda that is no number": (["--lambda", "nan"], ["lambda = nan"]),
    "a tolerance of 0": (["--clusters", 2, "--tolerance", 0], ["tolerance"]),
    "an input as output": (["--clusters", 2, "--certificate", "answers.csv"], ["input"]),
    "a folder that is not there": (["--clusters", 2, "--save-x", "no/x.npy"], ["no/x.npy"]),
}
MODEL = ["--items", "40", "--clusters", "4", "--answers", "100"]
SIMULATIONS = {
    "an epsilon of 0": (["--epsilon", 0], ["--epsilon 0", "above 0 and at most 1"]),
    "an epsilon above 1": (["--epsilon", 1.5], ["--epsilon 1.5", "above 0 and at most 1"]),
    "a delta of 0": (["--delta", 0], ["--delta 0", "above 0 and at most 1"]),
    "sizes that sum to more": (["--sizes", "10,10,10,11"], ["sum to 41", "sum to 40"]),
    "shares that sum to more": (["--sizes", "0.5,0.2,0.2,0.2"], ["sum to 1.1", "sum to 1"]),
    "a size in words": (["--sizes", "10,x,10,10"], ["--sizes", "positive numbers"]),
    "two sizes for four clusters": (["--sizes", "20,20"], ["2 sizes", "as many sizes"]),
    "an unknown distribution": (["--distribution", "cauchy"], ["normal, beta"]),
    "a distribution nearly right": (["--distribution", "noraml"], ["Did you mean 'normal'?"]),
    "a kind that is not simulated": (["--kind", "ranking"], ["--kind 'ranking'", "triplets"]),
    "the printed formula elsewhere": (["--as-printed"], ["--as-printed", "uniform-normal"]),
    "a spread of nobody": (["--epsilon-spread", 0.1], ["--participants"]),
    "fewer than no participants": (["--participants", -1], ["--participants -1", "0 or more"]),
    "points and a model": (["--points", "points.csv"], ["--points with --items"]),
    "a similarity of no points": (["--similarity", "cosine"], ["--points"]),
}
OTHERS = [
    Case(
        "Simulating and planning",
        "a formula with an unknown function",
        ["simulate", *MODEL[:4], "--answers", "n*log(n)", "-o", "new.csv"],
        ["--answers", "n*ln(n)^3"],
    ),
    Case(
        "Simulating and planning",
        "more answers than questions",
        ["simulate", *MODEL[:4], "--answers", "29641", "-o", "new.csv"],
        ["1 to 29640", "--replacement"],
    ),
    Case(
        "Simulating and planning",
        "no answers",
        ["simulate", *MODEL[:4], "--answers", "0", "-o", "new.csv"],
        ["--answers '0'", "at least 1"],
    ),
    Case(
        "Simulating and planning",
        "more clusters than items",
        ["simulate", "--items", "40", "--clusters", "41", "--answers", "9", "-o", "new.csv"],
        ["--clusters 41", "1 to 40"],
    ),
    Case(
        "Simulating and planning",
        "too few items",
        ["simulate", "--items", "2", "--clusters", "1", "--answers", "9", "-o", "new.csv"],
        ["--items 2", "3 to"],
    ),
    Case(
        "Simulating and planning",
        "points that are not finite",
        ["simulate", "--points", "inf.csv", "--answers", "5", "-o", "new.csv"],
        ["inf.csv", "inf"],
        {"inf.csv": "0,1\ninf,0\n1,1\n"},
    ),
    Case(
        "Simulating and planning",
        "points of different length",
        ["simulate", "--points", "ragged.csv", "--answers", "5", "-o", "new.csv"],
        ["ragged.csv", "line 2"],
        {"ragged.csv": "0,1\n1\n"},
    ),
    Case(
        "Simulating and planning",
        "neither clusters nor their classes",
        ["theory", "answers.csv"],
        ["--truth"],
    ),
    Case(
        "Simulating and planning",
        "both clusters and their classes",
        ["theory", "answers.csv", "--truth", "truth.csv", "--clusters", "2"],
        ["one of"],
    ),
    Case(
        "Simulating and planning",
        "epsilon without delta",
        ["theory", "answers.csv", "--clusters", "2", "--epsilon", "0.5"],
        ["both"],
    ),
]

LABELINGS = {
    "no column of items": ("thing,cluster\na,1\n", ["mine.csv", "thing", "--item-a"]),
    "no column of labels": ("item,colour\n0,1\n", ["mine.csv", "colour", "--label-a"]),
    "an item twice": ("item,cluster\n0,1\n0,2\n", ["mine.csv", "line 3", "'0'", "line 2"]),
    "only a header": ("item,cluster\n", ["mine.csv"]),
    "an empty file": ("", ["mine.csv", "empty"]),
    "a short row": ("item,cluster\n0\n", ["mine.csv", "line 2", "1 cells"]),
    "nothing in common": ("item,cluster\nx,1\ny,2\n", ["no item"]),
    "latin-1": (b"item,cluster\ncaf\xe9,1\n", ["mine.csv", "line 2", "UTF-8"]),
}
OUTPUTS = {
    "a folder that is not there": (["-o", "no/such/folder/out.sim"], ["no/such/folder/out.sim"]),
    "a folder": (["-o", "pictures"], ["pictures: found a directory"]),
    "an empty name": (["-o", ""], ["an empty name"]),
    "an input": (["-o", "./answers.csv"], ["answers.csv: found that it is an input"]),
    "a file of another program": (["-o", "quadruplets.csv"], ["quadruplets.csv", "--force"]),
}


def claims():
    """Certificates that are refused before anything is computed, or for what they say."""
    answers = [(*line.split(","), 1) for line in SURVEY.splitlines()[1:]]
    problem = Problem("adds3", "01234", [1, 1, 1, 2, 2], answers)
    ends = {"lo": 1.0, "hi": 2.0, "level": "proved", "failure_probability": 0}
    optimal = problem.fields("optimal") | ends
    bound = problem.bound(np.zeros((5, 5)), {"clusters": 2})
    how = optimal["similarity"]
    without_labels = {key: value for key, value in optimal.items() if key != "labels"}
    return {
        "no JSON": ("x", ["line 1", "no valid JSON"]),
        "a number that is too large": (json.dumps(optimal).replace("1.0", "1e999"), ["too large"]),
        "another format": (sealed(optimal | {"format": "letter"}), ["format"]),
        "a newer version": (sealed(optimal | {"version": 99}), ["version", "99"]),
        "an unknown claim": (sealed(optimal | {"claim": "hope"}), ["claim", "hope"]),
        "a field missing": (sealed(without_labels), ["labels"]),
        "a field too many": (sealed(optimal | {"note": "trust me"}), ["note"]),
        "an edited text": (sealed(optimal).replace('"lo": 1.0', '"lo": 1.5'), ["checksum"]),
        "no checksum": (json.dumps(optimal), ["checksum"]),
        "other items": (sealed(optimal | {"items": list("01235")}), ["items"]),
        "an item twice": (sealed(optimal | {"items": list("01233")}), ["items"]),
        "labels that leave one out": (sealed(optimal | {"labels": [1, 1, 1, 3, 3]}), ["labels"]),
        "another value": (sealed(optimal | {"objective": 1e6}), ["objective"]),
        "other answers": (sealed(optimal | {"similarity": how | {"checksum": 1}}), ["checksum"]),
        "another number of answers": (
            sealed(optimal | {"similarity": how | {"comparisons": 9}}),
            ["comparisons"],
        ),
        "another kind of answers": (sealed(optimal | {"similarity": how | {"kind": "adds4"}}), []),
        "ends that are turned round": (sealed(optimal | {"lo": 3.0}), ["lo"]),
        "ends that are too large": (sealed(optimal | {"lo": 1e6, "hi": 2e6}), ["condition 1"]),
        "an unknown level": (sealed(optimal | {"level": "sure"}), ["level"]),
        "no dual": (sealed(bound), ["dual", "n.npy"]),
        "a dual elsewhere": (sealed(bound | {"dual": "../n.npy"}), ["dual", "../n.npy"]),
        "another program": (sealed(bound | {"program": {"clusters": 3}}), ["program"]),
    }


CASES = [
    *(
        Case("Files of answers", wrong, ["check", name, *flags], says, {name: content})
        for wrong, (name, content, flags, says) in BAD.items()
    ),
    *(
        Case(
            "Lists of items",
            wrong,
            ["check", "a.csv", "--items", "items.csv", *flags],
            says,
            {"a.csv": content, "items.csv": items},
        )
        for wrong, (items, content, flags, says) in BAD_ITEMS.items()
    ),
    *of_flags("Files that are not there", [], MISSING),
    *of_flags("Calls", [], CALLS),
    *of_flags("Flags about answers", ["check", "answers.csv"], FLAGS),
    *of_flags("Similarities and snapshots", [], SUMS),
    *of_flags("Clustering", ["cluster", "answers.csv"], CLUSTERS),
    *of_flags("Semidefinite programs", ["sdp", "answers.csv"], PROGRAMS),
    *(
        Case(
            "Labelings",
            wrong,
            ["agreement", "mine.csv", "truth.csv"],
            says,
            {"mine.csv": content},
        )
        for wrong, (content, says) in LABELINGS.items()
    ),
    *of_flags("Simulating and planning", ["simulate", *MODEL], SIMULATIONS, ["-o", "new.csv"]),
    *OTHERS,
    *of_flags("Outputs of `similarity`", ["similarity", "answers.csv"], OUTPUTS),
    Case(
        "Certificates",
        "the arguments the other way round",
        ["verify", "answers.csv", "claim.json"],
        ["answers.csv: found no certificate", "'claim.json' looks like one"],
        {"claim.json": claims()["another value"][0]},
    ),
    Case(
        "Certificates",
        "less than no memory",
        ["verify", "claim.json", "answers.csv", "--memory", "-1"],
        ["--memory -1", "more than 0"],
        {"claim.json": claims()["another value"][0]},
    ),
    *(
        Case(
            "Certificates",
            wrong,
            ["verify", "claim.json", "answers.csv"],
            says,
            {"claim.json": text},
            code=3,
        )
        for wrong, (text, says) in claims().items()
    ),
]
