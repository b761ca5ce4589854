"""`tertium cluster`: what it finds and claims, recomputed from planted answers.

clusterings.py holds the properties that every result must have.
"""

import json

import numpy as np
import pytest
from certificates import Problem, planted, sealed
from clusterings import (
    assert_consistent,
    clear_groups,
    cluster,
    groups,
    labels_in_order_of,
    odd_ones_out,
)
from definitions import adjusted_rand, normalised_mutual_information, repeat_agreement

NEEDS_ANSWERS = ["heldout", "null_p_value", "null_test", "bootstrap", "need"]


def assert_found(problem, result):
    """All groups, and a proof that no partition is better."""
    assert result["k"] == problem.labels.max()
    assert adjusted_rand(problem.labels, labels_in_order_of(problem, result)) == 1
    assert result["certificate"]["verdict"] == "optimal"
    assert result["gap"] == 0


# ---- groups, their number, and how sure


def test_planted_groups_are_found(tertium, clear):
    tertium.file("a.csv", clear.csv())
    result = cluster(tertium, "a.csv")
    assert_consistent(clear, result)
    assert_found(clear, result)
    assert (result["chosen_by"], result["method"]) == ("spur", "auto")
    assert result["null_p_value"] <= 0.05
    assert result["heldout"]["k"] == 3
    assert min(result["confidence"]) > 0.9
    assert np.diag(result["bootstrap"]["together"]).min() > 0.9
    assert result["bootstrap"]["over"] == "answers"
    assert result["bootstrap"]["resamples"] >= 100
    assert result["need"]["for_proof"] is None
    assert result["need"]["signal"] == pytest.approx(0.8, abs=0.1)
    assert result["left_out"] == []
    assert result["warnings"] == []
    assert result["truth"] is None
    assert result["seed"] == 1
    assert result["seconds"] > 0
    answered = [((a, *sorted((b, c))), b) for a, b, c, _ in clear.rows]
    agreement = repeat_agreement(answered)
    assert result["heldout"]["repeat_agreement"] == pytest.approx(agreement)


@pytest.mark.parametrize("method", ["auto", "paper"])
@pytest.mark.parametrize("clusters", [1, 2, 3, 5, 21, "2-4", "auto", "spur-lambda", "heldout"])
def test_claims_hold_without_a_proof(tertium, hazy, clusters, method):
    tertium.file("a.csv", hazy.csv())
    flags = ["--clusters", clusters, "--method", method, "--resamples", 20]
    result = cluster(tertium, "a.csv", *flags)
    assert_consistent(hazy, result)
    assert result["method"] == method
    by = {"2-4": "theta", "auto": "spur"}.get(clusters, clusters)
    assert result["chosen_by"] == ("given" if isinstance(clusters, int) else by)
    assert (result["gap"] > 0) == (result["k"] not in (1, 21)), "these answers were to be hazy"
    if isinstance(clusters, int):
        assert result["k"] == clusters
        assert result["spur"] == []
    if clusters == "2-4":
        assert {step["k"] for step in result["spur"]} == {2, 3, 4}
        assert [point["k"] for point in result["heldout"]["curve"]] == [2, 3, 4]
    if clusters == "spur-lambda":
        lambdas = [step["lambda"] for step in result["spur"]]
        assert len(lambdas) == 20
        assert lambdas == sorted(lambdas)
    if clusters == "heldout":
        assert result["k"] == result["heldout"]["k"]
    if method == "paper":
        assert result["certificate"] is None
        assert not any(step["certified"] for step in result["spur"])


@pytest.mark.parametrize("method", ["auto", "paper"])
def test_theta_is_that_of_the_program(tertium, hazy, method):
    """Compared with the eigenvalues of X from `tertium sdp`, as far as X is settled."""
    tertium.file("a.csv", hazy.csv())
    flags = ["--quick", "--tolerance", "1e-5"]
    result = cluster(tertium, "a.csv", "--clusters", "2-5", "--method", method, *flags)
    assert [step["k"] for step in result["spur"]] == [2, 3, 4, 5]
    order = [hazy.names.index(name) for name in result["items"]]
    for step in result["spur"]:
        k = step["k"]
        flags = ["--clusters", k, "--tolerance", "1e-5", "--save-x", f"x{k}.npy"]
        tertium.run("sdp", "a.csv", *flags)
        X = np.load(tertium.folder / f"x{k}.npy")
        assert step["theta"] == pytest.approx(np.linalg.eigvalsh(X)[-k:].sum() / k, abs=5e-3)
        S = hazy.S[np.ix_(order, order)]
        assert step["objective"] == pytest.approx((S * X).sum(), rel=1e-4)


