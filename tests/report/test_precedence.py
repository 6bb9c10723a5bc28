"""The graph of a shared order: what is drawn says no more and no less than the order."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.document.blocks import Chart
from quorate.reports.pictures import pictures
from quorate.reports.precedence import closure, layered


@st.composite
def relations(draw):
    n = draw(st.integers(1, 7))
    cells = draw(st.lists(st.booleans(), min_size=n * n, max_size=n * n))
    before = np.array(cells).reshape(n, n)
    np.fill_diagonal(before, False)
    return before


def plain_reach(before):
    """What can be walked to from each item, by walking."""
    n = len(before)
    out = []
    for start in range(n):
        seen, todo = set(), [start]
        while todo:
            here = todo.pop()
            for j in range(n):
                if before[here][j] and j not in seen:
                    seen.add(j)
                    todo.append(j)
        out.append(seen)
    return out


@given(relations())
def test_the_lines_drawn_are_the_order_and_none_follows_from_others(before):
    found, reach = layered(before), plain_reach(before)
    circle = {i: frozenset(j for j in reach[i] if i in reach[j]) | {i} for i in range(len(before))}
    wanted = {(circle[i], circle[j]) for i in range(len(before)) for j in reach[i] if circle[i] != circle[j]}
    nodes = [frozenset(node) for node in found.nodes]
    alone = {circle[i] for i in range(len(before)) if len(circle[i]) == 1} - {c for pair in wanted for c in pair}
    assert set(nodes) == set(circle.values()) - alone
    drawn = np.zeros((len(nodes), len(nodes)), bool)
    for a, b in found.edges:
        drawn[a, b] = True
        assert found.layer[a] < found.layer[b]
    assert {(nodes[a], nodes[b]) for a, b in np.argwhere(closure(drawn))} == wanted
    for a, b in found.edges:
        fewer = drawn.copy()
        fewer[a, b] = False
        assert not closure(fewer)[a, b]


@given(relations())
def test_no_two_nodes_stand_in_the_same_place(before):
    found = layered(before)
    places = list(zip(found.layer, found.across, strict=True))
    assert len(set(places)) == len(places)
    assert all(-0.5 < x < 0.5 for x in found.across)


def shared(orders):
    panel = q.Orderings.from_orders(orders)
    found = pictures(panel, q.consensus(panel, "rank_sum", resamples=100))
    return {p.name: p for p in found}


def edges(picture: Chart):
    return {(r["item"], r["before"]) for r in picture.rows if "before" in r}


def test_the_graph_of_all_judges_is_that_of_kappa():
    orders = {"ann": "abcdef", "bob": "bdcefa", "cat": "badefc"}
    common = q.orderings.kappa(list(orders.values())).graph()
    assert edges(shared(orders)["shared-by-all"]) == set(common)


def test_more_than_half_of_the_judges_make_an_edge():
    found = shared({"ann": "abc", "bob": "acb", "cat": "bac"})
    assert edges(found["shared-by-all"]) == {("a", "c")}
    assert edges(found["shared-by-most"]) == {("a", "b"), ("b", "c")}
    judges = {(r["item"], r["before"]): r["judges"] for r in found["shared-by-most"].rows if "before" in r}
    assert judges == {("a", "b"): "2 of 3", ("b", "c"): "2 of 3"}


def test_items_that_go_round_in_a_circle_share_a_dot():
    picture = shared({"ann": "abcd", "bob": "bcad", "cat": "cabd"})["shared-by-most"]
    (circle,) = {r["item"] for r in picture.rows if "before" in r}
    assert sorted(circle.split(" = ")) == ["a", "b", "c"]
    assert {r["before"] for r in picture.rows if "before" in r} == {"d"}


def test_judges_who_share_nothing_have_no_graph():
    found = shared({"ann": "ab", "bob": "ba"})
    assert not any(name.startswith("shared") for name in found)


def passed(found):
    """How often a line leads past a node so closely that it looks like a line to it."""
    count = 0
    for a, b in found.edges:
        for node, depth in enumerate(found.layer):
            if found.layer[a] < depth < found.layer[b]:
                way = (depth - found.layer[a]) / (found.layer[b] - found.layer[a])
                count += abs(found.across[a] + way * (found.across[b] - found.across[a]) - found.across[node]) < 0.01
    return count


def test_lines_hardly_ever_run_through_items_that_they_do_not_lead_to():
    rng = np.random.default_rng(5)
    found = [layered(np.triu(rng.random((n, n)) < rng.uniform(0.2, 0.7), 1)) for n in rng.integers(4, 15, 200)]
    assert sum(map(passed, found)) <= 2  # crowded layers leave no room to step aside
    assert all(abs(x) <= 0.5 for one in found for x in one.across)
