"""Files of answers and lists of items that cannot be used, and what the message must say."""

import gzip
import io

import numpy as np
from definitions import rows

HEADER = "anchor,near,far\n"


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
    "UTF-16": ("a.csv", HEADER.encode("utf-16"), [], ["UTF-16", "iconv"]),
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
    "latin-1": ("a.csv", b"anchor,near,far\na,caf\xe9,c\n", [], ["line 2", "column 2", "UTF-8"]),
    "latin-1 in the header": ("a.csv", b"anchor,near,far,\xe9\na,b,c,1\n", [], ["line 1", "UTF-8"]),
    "latin-1 in JSON": (
        "a.json",
        b'[{"anchor": "caf\xe9", "near": "b", "far": "c"}]',
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
