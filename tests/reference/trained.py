"""Slow plain twins of the fits, of the search and of features."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations


def solve(a, b):
    """Gaussian elimination with pivoting; None where there is no single solution."""
    n = len(b)
    rows = [[*map(float, a[i]), float(b[i])] for i in range(n)]
    for c in range(n):
        p = max(range(c, n), key=lambda r: abs(rows[r][c]))
        if abs(rows[p][c]) < 1e-9:
            return None
        rows[c], rows[p] = rows[p], rows[c]
        for r in range(n):
            if r != c:
                f = rows[r][c] / rows[c][c]
                rows[r] = [x - f * y for x, y in zip(rows[r], rows[c], strict=True)]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def least_squares(x, y, w=None):
    """Weighted least squares with an intercept first."""
    w = w or [1.0] * len(y)
    d = [[1.0, *row] for row in x]
    k = len(d[0])
    gram = [[sum(w[n] * d[n][i] * d[n][j] for n in range(len(y))) for j in range(k)] for i in range(k)]
    return solve(gram, [sum(w[n] * d[n][i] * y[n] for n in range(len(y))) for i in range(k)])


def bisquare(x, y, rounds=50):
    """Tukey's bisquare by reweighting, scale by the median absolute residual."""
    b = least_squares(x, y)
    for _ in range(rounds):
        left = [y[n] - b[0] - sum(c * v for c, v in zip(b[1:], x[n], strict=True)) for n in range(len(y))]
        size = sorted(map(abs, left))
        m = len(size)
        scale = (size[m // 2] + size[(m - 1) // 2]) / 2 / 0.6744897501960817
        w = [(1 - (r / (4.685 * scale)) ** 2) ** 2 if abs(r) < 4.685 * scale else 0.0 for r in left]
        new = least_squares(x, y, w)
        if max(abs(p - q) for p, q in zip(new, b, strict=True)) < 1e-9:
            return new
        b = new
    return b


def nonnegative(x, y):
    """Every support is tried; the best fit whose coefficients are all at or above 0 wins. Intercept first."""
    k = len(x[0])
    best = None
    for size in range(k + 1):
        for some in combinations(range(k), size):
            b = least_squares([[row[c] for c in some] for row in x], y)
            if b is None or any(v < 0 for v in b[1:]):
                continue
            full = [0.0] * k
            for c, v in zip(some, b[1:], strict=True):
                full[c] = v
            rss = sum(
                (t - b[0] - sum(p * q for p, q in zip(full, r, strict=True))) ** 2 for r, t in zip(x, y, strict=True)
            )
            if best is None or rss < best[0] - 1e-12:
                best = (rss, [b[0], *full])
    return best[1]


def pearson(a, b):
    """Pearson's correlation."""
    n = len(a)
    ma, mb = sum(a) / n, sum(b) / n
    top = sum((p - ma) * (q - mb) for p, q in zip(a, b, strict=True))
    below = math.sqrt(sum((p - ma) ** 2 for p in a) * sum((q - mb) ** 2 for q in b))
    return top / below if below > 1e-12 else math.nan


def canonical_correlation(x, y, steps=20000):
    """The largest correlation of a mix of x with a mix of y, by regressing each on the other's mix in turn."""
    u = [row[0] + 0.1 * sum(row) for row in y]
    found = 0.0
    for _ in range(steps):
        b = least_squares(x, u)
        v = [b[0] + sum(c * p for c, p in zip(b[1:], row, strict=True)) for row in x]
        a = least_squares(y, v)
        u = [a[0] + sum(c * p for c, p in zip(a[1:], row, strict=True)) for row in y]
        middle = sum(u) / len(u)
        spread = math.sqrt(sum((p - middle) ** 2 for p in u))
        u = [(p - middle) / spread for p in u]
        new = abs(pearson(u, v))
        if abs(new - found) < 1e-14:
            break
        found = new
    return found


def coverage(tokens, models, n):
    """Share of models with each n-gram, averaged."""

    def grams(t):
        return [tuple(t[k : k + n]) for k in range(len(t) - n + 1)]

    mine = grams(tokens)
    if not mine:
        return 0.0
    return sum(sum(g in grams(m) for m in models) / len(models) for g in mine) / len(mine)


def jensen_shannon(a, b):
    """Over all words of both, in bits."""
    p, q = Counter(a), Counter(b)
    if not a or not b:
        return 1.0
    out = 0.0
    for w in {*a, *b}:
        x, y = p[w] / len(a), q[w] / len(b)
        m = (x + y) / 2
        out += (x * math.log2(x / m) if x else 0) + (y * math.log2(y / m) if y else 0)
    return out / 2


def cosine(a, b):
    """Of two bags of words."""
    p, q = Counter(a), Counter(b)
    top = sum(p[w] * q[w] for w in p)
    return top / math.sqrt(sum(v * v for v in p.values()) * sum(v * v for v in q.values()))


def gaps(rows):
    """Judge -> mean over tasks of task means of score - auto; rows are (judge, task, score, auto or None)."""
    tasks = {}
    for judge, task, score, auto in rows:
        if auto is not None:
            tasks.setdefault(judge, {}).setdefault(task, []).append(score - auto)
    return {j: sum(sum(v) / len(v) for v in t.values()) / len(t) for j, t in tasks.items()}
