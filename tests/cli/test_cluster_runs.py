"""`tertium cluster` as a program: same bytes, what it prints and where, what it refuses; real data.

What it finds is tested in test_cluster.py.
"""

import csv
import os
import pty
import shlex
import subprocess

import pytest
from clusterings import (
    cluster,
    without_seconds,
    written,
)
from definitions import adjusted_rand

ESCAPE = b"\x1b"


# ---- same bytes


def folder_bytes(tertium, folder):
    """Everything in the folder, but for the seconds."""
    files = {path.name: path.read_bytes() for path in (tertium.folder / folder).iterdir()}
    files["result.json"] = without_seconds(files["result.json"].decode()).encode()
    return files


FLAGS = {
    "auto": [],
    "paper": ["--method", "paper"],
    "spectral": ["--method", "paper", "--rounding", "spectral", "--clusters", "3"],
    "lambda": ["--clusters", "spur-lambda"],
    "heldout": ["--clusters", "heldout"],
}
CERTIFIED = [FLAGS["auto"], FLAGS["heldout"]]


@pytest.mark.parametrize("kind", ["clear", "hazy"])
@pytest.mark.parametrize("flags", FLAGS.values(), ids=FLAGS.keys())
def test_same_bytes_at_any_number_of_threads(tertium, request, kind, flags):
    tertium.file("a.csv", request.getfixturevalue(kind).csv())
    found = []
    for run, threads in enumerate([1, 2, 2]):
        count = ["--resamples", 100, "--threads", threads]
        cluster(tertium, "a.csv", *flags, *count, folder=f"run{run}")
        found.append(folder_bytes(tertium, f"run{run}"))
    assert found[0] == found[1] == found[2]
    assert "certificate.json" in found[0] or kind == "hazy" or flags not in CERTIFIED


def test_another_seed_draws_other_answers(tertium, hazy):
    tertium.file("a.csv", hazy.csv())
    results = [cluster(tertium, "a.csv", "--clusters", 3, "--seed", seed) for seed in (1, 2)]
    assert [result["seed"] for result in results] == [1, 2]
    assert results[0]["confidence"] != results[1]["confidence"]


# ---- what is printed, and where


def test_the_summary_says_what_the_result_says(tertium, clear):
    tertium.file("a.csv", clear.csv())
    done = tertium.run("cluster", "a.csv", "-o", "out")
    result = written(tertium)
    says = done.stdout
    assert done.stderr == ""
    assert f"{len(clear.rows)} triplets about {len(clear.names)} items" in says
    assert "3, chosen by SPUR" in says
    assert "proved: every other grouping of these 21 items into 3 groups agrees less" in says
    lines = says.splitlines()
    for entry in result["clusters"]:
        (line,) = (x for x in lines if x.startswith(f"cluster {entry['cluster']} "))
        assert f"{entry['size']} items" in line
        assert ", ".join(entry["members"][:5]) in line
    for name in ("labels.csv", "result.json", "certificate.json"):
        assert f"out/{name}" in says


def test_the_line_to_check_the_proof_works(tertium, clear):
    tertium.file("a.csv", clear.csv())
    says = tertium.run("cluster", "a.csv", "--quick", "-o", "out").stdout
    (line,) = (x for x in says.splitlines() if x.startswith("check the proof"))
    _, *arguments = shlex.split(line.removeprefix("check the proof"))
    tertium.run(*arguments)


def test_warnings_are_in_the_summary(tertium, clear):
    tertium.file("a.csv", clear.csv() + "ox,yak,gnu\n")
    done = tertium.run("cluster", "a.csv", "--quick")
    assert "warning: 3 of 24 items have no cluster" in done.stdout


def run_with(tertium, arguments, stdout, **environment):
    kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    return subprocess.run(
        tertium.command(*arguments),
        cwd=tertium.folder,
        env=kept | environment,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        timeout=30,
        check=True,
    )


