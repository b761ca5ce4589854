"""Checks a certificate (docs/certificate.md) against the answers: the second, small checker.

    python tools/check_certificate.py CERTIFICATE ANSWERS [--repeats sum|once|majority]
    python tools/check_certificate.py CERTIFICATE POINTS --points [COLUMN,COLUMN,...]

ANSWERS is a CSV file with the columns anchor,near,far or i,j,k,l (i and j are more alike than k and
l), perhaps with a column weight; or a similarity matrix as .npy, whose items are 0, 1, 2, ... How
answers are read is for you to say, not for the certificate: repeats are summed unless --repeats
says otherwise. POINTS is a CSV file with a header, of numbers but for one column of names, or an
array as .npy; with a list, only these columns count (by name, or by number from 1). Needs numpy.
Exits with 0 if the claim is verified, with 3 and the reason if it is refused, with 2 if the answers
or the arguments cannot be used.

Sums, u and t are exact fractions. Eigenvalues and factorisations are LAPACK's; what rounding can
have done to them is counted against the claim.
"""

import csv
import io
import json
import math
import re
import stat
import sys
import zlib
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np

EPS = sys.float_info.epsilon
SIMILARITY = {"kind", "repeats", "comparisons", "denominator", "checksum"}
GRID_DIGITS = 16
BOTH = {"format", "version", "claim", "similarity", "items", "labels", "objective", "checksum"}
OPTIMAL = BOTH | {"lo", "hi", "level", "failure_probability"}
BOUND = BOTH | {"program", "upper_bound", "dual", "dual_checksum"}
TREE = BOTH | {"upper_bound", "only_best", "tree", "numbers", "numbers_checksum"}
SHARE = BOTH | {"upper_bound", "lambda", "share"}
REPEATS = ("sum", "once", "majority")
WEIGHT = re.compile(r"\+?\d{0,20}(\.\d{0,20})?([eE][+-]?\d{1,2})?")


class RefusalError(Exception):
    """The claim does not hold, or cannot be understood."""


class InputError(Exception):
    """What the claim is to be checked against cannot be used."""


def need(condition, reason):
    if not condition:
        raise RefusalError(reason)


def usable(condition, reason):
    if not condition:
        raise InputError(reason)


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
    need(whole(c.get("version"), 1, 2), f"version: found {c.get('version')!r}, expected 1 or 2")
    more = SHARE if "share" in c else TREE
    claims = {1: {"optimal": OPTIMAL, "bound": BOUND}, 2: {"bound": more}}[c["version"]]
    need(type(c.get("claim")) is str and c["claim"] in claims, "claim: unknown")
    strange = set(c) ^ claims[c["claim"]]
    need(not strange, f"fields missing or unknown: {sorted(strange)}")
    crc = zlib.crc32(data[: max(data.rfind(b'"checksum"'), 0)])
    need(list(c)[-1] == "checksum" and whole(c["checksum"], crc, crc), f"checksum is not {crc}")
    how, items, labels = c["similarity"], c["items"], c["labels"]
    need(isinstance(how, dict), "similarity: not an object")
    of_points = how.get("kind") == "points"
    fields = SIMILARITY | ({"exponent"} if of_points else set())
    need(set(how) == fields, "similarity: other fields than its own")
    need(not of_points or whole(how["exponent"], -400, 400), "similarity.exponent: out of range")
    optimal_or_tree = c["claim"] == "optimal" or c["version"] == 2
    need(not of_points or optimal_or_tree, "claim: not one about points")
    need(how["repeats"] in REPEATS, "similarity.repeats: unknown")
    need(whole(how["denominator"], 1, 2**63 - 1), "similarity.denominator: not from 1")
    need(isinstance(items, list) and all(type(i) is str for i in items), "items: not names")
    need(items and len(set(items)) == len(items), "items: none, or one twice")
    need(isinstance(labels, list) and len(labels) == len(items), "labels: not one for each item")
    need(all(whole(a, 1, len(items)) for a in labels), "labels: not whole numbers from 1")
    need(set(labels) == set(range(1, max(labels) + 1)), "labels: a number from 1 to k is unused")
    need(number(c["objective"]), "objective: not a number")
    return c


