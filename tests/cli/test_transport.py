"""The same bytes give the same result, however they come: as a file, through standard input,
process substitution or a named pipe, packed or not. None of them is looked at twice."""

import gzip
import io
import itertools
import json
import os
import subprocess
import threading

import numpy as np
import pytest
from definitions import adds3

ITEMS = 40


def triples(count):
    """More than any buffer of a pipe holds; the order of the items tells every row apart."""
    draw = np.random.default_rng(7)
    return [draw.permutation(ITEMS)[:3].tolist() for _ in range(count)]


ROWS = triples(12_000)
RECORDS = [dict(zip(("anchor", "near", "far"), row, strict=True)) for row in ROWS]


def table(separator, end="\n"):
    lines = [["anchor", "near", "far"], *ROWS]
    return "".join(separator.join(map(str, line)) + end for line in lines).encode()


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def similarity_matrix():
    values = np.random.default_rng(5).integers(-9, 9, (ITEMS, ITEMS))
    return np.triu(values, 1) + np.triu(values, 1).T


MATRIX = similarity_matrix()


def mtx():
    pairs = [(i, j) for i in range(ITEMS) for j in range(i) if MATRIX[i, j]]
    lines = [f"{i + 1} {j + 1} {MATRIX[i, j]}" for i, j in pairs]
    head = "%%MatrixMarket matrix coordinate integer symmetric"
    return "\n".join([head, f"{ITEMS} {ITEMS} {len(pairs)}", *lines, ""]).encode()


ANSWERS = {
    "commas": table(","),
    "tabs": table("\t"),
    "semicolons": table(";"),
    "blanks": table(" "),
    "CRLF": table(",", "\r\n"),
    "byte order mark": b"\xef\xbb\xbf" + table(","),
    "no header": table(",").split(b"\n", 1)[1],
    "JSON": json.dumps(RECORDS).encode(),
    "JSON in an object": json.dumps({"study": 1, "answers": RECORDS, "end": True}).encode(),
    "JSON arrays": json.dumps(ROWS).encode(),
    "JSON lines": "".join(json.dumps(r) + "\n" for r in RECORDS).encode(),
    "npy": npy(np.array(ROWS)),
    "npy by columns": npy(np.asfortranarray(np.array(ROWS, dtype=np.int32))),
}
MATRICES = {
    "matrix npy": npy(MATRIX),
    "matrix table": "".join(",".join(map(str, row)) + "\n" for row in MATRIX).encode(),
    "matrix market": mtx(),
}


def write_to(descriptor, content):
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
    except BrokenPipeError:
        pass  # refused before the end


class Carrier:
    """Runs the program with files that come in some way. Arguments that are bytes are content."""

    numbers = itertools.count()

    def __init__(self, tertium, way):
        self.tertium = tertium
        self.way = way
        self.threads = []
        self.descriptors = []
        self.stdin = b""
        self.names = []

    def bring(self, content):
        """The argument by which the program gets this content."""
        name = f"input {next(self.numbers)}"
        if self.way.endswith("gzip"):
            content = gzip.compress(content, 1)
        if self.way.startswith("standard input"):
            self.stdin = content
            name = "-"
        elif self.way == "process substitution":
            reading, writing = os.pipe()
            self.descriptors.append(reading)
            self.start(write_to, writing, content)
            name = f"/dev/fd/{reading}"
        elif self.way == "named pipe":
            os.mkfifo(self.tertium.folder / name)
            self.start(self.write_named, name, content)
        else:
            self.tertium.file(name, content)
        self.names.append(name)
        return name

    def write_named(self, name, content):
        write_to(os.open(self.tertium.folder / name, os.O_WRONLY), content)

    def start(self, work, *arguments):
        self.threads.append(threading.Thread(target=work, args=arguments, daemon=True))
        self.threads[-1].start()

    def run(self, *arguments):
        brought = [self.bring(a) if isinstance(a, bytes) else a for a in arguments]
        done = subprocess.run(
            self.tertium.command(*brought),
            input=self.stdin,
            cwd=self.tertium.folder,
            capture_output=True,
            pass_fds=self.descriptors,
            timeout=60,
            check=False,
        )
        for descriptor in self.descriptors:
            os.close(descriptor)
        for thread in self.threads:
            thread.join(timeout=10)
            assert not thread.is_alive(), "not read to the end"
        text = done.stdout.decode() + done.stderr.decode()
        for name in [*self.names, "standard input"]:
            text = text.replace(f'"{name}"', '"INPUT"').replace(f'"{name}: ', '"INPUT: ')
        return done.returncode, text


