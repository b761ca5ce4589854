"""Every bad input: what is wrong, the call, and what the message must say.

docs/errors.md is made from these cases by tools/errors_page.py, which runs them (test_errors.py).
"""

import gzip
import io
import json
from dataclasses import dataclass, field

import numpy as np
from certificates import Problem, sealed
from definitions import rows

HEADER = "anchor,near,far\n"


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


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


# name of the case -> (file, content, flags, what the message must say)
BAD = {
    "empty": ("a.csv", "", [], ["empty"]),
    "only blanks": ("a.csv", " \n\n \n", [], ["a.csv"]),
    "only a mark": ("a.csv", "\ufeff", [], ["a.csv"]),
    "only a header": ("a.csv", HEADER, [], ["header", "answers"]),
    "only comments": ("a.csv", "# one\n# two\n", [], ["comments"]),
    "garbage": ("a.csv", bytes(range(256)) * 20, [], ["binary"]),
    "garbage without zeros": ("a.csv", bytes(range(128, 256)) * 20, [], ["a.csv"]),
    "spreadsheet": ("a.xlsx", b"PK\x03\x04\x14\x00\x06\x00" + bytes(200), [], ["binary"]),
    "short row": ("a.csv", HEADER + "a,b,c\na,b\n", [], ["line 3", "2 cells", "3 cells"]),
    "long row": ("a.csv", HEADER + "a,b,c\na,b,c,d\n", [], ["line 3", "4 cells", "3 cells"]),
    "short row of numbers": ("a.csv", "0,1,2\n0,1\n", [], ["line 2", "2 cells", "3 cells"]),
    "cut off": ("a.csv", HEADER + "a,b,c\na,b,", [], ["line 3", "column 3", "(far)", "cut off"]),
    "cut off numbers": ("a.csv", "0,1,2\n3,4,", [], ["line 2", "column 3", "cut off"]),
    "cut off cells": ("a.csv", HEADER + "a,b,c\na", [], ["line 3", "1 cell", "cut off"]),
    "open quote": ("a.csv", HEADER + 'a,"b,c\nd,e,f\n', [], ["line 2", "quotation mark"]),
    "open list": (
        "a.csv",
        "ref,stim1,stim2,clicks\nr,a,b,\"['stim2', 'sti\"\n",
        [],
        ["line 2", "column 4", "(clicks)", "list"],
    ),
    "a byte that is not UTF-8": (
        "a.csv",
        b"anchor,near,far\n\xc3\xa9,caf\xe9,c\n",
        [],
        ["line 2", "column 2", "UTF-8"],
    ),
    "a byte that is not UTF-8 in the header": (
        "a.csv",
        b"anchor,near,far,\xe9\n\xc3\xa9,b,c,1\n",
        [],
        ["line 1", "UTF-8"],
    ),
    "a byte that is not UTF-8 in JSON": (
        "a.json",
        b'[{"anchor": "\xc3\xa9\xe9", "near": "b", "far": "c"}]',
        [],
        ["line 1"],
    ),
    "unknown columns": ("a.csv", "x,y,z\n1,2,3\n", [], ["x, y, z", "--anchor"]),
    "two columns": ("a.csv", "1,2\n3,4\n", [], ["2 columns"]),
    "seven names": ("a.csv", "p,q,r,s,t,u,v\n" + "p,q,r,s,t,u,v\n", [], ["7 columns"]),
    "missing item": ("a.csv", HEADER + "a,,c\n", [], ["line 2", "column 2", "(near)", "item"]),
    "negative id": ("a.csv", "0,1,2\n0,-1,2\n", [], ["line 2", "column 2", "'-1'", "negative"]),
    "negative weight": (
        "a.csv",
        "anchor,near,far,weight\na,b,c,1\na,b,c,-2\n",
        [],
        ["line 3", "column 4", "(weight)", "'-2'", "weight"],
    ),
    "infinite weight": ("a.csv", "anchor,near,far,weight\na,b,c,inf\n", [], ["line 2", "'inf'"]),
    "weight not a number": (
        "a.csv",
        "anchor,near,far,weight\na,b,c,nan\n",
        [],
        ["line 2", "'nan'"],
    ),
    "weight in words": ("a.csv", "anchor,near,far,weight\na,b,c,two\n", [], ["line 2", "'two'"]),
    "weight missing": ("a.csv", "anchor,near,far,weight\na,b,c,\n", [], ["line 2", "(weight)"]),
    "huge weight": ("a.csv", "anchor,near,far,weight\na,b,c,1e300\n", [], ["line 2", "'1e300'"]),
    "negative votes": (
        "a.csv",
        "anchor,b,c,votes_b_nearer,votes_c_nearer\n0,1,2,3,-1\n",
        [],
        ["line 2", "column 5", "'-1'"],
    ),
    "answer is no option": (
        "a.csv",
        "anchor,left,right,answer\nhog,cat,cow,cat\nhog,cat,cow,dog\n",
        [],
        ["line 3", "column 4", "(answer)", "'dog'", "cat, cow"],
    ),
    "answer out of range": (
        "a.csv",
        "anchor,left,right,answer\nhog,cat,cow,0\nhog,cat,cow,1\nhog,cat,cow,7\n",
        [],
        ["line 4", "column 4", "'7'", "0/1"],
    ),
    "answer of another form": (
        "a.csv",
        "anchor,left,right,answer\na,b,c,left\na,b,c,1\n",
        [],
        ["line 3", "'1'", "left/right"],
    ),
    "option clicked twice": (
        "a.csv",
        "ref,stim1,stim2,clicks\nr,a,b,\"['stim2', 'stim2']\"\n",
        [],
        ["line 2", "stim2", "twice"],
    ),
    "JSON cut off": ("a.json", '[{"anchor": "a",\n "near": "b"', [], ["line 2", "cut off"]),
    "JSON wrong": ("a.json", '[{"anchor": "a", "near" "b"}]', [], ["line 1", "column 2", "JSON"]),
    "JSON without answers": ("a.json", '{"version": 1}', [], ["JSON", "records"]),
    "JSON of other things": ("a.json", '[{"x": 1}, {"x": 2}]', [], ["x", "--anchor"]),
    "JSON lines cut off": ("a.jsonl", "[1, 2, 3]\n[2, 3, 1]\n[3, 1", [], ["line 3", "cut off"]),
    "JSON record without a field": (
        "a.json",
        '[{"anchor": "a", "near": "b", "far": "c"}, {"anchor": "a", "near": "b"}]',
        [],
        ["record 2", "far"],
    ),
    "very deep JSON": ("a.json", '{"a":' * 100_000 + "1" + "}" * 100_000, [], ["a.json"]),
    "very deep JSON array": ("a.json", "[" * 100_000 + "]" * 100_000, [], ["a.json"]),
    "gzip cut off": ("a.csv.gz", gzip.compress(rows("0 1 2; 1 0 2").encode())[:-9], [], ["gzip"]),
    "gzip damaged": ("a.gz", gzip.compress(b"0,1,2\n" * 999)[:20] + b"x" * 30, [], ["gzip"]),
    "npy cut off": ("a.npy", npy(np.ones((9, 3), int))[:-8], [], ["cut off", "9 rows"]),
    "npy of one dimension": ("a.npy", npy(np.arange(9)), [], ["two dimensions"]),
    "npy of complex numbers": ("a.npy", npy(np.ones((9, 3), complex)), [], ["numbers"]),
    "npy of text": ("a.npy", npy(np.array([["a", "b", "c"]])), [], ["numbers"]),
    "npy of two columns": ("a.npy", npy(np.ones((9, 2), int)), [], ["2 columns"]),
    "npy with a negative id": (
        "a.npy",
        npy(np.array([[0, 1, 2], [0, -1, 2]])),
        [],
        ["record 2", "-1"],
    ),
    "npy with a fraction": (
        "a.npy",
        npy(np.array([[0, 1, 2], [0, 1.5, 2]])),
        [],
        ["record 2", "1.5"],
    ),
    "npy with nan": ("a.npy", npy(np.array([[0, 1, 2], [0, np.nan, 2]])), [], ["record 2", "nan"]),
    "npy without rows": ("a.npy", npy(np.ones((0, 3), int)), [], ["a.npy"]),
    "npy header cut off": ("a.npy", npy(np.ones((9, 3), int))[:30], [], ["cut off"]),
    "ids from 1, but 0": (
        "a.csv",
        "1,2,3\n0,1,2\n",
        ["--ids-from", "1"],
        ["line 2", "column 1", "'0'"],
    ),
    "names with --ids-from": (
        "a.csv",
        HEADER + "a,b,c\n",
        ["--ids-from", "0"],
        ["line 2", "column 1", "'a'", "id"],
    ),
    "no such column": (
        "a.csv",
        HEADER + "a,b,c\n",
        ["--weight", "w"],
        ["'w'", "--weight", "anchor, near"],
    ),
    "no such column number": ("a.csv", HEADER + "a,b,c\n", ["--weight", "4"], ["'4'", "--weight"]),
    "where of no column": ("a.csv", HEADER + "a,b,c\n", ["--where", "w=1"], ["'w'", "--where"]),
    "matrix not square": ("a.csv", "0,1,2\n1,0,2\n", ["--kind", "matrix"], ["square"]),
    "matrix not symmetric": ("a.csv", "0,1\n2,0\n", ["--kind", "matrix"], ["symmetric"]),
    "matrix with a word": (
        "a.csv",
        "0,1\nx,0\n",
        ["--kind", "matrix"],
        ["line 2", "column 1", "'x'"],
    ),
    "matrix not finite": (
        "a.csv",
        "0,inf\ninf,0\n",
        ["--kind", "matrix"],
        ["line 1", "column 2", "inf"],
    ),
}

