"""--quiet and --json of every command: the same words, the same exit codes, the same files."""

import json
import os
import pty
import select
import subprocess

import numpy as np
import pytest

MODEL = ["--items", 12, "--clusters", 2, "--epsilon", 1, "--delta", 1]
# Each with the files that it writes.
CALLS = {
    "check": (["a.csv"], []),
    "check of a snapshot": (["a.sim"], []),
    "similarity": (["a.csv", "-o", "s.npy"], ["s.npy", "s.items.csv"]),
    "sdp": (
        ["a.csv", "-k", 3, "--certificate", "c.json", "--save-x", "x.npy"],
        ["c.json", "x.npy"],
    ),
    "verify": (["proof.json", "a.csv"], []),
    "cluster": (["a.csv", "-k", 3, "--resamples", 9, "-o", "out"], ["out/labels.csv"]),
    "agreement": (["t.csv", "other.csv"], []),
    "simulate": ([*MODEL, "--answers", 99, "-o", "b.csv", "--truth", "u.csv"], ["b.csv", "u.csv"]),
    "plan": ([*MODEL, "--runs", 20, "--svg", "p.svg"], ["p.svg"]),
    "plan, the reverse": ([*MODEL, "--runs", 20, "--answers", 50], []),
    "theory": (["a.csv", "--truth", "t.csv"], []),
}
CASES = pytest.mark.parametrize(("name", "call", "files"), [(n, *c) for n, c in CALLS.items()])


def command_of(name):
    return name.split()[0].rstrip(",")


@pytest.fixture
def survey(tertium, clear):
    """Answers with a note to make (an item that only one labeling has), a truth and a proof."""
    tertium.file("a.csv", clear.csv())
    truth = [f'"{name}",{label}' for name, label in zip(clear.names, clear.labels, strict=True)]
    tertium.file("t.csv", "\n".join(["item,cluster", *truth]) + "\n")
    tertium.file("other.csv", "\n".join(["item,cluster", *truth[1:]]) + "\nnobody,1\n")
    tertium.run("sdp", "a.csv", "-k", 3, "--certificate", "proof.json")
    tertium.run("similarity", "a.csv", "-o", "a.sim")
    return tertium


@CASES
def test_quiet_prints_nothing_and_does_its_work(survey, name, call, files):
    for quiet in (["-q"], ["--quiet"], ["--quiet", "--json"]):
        again = ["--force"] if files else []
        done = survey.run(command_of(name), *call, *quiet, *again)
        assert done.stdout + done.stderr == ""
    assert all((survey.folder / file).exists() for file in files)


@CASES
def test_json_is_one_value_and_nothing_else(survey, name, call, files):
    done = survey.run(command_of(name), *call, "--json")
    assert isinstance(json.loads(done.stdout), dict)
    assert done.stderr == ""
    assert all((survey.folder / file).exists() for file in files)


@pytest.mark.parametrize("flags", [["-q"], ["--json"], []])
def test_errors_are_said_whatever_the_flags(survey, flags):
    survey.file("bad.csv", "anchor,near,far\na,b\n")
    for name in ("check", "sdp", "cluster", "theory"):
        more = ["-k", 2] if name in ("sdp", "theory") else []
        message = survey.refuse(name, "bad.csv", *more, *flags)
        assert message.startswith("tertium: bad.csv, line 2")


def test_a_refused_certificate_is_said_quietly(survey):
    survey.file("b.csv", "anchor,near,far\na,b,c\n")
    done = survey.run("verify", "proof.json", "b.csv", "-q", code=3)
    assert done.stdout == ""
    assert done.stderr.startswith("tertium: refused: ")


def shown_on_a_terminal(command, seconds):
    """What a run writes to a terminal as its standard error: the first of it, or nothing."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=follower)
    os.close(follower)
    readable, _, _ = select.select([leader], [], [], seconds)
    assert process.poll() is None, "it must take longer than that"
    shown = os.read(leader, 4096) if readable else b""
    process.kill()
    process.wait()
    os.close(leader)
    return shown


def test_no_progress_line_when_quiet(tertium):
    """A run that takes longer than a moment shows one, unless it is quiet."""
    call = ["plan", "--items", 400, "--clusters", 4, "--epsilon", 0.5, "--delta", 0.5]
    assert shown_on_a_terminal(tertium.command(*call), 60) != b""
    assert shown_on_a_terminal(tertium.command(*call, "--quiet"), 3) == b""


# --- what the JSON says ---


@pytest.mark.parametrize("program", [["--clusters", 3], ["--clusters", 4], ["--lambda", 9]])
def test_labels_of_sdp_are_the_partition(survey, program):
    result = json.loads(survey.run("sdp", "a.csv", *program, "--json").stdout)
    survey.run("similarity", "a.csv", "-o", "s.csv")
    similarity = survey.read_csv("s.csv")
    assert result["items"] == similarity.names
    labels = np.array(result["labels"])
    assert len(labels) == len(similarity.names)
    assert set(labels) == set(range(1, result["k"] + 1))
    label_of = dict(zip(result["items"], labels, strict=True))
    inside = np.zeros(result["k"] + 1)
    for (a, b), value in ((tuple(pair), value) for pair, value in similarity.pairs.items()):
        if label_of[a] == label_of[b]:
            inside[label_of[a]] += 2 * value
    sizes = np.bincount(labels, minlength=result["k"] + 1)
    assert result["value"] == pytest.approx(sum(inside[1:] / sizes[1:]))
    if program[0] == "--clusters":
        assert result["k"] == program[1]
        assert result["value"] <= result["upper_bound"] * (1 + 1e-12)


def test_json_of_simulate(tertium):
    call = ["simulate", *MODEL, "--answers", 77, "--participants", 5, "--seed", 3]
    said = json.loads(tertium.run(*call, "-o", "b.csv", "--truth", "t.csv", "--json").stdout)
    lines = (tertium.folder / "b.csv").read_text().splitlines()[1:]
    assert said["answers"] == len(lines) == 77
    assert said["participants"] == len({line.split(",")[-1] for line in lines})
    labels = [x.split(",")[1] for x in (tertium.folder / "t.csv").read_text().splitlines()[1:]]
    assert (said["items"], said["clusters"]) == (len(labels), len(set(labels))) == (12, 2)
    assert said["different_questions"] == 12 * 11 * 10 / 2
    assert said["distribution"]["chance_inside_is_larger"] == 1
    assert (said["written"], said["truth"], said["seed"]) == ("b.csv", "t.csv", 3)
    assert tertium.run(*call, "-o", "-", "--json").stdout.splitlines()[1:] == lines
