"""Proofs by cuts and branches: what is said is true, and the files prove it to both checkers."""

import contextlib
import itertools
import json
import os
import pty
import random
import signal
import struct
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest
from certificates import sealed

ROOT = Path(__file__).parents[2]
CHECKER = ROOT / "tools" / "check_certificate.py"


def answers(items, count, seed, right=0.75):
    """Triplets about items in three groups, some of them wrong."""
    rng = random.Random(seed)
    lines = ["anchor,near,far"]
    for _ in range(count):
        a, b, c = rng.sample(range(items), 3)
        inside = [x % 3 == a % 3 for x in (b, c)]
        swap = rng.random() < 0.5 if inside[0] == inside[1] else inside[0] != (rng.random() < right)
        lines.append(f"{a},{c},{b}" if swap else f"{a},{b},{c}")
    return "\n".join(lines) + "\n"


def values(text, clusters):
    """f of every partition, by the definition."""
    rows = [line.split(",") for line in text.splitlines()[1:]]
    items = sorted({item for row in rows for item in row}, key=int)
    S = dict.fromkeys(itertools.permutations(items, 2), 0)
    for a, b, c in rows:
        for pair, sign in (((a, b), 1), ((b, a), 1), ((a, c), -1), ((c, a), -1)):
            S[pair] += sign
    found = {}
    for labels in itertools.product(range(clusters), repeat=len(items)):
        firsts = [labels.index(a) for a in range(clusters) if a in labels]
        if len(firsts) < clusters or firsts != sorted(firsts):
            continue
        value = 0.0
        for a in range(clusters):
            own = [item for item, label in zip(items, labels, strict=True) if label == a]
            value += sum(S[pair] for pair in itertools.permutations(own, 2)) / len(own)
        found[labels] = value
    return items, found


def grouping(result):
    return {frozenset(cluster["members"]) for cluster in result["clusters"]}


def by_script(tertium, certificate, csv):
    command = [sys.executable, CHECKER, tertium.folder / certificate, tertium.folder / csv]
    return subprocess.run(command, capture_output=True, check=False).returncode


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("clusters", [2, 3])
def test_what_is_proved_is_true(tertium, seed, clusters):
    text = answers(8, 60, seed)
    tertium.file("a.csv", text)
    items, found = values(text, clusters)
    done = tertium.run("cluster", "a.csv", "-k", clusters, "--quick", "-o", "out", "--json")
    result = json.loads(done.stdout)
    best = max(found.values())
    assert result["upper_bound"] >= best - 1e-9
    if result["proof"] is None:
        assert result["certificate"]["verdict"] == "optimal"
        return
    assert result["proof"]["complete"]
    assert result["objective"] >= best * (1 - 1e-6)
    ties = [labels for labels, value in found.items() if value > best - 1e-9]
    if result["proof"]["only_best"]:
        assert len(ties) == 1
        parts = {
            frozenset(i for i, label in zip(items, ties[0], strict=True) if label == a)
            for a in range(clusters)
        }
        assert grouping(result) == parts
    if result["proof"]["as_good"]:
        assert len(ties) > 1
        assert not result["proof"]["only_best"]
    tertium.run("verify", "out/certificate.json", "a.csv")
    assert by_script(tertium, "out/certificate.json", "a.csv") == 0


@pytest.fixture
def proved(tertium):
    """A survey that takes branches, and its proof."""
    tertium.file("a.csv", answers(20, 300, 5))
    done = tertium.run("cluster", "a.csv", "-k", 4, "--quick", "-o", "out", "--json")
    result = json.loads(done.stdout)
    assert result["proof"]["complete"]
    assert result["proof"]["branches"] > 1
    return tertium