def integers_over(values, denominator):
    """The numbers times the denominator as integers; None if they are not whole."""
    scaled = [value * denominator for value in values]
    return [int(v) for v in scaled] if all(v.denominator == 1 for v in scaled) else None


def read_matrix(path, denominator):
    """S * denominator for ordered pairs of names."""
    try:
        S = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError, SyntaxError) as error:
        raise InputError(f"{path}: {error}") from None
    usable(S.ndim == 2 and len(S) == S.shape[1] and len(S) > 0, f"{path}: not a square matrix")
    usable(S.dtype.kind in "iuf" and S.dtype.itemsize <= 8, f"{path}: not a matrix of numbers")
    usable(np.isfinite(S).all() and (S == S.T).all(), f"{path}: not symmetric and finite")
    values = [v.item() for v in S[np.tril_indices(len(S), -1)]]
    # A double stands for the shortest decimal number that reads back as it, or else for itself.
    decimal = [Fraction(v) if v == int(v) else Fraction(repr(v)) for v in values]
    integers = integers_over(decimal, denominator)
    if integers is None:
        integers = integers_over(map(Fraction, values), denominator)
    need(integers is not None, "similarity.denominator: S is not whole")
    pairs, triangle = {}, iter(integers)
    for i in range(len(S)):
        for j in range(i):
            pairs[str(i), str(j)] = pairs[str(j), str(i)] = next(triangle)
    return "precomputed", 0, {str(i) for i in range(len(S))}, pairs


def weight_of(text):
    text = (text or "1").strip()
    usable(WEIGHT.fullmatch(text) and any(c.isdigit() for c in text), f"the weight {text[:40]!r}")
    return Fraction(text)


def read_answers(path, repeats, denominator):
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, ValueError, csv.Error) as error:
        raise InputError(f"{path}: {error}") from None
    usable(rows, f"{path}: no answers")
    kind = "adds3" if "anchor" in rows[0] else "adds4"
    columns = ("anchor", "near", "anchor", "far") if kind == "adds3" else ("i", "j", "k", "l")
    usable(all(name in rows[0] for name in columns), f"{path}: no columns {', '.join(columns)}")
    # For each answer: two pairs, the one that is more alike first. No weight: no answer.
    votes, names, count = Counter(), set(), 0
    for row in rows:
        cells = [row[name] for name in columns]
        usable(all(type(cell) is str and cell.strip() for cell in cells), f"{path}: a short row")
        i, j, r, s = (cell.strip() for cell in cells)
        usable(i != j and r != s, f"{path}: {i!r} or {r!r} compared with itself")
        names |= {i, j, r, s}
        if weight := weight_of(row.get("weight")):
            votes[frozenset((i, j)), frozenset((r, s))] += weight
            count += 1
    if repeats != "sum":
        lead = {(a, b): votes[a, b] - votes.get((b, a), 0) for a, b in votes}
        votes = {answer: 1 for answer in votes if repeats == "once" or lead[answer] > 0}
    pairs = Counter()
    for (alike, apart), weight in votes.items():
        for (i, j), sign in ((alike, 1), (apart, -1)):
            pairs[i, j] += sign * weight * denominator
            pairs[j, i] += sign * weight * denominator
    return kind, count if repeats == "sum" else len(votes), names, pairs


