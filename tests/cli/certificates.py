"""Certificates made from docs/certificate.md alone, with numpy, for the tests of the checkers."""

import csv
import io
import json
import struct
import sys
import zlib
from fractions import Fraction

import numpy as np
from definitions import adds3, adds4


def sealed(fields):
    """The text of a certificate with these fields and the right checksum after them."""
    body = json.dumps(fields)[:-1] + ", "
    return body + f'"checksum": {zlib.crc32(body.encode())}}}\n'


def stale(fields, text):
    """The text for edited fields with the checksum of another text left in it."""
    return json.dumps(fields)[:-1] + ", " + text[text.rindex('"checksum"') :]


def integers_checksum(integers):
    records = [
        struct.pack("<IIq", i, j, integers[i, j])
        for i in range(len(integers))
        for j in range(i)
        if integers[i, j]
    ]
    return zlib.crc32(b"".join(records))


class Problem:
    """Answers, their similarity, and a partition into planted groups."""

    def __init__(self, kind, names, labels, rows, denominator=1):
        self.kind, self.names, self.labels = kind, list(names), np.array(labels)
        self.rows, self.denominator = rows, denominator
        if kind == "precomputed":
            self.integers = np.array(rows)
        else:
            weights = {}
            for *items, weight in rows:
                weights[tuple(items)] = weights.get(tuple(items), 0) + round(weight * denominator)
            pairs = (adds3 if kind == "adds3" else adds4)(weights)
            of = {name: i for i, name in enumerate(self.names)}
            self.integers = np.zeros((len(of), len(of)), dtype=np.int64)
            for pair, value in pairs.items():
                a, b = (of[name] for name in pair)
                self.integers[a, b] = self.integers[b, a] = value

    @property
    def S(self):  # noqa: N802
        return self.integers / self.denominator

    def csv(self):
        header = ["anchor", "near", "far"] if self.kind == "adds3" else list("ijkl")
        rows = [row if self.denominator > 1 else row[:-1] for row in self.rows]
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header + (["weight"] if self.denominator > 1 else []))
        writer.writerows(rows)
        return file.getvalue()

    def reordered(self, order):
        """The same with the items in another order; the answers stay as they are."""
        other = Problem.__new__(Problem)
        other.__dict__.update(self.__dict__)
        other.names = [self.names[i] for i in order]
        other.labels = np.unique(self.labels[order], return_inverse=True)[1] + 1
        other.integers = self.integers[np.ix_(order, order)]
        return other

    # ---- the mathematics of the page, as loops over the formulas

    def clusters(self):
        return [np.flatnonzero(self.labels == a) for a in range(1, self.labels.max() + 1)]

    def value(self, labels):
        """The value of a partition as a fraction."""
        labels = np.asarray(labels)
        groups = [np.flatnonzero(labels == a) for a in set(labels.tolist())]
        sums = [(int(self.integers[np.ix_(g, g)].sum()), len(g)) for g in groups]
        return sum(Fraction(total, size * self.denominator) for total, size in sums)

    def objective(self, labels=None):
        return float(self.value(self.labels if labels is None else labels))

    def u(self, lam):
        S, groups = self.S, self.clusters()
        result = {}
        for j, own in enumerate(groups):
            for l, other in enumerate(groups):  # noqa: E741
                if j == l:
                    continue
                B_jj, B_ll = S[np.ix_(own, own)].mean(), S[np.ix_(other, other)].mean()
                weight = 1 / (2 * len(own)) + 1 / (2 * len(other))
                for i in own:
                    M = S[i, own].mean() - S[i, other].mean()
                    result[i, l] = len(other) * (M + (B_ll - B_jj) / 2 - lam * weight)
        return result

    def gamma(self, lam):
        u, groups = self.u(lam), self.clusters()
        gamma = np.zeros_like(self.S)
        for j, own in enumerate(groups):
            for l, other in enumerate(groups):  # noqa: E741
                if j != l:
                    t = sum(u[i, l] for i in own)
                    for i in own:
                        for r in other:
                            gamma[i, r] = u[i, l] * u[r, j] / t
        return (gamma + gamma.T) / 2

    def largest_eigenvalue(self, lam):
        """Of P (S + Gamma) P on the range of P, by an explicit basis of that range."""
        basis = []
        for group in self.clusters():
            for step, b in enumerate(group[1:], start=1):
                v = np.zeros(len(self.names))
                v[group[:step]], v[b] = 1, -step
                basis.append(v / np.linalg.norm(v))
        basis = np.array(basis).T
        return np.linalg.eigvalsh(basis.T @ (self.S + self.gamma(lam)) @ basis)[-1]

    def scale(self):
        return float(np.abs(self.S).max(initial=0))

    def interval(self):
        """The two ends: where u reaches 0, and where lambda meets the largest eigenvalue."""
        k, n = self.labels.max(), len(self.labels)
        if k == 1:
            hi = None
        else:
            at_0, at_1 = self.u(0), self.u(1)
            hi = min(at_0[key] / (at_0[key] - at_1[key]) for key in at_0)
        if k == n:
            return None, hi
        good = 2 * np.abs(self.S).sum() if hi is None else hi - 1e-6 * abs(hi)
        bad = -good
        assert self.largest_eigenvalue(good) < good, "these answers do not show the groups"
        while good - bad > 1e-9 * (abs(good) + self.scale()):
            middle = (good + bad) / 2
            if self.largest_eigenvalue(middle) < middle:
                good = middle
            else:
                bad = middle
        return good, hi

    # ---- certificates as dictionaries without their checksum

    def fields(self, claim):
        return {
            "format": "tertium certificate",
            "version": 1,
            "claim": claim,
            "similarity": {
                "kind": self.kind,
                "repeats": "sum",
                "comparisons": 0 if self.kind == "precomputed" else len(self.rows),
                "denominator": self.denominator,
                "checksum": integers_checksum(self.integers),
            },
            "items": self.names,
            "labels": self.labels.tolist(),
            "objective": self.objective(),
        }

    def optimal(self):
        lo, hi = self.interval()
        return self.fields("optimal") | {
            "lo": None if lo is None else lo + 1e-6 * (abs(lo) + self.scale()),
            "hi": None if hi is None else hi - 1e-6 * (abs(hi) + self.scale()),
            "level": "proved",
            "failure_probability": 0,
        }

    def bound_of(self, N, program):
        """The bound that N gives, by an explicit basis of the vectors that sum to 0."""
        n, A = len(N), self.S + N
        basis = np.linalg.qr(np.column_stack([np.ones(n), np.eye(n)[:, 1:]]))[0][:, 1:]
        values = np.linalg.eigvalsh(basis.T @ A @ basis)[::-1]
        if "clusters" in program:
            return A.sum() / n + values[: program["clusters"] - 1].sum()
        lam = program["lambda"]
        return A.sum() / n - lam + np.maximum(values - lam, 0).sum()

    def room(self, N, program):
        """What checkers may count against a bound for their rounding."""
        n, size = len(N), np.linalg.norm(self.S) + np.linalg.norm(N)
        size += abs(program.get("lambda", 0))
        return 100 * (n + 8) * np.sqrt(n) * sys.float_info.epsilon * size

    def cancelled(self, lam, share):
        """N of the page for lambda and share, entry by entry."""
        S, groups, u = self.S, self.clusters(), self.u(lam)
        of = {i: a for a, own in enumerate(groups) for i in own}
        u = {key: max(value, 0) for key, value in u.items()}
        pairs = [(i, r) for i in of for r in of if of[i] != of[r]]
        negative = dict.fromkeys(u, 0)
        for i, r in pairs:
            negative[i, of[r]] += max(-S[i, r], 0)
        c = {key: min(1, share * u[key] / value) if value else 0 for key, value in negative.items()}
        N, left = np.zeros_like(S), dict(u)
        for i, r in pairs:
            N[i, r] = max(-S[i, r], 0) * min(c[i, of[r]], c[r, of[i]])
            left[i, of[r]] -= N[i, r]
        v = {key: max(value, 0) for key, value in left.items()}
        sums = {}
        for (i, b), value in v.items():
            sums[of[i], b] = sums.get((of[i], b), 0) + value
        for i, r in pairs:
            a, b = of[i], of[r]
            t = max(sums[a, b], sums[b, a])
            if t > 0:
                N[i, r] += v[i, b] * v[r, a] / t
        return (N + N.T) / 2

    def bound_by_share(self, lam, share):
        N, program = self.cancelled(lam, share), {"clusters": int(self.labels.max())}
        fields = self.fields("bound") | {"version": 2}
        upper = float(self.bound_of(N, program) + self.room(N, program))
        return fields | {"upper_bound": upper, "lambda": lam, "share": share}

    def bound(self, N, program, dual="n.npy"):
        return self.fields("bound") | {
            "program": program,
            "upper_bound": float(self.bound_of(N, program) + self.room(N, program)),
            "dual": dual,
            "dual_checksum": zlib.crc32(np.ascontiguousarray(N, dtype="<f8").tobytes()),
        }


