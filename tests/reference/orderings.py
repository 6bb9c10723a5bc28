"""Agreement of orderings by definition: plain Python, one loop per sum, nothing clever and no numpy.

An order is a list of tie groups, each a list of items, best first. ``nan`` where a definition says nothing.
"""

from __future__ import annotations

import itertools
import math
from statistics import mean, pstdev

Order = list[list[object]]
nan = math.nan


def places(order: Order) -> dict[object, int]:
    """Item -> number of its tie group, from 1."""
    return {item: k for k, group in enumerate(order, 1) for item in group}


def mids(order: Order) -> dict[object, float]:
    """Item -> rank, tied items sharing the mean of the ranks they take up."""
    out: dict[object, float] = {}
    taken = 0
    for group in order:
        for item in group:
            out[item] = mean(range(taken + 1, taken + len(group) + 1))
        taken += len(group)
    return out


def tops(order: Order) -> dict[object, int]:
    """Item -> best rank of its tie group."""
    above, out = 0, {}
    for group in order:
        out.update(dict.fromkeys(group, above + 1))
        above += len(group)
    return out


def restricted(order: Order, items: set[object]) -> Order:
    """The order of some items alone."""
    kept = [[i for i in group if i in items] for group in order]
    return [group for group in kept if group]


def completed(order: Order, items: set[object]) -> Order:
    """The order with what it lacks tied at its end."""
    absent = [i for i in items if i not in places(order)]
    return [*order, absent] if absent else order


# -- what an absent item means ----------------------------------------------------------------------------------------


def as_compared(a: Order, b: Order, everything: set[object], missing: str) -> tuple[Order, Order]:
    """The two orders over the items that the policy compares them on."""
    mine, yours = set(places(a)), set(places(b))
    if missing == "unknown":
        return restricted(a, mine & yours), restricted(b, mine & yours)
    over = everything if missing == "below" else mine | yours
    return completed(a, over), completed(b, over)


# -- kappa ------------------------------------------------------------------------------------------------------------


def common_subsequences(orders: list[Order]) -> list[tuple[object, ...]]:
    """Every sequence of items that all orders have strictly one after the other, by trying them all."""
    seats = [places(o) for o in orders]
    common = [i for i in seats[0] if all(i in s for s in seats)]
    found = []
    for size in range(1, len(common) + 1):
        for chosen in itertools.permutations(common, size):
            if all(s[x] < s[y] for s in seats for x, y in itertools.pairwise(chosen)):
                found.append(chosen)
    return found


def kappa_by_length(
    orders: list[Order], gamma: float = 1.0, lam: float = 1.0, zeta: float | None = None, p: float = 1.0
) -> list[float]:
    """Sums of weights over the common subsequences of 1, 2, ... items, each edge weighed on its own."""
    seats = [places(o) for o in orders]
    sums: dict[int, float] = {1: 0.0}
    for chain in common_subsequences(orders):
        if len(chain) == 1:
            where = [s[chain[0]] for s in seats]
            spread, centre = pstdev(where), mean(where)
            counts = zeta is None or zeta - centre - spread > 0
            weight = p**centre * gamma**spread if counts else 0.0
        else:
            weight = 1.0
            for x, y in itertools.pairwise(chain):
                weight *= lam ** mean(s[y] - s[x] for s in seats)
        sums[len(chain)] = sums.get(len(chain), 0.0) + weight
    return [sums[k] for k in sorted(sums)]


def kappa_hat(orders: list[Order], value: float) -> float:
    """Kappa with the bonus for rankings given more than once."""
    told = [frozenset(places(o).items()) for o in orders]
    distinct = set(told)
    return value + len(told) * max(told.count(o) for o in distinct) / len(distinct)


# -- q-support --------------------------------------------------------------------------------------------------------