def is_number(text):
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def read_points(path, columns):
    """Names, and for each its coordinates as doubles."""
    wanted = columns.split(",") if columns else []
    if path.endswith(".npy"):
        try:
            X = np.load(path, allow_pickle=False)
        except (OSError, ValueError, EOFError, SyntaxError) as error:
            raise InputError(f"{path}: {error}") from None
        usable(X.ndim == 2 and X.dtype.kind in "iuf", f"{path}: not an array of numbers")
        header, rows = [str(i + 1) for i in range(X.shape[1])], X.astype(float).tolist()
    else:
        try:
            with open(path, encoding="utf-8-sig", newline="") as file:
                header, *rows = list(csv.reader(file))
        except (OSError, ValueError, csv.Error) as error:
            raise InputError(f"{path}: {error}") from None
        header, rows = [h.strip() for h in header], [[x.strip() for x in r] for r in rows if r]
    usable(rows and all(len(row) == len(header) for row in rows), f"{path}: not a table")
    words = [c for c in range(len(header)) if not any(is_number(row[c]) for row in rows)]
    number = {str(c + 1): c for c in range(len(header))} | {h: c for c, h in enumerate(header)}
    usable(all(w in number for w in wanted), f"{path}: no such columns")
    chosen = [number[w] for w in wanted] or [c for c in range(len(header)) if c not in words[:1]]
    usable(chosen, f"{path}: no coordinates")
    usable(all(is_number(row[c]) for row in rows for c in chosen), f"{path}: not numbers")
    left = [c for c in words[:1] if c not in chosen]
    names = [row[left[0]] if left else str(i) for i, row in enumerate(rows)]
    usable(len(set(names)) == len(names), f"{path}: a name twice")
    return names, [[float(row[c]) for c in sorted(chosen)] for row in rows]


def rounded(value):
    """To the nearest integer, halves away from zero."""
    size = math.floor(abs(value) + Fraction(1, 2))
    return size if value >= 0 else -size


def measured_points(path, columns, exponent):
    """-|x_i - x_j|^2 of ordered pairs of names, in units of 10^exponent, and whether rounded."""
    names, rows = read_points(path, columns)
    decimal = [[Decimal(repr(x)).normalize().as_tuple() for x in row] for row in rows]
    used = [d for row in decimal for d in row if any(d.digits)]
    grid = 0
    if used:
        largest = max(d.exponent + len(d.digits) for d in used)
        grid = max(min(d.exponent for d in used), largest - GRID_DIGITS)
    need(exponent >= 2 * grid, "similarity.exponent: below that of the coordinates")
    exact = [[Fraction(repr(x)) / Fraction(10) ** grid for x in row] for row in rows]
    whole_rows = [[rounded(x) for x in row] for row in exact]
    is_rounded = exact != whole_rows
    unit, pairs = 10 ** (exponent - 2 * grid), {}
    for i, x in enumerate(whole_rows):
        for j, y in enumerate(whole_rows[:i]):
            differences = [abs(s - t) for s, t in zip(x, y, strict=True)]
            shift = 2 * sum(differences) + len(x)
            need(exact == whole_rows or 2 * shift <= unit, "similarity.exponent: too fine")
            square = Fraction(sum(d * d for d in differences), unit)
            is_rounded = is_rounded or square.denominator != 1
            pairs[names[i], names[j]] = pairs[names[j], names[i]] = -rounded(square)
    return set(names), pairs, is_rounded


