"""Plain twins of the methods for consensus, quality and trust of scores: loops over dicts, no shared code."""

from __future__ import annotations

import itertools
import math

import numpy as np


def pearson(x, y):
    pairs = [(a, b) for a, b in zip(x, y, strict=True) if a == a and b == b]
    if len(pairs) < 2:
        return math.nan
    xs, ys = [a for a, _ in pairs], [b for _, b in pairs]
    if len(set(xs)) == 1 or len(set(ys)) == 1:
        return math.nan
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    xy = sum((a - mx) * (b - my) for a, b in pairs)
    return xy / math.sqrt(sum((a - mx) ** 2 for a in xs) * sum((b - my) ** 2 for b in ys))


def ranks(x):
    return [sum(b < a for b in x) + (sum(b == a for b in x) + 1) / 2 for a in x]


def spearman(x, y):
    pairs = [(a, b) for a, b in zip(x, y, strict=True) if a == a and b == b]
    return pearson(ranks([a for a, _ in pairs]), ranks([b for _, b in pairs])) if pairs else math.nan


def kendall(x, y):
    pairs = [(a, b) for a, b in zip(x, y, strict=True) if a == a and b == b]
    agree = untied_x = untied_y = 0
    for (a, b), (c, d) in itertools.combinations(pairs, 2):
        sx, sy = (a > c) - (a < c), (b > d) - (b < d)
        agree += sx * sy
        untied_x += sx != 0
        untied_y += sy != 0
    return agree / math.sqrt(untied_x * untied_y) if untied_x and untied_y else math.nan


CORRELATIONS = {"pearson": pearson, "spearman": spearman, "kendall": kendall}


def mean(values):
    values = [v for v in values if v == v]
    return sum(values) / len(values) if values else math.nan


def level(x, z, which, coefficient, judges=()):
    """Tables are lists of inputs, each a list of systems."""
    r = CORRELATIONS[coefficient]
    both = [
        [(a, b) if a == a and b == b else None for a, b in zip(p, q, strict=True)] for p, q in zip(x, z, strict=True)
    ]
    if which == "system":
        columns = list(zip(*both, strict=True))
        return r(
            [mean([c[0] for c in col if c]) for col in columns], [mean([c[1] for c in col if c]) for col in columns]
        )
    if which == "input":
        return mean([r([c[0] for c in row if c], [c[1] for c in row if c]) for row in both])
    if which == "global":
        cells = [c for row in both for c in row if c]
        return r([a for a, _ in cells], [b for _, b in cells])
    return mean([level(x, one, "global", coefficient) for one in judges])


def least_squares(rows, units, judges):
    """Consensus of rows (unit, judge, value) by an explicit design, effects adding up to 0 (one connected part)."""
    design = np.zeros((len(rows) + 1, units + judges))
    right = np.zeros(len(rows) + 1)
    for k, (u, j, v) in enumerate(rows):
        design[k, u] = design[k, units + j] = 1
        right[k] = v
    for j in {j for _, j, _ in rows}:
        design[-1, units + j] = 1e6  # a hard constraint
    return np.linalg.lstsq(design, right, rcond=None)[0][:units]


def acc_eq(x, z, epsilon):
    out = []
    for p, q in zip(x, z, strict=True):
        right = number = 0
        for (a, b), (c, d) in itertools.combinations(zip(p, q, strict=True), 2):
            if all(v == v for v in (a, b, c, d)):
                said = 0 if abs(a - c) <= epsilon else (a > c) - (a < c)
                right += said == (b > d) - (b < d)
                number += 1
        if number:
            out.append(right / number)
    return mean(out)


def best_epsilon(x, z):
    sizes = {0.0} | {abs(a - b) for p in x for a, b in itertools.combinations(p, 2) if a == a and b == b}
    return max(acc_eq(x, z, e) for e in sizes)


def one_sided(a, b, signs):
    gaps = [p - q for p, q in zip(a, b, strict=True)]
    seen = sum(gaps)
    reached = sum(sum(s * g for s, g in zip(row, gaps, strict=True)) >= seen - 1e-9 for row in signs)
    return (reached + 1) / (len(signs) + 1)


def soft(x, z, signs):
    """Tables as arrays [input, system]; every two systems in both directions."""
    pairs = itertools.permutations(range(x.shape[1]), 2)
    return mean([1 - abs(one_sided(z[:, a], z[:, b], signs) - one_sided(x[:, a], x[:, b], signs)) for a, b in pairs])


