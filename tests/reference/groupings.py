"""Groupings the slow way, from the definitions: partitions are dicts of item and group, pairs counted one by one."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

NAN = float("nan")


def filled(first, second, left_out):
    """Two groupings made comparable; None is left out, and so is an item without an entry."""
    items = list(dict.fromkeys((*first, *second)))
    out = []
    for p in (first, second):
        q = {}
        for i in items:
            if p.get(i) is not None:
                q[i] = ("group", p[i])
            elif left_out == "singletons":
                q[i] = ("alone", i)
            elif left_out == "bucket":
                q[i] = ("bucket",)
        out.append(q)
    both = [i for i in items if i in out[0] and i in out[1]]
    return [{i: q[i] for i in both} for q in out]


def H(p):
    n = len(p)
    return -sum(c / n * math.log(c / n) for c in Counter(p.values()).values())


def given(p, q):
    """H(p | q)."""
    n, size = len(p), Counter(q.values())
    return -sum(c / n * math.log(c / size[b]) for (_, b), c in Counter((p[i], q[i]) for i in p).items())


def pairs(clusters, classes):
    kinds = Counter()
    for i, j in itertools.combinations(clusters, 2):
        kinds[clusters[i] == clusters[j], classes[i] == classes[j]] += 1
    return kinds[True, True], kinds[True, False], kinds[False, True], kinds[False, False]


def homogeneity(L, C):
    return 1 - given(C, L) / H(C) if H(C) > 1e-15 else 1.0


def completeness(L, C):
    return homogeneity(C, L)


def v(L, C, beta=1.0):
    h, c = homogeneity(L, C), completeness(L, C)
    return (1 + beta) * h * c / (beta * h + c) if beta * h + c > 1e-15 else 0.0


def v_beta(L, C):
    return v(L, C, len(set(L.values())) / len(set(C.values())))


def v_half(L, C):
    return v(L, C, 0.5)


def nmi(L, C):
    return 2 * (H(C) - given(C, L)) / (H(L) + H(C)) if H(L) + H(C) > 1e-15 else 1.0


def vi(L, C, unit="nats"):
    return (given(L, C) + given(C, L)) / (math.log(2) if unit == "bits" else 1)


def nvi(L, C):
    return vi(L, C) / math.log(len(L)) if len(L) > 1 else NAN


def entropy(L, C):
    k = len(set(C.values()))
    return given(C, L) / math.log(k) if k > 1 else 0.0


def purity(L, C):
    best = 0
    for cluster in set(L.values()):
        best += max(Counter(C[i] for i in L if L[i] == cluster).values())
    return best / len(L)


def rand(L, C):
    tp, fp, fn, tn = pairs(L, C)
    return (tp + tn) / (tp + fp + fn + tn) if len(L) > 1 else NAN


def precision(L, C):
    tp, fp, _, _ = pairs(L, C)
    return NAN if len(L) < 2 else tp / (tp + fp) if tp else 0.0


def recall(L, C):
    return precision(C, L)


def f(L, C):
    p, r = precision(L, C), recall(L, C)
    return 2 * p * r / (p + r) if p + r else p + r


def fowlkes_mallows(L, C):
    return math.sqrt(precision(L, C) * recall(L, C))


def adjusted_rand(L, C):
    """(index - expected) / (maximum - expected), in exact fractions."""
    if len(L) < 2:
        return NAN
    tp, fp, fn, _ = pairs(L, C)
    if not fp and not fn:
        return 1.0
    expected = Fraction((tp + fp) * (tp + fn), math.comb(len(L), 2))
    return float((tp - expected) / (Fraction(2 * tp + fp + fn, 2) - expected))


def attainable(L, C):
    """What adjusted_rand would be if all pairs of the finer one were together in the coarser one, too."""
    if len(L) < 2:
        return NAN
    tp, fp, fn, _ = pairs(L, C)
    expected = Fraction((tp + fp) * (tp + fn), math.comb(len(L), 2))
    most = Fraction(2 * tp + fp + fn, 2) - expected
    return float((tp + min(fp, fn) - expected) / most) if most else 1.0


def attainable_rand(groupings, left_out="singletons"):
    """The sum of adjusted_rand over pairs of judges by the sum of what is attainable; undefined without any."""
    found = [filled(a, b, left_out) for a, b in itertools.combinations(groupings, 2)]
    own, most = (sum(m(*two) for two in found if len(two[0]) > 1) for m in (adjusted_rand, attainable))
    return own / most if most > 1e-12 else NAN


def adjusted_mutual_information(L, C):
    n = len(L)
    if given(L, C) + given(C, L) < 1e-15:
        return 1.0
    expected = 0.0
    for a in Counter(L.values()).values():
        for b in Counter(C.values()).values():
            for k in range(max(1, a + b - n), min(a, b) + 1):
                chance = Fraction(math.comb(a, k) * math.comb(n - a, b - k), math.comb(n, b))
                expected += float(chance) * k / n * math.log(n * k / (a * b))
    return (H(C) - given(C, L) - expected) / ((H(L) + H(C)) / 2 - expected)


def b_cubed(L, C, part="f", average="item"):
    def side(own, other):
        share = {i: sum(own[i] == own[j] and other[i] == other[j] for j in own) for i in own}
        share = {i: s / sum(own[i] == own[j] for j in own) for i, s in share.items()}
        if average == "item":
            return sum(share.values()) / len(share)
        groups = {g: [share[i] for i in own if own[i] == g] for g in set(own.values())}
        return sum(sum(s) / len(s) for s in groups.values()) / len(groups)

    p, r = side(L, C), side(C, L)
    return {"precision": p, "recall": r, "f": 2 * p * r / (p + r)}[part]


def measure(name, first, second, left_out="singletons", **parameters):
    """Any of the measures above."""
    L, C = filled(first, second, left_out)
    return globals()[name](L, C, **parameters) if L else NAN


def together(groupings, q, left_out="singletons"):
    """Each judge's shares of used items and of own pairs that at least q judges have, and the mean of the latter."""
    items = list(dict.fromkeys(i for g in groupings for i in g))
    if left_out == "common":
        items = [i for i in items if all(g.get(i) is not None for g in groupings)]
    used = Counter(i for g in groupings for i in items if g.get(i) is not None)
    votes = Counter()
    own = []
    for g in groupings:
        group = {i: g.get(i) for i in items}
        if left_out == "bucket":
            group = {i: ("bucket",) if x is None else ("group", x) for i, x in group.items()}
        pairs_ = itertools.combinations(items, 2)
        own.append([(i, j) for i, j in pairs_ if group[i] is not None and group[i] == group[j]])
        votes.update(own[-1])
    mine = [[i for i in items if g.get(i) is not None] for g in groupings]
    of_items = [sum(used[i] >= q for i in m) / len(m) if m else NAN for m in mine]
    of_pairs = [sum(votes[p] >= q for p in m) / len(m) if m else NAN for m in own]
    known = [e for e in of_pairs if e == e]
    return of_items, of_pairs, sum(known) / len(known) if known else NAN


