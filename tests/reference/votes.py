"""Votes by the slow way: plain loops over votes, as the definitions read."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import combinations

Vote = tuple  # task, judge, first, second, outcome of the first (1, 0.5, 0), in the order they were given


def choice(vote):
    """The name of the winner, or None for a tie."""
    _, _, first, second, outcome = vote
    return None if outcome == 0.5 else first if outcome == 1 else second


def cells(votes):
    """Task and pair: each judge's first choice."""
    out = defaultdict(dict)
    for v in votes:
        out[v[0], frozenset(v[2:4])].setdefault(v[1], choice(v))
    return out


def same_choice(votes):
    """Of every two judges of a cell, how often they choose alike."""
    same = of = 0
    for said in cells(votes).values():
        for a, b in combinations(said.values(), 2):
            same, of = same + (a == b), of + 1
    return same / of if of else math.nan


def alpha(votes):
    """Nominal alpha from the matrix of coincidences, every vote seen from both systems' sides."""
    matrix = Counter()
    for (_, pair), said in cells(votes).items():
        if len(said) < 2:
            continue
        for system in pair:
            seen = [0.5 if c is None else float(c == system) for c in said.values()]
            for i, a in enumerate(seen):
                for k, b in enumerate(seen):
                    if i != k:
                        matrix[a, b] += 1 / (len(seen) - 1)
    total = Counter()
    for (a, _), n in matrix.items():
        total[a] += n
    n = sum(total.values())
    seen = sum(x for (a, b), x in matrix.items() if a != b)
    expected = sum(total[a] * total[b] for a in total for b in total if a != b)
    return 1 - (n - 1) * seen / expected if expected else math.nan


def place(votes):
    """Each judge's share for the first place, both ways of a pair counting the same."""
    ways = defaultdict(lambda: defaultdict(list))
    for v in votes:
        if v[4] != 0.5:
            ways[v[1], frozenset(v[2:4])][v[2]].append(v[4])
    top, bottom = Counter(), Counter()
    for (judge, _), both in ways.items():
        if len(both) == 2:
            one, two = both.values()
            mass = len(one) * len(two) / (len(one) + len(two))
            top[judge] += mass * (sum(one) / len(one) + sum(two) / len(two)) / 2
            bottom[judge] += mass
    return {j: top[j] / bottom[j] if bottom[j] else math.nan for j in {v[1] for v in votes}}


def consistency(votes):
    """Each judge's share of pairs of a task seen in both places whose verdict stays."""
    seen = defaultdict(dict)
    for v in votes:
        seen[v[1], v[0], frozenset(v[2:4])].setdefault(v[2], choice(v))
    out = {j: [] for j in {v[1] for v in votes}}
    for (judge, *_), both in seen.items():
        if len(both) == 2:
            one, two = both.values()
            out[judge].append(one == two)
    return {j: sum(x) / len(x) if x else math.nan for j, x in out.items()}


def with_others(votes):
    """Each judge's share of choices equal to the others' most frequent one, where there is one."""
    out = {j: [] for j in {v[1] for v in votes}}
    for said in cells(votes).values():
        for judge, mine in said.items():
            top = Counter(c for j, c in said.items() if j != judge).most_common(2)
            if top and (len(top) == 1 or top[0][1] > top[1][1]):
                out[judge].append(mine == top[0][0])
    return {j: sum(x) / len(x) if x else math.nan for j, x in out.items()}


def win_rate(votes):
    """Each system's share of its votes, a tie counting half."""
    won, of = Counter(), Counter()
    for _, _, first, second, outcome in votes:
        won[first] += outcome
        won[second] += 1 - outcome
        of.update((first, second))
    return {s: won[s] / of[s] for s in of}


def swapped(votes):
    """Of every judge's pairs of a task seen in both places: how many, how many changed, how many went to the other."""
    seen = defaultdict(dict)
    for v in votes:
        seen[v[1], v[0], frozenset(v[2:4])].setdefault(v[2], choice(v))
    both = [list(x.values()) for x in seen.values() if len(x) == 2]
    return len(both), sum(a != b for a, b in both), sum(a != b and None not in (a, b) for a, b in both)


def log_likelihood(votes, s, place, tau, ties):
    """Of every vote its probability in the model of votes, vote by vote."""
    return sum(_log_chance(s[first] - s[second] + place, tau, o, ties) for _, _, first, second, o in votes)


def _log_chance(eta, tau, outcome, ties):
    """Of one vote, from the log odds of the first."""
    if ties == "davidson":
        ways = {1.0: math.exp(eta / 2), 0.5: math.exp(tau), 0.0: math.exp(-eta / 2)}
        p = ways[outcome] / sum(ways.values())
    elif ties == "rao-kupper":
        win, lose = 1 / (1 + math.exp(tau - eta)), 1 / (1 + math.exp(tau + eta))
        p = {1.0: win, 0.5: 1 - win - lose, 0.0: lose}[outcome]
    else:
        win = 1 / (1 + math.exp(-eta))
        p = {1.0: win, 0.5: math.sqrt(win * (1 - win)), 0.0: 1 - win}[outcome]
    return math.log(p) if p > 0 else -math.inf