def on_a_terminal(tertium, *arguments, **environment):
    """Standard output as a terminal gets it."""
    reader, terminal = pty.openpty()
    try:
        run_with(tertium, arguments, terminal, **environment)
    finally:
        os.close(terminal)
    shown = b""
    try:
        while part := os.read(reader, 65536):
            shown += part
    except OSError:  # Linux says so at the end of a terminal
        pass
    os.close(reader)
    return shown.replace(b"\r\n", b"\n")


def test_colour_is_for_terminals(tertium, clear):
    tertium.file("a.csv", clear.csv())
    arguments = ["cluster", "a.csv", "--quick"]
    piped = run_with(tertium, arguments, subprocess.PIPE)
    assert ESCAPE not in piped.stdout
    assert piped.stderr == b""
    coloured = on_a_terminal(tertium, *arguments)
    assert ESCAPE in coloured
    assert on_a_terminal(tertium, *arguments, NO_COLOR="") == coloured
    assert on_a_terminal(tertium, *arguments, NO_COLOR="1") == piped.stdout
    assert ESCAPE not in on_a_terminal(tertium, *arguments, "--json")


def test_quiet_prints_nothing(tertium, clear):
    tertium.file("a.csv", clear.csv() + "ox,yak,gnu\n")
    done = tertium.run("cluster", "a.csv", "-q", "--quick", "-o", "out")
    assert (done.stdout, done.stderr) == ("", "")
    assert written(tertium)["k"] == 3


def test_folders_are_made(tertium, clear):
    tertium.file("a.csv", clear.csv())
    cluster(tertium, "a.csv", "--quick", folder="some/new/folder")


# ---- what is refused


BAD = {
    "more clusters than items": (["--clusters", 22], ["22 clusters", "1 to 21 clusters"]),
    "no clusters": (["--clusters", 0], ["0 clusters", "1 to 21 clusters"]),
    "fewer than no clusters": (["--clusters", -3], ["-3 clusters", "1 to 21 clusters"]),
    "a word": (["--clusters", "many"], ["'many'", "a number such as 3", "auto"]),
    "a fraction": (["--clusters", "2.5"], ["'2.5'", "a number such as 3"]),
    "a huge number": (["--clusters", "9" * 20], ["9" * 20, "a number such as 3"]),
    "half a range": (["--clusters", "2-"], ["'2-'", "a range such as 2-6"]),
    "a reversed range": (["--clusters", "4-2"], ["4 to 2", "the smaller number first"]),
    "a range from one": (["--clusters", "1-3"], ["1 to 3", "at least 2"]),
    "a range beyond the items": (["--clusters", "2-22"], ["22 clusters", "1 to 21"]),
    "unknown method": (["--method", "magic"], ["'magic'", "auto or paper"]),
    "unknown rounding": (["--rounding", "up"], ["'up'", "kmeans or spectral"]),
    "unknown similarity": (["--similarity", "cosine"], ["'cosine'", "adds3"]),
    "similarity of quadruplets": (["--similarity", "adds4"], ["adds4 for triplets", "adds3"]),
    "fewer than no resamples": (["--resamples", -1], ["--resamples -1", "0 for enough"]),
    "tolerance 0": (["--tolerance", 0], ["--tolerance", "above 0"]),
    "tolerance not a number": (["--tolerance", "nan"], ["--tolerance nan", "above 0"]),
    "held-out answers, quickly": (["--clusters", "heldout", "--quick"], ["leave out --quick"]),
    "truth that is not there": (["--truth", "no.csv"], ["no.csv"]),
    "truth about other items": (["--truth", "others.csv"], ["no item"]),
    "answers that are not there": (["b.csv"], ["b.csv"]),
}


@pytest.mark.parametrize(("flags", "says"), BAD.values(), ids=BAD.keys())
@pytest.mark.parametrize("folder", ["new", "old"])
def test_bad_requests_are_refused(tertium, clear, flags, says, folder):
    """Nothing is written, and what an earlier run has written stays as it was."""
    tertium.file("a.csv", clear.csv())
    tertium.file("others.csv", "item,class\nox,1\nyak,2\n")
    tertium.run("cluster", "a.csv", "--quick", "-o", "old")
    assert "certificate.json" in {path.name for path in (tertium.folder / "old").iterdir()}
    message = tertium.refuse("cluster", "a.csv", *flags, "-o", folder)
    assert message.count("\n") == 1
    for words in says:
        assert words in message


