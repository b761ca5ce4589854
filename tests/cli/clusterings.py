"""What every result of `tertium cluster` must satisfy, recomputed from the answers alone."""

import csv
import json
import math
import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from certificates import Problem, planted
from definitions import odd_one_out

SPUR_TIE = 1e-3  # differences of theta that count as none


def groups(sizes, seed=0):
    """Names and group numbers in no order; one name needs quotes in CSV, one is not ASCII."""
    labels = np.repeat(np.arange(1, len(sizes) + 1), sizes)
    np.random.default_rng(seed).shuffle(labels)
    names = ["fig, dried", "Käse", *(f"item {i}" for i in range(2, len(labels)))]
    return names, labels


def clear_groups(kind="adds3", sizes=(5, 9, 7), count=3000):
    """Groups that every draw of answers shows: noise 0.1, some 140 answers per item."""
    return planted(*groups(sizes), count, kind, seed=1)


def hazy_groups():
    """Structure, but far from a proof: three answers of ten are wrong, and they are few."""
    return planted(*groups((6, 8, 7)), 700, seed=2, noise=0.3)


def coin_tosses(seed=1):
    """Every answer is a coin toss; of a hundred seeds about five would look like more."""
    return planted(*groups((20,)), 600, seed=seed, noise=0.5)


def odd_ones_out(sizes=(5, 9, 7), count=2000, seed=3):
    """The problem that the answers amount to, and the answers as a file."""
    rng = np.random.default_rng(seed)
    names, labels = groups(sizes)
    shown, triplets = [], []
    for _ in range(count):
        a, b, c = rng.choice(len(names), 3, replace=False)
        if labels[a] == labels[c] != labels[b] and rng.random() < 0.9:
            b, c = c, b
        elif labels[b] == labels[c] != labels[a] and rng.random() < 0.9:
            a, c = c, a
        answer = [names[x] for x in (a, b, c)]
        shown.append(",".join(f'"{name}"' for name in answer))
        triplets += [(*triplet, 1) for triplet in odd_one_out(*answer)]
    return Problem("adds3", names, labels, triplets), "\n".join(["a,b,odd", *shown]) + "\n"


def written(tertium, folder="out"):
    return json.loads((tertium.folder / folder / "result.json").read_text(encoding="utf-8"))


def cluster(tertium, *arguments, folder="out", stdin=b""):
    """Runs it with a folder and --json; both and labels.csv must say the same."""
    done = tertium.run("cluster", *arguments, "-o", folder, "--json", stdin=stdin)
    result = json.loads(done.stdout)
    assert result == written(tertium, folder)
    with (tertium.folder / folder / "labels.csv").open(encoding="utf-8", newline="") as file:
        header, *lines = csv.reader(file)
    assert header == ["item", "cluster", "confidence"]
    columns = zip(result["items"], result["labels"], result["confidence"], strict=True)
    for line, (item, label, confidence) in zip(lines, columns, strict=True):
        assert line[:2] == [item, "" if label is None else str(label)]
        if confidence is None:
            assert line[2] == ""
        else:
            assert float(line[2]) == pytest.approx(confidence, abs=1e-4)
    verdict = (result["certificate"] or {}).get("verdict")
    is_tried = result["proof"] is not None
    kept = {path.name for path in (tertium.folder / folder).iterdir()}
    # A proof is about all items, and about sums that the checker can add up.
    linked = result["left_out"] == [] and not result["similarity"].startswith("mulk")
    assert ("certificate.json" in kept) == ((verdict == "optimal" or is_tried) and linked)
    assert ("certificate.numbers" in kept) == (is_tried and linked)
    assert_pairs(tertium.folder / folder / "pairs.npy", result)
    return result


def assert_pairs(path, result):
    """Shares of resamples; their means over the pairs of two clusters are in the result."""
    assert path.exists() == (result["bootstrap"] is not None)
    if not path.exists():
        return
    pairs = np.load(path)
    labels = np.array([0 if label is None else label for label in result["labels"]])
    linked = np.flatnonzero(labels)
    assert pairs.shape == (len(labels), len(labels))
    assert np.isnan(pairs).sum() == len(labels) ** 2 - len(linked) ** 2
    known = pairs[np.ix_(linked, linked)]
    assert np.array_equal(known, known.T)
    assert np.all(known.diagonal() == 1)
    hits = known * result["bootstrap"]["resamples"]
    assert np.allclose(hits, np.round(hits), atol=1e-3)
    for a, row in enumerate(result["bootstrap"]["together"], start=1):
        for b, together in enumerate(row, start=1):
            of_two = [
                pairs[i, j]
                for i in np.flatnonzero(labels == a)
                for j in np.flatnonzero(labels == b)
                if i != j
            ]
            if of_two:
                assert together == pytest.approx(np.mean(of_two), abs=1e-5)


