"""Measures of two partitions: of ``clusters``, which are judged, and of ``classes``, which are the gold standard.

All are read off one contingency table. Partitions are ``{item: group}`` or one label per item; names of groups mean
nothing, None is left out. :data:`MEASURES` has them by name.

>>> gold = [1, 1, 1, 2, 2, 2]
>>> round(v(clusters=[1, 1, 2, 2, 3, 3], classes=gold), 4), purity([1, 1, 2, 2, 3, 3], gold)
(0.5158, 0.8333333333333334)
>>> v_beta({"x": 1, "y": 1, "z": None}, {"x": "a", "y": "a"}, left_out="bucket")
1.0

Conventions at the edges: classes all in one are homogeneous whatever the clusters (homogeneity 1), clusters all in one
complete (completeness 1); one class has entropy 0; without a pair of items in one cluster and one class precision,
recall, F and Fowlkes-Mallows are 0, so that singletons compared with themselves are. Without items everything is
undefined (NaN), and with one item so is all that counts pairs, and ``nvi``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.groupings.measure import LESS, declared
from quorate.kernels.contingency import Sums
from quorate.panel.partitions import WAYS_MATTER
from quorate.table import Note, Parameter, choice, number

Array = NDArray[Any]


# -- information -------------------------------------------------------------------------------------------------------


def over(x: Array, y: Array, otherwise: float) -> Array:
    """x / y, and a number where y is 0."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    there = y != 0
    if there.all():
        return np.asarray(x / y)
    return np.asarray(np.divide(x, y, out=np.full(np.broadcast_shapes(x.shape, y.shape), otherwise), where=there))


def _weighted(s: Sums, beta: Any) -> Array:
    """V: with I = H(C) - H(C|L) = H(L) - H(L|C) it is (1 + b) I / (b H(L) + H(C)), so that equal partitions give 1."""
    of_clusters, of_classes, clusters_left, classes_left = s.entropies
    lost = over(beta * clusters_left + classes_left, beta * of_clusters + of_classes, 0.0)
    return np.asarray(np.clip(1 - lost, 0.0, 1.0))


@declared(
    "homogeneity",
    symmetric=False,
    reference="Rosenberg and Hirschberg 2007",
    note=Note(
        "Are the clusters pure? Beside completeness, to see on which side two judges differ.",
        "Singletons are perfectly homogeneous: never use it alone.",
        "h = 1 - H(C|L) / H(C); 1 if H(C) = 0",
    ),
)
def homogeneity(s: Sums) -> Array:
    """Homogeneity h: how little of the classes is left open within clusters; 1 when every cluster has one class."""
    _, of_classes, _, classes_left = s.entropies
    return np.asarray(np.clip(1 - over(classes_left, of_classes, 0.0), 0.0, 1.0))


@declared(
    "completeness",
    symmetric=False,
    reference="Rosenberg and Hirschberg 2007",
    note=Note(
        "Are the classes kept whole? Beside homogeneity.",
        "One cluster with everything in it is perfectly complete: never use it alone.",
        "c = 1 - H(L|C) / H(L); 1 if H(L) = 0",
    ),
)
def completeness(s: Sums) -> Array:
    """Completeness c: how little of the clusters is left open within classes; 1 when every class is in one cluster."""
    return np.asarray(homogeneity.formula(s.turned()))


@declared(
    "v",
    symmetric=lambda how: how["beta"] == 1,
    reference="Rosenberg and Hirschberg 2007",
    parameters={"beta": number("weight of completeness: above 1 it counts more than homogeneity", 0)},
    note=Note(
        "One figure for both sides, well known in natural language processing.",
        "Not corrected for chance: it rises with the number of clusters, so many small clusters look good.",
        "(1 + beta) h c / (beta h + c)",
    ),
)
def v(s: Sums, beta: float = 1.0) -> Array:
    """V-measure: the weighted harmonic mean of homogeneity and completeness; 1 for equal partitions."""
    return _weighted(s, beta)


@declared(
    "v_beta",
    default=True,
    reference="Vlachos, Korhonen, Ghahramani 2009",
    note=Note(
        "The default: V without its liking for many clusters, when judges differ in how finely they cluster.",
        "Values with different numbers of clusters are weighted differently, so look at h and c too. " + WAYS_MATTER,
        "V with beta = |L| / |C|",
    ),
)
def v_beta(s: Sums) -> Array:
    """V-measure with beta = clusters / classes, against its liking for many clusters; the same both ways."""
    return _weighted(s, over(s.clusters, s.classes, 1.0))


@declared(
    "v_half",
    symmetric=False,
    default=True,
    reference="Geiss: a gold standard for sentence clustering",
    note=Note(
        "Merging unlike items is worse than splitting like ones, as in gold standards for summaries.",
        "Not symmetric: which judge counts as the gold standard matters; the answer gives both ways.",
        "V with beta = 1/2",
    ),
)
def v_half(s: Sums) -> Array:
    """V-measure with beta = 0.5: homogeneity counts twice as much as completeness."""
    return _weighted(s, 0.5)