@pytest.mark.parametrize("output", ["a.csv", "a.csv/out"])
def test_an_output_that_is_no_folder_is_refused(tertium, clear, output):
    tertium.file("a.csv", clear.csv())
    message = tertium.refuse("cluster", "a.csv", "-o", output)
    assert f"{output}: " in message
    assert "expected a folder for the results" in message


@pytest.mark.skipif(os.geteuid() == 0, reason="permissions do not bind root")
def test_a_folder_that_cannot_be_written_is_refused(tertium, clear):
    tertium.file("a.csv", clear.csv())
    closed = tertium.folder / "closed"
    closed.mkdir(mode=0o555)
    for output in ("closed", "closed/below"):
        message = tertium.refuse("cluster", "a.csv", "-o", output)
        assert f"{output}: " in message
        assert "Permission denied" in message


def test_answers_that_cancel_are_refused(tertium):
    tertium.file("a.csv", "anchor,near,far\nox,yak,gnu\nox,gnu,yak\n")
    assert "no two items that answers link" in tertium.refuse("cluster", "a.csv")


# ---- real data


def classes(path):
    with path.open(encoding="utf-8", newline="") as file:
        return {row["index"]: row["class"] for row in csv.DictReader(file)}


@pytest.mark.data
def test_car_has_two_clusters(tertium, data):
    assert cluster(tertium, data / "car" / "central.csv", "--resamples", 20)["k"] == 2


@pytest.mark.data
def test_car_in_three_clusters(tertium, data):
    """The paper has 0.73 with the three classes; the best partition found is not below theirs."""
    car = data / "car"
    truth = {item: name for item, name in classes(car / "labels.csv").items() if name != "outlier"}
    assert len(truth) == 56
    flags = ["--clusters", 3, "--quick"]
    paper = cluster(tertium, car / "central.csv", *flags, "--method", "paper")
    of = dict(zip(paper["items"], paper["labels"], strict=True))
    index = adjusted_rand(list(truth.values()), [of[item] for item in truth])
    assert 0.68 < index < 0.80
    ours = cluster(tertium, car / "central.csv", *flags)
    assert ours["objective"] >= paper["objective"]
    assert ours["upper_bound"] >= paper["objective"]


@pytest.mark.data
def test_food_has_two_clusters(tertium, data):
    result = cluster(tertium, data / "food" / "triplets.csv", "--quick", "--threads", 2)
    assert result["k"] == 2
    assert [entry["size"] for entry in result["clusters"]] == [64, 36]


@pytest.mark.data
def test_a_choice_at_the_end_of_the_range_is_warned_of(tertium, data):
    answers = data / "raw_exports" / "food_grid.json"
    result = cluster(tertium, answers, "--resamples", 10, "--tolerance", "0.01")
    theta = {step["k"]: step["theta"] for step in result["spur"]}
    assert result["k"] == max(theta) == max(theta, key=theta.get)
    assert any("upper end of SPUR's range" in warning for warning in result["warnings"])


@pytest.mark.slow_sanitized
@pytest.mark.parametrize(("power", "seeds"), [(3, [1]), (4, [1, 2, 3])])
def test_the_default_of_the_paper_is_recovered(tertium, power, seeds):
    """n = 1000, k = 4, n (ln n)^p triplets; bench/exact_recovery.py has ten seeds of each."""
    flags = ["--items", 1000, "--clusters", 4, "--answers", f"n*ln(n)^{power}", "--truth", "t.csv"]
    for seed in seeds:
        tertium.run("simulate", *flags, "--seed", seed, "-o", "a.csv", "--force")
        result = cluster(tertium, "a.csv", "--quick", "--truth", "t.csv")
        assert result["k"] == 4
        assert result["truth"]["adjusted_rand"] == 1
        assert (result["certificate"]["verdict"] == "optimal") == (power == 4)