def check_similarity(c, path, repeats, columns):
    """What the answers give: integers in the order of the items, and how they were read.

    The last is how far f of a partition can be from the true one, as distances were rounded.
    """
    how, items, error = c["similarity"], c["items"], Fraction(0)
    if columns is not None:
        need(how["kind"] == "points", f"similarity.kind: found {how['kind']!r}, expected points")
        kind, count, repeats = "points", 0, "sum"
        names, pairs, is_rounded = measured_points(path, columns, how["exponent"])
        need(how["denominator"] == 2, "similarity.denominator: expected 2")
        error = Fraction(len(items) - max(c["labels"]), 2) if is_rounded else error
    elif path.endswith(".npy"):
        repeats = "sum"
        kind, count, names, pairs = read_matrix(path, how["denominator"])
    else:
        kind, count, names, pairs = read_answers(path, repeats, how["denominator"])
    need(how["kind"] == kind, f"similarity.kind: found {how['kind']!r}, the answers give {kind}")
    reason = f"similarity.repeats: found {how['repeats']}, read as {repeats} (see --repeats)"
    need(how["repeats"] == repeats, reason)
    need(set(items) == names, f"items: differ in {sorted(set(items) ^ names)[:3]}")
    need(whole(how["comparisons"], count, count), f"similarity.comparisons: expected {count}")
    need(all(v == int(v) for v in pairs.values()), "similarity.denominator: S is not whole")
    need(sum(map(abs, pairs.values())) < 2**63, "similarity: sums of S leave 64 bits")
    integers, crc = np.zeros((len(items), len(items)), dtype=object), 0
    for i, a in enumerate(items):
        for j, b in enumerate(items[:i]):
            integers[i, j] = integers[j, i] = value = int(pairs.get((a, b), 0))
            if value:
                record = i.to_bytes(4, "little") + j.to_bytes(4, "little")
                crc = zlib.crc32(record + value.to_bytes(8, "little", signed=True), crc)
    need(whole(how["checksum"], crc, crc), f"similarity.checksum: the answers give {crc}")
    read_as = f"{count} answers ({kind}), repeats: {repeats}" if count else "a matrix"
    if columns is not None:
        read_as = f"{len(items)} points, distances {'rounded' if error else 'exact'}"
    return integers, read_as, error


class Sums:
    """Exact sums of S over the clusters of a partition."""

    def __init__(self, integers, denominator, labels):
        self.n, self.k, self.labels = len(labels), max(labels), [a - 1 for a in labels]
        self.members = [np.flatnonzero(np.array(self.labels) == a) for a in range(self.k)]
        unit = Fraction(1, denominator)
        rows = [integers[:, own].sum(axis=1) for own in self.members]
        self.mean = [
            [unit * int(v) / len(own) for v in row]
            for row, own in zip(rows, self.members, strict=True)
        ]
        self.inside = [sum(self.mean[a][i] for i in own) for a, own in enumerate(self.members)]
        self.total = unit * int(integers.sum())
        self.S = (integers / denominator).astype(float)

    def value(self):
        return sum(self.inside)

    def u(self, lam, i, l):  # noqa: E741
        """u_i^l of the page."""
        j, sizes = self.labels[i], [len(own) for own in self.members]
        half = (self.inside[l] / sizes[l] - self.inside[j] / sizes[j]) / 2
        price = Fraction(1, 2 * sizes[j]) + Fraction(1, 2 * sizes[l])
        return sizes[l] * (self.mean[j][i] - self.mean[l][i] + half - lam * price)


def check_conditions(sums, lam, end):
    """Conditions 1 and 2 at one end."""
    n, k = sums.n, sums.k
    exact = {
        (i, a): sums.u(Fraction(lam), i, a)
        for i in range(n)
        for a in range(k)
        if a != sums.labels[i]
    }
    least = min(exact.values(), default=1)
    need(least > 0, f"condition 1 at {end} = {lam}: the smallest u is {float(least)}, not above 0")
    if k == n:
        return
    u, t = np.zeros((n, k)), np.ones((k, k))
    for (i, a), value in exact.items():
        u[i, a] = float(value)
    for j, own in enumerate(sums.members):
        for a in range(k):
            if a != j:
                t[j, a] = float(sum(exact[i, a] for i in own))
    where = np.array(sums.labels)
    across = u[:, where]  # (i,r): u_i^l for r in l
    gamma = across * across.T / t[np.ix_(where, where)]  # each entry right to 4 EPS
    Z = (where[:, None] == np.arange(k)).astype(float)
    rest = Z / Z.sum(axis=0) @ Z.T  # I - P
    W = lam * np.eye(n) - sums.S - gamma
    A = W - rest @ W - W @ rest + rest @ W @ rest
    mean = A.trace() / (n - k)
    norms = np.linalg.norm(sums.S) + np.linalg.norm(gamma) + math.sqrt(n) * abs(lam)
    # Of W, of the products with the projection, and of the factorisation (Rump, BIT 46, 2006).
    shift = 16 * (n + 8) * EPS * (norms + n * abs(mean))
    need(math.isfinite(shift) and mean > 0, f"condition 2 at {end} = {lam}: not for such numbers")
    try:
        factor = np.linalg.cholesky(A + mean * rest - shift * np.eye(n))
        definite = np.isfinite(factor).all()  # what is not a number may pass the factorisation
    except np.linalg.LinAlgError:
        definite = False
    need(definite, f"condition 2 at {end} = {lam}: an eigenvalue is not below lambda")


