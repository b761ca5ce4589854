"""Writes fuzz/corpus: what the fuzzer starts from, and what the tests replay.

    .venv/bin/python fuzz/make_corpus.py

Small inputs of every kind that a reader knows, one for each layout, and some that are nearly right.
An input that once broke something is added here, or as a file of its own beside these. Needs
build/tertium for the results.
"""

import gzip
import io
import json
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "fuzz" / "corpus"
sys.path.insert(0, str(ROOT / "tests" / "cli"))

from certificates import Problem, sealed  # noqa: E402

HEADER = "anchor,near,far\n"

CSV = {
    "triplets": HEADER + "hog,monkey,giraffe\nmonkey,hog,cat\n",
    "numbers": "0,1,2\n1,0,2\n2,1,0\n3,0,1\n",
    "quadruplets_of_numbers": "0;1;2;3\n1;2;3;0\n",
    "weights": "anchor,near,far,weight\na,b,c,2\na,b,d,0.25\na,c,d,0\n",
    "salmon": "head,winner,loser,left,right,puid\n1,2,3,2,3,ann\n1,2,3,3,2,bob\n",
    "next": ",target_center,target_left,target_right,target_winner\n0,a,b,c,c\n1,a,b,d,\n",
    "options_and_answer": "anchor,left,right,answer\nhog,cat,cow,left\nhog,cow,cat,right\n",
    "options_by_number": "anchor,left,right,answer\n5,1,2,1\n5,2,1,1\n5,7,9,7\n",
    "ties": "anchor,left,right,answer\na,b,c,-1\na,b,c,0\na,b,c,1\na,b,c,tie\na,b,c,NA\n",
    "votes": "anchor,b,c,votes_b_nearer,votes_c_nearer\nx,y,z,7,3\nx,y,w,0,0\n",
    "evaluation": "A,B,C,eval,worker\nx,y,z,B,w1\nx,y,z,C,w2\n",
    "jspsych": "trial_type,stimulus,choices,response,worker_id\npreload,,,,w\n"
    'triplet,a.png,"[""b.png"",""c.png""]",1,w\nkeys,+,ALL_KEYS,,w\n',
    "psychopy": '\ufeffstimulus,response\r\n"[""a"",""b"",""c""]",3\r\n"[""a"",""b"",""d""]",1\r\n',
    "things": "image1\timage2\timage3\tchoice\tsubject_id\n10\t20\t30\t2\ts1\n10\t20\t40\t3\ts2\n",
    "meadows": "participation,stim1_name,stim2_name,stim3_name,label\np1,owl,cat,bus,bus\n",
    "most_central": "central,other1,other2\na,b,c\nb,c,d\n",
    "chosen_center": "chosen_center,triplet_object_1,triplet_object_2,triplet_object_3\n"
    "32,32,16,30\n18,15,18,53\n",
    "ranking": "ref,stim1,stim2,stim3,clicks\nhog,cat,dog,owl,\"['stim3', 'stim1', 'stim2']\"\n",
    "best_and_rest": "head,best,rest0,rest1\na,b,c,d\nb,a,c,d\n",
    "mlds": "resp,S1,S2,S3,S4\n1,a,b,c,d\n0,a,b,c,d\n",
    "pairs": "i,j,k,l\n1,2,3,4\n4,3,2,1\n",
    "pairs_and_answer": "i,j,k,l,response\na,b,c,d,0\na,b,c,d,1\n",
    "odd_one": "item1,item2,item3,odd\na,b,c,b\na,b,d,d\n",
    "two_and_the_odd_one": "a,b,odd\nx,y,z\ny,z,x\n",
    "catch_trials": "anchor,near,far,is_catch_trial\na,b,c,0\na,b,c,1\nb,a,c,false\n",
    "blanks": "0 1 2\n10  11 12\n",
    "comments": "# made by hand\n" + HEADER + "a,b,c\n",
    "quotes": HEADER + '"a, b","c ""d""","e\nf"\ng,h,"i"\n',
    "latin_1": HEADER.encode() + b"a,caf\xe9,c\n",
    "utf_16": HEADER.encode("utf-16"),
    "short_row": HEADER + "a,b,c\na,b\n",
    "long_row": HEADER + "a,b,c\na,b,c,d\n",
    "open_quote": HEADER + 'a,"b,c\nd,e,f\n',
    "cut_off": HEADER + "a,b,c\na,b,",
    "huge_weight": "anchor,near,far,weight\na,b,c,1e300\n",
    "huge_numbers": "4294967295,1,2\n18446744073709551616,1,2\n",
    "with_itself": HEADER + "a,a,c\na,b,b\n",
    "empty": "",
    "only_a_header": HEADER,
    "no_line_end": "0,1,2",
    "carriage_returns": "0,1,2\r1,2,0\r",
    "nul": HEADER + "a,b\0,c\n",
}
JSON = {
    "records": '[{"anchor": "a", "near": "b", "far": "c"}, {"near": "a", "anchor": "b", "far": 1}]',
    "arrays": "[[0, 1, 2], [1, 2, 0]]",
    "agreement": '{"answers": [[5,1,2],[5,2,3]], "agreement": [[3,1],[0,4]], '
    '"answers_equal": [[1,2,3]]}',
    "next": '{"participant_responses": {"ann": [{"target_indices": ['
    '{"index": 4, "label": "center"}, {"index": 7, "label": "left"}, '
    '{"index": 9, "label": "right"}], "index_winner": 9}]}}',
    "grid": '[{"worker_id": 330, "screens": [{"probe": "p", "images": ["a","b","c"], '
    '"near_answer": ["b"], "is_catchtrial": false}]}]',
    "columns": '{"anchor": ["a", "b"], "near": ["b", "c"], "far": ["c", "a"]}',
    "missing_field": '[{"anchor": "a", "near": "b", "far": "c"}, {"anchor": "a"}]',
    "cut_off": '[{"anchor": "a",\n "near": "b"',
    "escapes": '[["\\u00e9", "\\ud83d\\ude00", "\\ud800"], ["a", "\\n", "c"]]',
    "deep": "[" * 200 + "]" * 200,
    "own_keys": '[{"a1": 1}, {"a2": 1}, {"a3": 1}]',
    "numbers": "[[0, 1.0, 1e0], [-1, 2, 3], [1e400, 1, 2]]",
    "latin_1": b'[{"anchor": "caf\xe9", "near": "b", "far": "c"}]',
    "empty": "[]",
}
JSONL = {
    "arrays": "[0, 1, 2]\n[1, 2, 0]\n",
    "names": '["a", "b", "c"]\n["b", "a", "c"]\n',
    "records": '{"anchor": "a", "near": "b", "far": "c"}\n'
    '{"far": "b", "anchor": "a", "near": "c"}\n',
    "broken": '["a", "b", "c"]\n["b", "a"\n["b", "a", "c"]\n',
    "short": '["a", "b", "c"]\n["b", "a"]\n',
    "cut_off": "[1, 2, 3]\n[2, 3, 1]\n[3, 1",
    "mixed": '[1, 2, 3]\n{"anchor": 1}\n',
    "blank_lines": '{"anchor": "a", "near": "b", "far": "c"}\n\n\n{"near": 1}\n',
}
ITEMS = {
    "index_and_name": "index,name\n0,zebra\n1,apple\n2,yak\n",
    "names": "name\nzebra\napple\nyak\n",
    "pictures": "id,image,category\n0,x/a.png,fruit\n1,x/b.png,fruit\n2,x/c.png,animal\n",
    "classes": "item,cluster\nzebra,1\nyak,1\napple,2\n",
    "twice": "index,name\n0,yak\n1,yak\n",
    "empty_names": "index,name\n0,\n1,\n2,yak\n",
    "plain": "zebra\napple\nyak\n",
    "short_row": "index,name\n0\n",
    "latin_1": b"index,name\n0,caf\xe9\n",
}
POINTS = {
    "table": "0,1\n1,0\n0.5,-2\n",
    "header": "x,y\n0,1\n1,0\n",
    "ragged": "0,1\n1\n",
    "not_finite": "0,1\ninf,0\n",
    "origin": "0 0\n1 1\n",
}
MATRIX = {
    "table": "0,1,2\n1,0,3\n2,3,0\n",
    "named": ",a,b\na,0,1\nb,1,0\n",
    "symmetric.mtx": "%%MatrixMarket matrix coordinate integer symmetric\n%item 1 a\n%item 2 b\n"
    "%item 3 c\n3 3 2\n2 1 4\n3 2 -1\n",
    "general.mtx": "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 0.5\n2 1 0.5\n",
    "minus.mtx": "%%MatrixMarket matrix coordinate real general\n-1 -1 0\n",
    "wide.mtx": "%%MatrixMarket matrix coordinate real symmetric\n100000 100000 0\n",
    "outside.mtx": "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n3 1 1\n",
    "small_units": "0,1e-15\n1e-15,0\n",
    "large_values": "0,9e18\n9e18,0\n",
    "not_symmetric": "0,1\n2,0\n",
}
FILTERS = {
    "one": "participant=p1\n\nanchor,near,far,participant\na,b,c,p1\na,b,c,p2\n",
    "two": "participant=p1\nkind=test\n\nanchor,near,far,participant,kind\na,b,c,p1,test\n",
    "by_number": "1=0\n\n0,1,2\n1,2,0\n",
    "nothing_left": "far=x\n\n" + HEADER + "a,b,c\n",
    "no_such_column": "w=1\n\n" + HEADER + "a,b,c\n",
    "no_equals": "anchor\n\n" + HEADER + "a,b,c\n",
    "json": 'anchor=a\n\n[{"anchor": "a", "near": "b", "far": "c"}]',
}
FLAGS = {
    "columns": "x --anchor 2 --near 3 --far 1\n0,1,2\n1,2,0\n",
    "odd": "x --kind odd-one-out --odd first --separator blanks\n1 2 3\n",
    "answers": "x --answer-values 0/1 --header yes\nanchor,left,right,answer\na,b,c,1\n",
    "ids": "x --ids-from 1 --repeats majority --threads 2\n1,2,3\n",
    "pairs": "x --answer-means different\ni,j,k,l,response\na,b,c,d,0\na,b,c,d,1\n",
    "where": "x --where anchor=a --skip-bad-rows\n" + HEADER + "a,b,c\nb,a\n",
    "unknown": "x --ancor 1 --weight\n0,1,2\n",
    "contradiction": "x --near 1 --answer 2\n0,1,2\n",
    "numbers": "x --seed -1 --threads two --clusters 2-6\n0,1,2\n",
    "central": "x --kind most-central --option1 1 --option2 2 --option3 3 --answer 4\n1,2,3,2\n",
}


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def npy_saying(header):
    """No data, and whatever the header announces."""
    text = header.encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


