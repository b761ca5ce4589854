"""Hostile files: whatever they announce, nest or inflate to, the program answers within little
memory and time, and never by a signal."""

import gzip
import io
import json
import os
import resource
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from certificates import Problem, sealed

ADDRESS_SPACE = 1 << 30
CPU_SECONDS = 5
HEADER = "anchor,near,far\n"
SHORT = HEADER + "a,b,c\nb,a,c\nc,d,a\n"

# A program with sanitizers reserves more addresses than any limit here.
pytestmark = pytest.mark.slow_sanitized


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def announced(shape, order="False", kind="<i8", content=b"\0" * 24, version=1):
    """An array that claims a shape, whatever follows."""
    text = f"{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}".encode()
    return npy_with_header(text, content, version)


def npy_with_header(text, content=b"", version=1):
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text + content


def bomb(start, block, megabytes, end=b""):
    """gzip that inflates to many times its size: members may follow each other."""
    times = -(-(1 << 20) // len(block))
    member = gzip.compress(block * times, 9)
    return gzip.compress(start, 1) + member * megabytes + gzip.compress(end, 1)


def own_keys(count, **fields):
    return [{**fields, f"key{i}": i} for i in range(count)]


def names(count):
    return ",".join(f"column{i}" for i in range(count))


def nested(depth, inside):
    return '{"a":' * depth + inside + "}" * depth


ANSWER = {"anchor": "a", "near": "b", "far": "c"}
JSON_BOMB = 40  # MB, more than the limit that PACKED sets
LARGE_BOMB = 300  # MB, more than the limit that is there without a flag
MANY = 60_000

# name -> (what is read, as bytes, text or a function that makes it; exit code; command with FILE)
CHECK = ["check", "FILE"]
ITEMS = ["check", "short.csv", "--items", "FILE"]
TRUTH = ["theory", "short.csv", "--truth", "FILE"]
POINTS = ["simulate", "--points", "FILE", "--answers", "9", "-o", "-"]
AGREEMENT = ["agreement", "FILE", "labels.csv"]
MATRIX = ["check", "FILE", "--kind", "matrix"]
PACKED = ["--read-limit", "32"]

HOSTILE = {
    # delimited text
    "unknown columns": (lambda: names(100_000) + "\n" + names(100_000).upper() + "\n", 2, CHECK),
    "unknown columns and many rows": (
        lambda: names(2_000) + "\n" + ("x," * 1_999 + "y\n") * 2_000,
        2,
        CHECK,
    ),
    "unknown columns and a flag": (
        lambda: names(100_000) + "\n" + names(100_000).upper() + "\n",
        2,
        [*CHECK, "--anchor", "clumn77", "--near", "a", "--far", "b"],
    ),
    "a row of commas": (lambda: "," * 8_000_000, 2, CHECK),
    "a row of blanks": (lambda: "1 " * 4_000_000 + "\n", 2, CHECK),
    "two million columns": (lambda: "1," * 2_000_000 + "1\n", 2, CHECK),
    "open quotation mark": (lambda: HEADER + 'a,b,c\n"' + "x\n" * 10_000_000, 2, CHECK),
    "quotation marks": (lambda: HEADER + "a,b," + '"' * 5_000_000 + "\n", 0, CHECK),
    "long item": (lambda: HEADER + "a,b," + "x" * 20_000_000 + "\n", 0, CHECK),
    "line ends only": (lambda: "\n" * 20_000_000, 2, CHECK),
    "zeros behind the start": (lambda: SHORT + "a,b,c\n" * 20_000 + "\0" * 5_000_000, 2, CHECK),
    "carriage returns": (lambda: "a,b,c\r" * 1_000_000, 2, CHECK),
    "large ids": ("0,1,1048575\n1,0,99999999999999999999\n", 0, CHECK),
    "ids that need a large table": ("0,1,9999999\n1,0,9999998\n" * 9, 0, CHECK),
    "weight beyond numbers": (HEADER[:-1] + ",weight\na,b,c,1e999999\n", 2, CHECK),
    "long weight": (lambda: HEADER[:-1] + f",weight\na,b,c,{'1' * 1_000_000}\n", 2, CHECK),
    "ranking of very many": (
        lambda: 'ref,options,answer\nr,"' + str([f"o{i}" for i in range(20_000)]) + '",o1\n',
        2,
        CHECK,
    ),
    "one long option in a cell": (  # which is no question
        lambda: "ref,options,answer\nr,[" + "{};" * 500_000 + "{}],x\n",
        2,
        CHECK,
    ),
    "list of objects in a cell": (
        lambda: 'ref,options,answer\nr,"[' + "{}," * 500_000 + '{}]",x\n',
        2,
        CHECK,
    ),
    "deep list in a cell": (
        lambda: "ref;options;answer\nr;" + "[" * 500_000 + ";x\n",
        2,
        CHECK,
    ),
    "open answers in wide rows": (
        lambda: (
            "anchor,left,right,answer,"
            + names(3_000)
            + "\n"
            + ("1,2,0,1" + ",x" * 3_000 + "\n") * 900
        ),
        2,
        CHECK,
    ),
    # JSON
    "own keys": (lambda: json.dumps(own_keys(MANY)), 2, CHECK),
    "own keys beside answers": (lambda: json.dumps(own_keys(MANY, **ANSWER)), 0, CHECK),
    "own keys beside open answers": (
        lambda: json.dumps(own_keys(MANY, anchor="1", left="2", right="0", answer="1")),
        2,
        CHECK,
    ),
    "own keys in lines": (
        lambda: "".join(json.dumps(r) + "\n" for r in own_keys(MANY, **ANSWER)),
        0,
        CHECK,
    ),
    "many fields around many records": (
        lambda: json.dumps({**{f"f{i}": i for i in range(MANY)}, "answers": [ANSWER] * MANY}),
        0,
        CHECK,
    ),
    "many fields around wrapped records": (
        lambda: json.dumps(
            {**{f"f{i}": i for i in range(MANY)}, "all": [{"p": 1, "answers": [ANSWER]}] * 20_000}
        ),
        0,
        CHECK,
    ),
    "many fields around many tables": (
        lambda: json.dumps(
            {**{f"f{i}": i for i in range(20_000)}, **{f"t{i}": [ANSWER] for i in range(9_000)}}
        ),
        2,
        CHECK,
    ),
    "many tables": (lambda: json.dumps({f"t{i}": [ANSWER] for i in range(MANY)}), 2, CHECK),
    "repeated keys": (
        lambda: '[{"anchor":"a","near":"b",' + '"far":"c",' * 300_000 + '"far":"c"}]',
        0,
        CHECK,
    ),
    "escaped keys": (lambda: "[{" + r'"\u0061":1,' * 300_000 + '"b":2}]', 2, CHECK),
    "a long key, nested": (
        lambda: json.dumps({"k" * 1_000_000: [ANSWER] * 20_000, "l": [{"x": [ANSWER]}] * 9_000}),
        0,
        CHECK,
    ),
    "deep": (lambda: nested(100_000, "1"), 2, CHECK),
    "deep arrays": (lambda: "[" * 1_000_000, 2, CHECK),
    "as deep as allowed and wide": (
        lambda: nested(90, json.dumps({"answers": [ANSWER] * 30_000})),
        0,
        CHECK,
    ),
    "number beyond numbers": ('[{"anchor": 1e400, "near": 2, "far": 3}]', 2, CHECK),
    "number of a million digits": (lambda: f"[[1,2,3],[1,2,{'9' * 1_000_000}]]", 2, CHECK),
    "number with a million decimals": (lambda: f"[[1,2,3],[1,2,0.{'3' * 1_000_000}]]", 0, CHECK),
    "half a character": (r'[{"anchor": "\ud800", "near": "b", "far": "c"}]', 2, CHECK),
    "unknown escape": (r'[{"anchor": "\x41", "near": "b", "far": "c"}]', 2, CHECK),
    "numbers only": (lambda: "[" + "0," * 4_000_000 + "0]", 2, CHECK),
    "one row of numbers": (lambda: "[[" + "0," * 4_000_000 + "0]]", 2, CHECK),
    "one long line": (lambda: "[1,2,3]\n[" + "1," * 3_000_000 + "1]\n", 2, CHECK),
    "broken at the end": (lambda: json.dumps([ANSWER] * 200_000)[:-1], 2, CHECK),
    # gzip that inflates
    "blanks packed": (lambda: bomb(b"[", b" ", LARGE_BOMB), 2, CHECK),
    "numbers packed": (lambda: bomb(b"[", b"0,", JSON_BOMB), 2, [*CHECK, *PACKED]),
    "brackets packed": (lambda: bomb(b"", b"[", JSON_BOMB), 2, [*CHECK, *PACKED]),
    "text packed": (lambda: bomb(b'["', b"x", JSON_BOMB), 2, [*CHECK, *PACKED]),
    "a row packed": (lambda: bomb(b"", b"x", 100), 2, CHECK),
    "items packed": (lambda: bomb(b"name\n", b"x\n", JSON_BOMB), 2, [*ITEMS, *PACKED]),
    "items packed as JSON": (lambda: bomb(b"[", b" ", JSON_BOMB), 2, [*ITEMS, *PACKED]),
    "clusters packed": (lambda: bomb(b"item,cluster\n", b"x,1\n", JSON_BOMB), 2, [*TRUTH, *PACKED]),
    "labels packed": (
        lambda: bomb(b"item,cluster\n", b"x,1\n", JSON_BOMB),
        2,
        [*AGREEMENT, *PACKED],
    ),
    "points packed": (lambda: bomb(b"", b"1,2\n", JSON_BOMB), 2, [*POINTS, *PACKED]),
    "matrix packed": (lambda: bomb(b"", b"1,2,3,4,5\n", JSON_BOMB), 2, [*MATRIX, *PACKED]),
    "members without content": (lambda: gzip.compress(b"") * 100_000, 2, CHECK),
    # arrays
    "array of many rows": (announced("(1000000000000, 3)"), 2, CHECK),
    "array of many columns": (announced("(3, 1000000000000)"), 2, CHECK),
    "array of columns that would fit": (announced("(1, 1000000)"), 2, CHECK),
    "array by columns": (announced("(300000000, 3)", "True"), 2, CHECK),
    "array beyond numbers": (announced("(18446744073709551616, 3)"), 2, CHECK),
    "array whose size overflows": (announced("(4294967296, 4294967296)"), 2, CHECK),
    "array of less than nothing": (announced("(-1, 3)"), 2, CHECK),
    "array without columns": (announced("(3, 0)"), 2, CHECK),
    "array with a long header": (npy_with_header(b"{" + b"'descr': " * 7_000), 2, CHECK),
    "array with a header of brackets": (npy_with_header(b"(" * 65_000), 2, CHECK),
    "array with a header of blanks": (npy_with_header(b" " * 65_535), 2, CHECK),
    "array with a header of gigabytes": (
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + b"{" * 90_000,
        2,
        CHECK,
    ),
    "array that announces a packed lot": (
        lambda: gzip.compress(announced("(100000000, 3)", "True")),
        2,
        CHECK,
    ),
    "array by columns, packed": (
        lambda: bomb(announced("(1000000000, 3)", "True", "|u1"), b"\0", JSON_BOMB),
        2,
        [*CHECK, *PACKED],
    ),
    "array of points": (announced("(1000000000000, 3)", kind="<f8"), 2, POINTS),
    "array as a matrix": (announced("(1000000, 1000000)"), 2, MATRIX),
}


def limited(address_space):
    def set_limits():
        resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return set_limits


def run_limited(tertium, arguments, address_space=ADDRESS_SPACE):
    return subprocess.run(
        tertium.command(*arguments),
        cwd=tertium.folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        preexec_fn=limited(address_space),
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(("content", "code", "command"), HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_files(tertium, content, code, command):
    tertium.file("short.csv", SHORT)
    tertium.file("labels.csv", "item,cluster\na,1\nb,2\n")
    tertium.file("hostile", content() if callable(content) else content)
    done = run_limited(tertium, ["hostile" if a == "FILE" else a for a in command])
    message = done.stderr.decode()
    assert done.returncode == code, message[:2000]
    if done.returncode == 2:
        assert message.startswith("tertium: ")
        assert len(message) < 2000


def test_the_limit_can_be_raised(tertium):
    tertium.file("a.json.gz", gzip.compress(json.dumps([ANSWER] * 50_000).encode(), 1))
    assert "--read-limit" in tertium.refuse("check", "a.json.gz", "--read-limit", "1")
    assert tertium.check("a.json.gz", "--read-limit", "3")["rows"]["read"] == 50_000
    # What lies unpacked on the disk is no surprise.
    tertium.file("a.json", json.dumps([ANSWER] * 50_000))
    assert tertium.check("a.json", "--read-limit", "1")["rows"]["read"] == 50_000


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf", "1e30"])
def test_limits_that_are_none(tertium, limit):
    tertium.file("a.csv", SHORT)
    assert "--read-limit" in tertium.refuse("check", "a.csv", f"--read-limit={limit}")


# OpenBLAS tries for ever to get memory that it is not allowed to have.
@pytest.mark.parametrize("megabytes", [50, 60, 80, 100, 125, 150, 175, 200, 250, 300, 400, 600])
@pytest.mark.parametrize("command", [["--version"], ["sdp", "short.csv", "-k", "2", "-q"]])
def test_little_address_space(tertium, megabytes, command):
    tertium.file("short.csv", SHORT)
    done = run_limited(tertium, command, megabytes << 20)
    message = done.stderr.decode()
    if "loading shared libraries" in message:
        return  # nothing of the program has run
    assert done.returncode in (0, 2), (done.returncode, message)
    if done.returncode == 2:
        assert "memory" in message


def test_a_deep_tree_takes_no_more_than_its_size(tertium):
    """A proof of a megabyte, in which the demands on all ways to the leaves are 5 * 10^9."""
    integers = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    problem = Problem("precomputed", list("012"), [1, 1, 2], integers)
    tertium.file("s.npy", npy(integers))
    numbers = b"tertium numbers\n"
    tertium.file("c.numbers", numbers)
    deep = 100_000
    fields = problem.fields("bound") | {
        "version": 2,
        "upper_bound": 2.0,
        "only_best": False,
        "tree": [[0, 1]] * deep + [None] * (deep + 1),
        "numbers": "c.numbers",
        "numbers_checksum": zlib.crc32(numbers),
    }
    tertium.file("c.json", sealed(fields))
    done = run_limited(tertium, ["verify", "c.json", "s.npy", "--kind", "matrix"])
    assert (done.returncode, b"cut off" in done.stderr) == (3, True), done.stderr
    script = Path(__file__).resolve().parents[2] / "tools" / "check_certificate.py"
    done = subprocess.run(
        [sys.executable, script, "c.json", "s.npy"],
        cwd=tertium.folder,
        capture_output=True,
        preexec_fn=limited(ADDRESS_SPACE),
        check=False,
    )
    assert (done.returncode, b"cut off" in done.stderr) == (3, True), done.stderr


# --- twice the input takes less than three times the time ---

GROWING = {
    "unknown columns": lambda n: names(8 * n) + "\n" + names(8 * n).upper() + "\n",
    "a row in quotation marks": lambda n: HEADER + 'a,b,"' + "x,\n" * (300 * n),
    "records": lambda n: json.dumps([ANSWER] * (8 * n)),
    "records in an object": lambda n: json.dumps({"answers": [ANSWER] * (8 * n)}),
    "records with own keys": lambda n: json.dumps(own_keys(4 * n, **ANSWER)),
    "lines with own keys": lambda n: "".join(
        json.dumps(r) + "\n" for r in own_keys(4 * n, **ANSWER)
    ),
    "fields around records": lambda n: json.dumps(
        {**{f"f{i}": i for i in range(4 * n)}, "answers": [ANSWER] * (4 * n)}
    ),
    "repeated keys": lambda n: "[{" + '"far":"c",' * (30 * n) + '"b":1}]',
    "objects in a list": lambda n: json.dumps([{**ANSWER, "l": [0] + [{}] * (40 * n)}]),
    "names": lambda n: HEADER + "".join(f"x{i},y{i},z{i}\n" for i in range(4 * n)),
}


def user_seconds(tertium, name):
    """CPU time of the program itself: what other processes do does not count."""
    process = subprocess.Popen(
        tertium.command("check", name, "-q", "--threads", "1"),
        cwd=tertium.folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in (0, 2)
    return usage.ru_utime + usage.ru_stime


@pytest.mark.parametrize("content", GROWING.values(), ids=GROWING.keys())
def test_twice_as_much_takes_less_than_three_times(tertium, content):
    tertium.file("once", content(8_000))
    tertium.file("twice", content(16_000))
    # What is in proportion shows it in one of a few attempts, what is quadratic in none.
    ratios = []
    while len(ratios) < 8 and not any(ratio < 3 for ratio in ratios):
        ratios.append(user_seconds(tertium, "twice") / max(user_seconds(tertium, "once"), 0.02))
    assert min(ratios) < 3, ratios


if __name__ == "__main__":
    sys.exit(f"{len(HOSTILE)} hostile files")