def bradley_terry(votes, ties="davidson", place=False, prior=0.0):
    """Log strengths, the advantage of the first place and tau, by a search that knows nothing of derivatives.

    ``prior`` wins and losses of every strength, and of the place, against 0.
    """
    systems = sorted({s for v in votes for s in v[2:4]})
    tied = any(v[4] == 0.5 for v in votes) and ties != "half"

    def value(x):
        s = dict(zip(systems, x, strict=False))
        held = [*x[: len(systems)], *([x[len(systems)]] if place else [])]
        less = sum(prior * (math.log1p(math.exp(-abs(h))) * 2 + abs(h)) for h in held)
        tau = x[-1] if tied else (-math.inf if ties == "davidson" else 0.0)
        if ties == "davidson" and not tied:
            tau = -700.0
        if ties == "rao-kupper" and tied and tau <= 0:
            return -math.inf
        centre = 0.0 if prior else sum(x[: len(systems)]) ** 2
        return log_likelihood(votes, s, x[len(systems)] if place else 0.0, tau, ties) - less - centre

    best = _highest(value, [0.0] * (len(systems) + place) + ([0.5] if tied else []))
    mean = sum(best[: len(systems)]) / len(systems)
    found = {s: x - mean for s, x in zip(systems, best, strict=False)}
    return found, best[len(systems)] if place else 0.0, best[-1] if tied else math.nan


def discriminating(votes, ties="davidson", prior=0.5, spread=0.5, rounds=40):
    """Log strengths, and how much each judge's votes follow them, 1 on average: the same search over both, after which
    it is looked at anew how little is known of each judge, until nothing moves."""
    systems, judges = (sorted({n for v in votes for n in of(v)}) for of in (lambda v: v[2:4], lambda v: v[1:2]))
    tied, many = any(v[4] == 0.5 for v in votes) and ties != "half", len(systems)
    none = -700.0 if ties == "davidson" else 0.0

    def read(x):
        rest = list(x[many : many + len(judges) - 1])
        d = [*rest, len(judges) - sum(rest)]
        return dict(zip(systems, x, strict=False)), dict(zip(judges, d, strict=True)), x[-1] if tied else none

    def information(x, vote):
        (s, d, tau), (_, judge, first, second, o) = read(x), vote
        eta, h = d[judge] * (s[first] - s[second]), 1e-3
        up, here, down = (_log_chance(eta + k, tau, o, ties) for k in (h, 0, -h))
        return -(up - 2 * here + down) / h**2

    def value(x, lost):
        s, d, tau = read(x)
        if ties == "rao-kupper" and tied and tau <= 0:
            return -math.inf
        out = -sum((c - 1) ** 2 for c in d.values()) / (2 * spread**2)
        out -= sum(prior * (math.log1p(math.exp(-abs(h))) * 2 + abs(h)) for h in x[:many])
        for (_, judge, first, second, o), less in zip(votes, lost, strict=True):
            gap = s[first] - s[second]
            out += _log_chance(d[judge] * gap, tau, o, ties) - less * gap**2 / 2
        return out

    x = [0.0] * many + [1.0] * (len(judges) - 1) + ([0.5] if tied else [])
    for _ in range(rounds):
        s, _, _ = read(x)
        each = [information(x, v) for v in votes]
        known = dict.fromkeys(judges, spread ** (-2))
        for v, i in zip(votes, each, strict=True):
            known[v[1]] += i * (s[v[2]] - s[v[3]]) ** 2
        apart = {j: 1 / k for j, k in known.items()}
        variance = {j: u - u**2 / sum(apart.values()) for j, u in apart.items()}  # of several that add up to so much
        lost = [i * variance[v[1]] for v, i in zip(votes, each, strict=True)]
        before, x = x, _highest(lambda at, lost=lost: value(at, lost), x)
        if max(abs(a - b) for a, b in zip(x, before, strict=True)) < 1e-7:
            break
    s, d, _ = read(x)
    mean = sum(s.values()) / many
    return {n: c - mean for n, c in s.items()}, d


def _highest(value, x):
    """The maximum of a concave function by Newton's method on differences of its values, steps halved at need."""
    size = len(x)

    def moved(at, *steps):
        out = list(at)
        for k, d in steps:
            out[k] += d
        return out

    for _ in range(60):
        h, here = 1e-4, value(x)
        up = [value(moved(x, (k, h))) for k in range(size)]
        down = [value(moved(x, (k, -h))) for k in range(size)]
        slope = [(a - b) / (2 * h) for a, b in zip(up, down, strict=True)]
        bend = [[0.0] * size for _ in range(size)]
        for i in range(size):
            bend[i][i] = (up[i] + down[i] - 2 * here) / h**2
            for k in range(i):
                corners = [value(moved(x, (i, a * h), (k, b * h))) for a in (1, -1) for b in (1, -1)]
                bend[i][k] = bend[k][i] = (corners[0] - corners[1] - corners[2] + corners[3]) / (4 * h * h)
        step = _solved([[-b for b in row] for row in bend], slope)
        share = 1.0
        while share > 1e-9 and not value([a + share * b for a, b in zip(x, step, strict=True)]) >= here - 1e-12:
            share /= 2
        x = [a + share * b for a, b in zip(x, step, strict=True)]
        if max(abs(share * b) for b in step) < 1e-8:
            break
    return x


