"""`tertium plan` and `tertium theory`: what they print, recomputed where it can be."""

import csv
import json
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

SMALL = ["--items", 16, "--clusters", 2, "--epsilon", 0.9, "--delta", 0.9, "--runs", 40]


def plan(tertium, *flags):
    return json.loads(tertium.run("plan", *SMALL, *flags, "--json").stdout)


def test_plan_says_how_many_answers_and_draws_the_curve(tertium):
    done = tertium.run("plan", *SMALL, "--confidence", 0.8, "--participants", 5, "--svg", "p.svg")
    found = plan(tertium, "--confidence", 0.8, "--participants", 5)
    assert f"answers needed    {found['answers']} " in done.stdout
    assert found["answers_per_participant"] == -(-found["answers"] // 5)
    assert found["fewest"] <= found["answers"]
    points = found["curve"]
    assert points[0]["chance"] < 0.8 <= points[-1]["chance"]
    for point in points:
        low, high = point["chance_interval"]
        assert low <= point["chance"] <= high
    picture = ElementTree.parse(tertium.folder / "p.svg").getroot()
    circles = [part for part in picture if part.tag.endswith("circle")]
    assert len(circles) == len(points)


def test_plan_is_the_same_at_any_thread_count(tertium):
    assert plan(tertium, "--threads", 1) == plan(tertium, "--threads", 2)
    assert plan(tertium, "--seed", 2)["curve"] != plan(tertium)["curve"]


def test_the_reverse_question_is_a_point_of_the_curve(tertium):
    point = plan(tertium)["curve"][1]
    assert plan(tertium, "--answers", point["answers"])["curve"] == [point]
    text = tertium.run("plan", *SMALL, "--answers", "n*ln(n)").stdout
    assert "chance" in text
    assert "adjusted Rand" in text


def test_plan_says_when_no_number_is_enough(tertium):
    flags = ["--items", 16, "--clusters", 2, "--delta", 0.1, "--runs", 20]
    assert "not reached" in tertium.run("plan", *flags).stdout
    assert json.loads(tertium.run("plan", *flags, "--json").stdout)["answers"] is None


BAD_PLANS = {
    "goal": (["--goal", "perfect"], ["--goal 'perfect'", "exact, or ari="]),
    "index": (["--goal", "ari=1.5"], ["at most 1"]),
    "confidence": (["--confidence", 1], ["--confidence 1", "between 0 and 1"]),
    "runs": (["--runs", 5], ["--runs 5", "20 to"]),
    "one cluster": (["--clusters", 1], ["at least two clusters"]),
    "answers": (["--answers", 1681], ["1 to 1680"]),
    "picture of a point": (["--answers", 100, "--svg", "p.svg"], ["one of them"]),
    "epsilon": (["--epsilon", 0], ["above 0 and at most 1"]),
}


@pytest.mark.parametrize(("flags", "expected"), BAD_PLANS.values(), ids=BAD_PLANS.keys())
def test_bad_plans_are_refused(tertium, flags, expected):
    given = dict(zip(SMALL[::2], SMALL[1::2], strict=True))
    kept = [w for flag, value in given.items() if flag not in flags for w in (flag, value)]
    message = tertium.refuse("plan", *kept, *flags)
    for words in expected:
        assert words in message


def simulate(tertium, *flags):
    tertium.run("simulate", *flags, "-o", "a.csv", "--truth", "t.csv")
    tertium.run("similarity", "a.csv", "-o", "s.npy")
    with (tertium.folder / "t.csv").open(encoding="utf-8", newline="") as file:
        labels = np.array([int(row["cluster"]) for row in csv.DictReader(file)]) - 1
    return np.load(tertium.folder / "s.npy").astype(float), labels


def test_theory_follows_the_proposition(tertium):
    flags = ["--items", 30, "--sizes", "15,9,6", "--answers", 4000, "--delta", 0.9]
    s, labels = simulate(tertium, *flags)
    found = json.loads(tertium.run("theory", "a.csv", "--truth", "t.csv", "--json").stdout)
    assert found["sizes"] == [15, 9, 6]
    z = np.eye(3)[labels]
    off_diagonal = 1 - np.eye(30)
    sigma = (z.T @ s @ z) / (z.T @ off_diagonal @ z)
    deviation = s - z @ sigma @ z.T
    pairs = [(0, 1), (0, 2), (1, 2)]
    delta_1 = min((sigma[a, a] + sigma[b, b]) / 2 - sigma[a, b] for a, b in pairs)
    delta_2 = np.abs(deviation @ z / z.sum(axis=0)).max()
    proposition = found["proposition"]
    assert np.allclose(found["block_means"], sigma)
    assert proposition["delta_1"] == pytest.approx(delta_1)
    assert proposition["delta_2"] == pytest.approx(delta_2)
    assert proposition["lo"] == pytest.approx(np.linalg.norm(deviation, 2))
    assert proposition["hi"] == pytest.approx(6 * min(delta_1 / 2, delta_1 - 6 * delta_2))
    assert found["epsilon"] is None  # no question was repeated
    low, high = found["epsilon_delta"]["interval"]
    assert low < found["epsilon_delta"]["value"] < high


def test_theory_finds_the_clusters_itself_and_estimates(tertium):
    model = ["--items", 24, "--clusters", 2, "--epsilon", 0.7, "--delta", 0.9]
    simulate(tertium, *model, "--answers", 9000, "--replacement")
    found = json.loads(tertium.run("theory", "a.csv", "--clusters", 2, "--json").stdout)
    assert found["fitted"]
    assert found["sizes"] == [12, 12]
    # A 95 % interval widened to four times its size misses in fewer than one of 10^9 runs.
    for name, truth in (("epsilon", 0.7), ("epsilon_delta", 0.63)):
        value, (low, high) = found[name]["value"], found[name]["interval"]
        assert abs(value - truth) < 4 * max(high - value, value - low)
    text = tertium.run("theory", "a.csv", "--clusters", 2).stdout
    assert "proposition 1" in text
    assert "certificate" in text
    assert "calibrated by simulation" in text


def test_theory_of_sums_alone(tertium):
    simulate(tertium, "--items", 20, "--clusters", 2, "--answers", 2000)
    tertium.run("similarity", "a.csv", "-o", "a.sim")
    found = json.loads(tertium.run("theory", "a.sim", "--truth", "t.csv", "--json").stdout)
    answers = json.loads(tertium.run("theory", "a.csv", "--truth", "t.csv", "--json").stdout)
    assert found["proposition"] == answers["proposition"]
    assert found["epsilon_delta"] is None
    assert found["theorem"] is None


def test_bad_theories_are_refused(tertium):
    simulate(tertium, "--items", 20, "--clusters", 2, "--answers", 2000)
    tertium.file("some.csv", "item,cluster\n0,a\n1,b\n")
    refuse = tertium.refuse
    assert "--truth" in refuse("theory", "a.csv")
    assert "one of" in refuse("theory", "a.csv", "--truth", "t.csv", "--clusters", 2)
    assert "'2'" in refuse("theory", "a.csv", "--truth", "some.csv")
    assert "1 to 20" in refuse("theory", "a.csv", "--clusters", 21)
    assert "both" in refuse("theory", "a.csv", "--clusters", 2, "--epsilon", 0.5)
    noise = ["--epsilon", 1.5, "--delta", 0.5]
    assert "at most 1" in refuse("theory", "a.csv", "--clusters", 2, *noise)


def test_theory_knows_no_expectation_of_odd_one_out(tertium):
    simulate(tertium, "--items", 20, "--clusters", 2, "--answers", 900, "--kind", "odd-one-out")
    found = json.loads(tertium.run("theory", "a.csv", "--truth", "t.csv", "--json").stdout)
    assert found["expected"] is None
    noise = ["--epsilon", 0.5, "--delta", 0.5]
    assert "quadruplets" in tertium.refuse("theory", "a.csv", "--truth", "t.csv", *noise)
