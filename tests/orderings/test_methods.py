"""What every method of orderings x agreement promises, asked of each in turn."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import Orderings, agreement, table
from tests import strategies

METHODS = list(table.declarations("orderings", "agreement"))
every = pytest.mark.parametrize("declared", METHODS, ids=lambda d: d.name)
close = {"rel": 1e-9, "abs": 1e-9, "nan_ok": True}


def value_of(declared, panel, **parameters):
    """The method's value on a panel of one task."""
    return answer_of(declared, panel, **parameters).values[0]


def answer_of(declared, panel, **parameters):
    method = table.bind(declared, parameters)
    return agreement(panel, method, resamples=20, permutations=0).findings[0]


def values_of(declared, panel):
    return agreement(panel, table.Method(declared), resamples=20, permutations=0).findings[0].values


def rows_of(panel):
    columns = panel.columns()
    return list(columns), list(zip(*columns.values(), strict=True))


def rebuilt(names, rows):
    return Orderings.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def drawn(parameter):
    """Allowed values of a parameter."""
    if parameter.type == "choice":
        return st.sampled_from(parameter.choices)
    low = max(parameter.low, -100) if math.isfinite(parameter.low) else -100
    high = parameter.high if math.isfinite(parameter.high) else 100
    numbers = st.floats(low, high, exclude_min=parameter.open_low)
    if parameter.type == "quorum":
        numbers = st.integers(1, 9) | st.floats(0.01, 1)
    elif parameter.type == "whole":
        numbers = st.integers(int(low), int(high))
    return numbers | st.none() if parameter.optional else numbers


def settings_of(declared):
    return st.fixed_dictionaries({}, optional={n: drawn(p) for n, p in declared.parameters.items()})


@every
@given(data=st.data())
def test_the_text_form_parses_back(declared, data):
    method = table.bind(declared, data.draw(settings_of(declared)))
    again = table.parse(str(method), "orderings", "agreement")
    assert again.parameters == method.parameters
    assert str(again) == str(method)
    assert {n: type(v) for n, v in again.parameters.items() if isinstance(v, str | bool)} == {
        n: type(v) for n, v in method.parameters.items() if isinstance(v, str | bool)
    }


@every
def test_the_signature_parses_to_the_defaults(declared):
    method = table.parse(declared.signature, "orderings", "agreement")
    assert method.parameters == table.Method(declared).parameters
    assert str(method) == declared.name


@every
@given(data=st.data())
def test_the_value_lies_in_the_declared_range_on_complete_rankings(declared, data):
    orders = data.draw(strategies.complete(judges=(2, 4)))
    parameters = data.draw(settings_of(declared))
    low, high = declared.range
    value = value_of(declared, Orderings.from_orders(orders), **parameters)
    assert math.isnan(value) or low - 1e-12 <= value <= high + 1e-12


@every
@given(orders=strategies.orders(judges=(2, 4)))
def test_the_value_lies_in_the_declared_range_with_gaps(declared, orders):
    low, high = declared.range
    value = value_of(declared, Orderings.from_orders(orders))
    assert math.isnan(value) or low - 1e-12 <= value <= high + 1e-12


@every
@given(data=st.data())
def test_the_order_of_judges_does_not_matter(declared, data):
    assert declared.properties["symmetric"]
    orders = data.draw(strategies.orders(judges=(2, 4)))
    shuffled = data.draw(st.permutations(orders))
    parameters = data.draw(settings_of(declared))
    first, second = (value_of(declared, Orderings.from_orders(o), **parameters) for o in (orders, shuffled))
    assert first == pytest.approx(second, **close)


@every
@given(data=st.data())
def test_names_of_items_and_judges_do_not_matter(declared, data):
    assert declared.properties["relabelling"]
    panel = data.draw(strategies.panels(tasks=(1, 2)))
    names = dict(zip(strategies.NAMES, data.draw(st.permutations(range(len(strategies.NAMES)))), strict=True))
    renamed = {
        t: {("judge", j): [[names[i] for i in g] for g in o] for j, o in judges.items()} for t, judges in panel.items()
    }
    first, second = (values_of(declared, Orderings.from_orders(p)) for p in (panel, renamed))
    assert first == pytest.approx(second, **close)


@every
@given(data=st.data())
def test_the_order_of_rows_does_not_matter(declared, data):
    panel = Orderings.from_orders(data.draw(strategies.panels(tasks=(1, 2), judges=(1, 3), items=(1, 4))))
    names, rows = rows_of(panel)
    shuffled = rebuilt(names, data.draw(st.permutations(rows)))
    task = list(panel.tasks)
    at = [list(shuffled.tasks).index(t) for t in task]
    again = values_of(declared, shuffled)
    assert values_of(declared, panel) == pytest.approx([again[k] for k in at], **close)


