"""Whatever a file or a flag holds, nothing of it acts on the terminal or hides in it.

PATHS lists the ways by which a text of others gets into a message; each is tried with every kind of
text in HOSTILE. The only control character that may come out is the end of a line.
"""

import json
import os
import pty
import subprocess
import unicodedata

import pytest

HOSTILE = {
    "escape sequences": b"\x1b[31m\x1b]0;x\x07",
    "C1": "\u009b31m\u0085".encode(),
    "direction": "\u202e\u2066\u200f\u061c".encode(),
    "hidden": "\x7f\u200b\ufeff\U000e0041".encode(),
    "line separators": "\u2028\u2029".encode(),
    "return": b"\rtertium: all is well",
    "zero byte": b"\0",
    "not UTF-8": b"\xff\x9b31m\xc0\x80",
}
# These may end a line, a text or a file before they are shown.
SOMETIMES_LOST = {"return", "zero byte", "not UTF-8"}
HIDDEN = {0x61C, 0x200B, 0x200E, 0x200F, 0xFEFF, *range(0x2028, 0x202F), *range(0x2066, 0x206A)}
MARK = b"zq"
# As it is, as a shell word of bytes, or only what JSON refuses after it.
MARKS_SHOWN = [MARK, rb"\x7a\x71", rb"\x1B[31m"]


def answers(name=b"a"):
    """Answers about two groups of three items, one with the given name."""
    lines = [b"anchor,near,far"]
    for one, other in (("abc", "def"), ("def", "abc")):
        for x in range(3):
            for far in other:
                triplet = (one[x], one[(x + 1) % 3], far)
                lines.append(b",".join(name if c == "a" else c.encode() for c in triplet))
    return b"\n".join(lines) + b"\n"


def quoted(text):
    return b'"' + text + b'"'


def as_json(text):
    """A string of JSON: zero bytes and the like as they are, to see what the reader says."""
    return b'"' + text.replace(b"\\", b"\\\\") + b'"'


def npy(header):
    header = header.ljust(118)
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header


def snapshot(lab, text):
    lab.file("a.csv", answers(quoted(text)))
    lab.run("similarity", "a.csv", "-q", "-o", "a.sim", code=None)
    return "a.sim" if (lab.folder / "a.sim").exists() else "a.csv"


def claim(lab, **fields):
    lab.file("a.csv", answers())
    lab.run("sdp", "a.csv", "-k", 2, "--certificate", "c.json")
    text = (lab.folder / "c.json").read_bytes()
    for old, new in fields.items():
        assert f'"{old}": '.encode() in text
        text = text.replace(f'"{old}": '.encode(), f'"{old}": '.encode() + new + b', "x": ', 1)
    return lab.file("c.json", text)


def file(lab, name, content):
    lab.file(name, content)
    return name


def on_disk(lab, text, content, ending=b".csv"):
    """A file with a hostile name, or nothing where there can be none."""
    if b"\0" in text:
        pytest.skip("no name holds a zero byte")
    name = text.replace(b"/", b"") + ending
    (lab.folder / os.fsdecode(name)).write_bytes(content)
    return name


def flag(text):
    if b"\0" in text:
        pytest.skip("no argument holds a zero byte")
    return text


def many(lab, text):
    on_disk(lab, text, b"x")
    return "."