@declared(
    "nmi",
    reference="Manning, Raghavan, Schütze 2008",
    note=Note(
        "Comparison with published figures.",
        "There are several normalisations under this name; this one uses the arithmetic mean. Random clusterings "
        "with many clusters score high.",
        "2 I(L; C) / (H(L) + H(C)) = V with beta 1",
    ),
)
def nmi(s: Sums) -> Array:
    """Normalised mutual information, by the mean of the two entropies; equals V with beta 1."""
    return _weighted(s, 1.0)


@declared(
    "vi",
    range=(0, float("inf")),
    higher=LESS,
    reference="Meila 2007",
    parameters={"unit": choice("of information", "nats", "bits")},
    note=Note(
        "A true distance between clusterings, for averaging or embedding them.",
        "Grows with the number of items: compare within one task only, or use nvi.",
        "H(C|L) + H(L|C)",
    ),
)
def vi(s: Sums, unit: str = "nats") -> Array:
    """Variation of information: what either partition leaves open of the other; 0 for equal ones, at most log n."""
    _, _, clusters_left, classes_left = s.entropies
    return np.asarray((clusters_left + classes_left) / (np.log(2) if unit == "bits" else 1.0))


@declared(
    "nvi",
    higher=LESS,
    default=True,
    reference="Meila 2007; Geiss",
    note=Note(
        "A distance between 0 and 1 that compares across tasks of about one size.",
        "Random clusterings rarely come near 1, so 0.5 may already be chance: see the baseline.",
        "VI / log n",
    ),
)
def nvi(s: Sums) -> Array:
    """Variation of information divided by log n; 0 for equal partitions, 1 for one cluster against singletons."""
    most = np.log(np.maximum(s.items, 1))
    return np.minimum(over(vi.formula(s), most, np.nan), 1.0)


@declared(
    "entropy",
    symmetric=False,
    higher=LESS,
    reference="Zhao and Karypis 2001",
    note=Note(
        "Comparison with document clustering papers that report it.",
        "Lower is better, and singletons reach 0, the best: look at the number of clusters too.",
        "H(C|L) / log |C|; 0 if |C| = 1",
    ),
)
def entropy(s: Sums) -> Array:
    """Entropy of the classes within clusters, divided by log |classes|; 0 when every cluster has one class."""
    _, _, _, classes_left = s.entropies
    return np.minimum(over(classes_left, np.log(np.maximum(s.classes, 1)), 0.0), 1.0)


@declared(
    "adjusted_mutual_information",
    range=(-1, 1),
    expected=True,
    reference="Vinh, Epps, Bailey 2010; arithmetic mean",
    note=Note(
        "Clusterings with different numbers of clusters, when 0 should mean chance.",
        "The adjustment assumes that cluster sizes are fixed; with many singletons it becomes unsteady.",
        "(I - E[I]) / ((H(L) + H(C)) / 2 - E[I])",
    ),
)
def adjusted_mutual_information(s: Sums) -> Array:
    """Mutual information above what shuffled partitions share; 0 by chance, 1 for equal partitions."""
    of_clusters, of_classes, clusters_left, classes_left = s.entropies
    apart = clusters_left + classes_left
    mean = (of_clusters + of_classes) / 2
    by_chance = np.asarray(s.expected)
    return np.where(apart == 0, 1.0, over(mean - apart / 2 - by_chance, mean - by_chance, 0.0))


# -- items -------------------------------------------------------------------------------------------------------------


@declared(
    "purity",
    symmetric=False,
    reference="Zhao and Karypis 2001",
    note=Note(
        "A figure that everyone understands.",
        "Cannot fall when clusters are split: singletons are pure. Only for equal numbers of clusters.",
        "1/n sum over clusters of the items of its most frequent class",
    ),
)
def purity(s: Sums) -> Array:
    """Purity: the share of items whose class is the most frequent one of their cluster; 1 also for singletons."""
    return over(s.cluster_best, s.items, np.nan)


