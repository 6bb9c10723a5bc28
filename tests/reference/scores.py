"""Agreement of scores and judges of scores, in the plainest way. A table is a list of judges, each a list of values."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict

import numpy as np

NAN = float("nan")


def columns(table):
    """The values of each item, missing ones left out."""
    return [[v for v in column if v is not None and v == v] for column in zip(*table, strict=True)]


def alpha(table, level="interval"):
    units = [u for u in columns(table) if len(u) > 1]
    values = [v for u in units for v in u]
    counts = Counter(values)

    def ordinal(a, b):
        low, high = min(a, b), max(a, b)
        return (sum(n for v, n in counts.items() if low <= v <= high) - (counts[a] + counts[b]) / 2) ** 2

    apart = {
        "nominal": lambda a, b: float(a != b),
        "ordinal": ordinal,
        "interval": lambda a, b: (a - b) ** 2,
        "ratio": lambda a, b: ((a - b) / (a + b)) ** 2 if a + b else 0.0,
    }[level]
    n = len(values)
    if n < 2:
        return NAN
    seen = sum(sum(apart(a, b) for a, b in itertools.permutations(u, 2)) / (len(u) - 1) for u in units) / n
    expected = sum(apart(a, b) for a, b in itertools.permutations(values, 2)) / (n * (n - 1))
    return 1 - seen / expected if expected else NAN


def agreeing(unit, weight):
    pairs = list(itertools.permutations(unit, 2))
    return sum(weight(a, b) for a, b in pairs) / len(pairs)


def weight_of(kind, known):
    span = max(known) - min(known) if kind != "none" and len(known) > 1 else 1
    return {
        "none": lambda a, b: float(a == b),
        "linear": lambda a, b: 1 - abs(a - b) / span,
        "quadratic": lambda a, b: 1 - ((a - b) / span) ** 2,
    }[kind]


def seen_and_shares(table, kind):
    units = [u for u in columns(table) if u]
    known = sorted({v for u in units for v in u}, key=str if kind == "none" else float)
    weight = weight_of(kind, known)
    several = [u for u in units if len(u) > 1]
    if not several:
        return NAN, {}, weight
    seen = sum(agreeing(u, weight) for u in several) / len(several)
    shares = {g: sum(u.count(g) / len(u) for u in units) / len(units) for g in known}
    return seen, shares, weight


def percent(table):
    return seen_and_shares(table, "none")[0]


def fleiss(table):
    seen, shares, _ = seen_and_shares(table, "none")
    chance = sum(p * p for p in shares.values())
    return (seen - chance) / (1 - chance) if chance < 1 - 1e-12 and shares else NAN


def gwet(table, kind="none"):
    seen, shares, weight = seen_and_shares(table, kind)
    q = len(shares)
    if q < 2:
        return NAN
    total = sum(weight(a, b) for a in shares for b in shares)
    chance = total / (q * (q - 1)) * sum(p * (1 - p) for p in shares.values())
    return (seen - chance) / (1 - chance)


def cohen(table, kind="none"):
    found = []
    for one, two in itertools.combinations(table, 2):
        both = [(a, b) for a, b in zip(one, two, strict=True) if a is not None and b is not None and a == a and b == b]
        if not both:
            continue
        cost = {
            "none": lambda a, b: float(a != b),
            "linear": lambda a, b: abs(a - b),
            "quadratic": lambda a, b: (a - b) ** 2,
        }
        seen = sum(cost[kind](a, b) for a, b in both) / len(both)
        expected = sum(cost[kind](a, b) for a, _ in both for _, b in both) / len(both) ** 2
        if expected:
            found.append(1 - seen / expected)
    return sum(found) / len(found) if found else NAN


def icc(table, model, unit):
    """From sums of squares written out; models 2 and 3 of tables with gaps from variance components."""
    cols = columns(table)
    if model == 1:
        cols = [c for c in cols if len(c) > 1]
    else:
        there = [r for r in table if any(v is not None and v == v for v in r)]
        if any(0 < len(c) < len(there) for c in cols):
            return _icc_with_gaps(table, model, unit)
        cols = [c for c in cols if len(c) == len(there) and len(there) > 1]
    if len(cols) < 2:
        return NAN
    values = [v for c in cols for v in c]
    grand = sum(values) / len(values)
    between = sum(len(c) * (sum(c) / len(c) - grand) ** 2 for c in cols)
    within = sum((v - sum(c) / len(c)) ** 2 for c in cols for v in c)
    n = len(cols)
    msb, msw = between / (n - 1), within / (len(values) - n)
    if model == 1:
        k = (len(values) - sum(len(c) ** 2 for c in cols) / len(values)) / (n - 1)
        below = msb + (k - 1) * msw if unit == "single" else msb
        return (msb - msw) / below if below > 0 else NAN
    k = len(cols[0])
    judge = [sum(c[j] for c in cols) / n for j in range(k)]
    msj = n * sum((m - grand) ** 2 for m in judge) / (k - 1)
    mse = (within - (k - 1) * msj) / ((n - 1) * (k - 1))
    below = msb + ((k - 1) * mse if unit == "single" else 0)
    if model == 2:
        below += (k if unit == "single" else 1) * (msj - mse) / n
    return (msb - mse) / below if below > 1e-12 else NAN


def _icc_with_gaps(table, model, unit):
    rows = [(i, j, v) for j, row in enumerate(table) for i, v in enumerate(row) if v is not None and v == v]
    left, judge, item = _components([v for *_, v in rows], [[j for _, j, _ in rows], [i for i, *_ in rows]])
    rest = max(left + max(judge, 0) * (model == 2), 0)
    held = [len(c) for c in columns(table) if c]
    if unit == "mean":
        rest /= len(held) / sum(1 / k for k in held)
    below = max(item, 0) + rest
    return item / below if below > 1e-12 else NAN


def _components(values, factors):
    """Of what is left and of the factors: from projections on the mean, all rows and each factor."""
    y, n = np.array(values) - np.mean(values), len(values)
    designs = [np.ones((n, 1)), np.eye(n)]
    designs += [np.array([[float(v == level) for level in sorted(set(f))] for v in f]) for f in factors]
    projections = [z @ np.linalg.inv(z.T @ z) @ z.T for z in designs]
    expected = [[np.trace(p @ z @ z.T) for z in designs] for p in projections]
    if np.linalg.matrix_rank(expected, tol=1e-8) < len(designs):
        return NAN, NAN, NAN
    return np.linalg.solve(expected, [y @ p @ y for p in projections])[1:]


def middle_ranks(values):
    return [sum(w < v for w in values) + (values.count(v) + 1) / 2 for v in values]


def kendall_w(table):
    there = [r for r in table if any(v is not None and v == v for v in r)]
    keep = [i for i in range(len(table[0])) if all(r[i] is not None and r[i] == r[i] for r in there)]
    m, n = len(there), len(keep)
    if m < 2 or not n:
        return NAN
    ranks = [middle_ranks([r[i] for i in keep]) for r in there]
    sums = [sum(r[i] for r in ranks) for i in range(n)]
    mean = sum(sums) / n
    ties = sum(t**3 - t for r in ranks for t in Counter(r).values())
    below = m**2 * (n**3 - n) - m * ties
    return 12 * sum((s - mean) ** 2 for s in sums) / below if below else NAN


def bias(table, judge):
    shifts = []
    for column in zip(*table, strict=True):
        rest = [v for j, v in enumerate(column) if j != judge and v == v]
        if rest and column[judge] == column[judge]:
            shifts.append(column[judge] - sum(rest) / len(rest))
    return sum(shifts) / len(shifts) if shifts else NAN


def effects(table):
    """Judge effects of the additive model by a full design matrix; judges must be connected."""
    rows = [(j, i, v) for j, r in enumerate(table) for i, v in enumerate(r) if v == v]
    judges, items = len(table), len(table[0])
    design = np.zeros((len(rows) + 1, judges + items))
    for k, (j, i, _) in enumerate(rows):
        design[k, j] = design[k, judges + i] = 1
    design[-1, :judges] = 1  # effects add up to 0
    right = np.array([v for _, _, v in rows] + [0.0])
    return np.linalg.lstsq(design, right, rcond=None)[0][:judges]


def advantages(model, humans, align="rmse"):
    """For each human: how often the model, and how often the human, is at least as near to the other humans."""

    def near(value, rest):
        if align == "accuracy":
            return sum(value == r for r in rest) / len(rest)
        return -math.sqrt(sum((value - r) ** 2 for r in rest) / len(rest))

    out = []
    for h, own in enumerate(humans):
        won = []
        for i, value in enumerate(own):
            rest = [g[i] for k, g in enumerate(humans) if k != h and g[i] == g[i]]
            if value == value and model[i] == model[i] and rest:
                a, b = near(model[i], rest), near(value, rest)
                won.append((a >= b - 1e-9, b >= a - 1e-9))
        out.append(won)
    return out


def self_units(rows):
    """Values of identical outputs: rows are (judge, task, text, score)."""
    groups = defaultdict(list)
    for judge, task, text, score in rows:
        groups[judge, task, " ".join(text.split())].append(score)
    out = defaultdict(list)
    for (judge, _, _), values in groups.items():
        if len(values) > 1:
            out[judge].append(values)
    return out


def alpha_of_units(units):
    """Interval alpha of lists of values."""
    width = max((len(u) for u in units), default=0)
    return alpha([[u[k] if k < len(u) else NAN for u in units] for k in range(width)]) if units else NAN


def majority(values):
    """The value given most often; None where there is none or two are given equally often."""
    there = [v for v in values if v is not None]
    counts = sorted(((there.count(v), str(v), v) for v in set(there)), reverse=True)
    if not counts or (len(counts) > 1 and counts[0][0] == counts[1][0]):
        return None
    return counts[0][2]


def peer_agreement(table, judge):
    """Mean over a judge's items of the share of others with the same value."""
    shares = []
    for item, own in enumerate(table[judge]):
        rest = [row[item] for k, row in enumerate(table) if k != judge and row[item] is not None]
        if own is not None and rest:
            shares.append(sum(r == own for r in rest) / len(rest))
    return sum(shares) / len(shares) if shares else math.nan


def across(table, people):
    """Alpha of pairs of a person (the first ``people`` rows) and a model, each pair written out."""
    items = [i for i in range(len(table[0])) if _known(table[:people], i) and _known(table[people:], i)]
    a, b = ([v for i in items for v in _known(rows, i)] for rows in (table[:people], table[people:]))
    seen = [(x - y) ** 2 for i in items for x in _known(table[:people], i) for y in _known(table[people:], i)]
    expected = [(x - y) ** 2 for x in a for y in b]
    return 1 - np.mean(seen) / np.mean(expected) if expected and sum(expected) > 1e-12 else NAN


def _known(rows, item):
    return [row[item] for row in rows if row[item] is not None and row[item] == row[item]]


def confusion(table):
    """How often one judge says a where another says b; each judge of an item meets the others with a weight of 1."""
    met, said = defaultdict(float), Counter()
    for labels in columns(table):
        for k, a in enumerate(labels):
            others = labels[:k] + labels[k + 1 :]
            said[a] += bool(others)
            for b in others:
                met[a, b] += 1 / len(others)
    return met, said