def npy_files():
    triplets = np.array([[0, 1, 2], [1, 2, 0], [3, 0, 1]])
    types = ("<i8", "<i4", ">i2", "|u1", "<u8", "<f8", ">f4")
    files = {f"triplets_{kind[1:]}": npy(triplets.astype(kind)) for kind in types}
    return files | {
        "quadruplets": npy(np.arange(8).reshape(2, 4)),
        "fortran": npy(np.asfortranarray(triplets)),
        "cut_off": npy(triplets)[:-8],
        "fraction": npy(triplets + 0.5),
        "text": npy(np.array([["a", "b", "c"]])),
        "one_dimension": npy(np.arange(9)),
        "no_rows": npy(np.ones((0, 3), int)),
        "large_shape": npy_saying(
            "{'descr': '<f8', 'fortran_order': True, 'shape': (9223372036854775807, 3), }"
        ),
        "long_header": npy_saying("{'descr': '<f8'," + " " * 2000 + "'shape': (1, 3), }"),
    }


def packed(text):
    return gzip.compress(text.encode(), mtime=0)


def gzip_files():
    whole = packed(CSV["triplets"])
    return {
        "whole": whole,
        "two_members": packed(HEADER) + packed("a,b,c\n"),
        "json": packed(JSON["records"]),
        "cut_off": whole[:-9],
        "trailing": whole + b"\0\0\0",
        "wrong_checksum": whole[:-8] + b"\0\0\0\0" + whole[-4:],
        "many_zeros": packed("0" * 100_000),
        "plain": CSV["numbers"],
    }


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def snapshot(names, values, kind=0, repeats=0, denominator=1):
    """docs/snapshot.md; values {(i, j): integer} with j < i."""
    n = len(names)
    out = b"\x89TERTSIM" + struct.pack("<I", 1)
    for number in (kind, repeats, denominator, 5, 5 * denominator, n):
        out += varint(number)
    for name in names:
        out += varint(len(name.encode())) + name.encode()
    out += varint(5) * n + varint(1) * n
    for i in range(n):
        row = sorted((j, v) for (a, j), v in values.items() if a == i)
        out += varint(len(row))
        last = -1
        for j, value in row:
            out += varint(j - last - 1) + varint(2 * value if value >= 0 else -2 * value - 1)
            last = j
    out += b"TERT-END"
    return out + struct.pack("<I", zlib.crc32(out))