def leaf_numbers(N, cuts):
    """What a leaf with these N and cuts (i, j, r, mu) has in the file of numbers."""
    out = struct.pack("<II", len(N), len(cuts))
    for row in range(len(N)):
        out += struct.pack(f"<{row + 1}f", *N[row, : row + 1])
    return out + b"".join(struct.pack("<IIIf", *cut) for cut in cuts)


class Leaf:
    """A leaf of the tree of version 2: items as groups by what is demanded on the way to it."""

    def __init__(self, problem, demands):
        self.problem, self.k = problem, int(problem.labels.max())
        group = list(range(len(problem.names)))
        for i, j, together in demands:
            if together:
                low, high = sorted((group[i], group[j]))
                group = [low if g == high else g for g in group]
        self.group = np.unique(group, return_inverse=True)[1]
        self.m = int(self.group.max()) + 1
        parted = [(self.group[i], self.group[j]) for i, j, together in demands if not together]
        self.reached = self.m >= self.k and all(g != h for g, h in parted)
        self.apart = np.zeros((self.m, self.m), dtype=bool)
        for g, h in parted:
            self.apart[g, h] = self.apart[h, g] = True
        self.e = np.bincount(self.group)

    def bound(self, N, cuts):
        """The bound of the page, by an explicit basis of what is orthogonal to v."""
        v = np.sqrt(self.e)
        member = (self.group[:, None] == np.arange(self.m)).astype(float)
        A = member.T @ self.problem.S @ member / np.outer(v, v) + N
        for i, j, r, mu in cuts:
            G = np.zeros((self.m, self.m))
            for x, y, sign in ((i, j, 1), (i, r, 1), (j, r, -1)):
                G[x, y] = G[y, x] = sign / (2 * v[x] * v[y])
            G[i, i] = -1 / self.e[i]
            A -= mu * G
        basis = np.linalg.qr(np.column_stack([v, np.eye(self.m)[:, 1:]]))[0][:, 1:]
        values = np.linalg.eigvalsh(basis.T @ A @ basis)[::-1]
        return v @ A @ v / len(self.group) + values[: self.k - 1].sum()

    def parts_clusters(self, N, bound, value):
        """Whether no partition in it that reaches the value puts different clusters together."""
        if bound < value:
            return True
        n, labels = len(self.group), self.problem.labels
        for i, j in zip(*np.nonzero(labels[:, None] != labels), strict=True):
            g, h = self.group[i], self.group[j]
            loss = 2 * N[g, h] * np.sqrt(self.e[g] * self.e[h]) / (n - self.k + 1) if g != h else 0
            if not self.apart[g, h] and bound - loss >= value:
                return False
        return True


