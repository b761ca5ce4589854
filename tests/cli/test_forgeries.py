"""Certificates that claim what is not so: both checkers refuse them, and their honest twins pass.

The truth is found by trying all partitions, in exact fractions. TERTIUM_ATTACK=N makes N times as
many mutations.
"""

import contextlib
import importlib.util
import io
import json
import os
import random
import stat
import struct
import zlib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from certificates import Problem, planted, sealed, tree_claim

TIMES = int(os.environ.get("TERTIUM_ATTACK", "1"))
MUTATIONS = 2000 * TIMES
INSTANCES = 200 * TIMES
SAMPLE = 100 * TIMES  # of the mutations, given to the program too, a process each


def load_script():
    path = Path(__file__).resolve().parents[2] / "tools" / "check_certificate.py"
    spec = importlib.util.spec_from_file_location("check_certificate", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = load_script()


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def by_script(folder, *flags, answers="s.npy"):
    """The exit code of the script; any exception is a failure of the test."""
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        return SCRIPT.main([str(folder / "c.json"), str(folder / answers), *flags])


def by_program(tertium, *flags, answers="s.npy"):
    kind = ["--kind", "matrix"] if answers.endswith(".npy") else []
    return tertium.run("verify", "c.json", answers, *kind, *flags, code=None).returncode


def both(tertium, *flags, answers="s.npy"):
    codes = (
        by_program(tertium, *flags, answers=answers),
        by_script(tertium.folder, *flags, answers=answers),
    )
    assert codes[0] == codes[1], codes
    return codes[0]


def put(tertium, problem, fields, dual=None):
    tertium.file("s.npy", npy(problem.S if problem.denominator > 1 else problem.integers))
    if isinstance(dual, bytes):
        tertium.file("n.numbers", dual)
    elif dual is not None:
        tertium.file("n.npy", npy(dual))
    tertium.file("c.json", sealed(fields))


def partitions(n):
    """All partitions of n items, as tuples of labels from 1."""
    found = [(1,)]
    for _ in range(n - 1):
        found = [(*p, a) for p in found for a in range(1, max(p) + 2)]
    return found


PARTITIONS = {n: partitions(n) for n in range(2, 8)}


def values(problem):
    return {p: problem.value(p) for p in PARTITIONS[len(problem.names)]}


def contradiction(fields, values):
    """A partition that shows a claim to be false, if there is one."""
    labels = tuple(fields["labels"])
    first = {}
    own = tuple(first.setdefault(a, len(first) + 1) for a in labels)
    k, value = max(own), values[own]
    if fields["claim"] == "bound":
        upper, program = Fraction(fields["upper_bound"]), fields.get("program", {"clusters": k})
        for p, other in values.items():
            if "lambda" in program:
                other -= Fraction(program["lambda"]) * max(p)
            elif max(p) != program["clusters"]:
                continue
            if other > upper:
                return p
            if fields.get("only_best") and p != own and other >= value:
                return p
        return None
    ends = [Fraction(fields[end]) for end in ("lo", "hi") if fields[end] is not None]
    for p, other in values.items():
        if p == own:
            continue
        if max(p) == k and other >= value:
            return p
        if any(other - lam * max(p) >= value - lam * k for lam in ends):
            return p
    return None


def instance(rng, n=None):
    """A small matrix, the best partition into some number of clusters, and all values."""
    n = n or rng.randint(3, 6)
    k = rng.randint(1, n)
    groups = [rng.randrange(k) for _ in range(n)]
    S = np.zeros((n, n), dtype=np.int64)
    for i in range(n):
        for j in range(i):
            S[i, j] = S[j, i] = rng.randint(-4, 4) + (rng.choice([0, 6]) * (groups[i] == groups[j]))
    problem = Problem("precomputed", [str(i) for i in range(n)], [1] * n, S, rng.choice([1, 10, 4]))
    found = values(problem)
    k = rng.randint(1, n)
    best = max((p for p in found if max(p) == k), key=lambda p: found[p])
    problem.labels = np.array(best)
    return problem, found


def honest(problem, rng):
    """Fields of a true claim about the best partition, and N."""
    n, k = len(problem.names), int(problem.labels.max())
    if rng.random() < 0.5:
        with contextlib.suppress(AssertionError):
            fields = problem.optimal()
            lo, hi = fields["lo"], fields["hi"]
            if lo is None or hi is None or lo <= hi:
                return fields, None
    if rng.random() < 0.5:
        return honest_tree(problem, rng)
    if rng.random() < 0.4:
        return problem.bound_by_share(rng.uniform(-5, 20), rng.choice([0, 0.5, 0.9, 1])), None
    half = np.array([[rng.random() < 0.5 and rng.random() for _ in range(n)] for _ in range(n)])
    N = (half + half.T) * rng.choice([0, 1, 10])
    program = {"clusters": k} if rng.random() < 0.6 else {"lambda": rng.choice([-3, 0, 2.5, 7.1])}
    return problem.bound(N, program), N


def honest_tree(problem, rng):
    """A true claim of version 2, which branches on some pairs, and its numbers."""
    n = len(problem.names)

    def nodes(depth):
        if depth == 0 or rng.random() < 0.3:
            return [None]
        return [rng.sample(range(n), 2), *nodes(depth - 1), *nodes(depth - 1)]

    def choose(leaf):
        m = leaf.m
        half = np.array([[rng.random() < 0.5 and rng.random() for _ in range(m)] for _ in range(m)])
        N = (half + half.T) * rng.choice([0, 1, 4])
        N = np.where(leaf.apart, N * rng.choice([-1, 1, 5]), N).astype(np.float32).astype(float)
        count = rng.choice([0, 0, 1, 3]) if m >= 3 else 0
        mu = float(np.float32(rng.random()))
        return N, [(*rng.sample(range(m), 3), mu) for _ in range(count)]

    return tree_claim(problem, nodes(rng.randint(0, 3)), choose)


# ---- mutations


def nudge(rng, value):
    """A number near another: by anything from one unit in the last place to a lot."""
    value = float(value or 0)
    ways = [
        lambda: np.nextafter(value, rng.choice([-np.inf, np.inf])).item(),
        lambda: value + rng.choice([-1, 1]) * (abs(value) + 1) * 10.0 ** -rng.uniform(0, 17),
        lambda: value * rng.choice([0, -1, 2, 1e9, 1e154, 1e-300]),
        lambda: rng.choice([1e308, -1e308, 1e160, -1e160, 5e-324, 0.0, -0.0]),
        lambda: rng.choice([float("nan"), float("inf"), None, "1", True, [], 2**63, 10**30]),
    ]
    return rng.choices(ways, [4, 12, 1, 1, 1])[0]()


def mutate_number(rng, fields, N):
    names = ["objective", "lo", "hi", "failure_probability", "upper_bound", "lambda", "share"]
    name = rng.choice([name for name in names if name in fields])
    fields[name] = nudge(rng, fields[name])
    return N


def lower_bound(rng, fields, N):
    if fields["claim"] == "bound":
        fields["upper_bound"] -= (abs(fields["upper_bound"]) + 1) * 10.0 ** -rng.uniform(0, 16)
    else:
        share = 10.0 ** -rng.uniform(0, 16)
        if fields["lo"] is not None:
            fields["lo"] -= share * (abs(fields["lo"]) + 1)
        if fields["hi"] is not None and rng.random() < 0.7:
            fields["hi"] += share * (abs(fields["hi"]) + 1)
    return N


def mutate_labels(rng, fields, N):
    labels = fields["labels"]
    i, j = rng.randrange(len(labels)), rng.randrange(len(labels))
    if rng.random() < 0.5:
        labels[i], labels[j] = labels[j], labels[i]
    else:
        labels[i] = rng.choice([labels[j], max(labels) + 1, 1, 0])
    return N


def mutate_other_labels(rng, fields, N, found):
    """Another partition with all that belongs to it."""
    labels = rng.choice(list(found))
    fields["labels"], fields["objective"] = list(labels), float(found[labels])
    if "clusters" in fields.get("program", {}):
        fields["program"] = {"clusters": max(labels)}
    return N


def mutate_items(rng, fields, N):
    items = fields["items"]
    i, j = rng.randrange(len(items)), rng.randrange(len(items))
    items[i], items[j] = items[j], items[i]
    if rng.random() < 0.2:
        items[i] = rng.choice(["", "0", "x", "\ud800", 0])
    return N


def mutate_similarity(rng, fields, N):
    how = fields["similarity"]
    name = rng.choice(list(how))
    words = {"kind": ["adds3", "adds4", "x"], "repeats": ["once", "majority", []]}
    if name in words:
        how[name] = rng.choice(words[name])
    else:
        was = how[name]
        how[name] = rng.choice([was ^ 1, was + 1, 2 * was, 0, -1, 2**63, str(was), 1.0])
    return N


def mutate_program(rng, fields, N):
    if "program" in fields:
        k = max(fields["labels"])
        fields["program"] = rng.choice(
            [
                {"clusters": k + 1},
                {"clusters": k - 1},
                {"lambda": nudge(rng, 1)},
                {"lambda": -1e308},
            ]
        )
    return N


def mutate_field(rng, fields, N):
    name = rng.choice(list(fields))
    if rng.random() < 0.3:
        del fields[name]
    else:
        fields[name] = rng.choice([None, 0, 1, -1, "x", [], {}, "bound", "optimal", 1e300, True])
    return N


def mutate_dual(rng, fields, N):
    if N is None or isinstance(N, bytes):
        return mutate_tree(rng, fields, N)
    N, n = N.copy(), len(N)
    i, j = rng.randrange(n), rng.randrange(n)
    way = rng.randrange(6)
    if way == 0:
        N[i, j] = N[j, i] = nudge_float(rng, N[i, j])
    elif way == 1:
        N[i, j] += 1e-9
    elif way == 2:
        N *= rng.choice([0.5, 1e9, 1e150, 1e154, 1e160, 1e300, 1e-160])
    elif way == 3:
        N += rng.choice([1e9, 1e154, 1e155, 1e308]) * np.eye(n)
    elif way == 4:
        N -= 10.0 ** -rng.uniform(0, 12)
    else:
        N = np.maximum(N - rng.random(), 0)
    fields["dual_checksum"] = zlib.crc32(np.ascontiguousarray(N).tobytes())
    if rng.random() < 0.5:
        fields["upper_bound"] -= 10.0 ** -rng.uniform(0, 9)
    return N


def mutate_tree(rng, fields, N):
    """What is in the tree, in its numbers, or what it is said to prove."""
    if not isinstance(N, bytes):
        return N
    way, data = rng.randrange(7), bytearray(N)
    place = 16 + 4 * rng.randrange((len(data) - 16) // 4)
    if way == 0:
        data[place : place + 4] = struct.pack("<f", rng.choice([-1e6, -1.0, -1e-3, 1e9, 3e38]))
    elif way == 1:
        data[place : place + 4] = struct.pack("<f", rng.choice([np.nan, np.inf, -np.inf, -0.0]))
    elif way == 2:
        data[place : place + 4] = struct.pack("<I", rng.choice([0, 1, 2, 5, 2**31, 2**32 - 1]))
    elif way == 3:
        del data[place : place + rng.choice([1, 4, 8])]
    elif way == 4:
        fields["only_best"] = True
    elif way == 5:
        fields["tree"] = rng.choice([[None], [*fields["tree"], None], [[0, 1], *fields["tree"]]])
    else:
        at, n = rng.randrange(len(fields["tree"])), len(fields["items"])
        fields["tree"][at] = rng.choice([[0, 0], [0, n], [rng.randrange(n), rng.randrange(n)]])
    fields["numbers_checksum"] = zlib.crc32(data)
    return bytes(data)


def nudge_float(rng, value):
    found = nudge(rng, value)
    return float(found) if isinstance(found, (int, float)) else -1.0


def damage(rng, text):
    """The bytes of a file that something happened to."""
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    way = rng.randrange(4)
    if way == 0:
        return bytes(data[: rng.randrange(len(data))])
    at = rng.randrange(len(data))
    if way == 1:
        data[at] ^= 1 << rng.randrange(8)
    elif way == 2:
        data[at:at] = bytes([rng.randrange(256)])
    else:  # and sealed again
        end = data.rindex(b'"checksum"')
        data[rng.randrange(end)] ^= 1 << rng.randrange(8)
        end = max(data.rfind(b'"checksum"'), 0)
        return bytes(data[:end]) + f'"checksum": {zlib.crc32(data[:end])}}}'.encode()
    return bytes(data)


MUTATORS = [
    mutate_number,
    mutate_number,
    lower_bound,
    lower_bound,
    lower_bound,
    mutate_labels,
    mutate_items,
    mutate_similarity,
    mutate_program,
    mutate_field,
    mutate_dual,
    mutate_dual,
    None,  # another partition
    "damage",
]


def mutated(rng, fields, N, found):
    """The bytes of a mutated certificate, its dual, and its fields if they can be read."""
    fields = json.loads(json.dumps(fields))
    mutator = rng.choice(MUTATORS)
    if mutator == "damage":
        return damage(rng, sealed(fields)), N
    other = mutator is None
    N = mutate_other_labels(rng, fields, N, found) if other else mutator(rng, fields, N)
    return sealed(fields).encode("utf-8", "surrogatepass"), N


@pytest.mark.slow_sanitized
def test_no_mutated_certificate_contradicts_the_truth(tertium):
    rng = random.Random(20)
    accepted = refused = 0
    for number in range(MUTATIONS):
        if number % 10 == 0:
            problem, found = instance(rng)
            fields, dual = honest(problem, rng)
            put(tertium, problem, fields, dual)
            assert by_script(tertium.folder) == 0, "an honest twin"
            if number % 100 == 0:
                assert by_program(tertium) == 0, "an honest twin"
        data, N = mutated(rng, fields, dual, found)
        put(tertium, problem, fields, N)
        tertium.file("c.json", data)
        codes = {by_script(tertium.folder)}
        if number % (MUTATIONS // SAMPLE) == 0:
            codes.add(by_program(tertium))
        assert codes <= {0, 3}
        if 0 in codes:
            accepted += 1
            claim = json.loads(data)
            assert contradiction(claim, found) is None, claim
        else:
            refused += 1
    assert refused > accepted > MUTATIONS / 100


@pytest.mark.slow_sanitized
def test_no_accepted_certificate_contradicts_brute_force(tertium):
    """For every partition of small instances the strongest claim that the checker accepts."""
    rng = random.Random(7)
    accepted = {"optimal": 0, "bound": 0}
    for _ in range(INSTANCES):
        problem, found = instance(rng, rng.choice([3, 4, 4, 5]))
        if rng.random() < 0.5:
            problem.labels = np.array(rng.choice(list(found)))
        fields, dual = honest(problem, rng)
        put(tertium, problem, fields, dual)
        name = "upper_bound" if fields["claim"] == "bound" else "lo"
        # As low as it goes: the claim of which least is known to be true.
        for step in 10.0 ** np.arange(2, -17, -2.5):
            if fields[name] is None:
                break
            lower = fields | {name: fields[name] - step}
            tertium.file("c.json", sealed(lower))
            if by_script(tertium.folder) == 0:
                fields = lower
        tertium.file("c.json", sealed(fields))
        if by_script(tertium.folder) == 0:
            accepted[fields["claim"]] += 1
            assert contradiction(fields, found) is None, fields
    assert min(accepted.values()) > INSTANCES / 20


def forged_leaf(rng, leaf, way):
    """N and cuts with one number that is below 0, which proves less than there is."""
    N, cuts, below = np.zeros((leaf.m, leaf.m)), [], -float(rng.choice([1, 10, 100]))
    if way == "N":
        g, h = rng.integers(0, leaf.m, 2)
        N[g, h] = N[h, g] = below
    if way == "diagonal":
        N += below * np.eye(leaf.m)
    if way == "mu" and leaf.m >= 3:
        cuts.append((*map(int, rng.permutation(leaf.m)[:3]), below))
    return N, cuts


@pytest.mark.parametrize("way", ["N", "diagonal", "mu"])
def test_trees_of_numbers_below_zero_are_refused(tertium, way):
    """Forgers who compute what their trees would prove, if such numbers were allowed."""
    rng, forged = np.random.default_rng(11), 0
    for number in range(400 * TIMES):
        problem, found = instance(random.Random(number), 5)
        problem.labels = np.array(list(found)[rng.integers(len(found))])  # which need not be good
        tree = [[0, 1], None, [1, 2], None, None]
        fields, data = tree_claim(problem, tree, lambda leaf: forged_leaf(rng, leaf, way))
        if (
            contradiction(fields, found) is None
            or problem.value(problem.labels) > fields["upper_bound"]
        ):
            continue
        forged += 1
        put(tertium, problem, fields, data)
        assert both(tertium) == 3, fields
        if forged == 10 * TIMES:
            return
    raise AssertionError(forged)


@pytest.mark.parametrize("lam", [-1e308, -1e155, -1e9, 0, 1e9, 1e155, 1e308])
def test_no_lambda_proves_what_is_not_so(tertium, lam):
    """A poor partition, a bound below the best one, and numbers that make N large or 0."""
    integers = np.array([[0, 7, 3, 1], [7, 0, 2, -2], [3, 2, 0, 9], [1, -2, 9, 0]])
    poor = Problem("precomputed", map(str, range(4)), [1, 2, 1, 2], integers)
    found = values(poor)
    best = max(found[p] for p in found if max(p) == 2)
    for share in (0, 1e-300, 0.9, 1):
        fields = poor.bound_by_share(0, 0) | {"lambda": lam, "share": share}
        put(tertium, poor, fields | {"upper_bound": float(best) - 1e-6})
        assert both(tertium) == 3
    for share in (-1e-9, 1.0000001, 1e308, None, "1", True):
        put(tertium, poor, fields | {"upper_bound": 1e300, "share": share})
        assert both(tertium) == 3


# ---- what was once accepted


def two_apart(value=0):
    S = np.zeros((2, 2), dtype=np.int64)
    S[0, 1] = S[1, 0] = value
    return Problem("precomputed", ["0", "1"], [1, 2], S)


@pytest.mark.slow_sanitized
@pytest.mark.parametrize("size", [1e9, 1e154, 1e155, 1e160, 1e200, 1.7e308])
def test_rounding_is_no_help(tertium, size):
    """k = n: the truth is 0, and N makes rounding large or infinite."""
    problem = two_apart()
    for shape in (np.ones((2, 2)), np.eye(2), 1 - np.eye(2)):
        N = size * shape
        for upper in (-1.0, -1e-9, -5e-324, -size / 1e17):
            fields = problem.bound(0 * N, {"clusters": 2}) | {"upper_bound": upper}
            fields["dual_checksum"] = zlib.crc32(N.tobytes())
            put(tertium, problem, fields, N)
            assert both(tertium) == 3, (upper, shape)


@pytest.mark.slow_sanitized
@pytest.mark.parametrize("size", [1e9, 1e15, 1e100, 1e154, 1e160])
@pytest.mark.parametrize("program", [{"clusters": 2}, {"lambda": 1}])
def test_rounding_is_no_help_to_a_partition_that_is_not_the_best(tertium, size, program):
    integers = np.array([[0, 7, 3, 1], [7, 0, 2, 2], [3, 2, 0, 9], [1, 2, 9, 0]])
    poor = Problem("precomputed", map(str, range(4)), [1, 2, 1, 2], integers)
    found = values(poor)
    best = max(found[p] - program.get("lambda", 0) * max(p) for p in found if max(p) == 2)
    for N in (size * np.ones((4, 4)), size * np.eye(4), size * (1 - np.eye(4))):
        fields = poor.bound(0 * N, program) | {"upper_bound": float(best) - 0.5}
        fields["dual_checksum"] = zlib.crc32(N.tobytes())
        put(tertium, poor, fields, N)
        assert poor.objective() < fields["upper_bound"]
        assert both(tertium) == 3


def test_a_partition_above_its_own_bound(tertium):
    problem = planted(list("abcdefgh"), [1, 1, 1, 1, 2, 2, 2, 2], 500)
    given = Problem("precomputed", map(str, range(8)), problem.labels, problem.integers)
    inside = given.optimal()
    N = given.gamma((inside["lo"] + inside["hi"]) / 2)
    fields = given.bound(N, {"clusters": 2})
    put(tertium, given, fields, N)
    assert both(tertium) == 0
    value = given.objective()
    for upper in (np.nextafter(value, 0).item(), value * (1 - 1e-9), value * (1 - 1e-12)):
        put(tertium, given, fields | {"upper_bound": upper}, N)
        assert both(tertium) == 3
    for off in (1e-9, 1e-10, 1e-12):
        put(tertium, given, fields | {"objective": value * (1 + off)}, N)
        assert both(tertium) == 3


@pytest.mark.parametrize("lam", [1e308, -1e308, 1e300])
def test_huge_lambda(tertium, lam):
    problem = two_apart(3)
    N = np.zeros((2, 2))
    for upper in (0.0, -1.0, -1e307):
        fields = problem.bound(N, {"lambda": 0}) | {
            "upper_bound": upper,
            "program": {"lambda": lam},
        }
        put(tertium, problem, fields, N)
        truth = max(Fraction(3) - Fraction(lam), -2 * Fraction(lam))
        if truth > upper:
            assert both(tertium) == 3
        else:
            assert by_script(tertium.folder) in (0, 3)


@pytest.mark.parametrize("unit", [1e-15, 1e-9, 0.25, 2.0**-40, 1e9])
def test_units_do_not_matter(tertium, unit):
    """A tie broken in the last unit is proved in any unit, and never the wrong way round."""
    integers = np.array([[0, 7, 3, 1], [7, 0, 2, 2], [3, 2, 0, 9], [1, 2, 9, 0]])
    denominator = round(1 / unit) if unit < 1 else 1
    scaled = integers if unit < 1 else integers * round(unit)
    given = Problem("precomputed", map(str, range(4)), [1, 1, 2, 2], scaled, denominator)
    put(tertium, given, given.optimal())
    assert both(tertium) == 0
    wrong = Problem("precomputed", map(str, range(4)), [1, 2, 1, 2], scaled, denominator)
    put(tertium, given, given.optimal() | {"labels": [1, 2, 1, 2], "objective": wrong.objective()})
    assert both(tertium) == 3
    tertium.run("sdp", "s.npy", "--kind", "matrix", "--clusters", 2, "--certificate", "d.json")
    tertium.file("c.json", (tertium.folder / "d.json").read_bytes())
    assert both(tertium) == 0


def test_a_matrix_of_many_digits_is_not_proved_rounded(tertium):
    rng = np.random.default_rng(1)
    half = rng.random((60, 60)) * 10.0 ** rng.integers(-9, 0, (60, 60))
    tertium.file("s.npy", npy(half + half.T))
    message = tertium.refuse("sdp", "s.npy", "--clusters", 2, "--certificate", "c.json")
    assert "rounded" in message
    tertium.run("similarity", "s.npy", "-q", "-o", "s.sim")
    tertium.run("sdp", "s.sim", "--clusters", 2, "--certificate", "c.json")
    tertium.run("verify", "c.json", "s.sim")
    assert "rounded" in tertium.refuse("verify", "c.json", "s.npy")


@pytest.mark.parametrize("weight", ["0.0000001", "1.0000001", "0.30000000000000004", "1e-7"])
def test_weights_are_not_rounded(tertium, weight):
    tertium.file("a.csv", f"anchor,near,far,weight\na,b,c,1\na,b,c,{weight}\n")
    assert weight in tertium.refuse("similarity", "a.csv", "-o", "s.sim")


def test_one_file_does_not_prove_two_things(tertium):
    """Summed and counted once, these answers have different best partitions."""
    rows = [("a", "b", "c", 1)] * 5 + [("b", "c", "a", 1), ("c", "b", "a", 1), ("c", "b", "d", 1)]
    rows += [("d", "b", "a", 1)]
    tertium.file("a.csv", Problem("adds3", "abcd", [1] * 4, rows).csv())
    for repeats, used in (("sum", rows), ("once", list(dict.fromkeys(rows)))):
        problem = Problem("adds3", "abcd", [1] * 4, used)
        found = values(problem)
        best = max((p for p in found if max(p) == 2), key=lambda p: found[p])
        problem.labels = np.array(best)
        fields = problem.bound(np.zeros((4, 4)), {"clusters": 2})
        fields["similarity"]["repeats"] = repeats
        tertium.file("n.npy", npy(np.zeros((4, 4))))
        tertium.file("c.json", sealed(fields))
        assert both(tertium, "--repeats", repeats, answers="a.csv") == 0
        other = {"sum": "once", "once": "sum"}[repeats]
        assert both(tertium, "--repeats", other, answers="a.csv") == 3
        assert both(tertium, answers="a.csv") == (0 if repeats == "sum" else 3)


def test_a_small_matrix_is_one_only_if_the_reader_says_so(tertium):
    problem = two_apart(-5)
    put(tertium, problem, problem.optimal())
    done = tertium.run("verify", "c.json", "s.npy", code=3)
    assert "--kind matrix" in done.stderr
    tertium.run("verify", "c.json", "s.npy", "--kind", "matrix")


# ---- files that harm


def test_a_pipe_as_dual_does_not_hang(tertium):
    problem = two_apart()
    N = np.zeros((2, 2))
    put(tertium, problem, problem.bound(N, {"clusters": 2}), N)
    assert both(tertium) == 0
    dual = tertium.folder / "n.npy"
    dual.unlink()
    os.mkfifo(dual)
    assert both(tertium) == 3
    dual.unlink()
    dual.symlink_to("/dev/zero")
    assert stat.S_ISCHR(dual.stat().st_mode)
    assert both(tertium) == 3


def test_numbers_that_are_no_file_of_numbers(tertium):
    problem, _ = instance(random.Random(1), 4)
    leaf = lambda leaf: (np.zeros((leaf.m, leaf.m)), [])  # noqa: E731
    fields, data = tree_claim(problem, [[0, 1], None, None], leaf)
    put(tertium, problem, fields, data)
    assert both(tertium) == 0
    numbers = tertium.folder / "n.numbers"
    os.truncate(numbers, 1 << 33)
    assert by_script(tertium.folder) == 3
    done = tertium.run("verify", "c.json", "s.npy", "--kind", "matrix", "--memory", "1", code=3)
    assert "--memory" in done.stderr
    numbers.unlink()
    assert both(tertium) == 3
    os.mkfifo(numbers)
    assert both(tertium) == 3
    numbers.unlink()
    numbers.symlink_to("/dev/zero")
    assert both(tertium) == 3


def test_harmful_headers_of_a_dual(tertium):
    problem = two_apart()
    N = np.zeros((2, 2))
    fields = problem.bound(N, {"clusters": 2})
    put(tertium, problem, fields, N)
    good = npy(N)
    long = b"\x93NUMPY\x02\x00" + (1 << 16).to_bytes(4, "little") + b"{" * (1 << 16)
    huge = good.replace(b"(2, 2)", b"(9, 9)"), good.replace(b"(2, 2), }", b"(2, 99999999)}")
    for data in (long, b"\x93NUMPY\x02\x00\xff\xff\xff\xff", *huge, good + b"\0", good[:-1]):
        tertium.file("n.npy", data)
        assert both(tertium) == 3


def test_memory_is_stated_before_it_is_taken(tertium):
    """With as many clusters as items, a short file asks for a large matrix."""
    n = 400
    beside = np.eye(n, k=1, dtype=np.int64)
    problem = Problem("precomputed", map(str, range(n)), range(1, n + 1), beside + beside.T)
    fields = problem.fields("optimal") | {
        "lo": None,
        "hi": -1e6,
        "level": "proved",
        "failure_probability": 0,
    }
    put(tertium, problem, fields)
    message = tertium.refuse("verify", "c.json", "s.npy", "--memory", "0.01")
    assert "GB" in message
    assert "--memory" in message
    tertium.run("verify", "c.json", "s.npy", "--memory", "1")


@pytest.mark.parametrize(
    "content",
    {
        "empty": b"",
        "no columns": b"anchor\n1\n",
        "no rows": b"anchor,near,far\n",
        "short row": b"anchor,near,far\na,b\n",
        "itself": b"anchor,near,far\na,a,b\n",
        "not UTF-8": b"anchor,near,far\na,\xff,b\n",
        "NUL": b"anchor,near,far\na,\0,b\n",
        "long": b"anchor,near,far\na,b," + b"c" * 200_000 + b"\n",
        "weight": b"anchor,near,far,weight\na,b,c,1/3\n",
        "endless weight": b"anchor,near,far,weight\na,b,c,1e999999999\n",
        "negative weight": b"anchor,near,far,weight\na,b,c,-1\n",
    }.items(),
    ids=lambda item: item[0],
)
def test_the_script_says_why_it_cannot_read_answers(tertium, content):
    problem = two_apart(1)
    put(tertium, problem, problem.optimal())
    tertium.file("a.csv", content[1])
    assert by_script(tertium.folder, answers="a.csv") in (2, 3)
    for name in ("missing.csv", "missing.npy", "."):
        assert by_script(tertium.folder, answers=name) == 2
    tertium.file("bad.npy", content[1])
    assert by_script(tertium.folder, answers="bad.npy") == 2