@every
@given(rows=strategies.votes(judges=(1, 3), items=(1, 4)))
def test_a_count_stands_for_judges_one_by_one(declared, rows):
    counted = answer_of(declared, Orderings.build(strategies.counted(rows)))
    alone = answer_of(declared, Orderings.from_orders(strategies.expanded(rows)))
    assert counted.values == pytest.approx(alone.values, **close)
    assert set(counted.details) == set(alone.details)
    for name in counted.details:
        one, other = counted.details[name][0], alone.details[name][0]
        assert (one is None and other is None) or one == pytest.approx(other, **close), name


@every
@given(orders=strategies.panels(tasks=(2, 3)))
def test_tasks_do_not_touch_one_another(declared, orders):
    panel = Orderings.from_orders(orders)
    together = values_of(declared, panel)
    alone = [value_of(declared, panel.select(tasks=[t])) for t in panel.tasks]
    assert together == pytest.approx(alone, **close)


@every
@pytest.mark.parametrize("items", [2, 3, 7])
def test_identical_strict_rankings_reach_the_maximum(declared, items):
    found = value_of(declared, Orderings.from_orders(["abcdefg"[:items]] * 3))
    highest = declared.range[1] if math.isfinite(declared.range[1]) else 2**items - 1
    assert found == pytest.approx(highest, abs=1e-12)
    assert found <= highest


@every
def test_opposite_rankings_agree_less_than_equal_ones(declared):
    equal, opposite = (value_of(declared, Orderings.from_orders(o)) for o in (["abcd"] * 3, ["abcd", "dcba", "bdac"]))
    assert opposite < equal
    assert declared.higher == "more agreement"


DEGENERATE = {
    "one judge": ["abc"],
    "one item": ["a", "a", "a"],
    "one judge, one item": ["a"],
    "all tied": [[["a", "b", "c"]]] * 3,
    "one judge ties all": [[["a", "b", "c"]], "abc"],
    "nothing in common": ["ab", "cd", "ef"],
    "one item in common": ["ab", "bc"],
    "a judge of one item": ["abc", "a", "acb"],
}


@every
@pytest.mark.parametrize("orders", DEGENERATE.values(), ids=DEGENERATE)
def test_degenerate_panels_give_a_number_or_nan_without_a_warning(declared, orders):
    low, high = declared.range
    answer = agreement(Orderings.from_orders(orders), table.Method(declared), resamples=20, permutations=5)
    value = answer.findings[0].values[0]
    assert math.isnan(value) or low <= value <= high
    assert answer.to_json()
    assert answer.text()
    if math.isnan(value):
        assert f"{declared.name}: undefined here" in answer.notes


@every
@pytest.mark.parametrize("orders", DEGENERATE.values(), ids=DEGENERATE)
def test_degenerate_panels_with_any_policy_for_absent_items(declared, orders):
    for policy in declared.parameters["missing"].choices if "missing" in declared.parameters else ():
        value = value_of(declared, Orderings.from_orders(orders), missing=policy)
        assert math.isnan(value) or declared.range[0] <= value <= declared.range[1]


@every
def test_every_method_says_what_it_is(declared):
    assert declared.summary.endswith(".")
    assert declared.reference
    assert declared.range[0] < declared.range[1]
    assert declared.higher
    assert declared.properties["symmetric"]
    assert declared.properties["relabelling"]
    for parameter in declared.parameters.values():
        assert parameter.meaning
        assert parameter.rule().startswith(parameter.name)
        assert parameter.check(parameter.default) == parameter.default


@every
def test_the_same_seed_gives_the_same_bytes(declared):
    panel = Orderings.from_orders(["abcde", "abced", "bacde", "acbed"])
    how = {"resamples": 50, "permutations": 20}
    first, second = (agreement(panel, table.Method(declared), seed=7, **how).to_json() for _ in range(2))
    assert first == second


@every
def test_another_seed_resamples_anew_around_the_same_value(declared):
    rng = np.random.default_rng(0)
    tasks = {t: {j: rng.permutation(6).tolist() for j in range(4)} for t in range(12)}
    panel = Orderings.from_orders(tasks)
    found = [agreement(panel, table.Method(declared), seed=s, permutations=5).findings[0].overall[0] for s in (1, 2)]
    assert found[0].value == found[1].value
    assert (found[0].interval, found[0].chance) != (found[1].interval, found[1].chance)
    for o in found:
        assert o.interval.low <= o.value <= o.interval.high
        assert o.interval.by == "tasks"


def test_asking_for_another_method_changes_no_interval():
    panel = Orderings.from_orders(["abcde", "abced", "bacde", "acbed"])
    how = {"seed": 3, "resamples": 50, "permutations": 20}
    alone = {d.name: agreement(panel, d.name, **how).findings[0].overall for d in METHODS}
    together = agreement(panel, *alone, **how)
    assert {f.method.name: f.overall for f in together.findings} == alone
    backwards = agreement(panel, *reversed(alone), **how)
    assert {f.method.name: f.overall for f in backwards.findings} == alone


def test_no_two_methods_share_a_name():
    names = [(d.kind, d.question, d.name) for d in table.declarations()]
    assert len(names) == len(set(names))
    assert all(a != b for a, b in itertools.combinations([d.name for d in METHODS], 2))
