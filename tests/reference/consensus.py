"""Slow plain twins of the consensus methods: orders are lists of tie groups, votes are (order, count) pairs."""

from __future__ import annotations

import itertools
import math

Order = list[list[object]]
Votes = list[tuple[Order, float]]


def items_of(votes: Votes) -> list[object]:
    seen: dict[object, None] = {}
    for order, _ in votes:
        for group in order:
            seen |= dict.fromkeys(group)
    return list(seen)


def below(votes: Votes) -> Votes:
    """Absent items tied at the end."""
    items = items_of(votes)
    out = []
    for order, count in votes:
        absent = [i for i in items if not any(i in group for group in order)]
        out.append(([*order, absent] if absent else order, count))
    return out


def place(order: Order) -> dict[object, int]:
    return {item: p for p, group in enumerate(order, 1) for item in group}


def before(votes: Votes, a: object, b: object) -> float:
    total = 0.0
    for order, count in votes:
        at = place(order)
        if a in at and b in at and at[a] < at[b]:
            total += count
    return total


def grouped(score: dict[object, float], best: str = "high") -> list[set[object]]:
    """Items by score, equal ones together."""
    out: list[tuple[float, set[object]]] = []
    for item, s in sorted(score.items(), key=lambda pair: -pair[1] if best == "high" else pair[1]):
        if out and math.isclose(out[-1][0], s, rel_tol=1e-9, abs_tol=1e-9):
            out[-1][1].add(item)
        else:
            out.append((s, {item}))
    return [group for _, group in out]


def rank_sum(votes: Votes) -> list[set[object]]:
    """The mean over the judges who have it of an item's rank, spread over all items; ties share the mean rank."""
    items = items_of(votes)
    score = {}
    for item in items:
        total, judges = 0.0, 0.0
        for order, count in votes:
            ahead = 0
            for group in order:
                if item in group:
                    rank = ahead + (len(group) + 1) / 2
                    size = sum(map(len, order))
                    total += count * rank * (len(items) + 1) / (size + 1)
                    judges += count
                ahead += len(group)
        score[item] = total / judges
    return grouped(score, "low")


def reciprocal_rank(votes: Votes, k: float) -> list[set[object]]:
    score = dict.fromkeys(items_of(votes), 0.0)
    for order, count in votes:
        ahead = 0
        for group in order:
            mean = sum(1 / (k + r) for r in range(ahead + 1, ahead + len(group) + 1)) / len(group)
            for item in group:
                score[item] += count * mean
            ahead += len(group)
    return grouped(score)


def copeland(votes: Votes) -> list[set[object]]:
    items = items_of(votes)
    score = {}
    for a in items:
        score[a] = 0.0
        for b in items:
            if a != b:
                mine, theirs = before(votes, a, b), before(votes, b, a)
                score[a] += 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
    return grouped(score)


def schulze(votes: Votes) -> list[set[object]]:
    items = items_of(votes)
    path = {}
    for a, b in itertools.permutations(items, 2):
        mine, theirs = before(votes, a, b), before(votes, b, a)
        path[a, b] = mine if mine > theirs else 0.0
    for k in items:
        for a in items:
            for b in items:
                if len({a, b, k}) == 3:
                    path[a, b] = max(path[a, b], min(path[a, k], path[k, b]))
    score = {}
    for a in items:
        score[a] = sum(
            1.0 if path[a, b] > path[b, a] else 0.5 if path[a, b] == path[b, a] else 0.0 for b in items if a != b
        )
    return grouped(score)


def cost(votes: Votes, order: tuple[object, ...]) -> float:
    return sum(before(votes, b, a) for a, b in itertools.combinations(order, 2))


def kemeny(votes: Votes) -> tuple[float, list[tuple[object, ...]]]:
    """The least cost and every order that has it, by trying all."""
    items = items_of(votes)
    against = {(a, b): before(votes, b, a) for a, b in itertools.permutations(items, 2)}
    best, found = math.inf, []
    for order in itertools.permutations(items):
        price = sum(against[pair] for pair in itertools.combinations(order, 2))
        if price < best - 1e-9:
            best, found = price, [order]
        elif price < best + 1e-9:
            found.append(order)
    return best, found


def nearest(orders: list[tuple[object, ...]], ranking: list[set[object]]) -> list[tuple[object, ...]]:
    """Those of the orders that turn fewest pairs of a ranking round."""
    at = {item: p for p, group in enumerate(ranking) for item in group}
    turned = {o: sum(at[a] > at[b] for a, b in itertools.combinations(o, 2)) for o in orders}
    return [o for o in orders if turned[o] == min(turned.values())]


def shared(orders: list[tuple[object, ...]]) -> set[tuple[object, object]]:
    """The pairs that all of these orders have alike."""
    return {(a, b) for a, b in itertools.permutations(orders[0], 2) if all(o.index(a) < o.index(b) for o in orders)}


def covers(pairs: set[tuple[object, object]]) -> set[tuple[object, object]]:
    """Those pairs of a partial order that do not follow from others."""
    items = {x for pair in pairs for x in pair}
    return {(a, b) for a, b in pairs if not any((a, c) in pairs and (c, b) in pairs for c in items)}