@pytest.mark.parametrize("clusters", ["3", "2-4", "auto", "heldout"])
@pytest.mark.parametrize("rounding", ["kmeans", "spectral"])
def test_both_methods_agree_where_there_is_a_proof(tertium, clear, clusters, rounding):
    tertium.file("a.csv", clear.csv())
    flags = ["--clusters", clusters, "--rounding", rounding, "--resamples", 10]
    ours = cluster(tertium, "a.csv", *flags)
    paper = cluster(tertium, "a.csv", *flags, "--method", "paper", folder="paper")
    assert_consistent(clear, paper)
    assert_found(clear, ours)
    assert (paper["k"], paper["labels"]) == (ours["k"], ours["labels"])
    assert paper["certificate"] is None
    assert not (tertium.folder / "paper" / "certificate.json").exists()


@pytest.mark.parametrize("rounding", ["kmeans", "spectral"])
def test_the_search_is_never_below_the_paper(tertium, hazy, rounding):
    tertium.file("a.csv", hazy.csv())
    for k in (2, 3, 4, 6):
        flags = ["--clusters", k, "--rounding", rounding, "--quick"]
        paper = cluster(tertium, "a.csv", *flags, "--method", "paper")
        assert_consistent(hazy, paper)
        assert cluster(tertium, "a.csv", *flags)["objective"] >= paper["objective"] - 1e-9


def test_a_choice_that_is_in_doubt_is_said(tertium, hazy):
    tertium.file("a.csv", hazy.csv())
    result = cluster(tertium, "a.csv", "--resamples", 10)
    disagree = result["k"] != result["heldout"]["k"]
    assert disagree == any("held-out" in warning for warning in result["warnings"])
    assert result["need"]["for_proof"] is None or result["need"]["for_proof"] > 700


def test_coin_tosses_are_one_cluster(tertium, coins):
    tertium.file("a.csv", coins.csv())
    result = cluster(tertium, "a.csv")
    assert_consistent(coins, result)
    assert result["k"] == 1
    assert result["null_p_value"] > 0.05
    assert result["spur"] == []
    assert any("coin tosses" in warning for warning in result["warnings"])
    summary = tertium.run("cluster", "a.csv").stdout
    assert "1, since the answers show no structure" in summary
    # Who asks for clusters gets them, and is warned.
    asked = cluster(tertium, "a.csv", "--clusters", 3, "--resamples", 10)
    assert asked["k"] == 3
    assert any("coin tosses" in warning for warning in asked["warnings"])


def test_quick_leaves_out_what_takes_time(tertium, clear):
    tertium.file("a.csv", clear.csv())
    result = cluster(tertium, "a.csv", "--quick")
    assert_consistent(clear, result)
    assert_found(clear, result)
    assert [result[name] for name in NEEDS_ANSWERS] == [None] * len(NEEDS_ANSWERS)
    assert all("confidence" not in entry for entry in result["clusters"])


def test_participants_are_drawn_as_a_whole(tertium, hazy):
    """With all answers of a participant drawn together, confidence falls: here there are two."""
    header, *lines = hazy.csv().splitlines()
    people = [f"{line},{'ann' if i % 2 else 'bob'}" for i, line in enumerate(lines)]
    tertium.file("a.csv", "\n".join([f"{header},participant", *people]) + "\n")
    flags = ["--clusters", 3, "--resamples", 300]
    result = cluster(tertium, "a.csv", *flags)
    assert_consistent(hazy, result)
    assert result["bootstrap"]["over"] == "participants"
    assert result["bootstrap"]["resamples"] == 300
    tertium.file("b.csv", hazy.csv())
    alone = cluster(tertium, "b.csv", *flags)
    assert alone["bootstrap"]["over"] == "answers"
    assert alone["labels"] == result["labels"]
    assert alone["confidence"] != result["confidence"]