def supported_sets(orders: list[Order], q: int) -> list[tuple[dict, dict]]:
    """Of every order the items and the ordered pairs that at least q orders hold, with how many do."""
    places = [{i: k for k, tied in enumerate(o) for i in tied} for o in orders]
    out = []
    for own in places:
        items = {i: sum(i in p for p in places) for i in own}
        pairs = {
            (a, b): sum(a in p and b in p and p[a] < p[b] for p in places) for a in own for b in own if own[a] < own[b]
        }
        out.append(tuple({k: n for k, n in held.items() if n >= q} for held in (items, pairs)))
    return out


def support(orders: list[Order], q: int, gamma: float = 1.0, lam: float = 1.0) -> list[tuple[float, float]]:
    """Each ranking's share of supported items and of supported ordered pairs."""
    seats = [places(o) for o in orders]
    out = []
    for s in seats:
        single = pairs = 0.0
        for x in s:
            where = [t[x] for t in seats if x in t]
            if len(where) >= q:
                single += gamma ** abs(s[x] - mean(where))
        for x, y in itertools.permutations(s, 2):
            if s[x] < s[y]:
                gaps = [t[y] - t[x] for t in seats if x in t and y in t and t[x] < t[y]]
                if len(gaps) >= q:
                    pairs += lam ** abs(s[y] - s[x] - mean(gaps))
        m = len(s)
        out.append((single / m, pairs / (m * (m - 1) / 2) if m > 1 else 0.0))
    return out


def quorum(q: float | int, judges: int) -> int:
    """A count, or the smallest whole number not below a share of the judges."""
    return q if isinstance(q, int) else next(k for k in range(1, judges + 1) if k >= q * judges - 1e-9)


# -- two complete rankings --------------------------------------------------------------------------------------------


def sign(x: float) -> int:
    return (x > 0) - (x < 0)


def signs(a: Order, b: Order) -> list[tuple[int, int, object, object]]:
    """Of every two items: how each ranking puts them."""
    p, r = places(a), places(b)
    return [(sign(p[y] - p[x]), sign(r[y] - r[x]), x, y) for x, y in itertools.combinations(p, 2)]


def over(top: float, bottom: float) -> float:
    return top / bottom if bottom else nan


def tau(a: Order, b: Order) -> float:
    told = signs(a, b)
    return over(sum(s * t for s, t, *_ in told), len(told))


def tau_b(a: Order, b: Order) -> float:
    told = signs(a, b)
    strict = sum(s != 0 for s, *_ in told) * sum(t != 0 for _, t, *_ in told)
    return over(sum(s * t for s, t, *_ in told), math.sqrt(strict))


def tau_x(a: Order, b: Order) -> float:
    told = signs(a, b)
    return over(sum(1 if s == t == 0 else s * t for s, t, *_ in told), len(told))


def ap(truth: Order, listed: Order) -> float:
    """For each item below the list's top group: the share of the items above it that the truth puts before it too."""
    true, told = places(truth), places(listed)
    shares = []
    for x in told:
        above = [y for y in told if told[y] < told[x]]
        if above:
            shares.append(sum(true[y] < true[x] for y in above) / len(above))
    return 2 * mean(shares) - 1 if shares else nan


def tau_ap(a: Order, b: Order, side: str = "both") -> float:
    return ap(a, b) if side == "first" else (ap(a, b) + ap(b, a)) / 2


def weighted_tau(a: Order, b: Order, additive: bool) -> float:
    """Tau-b with weighed pairs: items ranked by one order, its ties by the other; then the mean of both ways."""
    ways = []
    for first, second in ((places(a), places(b)), (places(b), places(a))):
        listed = sorted(first, key=lambda x: (first[x], second[x]))
        worth = {x: 1 / k for k, x in enumerate(listed, 1)}
        top = left = right = 0.0
        for x, y in itertools.combinations(listed, 2):
            weight = worth[x] + worth[y] if additive else worth[x] * worth[y]
            s, t = sign(first[y] - first[x]), sign(second[y] - second[x])
            top += weight * s * t
            left += weight * s * s
            right += weight * t * t
        ways.append(over(top, math.sqrt(left * right)))
    return sum(ways) / 2