def _solved(matrix, right):
    """Gauss elimination with pivots."""
    rows = [[*row, r] for row, r in zip(matrix, right, strict=True)]
    size = len(rows)
    for k in range(size):
        top = max(range(k, size), key=lambda i: abs(rows[i][k]))
        rows[k], rows[top] = rows[top], rows[k]
        for i in range(size):
            if i != k:
                f = rows[i][k] / rows[k][k]
                rows[i] = [a - f * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [rows[k][size] / rows[k][k] for k in range(size)]


def elo(votes, order, k=4.0):
    """Elo's ratings after votes in this order."""
    rating = {s: 1000.0 for v in votes for s in v[2:4]}
    for n in order:
        _, _, first, second, outcome = votes[n]
        expected = 1 / (1 + 10 ** ((rating[second] - rating[first]) / 400))
        rating[first] += k * (outcome - expected)
        rating[second] -= k * (outcome - expected)
    return rating


def eigenvector(votes, steps=20_000):
    """The leading eigenvector of wins, by many steps of plain loops from equal parts."""
    won = Counter()
    for _, _, first, second, outcome in votes:
        won[first, second] += outcome
        won[second, first] += 1 - outcome
    systems = sorted({s for v in votes for s in v[2:4]})
    x = {s: 1.0 / len(systems) for s in systems}
    for _ in range(steps):
        y = {a: x[a] + sum(won[a, b] * x[b] for b in systems) for a in systems}
        total = sum(y.values())
        y = {a: v / total for a, v in y.items()}
        if max(abs(y[a] - x[a]) for a in systems) < 1e-13:
            return y
        x = y
    return x


def with_covariate(votes, x, prior):
    """Log strengths and the effect of one covariate, ties by Davidson, by a search without derivatives."""
    systems = sorted({s for v in votes for s in v[2:4]})
    tied = any(v[4] == 0.5 for v in votes) and any(v[4] != 0.5 for v in votes)

    def value(theta):
        total = -sum(prior * (math.log1p(math.exp(-abs(h))) * 2 + abs(h)) for h in theta[: len(systems) + 1])
        tau = theta[-1] if tied else -700.0
        for (_, _, first, second, outcome), own in zip(votes, x, strict=True):
            s = dict(zip(systems, theta, strict=False))
            total += log_likelihood([("", "", first, second, outcome)], s, own * theta[len(systems)], tau, "davidson")
        return total

    best = _highest(value, [0.0] * (len(systems) + 1) + ([0.5] if tied else []))
    mean = sum(best[: len(systems)]) / len(systems)
    return {s: b - mean for s, b in zip(systems, best, strict=False)}, best[len(systems)]


def next_pair(strengths, covariance, tau):
    """The pair whose vote is expected to tell most, by determinants before and after it."""
    import numpy as np

    best, most = None, -math.inf
    for a, b in combinations(range(len(strengths)), 2):
        gap = strengths[a] - strengths[b]
        ways = [math.exp(gap / 2), math.exp(tau), math.exp(-gap / 2)]
        shares = [w / sum(ways) for w in ways]
        scores = [(d - (shares[0] - shares[2])) / 2 for d in (1, 0, -1)]
        information = sum(p * s * s for p, s in zip(shares, scores, strict=True))
        side = np.zeros(len(strengths))
        side[a], side[b] = 1, -1
        before = np.linalg.inv(covariance)
        gain = np.linalg.slogdet(before + information * np.outer(side, side))[1] - np.linalg.slogdet(before)[1]
        if gain > most + 1e-12:
            best, most = (a, b), gain
    return best, most


def outcomes(votes):
    """What the first of each vote gets, None where nobody can tell; and whether winners may be names or places.

    A winner who is one of the two names is that one; unless others can only be places, and it would be another.
    """
    gets, doubtful, places = [], False, False
    for winner, first, second in votes:
        word = str(winner).lower().replace("_", "").replace(" ", "")
        place = {"a": 1.0, "modela": 1.0, "b": 0.0, "modelb": 0.0, "tie": 0.5}.get(word)
        name = 1.0 if winner == first else 0.0 if winner == second else None
        two = name is not None and place is not None and name != place
        doubtful = doubtful or two
        places = places or (name is None and place in (0.0, 1.0))
        none = first == second or (two and place == 0.5)
        gets.append(None if none else place if name is None else name)
    return gets, doubtful and places