ITEMS = "index,name\n0,zebra\n1,apple\n2,yak\n"
BAD_ITEMS = {
    "unknown name": (
        ITEMS,
        HEADER + "zebra,apple,cow\n",
        [],
        ["a.csv", "line 2", "column 3", "'cow'"],
    ),
    "unknown id": (
        ITEMS,
        "0,1,2\n0,1,3\n",
        [],
        ["a.csv", "line 2", "column 3", "'3'", "--ids-from"],
    ),
    "id out of range": (
        ITEMS,
        "1,2,3\n1,2,4\n",
        ["--ids-from", "1"],
        ["line 2", "column 3", "'4'", "1 to 3"],
    ),
    "ids without a column of ids": (
        "name\nzebra\napple\nyak\n",
        "0,1,2\n",
        [],
        ["line 1", "column 1", "'0'", "--ids-from 0", "--ids-from 1"],
    ),
    "a name twice": (
        "index,name\n0,yak\n1,yak\n",
        "0,1,2\n",
        [],
        ["items.csv", "line 3", "'yak'", "line 2"],
    ),
    "no names": ("x,y\n1,2\n", "0,1,2\n", [], ["items.csv", "--item-name"]),
    "only a header": ("index,name\n", "0,1,2\n", [], ["items.csv", "header"]),
    "empty": ("", "0,1,2\n", [], ["items.csv", "empty"]),
    "short row": ("index,name\n0\n", "0,1,2\n", [], ["items.csv", "line 2", "1 cell"]),
    "no such column": (
        ITEMS,
        "0,1,2\n",
        ["--item-name", "foo"],
        ["items.csv", "'foo'", "--item-name"],
    ),
    "latin-1": (b"index,name\n0,caf\xe9\n", "0,1,2\n", [], ["items.csv", "line 2", "UTF-8"]),
}

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
    "an unknown method": (["--method", "magic"], ["magic"]),
    "a tolerance of 0": (["--tolerance", 0], ["tolerance"]),
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
        "no JSON": ("x", ["JSON"]),
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
