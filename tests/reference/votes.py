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


def bradley_terry(votes, prior, rounds=20_000):
    """Log strengths by Zermelo's fixed point, summing to 0."""
    systems = sorted({s for v in votes for s in v[2:4]})
    wins = {(a, b): prior for a in systems for b in systems if a != b}
    for _, _, first, second, outcome in votes:
        wins[first, second] += outcome
        wins[second, first] += 1 - outcome
    strength = dict.fromkeys(systems, 1.0)
    for _ in range(rounds):
        new = {}
        for a in systems:
            others = [b for b in systems if b != a]
            games = sum((wins[a, b] + wins[b, a]) / (strength[a] + strength[b]) for b in others)
            new[a] = sum(wins[a, b] for b in others) / games
        scale = math.exp(sum(math.log(x) for x in new.values()) / len(new))
        new = {a: x / scale for a, x in new.items()}
        far = max(abs(math.log(new[a] / strength[a])) for a in systems)
        strength = new
        if far < 1e-13:
            break
    return {a: math.log(x) for a, x in strength.items()}


def majority_share(won, tied, lost, votes):
    """How often the majority of so many votes is that of all, by going through every sequence of them."""
    total = won + tied + lost
    sign = 1 if won > lost else -1
    lead = Counter({0: 1.0})
    for _ in range(votes):
        new = Counter()
        for at, p in lead.items():
            for step, n in ((1, won), (0, tied), (-1, lost)):
                new[at + step] += p * n / total
        lead = new
    return sum(p * (1 if at * sign > 0 else 0.5 if at == 0 else 0) for at, p in lead.items())