def check_optimal(c, sums):
    n, k, lo, hi, chance = sums.n, sums.k, c["lo"], c["hi"], c["failure_probability"]
    need(number(lo) or (lo is None and k == n), "lo: neither a number nor rightly null")
    need(number(hi) or (hi is None and k == 1), "hi: neither a number nor rightly null")
    need(lo is None or hi is None or lo <= hi, "lo: above hi")
    need(number(chance) and c["level"] in ("proved", "probabilistic"), "level, failure_probability")
    need(chance == 0 if c["level"] == "proved" else 0 < chance < 1, "failure_probability: wrong")
    for end in ("lo", "hi"):
        if c[end] is not None:
            check_conditions(sums, float(c[end]), end)


def read_dual(path, n):
    """The n x n doubles of a .npy file that says just that."""
    try:
        need(stat.S_ISREG(path.stat().st_mode), "dual: not a file")
        need(path.stat().st_size <= 8 * n * n + 4096, "dual: a file of another size")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise RefusalError(f"dual: {error}") from None
    need(data[:6] == b"\x93NUMPY" and len(data) > 12, "dual: not a .npy array")
    size = 2 if data[6] == 1 else 4
    start = 8 + size + int.from_bytes(data[8 : 8 + size], "little")
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({n}, {n}), }}"
    need(data[8 + size : start].rstrip(b" \n") == header.encode(), f"dual: not {n} x {n} doubles")
    need(len(data) == start + 8 * n * n, "dual: cut off, or more than the array")
    return data[start:]


def check_bound(c, sums, folder):
    n, k, name, upper = sums.n, sums.k, c["dual"], c["upper_bound"]
    need(isinstance(c["program"], dict) and len(c["program"]) == 1, "program: not one field")
    [(program, parameter)] = c["program"].items()
    if program == "clusters":
        need(whole(parameter, k, k), f"program: found {parameter} clusters, labels have {k}")
    else:
        need(program == "lambda" and number(parameter), "program: neither clusters nor lambda")
    need(number(upper), "upper_bound: not a number")
    upper, lam = float(upper), 0.0 if program == "clusters" else float(parameter)
    least = max(sums.value(), Fraction(c["objective"])) - Fraction(lam) * k
    need(least <= upper, f"upper_bound: found {upper}, the partition itself has {float(least)}")
    need(type(name) is str and Path(name).name == name and "\0" not in name, "dual: no name")
    data = read_dual(folder / name, n)
    crc = zlib.crc32(data)
    need(whole(c["dual_checksum"], crc, crc), f"dual_checksum: that of the file is {crc}")
    N = np.frombuffer(data, dtype="<f8").reshape(n, n)
    need(np.isfinite(N).all() and (N >= 0).all() and (N == N.T).all(), "N: not >= 0 and symmetric")
    need(np.isfinite(N.sum()), "N: too large")
    bound = (sums.total + Fraction(math.fsum(N.ravel())) * (1 + Fraction(EPS))) / n - Fraction(lam)
    bound += eigenvalue_sum(sums, N, None if program == "clusters" else lam)
    need(bound <= upper, f"upper_bound: found {upper}, N proves {float(bound)}")


