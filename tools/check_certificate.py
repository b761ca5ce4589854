"""Checks a certificate (docs/certificate.md) against the answers: the second, small checker.

    python tools/check_certificate.py CERTIFICATE ANSWERS

ANSWERS is a CSV file with the columns anchor,near,far or i,j,k,l (i and j are more alike than k and
l), perhaps with a column weight; or a similarity matrix as .npy, whose items are 0, 1, 2, ... Needs
numpy. Exits with 0 if the claim is verified, with 3 and the reason if it is refused.
"""

import csv
import json
import sys
import zlib
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np

EPS = sys.float_info.epsilon
SIMILARITY = {"kind", "repeats", "comparisons", "denominator", "checksum"}
BOTH = {"format", "version", "claim", "similarity", "items", "labels", "objective", "checksum"}
OPTIMAL = BOTH | {"lo", "hi", "level", "failure_probability"}
BOUND = BOTH | {"program", "upper_bound", "dual", "dual_checksum"}


class RefusalError(Exception):
    pass


def need(condition, reason):
    if not condition:
        raise RefusalError(reason)


def number(value):
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


def whole(value, least, most):
    return type(value) is int and least <= value <= most


def read_certificate(data):
    def once(pairs):
        need(len(pairs) == len(dict(pairs)), "a field is there twice")
        return dict(pairs)

    try:
        c = json.loads(data.decode("utf-8"), object_pairs_hook=once, parse_constant=float)
    except (ValueError, RecursionError) as error:
        raise RefusalError(f"not valid JSON: {error}") from None
    need(isinstance(c, dict) and c.get("format") == "tertium certificate", "format: another")
    need(whole(c.get("version"), 1, 1), f"version: found {c.get('version')!r}, expected 1")
    need(c.get("claim") in ("optimal", "bound"), f"claim: unknown, {c.get('claim')!r}")
    strange = set(c) ^ (OPTIMAL if c["claim"] == "optimal" else BOUND)
    need(not strange, f"fields missing or unknown: {sorted(strange)}")
    crc = zlib.crc32(data[: data.rindex(b'"checksum"')])
    need(list(c)[-1] == "checksum" and whole(c["checksum"], crc, crc), f"checksum is not {crc}")
    how, items, labels = c["similarity"], c["items"], c["labels"]
    need(isinstance(how, dict) and set(how) == SIMILARITY, "similarity: not its five fields")
    need(how["repeats"] in ("sum", "once", "majority"), "similarity.repeats: unknown")
    need(whole(how["denominator"], 1, 2**63 - 1), "similarity.denominator: not from 1")
    need(isinstance(items, list) and all(type(i) is str for i in items), "items: not names")
    need(items and len(set(items)) == len(items), "items: none, or one twice")
    need(isinstance(labels, list) and len(labels) == len(items), "labels: not one for each item")
    need(all(whole(a, 1, len(items)) for a in labels), "labels: not whole numbers from 1")
    need(set(labels) == set(range(1, max(labels) + 1)), "labels: a number from 1 to k is unused")
    need(number(c["objective"]), "objective: not a number")
    return c


def read_matrix(path, denominator):
    """S * denominator for ordered pairs of names."""
    S = np.load(path)
    integers = np.round(S * denominator)
    need(np.allclose(S * denominator, integers, rtol=1e-15, atol=0), "similarity.denominator")
    pairs = {(str(i), str(j)): int(v) for (i, j), v in np.ndenumerate(integers) if i != j}
    return "precomputed", 0, {str(i) for i in range(len(S))}, pairs