def snapshots():
    values = {(1, 0): 3, (2, 0): -3, (2, 1): 1}
    return {
        "triplets": snapshot("abc", values),
        "quadruplets": snapshot(["0", "1", "10"], values, kind=1),
        "in_fifths": snapshot(["0", "1", "10"], values, kind=1, denominator=5),
        "given": snapshot("abc", values, kind=2, denominator=1000),
        "once": snapshot("abc", values, repeats=1),
        "large_values": snapshot("abc", {(1, 0): 2**62, (2, 1): -(2**62)}),
        "twice": snapshot("aab", values),
        "no_entries": snapshot("ab", {}),
        "cut_off": snapshot("abc", values)[:-6],
        "damaged": snapshot("abc", values)[:-1] + b"\0",
    }


def certificates():
    """About the six items of fuzz/certificate_problem.hpp."""
    integers = [[0 if i == j else 6 if i % 2 == j % 2 else -2 for j in range(6)] for i in range(6)]
    problem = Problem("precomputed", [str(i) for i in range(6)], [1, 2, 1, 2, 1, 2], integers)
    zero = np.zeros((6, 6))
    optimal = problem.optimal()
    bound = problem.bound(zero, {"clusters": 2}, "dual.npy")
    bound["upper_bound"] += 1e-6
    by_lambda = problem.bound(zero, {"lambda": 3.0}, "dual.npy")
    by_lambda["upper_bound"] += 1e-6
    tree = problem.fields("bound") | {
        "version": 2,
        "upper_bound": 24.5,
        "only_best": False,
        "tree": [None],
        "numbers": "numbers",
        "numbers_checksum": zlib.crc32(b"tertium numbers\n" + leaf(6)),
    }
    return {
        "optimal": sealed(optimal),
        "bound": sealed(bound),
        "bound_for_lambda": sealed(by_lambda),
        "false_bound": sealed(bound | {"upper_bound": 23.0}),
        "wide": sealed(optimal | {"lo": -1e308, "hi": 1e308}),
        "other_labels": sealed(optimal | {"labels": [1, 1, 1, 2, 2, 2]}),
        "probabilistic": sealed(optimal | {"level": "probabilistic", "failure_probability": 1e-12}),
        "tree": sealed(tree),
        "wrong_checksum": json.dumps(optimal)[:-1] + ', "checksum": 1}',
        "no_json": "{",
    }