WAYS = [
    "file",
    "gzip",
    "standard input",
    "standard input, gzip",
    "process substitution",
    "named pipe",
]
OTHER_WAYS = WAYS[1:]


# With sanitizers one way of reading once and one of unpacking are enough.
QUICK_WAYS = ("gzip", "process substitution")


@pytest.fixture(
    params=[
        way if way in QUICK_WAYS else pytest.param(way, marks=pytest.mark.slow_sanitized)
        for way in OTHER_WAYS
    ]
)
def way(request):
    return request.param


def same_as_a_file(tertium, way, *arguments, compare=lambda text: text):
    code, expected = Carrier(tertium, "file").run(*arguments)
    assert code == 0, expected
    again, text = Carrier(tertium, way).run(*arguments)
    assert (again, compare(text)) == (code, compare(expected))
    return expected


@pytest.mark.parametrize("content", ANSWERS.values(), ids=ANSWERS.keys())
def test_every_format_of_answers(tertium, way, content):
    checked = json.loads(same_as_a_file(tertium, way, "check", content, "--json"))
    assert checked["rows"]["read"] == len(ROWS)
    code, text = Carrier(tertium, way).run("similarity", content, "-q", "-o", "s.csv", "--force")
    assert code == 0, text
    assert tertium.read_csv("s.csv").pairs == adds3([tuple(map(str, row)) for row in ROWS])


@pytest.mark.parametrize("content", MATRICES.values(), ids=MATRICES.keys())
def test_every_format_of_matrices(tertium, way, content):
    checked = json.loads(same_as_a_file(tertium, way, "check", content, "--json"))
    assert checked["similarity"] == "precomputed"
    code, text = Carrier(tertium, way).run("similarity", content, "-q", "-o", "s.csv", "--force")
    assert code == 0, text
    expected = {
        frozenset((str(i), str(j))): MATRIX[i, j]
        for i in range(ITEMS)
        for j in range(i)
        if MATRIX[i, j]
    }
    assert tertium.read_csv("s.csv").pairs == expected


def test_snapshots(tertium, way):
    tertium.file("a.csv", ANSWERS["commas"])
    tertium.run("similarity", "a.csv", "-q", "-o", "a.sim")
    snapshot = (tertium.folder / "a.sim").read_bytes()
    same_as_a_file(tertium, way, "check", snapshot, "--json")
    code, text = Carrier(tertium, way).run("similarity", snapshot, "-q", "-o", "b.sim")
    assert code == 0, text
    assert (tertium.folder / "b.sim").read_bytes() == snapshot


def without_inputs(text):
    """A result without the name, size and checksum of what was read, and without its time."""
    result = json.loads(text)
    assert result.pop("inputs")
    assert result.pop("seconds")
    return result


@pytest.mark.slow_sanitized
def test_clusterings(tertium, way):
    flags = ["-k", "2", "--quick", "--json"]
    same_as_a_file(tertium, way, "cluster", ANSWERS["commas"], *flags, compare=without_inputs)


SHORT = b"anchor,near,far\n" + b"a,b,c\nb,a,c\nc,d,a\nd,c,b\n" * 30
LABELS = b"item,cluster\na,1\nb,1\nc,2\nd,2\n"
LISTS = {
    "csv": b"index,name,category\n" + "".join(f"{i},i{i},c{i % 3}\n" for i in range(9000)).encode(),
    "JSON": json.dumps([{"index": i, "name": f"i{i}"} for i in range(9000)]).encode(),
}