def test_both_checkers_accept_a_tree_and_refuse_forgeries(proved):
    folder = proved.folder / "out"
    text = (folder / "certificate.json").read_text(encoding="utf-8")
    numbers = (folder / "certificate.numbers").read_bytes()
    fields = json.loads(text)
    assert fields.pop("checksum")
    assert fields["version"] == 2
    assert len(fields["tree"]) > 1

    def codes(fields, numbers=numbers):
        fields = fields | {"numbers_checksum": zlib.crc32(numbers)}
        (folder / "certificate.numbers").write_bytes(numbers)
        (folder / "forged.json").write_text(sealed(fields), encoding="utf-8")
        one = proved.run("verify", "out/forged.json", "a.csv", code=None).returncode
        return {one, by_script(proved, "out/forged.json", "a.csv")}

    assert codes(fields) == {0}
    below = fields["objective"] - 1e-9
    assert codes(fields | {"upper_bound": below}) == {3}
    assert codes(fields | {"tree": [None]}) == {3}
    assert codes(fields | {"tree": fields["tree"][:-1]}) == {3}
    assert codes(fields | {"tree": [*fields["tree"], None]}) == {3}
    assert codes(fields | {"tree": [[0, 0], None, None]}) == {3}
    assert codes(fields | {"only_best": "yes"}) == {3}
    assert codes(fields | {"numbers": "../a.csv"}) == {3}
    assert codes(fields, numbers + b"\0") == {3}
    assert codes(fields, numbers[:-4]) == {3}
    assert codes(fields, b"x" + numbers[1:]) == {3}
    negative = bytearray(numbers)
    negative[24:28] = struct.pack("<f", -1e6)
    assert codes(fields, bytes(negative)) == {3}
    # A partition that is not the best, with the bound of the best one.
    swapped = fields["labels"][1:] + fields["labels"][:1]
    assert codes(fields | {"labels": swapped}) == {3}


def test_efforts(tertium):
    tertium.file("a.csv", answers(20, 300, 5))
    call = ["cluster", "a.csv", "-k", 4, "--quick"]
    none = json.loads(tertium.run(*call, "--proof", "no", "--json").stdout)
    assert none["proof"] is None
    assert none["gap"] > 1e-6
    nothing = json.loads(tertium.run(*call, "--proof", 0, "--json").stdout)
    assert not nothing["proof"]["complete"]
    assert "--proof 60 tries longer" in tertium.run(*call, "--proof", 0).stdout
    full = json.loads(tertium.run(*call, "--proof", "full", "--json").stdout)
    assert full["proof"]["complete"]
    assert full["objective"] >= none["objective"]
    for wrong in ("-1", "x", "nan", "inf", ""):
        message = tertium.refuse(*call, "--proof", wrong)
        assert "--proof" in message
        assert "seconds" in message


def ended_by(tertium, presses, *flags):
    """Runs `cluster`, presses Ctrl-C once it is proving; exit code and what it says."""
    here, there = pty.openpty()
    process = subprocess.Popen(
        tertium.command("cluster", "a.csv", *flags),
        cwd=tertium.folder,
        stdout=subprocess.PIPE,
        stderr=there,
        text=True,
    )
    os.close(there)
    shown = b""
    while b"proving: " not in shown:
        shown += os.read(here, 4096)
    for _ in range(presses):
        process.send_signal(signal.SIGINT)
        if presses > 1:
            time.sleep(0.05)
    with contextlib.suppress(OSError):  # the end of a terminal
        while more := os.read(here, 4096):
            shown += more
    os.close(here)
    printed = process.communicate()[0]
    return process.returncode, printed, shown.decode()


def test_ctrl_c_keeps_what_is_proved(tertium):
    tertium.file("a.csv", answers(48, 700, 5))
    call = ["-k", 9, "--quick", "--proof", "full", "-o", "out"]
    code, printed, shown = ended_by(tertium, 1, *call)
    assert code == 0
    assert "Ctrl-C again stops at once" in shown
    assert "it was stopped" in printed
    result = json.loads((tertium.folder / "out" / "result.json").read_text(encoding="utf-8"))
    assert result["proof"]["stopped"]
    assert not result["proof"]["complete"]
    assert result["upper_bound"] > result["objective"]
    tertium.run("verify", "out/certificate.json", "a.csv")


def test_a_second_ctrl_c_stops_at_once(tertium):
    tertium.file("a.csv", answers(48, 700, 5))
    flags = ["-k", 9, "--proof", "full", "--resamples", 100_000, "-o", "out"]
    code, printed, _ = ended_by(tertium, 2, *flags)
    assert code == -signal.SIGINT
    assert printed == ""
    assert not (tertium.folder / "out").exists()