PATHS = {
    # file names
    "name of a missing file": lambda lab, t: ["check", flag(t)],
    "name of a file": lambda lab, t: ["check", on_disk(lab, t, answers())],
    "name of a file without header": lambda lab, t: ["check", on_disk(lab, t, b"1 2 3\n2 3 1\n")],
    "name of a file, JSON": lambda lab, t: ["check", on_disk(lab, t, answers()), "--json"],
    "name of a bad file": lambda lab, t: ["check", on_disk(lab, t, b"x,y\n1,2\n")],
    "similar names": lambda lab, t: ["check", on_disk(lab, t, b"x").replace(b"q", b"w")],
    "names in a folder": lambda lab, t: ["agreement", many(lab, t), "b.csv"],
    "names in an output folder": lambda lab, t: (
        ["cluster", file(lab, "in/a.csv", answers()), "--quick", "-o", many(lab, t)]
    ),
    "name of an output": lambda lab, t: (
        ["similarity", file(lab, "a.csv", answers()), "-o", flag(t) + b".npy"]
    ),
    "name of an output of simulate": lambda lab, t: (
        ["simulate", "--items", 9, "-k", 2, "--answers", 9, "-o", flag(t), "--truth", t + b"t"]
    ),
    "name of a result": lambda lab, t: (
        ["cluster", file(lab, "a.csv", answers()), "-k", 2, "--quick", "-o", flag(t)]
    ),
    "name of answers that prove": lambda lab, t: (
        ["cluster", on_disk(lab, t, answers()), "-k", 2, "--quick", "-o", "out"]
    ),
    # flags
    "command": lambda lab, t: [flag(t)],
    "help": lambda lab, t: ["help", flag(t)],
    "unknown flag": lambda lab, t: ["check", b"--" + flag(t)],
    "more arguments": lambda lab, t: ["help", "check", flag(t)],
    "number": lambda lab, t: ["check", "a.csv", "--threads", flag(t)],
    "kind": lambda lab, t: ["check", "a.csv", "--kind", flag(t)],
    "clusters": lambda lab, t: ["cluster", "a.csv", "--clusters", flag(t)],
    "goal": lambda lab, t: ["plan", "--items", 9, "-k", 2, "--goal", flag(t)],
    "formula": lambda lab, t: (
        ["simulate", "--items", 9, "-k", 2, "--answers", flag(t), "-o", "x.csv"]
    ),
    "column": lambda lab, t: ["check", file(lab, "a.csv", answers()), "--near", flag(t)],
    "where, no condition": lambda lab, t: [
        "check",
        file(lab, "a.csv", answers()),
        "--where",
        flag(t),
    ],
    "where, column": lambda lab, t: (
        ["check", file(lab, "a.csv", answers()), "--where", flag(t) + b"=1"]
    ),
    "where, value": lambda lab, t: (
        ["check", file(lab, "a.csv", answers()), "--where", b"near=" + flag(t)]
    ),
    "column of items": lambda lab, t: (
        [
            "check",
            file(lab, "a.csv", answers()),
            "--items",
            file(lab, "i.csv", b"name\na\n"),
            "--item-name",
            flag(t),
        ]
    ),
    # tables
    "header": lambda lab, t: ["check", file(lab, "a.csv", b"who,what,%s\n1,2,3\n" % quoted(t))],
    "header that is used": lambda lab, t: (
        ["check", file(lab, "a.csv", answers().replace(b"near", quoted(t), 1)), "--near", flag(t)]
    ),
    "cell": lambda lab, t: (
        ["check", file(lab, "a.csv", b"anchor,near,far,weight\na,b,c,%s\n" % quoted(t))]
    ),
    "bad rows": lambda lab, t: (
        [
            "check",
            file(lab, "a.csv", b"anchor,near,far,weight\na,b,c,%s\na,b,c,1\n" % quoted(t)),
            "--skip-bad-rows",
        ]
    ),
    "item": lambda lab, t: ["check", file(lab, "a.csv", answers(quoted(t)))],
    "item, JSON": lambda lab, t: (
        ["check", file(lab, "a.csv", answers() + b"a,b,%s\n" % quoted(t)), "--json"]
    ),
    "items of a similarity": lambda lab, t: (
        ["similarity", file(lab, "a.csv", answers(quoted(t))), "-o", "s.mtx"]
    ),
    "participant": lambda lab, t: (
        ["check", file(lab, "a.csv", b"anchor,near,far,participant\na,b,c,%s\n" % quoted(t))]
    ),
    "clusters of items": lambda lab, t: (
        ["cluster", file(lab, "a.csv", answers(quoted(t))), "-k", 2, "--quick"]
    ),
    "clusters of items, JSON": lambda lab, t: (
        ["cluster", file(lab, "a.csv", answers(quoted(t))), "-k", 2, "--quick", "--json"]
    ),
    "items left out": lambda lab, t: (
        ["cluster", file(lab, "a.csv", answers() + quoted(t) + b",x,y\n"), "-k", 2, "--quick"]
    ),
    "snapshot": lambda lab, t: ["similarity", snapshot(lab, t), "-o", "b.npy"],
    "snapshot, sdp": lambda lab, t: ["sdp", snapshot(lab, t), "-k", 2, "--json"],
    "items file": lambda lab, t: (
        [
            "check",
            file(lab, "a.csv", answers()),
            "--items",
            file(lab, "i.csv", b"name\n%s\n" % b"\n".join([quoted(t), *b"a b".split()])),
            "--unknown-items",
            "add",
        ]
    ),
    "items file, categories": lambda lab, t: (
        [
            "check",
            file(lab, "a.csv", answers()),
            "--unknown-items",
            "add",
            "--items",
            file(lab, "i.csv", b"name,category\na,%s\nb,y\n" % quoted(t)),
        ]
    ),
    "truth": lambda lab, t: (
        [
            "cluster",
            file(lab, "a.csv", answers()),
            "-k",
            2,
            "--quick",
            "--truth",
            file(lab, "t.csv", b"item,class\n%s,1\n%s,2\n" % (quoted(t), quoted(t))),
        ]
    ),
    "items of one labeling only": lambda lab, t: (
        [
            "agreement",
            file(lab, "1.csv", b"item,class\na,1\nb,2\n%s,1\n" % quoted(t)),
            file(lab, "2.csv", b"item,class\na,1\nb,2\n"),
        ]
    ),
    "points": lambda lab, t: (
        [
            "simulate",
            "--points",
            file(lab, "p.csv", b"x,y\n1,2\n3,%s\n" % quoted(t)),
            "--answers",
            9,
            "-o",
            "x.csv",
        ]
    ),
    # other formats
    "JSON key": lambda lab, t: (
        ["check", file(lab, "a.json", b'[{%s: 1, "who": 2}]' % as_json(t))]
    ),
    "JSON value": lambda lab, t: (
        ["check", file(lab, "a.json", b'[{"anchor": %s, "near": 1, "far": 2}]' % as_json(t))]
    ),
    "JSON escape": lambda lab, t: (
        [
            "check",
            file(lab, "a.json", json.dumps([{"anchor": t.decode("latin-1"), "near": 1, "far": 2}])),
        ]
    ),
    "JSON lines": lambda lab, t: (
        ["check", file(lab, "a.jsonl", b'{"anchor": 1, "near": 2, "far": 3}\n{%s\n' % as_json(t))]
    ),
    "no JSON": lambda lab, t: ["check", file(lab, "a.json", b"[{%s" % t)],
    "npy header": lambda lab, t: (
        [
            "check",
            file(lab, "a.npy", npy(b"{'descr': '%s', 'fortran_order': False, 'shape': (1,3)}" % t)),
        ]
    ),
    "npy shape": lambda lab, t: (
        [
            "check",
            file(lab, "a.npy", npy(b"{'descr': '<i8', 'fortran_order': False, 'shape': (%s)}" % t)),
        ]
    ),
    "mtx header": lambda lab, t: (
        [
            "sdp",
            file(lab, "a.mtx", b"%%%%MatrixMarket matrix coordinate %s symmetric\n1 1 0\n" % t),
            "-k",
            1,
        ]
    ),
    "mtx names": lambda lab, t: (
        [
            "check",
            file(
                lab,
                "a.mtx",
                b"%%%%MatrixMarket matrix coordinate integer symmetric\n%%item 1 %s\n2 2 1\nx\n"
                % t,
            ),
        ]
    ),
    "claim": lambda lab, t: ["verify", claim(lab, claim=as_json(t)), "a.csv"],
    "claim, JSON": lambda lab, t: ["verify", claim(lab, claim=as_json(t)), "a.csv", "--json"],
    "items of a certificate": lambda lab, t: (
        ["verify", claim(lab, items=b"[%s]" % as_json(t)), "a.csv"]
    ),
    "similarity of a certificate": lambda lab, t: (
        ["verify", claim(lab, similarity=as_json(t)), "a.csv"]
    ),
    "no certificate": lambda lab, t: [
        "verify",
        file(lab, "c.json", t),
        file(lab, "a.csv", answers()),
    ],
}
# The value is only counted, compared or named by its place there.
NOT_SHOWN = {
    "npy header",
    "npy shape",
    "mtx header",
    "mtx names",
    "claim",
    "claim, JSON",
    "items of a certificate",
    "similarity of a certificate",
    "no certificate",
    "no JSON",
    "JSON lines",
    "items file",
    "number",
    "formula",
    "where, value",
}