@pytest.mark.parametrize("content", LISTS.values(), ids=LISTS.keys())
def test_lists_of_items(tertium, way, content):
    tertium.file("a.csv", ANSWERS["commas"])
    checked = json.loads(
        same_as_a_file(tertium, way, "check", "a.csv", "--json", "--items", content)
    )
    assert checked["items"] == 9000


def test_known_clusters(tertium, way):
    tertium.file("a.csv", SHORT)
    same_as_a_file(tertium, way, "theory", "a.csv", "--truth", LABELS, "--json")


def test_labelings(tertium, way):
    tertium.file("b.csv", LABELS)
    same_as_a_file(tertium, way, "agreement", LABELS, "b.csv", "--json")


POINTS = {
    "csv": "".join(f"{i},{i * i}\n" for i in range(20_000)).encode(),
    "npy": npy(np.array([[i, i * i] for i in range(20_000)])),
}


@pytest.mark.parametrize("content", POINTS.values(), ids=POINTS.keys())
def test_points(tertium, way, content):
    same_as_a_file(tertium, way, "simulate", "--points", content, "--answers", "50", "-o", "-")


def test_certificates(tertium, way):
    tertium.file("a.csv", SHORT)
    tertium.run("sdp", "a.csv", "--clusters", "2", "--certificate", "proof.json", "-q")
    proof = (tertium.folder / "proof.json").read_bytes()
    same_as_a_file(tertium, way, "verify", proof, "a.csv", "--json")


def test_answers_of_certificates(tertium, way):
    tertium.file("a.csv", SHORT)
    tertium.run("sdp", "a.csv", "--clusters", "2", "--certificate", "proof.json", "-q")
    same_as_a_file(tertium, way, "verify", "proof.json", SHORT, "--json")


def test_several_pipes_at_once(tertium):
    half = len(ROWS) // 2
    parts = [
        "".join(f"{a},{b},{c}\n" for a, b, c in part).encode()
        for part in (ROWS[:half], ROWS[half:])
    ]
    code, text = Carrier(tertium, "process substitution").run(
        "similarity", *parts, "-q", "-o", "s.csv"
    )
    assert code == 0, text
    assert tertium.read_csv("s.csv").pairs == adds3([tuple(map(str, row)) for row in ROWS])


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "-", "-"],
        ["check", "-", "--items", "-"],
        ["theory", "-", "--truth", "-"],
        ["verify", "-", "-"],
        ["agreement", "-", "-"],
    ],
    ids=" ".join,
)
def test_standard_input_is_read_once(tertium, arguments):
    assert "more than once" in tertium.refuse(*arguments, stdin=SHORT)


def test_a_pipe_in_a_folder_is_neither_lost_nor_waited_for(tertium):
    tertium.file("session/a.csv", SHORT)
    os.mkfifo(tertium.folder / "session" / "b.csv")
    done = tertium.run("check", "session", code=2)
    assert "b.csv" in done.stderr
    assert "pipe" in done.stderr


def test_a_broken_link_in_a_folder_is_not_lost(tertium):
    tertium.file("session/a.csv", SHORT)
    (tertium.folder / "session" / "b.csv").symlink_to("nowhere.csv")
    assert "b.csv" in tertium.run("check", "session", code=2).stderr


@pytest.mark.parametrize("flag", ["input", "--items", "--truth"])
def test_waiting_for_a_named_pipe_can_be_stopped(tertium, flag):
    tertium.file("a.csv", SHORT)
    os.mkfifo(tertium.folder / "pipe")
    command = {
        "input": ["check", "pipe"],
        "--items": ["check", "a.csv", "--items", "pipe"],
        "--truth": ["theory", "a.csv", "--truth", "pipe"],
    }[flag]
    program = subprocess.Popen(
        tertium.command(*command), cwd=tertium.folder, stderr=subprocess.PIPE, text=True
    )
    # The pipe can be opened for writing, without waiting, once the program waits for it.
    descriptor = None
    while descriptor is None and program.poll() is None:
        try:
            descriptor = os.open(tertium.folder / "pipe", os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            continue
    program.terminate()
    _, message = program.communicate(timeout=60)
    os.close(descriptor)
    assert program.returncode == 130, message
