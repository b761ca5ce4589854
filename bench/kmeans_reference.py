"""What scikit-learn has and finds; a process of its own, so that run.py stays small.

kmeans_reference.py write iris|wine|CLUSTERS,POINTS,DIMENSIONS,SPREAD FILE
kmeans_reference.py best FILE CLUSTERS
"""

import json
import sys
import time

import numpy as np
import sklearn
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, load_wine

RESTARTS = 100


def planted(clusters: int, points: int, dimensions: int, spread: float) -> np.ndarray:
    """Points around random centres of a unit cube, to three digits as measurements have them."""
    rng = np.random.default_rng(1)
    centres = rng.uniform(0, 1, (clusters, dimensions))
    return np.round(
        10
        * (centres[np.arange(points) % clusters] + spread * rng.normal(size=(points, dimensions))),
        3,
    )


def write(name: str, file: str) -> None:
    if name in ("iris", "wine"):
        data = {"iris": load_iris, "wine": load_wine}[name]().data
    else:
        clusters, points, dimensions, spread = name.split(",")
        data = planted(int(clusters), int(points), int(dimensions), float(spread))
    header = ",".join(f"x{c + 1}" for c in range(data.shape[1]))
    np.savetxt(file, data, fmt="%.10g", delimiter=",", header=header, comments="")


def best(file: str, clusters: int) -> dict:
    data = np.loadtxt(file, delimiter=",", skiprows=1)
    start = time.perf_counter()
    found = KMeans(clusters, n_init=RESTARTS, random_state=1).fit(data)
    seconds = time.perf_counter() - start
    labels = found.labels_
    squares = sum(
        ((data[labels == a] - data[labels == a].mean(0)) ** 2).sum() for a in range(clusters)
    )
    return {"squares": squares, "seconds": seconds, "version": sklearn.__version__}


if __name__ == "__main__":
    task, *words = sys.argv[1:]
    if task == "write":
        write(*words)
        print("null")
    else:
        print(json.dumps(best(words[0], int(words[1]))))