def assert_clean(shown):
    text = shown.decode("utf-8")  # also: nothing that is not UTF-8
    bad = {
        f"U+{ord(c):04X}"
        for c in text
        if c != "\n" and (unicodedata.category(c) == "Cc" or ord(c) in HIDDEN)
    }
    assert not bad, (bad, text)


def run(lab, arguments):
    command = [word if isinstance(word, bytes) else str(word) for word in arguments]
    return subprocess.run(
        [*lab.command(), *command],
        stdin=subprocess.DEVNULL,
        cwd=lab.folder,
        capture_output=True,
        timeout=60,
        check=False,
    )


# With sanitizers one text that is shown and one that cannot be read are enough.
QUICK = ("escape sequences", "not UTF-8")


@pytest.mark.parametrize(
    "hostile",
    [
        kind if kind in QUICK else pytest.param(kind, marks=pytest.mark.slow_sanitized)
        for kind in HOSTILE
    ],
)
@pytest.mark.parametrize("path", PATHS.keys())
def test_nothing_acts_on_the_terminal(tertium, path, hostile):
    done = run(tertium, PATHS[path](tertium, MARK + HOSTILE[hostile] + b"x"))
    assert done.returncode in (0, 2, 3), done.stderr
    for shown in (done.stdout, done.stderr):
        assert_clean(shown)
    if hostile not in SOMETIMES_LOST and path not in NOT_SHOWN:
        shown = done.stdout + done.stderr
        assert any(mark in shown for mark in MARKS_SHOWN), "the text does not get into the message"