@pytest.mark.parametrize("shares", ["all", "some"])
def test_agreement_with_the_truth(tertium, hazy, shares):
    tertium.file("a.csv", hazy.csv())
    known = [i for i in range(len(hazy.names)) if shares == "all" or i % 3]
    lines = [f'"{hazy.names[i]}",class {hazy.labels[i]}\n' for i in reversed(known)]
    tertium.file("truth.csv", "item,class\n" + "".join(lines))
    result = cluster(tertium, "a.csv", "--clusters", 3, "--quick", "--truth", "truth.csv")
    found = labels_in_order_of(hazy, result)[known].tolist()
    truth = hazy.labels[known].tolist()
    said = result["truth"]
    assert said["adjusted_rand"] == pytest.approx(adjusted_rand(found, truth))
    assert said["normalised_mutual_information"] == pytest.approx(
        normalised_mutual_information(found, truth)
    )
    assert (said["items"], said["classes"]) == (len(known), len(set(truth)))


# ---- the proof


def test_the_certificate_is_verified(tertium, clear):
    tertium.file("a.csv", clear.csv())
    result = cluster(tertium, "a.csv", "--quick")
    tertium.run("verify", "out/certificate.json", "a.csv")
    claim = json.loads((tertium.folder / "out" / "certificate.json").read_text(encoding="utf-8"))
    assert claim["labels"] == result["labels"]
    assert claim["items"] == result["items"]
    assert claim["objective"] == result["objective"]
    assert (claim["lo"], claim["hi"]) == (result["certificate"]["lo"], result["certificate"]["hi"])


@pytest.mark.parametrize("honest", [False, True])
def test_a_certificate_with_two_labels_swapped_is_refused(tertium, clear, honest):
    """Also if the value and the checksum are those of the changed labels."""
    tertium.file("a.csv", clear.csv())
    cluster(tertium, "a.csv", "--quick")
    claim = json.loads((tertium.folder / "out" / "certificate.json").read_text(encoding="utf-8"))
    del claim["checksum"]
    tertium.file("same.json", sealed(claim))
    tertium.run("verify", "same.json", "a.csv")
    labels = claim["labels"]
    other = next(i for i, label in enumerate(labels) if label != labels[0])
    labels[0], labels[other] = labels[other], labels[0]
    if honest:
        of = dict(zip(claim["items"], labels, strict=True))
        claim["objective"] = clear.objective(np.array([of[name] for name in clear.names]))
    tertium.file("swapped.json", sealed(claim))
    assert "refused" in tertium.run("verify", "swapped.json", "a.csv", code=3).stderr


def test_files_of_an_earlier_run_do_not_stay(tertium, clear):
    tertium.file("a.csv", clear.csv())
    cluster(tertium, "a.csv", "--resamples", 10)
    tertium.file("out/notes.txt", "mine")
    for name in ("certificate.json", "pairs.npy"):
        assert (tertium.folder / "out" / name).exists()
    cluster(tertium, "a.csv", "--quick", "--method", "paper")
    left = {path.name for path in (tertium.folder / "out").iterdir()}
    assert left == {"labels.csv", "result.json", "notes.txt"}


# ---- items that nothing links


def test_items_that_nothing_links_have_no_cluster(tertium, clear):
    apart = "ox,yak,gnu\nyak,ox,gnu\n"
    tertium.file("a.csv", clear.csv() + apart)
    names = [f'"{name}"' for name in [*clear.names, "ox", "yak", "gnu", "never asked"]]
    tertium.file("items.csv", "\n".join(["name", *names]) + "\n")
    result = cluster(tertium, "a.csv", "--items", "items.csv", "--resamples", 50)
    of = dict(zip(result["items"], result["labels"], strict=True))
    sure = dict(zip(result["items"], result["confidence"], strict=True))
    reasons = {entry["item"]: entry["reason"] for entry in result["left_out"]}
    assert set(reasons) == {"ox", "yak", "gnu", "never asked"}
    assert {name for name, label in of.items() if label is None} == set(reasons)
    assert {name for name, share in sure.items() if share is None} == set(reasons)
    assert "2 other items" in reasons["yak"]
    assert "no answer" in reasons["never asked"]
    assert any("4 of 25 items have no cluster" in warning for warning in result["warnings"])
    found = np.array([of[name] for name in clear.names])
    assert adjusted_rand(clear.labels, found) == 1
    assert result["objective"] == pytest.approx(clear.objective(found))
    assert sum(entry["size"] for entry in result["clusters"]) == len(clear.names)
    # The proof is about the others only, so there is no file that claims more.
    assert result["certificate"]["verdict"] == "optimal"
    assert not (tertium.folder / "out" / "certificate.json").exists()
    summary = tertium.run("cluster", "a.csv", "--items", "items.csv", "--quick").stdout
    assert "never asked (no answer links it" in summary
    says = tertium.refuse("cluster", "a.csv", "--clusters", 22)
    assert "22 clusters" in says
    assert "1 to 21" in says


