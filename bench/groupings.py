"""Measures of two clusterings, adjusted mutual information, and a table of agreement: scikit-learn, igraph, ours."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench import peers
from bench.clock import Row, cpu
from bench.data import public

NAMES = ["homogeneity", "completeness", "v", "v_beta", "v_half", "nmi", "vi", "nvi", "rand", "entropy", "purity"]
NAMES += ["precision", "recall", "f", "adjusted_rand"]


def run(quick: bool) -> list[Row]:
    items = 50_000 if quick else 10**6
    rows = [_all_measures(items, 100, 10_000), _all_measures(items, 100, 100), _all_measures(items, 10_000, 10_000)]
    rows += [_igraph(items, 100), _igraph(items, 10_000)]
    rows += [_card_sort(20, 30), _card_sort(*((30, 60) if quick else (100, 100))), *_real_sorts()]
    return [*rows, _adjusted(items, 100), _table(*((12, 50) if quick else (60, 200)))]


def labels(items: int, clusters: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Two clusterings that agree on about a third of the items; the peer's script makes the same."""
    rng = np.random.default_rng(0)
    first = rng.integers(clusters, size=items)
    second = np.where(rng.random(items) < 0.3, first * classes // clusters, rng.integers(classes, size=items))
    return first, second


def _peer(row: Row, given: dict[str, Any]) -> dict[str, Any]:
    try:
        return peers.run("peer_sklearn.py", given, "scikit-learn")  # type: ignore[no-any-return]
    except peers.NotAvailable as why:
        row.note = f"peer not available: {why}"
        return {}


def _all_measures(items: int, clusters: int, classes: int) -> Row:
    from quorate.groupings import MEASURES
    from quorate.kernels.contingency import tables

    row = Row(f"17 measures of {items:,} items, {clusters:,} x {classes:,}; V alone by scikit-learn", target=1)
    first, second = labels(items, clusters, classes)
    chosen = [m for m in MEASURES.values() if not m.expected]

    def ours() -> dict[str, float]:
        sums = tables(first[None], second[None]).sums()
        return {m.name: float(m.of(sums, **_defaults(m.name))[0]) for m in chosen}

    row.ours, values = cpu(ours)
    found = _peer(row, {"what": "v", "items": items, "clusters": clusters, "classes": classes})
    if found:
        row.peer, row.figure = found["seconds"], found["seconds"] / row.ours
        off = max(abs(values[n] - v) for n, v in found["values"].items())
        row.note = f"scikit-learn {found['version']}; {', '.join(found['values'])} differ by {off:.0e} at most"
    return row


def _igraph(items: int, clusters: int) -> Row:
    """All measures from one table, beside four calls of igraph for four of them."""
    from quorate.groupings import MEASURES
    from quorate.kernels.contingency import tables

    row = Row(f"17 measures of {items:,} items, {clusters:,} x {clusters:,}; 4 of them by igraph", target=1)
    first, second = labels(items, clusters, clusters)
    chosen = [m for m in MEASURES.values() if not m.expected]

    def ours() -> dict[str, float]:
        sums = tables(first[None], second[None]).sums()
        return {m.name: float(m.of(sums, **_defaults(m.name))[0]) for m in chosen}

    row.ours, values = cpu(ours)
    try:
        found = peers.run("peer_igraph.py", {"first": first.tolist(), "second": second.tolist()}, "igraph")
    except peers.NotAvailable as why:
        row.note = f"peer not available: {why}"
        return row
    row.peer = sum(found["seconds"].values())
    row.figure = row.peer / row.ours
    off = max(abs(values[n] - v) for n, v in found["values"].items())
    least = min(found["seconds"], key=found["seconds"].__getitem__)
    row.note = f"igraph {found['version']}; its values differ by {off:.0e} at most; its quickest, {least}, alone: "
    row.note += f"{found['seconds'][least]:.4f} CPU s"
    return row


def _defaults(name: str) -> dict[str, Any]:
    from quorate import table

    return dict(table.Method(table.find(name, "groupings", "agreement")).parameters)


def _adjusted(items: int, clusters: int) -> Row:
    from quorate.groupings import adjusted_mutual_information

    row = Row(f"adjusted mutual information, {items:,} items, {clusters} x {clusters} clusters", target=10)
    first, second = labels(items, clusters, clusters)
    row.ours, value = cpu(lambda: adjusted_mutual_information(first, second))
    found = _peer(row, {"what": "ami", "items": items, "clusters": clusters, "classes": clusters})
    if found:
        row.peer, row.figure = found["seconds"], found["seconds"] / row.ours
        row.note = f"scikit-learn {found['version']}; the values differ by {abs(value - found['values']['ami']):.0e}"
    return row


def _table(judges: int, items: int) -> Row:
    import quorate as q

    row = Row(f"agreement table, {judges} judges x {items} items x 15 measures x both ways x 100 random", target=20)
    rng = np.random.default_rng(1)
    truth = rng.integers(15, size=items)
    labels = np.where(rng.random((judges, items)) < 0.5, truth, rng.integers(15, size=(judges, items)))
    judge, item = (x.ravel().tolist() for x in np.indices(labels.shape))
    panel = q.Groupings.build({"judge": judge, "item": item, "group": labels.ravel().tolist()})
    methods = [f"{n}(left_out=singletons)" for n in NAMES]
    row.ours, answer = cpu(lambda: q.agreement(panel, *methods, permutations=100), times=2)
    pairs = judges * (judges - 1) // 2
    some = min(pairs, 200)
    found = _peer(row, {"what": "table", "labels": labels.tolist(), "pairs": some})
    if found:
        total = pairs + judges * 100
        row.peer = found["seconds"] * total / some
        row.figure = row.peer / row.ours
        off = max(
            abs(value - mine[tuple(pair)])
            for name, mine in ((n, _by_pair(answer[f"{n}(left_out=singletons)"])) for n in NAMES)
            for pair, value in zip(found["pairs"], found["values"][name], strict=True)
        )
        row.note = (
            f"scikit-learn {found['version']}, each contingency table made once, on {some} pairs, scaled to {total:,}; "
            f"ours with intervals and tests; values differ by {off:.0e} at most"
        )
    return row


def _card_sort(judges: int, cards: int) -> Row:
    """A made-up card sort, half of whose cards are put anywhere."""
    rng = np.random.default_rng(2)
    truth = rng.integers(8, size=cards)
    labels = np.where(rng.random((judges, cards)) < 0.5, truth, rng.integers(8, size=(judges, cards)))
    return _beside_linkage(f"consensus of {judges} sorts of {cards} cards", labels)


def _real_sorts() -> list[Row]:
    """Public sortings, where they are."""
    import quorate as q
    from quorate.panel.partitions import partitions

    folder = public("free-sorting")
    if folder is None:
        return [Row("consensus of public sorts", note="the public data are not there")]
    out = []
    for path in sorted(folder.glob("*.csv")):
        (part,) = partitions(q.read(path, kind="groupings"))
        judges, cards = part.labels.shape
        out.append(_beside_linkage(f"consensus of {judges} sorts of {cards} {path.stem.split('_')[0]}", part.labels))
    return out


def _beside_linkage(name: str, labels: np.ndarray) -> Row:
    """The consensus of a card sort beside scipy's average linkage: what it takes, and how near to the judges it is."""
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    from quorate.groupings.median_partition import median_groups, solved_median
    from quorate.kernels.median_partition import mean_agreement

    counts = np.ones(len(labels), np.int64)
    how = {"loss": "adjusted_rand", "groups": None, "left_out": "common"}
    row = Row(name, target=1, unit="x the mean adjusted Rand")
    row.ours, (found,) = cpu(lambda: solved_median(labels[None], counts[None], how))

    def theirs() -> np.ndarray:
        there = labels >= 0
        both = (there[:, :, None] & there[:, None, :]).sum(axis=0)
        same = ((labels[:, :, None] == labels[:, None, :]) & there[:, :, None]).sum(axis=0)
        apart = 1 - same / np.maximum(both, 1)
        np.fill_diagonal(apart, 0.0)
        tree = linkage(squareform(apart, checks=False), "average")
        return np.asarray(fcluster(tree, median_groups(labels, counts), "maxclust") - 1)

    row.peer, cut = cpu(theirs)
    mine, other = map(float, mean_agreement(labels, counts, np.stack([found.array, cut])))
    row.figure = mine / other
    row.note = f"scipy's average linkage at the median number of groups: {other:.3f}, median partition {mine:.3f}"
    return row


def _by_pair(finding: Any) -> dict[tuple[int, int], float]:
    return {tuple(p): v for p, v in zip(finding.keys["pair"], finding.values, strict=True)}
