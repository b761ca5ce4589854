"""The multiplicative kernels, `--similarity mulk3|mulk3b|mulk4`, against their formulas."""

import random
from itertools import combinations

import numpy as np
import pytest
from clusterings import clear_groups, cluster
from definitions import kernel_of_features, mulk3, mulk3b, mulk4

ITEMS = [str(i) for i in range(9)]


def random_set(width, count, seed=4):
    """A set of answers, as the paper has it: nothing twice, but both answers to some questions."""
    chance = random.Random(seed)
    return sorted({tuple(chance.sample(ITEMS, width)) for _ in range(count)})


KERNELS = {
    "mulk3 of triplets": ("mulk3", 3, mulk3),
    "mulk3b of triplets": ("mulk3b", 3, mulk3b),
    "mulk4 of triplets": ("mulk4", 3, mulk4),
    "mulk4 of quadruplets": ("mulk4", 4, mulk4),
}


@pytest.mark.parametrize(("name", "width", "definition"), KERNELS.values(), ids=KERNELS.keys())
@pytest.mark.parametrize("output", ["s.npy", "s.csv"])
def test_exports_hold_the_definition(tertium, name, width, definition, output):
    found = random_set(width, 300)
    tertium.file("a.csv", "".join(",".join(row) + "\n" for row in found))
    tertium.run("similarity", "a.csv", "--similarity", name, "-o", output)
    values = (
        np.load(tertium.folder / output)
        if output.endswith("npy")
        else np.loadtxt(tertium.folder / output, delimiter=",", skiprows=1, usecols=range(1, 10))
    )
    expected = np.zeros((9, 9))
    for pair, value in kernel_of_features(*definition(found), ITEMS).items():
        i, j = (ITEMS.index(item) for item in pair)
        expected[i, j] = expected[j, i] = value
    assert np.abs(expected).max() > 0
    np.testing.assert_allclose(values, expected, atol=2**-30 * np.abs(expected).max())


@pytest.mark.parametrize("name", ["mulk3", "mulk3b", "mulk4"])
def test_clusters_by_a_kernel_all_the_way(tertium, name):
    """From a file to groups, with SPUR, held-out answers and confidence."""
    clear = clear_groups("adds3", (8, 9, 7), 9000)
    tertium.file("a.csv", clear.csv())
    result = cluster(tertium, "a.csv", "--similarity", name, "--clusters", "2-4", "--resamples", 10)
    assert result["similarity"] == name
    assert result["k"] == 3
    found = dict(zip(result["items"], result["labels"], strict=True))
    for a, b in combinations(range(len(clear.names)), 2):
        together = found[clear.names[a]] == found[clear.names[b]]
        assert together == (clear.labels[a] == clear.labels[b])
    assert result["objective"] <= result["upper_bound"]
    assert result["bootstrap"]["mean_confidence"] > 0.9
    assert not (tertium.folder / "out" / "certificate.json").exists()


def test_a_kernel_can_be_proved_as_a_matrix(tertium):
    """S in binary units goes through .npy as it is, so a certificate is about the same numbers."""
    clear = clear_groups("adds3", (8, 9, 7), 9000)
    tertium.file("a.csv", clear.csv())
    tertium.run("similarity", "a.csv", "--similarity", "mulk3", "-o", "k.npy")
    names = ["--kind", "matrix"]
    result = cluster(tertium, "k.npy", *names, "--clusters", 3, "--quick")
    direct = cluster(tertium, "a.csv", "--similarity", "mulk3", "--clusters", 3, "--quick")
    assert result["objective"] == direct["objective"]
    assert result["certificate"] == direct["certificate"]
    assert result["certificate"]["verdict"] == "optimal"
    assert "rounded" not in " ".join(result["warnings"])


BAD = {
    "quadruplets": ("q.csv", "mulk3", "s.npy", ["mulk3 for quadruplets", "mulk4"]),
    "a snapshot to write": ("a.csv", "mulk4", "s.sim", ["MulK-4", ".npy"]),
    "a snapshot to read": ("a.sim", "mulk3", "s.npy", ["a.sim", "files of answers"]),
    "a matrix": ("m.npy", "mulk3", "s.npy", ["m.npy", "files of answers"]),
}


@pytest.mark.parametrize(("source", "rule", "output", "says"), BAD.values(), ids=BAD.keys())
def test_what_no_kernel_can_be_made_of_is_refused(tertium, source, rule, output, says):
    tertium.file("a.csv", "".join(",".join(row) + "\n" for row in random_set(3, 60)))
    tertium.file("q.csv", "".join(",".join(row) + "\n" for row in random_set(4, 60)))
    tertium.run("similarity", "a.csv", "-o", "a.sim")
    np.save(tertium.folder / "m.npy", np.eye(6))
    message = tertium.refuse("similarity", source, "--similarity", rule, "-o", output)
    for words in says:
        assert words in message
    assert not (tertium.folder / output).exists()


def test_an_item_without_a_similarity_says_why(tertium):
    """Item 'late' is never an anchor: answers link it, MulK-3 does not."""
    rows = [row for row in random_set(3, 400) if row[0] != "8"]
    text = "anchor,near,far\n" + "".join(",".join(row) + "\n" for row in rows).replace("8", "late")
    tertium.file("a.csv", text)
    result = cluster(tertium, "a.csv", "--similarity", "mulk3", "--clusters", 2, "--quick")
    assert [out["item"] for out in result["left_out"]] == ["late"]
    assert result["left_out"][0]["reason"] == "its similarity to every other item is 0"
    assert any("similarity is not 0" in warning for warning in result["warnings"])
