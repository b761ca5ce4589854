"""Bounds at any size: where no certificate holds and no cuts are tried, both checkers agree."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from certificates import sealed

ROOT = Path(__file__).parents[2]
CHECKER = ROOT / "tools" / "check_certificate.py"


def by_script(tertium, *files):
    command = [sys.executable, CHECKER, *files]
    return subprocess.run(command, cwd=tertium.folder, check=False, capture_output=True).returncode


def simulated(tertium, items, clusters, answers):
    flags = ["--items", items, "-k", clusters, "--answers", answers, "--seed", 2]
    tertium.run("simulate", *flags, "-o", "a.csv", "--force")


@pytest.mark.parametrize(("clusters", "answers"), [(2, 3000), (4, 9000)])
def test_the_file_proves_what_the_result_says(tertium, clusters, answers):
    simulated(tertium, 60, clusters, answers)
    call = ["cluster", "a.csv", "-k", clusters, "--quick", "--proof", "no", "-o", "out"]
    result = json.loads(tertium.run(*call, "--json").stdout)
    assert result["certificate"]["verdict"] != "optimal"
    text = (tertium.folder / "out" / "certificate.json").read_text()
    claim = json.loads(text)
    assert set(claim) >= {"lambda", "share", "upper_bound"}
    # The paper's program may say more, and the warning says so.
    assert claim["upper_bound"] >= result["upper_bound"]
    if claim["upper_bound"] > result["upper_bound"]:
        assert any("tertium sdp" in warning for warning in result["warnings"])
    verified = json.loads(tertium.run("verify", "out/certificate.json", "a.csv", "--json").stdout)
    assert verified["bound"] <= claim["upper_bound"]
    assert verified["level"] == "proved"
    assert by_script(tertium, "out/certificate.json", "a.csv") == 0
    # Of its own numbers: less is refused by both.
    del claim["checksum"]
    claim["upper_bound"] = verified["bound"] - 1e-6 * abs(verified["bound"])
    tertium.file("less.json", sealed(claim))
    tertium.run("verify", "less.json", "a.csv", code=3)
    assert by_script(tertium, "less.json", "a.csv") == 3


@pytest.mark.slow_sanitized
def test_a_bound_of_many_items_is_tested_by_a_start_of_ones_own(tertium):
    simulated(tertium, 3100, 3, 700000)
    call = ["cluster", "a.csv", "-k", 3, "--quick", "-o", "out"]
    result = json.loads(tertium.run(*call, "--json").stdout)
    assert result["certificate"]["verdict"] != "optimal"
    assert result["bound_failure_probability"] == 1e-12
    assert 0 < result["gap"] < 0.1
    assert "but for a chance of 1e-12" in tertium.run(*call).stdout
    verify = ["verify", "out/certificate.json", "a.csv", "--json"]
    seeds = set()
    for _ in range(2):
        verified = json.loads(tertium.run(*verify).stdout)
        assert verified["level"] == "probabilistic"
        assert verified["failure_probability"] <= 1e-12
        assert not verified["replayed"]
        assert verified["bound"] <= result["upper_bound"]
        seeds.add(verified["seed"])
    assert len(seeds) == 2
    claim = json.loads((tertium.folder / "out" / "certificate.json").read_text())
    del claim["checksum"]
    for share in (0.1, 0.5):
        open_part = claim["upper_bound"] - claim["objective"]
        less = claim | {"upper_bound": claim["objective"] + share * open_part}
        tertium.file("less.json", sealed(less))
        tertium.run("verify", "less.json", "a.csv", code=3)