def without_seconds(text):
    """The text of a result but for the time it took."""
    rest, times = re.subn(r'"seconds": [-+.e0-9]+', "", text)
    assert times == 1
    return rest


def labels_in_order_of(problem, result):
    """The labels found, in the order of the items of the problem."""
    of = dict(zip(result["items"], result["labels"], strict=True))
    return np.array([of[name] for name in problem.names])


def assert_consistent(problem, result, options=2):
    """Everything that follows from the answers, among so many options, and the labels found."""
    k, n = result["k"], len(problem.names)
    labels = labels_in_order_of(problem, result)
    assert sorted(result["items"]) == sorted(problem.names)
    assert sorted(set(labels.tolist())) == list(range(1, k + 1))
    assert_clusters(problem, result, labels)

    assert result["objective"] == pytest.approx(problem.objective(labels), abs=1e-9)
    assert_bounds(problem, result)
    assert_choice(result)
    assert result["comparisons"] in (0, len(problem.rows))
    for confidence in result["confidence"]:
        assert confidence is None or 0 <= confidence <= 1
    assert (result["bootstrap"] is None) == (result["confidence"] == [None] * n)
    if result["bootstrap"] is not None:
        assert_bootstrap(result)
    if result["null_test"] is not None:
        assert_null_test(problem, result)
    if result["heldout"] is not None:
        assert_heldout(result, options)
    if result["need"] is not None:
        assert_need(problem, result, labels)


def assert_clusters(problem, result, labels):
    """Numbers by size; members are those with the label, the most typical first."""
    sizes = [entry["size"] for entry in result["clusters"]]
    assert sizes == sorted(sizes, reverse=True)
    assert [entry["cluster"] for entry in result["clusters"]] == list(range(1, result["k"] + 1))
    confidence = dict(zip(result["items"], result["confidence"], strict=True))
    row_of = {name: row for row, name in enumerate(problem.names)}
    for entry in result["clusters"]:
        own = np.flatnonzero(labels == entry["cluster"])
        members = entry["members"]
        assert len(members) == entry["size"]
        assert sorted(members) == sorted(problem.names[i] for i in own)
        typical = [problem.S[row_of[name], own].mean() for name in members]
        assert all(a >= b - 1e-9 for a, b in pairwise(typical))
        if result["bootstrap"] is not None:
            mean = np.mean([confidence[name] for name in members])
            assert entry["confidence"] == pytest.approx(mean)


def assert_bounds(problem, result):
    """The bound holds for what was found, for the truth, and for partitions drawn at random."""
    rng = np.random.default_rng(5)
    k, n = result["k"], len(problem.names)
    values = [result["objective"]]
    if problem.labels.max() == k:
        values.append(problem.objective())
    for _ in range(20):
        labels = rng.permutation(np.concatenate([np.arange(k), rng.integers(k, size=n - k)]))
        values.append(problem.objective(labels))
    bound = result["upper_bound"]
    assert bound >= max(values) - 1e-9 * abs(bound)
    if bound == result["objective"]:
        assert result["gap"] == 0
    else:
        gap = (bound - result["objective"]) / abs(result["objective"])
        assert result["gap"] == pytest.approx(gap)
    certificate = result["certificate"]
    if certificate is not None and certificate["verdict"] == "optimal":
        assert result["gap"] == 0
        assert certificate["level"] in ("proved", "proved with high probability")
    if is_proved_by_cuts(result):
        assert result["gap"] <= result["proof"]["tolerance"]


def is_proved_by_cuts(result):
    return result["proof"] is not None and result["proof"]["complete"]


def assert_choice(result):
    """Of the k > 1 with a theta, the one with the largest; of nearly equal ones the largest that
    SDP-lambda pays for, or with spur-lambda the one that most lambdas give."""
    if not result["spur"]:
        return
    solved = [step for step in result["spur"] if step["theta"] is not None]
    assert all(0 < step["theta"] <= 1 + 1e-9 for step in solved)
    for step in result["spur"]:
        assert step["theta"] == pytest.approx(1, abs=1e-6) or not step["certified"]
        if step["upper_bound"] is not None:
            assert step["upper_bound"] >= step["objective"] * (1 - 1e-9)
            assert step["k"] != result["k"] or step["upper_bound"] >= result["objective"] - 1e-9
    known = [step for step in solved if step["k"] > 1]
    best = max(step["theta"] for step in known)
    tied = {step["k"] for step in known if step["theta"] >= best - SPUR_TIE}
    assert result["k"] in tied
    if result["chosen_by"] == "spur-lambda":
        often = Counter(step["k"] for step in result["spur"])
        assert often[result["k"]] == max(often[k] for k in tied)
    elif len(solved) == len(result["spur"]):
        trace = result["spur_range"] and result["spur_range"]["trace_at_lambda_min"]
        most = len(result["items"]) - 1 if trace is None else round(trace)
        paid = [k for k in tied if k <= most]
        assert result["k"] == (max(paid) if paid else min(tied))
    if result["spur_range"] is not None:
        least, most = result["spur_range"]["fewest"], result["spur_range"]["most"]
        assert [step["k"] for step in result["spur"]] == list(range(least, most + 1))
        c, n = result["comparisons"], len([x for x in result["labels"] if x is not None])
        lambdas = result["spur_range"]["lambda_min"], result["spur_range"]["lambda_max"]
        assert lambdas == pytest.approx((math.sqrt(c * math.log(n) / n), c / n))


