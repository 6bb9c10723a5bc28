"""Run by the peers' own Python: measures of two clusterings by scikit-learn."""

import json
import math
import sys
import time
from importlib.metadata import version

import numpy as np
from sklearn import metrics
from sklearn.metrics.cluster import contingency_matrix, pair_confusion_matrix


def labels(items, clusters, classes):
    """As bench/groupings.py makes them."""
    rng = np.random.default_rng(0)
    first = rng.integers(clusters, size=items)
    second = np.where(rng.random(items) < 0.3, first * classes // clusters, rng.integers(classes, size=items))
    return first, second


def entropy(sizes):
    share = sizes / sizes.sum()
    return float(-(share * np.log(share)).sum())


def one_way(clusters, classes, table, pairs):
    """Fifteen measures, from as few calls of scikit-learn as they need."""
    (tn, fp), (fn, tp) = pairs / 2
    h, c, v = metrics.homogeneity_completeness_v_measure(classes, clusters)
    n = table.sum()
    of_clusters, of_classes = entropy(table.sum(axis=1)), entropy(table.sum(axis=0))
    shared = metrics.mutual_info_score(classes, clusters, contingency=table.T)
    beta = table.shape[0] / table.shape[1]
    vi = of_clusters + of_classes - 2 * shared
    precision, recall = tp / (tp + fp), tp / (tp + fn)
    return {
        "homogeneity": h,
        "completeness": c,
        "v": v,
        "v_beta": (1 + beta) * h * c / (beta * h + c),
        "v_half": 1.5 * h * c / (0.5 * h + c),
        "nmi": metrics.normalized_mutual_info_score(classes, clusters),
        "vi": vi,
        "nvi": vi / math.log(n),
        "rand": (tp + tn) / (tp + tn + fp + fn),
        "entropy": (of_classes - shared) / math.log(table.shape[1]),
        "purity": table.max(axis=1).sum() / n,
        "precision": precision,
        "recall": recall,
        "f": 2 * precision * recall / (precision + recall),
        "adjusted_rand": metrics.adjusted_rand_score(classes, clusters),
    }


def both_ways(a, b):
    table = contingency_matrix(a, b)
    pairs = pair_confusion_matrix(b, a)
    return one_way(a, b, table, pairs), one_way(b, a, table.T, pairs.T)


given = json.load(sys.stdin)
out = {"version": version("scikit-learn")}
if given["what"] == "table":
    rows = np.array(given["labels"])
    rng = np.random.default_rng(2)
    every = [(a, b) for a in range(len(rows)) for b in range(a + 1, len(rows))]
    chosen = [every[k] for k in rng.permutation(len(every))[: given["pairs"]]]
    start = time.process_time()
    found = [both_ways(rows[a], rows[b]) for a, b in chosen]
    out["seconds"] = time.process_time() - start
    out["pairs"] = chosen
    out["values"] = {name: [float(forward[name]) for forward, _ in found] for name in found[0][0]}
else:
    first, second = labels(given["items"], given["clusters"], given["classes"])
    best = float("inf")
    for _ in range(2 if given["what"] == "v" else 1):
        start = time.process_time()
        if given["what"] == "v":
            out["values"] = {"v": float(metrics.v_measure_score(second, first))}
        else:
            out["values"] = {"ami": float(metrics.adjusted_mutual_info_score(second, first))}
        best = min(best, time.process_time() - start)
    out["seconds"] = best
json.dump(out, sys.stdout)
