"""The other side of bench/rivals.py, run with the Python of cblearn's environment.

Each prints JSON: seconds without the import and the reading, and what was found.
"""

import json
import sys
import time

import numpy as np


def place(method: str, triplets: str) -> dict:
    from cblearn import embedding

    queries = np.load(triplets)
    estimator = getattr(embedding, method)(n_components=2, random_state=1)
    start = time.perf_counter()
    points = estimator.fit(queries).embedding_
    return {"seconds": time.perf_counter() - start, "points": np.asarray(points).tolist()}


def comparison_hc(triplets: str) -> dict:
    from cblearn.cluster import ComparisonHC

    queries = np.load(triplets)
    start = time.perf_counter()
    found = ComparisonHC(2).fit(queries)
    return {"seconds": time.perf_counter() - start, "linkage": found.dendrogram_.tolist()}


def mulk3(triplets: str, kernel: str) -> dict:
    """The formula as one sparse product: anchors times pairs of the others."""
    from scipy import sparse

    anchor, near, far = np.load(triplets).T.astype(np.int64)
    items = int(max(anchor.max(), near.max(), far.max())) + 1
    start = time.perf_counter()
    pair = np.minimum(near, far) * items + np.maximum(near, far)
    sign = np.where(near < far, 1, -1)
    said = sparse.csr_matrix((sign, (anchor, pair)), shape=(items, items * items))
    size = np.sqrt(np.bincount(anchor, minlength=items))
    matrix = (said @ said.T).toarray() / np.outer(size, size)
    seconds = time.perf_counter() - start
    np.fill_diagonal(matrix, 0)
    np.save(kernel, matrix)
    return {"seconds": seconds}


REFERENCES = {"embedding": place, "hc": comparison_hc, "mulk3": mulk3}

if __name__ == "__main__":
    print(json.dumps(REFERENCES[sys.argv[1]](*sys.argv[2:])))
