"""The two programs of docs/solver.md written out for SCS, and what its answers are worth.

Subcommands, each in a process of its own that prints JSON:

    python3 bench/scs_reference.py solve MATRIX PROGRAM VALUE EPS [X.npy]
    python3 bench/scs_reference.py optimum MATRIX PROGRAM VALUE EPS
    python3 bench/scs_reference.py repair MATRIX CLUSTERS X.npy
    python3 bench/scs_reference.py claims MATRIX PROGRAM VALUE X.npy N.npy
    python3 bench/scs_reference.py each FILE.json    a list of the above, each a list of words

MATRIX is a .npy file or a CSV file of triplets, PROGRAM is clusters or lambda. Nothing here shares
code with tertium. Needs numpy, scipy, polars and scs.
"""

import json
import sys
import time

import numpy as np
import polars as pl
import scipy.sparse as sp
import scs

MOST_ITERATIONS = 1_000_000
MOST_SECONDS = 600  # n = 1000 takes half of it on two cores
ALTERNATIONS = 20  # of projections, to make a point nearly feasible


def similarity(path: str) -> np.ndarray:
    """S: a matrix as it is, or AddS-3 of triplets `anchor,near,far` of the items 0, 1, ..."""
    if path.endswith(".npy"):
        return np.load(path)
    anchor, near, far = pl.read_csv(path).to_numpy().T
    n = max(anchor.max(), near.max(), far.max()) + 1
    counts = np.bincount(anchor * n + near, minlength=n * n)
    counts -= np.bincount(anchor * n + far, minlength=n * n)
    S = counts.reshape(n, n).astype(float)
    return S + S.T


def conic_form(S: np.ndarray, program: str, value: float) -> tuple[dict, dict, np.ndarray]:
    """Data and cone of SCS, and the scale of its variable.

    min c'x  s.t.  Ax + s = b,  s in zero x nonnegative x PSD; x is the lower triangle of X, column
    by column, with entries off the diagonal times the scale sqrt(2), as SCS wants its PSD cone.
    """
    n = len(S)
    col, row = np.triu_indices(n)
    size = len(row)
    off = np.flatnonzero(row != col)
    diagonal = np.flatnonzero(row == col)
    scale = np.where(row == col, 1.0, np.sqrt(2))

    ends = np.concatenate([row, col[off]])
    entries = np.concatenate([np.arange(size), off])
    sums = sp.csc_matrix((1 / scale[entries], (ends, entries)), shape=(n, size))
    trace = sp.csc_matrix((np.ones(n), (np.zeros(n, int), diagonal)), shape=(1, size))
    identity = sp.identity(size, format="csc")
    blocks, right = [sums], [np.ones(n)]
    c = -S[row, col] * scale
    if program == "clusters":
        blocks.append(trace)
        right.append([value])
    else:
        c[diagonal] += value
    equalities = sum(block.shape[0] for block in blocks)
    A = sp.vstack([*blocks, -identity[off], -identity], format="csc")
    b = np.concatenate([*right, np.zeros(len(off) + size)])
    return {"A": A, "b": b, "c": c}, {"z": equalities, "l": len(off), "s": [n]}, scale


def solve(matrix: str, program: str, value: str, eps: str, save: str = "") -> dict:
    """Seconds of setup and solve, and what SCS says about its answer."""
    S = similarity(matrix)
    found, X = run_scs(S, program, float(value), float(eps))
    if save:
        np.save(save, X)
    return found


def optimum(matrix: str, program: str, value: str, eps: str) -> dict:
    """As solve, of S divided by its norm: to a high accuracy SCS may stall on S as it is."""
    S = similarity(matrix)
    norm = np.linalg.norm(S, 2) or 1.0
    number = float(value) if program == "clusters" else float(value) / norm
    found, _ = run_scs(S / norm, program, number, float(eps))
    return found | {"objective": found["objective"] * norm}


def run_scs(S: np.ndarray, program: str, value: float, eps: float) -> tuple[dict, np.ndarray]:
    """What is said about the answer, and X."""
    data, cone, scale = conic_form(S, program, value)
    limits = {"max_iters": MOST_ITERATIONS, "time_limit_secs": MOST_SECONDS}
    start = time.perf_counter()
    answer = scs.SCS(data, cone, eps_abs=eps, eps_rel=eps, verbose=False, **limits).solve()
    seconds = time.perf_counter() - start
    X = np.zeros_like(S)
    X.T[np.triu_indices(len(S))] = answer["x"] / scale
    info = answer["info"]
    found = {"seconds": seconds, "status": info["status"], "iterations": info["iter"]}
    return found | {"objective": -info["pobj"]}, X + np.tril(X, -1).T