def tau_vigna(a: Order, b: Order) -> float:
    return weighted_tau(a, b, additive=True)


def tau_shieh(a: Order, b: Order) -> float:
    return weighted_tau(a, b, additive=False)


def pearson(x: list[float], y: list[float]) -> float:
    mx, my = math.fsum(x) / len(x), math.fsum(y) / len(y)
    xx, yy = math.fsum((u - mx) ** 2 for u in x), math.fsum((v - my) ** 2 for v in y)
    if xx < 1e-12 or yy < 1e-12:
        return nan
    return math.fsum((u - mx) * (v - my) for u, v in zip(x, y, strict=True)) / math.sqrt(xx * yy)


def rho(a: Order, b: Order) -> float:
    p, r = mids(a), mids(b)
    return pearson([p[x] for x in p], [r[x] for x in p]) if p else nan


def savage(order: Order) -> dict[object, float]:
    """Item -> mean Savage score of the places its tie group takes up; place i of n is worth 1/i + ... + 1/n."""
    n = sum(map(len, order))
    worth = [math.fsum(1 / k for k in range(i, n + 1)) for i in range(1, n + 1)]
    out, taken = {}, 0
    for group in order:
        out.update(dict.fromkeys(group, mean(worth[taken : taken + len(group)])))
        taken += len(group)
    return out


def rho_top(a: Order, b: Order) -> float:
    p, r = savage(a), savage(b)
    return pearson([p[x] for x in p], [r[x] for x in p]) if p else nan


def footrule(a: Order, b: Order) -> float:
    p, r = mids(a), mids(b)
    largest = len(p) ** 2 // 2
    return 1 - sum(abs(p[x] - r[x]) for x in p) / largest if largest else nan


# -- two top-k lists --------------------------------------------------------------------------------------------------


def fagin_tau(a: Order, b: Order, penalty: float = 0.5) -> float:
    """Over the pairs of the union: 1 less twice Fagin's penalty of each, a tie costing one half."""
    p, r = places(a), places(b)
    union = list({**p, **r})
    cost = 0.0
    for x, y in itertools.combinations(union, 2):
        mine, yours = (x in p) + (y in p), (x in r) + (y in r)
        end_a, end_b = len(a) + 1, len(b) + 1
        s, t = sign(p.get(y, end_a) - p.get(x, end_a)), sign(r.get(y, end_b) - r.get(x, end_b))
        if {mine, yours} == {0, 2}:  # one list says, the other knows neither
            cost += penalty if s or t else 0.5
        else:
            cost += (1 - s * t) / 2
    pairs = len(union) * (len(union) - 1) / 2
    return 1 - 2 * cost / pairs if pairs else nan


def located(a: Order, b: Order, location: float | None) -> tuple[list[float], list[float]]:
    """Ranks over the union, absent items at the location (by default just after the list's end)."""
    p, r = mids(a), mids(b)
    end_a = len(p) + 1 if location is None else location
    end_b = len(r) + 1 if location is None else location
    union = list({**p, **r})
    return [p.get(x, end_a) for x in union], [r.get(x, end_b) for x in union]


def fagin_footrule(a: Order, b: Order, location: float | None = None) -> float:
    """1 less the distance over that of the same lists without a common item."""
    x, y = located(a, b, location)
    apart_x, apart_y = located(a, [[("other", i) for i in group] for group in b], location)
    largest = sum(abs(u - v) for u, v in zip(apart_x, apart_y, strict=True))
    return 1 - sum(abs(u - v) for u, v in zip(x, y, strict=True)) / largest if largest else nan


def fagin_rho(a: Order, b: Order, location: float | None = None) -> float:
    return pearson(*located(a, b, location))


DEPTH = 600  # how far infinite sums are carried; 0.9 ** 600 is below 1e-27