def test_twins_are_no_only_best(tertium):
    """Two items that are exactly alike, one of them in each of two clusters of a best grouping."""
    rows = ["a,b,c", "b,a,d", "c,d,a", "d,c,b"]
    twins = "\n".join(["anchor,near,far", *rows, "x,a,c", "x,c,a", "a,x,c", "c,x,a"]) + "\n"
    tertium.file("a.csv", twins)
    result = json.loads(tertium.run("cluster", "a.csv", "-k", 2, "--quick", "--json").stdout)
    assert result["certificate"]["verdict"] != "optimal"
    assert result["proof"]["complete"]
    assert not result["proof"]["only_best"]
    assert result["proof"]["as_good"] in ("with 'x' in cluster 1", "with 'x' in cluster 2")
    says = tertium.run("cluster", "a.csv", "-k", 2, "--quick").stdout
    assert "no other grouping of these 5 items into 2 groups agrees better" in says
    assert "another one agrees exactly as well: with 'x' in cluster" in says


def matrix(S):
    names = [f"i{i}" for i in range(len(S))]
    rows = [",".join([name, *map(str, row)]) for name, row in zip(names, S, strict=True)]
    return "\n".join([",".join(["", *names]), *rows]) + "\n"


@pytest.mark.parametrize("size", [1, 4])
def test_nothing_to_group(tertium, size):
    tertium.file("S.csv", matrix([[0] * size for _ in range(size)]))
    assert "link" in tertium.refuse("cluster", "S.csv", "--kind", "matrix", "-k", 1)


@pytest.mark.parametrize("clusters", [1, 8])
def test_only_one_grouping(tertium, clusters):
    text = answers(8, 60, 1)
    tertium.file("a.csv", text)
    says = tertium.run("cluster", "a.csv", "-k", clusters, "--quick").stdout
    groups = "1 group" if clusters == 1 else "8 groups"
    assert f"there is no other grouping of these 8 items into {groups}" in says
    result = json.loads(tertium.run("cluster", "a.csv", "-k", clusters, "--json").stdout)
    best = max(values(text, clusters)[1].values()) if clusters == 1 else 0
    assert result["objective"] == result["upper_bound"] == pytest.approx(best)


def test_fractions_for_weights_are_proved(tertium):
    rng = random.Random(1)
    rows = answers(7, 50, 3).splitlines()
    weighted = [(row, rng.choice([1, 2, 5, 25, 300])) for row in rows[1:]]
    lines = [f"{row},{weight / 100}" for row, weight in weighted]
    tertium.file("a.csv", "\n".join(["anchor,near,far,weight", *lines]) + "\n")
    whole = "\n".join([rows[0], *(row for row, weight in weighted for _ in range(weight))])
    best = max(values(whole, 2)[1].values()) / 100
    flags = ["-k", 2, "--quick", "-o", "out", "--json", "--weight", "weight"]
    result = json.loads(tertium.run("cluster", "a.csv", *flags).stdout)
    assert result["objective"] == pytest.approx(best, rel=1e-9)
    assert result["upper_bound"] >= best * (1 - 1e-12)
    assert result["upper_bound"] == pytest.approx(best, rel=2e-6)
    tertium.run("verify", "out/certificate.json", "a.csv", "--weight", "weight")


def test_items_that_stay_are_together_in_all_groupings_nearly_as_good(tertium):
    stay = alone = 0
    for seed in range(7):
        text = answers(8, 60, seed, right=0.85)
        tertium.file("a.csv", text)
        _, found = values(text, 3)
        flags = ["-k", 3, "--quick", "--json"]
        result = json.loads(tertium.run("cluster", "a.csv", *flags).stdout)
        if result["proof"] is None:
            continue
        margins = dict(zip(result["items"], result["proof"]["stays_within"], strict=True))
        items = sorted(margins, key=int)
        for slack in (0.001, 0.01):
            least = result["objective"] * (1 - slack)
            near = [labels for labels, value in found.items() if value >= least]
            name = "apart_within_tenth_percent" if slack == 0.001 else "apart_within_percent"
            if result["proof"][name] == result["proof"]["pairs_across"]:
                assert len(near) == 1
                alone += 1
            for cluster in result["clusters"]:
                core = [i for i in cluster["members"] if margins[i] >= slack]
                stay += len(core)
                for labels in near:
                    of = dict(zip(items, labels, strict=True))
                    assert len({of[i] for i in core}) <= 1
    assert stay > 0
    assert alone > 0