def eigenvalue_sum(sums, N, lam):
    """Of S + N on the space across 1, rounding added: the k - 1 largest, or all that exceed lam, as
    far as they do."""
    n = sums.n
    A, one = sums.S + N, np.full((n, n), 1 / n)
    norm = float(np.linalg.norm(A))
    # Eigenvalues of a matrix this near to A: of S + N, of the centring, and of LAPACK's methods.
    moved = 16 * (n + 8) * EPS * norm + 2 * EPS * float(np.linalg.norm(sums.S))
    need(math.isfinite(moved), "N: too large")
    beside = A - one @ A - A @ one + one @ A @ one - 2 * norm * one
    values = np.linalg.eigvalsh(beside)[:0:-1]  # the direction of 1 was made the smallest
    need(np.isfinite(values).all(), "N: its eigenvalues are not finite")
    values = values[: sums.k - 1] if lam is None else values[values + moved > lam]
    parts = [Fraction(float(v)) - Fraction(lam or 0) for v in values]
    summed = sum(part if lam is None else max(part, 0) for part in parts)
    return summed + Fraction(math.sqrt(len(parts)) * moved * 1.01)


def check_share(c, sums, error):
    """A bound whose N follows from the labels, lambda and share: any N >= 0 proves one, so N need
    not be right to the last digit."""
    n, k, upper, lam, share = sums.n, sums.k, c["upper_bound"], c["lambda"], c["share"]
    need(number(upper) and number(lam), "upper_bound or lambda: not a number")
    need(number(share) and 0 <= share <= 1, "share: not a number from 0 to 1")
    least = max(sums.value(), Fraction(c["objective"]))
    need(least <= upper, f"upper_bound: found {upper}, the partition itself has {float(least)}")
    where = np.array(sums.labels)
    across = where[:, None] != where
    u = np.zeros((n, k))
    for i in range(n):
        for a in range(k):
            if a != where[i]:
                u[i, a] = float(max(sums.u(Fraction(lam), i, a), 0))
    noise = np.where(across, np.maximum(-sums.S, 0), 0)
    Z = (where[:, None] == np.arange(k)).astype(float)
    negative = noise @ Z
    weight = np.minimum(1, share * u / np.where(negative > 0, negative, np.inf))[:, where]
    N = noise * np.minimum(weight, weight.T)
    v = np.maximum(u - N @ Z, 0)
    t = np.maximum(Z.T @ v, (Z.T @ v).T)
    left = v[:, where]
    N += left * (left.T / np.where(t > 0, t, 1)[np.ix_(where, where)])
    N = np.maximum(N, N.T)  # symmetric to the last bit
    need(np.isfinite(N).all() and np.isfinite(N.sum()), "lambda: too large")
    bound = (sums.total + Fraction(math.fsum(N.ravel())) * (1 + Fraction(EPS))) / n
    bound += eigenvalue_sum(sums, N, None) + error
    need(bound <= upper, f"upper_bound: found {upper}, N proves {float(bound)}")


def leaves_of(tree, n):
    """The demands (i, j, together) on the way to every leaf, in the order of the file."""
    need(isinstance(tree, list), "tree: not a list")
    to_come = [None]  # ways as (the way before, demand): copies of deep ways would take too much
    for node in tree:
        need(to_come, "tree: nodes after its end")
        way = to_come.pop()
        if node is None:
            demands = []
            while way:
                way, demand = way
                demands.append(demand)
            yield demands
            continue
        need(isinstance(node, list) and len(node) == 2, "tree: neither a pair nor null")
        need(all(whole(i, 0, n - 1) for i in node) and node[0] != node[1], "tree: not two items")
        to_come += [(way, (*node, True)), (way, (*node, False))]
    need(not to_come, "tree: cut off")