def broken(ranking: list[set[object]]) -> list[tuple[object, ...]]:
    """Every way to break the ties of a ranking."""
    each = [itertools.permutations(sorted(group, key=str)) for group in ranking]
    return [tuple(itertools.chain(*parts)) for parts in itertools.product(*each)]


def mallows_likelihood(phi: float, centre: tuple[object, ...], votes: Votes) -> float:
    """Log likelihood of complete strict orders, the normaliser summed over all permutations."""

    def distance(order: tuple[object, ...]) -> int:
        at = {item: p for p, item in enumerate(order)}
        return sum(at[a] > at[b] for a, b in itertools.combinations(centre, 2))

    total = sum(phi ** distance(order) for order in itertools.permutations(centre))
    return sum(
        count * (distance(tuple(g[0] for g in order)) * math.log(phi) - math.log(total)) for order, count in votes
    )


def luce_likelihood(strength: dict[object, float], votes: Votes, prior: float) -> float:
    """Log likelihood of orders: each member of a tie group is picked from all that were left when the group began."""
    total = sum(prior * (math.log(s) - 2 * math.log(s + 1)) for s in strength.values())
    for order, count in votes:
        left = [item for group in order for item in group]
        for group in order:
            if len(left) > 1:
                for item in group:
                    total += count * (math.log(strength[item]) - math.log(sum(strength[i] for i in left)))
            left = [i for i in left if i not in group]
    return total


# -- patterns and fusion ----------------------------------------------------------------------------------------------


def shared_patterns(votes: Votes, order: tuple[object, ...], gamma: float, lam: float, max_len: int) -> float:
    """Sum over judges of kappa of the judge and an order, patterns of up to so many items, by trying all of them."""
    own = {item: k for k, item in enumerate(order, 1)}
    total = 0.0
    for ranking, count in below(votes):
        at = place(ranking)
        for size in range(1, max_len + 1):
            for some in itertools.permutations(order, size):
                pairs = list(itertools.pairwise(some))
                if size == 1:
                    total += count * gamma ** (abs(at[some[0]] - own[some[0]]) / 2)
                elif all(own[x] < own[y] and at[x] < at[y] for x, y in pairs):
                    total += count * math.prod(lam ** ((own[y] - own[x] + at[y] - at[x]) / 2) for x, y in pairs)
    return total


def elastic(votes: Votes, gamma: float, lam: float, max_len: int) -> list[set[object]]:
    """Items by their mean place in all orders that share most."""
    items = items_of(votes)
    orders = list(itertools.permutations(items))
    found = [shared_patterns(votes, order, gamma, lam, max_len) for order in orders]
    best = [o for o, v in zip(orders, found, strict=True) if math.isclose(v, max(found), rel_tol=1e-9, abs_tol=1e-9)]
    return grouped({i: sum(o.index(i) for o in best) / len(best) for i in items}, "low")


def pattern_wins(votes: Votes, q: int, max_len: int) -> dict[tuple[object, object], float]:
    """For every ordered pair, items times judges of the frequent patterns that have it."""
    out: dict[tuple[object, object], float] = {}
    seats = [(place(order), count) for order, count in votes]
    for size in range(2, max_len + 1):
        for some in itertools.permutations(items_of(votes), size):
            support = sum(
                c
                for at, c in seats
                if all(x in at for x in some) and all(at[x] < at[y] for x, y in itertools.pairwise(some))
            )
            if support >= max(q, 1):
                for pair in itertools.combinations(some, 2):
                    out[pair] = out.get(pair, 0.0) + size * support
    return out


def comb(votes: Votes, mnz: bool) -> list[set[object]]:
    score = dict.fromkeys(items_of(votes), 0.0)
    held = dict.fromkeys(score, 0.0)
    for order, count in votes:
        size, ahead = sum(map(len, order)), 0
        for group in order:
            rank = ahead + (len(group) + 1) / 2
            for item in group:
                score[item] += count * (1 - (rank - 1) / size)
                held[item] += count
            ahead += len(group)
    return grouped({i: s * (held[i] if mnz else 1.0) for i, s in score.items()})


def confirmed(votes: Votes, segments: int) -> dict[object, float]:
    """Of every item the sum over lists of P(k) / k: how far the other lists confirm the segments it stands in."""
    tops = []
    for order, count in votes:
        ahead, ranks = 0, {}
        for group in order:
            ranks |= dict.fromkeys(group, ahead + 1)
            ahead += len(group)
        tops.append((ranks, len(ranks), count))
    total = sum(count for *_, count in tops)
    score = dict.fromkeys(items_of(votes), 0.0)
    for k, (ranks, size, count) in enumerate(tops):
        part = {item: math.ceil(rank * segments / size) for item, rank in ranks.items()}
        share = {}
        for item in ranks:
            upper = sum(c - (j == k) for j, (r, m, c) in enumerate(tops) if item in r and 2 * r[item] <= m + 1)
            share[item] = upper / (total - 1) if total > 1 else 1.0
        for item, number in part.items():
            inside = [share[i] for i, n in part.items() if n == number]
            score[item] += count * sum(inside) / len(inside) / number
    return score