# ---- other answers, sums and matrices


def test_quadruplets(tertium):
    problem = clear_groups("adds4", (4, 5, 6), 5000)
    tertium.file("a.csv", problem.csv())
    result = cluster(tertium, "a.csv", "--resamples", 20)
    assert_consistent(problem, result)
    assert_found(problem, result)
    tertium.run("verify", "out/certificate.json", "a.csv")


def test_odd_ones_out(tertium):
    problem, text = odd_ones_out()
    tertium.file("a.csv", text)
    result = cluster(tertium, "a.csv", "--resamples", 20)
    assert_consistent(problem, result, options=3)
    assert_found(problem, result)
    tertium.run("verify", "out/certificate.json", "a.csv")


@pytest.mark.parametrize("flags", [[], ["--method", "paper"]])
def test_each_different_answer_once(tertium, clear, flags):
    tertium.file("a.csv", clear.csv())
    once = Problem("adds3", clear.names, clear.labels, sorted(set(clear.rows)))
    assert len(once.rows) < len(clear.rows)
    result = cluster(tertium, "a.csv", "--repeats", "once", "--quick", *flags)
    assert_consistent(once, result)


def test_weights(tertium):
    problem = planted(*groups((5, 9, 7)), 3000, weights=(0.5, 1, 2.25), seed=6)
    tertium.file("a.csv", problem.csv())
    result = cluster(tertium, "a.csv", "--clusters", 3, "--resamples", 10)
    assert_consistent(problem, result)
    assert_found(problem, result)
    tertium.run("verify", "out/certificate.json", "a.csv")


def test_standard_input(tertium, clear):
    tertium.file("a.csv", clear.csv())
    read = cluster(tertium, "-", "--resamples", 10, stdin=clear.csv().encode())
    again = cluster(tertium, "a.csv", "--resamples", 10)
    for result in (read, again):
        del result["seconds"]
        del result["inputs"][0]["name"]
    assert read == again


@pytest.mark.parametrize("clusters", ["auto", "3", "2-4", "spur-lambda"])
def test_a_snapshot_has_sums_only(tertium, clear, clusters):
    tertium.file("a.csv", clear.csv())
    tertium.run("similarity", "a.csv", "-o", "a.sim", "-q")
    result = cluster(tertium, "a.sim", "--clusters", clusters)
    assert_consistent(clear, result)
    assert [result[name] for name in NEEDS_ANSWERS] == [None] * len(NEEDS_ANSWERS)
    quick = cluster(tertium, "a.csv", "--clusters", clusters, "--quick", folder="quick")
    for name in ("k", "labels", "objective", "upper_bound", "spur", "comparisons"):
        assert result[name] == quick[name]


@pytest.mark.parametrize("file", ["m.csv", "m.mtx"])
def test_a_matrix_does_not_say_how_many(tertium, clear, file):
    tertium.file("a.csv", clear.csv())
    tertium.run("similarity", "a.csv", "-o", file, "-q")
    for clusters in ("auto", "spur-lambda", "heldout"):
        says = tertium.refuse("cluster", file, "--clusters", clusters)
        assert "--clusters K or a range" in says
    for clusters in ("3", "2-4"):
        result = cluster(tertium, file, "--clusters", clusters)
        assert result["similarity"] == "precomputed"
        assert result["comparisons"] == 0
        assert [result[name] for name in NEEDS_ANSWERS] == [None] * len(NEEDS_ANSWERS)
        if file == "m.csv":  # the other has no names
            assert_consistent(clear, result)
        assert_proved_value(clear, result)
    tertium.run("verify", "out/certificate.json", file)


def assert_proved_value(problem, result):
    assert result["certificate"]["verdict"] == "optimal"
    assert result["objective"] == pytest.approx(problem.objective())


def test_names_that_are_numbers(tertium):
    names, labels = groups((5, 9, 7))
    problem = clear_groups()
    number_of = {name: str(100 + i) for i, name in enumerate(names)}
    rows = [",".join(number_of[x] for x in row[:3]) for row in problem.rows]
    tertium.file("a.csv", "anchor,near,far\n" + "\n".join(rows) + "\n")
    result = cluster(tertium, "a.csv", "--quick")
    of = dict(zip(result["items"], result["labels"], strict=True))
    assert adjusted_rand(labels, [of[number_of[name]] for name in names]) == 1
