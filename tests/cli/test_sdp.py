"""`tertium sdp`: everything it claims is recomputed with numpy from S, X and N alone."""

import json
import shlex

import numpy as np
import pytest


def two_groups(rng: np.random.Generator) -> str:
    """Noisy triplets about 12 items in two groups of six."""
    lines = ["anchor,near,far"]
    for _ in range(800):
        a, b, c = rng.choice(12, 3, replace=False)
        if (a < 6) == (c < 6) and (a < 6) != (b < 6) and rng.random() < 0.9:
            b, c = c, b
        lines.append(f"{a},{b},{c}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def solved(tertium):
    """Solves a program; returns the JSON, S, X and N."""
    tertium.file("a.csv", two_groups(np.random.default_rng(1)))
    tertium.run("similarity", "a.csv", "-o", "s.npy")

    def solve(*flags):
        saves = ["--save-x", "x.npy", "--save-dual", "n.npy"]
        done = tertium.run("sdp", "a.csv", *flags, *saves, "--json")
        load = (np.load(tertium.folder / f"{name}.npy").astype(float) for name in "sxn")
        return json.loads(done.stdout), *load

    return solve


def eigenvalues_beside_one(matrix: np.ndarray) -> np.ndarray:
    """Eigenvalues on the space orthogonal to 1, largest first, by an explicit basis of it."""
    n = len(matrix)
    basis = np.linalg.qr(np.column_stack([np.ones(n), np.eye(n)[:, 1:]]))[0][:, 1:]
    return np.linalg.eigvalsh(basis.T @ matrix @ basis)[::-1]


@pytest.mark.parametrize("flags", [["--clusters", 2], ["--clusters", 5], ["--lambda", 20]])
def test_claims_hold(solved, flags):
    result, s, x, dual = solved(*flags, "--tolerance", "1e-5")
    n = len(s)
    lam = flags[1] if flags[0] == "--lambda" else 0
    assert x.min() >= 0
    assert np.allclose(x, x.T)
    assert np.allclose(x.sum(axis=1), 1)
    assert np.linalg.eigvalsh(x).min() > -1e-9
    assert result["trace"] == pytest.approx(np.trace(x))
    assert result["objective"] == pytest.approx(np.sum(s * x) - lam * np.trace(x))
    assert dual.min() >= 0
    a = s + dual
    values = eigenvalues_beside_one(a)
    if lam:
        bound = a.sum() / n - lam + np.maximum(values - lam, 0).sum()
    else:
        assert np.trace(x) == pytest.approx(flags[1])
        bound = a.sum() / n + values[: flags[1] - 1].sum()
    # A certified bound is the value of the partition, and no N is better by more than rounding.
    assert result["upper_bound"] == pytest.approx(bound, rel=1e-9)
    assert result["gap"] == pytest.approx(
        (result["upper_bound"] - result["objective"]) / abs(result["objective"])
    )
    assert result["status"] in ("solved", "certified")
    assert result["gap"] <= 1e-5
    spectrum = np.linalg.eigvalsh(x)[::-1]
    assert result["eigenvalues"] == pytest.approx(spectrum[:10], abs=1e-9)
    assert result["rank"] == np.sum(spectrum > 1e-6)
    k = round(np.trace(x))
    assert result["theta"] == pytest.approx(spectrum[:k].sum() / np.trace(x))


def test_two_groups_are_a_partition(solved):
    result, s, x, _ = solved("--clusters", 2, "--tolerance", "1e-6")
    group = np.arange(12) < 6
    partition = (group[:, None] == group[None, :]) / 6
    assert np.abs(x - partition).max() < 1e-3
    assert result["theta"] == pytest.approx(1, abs=1e-4)
    assert result["upper_bound"] >= np.sum(s * partition) - 1e-9


def test_a_certified_partition_needs_no_iteration(tertium):
    rng = np.random.default_rng(4)
    lines = ["anchor,near,far"]
    for _ in range(20000):
        a, b, c = rng.choice(30, 3, replace=False)
        if a % 3 == c % 3 and a % 3 != b % 3 and rng.random() < 0.9:
            b, c = c, b
        lines.append(f"{a},{b},{c}")
    tertium.file("easy.csv", "\n".join(lines) + "\n")
    tertium.run("similarity", "easy.csv", "-o", "s.npy")
    done = tertium.run("sdp", "easy.csv", "--clusters", 3, "--json", "--certificate", "c.json")
    result = json.loads(done.stdout)
    s = np.load(tertium.folder / "s.npy").astype(float)
    group = np.arange(30) % 3
    inside = group[:, None] == group[None, :]
    assert result["status"] == "certified"
    assert result["iterations"] == 0
    assert result["gap"] == 0
    assert result["objective"] == pytest.approx((s * inside).sum() / 10)
    certificate = result["certificate"]
    assert certificate["verdict"] == "optimal"
    assert certificate["level"] == "proved"
    assert certificate["failure_probability"] == 0
    assert certificate["lo"] < certificate["hi"]
    saved = json.loads((tertium.folder / "c.json").read_text())
    assert saved["claim"] == "optimal"
    assert {tuple(np.where(np.array(saved["labels"]) == c)[0] % 3) for c in (1, 2, 3)} == {
        (g,) * 10 for g in range(3)
    }
    text = tertium.run("sdp", "easy.csv", "--clusters", 3).stdout
    assert "no partition into 3 clusters is better (proved)" in text


def test_a_dual_in_another_folder_is_refused(tertium, solved):
    solved("--clusters", 2)
    says = tertium.refuse(
        "sdp", "a.csv", "--clusters", 2, "--certificate", "c.json", "--save-dual", "other/n.npy"
    )
    assert "one folder" in says


def test_snapshots_and_matrices_give_the_same(tertium, solved):
    result, *_ = solved("--clusters", 3)
    tertium.run("similarity", "a.csv", "-o", "a.sim")
    tertium.run("similarity", "a.csv", "-o", "m.mtx")
    for file in ["a.sim", "m.mtx"]:
        again = json.loads(tertium.run("sdp", file, "--clusters", 3, "--json").stdout)
        assert again["objective"] == result["objective"]


def test_limits_are_said(tertium, solved):
    solved("--clusters", 3)
    done = tertium.run(
        "sdp", "a.csv", "--clusters", 3, "--tolerance", "1e-9", "--most-iterations", 7
    )
    assert "iteration limit" in done.stdout
    assert "7 in" in done.stdout


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        ([], "--clusters"),
        (["--clusters", 2, "--lambda", 1], "--lambda"),
        (["--clusters", 0], "0 clusters"),
        (["--clusters", 13], "13 clusters"),
        (["--lambda", -1], "lambda = -1"),
        (["--lambda", "nan"], "lambda = nan"),
        (["--clusters", 2, "--tolerance", 0], "tolerance"),
    ],
)
def test_bad_programs_are_refused(tertium, solved, flags, says):
    solved("--clusters", 2)
    assert says in tertium.refuse("sdp", "a.csv", *flags, "--save-x", "new.npy")


def test_says_what_was_written_and_how_to_check_it(tertium):
    tertium.file("a b.csv", two_groups(np.random.default_rng(1)))
    flags = ["--repeats", "once", "--save-x", "x.npy", "--certificate"]
    for clusters, files in ((2, "proof.json"), (5, "proof.json.npy, proof.json")):
        said = tertium.run("sdp", "a b.csv", "-k", clusters, *flags, "proof.json", "--force").stdout
        lines = dict(line.split("  ", 1) for line in said.splitlines())
        assert lines["written"].strip() == "x.npy, " + files
        call = shlex.split(lines["check the proof"])
        assert call[0] == "tertium"
        tertium.run(*call[1:])
    said = tertium.run("sdp", "a b.csv", "-k", 2, *flags, "-", "--force").stdout
    assert "check the proof" not in said
    assert "written           x.npy\n" in said
    assert "written" not in tertium.run("sdp", "a b.csv", "-k", 2).stdout