@declared(
    "b_cubed",
    symmetric=lambda how: how["part"] == "f",
    reference="Bagga and Baldwin 1998",
    parameters={
        "part": choice("the F-measure, or what it is made of", "f", "precision", "recall"),
        "average": Parameter(
            "every item counts the same, or every cluster (class) does",
            "choice",
            choices=("item", "cluster"),
            shown=True,
        ),
    },
    note=Note(
        "Item by item, so that large clusters do not dominate as in pair counts; usual for coreference.",
        "Never 0, since an item is always with itself: singletons against anything look fair.",
        "precision = mean over items of (items in the same cluster and class) / (items in its cluster); recall = "
        "the same / (items in its class); F = 2 P R / (P + R)",
    ),
)
def b_cubed(s: Sums, part: str = "f", average: str = "item") -> Array:
    """B-cubed: an item's precision is the share of its class in its cluster, itself included; never 0."""
    by_item = average == "item"
    precision = over(*((s.cluster_shares, s.items) if by_item else (s.cluster_means, s.clusters)), np.nan)
    recall = over(*((s.class_shares, s.items) if by_item else (s.class_means, s.classes)), np.nan)
    if part != "f":
        return precision if part == "precision" else recall
    return np.asarray(2 * precision * recall / (precision + recall))


# -- pairs of items ----------------------------------------------------------------------------------------------------


def item_pairs(s: Sums) -> tuple[Array, Array, Array, Array]:
    """Pairs of items in one cluster and one class, in one cluster only, in one class only, in neither; NaN below 2."""
    n = np.where(s.items > 1, s.items, np.nan).astype(float)
    both = (s.cell_squares - n) / 2
    cluster_only = (s.cluster_squares - s.cell_squares) / 2
    class_only = (s.class_squares - s.cell_squares) / 2
    return both, cluster_only, class_only, n * (n - 1) / 2 - both - cluster_only - class_only


@declared(
    "rand",
    reference="Rand 1971",
    note=Note(
        "Comparison with published figures.",
        "Most pairs are apart in both, so it is near 1 for anything: 0.9 may be worthless. Use adjusted_rand.",
        "(TP + TN) / all pairs",
    ),
)
def rand(s: Sums) -> Array:
    """Rand index: the share of item pairs that both partitions put together or both keep apart; mostly near 1."""
    both, cluster_only, class_only, neither = item_pairs(s)
    return np.asarray((both + neither) / (both + cluster_only + class_only + neither))


@declared(
    "precision",
    symmetric=False,
    reference="Hess and Kushmerick 2003",
    note=Note(
        "Of what one puts together, how much does the other? Beside recall.",
        "Counts pairs, so one large cluster decides it.",
        "TP / (TP + FP); 0 without pairs",
    ),
)
def precision(s: Sums) -> Array:
    """Pairwise precision: of the item pairs in one cluster, the share in one class; 0 without such pairs."""
    both, cluster_only, _, _ = item_pairs(s)
    return over(both, both + cluster_only, 0.0)


@declared(
    "recall",
    symmetric=False,
    reference="Hess and Kushmerick 2003",
    note=Note(
        "Of what the other puts together, how much does this one? Beside precision.",
        "One cluster of everything has recall 1.",
        "TP / (TP + FN); 0 without pairs",
    ),
)
def recall(s: Sums) -> Array:
    """Pairwise recall: of the item pairs in one class, the share in one cluster; 0 without such pairs."""
    both, _, class_only, _ = item_pairs(s)
    return over(both, both + class_only, 0.0)


@declared(
    "f",
    reference="Hess and Kushmerick 2003",
    note=Note(
        "Pairs put together by both, in one figure.",
        "Falls to 0 for singletons, however fine the split; large clusters dominate.",
        "2 TP / (2 TP + FP + FN)",
    ),
)
def f(s: Sums) -> Array:
    """Pairwise F: the harmonic mean of pairwise precision and recall; 0 without a pair that both put together."""
    both, cluster_only, class_only, _ = item_pairs(s)
    return over(2 * both, 2 * both + cluster_only + class_only, 0.0)


@declared(
    "adjusted_rand",
    range=(-0.5, 1),
    default=True,
    reference="Hubert and Arabie 1985",
    note=Note(
        "The usual chance-corrected figure: 0 is chance, whatever the number of clusters.",
        "Favours clusterings with large equal clusters; below 0 is possible.",
        "(Rand - E[Rand]) / (1 - E[Rand])",
    ),
)
def adjusted_rand(s: Sums) -> Array:
    """Rand index above what shuffled partitions give; 0 by chance, 1 for equal partitions."""
    both, cluster_only, class_only, neither = item_pairs(s)
    above = 2 * (both * neither - cluster_only * class_only)
    most = (both + class_only) * (class_only + neither) + (both + cluster_only) * (cluster_only + neither)
    return np.where(np.isnan(both), np.nan, over(above, most, 1.0))


@declared(
    "fowlkes_mallows",
    reference="Fowlkes and Mallows 1983",
    note=Note(
        "As F, when a geometric mean is wanted.",
        "Not corrected for chance: few large clusters score high at random.",
        "sqrt(precision * recall)",
    ),
)
def fowlkes_mallows(s: Sums) -> Array:
    """Geometric mean of pairwise precision and recall; 0 without a pair that both put together."""
    return np.asarray(np.sqrt(precision.formula(s) * recall.formula(s)))