def rbo(a: Order, b: Order, p: float = 0.9, part: str = "ext") -> float:
    """Sum over depths of (1 - p) p^(d-1) times the agreement at that depth, as far as the lists are known.

    A tie group is in from its best rank on. Beyond the shorter list's end its unknown items are taken to agree as those
    at its end did (ext); not at all (min); or as much as they can (res is that less min).
    """
    p_of, r_of = tops(a), tops(b)
    size = sorted((len(p_of), len(r_of)))
    common = len(set(p_of) & set(r_of))
    total = {"ext": 0.0, "min": 0.0, "max": 0.0}
    at_short = last = 0.0
    for d in range(1, DEPTH):
        weight = (1 - p) * p ** (d - 1)
        mine, yours = ({x for x, k in ranks.items() if k <= d} for ranks in (p_of, r_of))
        held = [len(s) if d <= n else d for s, n in ((mine, len(p_of)), (yours, len(r_of)))]
        whole, shared = sum(held) / 2, len(mine & yours)
        unknown = max(d - size[0], 0) + max(d - size[1], 0)
        if d <= size[0]:
            at_short = shared / whole
        if d <= size[1]:
            last = (shared + at_short * max(d - size[0], 0)) / whole
        else:
            shared = common
        total["ext"] += weight * last
        total["min"] += weight * shared / whole
        total["max"] += weight * min((shared + unknown) / whole, 1)
    return total["max"] - total["min"] if part == "res" else total[part]


# -- all judges at once -----------------------------------------------------------------------------------------------


def mean_of_pairs(index, orders: list[Order]) -> float:
    """The mean of an index over all ordered pairs of judges for which it is defined."""
    told = [index(a, b) for a, b in itertools.permutations(orders, 2)]
    told = [v for v in told if not math.isnan(v)]
    return math.fsum(told) / len(told) if told else nan


def kendall_w(orders: list[Order]) -> float:
    """The textbook's W of complete rankings, with its correction for ties: 12 S / (m^2 (n^3 - n) - m T)."""
    m, n = len(orders), len(places(orders[0]))
    ranks = [mids(o) for o in orders]
    sums = [sum(r[x] for r in ranks) for x in ranks[0]]
    spread = sum((s - mean(sums)) ** 2 for s in sums)
    ties = sum(len(g) ** 3 - len(g) for o in orders for g in o)
    bottom = m * m * (n**3 - n) - m * ties
    return 12 * spread / bottom if bottom and m > 1 else nan


def uncorrected_w(orders: list[Order]) -> float:
    """W as some packages print it: with ties, but without the correction."""
    m, n = len(orders), len(places(orders[0]))
    ranks = [mids(o) for o in orders]
    sums = [sum(r[x] for r in ranks) for x in ranks[0]]
    return 12 * sum((s - mean(sums)) ** 2 for s in sums) / (m * m * (n**3 - n))


def incomplete_w(orders: list[Order], missing: str = "unknown") -> float:
    """W by way of the mean rho of all pairs of judges."""
    everything = {x for o in orders for x in places(o)}
    m = len(orders)
    r = mean_of_pairs(lambda a, b: rho(*as_compared(a, b, everything, missing)), orders)
    return max((1 + (m - 1) * r) / m, 0.0) if not math.isnan(r) else nan


# -- kappa with weights of any form, and as a likeness of two rankings ------------------------------------------------


def weighted_kappa(orders: list[Order], theta, psi, length: int | None = None) -> float:
    """Every common subsequence with its weight: of an item theta(spread, mean), of a longer one psi of every gap."""
    seats = [places(o) for o in orders]
    total = 0.0
    for found in common_subsequences(orders):
        if length is not None and len(found) != length:
            continue
        if len(found) == 1:
            own = [s[found[0]] for s in seats]
            total += theta(pstdev(own), mean(own))
        else:
            total += math.prod(psi(mean(s[y] - s[x] for s in seats)) for x, y in itertools.pairwise(found))
    return total


def kappa_likeness(a: Order, b: Order) -> float:
    """Common subsequences of two rankings over the geometric mean of those of either."""
    own = [len(common_subsequences([o])) for o in (a, b)]
    return len(common_subsequences([a, b])) / math.sqrt(own[0] * own[1])
