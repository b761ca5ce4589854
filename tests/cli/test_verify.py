"""`tertium verify` and tools/check_certificate.py: what they accept, and what both must refuse.

Certificates come from certificates.py, a producer that knows only docs/certificate.md. Every case
is given to both checkers.
"""

import importlib.util
import io
import json
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from certificates import Problem, integers_checksum, planted, sealed, stale

NAMES = ["apple", "pear", 'the "checksum" plum', "fig", "rat", "ox", "zebra", "ä", "7", "12"]
GROUPS = [1, 1, 1, 1, 2, 2, 2, 3, 3, 3]


@pytest.fixture(scope="module")
def problem():
    return planted(NAMES, GROUPS, 1500)


@pytest.fixture(scope="module")
def optimal(problem):
    return problem.optimal()


@pytest.fixture(scope="module")
def dual(problem, optimal):
    return problem.gamma((optimal["lo"] + optimal["hi"]) / 2)


@pytest.fixture(scope="module")
def bound(problem, dual):
    return problem.bound(dual, {"clusters": 3})


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def load_script():
    path = Path(__file__).resolve().parents[2] / "tools" / "check_certificate.py"
    spec = importlib.util.spec_from_file_location("check_certificate", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = load_script()


# The script is Python: with sanitizers nothing else happens.
@pytest.fixture(params=["tertium", pytest.param("script", marks=pytest.mark.slow_sanitized)])
def checker(request, tertium, problem, dual, capsys):
    """Checks a certificate with one of the two checkers; returns the exit code and the reason."""
    tertium.file("answers.csv", problem.csv())
    tertium.file("n.npy", npy(dual))

    def check(certificate, answers="answers.csv", repeats=None):
        tertium.file("claim.json", certificate)
        flags = ["--repeats", repeats] if repeats else []
        if request.param == "tertium":
            kind = ["--kind", "matrix"] if answers.endswith(".npy") else []
            done = tertium.run("verify", "claim.json", answers, *flags, *kind, code=None)
            return done.returncode, done.stderr
        files = [str(tertium.folder / name) for name in ("claim.json", answers)]
        code = SCRIPT.main([*files, *flags])
        return code, capsys.readouterr().err

    check.tertium = tertium
    return check


def assert_verified(outcome):
    assert outcome == (0, "")


def assert_refused(outcome, says=""):
    code, reason = outcome
    assert code == 3, reason
    assert "refused: " in reason
    assert reason.count("\n") == 1
    assert says in reason


# ---- what is true


def test_optimal(checker, optimal):
    assert_verified(checker(sealed(optimal)))


def test_one_lambda_is_enough(checker, optimal):
    middle = (optimal["lo"] + optimal["hi"]) / 2
    assert_verified(checker(sealed(optimal | {"lo": middle, "hi": middle})))


@pytest.mark.parametrize("program", [{"clusters": 3}, {"lambda": 40.0}, {"lambda": 0}])
@pytest.mark.parametrize("N", ["gamma", "zero", "random"])
def test_bound(checker, problem, dual, program, N):
    rng = np.random.default_rng(3)
    half = rng.random(dual.shape)
    N = {"gamma": dual, "zero": 0 * dual, "random": half + half.T}[N]
    checker.tertium.file("n.npy", npy(N))
    fields = problem.bound(N, program)
    assert_verified(checker(sealed(fields)))
    assert_verified(checker(sealed(fields | {"upper_bound": fields["upper_bound"] * 2})))


def test_bound_with_the_right_dual_is_tight(problem, bound):
    assert bound["upper_bound"] == pytest.approx(problem.objective())


def test_items_in_another_order(checker, problem, dual):
    order = np.random.default_rng(4).permutation(len(NAMES))
    other = problem.reordered(order)
    assert_verified(checker(sealed(other.optimal())))
    N = dual[np.ix_(order, order)]
    checker.tertium.file("n.npy", npy(N))
    assert_verified(checker(sealed(other.bound(N, {"clusters": 3}))))


@pytest.mark.parametrize("kind", ["adds3", "adds4"])
def test_weighted_answers(checker, kind):
    problem = planted(NAMES, GROUPS, 1500, kind, weights=(0.5, 1, 2.25))
    assert problem.denominator > 1
    checker.tertium.file("w.csv", problem.csv())
    assert_verified(checker(sealed(problem.optimal()), "w.csv"))
    N = problem.gamma(10)
    checker.tertium.file("n.npy", npy(N))
    assert_verified(checker(sealed(problem.bound(N, {"lambda": 10})), "w.csv"))


def test_quadruplets(checker):
    problem = planted(NAMES, GROUPS, 1500, "adds4")
    checker.tertium.file("q.csv", problem.csv())
    assert_verified(checker(sealed(problem.optimal()), "q.csv"))


@pytest.mark.parametrize("n", [1, 2, 3, 7])
@pytest.mark.parametrize("k", ["one", "all"])
@pytest.mark.parametrize("sign", [1, -1])
def test_one_cluster_and_a_cluster_each(checker, n, k, sign):
    labels = [1] * n if k == "one" else range(1, n + 1)
    rng = np.random.default_rng(n)
    S = sign * np.triu(rng.integers(1, 9, (n, n)), 1)
    problem = Problem("precomputed", map(str, range(n)), labels, S + S.T)
    checker.tertium.file("s.npy", npy(problem.integers))
    fields = problem.optimal()
    assert (fields["lo"] is None) == (max(labels) == n)
    assert (fields["hi"] is None) == (max(labels) == 1)
    assert_verified(checker(sealed(fields), "s.npy"))
    N = np.zeros((n, n))
    checker.tertium.file("n.npy", npy(N))
    for program in [{"clusters": max(labels)}, {"lambda": 2}]:
        assert_verified(checker(sealed(problem.bound(N, program)), "s.npy"))
        lower = problem.bound(N, program)
        lower["upper_bound"] -= 1e-3
        assert_refused(checker(sealed(lower), "s.npy"), "upper_bound")
    if max(labels) > 1:
        assert_refused(checker(sealed(fields | {"hi": None}), "s.npy"), "hi")
        assert_refused(checker(sealed(fields | {"hi": fields["hi"] + 1}), "s.npy"), "condition 1")
    if max(labels) < n:
        assert_refused(checker(sealed(fields | {"lo": None}), "s.npy"), "lo")
        assert_refused(checker(sealed(fields | {"lo": fields["lo"] - 1}), "s.npy"), "condition 2")


def test_matrix(checker, problem):
    given = Problem("precomputed", map(str, range(10)), GROUPS, problem.integers)
    checker.tertium.file("s.npy", npy(given.integers))
    assert_verified(checker(sealed(given.optimal()), "s.npy"))
    assert_refused(checker(sealed(problem.optimal()), "s.npy"), "kind")
    assert_refused(checker(sealed(given.optimal())), "kind")


def test_matrix_of_fractions(checker, problem):
    given = Problem("precomputed", map(str, range(10)), GROUPS, problem.integers, 10)
    checker.tertium.file("s.npy", npy(given.S))
    assert_verified(checker(sealed(given.optimal()), "s.npy"))


@pytest.mark.parametrize("repeats", ["once", "majority"])
def test_repeats_are_counted_as_the_reader_says(checker, problem, repeats):
    rows = [row[:3] for row in problem.rows]
    count = {row: rows.count(row) for row in set(rows)}
    rows = [
        (*row, 1)
        for row in count
        if repeats == "once" or count[row] > count.get((row[0], row[2], row[1]), 0)
    ]
    fewer = Problem("adds3", NAMES, GROUPS, rows)
    fields = fewer.optimal()
    fields["similarity"]["repeats"] = repeats
    assert_verified(checker(sealed(fields), repeats=repeats))
    assert_refused(checker(sealed(fields)), "--repeats")
    assert_refused(checker(sealed(fields), repeats="sum"), "similarity.repeats")
    fields["similarity"]["repeats"] = "sum"
    assert_refused(checker(sealed(fields), repeats=repeats), "similarity.repeats")
    assert_refused(checker(sealed(fields)))


def test_snapshots_and_exports(tertium, problem, optimal):
    tertium.file("answers.csv", problem.csv())
    tertium.file("claim.json", sealed(optimal))
    tertium.run("similarity", "answers.csv", "-q", "-o", "answers.sim")
    tertium.run("verify", "claim.json", "answers.sim")
    once = planted(NAMES, GROUPS, 1500)
    once = Problem("adds3", NAMES, GROUPS, list(set(once.rows))).optimal()
    once["similarity"]["repeats"] = "once"
    tertium.file("once.json", sealed(once))
    tertium.run("similarity", "answers.csv", "-q", "--repeats", "once", "-o", "once.sim")
    tertium.run("verify", "once.json", "once.sim")
    tertium.run("verify", "once.json", "answers.csv", code=3)
    tertium.run("verify", "once.json", "answers.csv", "--repeats", "once")
    tertium.run("verify", "once.json", "answers.csv", "--repeats", "sum", code=3)
    tertium.run("verify", "once.json", "answers.sim", code=3)
    tertium.run("verify", "claim.json", "once.sim", code=3)


@pytest.mark.parametrize("kind", ["adds3", "adds4"])
@pytest.mark.parametrize("weights", [(1,), (0.5, 2)], ids=["whole", "fractions"])
def test_what_sdp_writes(checker, kind, weights):
    """The producer and both checkers were written apart, from the same page."""
    checker.tertium.file("p.csv", planted(NAMES, GROUPS, 400, kind, weights, noise=0.3).csv())
    claims = set()
    for program in [("--clusters", k) for k in (1, 2, 3, 4, 6, 9, 10)] + [("--lambda", 7)]:
        checker.tertium.run("sdp", "p.csv", *program, "--certificate", "sdp.json")
        text = (checker.tertium.folder / "sdp.json").read_text(encoding="utf-8")
        claims.add(json.loads(text)["claim"])
        assert_verified(checker(text, "p.csv"))
    assert claims == {"optimal", "bound"}


# ---- what is not: edited and left as it is, or forged with the checksum made to fit


def edit(path, change):
    def apply(fields):
        fields = json.loads(json.dumps(fields))
        *parents, last = path.split(".")
        inner = fields
        for name in parents:
            inner = inner[name]
        inner[last] = change(inner[last])
        return fields

    apply.path = path
    return apply


def to(value):
    return lambda _: value


def swapped_labels(labels):
    return [2, *labels[1:4], 1, *labels[5:]]


EDITS = {
    "version 2": edit("version", to(2)),
    "version 1.0": edit("version", to(1.0)),
    "version as text": edit("version", to("1")),
    "version true": edit("version", to(True)),
    "format": edit("format", to("tertium")),
    "claim unknown": edit("claim", to("best")),
    "kind": edit("similarity.kind", to("adds4")),
    "kind unknown": edit("similarity.kind", to("AddS-3")),
    "repeats": edit("similarity.repeats", to("once")),
    "repeats unknown": edit("similarity.repeats", to("twice")),
    "comparisons": edit("similarity.comparisons", lambda n: n + 1),
    "comparisons negative": edit("similarity.comparisons", lambda n: -n),
    "comparisons as a fraction": edit("similarity.comparisons", lambda n: n + 0.0),
    "denominator": edit("similarity.denominator", to(2)),
    "denominator 0": edit("similarity.denominator", to(0)),
    "checksum of S": edit("similarity.checksum", lambda n: n ^ 1),
    "checksum of S as text": edit("similarity.checksum", str),
    "no similarity": edit("similarity", to(None)),
    "item renamed": edit("items", lambda names: ["apples", *names[1:]]),
    "items swapped": edit("items", lambda names: [names[5], *names[1:5], names[0], *names[6:]]),
    "item twice": edit("items", lambda names: [*names[:-1], names[0]]),
    "item a number": edit("items", lambda names: [*names[:-1], 12]),
    "item a list": edit("items", lambda names: [*names[:-1], ["12"]]),
    "item removed": edit("items", lambda names: names[:-1]),
    "item added": edit("items", lambda names: [*names, "kiwi"]),
    "no items": edit("items", to([])),
    "items no list": edit("items", to("apple")),
    "one label": edit("labels", lambda labels: [2, *labels[1:]]),
    "two labels swapped": edit("labels", swapped_labels),
    "label 0": edit("labels", lambda labels: [label - 1 for label in labels]),
    "label unused": edit("labels", lambda labels: [4 if a == 3 else a for a in labels]),
    "label a fraction": edit("labels", lambda labels: [1.5, *labels[1:]]),
    "label true": edit("labels", lambda labels: [True, *labels[1:]]),
    "label too large": edit("labels", lambda labels: [2**40, *labels[1:]]),
    "label huge": edit("labels", lambda labels: [2**70, *labels[1:]]),
    "labels missing": edit("labels", lambda labels: labels[:-1]),
    "objective larger": edit("objective", lambda f: f * 1.000001),
    "objective smaller": edit("objective", lambda f: f * 0.999999),
    "objective null": edit("objective", to(None)),
    "objective NaN": edit("objective", to(float("nan"))),
    "objective infinite": edit("objective", to(float("inf"))),
    "objective as text": edit("objective", str),
    "objective huge": edit("objective", to(10**400)),
}

OPTIMAL_EDITS = EDITS | {
    "claim bound": edit("claim", to("bound")),
    "lo below the truth": edit("lo", lambda lo: lo - 1e-3),
    "hi above the truth": edit("hi", lambda hi: hi + 1e-3),
    "lo above hi": edit("lo", to(1e6)),
    "lo null": edit("lo", to(None)),
    "hi null": edit("hi", to(None)),
    "lo far away": edit("lo", to(-1e300)),
    "hi far away": edit("hi", to(1e300)),
    "lo NaN": edit("lo", to(float("nan"))),
    "hi as text": edit("hi", str),
    "hi true": edit("hi", to(True)),
    "level": edit("level", to("probabilistic")),
    "level unknown": edit("level", to("certain")),
    "failure probability": edit("failure_probability", to(1e-12)),
    "failure probability negative": edit("failure_probability", to(-1)),
    "failure probability null": edit("failure_probability", to(None)),
}

BOUND_EDITS = EDITS | {
    "claim optimal": edit("claim", to("optimal")),
    "upper bound lowered": edit("upper_bound", lambda bound: bound * (1 - 1e-7)),
    "upper bound null": edit("upper_bound", to(None)),
    "program with fewer": edit("program", to({"clusters": 2})),
    "program with more": edit("program", to({"clusters": 4})),
    "program with none": edit("program", to({"clusters": 0})),
    "program with a fraction": edit("program", to({"clusters": 3.0})),
    "program lambda": edit("program", to({"lambda": -1000})),
    "program lambda null": edit("program", to({"lambda": None})),
    "program twice": edit("program", to({"clusters": 3, "lambda": 1})),
    "program unknown": edit("program", to({"trace": 3})),
    "program empty": edit("program", to({})),
    "program no object": edit("program", to(3)),
    "dual elsewhere": edit("dual", to("../n.npy")),
    "dual absolute": edit("dual", to("/dev/stdin")),
    "dual missing": edit("dual", to("m.npy")),
    "dual without a name": edit("dual", to("")),
    "dual a folder": edit("dual", to(".")),
    "dual the certificate": edit("dual", to("claim.json")),
    "dual checksum": edit("dual_checksum", lambda n: n ^ 1),
    "dual checksum as text": edit("dual_checksum", str),
}


# A stale checksum is refused in one place, whatever was edited.
SEALS = [pytest.param("stale", marks=pytest.mark.slow_sanitized), "forged"]


@pytest.mark.parametrize("name", OPTIMAL_EDITS)
@pytest.mark.parametrize("seal", SEALS)
def test_edited_optimal(checker, optimal, name, seal):
    edited = OPTIMAL_EDITS[name](optimal)
    text = sealed(edited) if seal == "forged" else stale(edited, sealed(optimal))
    assert_refused(checker(text))


@pytest.mark.parametrize("name", BOUND_EDITS)
@pytest.mark.parametrize("seal", SEALS)
def test_edited_bound(checker, bound, name, seal):
    edited = BOUND_EDITS[name](bound)
    text = sealed(edited) if seal == "forged" else stale(edited, sealed(bound))
    assert_refused(checker(text))


def test_reasons(checker, optimal):
    lower = sealed(optimal | {"lo": optimal["lo"] - 1})
    assert_refused(checker(lower), "condition 2 at lo")
    higher = sealed(optimal | {"hi": optimal["hi"] + 1})
    assert_refused(checker(higher), "condition 1 at hi")
    assert_refused(checker(stale(optimal | {"version": 3}, sealed(optimal))), "version")
    assert_refused(checker(sealed(optimal).replace("pear", "bear")), "checksum")


@pytest.mark.parametrize("items", [(0, 4), (5, 9)])
def test_another_partition_with_its_own_objective(checker, problem, optimal, bound, items):
    labels = problem.labels.copy()
    labels[list(items)] = labels[list(items)][::-1]
    edited = {"labels": labels.tolist(), "objective": problem.objective(labels)}
    assert_refused(checker(sealed(optimal | edited)), "condition")
    # As a partition to compare the bound with it is as good as any other.
    assert_verified(checker(sealed(bound | edited)))


def test_one_answer_changed(checker, problem, optimal, bound):
    a, b, c, w = problem.rows[0]
    changed = Problem("adds3", NAMES, GROUPS, [(a, c, b, w), *problem.rows[1:]])
    checker.tertium.file("changed.csv", changed.csv())
    assert_refused(checker(sealed(optimal), "changed.csv"), "similarity.checksum")
    assert_refused(checker(sealed(bound), "changed.csv"), "similarity.checksum")


def test_one_answer_removed_or_added(checker, problem, optimal):
    for rows in [problem.rows[1:], [*problem.rows, problem.rows[0]]]:
        checker.tertium.file("changed.csv", Problem("adds3", NAMES, GROUPS, rows).csv())
        assert_refused(checker(sealed(optimal), "changed.csv"), "comparisons")


def test_one_item_more_in_the_answers(checker, problem, optimal):
    rows = [*problem.rows[1:], ("kiwi", "apple", "rat", 1)]
    more = Problem("adds3", [*NAMES, "kiwi"], [*GROUPS, 1], rows)
    checker.tertium.file("changed.csv", more.csv())
    assert_refused(checker(sealed(optimal), "changed.csv"), "items")


def test_other_answers_with_their_own_checksums(checker, problem, optimal, bound):
    """A forger who fits every number of the file to other answers still proves nothing."""
    swap = {"apple": "zebra", "zebra": "apple"}
    rows = [(*(swap.get(x, x) for x in row[:3]), row[3]) for row in problem.rows]
    other = Problem("adds3", NAMES, GROUPS, rows)
    checker.tertium.file("other.csv", other.csv())
    fitted = {
        "similarity": optimal["similarity"] | {"checksum": integers_checksum(other.integers)},
        "objective": other.objective(),
    }
    assert_refused(checker(sealed(optimal | fitted), "other.csv"), "condition")
    assert_refused(checker(sealed(bound | fitted), "other.csv"), "upper_bound")


def test_fields_must_be_those_of_the_table(checker, optimal, bound):
    for fields in (optimal, bound):
        for name in fields:
            rest = {key: value for key, value in fields.items() if key != name}
            assert_refused(checker(sealed(rest)))
        for name in fields["similarity"]:
            how = {key: value for key, value in fields["similarity"].items() if key != name}
            assert_refused(checker(sealed(fields | {"similarity": how})))
        assert_refused(checker(sealed(fields | {"note": "trust me"})), "note")
        how = fields["similarity"] | {"note": 1}
        assert_refused(checker(sealed(fields | {"similarity": how})))


@pytest.mark.parametrize("field", ['"claim": "optimal"', '"kind": "adds3"'])
def test_a_field_twice(checker, optimal, field):
    body = json.dumps(optimal).replace(field, f"{field}, {field}")[:-1] + ", "
    text = body + f'"checksum": {zlib.crc32(body.encode())}}}'
    assert_refused(checker(text), "twice")


def test_the_checksum_is_the_last_field(checker, optimal):
    fields = {"checksum": 0} | optimal
    text = json.dumps(fields)
    assert_refused(checker(text), "checksum")
    assert_refused(checker(json.dumps(optimal)), "checksum")


@pytest.mark.parametrize(
    "content",
    {
        "empty": b"",
        "blank": b" \n",
        "null": b"null",
        "number": b"1",
        "list": b"[]",
        "object": b"{}",
        "text": b"not json",
        "binary": bytes(range(256)),
        "zeros": bytes(1000),
        "deep list": b"[" * 200_000,
        "deep object": b'{"a":' * 200_000,
        "deep and closed": b'{"items": ' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        "npy": npy(np.zeros((3, 3))),
    }.items(),
    ids=lambda item: item[0],
)
def test_no_certificate(checker, content):
    assert_refused(checker(content[1]))


def test_cut_off_or_more(checker, optimal):
    text = sealed(optimal).encode()
    for length in [1, 10, 100, len(text) // 2, len(text) - 3]:
        assert_refused(checker(text[:length]))
    assert_refused(checker(text + b"x"))
    assert_refused(checker(text + text))
    assert_refused(checker(b"\xef\xbb\xbf" + text))
    assert_refused(checker(text.replace(b"pear", b"pe\xff\xfe")))


# ---- the file with N


def dual_variants(N):
    negative, skew, nan, infinite, changed = (N.copy() for _ in range(5))
    negative[0, 7] = negative[7, 0] = -1e-9
    skew[0, 7] += 1e-9
    nan[0, 7] = nan[7, 0] = np.nan
    infinite[0, 7] = infinite[7, 0] = np.inf
    changed[0, 7] = changed[7, 0] = N[0, 7] / 2
    n = len(N)
    return {
        "negative": negative,
        "asymmetric": skew,
        "NaN": nan,
        "infinite": infinite,
        "changed": changed,
        "negative diagonal": N - 1e-3 * np.eye(n),
        "larger": np.pad(N, (0, 1)),
        "smaller": N[:-1, :-1],
        "not square": N[:-1],
        "flat": N.ravel(),
        "single precision": N.astype("<f4"),
        "integers": N.astype("<i8"),
        "big-endian": N.astype(">f8"),
        "Fortran order": np.asfortranarray(N),
        "complex": N.astype("<c16"),
    }


@pytest.mark.parametrize("name", dual_variants(np.ones((10, 10))))
@pytest.mark.parametrize("seal", SEALS)
def test_wrong_dual(checker, dual, bound, name, seal):
    N = dual_variants(dual)[name]
    checker.tertium.file("n.npy", npy(N))
    forged = {"dual_checksum": zlib.crc32(np.ascontiguousarray(N).tobytes())}
    assert_refused(checker(sealed(bound | forged if seal == "forged" else bound)))


@pytest.mark.parametrize(
    "content",
    [b"", b"x", npy(np.zeros((10, 10)))[:-1], bytes(1000)],
    ids=["empty", "text", "cut off", "zeros"],
)
def test_damaged_dual(checker, bound, content):
    checker.tertium.file("n.npy", content)
    assert_refused(checker(sealed(bound)))


def test_pickled_dual_is_not_opened(checker, bound):
    file = io.BytesIO()
    np.save(file, np.array([[{}] * 10] * 10, dtype=object))
    checker.tertium.file("n.npy", file.getvalue())
    assert_refused(checker(sealed(bound)))


# ---- the command


def test_text(tertium, problem, optimal, bound, dual):
    tertium.file("answers.csv", problem.csv())
    tertium.file("n.npy", npy(dual))
    tertium.file("o.json", sealed(optimal))
    text = tertium.run("verify", "o.json", "answers.csv").stdout
    assert text.startswith("Verified: no partition of these 10 items into 3 clusters has a larger")
    assert f"{optimal['lo']:g}" in text
    assert f"{optimal['hi']:g}" in text
    assert "proved" in text
    tertium.file("b.json", sealed(bound))
    text = tertium.run("verify", "b.json", "answers.csv").stdout
    said = float(text.partition("into 3 clusters has a value above ")[2].partition(".\n")[0])
    assert problem.value(problem.labels) <= said <= bound["upper_bound"] + 1e-6
    assert f"{len(problem.rows)} triplets (AddS-3), repeats: sum" in text
    tertium.file("l.json", sealed(problem.bound(dual, {"lambda": 2.5})))
    assert "minus 2.5 for each cluster" in tertium.run("verify", "l.json", "answers.csv").stdout


def test_json(tertium, problem, optimal, dual):
    def verify(fields, code=0):
        tertium.file("c.json", sealed(fields))
        return json.loads(tertium.run("verify", "c.json", "a.csv", "--json", code=code).stdout)

    tertium.file("a.csv", problem.csv())
    tertium.file("n.npy", npy(dual))
    assert verify(optimal) == {
        "verified": True,
        "claim": "optimal",
        "reason": None,
        "read_as": {"kind": "adds3", "repeats": "sum", "comparisons": len(problem.rows)},
        "items": 10,
        "clusters": 3,
        "value": pytest.approx(problem.objective()),
        "lo": optimal["lo"],
        "hi": optimal["hi"],
        "level": "proved",
        "failure_probability": 0,
        "seed": None,
        "replayed": False,
    }
    for program in [{"clusters": 3}, {"lambda": 50}]:
        lam = program.get("lambda")
        fields = problem.bound(dual * 1.01, program)
        tertium.file("n.npy", npy(dual * 1.01))
        value = problem.objective() - 3 * (lam or 0)
        assert verify(fields) == {
            "verified": True,
            "claim": "bound",
            "reason": None,
            "read_as": {"kind": "adds3", "repeats": "sum", "comparisons": len(problem.rows)},
            "items": 10,
            "clusters": 3,
            "value": pytest.approx(problem.objective()),
            "level": "proved",
            "failure_probability": 0,
            "seed": None,
            "replayed": False,
            "only_best": False,
            "lambda": lam,
            "upper_bound": fields["upper_bound"],
            "bound": pytest.approx(fields["upper_bound"]),
            "gap": pytest.approx((fields["upper_bound"] - value) / abs(value), abs=1e-9),
        }
    refused = verify(optimal | {"lo": optimal["lo"] - 1}, code=3)
    assert (refused["verified"], refused["claim"]) == (False, "optimal")
    assert "condition 2" in refused["reason"]
    refused = verify({"format": "something"}, code=3)
    assert (refused["verified"], refused["claim"]) == (False, None)


def test_script_by_itself(tertium, problem, optimal):
    def run(*arguments):
        command = [sys.executable, SCRIPT.__file__, *arguments]
        return subprocess.run(command, cwd=tertium.folder, capture_output=True, check=False)

    tertium.file("a.csv", problem.csv())
    tertium.file("c.json", sealed(optimal))
    tertium.file("d.json", sealed(optimal | {"version": 3}))
    assert run("c.json", "a.csv").returncode == 0
    assert run("d.json", "a.csv").returncode == 3
    assert run("c.json").returncode == 2


def test_what_is_not_there_is_bad_input(tertium, problem, optimal):
    tertium.file("a.csv", problem.csv())
    tertium.file("c.json", sealed(optimal))
    assert "none.json" in tertium.refuse("verify", "none.json", "a.csv")
    assert "none.csv" in tertium.refuse("verify", "c.json", "none.csv")
    tertium.refuse("verify", "c.json")
    tertium.refuse("verify")
    tertium.refuse("verify", ".", "a.csv")


def test_the_certificate_may_lie_in_another_folder(tertium, problem, bound, dual):
    tertium.file("a.csv", problem.csv())
    tertium.file("sub/b.json", sealed(bound))
    tertium.run("verify", "sub/b.json", "a.csv", code=3)
    tertium.file("sub/n.npy", npy(dual))
    tertium.run("verify", "sub/b.json", "a.csv")