def together_of_shown(groupings, weights, q, left_out="singletons"):
    """The same of judges who count so often each and were shown the items that they have; q a count, or a share of the
    judges who were shown the item, or both items of a pair."""
    items = list(dict.fromkeys(i for g in groupings for i in g))
    if left_out == "common":
        items = [i for i in items if all(g.get(i, "not shown") is not None for g in groupings)]

    def need(*those):
        shown = sum(w for g, w in zip(groupings, weights, strict=True) if all(i in g for i in those))
        return q if isinstance(q, int) else max(math.ceil(q * shown - 1e-9), 1)

    def group(g, i):
        return ("bucket",) if left_out == "bucket" and i in g and g[i] is None else g.get(i)

    def share(own, has, *, k):
        def votes(those):
            return sum(w for g, w in zip(groupings, weights, strict=True) if has(g, *those))

        mine = [those for those in itertools.combinations(items, k) if has(own, *those)]
        return sum(votes(those) >= need(*those) for those in mine) / len(mine) if mine else NAN

    def pair(g, i, j):
        return group(g, i) is not None and group(g, i) == group(g, j)

    of_items = [share(g, lambda h, i: h.get(i) is not None, k=1) for g in groupings]
    of_pairs = [share(g, pair, k=2) for g in groupings]
    known = [(e, w) for e, w in zip(of_pairs, weights, strict=True) if e == e and w]
    return of_items, of_pairs, sum(e * w for e, w in known) / sum(w for _, w in known) if known else NAN


