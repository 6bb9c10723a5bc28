"""Consensus by models of judges who err: Mallows (a centre and a dispersion), Plackett-Luce (a strength per item)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quorate.orderings.consensus_method import consensus_method, in_a_table
from quorate.orderings.kemeny import (
    SECONDS,
    by_rank_sum,
    drawn_cost,
    drawn_places,
    equally_good,
    one_by_one,
    solve,
    whole,
)
from quorate.orderings.tally import Votes
from quorate.panel.consensus_value import Agreed
from quorate.table import Note, number

Array = NDArray[Any]
PASSES = 40.0  # over all judges and pairs that Plackett-Luce takes, about
STEPS, BRIEF = 20, 20  # of Hunter's in the Plackett-Luce fit, before Newton's; and alone while resampling
NEARLY = 0.1  # no log strength moves more where such steps begin
STILL, SAME = 1e-8, 1e-6  # no log strength moves more when settled; those nearer than this are equal
TINY = 1e-12


@consensus_method(
    "mallows",
    reference="Mallows 1957; Fligner and Verducci 1986",
    parameters={"seconds": SECONDS},
    cost=drawn_cost,
    looks=in_a_table,
    steady=True,
    note=Note(
        "Kemeny's order plus one number for how widely the judges scatter.",
        "The model knows one true order: of two camps it finds the middle, which nobody holds.",
        "P(order) proportional to phi^(pairs of items that contradict the centre); centre and phi of greatest "
        "likelihood; phi = 0: all judges alike, 1: random orders",
    ),
)
def mallows(votes: Votes, *, brief: bool = False, seconds: float | None = None) -> list[Agreed]:
    """The order around which judges scatter (Kemeny's), and how widely: phi, 0 when all agree, 1 when they are random.

    ``phi`` is the likeliest given the centre, undefined where no judge ordered two items. A list of some items counts
    as an order of those items (``unknown``), or as the top of a complete order (``below``). A tie counts as half a
    contradiction.
    """
    if brief:
        return [Agreed(places) for places in drawn_places(votes)]
    out = []
    for t, ((before, _), then) in enumerate(zip(whole(votes), by_rank_sum(votes), strict=True)):
        found = solve(before, seconds, then)
        mean, phi = dispersion(votes.positions[t], votes.counts[t], found.order, votes.missing)
        facts = {"phi": phi, "theta": -math.log(phi) if phi > 0 else None, "mean_distance": mean}
        facts |= {"optimal": found.optimal} | equally_good(found)
        out.append(Agreed(found.positions, None, facts, {"order": found.order.tolist()}))
    return out


def dispersion(positions: Array, counts: Array, order: Array, missing: str) -> tuple[float, float]:
    """Mean Kendall distance of the judges from an order, and the phi of the Mallows model that expects it."""
    place = one_by_one(order)
    distance = np.array([_distance(row, place, missing) for row in positions])
    size = (positions > 0).sum(axis=1)
    weight = counts / counts.sum()
    mean = float(distance @ weight)

    def expected(phi: float) -> float:
        known = {
            int(m): expected_distance(phi, int(m), len(order) if missing == "below" else int(m))
            for m in np.unique(size)
        }
        return float(sum(known[int(m)] * w for m, w in zip(size, weight, strict=True)))

    most = expected(1.0)
    if most == 0:  # nobody ordered two items: every phi is as likely
        return mean, math.nan
    if mean <= 0:
        return 0.0, 0.0
    if mean >= most:
        return mean, 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if expected(middle) < mean else (low, middle)
    return mean, (low + high) / 2


def _distance(ranking: Array, place: Array, missing: str) -> float:
    """Pairs that the order turns round, ties counting half; of a top list also pairs with absent items."""
    there = np.flatnonzero(ranking)
    own = ranking[there].astype(np.int64)
    sign = np.sign(own[:, None] - own[None, :]) * np.sign(place[there][:, None] - place[there][None, :])
    off = (np.triu(sign < 0, 1).sum() + np.triu(sign == 0, 1).sum() / 2) if len(there) else 0.0
    if missing == "below":
        absent = np.flatnonzero(ranking == 0)
        off += (place[absent][:, None] < place[there][None, :]).sum()
    return float(off)


def expected_distance(phi: float, ranked: int, items: int) -> float:
    """Expected distance of the top ``ranked`` of ``items``: each place in turn passes over a random number of items."""
    left = np.arange(items, items - ranked, -1, dtype=float)
    if phi > 1 - 1e-6:
        return float(((left - 1) / 2).sum())
    power = phi**left
    return float((phi / (1 - phi) - left * power / (1 - power)).sum())


@consensus_method(
    "plackett_luce",
    cost=lambda judges, items: PASSES,
    looks=in_a_table,
    reference="Luce 1959; Plackett 1975; fit: Hunter 2004",
    parameters={"prior": number("contests that each item has won and lost against an average one beforehand", 0)},
    slow=True,
    steady=True,  # an item in no list is in no choice
    note=Note(
        "Strengths with distances between items, from full or partial rankings.",
        "Strengths of items that are always first or last are set by the prior; choices are taken as independent of "
        "what else is on offer.",
        "P(next = i) = w_i / sum of w over the items left; the w of greatest likelihood, when each item has also won "
        "and lost prior = 0.1 contests against an average one",
    ),
)
def plackett_luce(votes: Votes, *, brief: bool = False, prior: float = 0.1) -> list[Agreed]:
    """Items by strength: a judge picks the next item with odds in proportion to the strengths of those left.

    Strengths sum to 1. The ``prior`` keeps them finite where an item is always first or last. Members of a tie group
    are each picked from all that were left when the group began. A list of some items is picked from those items
    (``unknown``), or from all items of the task (``below``).
    """
    out = []
    if votes.once:
        picks = _picks(votes.positions[0], votes.missing)
        whole_panel, _ = _fit(picks, votes.counts.mean(axis=0), prior, NEARLY)
        for logs in _steps(picks, votes.counts.astype(float), prior, whole_panel, BRIEF):
            out.append(_strengths(logs, True, 1e-4, brief))
        return out
    for positions, counts in zip(votes.positions, votes.counts, strict=True):
        logs, settled = _fit(_picks(positions, votes.missing), counts.astype(float), prior)
        out.append(_strengths(logs, settled, SAME, brief))
    return out


def _strengths(logs: Array, settled: bool, same: float, brief: bool) -> Agreed:
    order = np.argsort(-logs, kind="stable")
    step = np.concatenate([[1], np.diff(-logs[order]) > same]).astype(np.int64)
    positions = np.empty(len(logs), np.int64)
    positions[order] = np.cumsum(step)
    share = np.exp(logs - logs.max())
    return Agreed(positions, share / share.sum(), {} if brief else {"converged": settled})


@dataclass(frozen=True, eq=False)
class Picks:
    """What the judges chose from what: a tie group is a pick for each of its members, all from the same pool."""

    pools: Array  # [pool, item] which items could be picked
    judge: Array  # [pick] who picked
    pool: Array  # [pick] from which pool
    size: Array  # [pick] how many at once
    picked: Array  # [judge, item] how often the judge picked the item

    def times(self, counts: Array) -> Array:
        """How often each pool was picked from, ``[task, pool]``, under each weighing of the judges."""
        weight = counts[:, self.judge] * self.size
        return np.stack([np.bincount(self.pool, row, len(self.pools)) for row in weight])


def _picks(positions: Array, missing: str) -> Picks:
    pools, judges, sizes = [], [], []
    picked = np.zeros(positions.shape)
    for place in range(1, int(positions.max(initial=0)) + 1):
        group = positions == place
        left = (positions >= place) | ((positions == 0) & (missing == "below"))
        choice = group.any(axis=1) & (left.sum(axis=1) > 1)  # the only one left is no choice
        picked[choice] += group[choice]
        pools.append(left[choice])
        judges.append(np.flatnonzero(choice))
        sizes.append(group[choice].sum(axis=1))
    stacked = np.concatenate(pools)
    # Equal pools of different judges are one, found by a random sum; different ones collide 1 time in 2^64.
    salt = np.random.default_rng(0).integers(1, 2**62, positions.shape[1], dtype=np.int64)
    _, first, kind = np.unique(stacked @ salt, return_index=True, return_inverse=True)
    judge, size = np.concatenate(judges), np.concatenate(sizes)
    return Picks(stacked[first].astype(float), judge, kind.ravel(), size, picked)


def _steps(picks: Picks, counts: Array, prior: float, logs: Array, steps: int) -> Array:
    """Hunter's steps for many weights of the judges at once, ``[task, item]``: wins over what the odds expect."""
    times, won = picks.times(counts), counts @ picks.picked + prior
    out = np.broadcast_to(logs, won.shape)
    for _ in range(steps):
        strength = np.exp(out)
        odds = (times / (strength @ picks.pools.T)) @ picks.pools + 2 * prior / (strength + 1)
        out = np.log(np.maximum(won, TINY)) - np.log(np.maximum(odds, TINY))
        if prior == 0:
            out -= out.mean(axis=1, keepdims=True)
    return out


def _fit(picks: Picks, counts: Array, prior: float, still: float = STILL) -> tuple[Array, bool]:
    """Log strengths ``[item]``: Hunter's steps bring them near, Newton's settle them."""
    logs = _steps(picks, counts[None], prior, np.zeros(picks.pools.shape[1]), STEPS)[0]
    times, won = picks.times(counts[None])[0], counts @ picks.picked + prior
    level = _likelihood(logs, picks, times, won, prior)
    for _ in range(100):
        strength = np.exp(logs)
        share = picks.pools * strength / (picks.pools @ strength)[:, None]
        lone = strength / (strength + 1)
        gradient = won - times @ share - 2 * prior * lone
        curve = np.diag(times @ share + 2 * prior * lone * (1 - lone)) - (share.T * times) @ share
        curve += np.eye(len(logs)) * max(1e-9, 1e-12 * float(np.trace(curve)))
        step = np.linalg.solve(curve, gradient)
        if np.abs(step).max(initial=0.0) < still:
            return logs, True
        scale = 1.0
        while scale > 1e-4 and _likelihood(logs + scale * step, picks, times, won, prior) < level:
            scale /= 2
        logs = logs + scale * step
        level = _likelihood(logs, picks, times, won, prior)
    return logs, False


def _likelihood(logs: Array, picks: Picks, times: Array, won: Array, prior: float) -> float:
    if np.abs(logs).max(initial=0.0) > 300:
        return -math.inf
    strength = np.exp(logs)
    return float(won @ logs - times @ np.log(picks.pools @ strength) - 2 * prior * np.log1p(strength).sum())