def read_numbers(path, checksum):
    try:
        need(stat.S_ISREG(path.stat().st_mode), "numbers: not a file")
        need(path.stat().st_size < 2**32, "numbers: 4 GB or more, too much for this script")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise RefusalError(f"numbers: {error}") from None
    crc = zlib.crc32(data)
    need(whole(checksum, crc, crc), f"numbers_checksum: that of the file is {crc}")
    need(data[:16] == b"tertium numbers\n", "numbers: another file")
    return io.BytesIO(data[16:])


def take(file, kind, count):
    kind = np.dtype(kind)
    data = file.read(count * kind.itemsize)
    need(len(data) == count * kind.itemsize, "numbers: cut off")
    return np.frombuffer(data, dtype=kind)


def leaf_bound(integers, denominator, k, demands, file):
    """The bound of a leaf, with all rounding, the group of every item and, for two groups, what
    a partition that puts them together loses; nothing if no partition gets there."""
    n = len(integers)
    first = list(range(n))  # of the items that each must be with
    for i, j, together in demands:
        if together:
            low, high = sorted((first[i], first[j]))
            first = [low if item == high else item for item in first]
    firsts = sorted(set(first))
    group, m = np.array([firsts.index(item) for item in first]), len(firsts)
    apart = np.zeros((m, m), dtype=bool)
    for i, j, together in demands:
        if not together:
            apart[group[i], group[j]] = apart[group[j], group[i]] = True
    count, cuts = map(int, take(file, "<u4", 2))
    if m < k or apart.diagonal().any():
        need(count == cuts == 0, "numbers: some for a leaf that no partition gets to")
        return None, None, None
    need(count == m, f"numbers: {count} groups in a leaf, its demands make {m}")
    N = np.zeros((m, m))
    N[np.tril_indices(m)] = take(file, "<f4", m * (m + 1) // 2)
    N += np.tril(N, -1).T
    need(np.isfinite(N).all() and (apart | (N >= 0)).all(), "N: below 0 or not finite")
    table = take(file, [("groups", "<u4", 3), ("mu", "<f4")], cuts)
    mu, (i, j, r) = table["mu"].astype(float), table["groups"].astype(np.int64).T
    need(np.isfinite(mu).all() and (mu >= 0).all(), "mu: below 0 or not finite")
    need((table["groups"] < m).all(), "cuts: of groups that there are not")
    need(((i != j) & (i != r) & (j != r)).all(), "cuts: not of three groups")

    sums = np.zeros((m, m), dtype=object)
    np.add.at(sums, (group[:, None], group[None, :]), integers)
    e = np.bincount(group).astype(float)
    root = np.sqrt(np.outer(e, e))
    S = (sums / denominator).astype(float) / root
    A, size, times = S + N, np.abs(S) + np.abs(N), np.full((m, m), 12.0)
    for x, y, weight in ((i, j, 0.5), (i, r, 0.5), (i, i, -1.0), (j, r, -0.5)):
        part = weight * mu / root[x, y]
        for places in [(x, y)] if x is y else [(x, y), (y, x)]:
            np.subtract.at(A, places, part)
            np.add.at(size, places, np.abs(part))
            np.add.at(times, places, 2)
    v = np.sqrt(e)
    norm = float(np.linalg.norm(A))
    entries = (
        1.01 * EPS * float(np.linalg.norm(times * size))
    )  # of A, before anything is done to it
    moved = 16 * (m + 8) * EPS * norm + entries
    need(math.isfinite(moved), "numbers: too large")
    along = np.outer(v, v) / n
    beside = A - along @ A - A @ along + along @ A @ along - 2 * norm * along
    values = np.linalg.eigvalsh(beside)[:0:-1][: k - 1]  # the direction of v was made the smallest
    need(np.isfinite(values).all(), "numbers: eigenvalues that are not finite")
    bound = Fraction(float(v @ A @ v)) / n + sum(Fraction(float(value)) for value in values)
    rounding = (4 * m + 16) * EPS * norm + entries + math.sqrt(k - 1) * moved
    loss = 2 * N * root / (n - k + 1) * (1 - 8 * EPS)
    return bound + Fraction(1.01 * rounding), group, np.where(apart, math.inf, loss)


def check_tree(c, sums, integers, error, folder):
    name, upper = c["numbers"], c["upper_bound"]
    need(number(upper) and type(c["only_best"]) is bool, "upper_bound or only_best: another type")
    need(sums.value() <= upper, f"upper_bound: the partition itself has {float(sums.value())}")
    need(type(name) is str and Path(name).name == name and "\0" not in name, "numbers: no name")
    file = read_numbers(folder / name, c["numbers_checksum"])
    for demands in leaves_of(c["tree"], sums.n):
        bound, group, loss = leaf_bound(
            integers, c["similarity"]["denominator"], sums.k, demands, file
        )
        if bound is None:
            continue
        bound += error
        need(bound <= upper, f"upper_bound: found {upper}, a leaf has {float(bound)}")
        value = sums.value() - error  # at least
        if c["only_best"] and bound >= value:
            np.fill_diagonal(loss, 0)  # of items that must be together
            across = np.not_equal.outer(sums.labels, sums.labels)
            least = loss[np.ix_(group, group)][across].min(initial=math.inf)
            need(
                least == math.inf or bound - Fraction(float(least)) < value,
                "only_best: not proved",
            )
    need(not file.read(1), "numbers: more than the leaves have")


def check(certificate, answers, repeats, columns):
    path = Path(certificate)
    try:
        usable(stat.S_ISREG(path.stat().st_mode), f"{certificate}: not a file")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise InputError(f"{certificate}: {error}") from None
    c = read_certificate(data)
    integers, read_as, error = check_similarity(c, answers, repeats, columns)
    sums = Sums(integers, c["similarity"]["denominator"], c["labels"])
    off = abs(Fraction(c["objective"]) - sums.value())
    rounding = 2 * (sums.k + 2) * Fraction(EPS) * sum(map(abs, sums.inside))
    need(off <= rounding, f"objective: the partition has {float(sums.value())}")
    if c["claim"] == "optimal":
        check_optimal(c, sums)
    elif "share" in c:
        check_share(c, sums, error)
    elif c["version"] == 2:
        check_tree(c, sums, integers, error, path.parent)
    else:
        check_bound(c, sums, path.parent)
    if columns is not None:
        bound = sums.value() + error if c["claim"] == "optimal" else Fraction(c["upper_bound"])
        squares = -float(bound) * 10.0 ** c["similarity"]["exponent"]
        read_as += f"; no grouping has a sum of squares below {squares:.12g}, but for rounding"
    return read_as


def main(arguments):
    repeats, columns = "sum", None
    if len(arguments) in (3, 4) and arguments[2] == "--points":
        columns = arguments[3] if len(arguments) == 4 else ""
        arguments = arguments[:2]
    if len(arguments) == 4 and arguments[2] == "--repeats" and arguments[3] in REPEATS:
        *arguments, _, repeats = arguments
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with np.errstate(all="ignore"):  # what is too large is refused where it matters
            read_as = check(*arguments, repeats, columns)
    except RefusalError as refusal:
        print("refused:", str(refusal).encode("unicode_escape").decode(), file=sys.stderr)
        return 3
    except InputError as error:
        print("error:", str(error).encode("unicode_escape").decode(), file=sys.stderr)
        return 2
    except Exception as error:  # noqa: BLE001: whatever it is, nothing was proved
        print(f"refused: cannot be checked ({type(error).__name__})", file=sys.stderr)
        return 3
    print(f"verified\nread as {read_as}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