def bradley_terry(wins, prior, steps=20000):
    """The usual iteration (Zermelo, Hunter's MM)."""
    size = len(wins)
    w = [[wins[i][j] + prior if i != j else 0.0 for j in range(size)] for i in range(size)]
    p = [1.0] * size
    for _ in range(steps):
        new = []
        for i in range(size):
            below = sum((w[i][j] + w[j][i]) / (p[i] + p[j]) for j in range(size) if j != i)
            new.append(sum(w[i]) / below)
        total = math.exp(sum(map(math.log, new)) / size)
        new = [v / total for v in new]
        if max(abs(a - b) for a, b in zip(p, new, strict=True)) < 1e-13:
            break
        p = new
    logs = [math.log(v) for v in p]
    return [v - sum(logs) / size for v in logs]


def written_out(rows):
    """Rows (judge, ..., count) with a row for each judge that a name stands for."""
    return [(f"{judge}/{k}", *rest) for judge, *rest, count in rows for k in range(count)]


def wins(rows, systems):
    """Table of wins from rows (judge, task, system, score): every two systems of one judge on one task."""
    out = [[0.0] * len(systems) for _ in systems]
    for (judge, task, one, first), (other, place, two, second) in itertools.combinations(rows, 2):
        if (judge, task) == (other, place) and one != two:
            i, j = systems.index(one), systems.index(two)
            out[i][j] += (1 + (first > second) - (first < second)) / 2
            out[j][i] += (1 + (second > first) - (second < first)) / 2
    return out


def clusters(p, order, level=0.05):
    """A new one begins where every system above differs from every one below."""
    number, out = 1, {}
    for place, system in enumerate(order):
        if place and all(p[a][b] < level for a in order[:place] for b in order[place:]):
            number += 1
        out[system] = number
    return [out[s] for s in range(len(order))]


def drawn_p(values, drawn, judges, a, b):
    """p of two systems: their difference over its deviation in the draws that have both, by scipy's t."""
    from scipy.stats import t

    gaps = [row[a] - row[b] for row in drawn if row[a] == row[a] and row[b] == row[b]]
    units, apart = min(judges[a], judges[b]), abs(values[a] - values[b])
    if len(gaps) < 2 or units < 2 or apart != apart:
        return math.nan
    middle = sum(gaps) / len(gaps)
    spread = math.sqrt(sum((g - middle) ** 2 for g in gaps) / len(gaps) * units / (units - 1))
    if spread <= 1e-10:
        return 1.0 if apart <= 1e-10 else min(2.0 ** (1 - units), 1.0)
    return float(2 * t.sf(apart / spread, units - 1))


def three_way(scores):
    """Variance components of a complete design ``[task][judge][system]``, one score a cell, from mean squares."""
    tasks, judges, systems = len(scores), len(scores[0]), len(scores[0][0])
    cells = [(t, j, s) for t in range(tasks) for j in range(judges) for s in range(systems)]
    sizes = (tasks, judges, systems)

    def mean(**fixed):
        own = [scores[t][j][s] for t, j, s in cells if all({"t": t, "j": j, "s": s}[n] == k for n, k in fixed.items())]
        return sum(own) / len(own)

    def square(names):
        """The mean square of a crossing: what is left of its means when all smaller crossings are taken out."""
        total = 0.0
        for t, j, s in cells:
            at = {"t": t, "j": j, "s": s}
            effect = 0.0
            for bits in range(2 ** len(names)):
                some = [n for k, n in enumerate(names) if bits >> k & 1]
                effect += (-1) ** (len(names) - len(some)) * mean(**{n: at[n] for n in some})
            total += effect**2
        freedom = 1
        for n in names:
            freedom *= sizes["tjs".index(n)] - 1
        return total / freedom

    ms = {n: square(n) for n in ("t", "j", "s", "tj", "ts", "js", "tjs")}
    rest = ms["tjs"]
    return {
        "judge": (ms["j"] - ms["tj"] - ms["js"] + rest) / (tasks * systems),
        "task": (ms["t"] - ms["tj"] - ms["ts"] + rest) / (judges * systems),
        "system": (ms["s"] - ms["ts"] - ms["js"] + rest) / (tasks * judges),
        "judge x task": (ms["tj"] - rest) / systems,
        "judge x system": (ms["js"] - rest) / tasks,
        "task x system": (ms["ts"] - rest) / judges,
        "rest": rest,
    }