def read_answers(path, repeats, denominator):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    kind = "adds3" if "anchor" in rows[0] else "adds4"
    columns = ("anchor", "near", "anchor", "far") if kind == "adds3" else ("i", "j", "k", "l")
    votes = Counter()  # for each answer: two pairs, the one that is more alike first
    for row in rows:
        i, j, r, s = (row[name].strip() for name in columns)
        votes[frozenset((i, j)), frozenset((r, s))] += Fraction(row.get("weight") or 1)
    if repeats != "sum":
        lead = {(a, b): votes[a, b] - votes.get((b, a), 0) for a, b in votes}
        votes = {answer: 1 for answer in votes if repeats == "once" or lead[answer] > 0}
    pairs = Counter()
    for (alike, apart), weight in votes.items():
        for (i, j), sign in ((alike, 1), (apart, -1)):
            pairs[i, j] += sign * weight * denominator
            pairs[j, i] += sign * weight * denominator
    names = {row[name].strip() for row in rows for name in columns}
    return kind, len(rows) if repeats == "sum" else len(votes), names, pairs


def check_similarity(c, path):
    """The integers that the answers give, in the order of the items of the claim."""
    how, items = c["similarity"], c["items"]
    if path.endswith(".npy"):
        need(how["repeats"] == "sum", "similarity.repeats: a matrix has no repeats")
        kind, count, names, pairs = read_matrix(path, how["denominator"])
    else:
        kind, count, names, pairs = read_answers(path, how["repeats"], how["denominator"])
    need(how["kind"] == kind, f"similarity.kind: found {how['kind']}, the answers give {kind}")
    need(set(items) == names, f"items: differ in {sorted(set(items) ^ names)[:3]}")
    need(whole(how["comparisons"], count, count), f"similarity.comparisons: expected {count}")
    need(all(v == int(v) for v in pairs.values()), "similarity.denominator: S is not whole")
    integers, crc = np.zeros((len(items), len(items)), dtype=object), 0
    for i, a in enumerate(items):
        for j, b in enumerate(items[:i]):
            integers[i, j] = integers[j, i] = value = int(pairs.get((a, b), 0))
            if value:
                record = i.to_bytes(4, "little") + j.to_bytes(4, "little")
                crc = zlib.crc32(record + value.to_bytes(8, "little", signed=True), crc)
    need(whole(how["checksum"], crc, crc), f"similarity.checksum: the answers give {crc}")
    return integers


def u_of(S, Z, lam, minus):
    """All u_i^l, n x k; with minus = 1 and absolute values, the size of what was added up."""
    size = Z.sum(axis=0)
    M, half = S @ Z / size, np.diag(Z.T @ S @ Z) / size**2 / 2
    weight = 1 / (2 * size[:, None]) + 1 / (2 * size)
    own = (M * Z).sum(axis=1, keepdims=True)
    return size * (own + minus * (M + (Z @ half)[:, None] + lam * (Z @ weight)) + half)


def check_conditions(S, Z, lam, end):
    """Conditions 1 and 2 at one end; rounding is taken off before anything counts as positive."""
    (n, k), inside = Z.shape, Z > 0
    u = np.where(inside, 0, u_of(S, Z, lam, -1))
    error = np.where(inside, 0, 4 * n * EPS * u_of(np.abs(S), Z, abs(lam), 1))
    least = (u - error)[~inside].min(initial=np.inf)
    need(least > 0, f"condition 1 at {end} = {lam}: the smallest u is {least}, not above 0")
    if k == n:
        return
    across, t = u @ Z.T, Z @ (Z.T @ u) @ Z.T  # (i,r): u_i^l and t_jl for i in j, r in l
    W = lam * np.eye(n) - S - across * across.T / np.where(t > 0, t, 1)
    rest = Z / Z.sum(axis=0) @ Z.T  # I - P
    A = W - rest @ W - W @ rest + rest @ W @ rest
    mean = A.trace() / (n - k)
    shift = 10 * n * EPS * (n * abs(mean) + np.linalg.norm(W)) + 2 * n * np.linalg.norm(error)
    try:
        factor = np.linalg.cholesky(A + mean * rest - shift * np.eye(n))
        definite = np.isfinite(factor).all()  # what is not a number may pass the factorisation
    except np.linalg.LinAlgError:
        definite = False
    need(definite, f"condition 2 at {end} = {lam}: an eigenvalue is not below lambda")


