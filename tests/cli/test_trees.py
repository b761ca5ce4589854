"""Methods that make a tree: linkages of S, and ComparisonHC on the comparisons themselves."""

from itertools import combinations, product

import numpy as np
import pytest
from clusterings import clear_groups, cluster
from definitions import adds3

LINKAGES = {"average-linkage": np.mean, "single-linkage": np.max, "complete-linkage": np.min}
TREES = [*LINKAGES, "4-al"]


def leaves_of_clusters(tree):
    """The leaves of every cluster, by its number."""
    leaves = [{name} for name in tree["leaves"]]
    for a, b, _, size in tree["linkage"]:
        leaves.append(leaves[a] | leaves[b])
        assert len(leaves[-1]) == size
    return leaves


def parse_newick(text):
    """(name, length) for a leaf, ([children], length) for a join."""
    at = 0

    def node():
        nonlocal at
        if text[at] == "(":
            inside = []
            while text[at] in "(,":
                at += 1
                inside.append(node())
            assert text[at] == ")"
            at += 1
        elif text[at] == "'":
            inside = ""
            while True:
                end = text.index("'", at + 1)
                inside += text[at + 1 : end]
                at = end + 1
                if text[at] != "'":
                    break
                inside += "'"
        else:
            end = min(text.index(mark, at) for mark in ":,);" if mark in text[at:])
            inside, at = text[at:end], end
        length = None
        if text[at] == ":":
            end = min(text.index(mark, at) for mark in ",)" if mark in text[at:])
            length, at = float(text[at + 1 : end]), end
        return inside, length

    root = node()
    assert text[at:] == ";\n"
    return root


def joins(node):
    """The leaves under the node, with all sets of leaves that are joined below it."""
    inside, _ = node
    if isinstance(inside, str):
        return {inside}, []
    parts = [joins(child) for child in inside]
    both = set().union(*(leaves for leaves, _ in parts))
    return both, [below for _, found in parts for below in found] + [both]


@pytest.mark.parametrize("method", TREES)
def test_makes_a_tree_and_cuts_it(tertium, method):
    clear = clear_groups("adds3", (5, 9, 7), 6000)
    tertium.file("a.csv", clear.csv())
    result = cluster(tertium, "a.csv", "--method", method, "--clusters", 3, "--resamples", 5)
    tree = result["tree"]
    assert sorted(tree["leaves"]) == sorted(clear.names)
    leaves = leaves_of_clusters(tree)
    # The cut: what is there before the last two merges.
    distances = [distance for _, _, distance, _ in tree["linkage"]]
    assert distances == sorted(distances)
    last = {part for merge in tree["linkage"][-2:] for part in merge[:2]} - {len(leaves) - 2}
    clusters = [set(entry["members"]) for entry in result["clusters"]]
    assert sorted(map(sorted, clusters)) == sorted(sorted(leaves[part]) for part in last)
    assert {frozenset(c) for c in clusters} == {
        frozenset(np.array(clear.names)[clear.labels == label]) for label in (1, 2, 3)
    }
    # The same joins in the file.
    _, found = joins(parse_newick((tertium.folder / "out" / "tree.nwk").read_text("utf-8")))
    made = [frozenset(c) for c in leaves[len(clear.names) :]]
    assert sorted(map(sorted, found)) == sorted(map(sorted, made))
    # Each answer earns how many more leaves are under the one join than under the other.
    size = {
        frozenset(pair): min(len(c) for c in made if set(pair) <= c)
        for pair in combinations(clear.names, 2)
    }
    earned = sum(
        weight * (size[frozenset((a, far))] - size[frozenset((a, near))])
        for a, near, far, weight in clear.rows
    )
    assert tree["revenue"] == earned


@pytest.mark.parametrize("method", LINKAGES)
def test_merges_what_is_most_alike(tertium, method):
    clear = clear_groups("adds3", (3, 4, 4), 700)
    tertium.file("a.csv", clear.csv())
    result = cluster(tertium, "a.csv", "--method", method, "--clusters", 2, "--quick")
    sums = adds3({tuple(row[:3]): 0 for row in clear.rows})
    for a, near, far, weight in clear.rows:
        for other, sign in ((near, weight), (far, -weight)):
            sums[frozenset((a, other))] = sums.get(frozenset((a, other)), 0) + sign

    def alike(p, q):
        return LINKAGES[method]([sums.get(frozenset(pair), 0) for pair in product(p, q)])

    leaves = leaves_of_clusters(result["tree"])
    left = set(range(len(clear.names)))
    first = None
    for number, (a, b, distance, _) in enumerate(result["tree"]["linkage"]):
        here = alike(leaves[a], leaves[b])
        first = here if first is None else first
        assert here >= max(alike(leaves[p], leaves[q]) for p, q in combinations(left, 2)) - 1e-9
        assert distance == pytest.approx(first - here, abs=1e-9)
        left = left - {a, b} | {len(clear.names) + number}


@pytest.mark.parametrize("method", TREES)
def test_the_tree_goes_when_a_result_without_one_is_written(tertium, clear, method):
    tertium.file("a.csv", clear.csv())
    first = cluster(tertium, "a.csv", "--method", method, "--clusters", 3, "--quick")
    again = cluster(
        tertium, "a.csv", "--method", method, "--clusters", 3, "--quick", "--threads", 2
    )
    assert first["tree"] == again["tree"]
    assert (tertium.folder / "out" / "tree.nwk").exists()
    assert cluster(tertium, "a.csv", "--clusters", 3, "--quick")["tree"] is None
    assert not (tertium.folder / "out" / "tree.nwk").exists()


@pytest.mark.parametrize("source", ["a.sim", "m.npy"])
def test_what_goes_over_answers_needs_them(tertium, clear, source):
    tertium.file("a.csv", clear.csv())
    tertium.run("similarity", "a.csv", "-o", "a.sim")
    tertium.run("similarity", "a.csv", "-o", "m.npy")
    message = tertium.refuse("cluster", source, "--method", "4-al", "--clusters", 2)
    assert "4-al" in message
    assert "files of answers" in message
    # A linkage takes sums.
    tree = cluster(tertium, source, "--method", "average-linkage", "--clusters", 2)["tree"]
    assert len(tree["linkage"]) == len(clear.names) - 1
    assert (tree["revenue"] is None) == (source == "m.npy")


def test_items_that_nothing_links_are_no_leaves(tertium):
    text = "anchor,near,far\na,b,c\nb,a,c\nc,a,b\na,c,b\na,b,c\nx,y,z\n"
    tertium.file("a.csv", text)
    result = cluster(tertium, "a.csv", "--method", "4-al", "--clusters", 2, "--quick")
    assert sorted(result["tree"]["leaves"]) == ["a", "b", "c"]
    assert sorted(out["item"] for out in result["left_out"]) == ["x", "y", "z"]