def repair(matrix: str, clusters: str, saved: str) -> dict:
    """How far X is from the feasible set of SDP-k, and the values of two feasible points near it.

    Both end with a mix that makes entries nonnegative, which costs n times the least entry: one
    mixes the projection of X to the spectral set, the other first alternates projections
    (Dykstra), which leaves less to mix away.
    """
    S, X, k = similarity(matrix), np.load(saved), int(clusters)
    X = (X + X.T) / 2
    found = {
        "objective": np.sum(S * X),
        "least_entry": X.min(),
        "least_eigenvalue": np.linalg.eigvalsh(X)[0],
        "trace": np.trace(X),
        "row_sums": np.abs(X.sum(axis=1) - 1).max(),
        "mixed": np.sum(S * mixed(spectral_projection(X, k), k)),
    }
    spectral_rest, entry_rest = np.zeros_like(X), np.zeros_like(X)
    for _ in range(ALTERNATIONS):
        Y = spectral_projection(X + spectral_rest, k)
        spectral_rest += X - Y
        X = np.maximum(Y + entry_rest, 0)
        entry_rest += Y - X
    return found | {"alternated": np.sum(S * mixed(Y, k))}


def spectral_projection(X: np.ndarray, k: int) -> np.ndarray:
    """The nearest matrix with rows that sum to 1, trace k and eigenvalues in [0,1]."""
    basis = beside_one(len(X))
    w, V = np.linalg.eigh(basis.T @ X @ basis)
    V = basis @ V
    return 1 / len(X) + V * np.clip(w - shift(w, k - 1), 0, 1) @ V.T


def mixed(X: np.ndarray, k: int) -> np.ndarray:
    """X and just enough of a I + (1-a) 11'/n, a = (k-1)/(n-1), that no entry is negative."""
    n = len(X)
    a = (k - 1) / (n - 1)
    inner = np.full((n, n), (1 - a) / n) + a * np.eye(n)
    negative = X < 0
    share = np.max(-X[negative] / (inner[negative] - X[negative]), initial=0)
    return (1 - share) * X + share * inner


def shift(w: np.ndarray, total: float) -> float:
    """t such that the values w - t, clipped to [0,1], have this sum."""
    low, high = w.min() - 1, w.max()
    while low < (middle := (low + high) / 2) < high:
        if np.clip(w - middle, 0, 1).sum() > total:
            low = middle
        else:
            high = middle
    return high


def claims(matrix: str, program: str, value: str, saved_x: str, saved_n: str) -> dict:
    """Objective of X, bound by N, and how much either breaks its constraints."""
    S, X, N, number = similarity(matrix), np.load(saved_x), np.load(saved_n), float(value)
    n = len(S)
    if not (np.isfinite(X).all() and np.isfinite(N).all()):
        return {"objective": np.nan, "upper_bound": np.nan, "violation": np.inf}
    A = S + N
    basis = beside_one(n)
    w = np.linalg.eigvalsh(basis.T @ A @ basis)[::-1]
    violations = [
        -X.min(),
        -N.min(),
        np.abs(X - X.T).max(),
        np.abs(N - N.T).max(),
        np.abs(X.sum(axis=1) - 1).max(),
        -np.linalg.eigvalsh(X)[0],
    ]
    objective, bound = np.sum(S * X), A.sum() / n
    if program == "clusters":
        bound += w[: int(number) - 1].sum()
        violations.append(abs(np.trace(X) - number))
    else:
        objective -= number * np.trace(X)
        bound += np.maximum(w - number, 0).sum() - number
    return {"objective": objective, "upper_bound": bound, "violation": max(violations)}


def beside_one(n: int) -> np.ndarray:
    """An orthonormal basis of the vectors that sum to 0."""
    return np.linalg.qr(np.column_stack([np.ones(n), np.eye(n)[:, 1:]]))[0][:, 1:]


def each(path: str) -> list:
    with open(path, encoding="utf-8") as file:
        return [SUBCOMMANDS[name](*words) for name, *words in json.load(file)]


def version() -> str:
    return scs.__version__


SUBCOMMANDS = {
    "solve": solve,
    "optimum": optimum,
    "repair": repair,
    "claims": claims,
    "each": each,
    "version": version,
}

if __name__ == "__main__":
    print(json.dumps(SUBCOMMANDS[sys.argv[1]](*sys.argv[2:])))
