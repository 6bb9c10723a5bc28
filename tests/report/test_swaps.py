"""Would the top two swap places with other judges? Against plain loops over the same draws."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quorate as q
from quorate.inference.resample import stream
from quorate.inference.results import Options
from quorate.reports.swaps import cases, swaps

OPTIONS = Options(seed=3, resamples=100)


def draws(judges, votes=None):
    votes = votes or [1] * judges
    total = sum(votes)
    return stream(3, "swaps").multinomial(total, np.array(votes) / total, size=100).tolist()


def plain_share(values, times):
    """``values[task][judge] = {name: value or None}``, higher is better: top two, and how often they swap."""

    def means(weights):
        found = {}
        for name in values[0][0]:
            tasks = []
            for task in values:
                known = [(w, j[name]) for w, j in zip(weights, task, strict=True) if j[name] is not None and w]
                if known:
                    tasks.append(sum(w * v for w, v in known) / sum(w for w, _ in known))
            found[name] = statistics.fmean(tasks) if tasks else None
        return found

    seen = means([1] * len(times[0]))
    first, second = sorted(seen, key=lambda n: -seen[n])[:2]
    lower = []
    for weights in times:
        drawn = means(weights)
        if drawn[first] is not None and drawn[second] is not None:
            gap = drawn[second] - drawn[first]
            lower.append(0.5 if abs(gap) < 1e-12 else float(gap > 0))
    return first, second, statistics.fmean(lower)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.permutations("abc"), min_size=3, max_size=5))
def test_items_of_one_task_swap_as_often_as_their_rank_sums(orders):
    found = swaps(q.Orderings.from_orders([list(o) for o in orders]), None, OPTIONS)
    values = [[{x: -o.index(x) for x in "abc"} for o in orders]]
    sums = {x: sum(j[x] for j in values[0]) for x in "abc"}
    if len(set(sums.values())) == 3:  # else either of two is first
        assert (found.first, found.second, found.share) == pytest.approx(plain_share(values, draws(len(orders))))
    assert 0 <= found.share <= 1


def test_a_count_stands_for_so_many_judges():
    panel = q.Orderings.build(
        {"judge": list("uuvv"), "item": list("abab"), "position": [1, 2, 2, 1], "count": [3, 3, 1, 1]}
    )
    found = swaps(panel, None, OPTIONS)
    lower = [0.5 if u == v else float(v > u) for u, v in draws(2, [3, 1])]
    assert (found.first, found.judges, found.share) == ("a", 4, pytest.approx(statistics.fmean(lower)))


def test_of_many_tasks_the_share_is_the_mean():
    clear, close = ["ab", "ab", "ab"], ["ab", "ab", "ba"]
    panel = q.Orderings.from_orders(
        {t: {f"j{k}": o for k, o in enumerate(orders)} for t, orders in {"t1": clear, "t2": close}.items()}
    )
    each = [swaps(panel.select(tasks=[t]), None, OPTIONS).share for t in ("t1", "t2")]
    found = swaps(panel, None, OPTIONS)
    assert each[0] == 0 < each[1]
    assert found.share == pytest.approx(sum(each) / 2)
    assert "the top two items of a task" in found.sentence()


def test_lists_swap_as_often_as_their_mean_correlations():
    judges = {"t1": ["abcd", "abdc", "dcba"], "t2": ["abcd", "badc", "cdab"]}
    lists = {"new": "abdc", "old": "bacd", "bad": "dbca"}
    panel = q.Orderings.from_orders({t: dict(zip("uvw", o, strict=True)) for t, o in judges.items()})
    systems = q.Orderings.from_orders(dict.fromkeys(judges, lists))
    values = [
        [{n: q.orderings.average_correlation(x, [o]) for n, x in lists.items()} for o in orders]
        for orders in judges.values()
    ]
    found = swaps(panel, systems, OPTIONS)
    assert (found.first, found.second, found.share) == pytest.approx(plain_share(values, draws(3)))
    assert 0 < found.share < 1


def test_clusterings_swap_as_often_as_their_mean_agreement():
    def of(groups):
        return dict(zip("uvwxyz", groups, strict=True))

    judges = {
        "ann": [1, 1, 2, 2, 3, 3],
        "bob": [1, 1, 1, 2, 2, 2],
        "cat": [1, 2, 2, 1, 3, 3],
        "dan": [1, 2, 1, 2, 1, 2],
    }
    lists = {"new": of([1, 1, 2, 2, 3, 3]), "old": of([1, 1, 1, 2, 2, 2])}
    panel = q.Groupings.from_groups({j: of(g) for j, g in judges.items()})
    systems = q.Groupings.from_groups(lists)
    method = "against_judges(measure=v_beta, left_out=bucket)"
    values = []
    for judge in judges:
        answer = q.quality(panel.select(judges=[judge]), systems, method, resamples=100, permutations=0)
        values.append({o.labels["system"]: o.value for o in answer.findings[0].overall})
    found = swaps(panel, systems, OPTIONS)
    assert (found.first, found.second, found.share) == pytest.approx(plain_share([values], draws(4)))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.one_of(st.none(), st.integers(1, 5)), min_size=24, max_size=24))
def test_systems_swap_as_often_as_their_mean_scores(given_scores):
    cells = np.array([math.nan if v is None else v for v in given_scores]).reshape(2, 4, 3)
    rows = [
        (f"t{t}", f"j{j}", f"s{s}", f"s{s}", float(cells[t, j, s]))
        for t in range(2)
        for j in range(4)
        for s in range(3)
        if not math.isnan(cells[t, j, s])
    ]
    if len({r[1] for r in rows}) < 4 or len({r[2] for r in rows}) < 3 or len({r[0] for r in rows}) < 2:
        return
    rows.sort(key=lambda r: (r[1], r[2]))  # judges are numbered as they come
    names = ("task", "judge", "item", "system", "score")
    panel = q.Scores.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    values = [
        [{f"s{s}": None if math.isnan(cells[t, j, s]) else cells[t, j, s] for s in range(3)} for j in range(4)]
        for t in range(2)
    ]
    found = swaps(panel, None, OPTIONS)
    first, second, share = plain_share(values, draws(4))
    if {found.first, found.second} == {first, second} and found.first == first:  # level systems may come either way
        assert found.share == pytest.approx(share)
    assert found.judges == 4


def test_too_few_judges_or_nothing_to_compare_say_nothing():
    assert swaps(q.Orderings.from_orders({"ann": "ab", "bob": "ba"}), None, OPTIONS) is None
    assert swaps(q.Orderings.from_orders(["a", "a", "a"]), None, OPTIONS) is None
    assert swaps(q.Groupings.from_groups({j: {"x": 1} for j in "abc"}), None, OPTIONS) is None


def test_shares_are_told_as_cases():
    assert cases(0.5) == "5 of 10 cases"
    assert cases(0.04) == "4 of 100 cases"
    assert cases(0.004) == cases(0.0099) == "fewer than 1 of 100 cases"
    assert cases(0.951) == "95 of 100 cases"
    assert cases(0.996) == cases(1.0) == "more than 99 of 100 cases"


def test_counts_are_those_of_each_task():
    """An order with many votes on one task may have few on another: judges are drawn by the votes of each."""
    votes = {"t1": (5, 2), "t2": (1, 3)}
    rows = [
        (task, judge, item, place, count)
        for task, both in votes.items()
        for judge, count, order in zip("uv", both, ("ab", "ba"), strict=True)
        for place, item in enumerate(order, 1)
    ]
    names = ("task", "judge", "item", "position", "count")
    panel = q.Orderings.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    found = swaps(panel, None, OPTIONS)
    each = [swaps(panel.select(tasks=[t]), None, OPTIONS) for t in votes]
    assert [one.judges for one in each] == [7, 4]
    assert (found.share, found.judges) == (pytest.approx(sum(one.share for one in each) / 2), 7)