def assert_bootstrap(result):
    bootstrap = result["bootstrap"]
    together = np.array(bootstrap["together"])
    assert together.shape == (result["k"], result["k"])
    assert np.allclose(together, together.T)
    assert together.min() >= 0
    assert together.max() <= 1
    assert bootstrap["stability"] <= 1
    # A confidence is a share of the resamples.
    for confidence in result["confidence"]:
        hits = confidence * bootstrap["resamples"]
        assert hits == pytest.approx(round(hits), abs=1e-6)


def assert_null_test(problem, result):
    test = result["null_test"]
    assert test["p_value"] == result["null_p_value"]
    assert 0 < test["p_value"] <= 1
    assert test["leading_eigenvalue"] == pytest.approx(np.linalg.eigvalsh(problem.S)[-1], rel=1e-4)
    assert test["mean_of_coin_tosses"] <= test["largest_of_coin_tosses"]
    if test["leading_eigenvalue"] > test["largest_of_coin_tosses"]:
        assert test["p_value"] == pytest.approx(1 / (test["draws"] + 1))


def assert_heldout(result, options):
    heldout, curve = result["heldout"], result["heldout"]["curve"]
    ks = [point["k"] for point in curve]
    beyond = int(ks[-1] == result["k"] > heldout["k"])  # scored after the curve had ended
    assert ks[: len(ks) - beyond] == list(range(ks[0], ks[0] + len(ks) - beyond))
    assert heldout["k"] in ks
    for point in curve:
        assert 0 <= point["right"] <= point["predictable"]
        if point["k"] == 1:
            assert point["log_likelihood"] == pytest.approx(-math.log(2), abs=1e-4)
    chosen = next(point for point in curve if point["k"] == heldout["k"])
    best = max(curve, key=lambda point: point["log_likelihood"])
    gain, most = (p["log_likelihood"] + math.log(2) for p in (chosen, best))
    if most <= 2 * best["standard_error"]:  # no gain to believe in
        assert heldout["k"] == ks[0]
    else:
        assert gain >= most - best["standard_error"] - 1e-12 or gain >= 0.95 * most
    of_k = [point for point in curve if point["k"] == result["k"] and point["predictable"]]
    accuracy = of_k[0]["right"] / of_k[0]["predictable"] if of_k else None
    assert heldout["accuracy"] == pytest.approx(accuracy)
    agreement = heldout["repeat_agreement"]
    if agreement is None:
        assert heldout["ceiling"] is None
    elif options > 2:
        assert heldout["ceiling"] == pytest.approx(math.sqrt(agreement))
    else:
        ceiling = (1 + math.sqrt(max(0, 2 * agreement - 1))) / 2
        assert heldout["ceiling"] == pytest.approx(ceiling)


def assert_need(problem, result, labels):
    """signal: how much more often a pair inside a cluster was chosen over one across."""
    label = dict(zip(problem.names, labels, strict=True))
    inside = outside = 0
    for *items, weight in problem.rows:
        i, j, r, s = (items[0], items[1], items[0], items[2]) if len(items) == 3 else items
        first, second = label[i] == label[j], label[r] == label[s]
        inside += weight * (first and not second)
        outside += weight * (second and not first)
    signal = (inside - outside) / (inside + outside)
    n = len(problem.names)
    assert result["need"]["answers"] == len(problem.rows)
    assert result["need"]["signal"] == pytest.approx(signal)
    smallest = min(Counter(label for label in labels if label is not None).values())
    theorem = 0.3 * n**3 * math.log(n) ** 2 / (signal * smallest) ** 2
    assert result["need"]["theorem"] == pytest.approx(theorem)
    assert result["need"]["for_proof"] == pytest.approx(answers_for_proof(result))


def answers_for_proof(result):
    """When hi, which grows like the answers, passes lo, which grows like their root."""
    certificate = result["certificate"]
    if certificate is None or certificate["verdict"] == "optimal" or is_proved_by_cuts(result):
        return None
    lo, hi = certificate["lo"], certificate["hi"]
    if lo is None or hi is None or hi <= 0:
        return None
    return result["need"]["answers"] * max(1, (lo / hi) ** 2)