def duals():
    ones = np.ones((6, 6))
    return {
        "zero": npy(np.zeros((6, 6))),
        "ones": npy(ones),
        "small": npy(ones * 5e-324),
        "large": npy(ones * 1e154),
        "negative": npy(-ones),
        "not_finite": npy(ones * np.inf),
        "other_shape": npy(np.ones((3, 12))),
        "fortran": npy(np.asfortranarray(np.arange(36.0).reshape(6, 6))),
        "cut_off": npy(ones)[:-8],
        "long_header": npy_saying("{" + " " * 3000 + "}"),
        "no_array": b"nothing",
    }


def leaf(groups, entries=(), cuts=()):
    """What a leaf has in a file of numbers: N by its lower triangle, and cuts (i, j, r, mu)."""
    N = [0.0] * (groups * (groups + 1) // 2)
    for place, value in entries:
        N[place] = value
    out = struct.pack("<II", groups, len(cuts)) + struct.pack(f"<{len(N)}f", *N)
    return out + b"".join(struct.pack("<IIIf", *cut) for cut in cuts)


def numbers():
    """Trees and their numbers (fuzz/numbers.cpp) about the same six items."""
    end, branch = b"\xff", bytes([1])  # items 0 and 1: apart, then together
    none = struct.pack("<II", 0, 0)
    return {
        "one_leaf": end + leaf(6),
        "a_branch": branch + end + end + leaf(6, [(1, -2.0)]) + leaf(5),
        "impossible": branch + branch + end * 3 + leaf(6) + none + leaf(5),
        "few_groups": bytes([1, 0xFF, 2, 0xFF, 3, 0xFF, 4, 0xFF, 5]) + end * 2 + leaf(6) + leaf(5),
        "cut": end + leaf(6, [(1, 1.0)], [(0, 1, 2, 0.5), (3, 4, 5, 0.0)]),
        "cut_of_two": end + leaf(6, (), [(0, 1, 1, 0.5)]),
        "negative": end + leaf(6, [(1, -2.0)]),
        "not_finite": end + leaf(6, [(1, float("nan")), (4, float("inf"))]),
        "large": end + leaf(6, [(1, 3e38), (4, 3e38)], [(0, 1, 2, 3e38)]),
        "cut_off": end + leaf(6)[:-1],
        "more": end + leaf(6) + b"\0",
        "many_cuts": end + struct.pack("<II", 6, 2**32 - 1) + leaf(6)[8:],
        "with_itself": bytes([7]) + end + end + leaf(6) + leaf(6),
    }


def results():
    """Of a run on the example: as it is, without resamples, with a number of clusters given."""
    runs = {
        "whole": ["--resamples", "5"],
        "quick": ["--quick"],
        "heldout": ["--clusters", "heldout", "--resamples", "3"],
    }
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        answers = Path(folder) / "a.csv"
        answers.write_text(CSV["triplets"] + "cat,hog,giraffe\ngiraffe,cat,hog\ncat,monkey,hog\n")
        for name, flags in runs.items():
            out = Path(folder) / name
            command = [ROOT / "build" / "tertium", "cluster", answers, *flags, "-q", "-o", out]
            subprocess.run(command, check=True, cwd=folder)
            found[name] = (out / "result.json").read_text().replace(folder, "")
    return found


def main():
    files = {
        "csv": CSV,
        "json": JSON,
        "jsonl": JSONL,
        "npy": npy_files(),
        "matrix": MATRIX | {"five.npy": npy(np.ones((5, 5))), "shape.npy": npy(np.ones((2, 3)))},
        "gzip": gzip_files(),
        "items": ITEMS,
        "points": POINTS | {"array.npy": npy(np.eye(3))},
        "snapshot": snapshots(),
        "certificate": certificates(),
        "dual": duals(),
        "numbers": numbers(),
        "result": results(),
        "filters": FILTERS,
        "flags": FLAGS,
    }
    for target, inputs in files.items():
        folder = CORPUS / target
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in inputs.items():
            data = content.encode() if isinstance(content, str) else content
            (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