def tree_claim(problem, tree, choose, numbers="n.numbers"):
    """Fields of version 2 and the bytes of its numbers. `choose(leaf)` gives N and cuts."""
    to_come, bounds, parts, data = [()], [], True, b"tertium numbers\n"
    size, value = np.abs(problem.S).sum(), problem.objective()
    for node in tree:
        demands = to_come.pop()
        if node is not None:
            to_come += [(*demands, (*node, True)), (*demands, (*node, False))]
            continue
        leaf = Leaf(problem, demands)
        if not leaf.reached:
            data += struct.pack("<II", 0, 0)
            continue
        N, cuts = choose(leaf)
        size += np.abs(N).sum() + sum(4 * mu for *_, mu in cuts)
        bounds.append(leaf.bound(N, cuts))
        room = 1e-12 * (size + abs(value) + 1)
        parts = parts and leaf.parts_clusters(N, bounds[-1] + room, value - room)
        data += leaf_numbers(N, cuts)
    fields = problem.fields("bound") | {
        "version": 2,
        "upper_bound": float(max(bounds) + 1e-12 * (size + 1)),
        "only_best": bool(parts),
        "tree": tree,
        "numbers": numbers,
        "numbers_checksum": zlib.crc32(data),
    }
    return fields, data


def planted(names, labels, count, kind="adds3", weights=(1,), seed=1, noise=0.1):
    """Answers about items in planted groups, some of them wrong."""
    rng = np.random.default_rng(seed)
    labels, rows = np.array(labels), []
    denominator = 1 if all(w == int(w) for w in weights) else 1_000_000
    items = np.arange(len(labels))
    for _ in range(count):
        if kind == "adds3":
            a, b, c = rng.choice(items, 3, replace=False)
            right = (labels[a] == labels[b]) - 0 >= (labels[a] == labels[c]) - 0
            if right == (rng.random() < noise):
                b, c = c, b
            answer = (a, b, c)
        else:
            i, j = rng.choice(items, 2, replace=False)
            k, l = rng.choice(items, 2, replace=False)  # noqa: E741
            if {i, j} == {k, l}:
                continue
            right = (labels[i] == labels[j]) - 0 >= (labels[k] == labels[l]) - 0
            answer = (k, l, i, j) if right == (rng.random() < noise) else (i, j, k, l)
        rows.append((*(names[x] for x in answer), weights[rng.integers(len(weights))]))
    return Problem(kind, names, labels, rows, denominator)