def applied(first, second, edits):
    """The partition after some edits, done one by one: which items are in one cluster, as a set of sets."""
    at = {i: ("old", g) for i, g in first.items() if g is not None}
    joining = {i for e in edits if e.action in ("move", "merge") for i in e.items}
    home = {}  # an item that each group of the second begins with
    for i, g in second.items():
        if g is not None and first.get(i) is not None and i not in joining:
            home.setdefault(g, i)
    for k, e in enumerate(edits):
        here = {at.get(i) for i in e.items}
        if e.action == "leave out":
            for i in e.items:
                del at[i]
        elif e.action == "split":
            assert len(here) == 1  # cut off one cluster, of which something stays
            assert {i for i in at if at[i] in here} > set(e.items)
            at.update(dict.fromkeys(e.items, ("cut", k)))
        elif e.action == "move":
            at.update(dict.fromkeys(e.items, at[home[e.target]]))
        elif e.action == "merge":
            (own,) = here
            assert own != at[home[e.target]]
            at.update({i: at[home[e.target]] for i in at if at[i] == own})
        else:
            at.update(dict.fromkeys(e.items, at[home[e.target]] if e.target in home else ("new", e.target)))
    return as_sets(at)


def as_sets(partition):
    """A partition as a set of sets of items."""
    groups = {}
    for i, g in partition.items():
        if g is not None:
            groups.setdefault(g, set()).add(i)
    return frozenset(map(frozenset, groups.values()))


def _splits(partition):
    for cluster in partition:
        others = sorted(cluster)[1:]
        for away in itertools.chain.from_iterable(itertools.combinations(others, k) for k in range(1, len(cluster))):
            yield partition - {cluster} | {cluster - set(away), frozenset(away)}


def _moves(partition):
    for cluster, other in itertools.permutations(partition, 2):
        for i in cluster:
            yield (partition - {cluster, other} | {cluster - {i}, other | {i}}) - {frozenset()}


def _merges(partition):
    for a, b in itertools.combinations(partition, 2):
        yield partition - {a, b} | {a | b}


def fewest_changes(first, second):
    """The least number of splits in two, then moves of an item, then merges of two, by trying all; sets of sets."""
    known, front, number = {(first, 0)}, [(first, 0)], 0
    while all(p != second for p, _ in front):
        ahead = []
        for partition, phase in front:
            for k, step in enumerate((_splits, _moves, _merges)):
                ahead += [(after, k) for after in step(partition) if k >= phase]
        front = [state for state in dict.fromkeys(ahead) if state not in known]
        known.update(front)
        number += 1
    return number


def placed(labels, counts, partition):
    """How many judges put each item into each group: that of whose other items they put the largest share with it."""
    groups = max([int(p) for p in partition], default=-1) + 1
    out = [[0.0] * groups for _ in partition]
    for own, count in zip(labels, counts, strict=True):
        for i, label in enumerate(own):
            if label < 0:
                continue
            share = {}
            for g in range(groups):
                others = [k for k, p in enumerate(partition) if p == g and k != i and own[k] >= 0]
                together = sum(own[k] == label for k in others)
                if together and sum(p == g for p in partition) >= 2:
                    share[g] = together / len(others)
            best = [g for g in share if share[g] == max(share.values())]
            for g in best:
                out[i][g] += count / len(best)
    return out