def check_optimal(c, S, Z):
    (n, k), lo, hi, chance = Z.shape, c["lo"], c["hi"], c["failure_probability"]
    need(number(lo) or (lo is None and k == n), "lo: neither a number nor rightly null")
    need(number(hi) or (hi is None and k == 1), "hi: neither a number nor rightly null")
    need(lo is None or hi is None or lo <= hi, "lo: above hi")
    need(number(chance) and c["level"] in ("proved", "probabilistic"), "level, failure_probability")
    need(chance == 0 if c["level"] == "proved" else 0 < chance < 1, "failure_probability: wrong")
    for end in ("lo", "hi"):
        if c[end] is not None:
            check_conditions(S, Z, float(c[end]), end)


def check_bound(c, S, Z, folder):
    (n, k), name, upper = Z.shape, c["dual"], c["upper_bound"]
    need(isinstance(c["program"], dict) and len(c["program"]) == 1, "program: not one field")
    [(program, parameter)] = c["program"].items()
    if program == "clusters":
        need(whole(parameter, k, k), f"program: found {parameter} clusters, labels have {k}")
    else:
        need(program == "lambda" and number(parameter), "program: neither clusters nor lambda")
    need(number(upper) and type(name) is str and Path(name).name == name, "upper_bound or dual")
    try:
        N = np.load(folder / name)
    except (OSError, ValueError, EOFError) as error:
        raise RefusalError(f"dual: {error}") from None
    need(N.shape == (n, n) and N.dtype.str == "<f8" and N.flags.c_contiguous, "dual: wrong array")
    crc = zlib.crc32(N.tobytes())
    need(whole(c["dual_checksum"], crc, crc), f"dual_checksum: that of the file is {crc}")
    need(np.isfinite(N).all() and (N >= 0).all() and (N == N.T).all(), "N: not >= 0 and symmetric")
    A, one = S + N, np.full((n, n), 1 / n)
    beside = A - one @ A - A @ one + one @ A @ one - 2 * (np.linalg.norm(A) + 1) * one
    values = np.linalg.eigvalsh(beside)[:0:-1]  # the direction of 1 was made the smallest
    if program == "clusters":
        bound = A.sum() / n + values[: k - 1].sum()
    else:
        bound = A.sum() / n - parameter + np.maximum(values - parameter, 0).sum()
    allowed = 1e-9 * abs(upper) + 10 * n**2 * EPS * np.linalg.norm(A)
    need(bound <= upper + allowed, f"upper_bound: found {upper}, N proves {bound}")


def check(certificate, answers):
    c = read_certificate(Path(certificate).read_bytes())
    integers, labels = check_similarity(c, answers), np.array(c["labels"])
    denominator, k = c["similarity"]["denominator"], max(c["labels"])
    blocks = [integers[np.ix_(labels == a, labels == a)] for a in range(1, k + 1)]
    parts = [Fraction(int(block.sum()), len(block) * denominator) for block in blocks]
    value, rounding = sum(parts), 2 * (k + 2) * Fraction(EPS) * sum(map(abs, parts))
    off = abs(Fraction(c["objective"]) - value)
    need(off <= abs(value) / 10**9 + rounding, f"objective: the partition has {float(value)}")
    S, Z = (integers / denominator).astype(float), labels[:, None] == np.arange(1, k + 1)
    if c["claim"] == "optimal":
        check_optimal(c, S, Z.astype(float))
    else:
        check_bound(c, S, Z.astype(float), Path(certificate).parent)


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with np.errstate(all="ignore"):  # what is too large is refused where it matters
            check(*arguments)
    except RefusalError as refusal:
        print(f"refused: {refusal}", file=sys.stderr)
        return 3
    print("verified")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