@pytest.mark.parametrize("json_", [[], ["--json"]], ids=["text", "JSON"])
@pytest.mark.parametrize("hostile", ["escape sequences", "C1", "direction"])
def test_on_a_terminal_only_our_own_codes(tertium, hostile, json_):
    """Progress and titles have codes of their own; nothing else has."""
    tertium.file("a.csv", answers(quoted(MARK + HOSTILE[hostile])))
    reader, terminal = pty.openpty()
    done = subprocess.Popen(
        tertium.command("cluster", "a.csv", "-k", 2, "--resamples", 2000, "-o", "out", *json_),
        cwd=tertium.folder,
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
    )
    os.close(terminal)
    shown = b""
    try:
        while part := os.read(reader, 65536):
            shown += part
    except OSError:  # Linux says so at the end of a terminal
        pass
    os.close(reader)
    assert done.wait(timeout=60) == 0
    assert MARK in shown
    for ours in (b"\r\n", b"\r\x1b[K", b"\x1b[1m", b"\x1b[0m"):
        shown = shown.replace(ours, b"\n" if ours == b"\r\n" else b"")
    assert_clean(shown)


def test_names_for_programs_stay_as_they_are(tertium):
    name = "a\x1b\u202e\u009b\x7f\u2028=b"
    tertium.file("a.csv", answers(f'"{name}"'.encode()))
    done = tertium.run("cluster", "a.csv", "-k", 2, "--quick", "-o", "out", "--json")
    assert name in json.loads(done.stdout)["items"]
    assert name in json.loads(tertium.files()["out/result.json"])["items"]
    assert f"\n{name},".encode() in tertium.files()["out/labels.csv"]
    tertium.run("similarity", "a.csv", "-q", "-o", "s.csv")
    assert name.encode() in tertium.files()["s.csv"]


def test_the_line_to_check_the_proof_works_with_any_name(tertium):
    name = "a\x1b[31m 'b'\u202e.csv"
    (tertium.folder / name).write_bytes(answers())
    says = tertium.run("cluster", name, "-k", 2, "--quick", "-o", "out").stdout
    (line,) = (x for x in says.splitlines() if x.startswith("check the proof"))
    command = line.removeprefix("check the proof").replace("tertium", tertium.command()[0], 1)
    done = subprocess.run(
        ["bash", "-c", command], cwd=tertium.folder, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr


# ---- spreadsheets


def test_spreadsheets_get_labels_of_their_own(tertium):
    tertium.file("a.csv", answers(b"=1+1"))
    plain = tertium.run("cluster", "a.csv", "-k", 2, "--quick", "-o", "out")
    assert "1 of the names could be formulas" in plain.stderr
    assert "--spreadsheet" in plain.stderr
    labels = tertium.files()["out/labels.csv"]
    assert b"\n=1+1," in labels
    done = tertium.run("cluster", "a.csv", "-k", 2, "--quick", "-o", "out", "--spreadsheet")
    assert done.stderr == ""
    assert tertium.files()["out/labels.csv"] == labels
    safe = tertium.files()["out/spreadsheet.csv"]
    assert safe == b"\xef\xbb\xbf" + labels.replace(b"\n=1+1,", b"\n'=1+1,")
    tertium.run("cluster", "a.csv", "-k", 2, "--quick", "-o", "out")
    assert "out/spreadsheet.csv" not in tertium.files()
    assert "--spreadsheet" in tertium.refuse("cluster", "a.csv", "--spreadsheet")
