"""Panels: what goes in comes out, nothing is lost in silence, and nothing can be changed afterwards."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate import Groupings, InputError, MissingExtra, Orderings, Scores, UnknownId
from quorate.panel.columns import FEW, Source, encode, numbered, order_of, repeated
from quorate.panel.frames import frame_columns
from quorate.panel.kinds import infer_kind
from quorate.panel.stacks import stacks
from tests import strategies

FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.Table}
FILMS = {"t1": {"ann": "abc", "bob": ["b", ["a", "c"]]}, "t2": {"ann": "xy"}}
SORTED = {"t1": {"ann": {"x": "g", "y": "g", "z": None}, "bob": {"x": "p", "y": "q", "z": "q"}}}

ORDERINGS = Orderings.from_orders(FILMS)
GROUPINGS = Groupings.from_groups(SORTED)
SCORES = Scores.from_matrix([[1, 2.5], [3, math.nan]], items=["x", "y"], judges=["ann", "bob"])
PANELS = [ORDERINGS, GROUPINGS, SCORES]
each = pytest.mark.parametrize("panel", PANELS, ids=lambda p: p.kind)


def shuffled(panel, seed: int = 0):
    order = np.random.default_rng(seed).permutation(len(panel)).tolist()
    return type(panel).build({n: [v[k] for k in order] for n, v in panel.columns().items()})


# -- ways in ----------------------------------------------------------------------------------------------------------


def test_orders_as_lists_texts_and_tie_groups():
    expected = {"ann": [["x"], ["y", "z"]]}
    for order in (["x", ["y", "z"]], ["x", ("y", "z")], ["x", {"z", "y"}], "x > y = z", [["x"], ["y", "z"]]):
        assert Orderings.from_orders({"ann": order}).orders() == expected


def test_a_text_without_signs_is_one_item_a_character():
    assert Orderings.from_orders(["äb"]).orders() == {1: [["ä"], ["b"]]}


def test_orders_by_task_judge_or_number():
    assert Orderings.from_orders(FILMS).tasks == ("t1", "t2")
    assert Orderings.from_orders({"ann": "ab", "bob": "ba"}).judges == ("ann", "bob")
    assert Orderings.from_orders(["ab", "ba"]).judges == (1, 2)


def test_orders_are_not_taken_for_ranks():
    """The same numbers mean two things: the items in order, or the rank of each item."""
    numbers = [[2, 3, 1]]
    as_orders, as_ranks = Orderings.from_orders(numbers), Orderings.from_ranks(numbers, items=[1, 2, 3])
    assert as_orders.orders() == {1: [[2], [3], [1]]}
    assert as_ranks.orders() == {1: [[3], [1], [2]]}
    assert as_orders != as_ranks


def test_ranks_have_absences_ties_and_gaps():
    panel = Orderings.from_ranks([[1, 5, 5, 0], [np.nan, 2, 1, 9]], items="abcd", judges=["ann", "bob"])
    assert panel.orders() == {"ann": [["a"], ["b", "c"]], "bob": [["c"], ["b"], ["d"]]}
    assert panel.value.max() == 3


def test_scores_give_the_highest_first():
    panel = Orderings.from_scores([[0.1, 0.9, 0.9, np.nan], [-3, -1, -2, 0]], items="abcd")
    assert panel.orders() == {1: [["b", "c"], ["a"]], 2: [["d"], ["b"], ["c"], ["a"]]}


@pytest.mark.parametrize(
    "scores", [[1e-17, 3e-17, 2e-17], [-1e300, 1e300, 0], [1, 1 + 4e-16, 1 + 2e-16], [-math.inf, math.inf, 0]]
)
def test_scores_that_differ_by_a_hair_or_by_a_lot_are_not_tied(scores):
    assert Orderings.from_scores([scores], items="abc").orders() == {1: [["b"], ["c"], ["a"]]}


def test_a_table_must_fit_its_names():
    with pytest.raises(InputError, match=r"the table is 1 x 2, but 1 judges and 3 items are named"):
        Orderings.from_ranks([[1, 2]], items="abc")
    with pytest.raises(InputError, match="not 1 dimensions"):
        Orderings.from_ranks([1, 2])
    with pytest.raises(InputError, match=r"the table is 1 x 2"):
        Scores.from_matrix([[1, 2]], items=["a"])
    with pytest.raises(InputError, match="not 1 dimensions"):
        Scores.from_matrix([1, 2])


@given(strategies.panels())
def test_orders_come_out_as_they_went_in(orders):
    panel = Orderings.from_orders(orders)
    for task, judges in orders.items():
        found = panel.orders(task)
        assert list(found) == list(judges)
        for judge, order in judges.items():
            assert [set(g) for g in found[judge]] == [set(g) for g in order]


def test_positions_are_made_dense():
    panel = Orderings.build({"judge": ["ann"] * 3, "item": list("abc"), "position": [10, 2.5, 10]})
    assert panel.orders() == {"ann": [["b"], ["a", "c"]]}
    assert panel.value.tolist() == [1, 2, 2]


# -- what is inside ---------------------------------------------------------------------------------------------------


def test_ids_of_any_hashable_kind_are_kept():
    ids = [("doc", 1), 7, "7", frozenset({1}), 2.5]
    panel = Orderings.build({"judge": [0] * 5, "item": ids, "position": [1, 2, 3, 4, 5], "task": [("q", 1)] * 5})
    assert panel.items == tuple(ids)
    assert panel.judges == (0,)
    assert panel.tasks == (("q", 1),)
    assert panel.orders() == {0: [[i] for i in ids]}


def test_ids_keep_the_order_of_first_appearance():
    panel = Orderings.from_orders({"zoe": "ba", "ann": "ca"})
    assert panel.judges == ("zoe", "ann")
    assert panel.items == ("b", "a", "c")


def test_length_and_repr_say_what_is_inside():
    assert len(ORDERINGS) == 8
    assert repr(ORDERINGS) == "<Orderings: 2 judges, 5 items, 2 tasks, ties>"
    assert repr(GROUPINGS) == "<Groupings: 2 judges, 3 items, 1 task, 1 left out>"
    assert repr(SCORES) == "<Scores: 2 judges, 2 items, 1 task, 1 missing>"


def test_html_escapes_names():
    panel = Orderings.from_orders({"<script>": [f"<i>{k}" for k in range(7)]})
    html = panel._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "2 more rows" in html


def test_which_task_must_be_said_when_there_are_several():
    with pytest.raises(UnknownId, match="which task"):
        ORDERINGS.orders()
    assert ORDERINGS.orders("t2") == {"ann": [["x"], ["y"]]}


@each
def test_nothing_can_be_changed(panel):
    with pytest.raises(dataclasses.FrozenInstanceError):
        panel.count = 3
    arrays = [panel.count, panel.task.codes, panel.judge.codes, panel.item.codes, panel.occasion.codes, panel.starts]
    arrays.append(panel.value.codes if panel.kind == "groupings" else panel.value)
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(TypeError):
        hash(panel)


def test_a_panel_does_not_change_with_the_array_it_was_made_from():
    scores = np.array([1.0, 2.0])
    panel = Scores.build({"judge": np.array([1, 1]), "item": np.array([1, 2]), "score": scores})
    scores[0] = 9
    assert panel.value.tolist() == [1, 2]
    scores[0] = 1  # the caller's array is still the caller's


def test_labels_are_kept_with_their_rows():
    raw = {"judge": ["ann"] * 3, "item": ["a", "b", "c"], "position": [3, 1, 2], "colour": ["red", "", "blue"]}
    panel = Orderings.build(raw)
    assert dict(zip(panel.item.values(), panel.label("colour").values(), strict=True)) == {
        "a": "red",
        "b": None,
        "c": "blue",
    }
    assert panel.select(colour=["red"]).items == ("a",)
    with pytest.raises(UnknownId, match="did you mean 'colour'"):
        panel.label("color")


# -- equality ---------------------------------------------------------------------------------------------------------


@each
def test_equality_does_not_depend_on_the_order_of_rows(panel):
    assert shuffled(panel) == panel
    assert shuffled(panel, 1) == shuffled(panel, 2)


@each
def test_panels_that_differ_are_unequal(panel):
    assert panel != panel.drop_judges("bob")
    assert panel != "a panel"
    columns = panel.columns()
    other = {**columns, "judge": ["zoe" if j == "bob" else j for j in columns["judge"]]}
    assert type(panel).build(other) != panel


def test_kinds_are_unequal_even_with_the_same_ids():
    assert Orderings.from_ranks([[1, 2]]) != Scores.from_matrix([[1, 2]])


def test_counts_and_labels_are_part_of_equality():
    raw = {"judge": ["ann", "ann"], "item": ["a", "b"], "position": [1, 2]}
    plain = Orderings.build(raw)
    assert Orderings.build({**raw, "count": [1, 1]}) == plain
    assert Orderings.build({**raw, "count": [2, 2]}) != plain
    assert Orderings.build({**raw, "colour": ["red", "red"]}) != plain
    assert Orderings.build({**raw, "position": [5, 7]}) == plain
    assert Orderings.build({**raw, "position": [1, 1]}) != plain


# -- parts ------------------------------------------------------------------------------------------------------------


def test_select_takes_tasks_judges_and_items():
    assert ORDERINGS.select(tasks=["t2"]).items == ("x", "y")
    assert ORDERINGS.select(judges=["bob"]).tasks == ("t1",)
    assert ORDERINGS.select(tasks="t1", items=["b", "c"]).orders() == {"ann": [["b"], ["c"]], "bob": [["b"], ["c"]]}
    assert ORDERINGS.select() == ORDERINGS


def test_select_closes_the_gaps_in_positions():
    panel = Orderings.from_orders({"ann": "abcd"}).select(items=["a", "d"])
    assert panel.value.tolist() == [1, 2]


@each
def test_select_keeps_the_kind(panel):
    part = panel.select(judges=["ann"])
    assert type(part) is type(panel)
    assert part.judges == ("ann",)
    assert part == panel.drop_judges("bob")


def test_ids_that_are_not_there_are_named_with_what_is():
    with pytest.raises(UnknownId, match=r"no judge 'an'[\s\S]*did you mean 'ann'\? The panel's judges: ann, bob"):
        ORDERINGS.select(judges=["an"])
    with pytest.raises(UnknownId, match="no task 't9'"):
        ORDERINGS.select(tasks=["t9"])
    with pytest.raises(UnknownId, match="no judge 'zoe'"):
        ORDERINGS.drop_judges("ann", "zoe")
    with pytest.raises(UnknownId, match="no label column 'colour'"):
        ORDERINGS.select(colour=["red"])


def test_nothing_left_is_an_error():
    with pytest.raises(InputError, match="nothing is left of the panel"):
        ORDERINGS.drop_judges("ann", "bob")
    with pytest.raises(InputError, match="nothing is left of the panel"):
        ORDERINGS.select(tasks=["t2"], judges=["bob"])


# -- counts and occasions ---------------------------------------------------------------------------------------------


def test_counts_are_votes():
    panel = Orderings.build(strategies.counted([([["a"], ["b"]], 3), ([["b"], ["a"]], 2)]))
    assert panel.votes == 5
    assert repr(panel) == "<Orderings: 2 judges, 2 items, 1 task, 5 votes>"
    assert stacks(panel)[0].counts.tolist() == [[3, 2]]
    assert panel.drop_judges(1).votes == 2


@pytest.mark.parametrize(
    ("count", "said"),
    [
        ([0, 0], "count is not a whole number from 1"),
        ([1.5, 1.5], "count is not a whole number from 1"),
        ([2, 3], "count differs within one judgment"),
        (["x", 1], "count is not a number"),
    ],
)
def test_wrong_counts(count, said):
    with pytest.raises(InputError, match=said):
        Orderings.build({"judge": [1, 1], "item": [1, 2], "position": [1, 2], "count": count})


def twice() -> Orderings:
    raw = {
        "judge": ["ann"] * 4,
        "item": list("abab"),
        "position": [1, 2, 2, 1],
        "occasion": ["may", "may", "june", "june"],
    }
    return Orderings.build(raw)


def test_occasions_are_kept_apart():
    panel = twice()
    assert panel.repeats == 1
    assert len(panel) == 4
    assert panel.orders() == {"ann": [["a"], ["b"]]}
    assert [part.positions.tolist() for part in stacks(panel)] == [[[[1, 2]]]]
    assert repr(panel) == "<Orderings: 1 judge, 2 items, 1 task, 1 repeat>"
    assert panel.columns()["occasion"] == ["may", "may", "june", "june"]


def test_occasions_count_per_task():
    raw = {"task": [1, 2], "judge": ["ann"] * 2, "item": list("aa"), "position": [1, 1], "occasion": [1, 2]}
    assert Orderings.build(raw).repeats == 0


def test_a_repeated_score_is_another_occasion_and_said_so():
    panel = Scores.build({"judge": ["ann"] * 3, "item": ["x"] * 3, "score": [1, 2, 2]})
    assert panel.occasion.values() == [1, 2, 3]
    assert panel.notes == ("2 repeated scores are kept apart as occasions 2 to 3",)


def test_criteria_and_systems_are_not_repeats():
    raw = {"judge": ["ann"] * 2, "item": ["x"] * 2, "score": [1, 2]}
    assert Scores.build({**raw, "criterion": ["fluency", "style"]}).repeats == 0
    assert Scores.build({**raw, "system": ["A", "B"]}).notes == ()


# -- frames -----------------------------------------------------------------------------------------------------------


@each
@pytest.mark.parametrize("backend", FRAMES)
def test_frames_go_out_and_come_back(panel, backend):
    frame = panel.to_frame(backend)
    assert isinstance(frame, FRAMES[backend])
    assert type(panel).from_frame(frame) == panel


@pytest.mark.parametrize("backend", FRAMES)
def test_frames_keep_counts_occasions_and_labels(backend):
    raw = {"judge": ["ann"] * 4, "item": list("abab"), "position": [1, 2, 2, 1], "occasion": [1, 1, 2, 2]}
    panel = Orderings.build({**raw, "count": [2, 2, 5, 5], "colour": ["red", None, "blue", "red"]})
    assert Orderings.from_frame(panel.to_frame(backend)) == panel


@pytest.mark.parametrize("backend", FRAMES)
def test_texts_of_a_frame_are_coded_as_lists_of_them_are(backend):
    texts = ["b", "a", "b", "ä ", ""]
    frame = FRAMES[backend]({"a": texts}) if backend != "pyarrow" else pa.table({"a": texts})
    found, plain = frame_columns(frame)["a"], encode(texts)
    assert (found.ids, found.codes.tolist()) == (plain.ids, plain.codes.tolist())


@given(st.lists(st.integers(0, 40) | st.integers(0, 10**13), max_size=60), st.integers(0, 3))
def test_occasions_count_what_came_before(keys, times):
    rng = np.random.default_rng(times)
    key = np.array(keys * times + rng.integers(10**13, size=FEW * times).tolist(), np.int64)
    before = [key[:k].tolist().count(x) for k, x in enumerate(key.tolist())]
    assert [numbered(key)[r] for r in range(len(key))] == [n + 1 for n in before]
    assert repeated(key).tolist() == [r for r, n in enumerate(before) if n]


def test_a_frame_of_numbers_has_numbers_for_ids():
    frame = pd.DataFrame({"judge": [1, 1], "item": [10, 20], "position": [2, 1]})
    panel = Orderings.from_frame(frame)
    assert panel.orders() == {1: [[20], [10]]}
    assert [type(i) for i in panel.items] == [int, int]


def test_ids_of_mixed_types_are_text_in_frames_that_hold_one_type():
    panel = Orderings.build({"judge": [1, "random", ("a", 2)], "item": ["x"] * 3, "position": [1, 1, 1]})
    assert panel.to_frame("polars")["judge"].to_list() == ["1", "random", "('a', 2)"]
    assert panel.to_frame("pyarrow")["judge"].to_pylist() == ["1", "random", "('a', 2)"]
    assert Orderings.from_frame(panel.to_frame("pandas")) == panel


def test_what_is_not_a_frame_is_refused():
    with pytest.raises(InputError, match=r"an? int is not a table"):
        Orderings.from_frame(1)


def test_a_frame_with_other_columns_says_what_it_has():
    with pytest.raises(InputError, match="no column 'position'"):
        Orderings.from_frame(pd.DataFrame({"judge": ["a"], "item": ["b"], "positon": [1]}))
    with pytest.raises(InputError, match="no column 'judge'"):
        Orderings.from_frame(pd.DataFrame([[1, 2, 3]]))


def test_a_backend_that_is_not_installed_is_named():
    with pytest.raises(MissingExtra, match="pip install nosuchframes"):
        ORDERINGS.to_frame("nosuchframes")


# -- wrong input ------------------------------------------------------------------------------------------------------

RAW = {"judge": ["ann"] * 3, "item": ["a", "b", "c"], "position": [1, 2, 3]}


@pytest.mark.parametrize("name", ["judge", "item", "position"])
def test_a_missing_column_is_named(name):
    raw = {n: v for n, v in RAW.items() if n != name}
    with pytest.raises(InputError, match=f"no column '{name}'"):
        Orderings.build(raw)


@pytest.mark.parametrize("name", ["judge", "item", "task", "occasion"])
def test_an_empty_id_is_an_error(name):
    raw = {"task": ["t"] * 3, "occasion": [1] * 3, **RAW}
    raw[name] = [raw[name][0], " ", None]
    with pytest.raises(InputError, match=rf"no {name} \(2 rows\)\n  row 2: the column '{name}' is empty"):
        Orderings.build(raw)


@pytest.mark.parametrize(("bad", "said"), [(0, "position 0"), (-2, "position -2")])
def test_positions_start_above_zero(bad, said):
    with pytest.raises(InputError, match=rf"position is not above 0 \(1 row\)\n  row 2: {said}"):
        Orderings.build({**RAW, "position": [1, bad, 2]})


@pytest.mark.parametrize("bad", ["first", None, math.nan, math.inf, ""])
def test_positions_are_numbers(bad):
    with pytest.raises(InputError, match="position is not a number"):
        Orderings.build({**RAW, "position": [1, bad, 2]})


def test_an_item_repeated_in_one_ordering_is_an_error():
    with pytest.raises(InputError, match="an item is repeated in one ordering") as caught:
        Orderings.from_orders({"ann": "abca"})
    assert "judge 'ann' has item 'a' again" in str(caught.value)
    assert "occasion" in caught.value.hint


def test_an_item_in_two_groups_is_an_error():
    with pytest.raises(InputError, match="an item is in two groups, or twice in one"):
        Groupings.build({"judge": ["ann"] * 2, "item": ["x", "x"], "group": [1, 2]})


@pytest.mark.parametrize("bad", ["high", "1,5", math.inf])
def test_scores_are_numbers_or_missing(bad):
    with pytest.raises(InputError, match=r"score is not a number \(1 row\)"):
        Scores.build({"judge": ["ann"] * 3, "item": ["x", "y", "z"], "score": [1, bad, None]})


def test_missing_scores_are_nan():
    panel = Scores.build({"judge": ["ann"] * 4, "item": list("wxyz"), "score": ["1.5", "", None, " "]})
    assert np.isnan(panel.value).tolist() == [False, True, True, True]


def test_the_first_ten_bad_rows_are_shown_and_all_counted():
    raw = {"judge": ["ann"] * 25, "item": list(range(25)), "position": [-1] * 25}
    with pytest.raises(InputError) as caught:
        Orderings.build(raw)
    text = str(caught.value)
    assert caught.value.count == 25
    assert len(caught.value.problems) == 10
    assert "(25 rows)" in text
    assert "row 10: position -1" in text
    assert "row 11" not in text
    assert "... and 15 more" in text


def test_errors_name_the_file_and_its_lines():
    source = Source("votes.csv", np.array([2, 3, 7]))
    with pytest.raises(InputError, match=r"votes\.csv: position is not above 0 \(1 line\)\n  line 7: position 0"):
        Orderings.build({**RAW, "position": [1, 2, 0]}, source)


def test_no_rows_is_an_error():
    for build in (
        lambda: Orderings.from_orders({}),
        lambda: Orderings.from_orders([]),
        lambda: Groupings.from_groups({}),
        lambda: Scores.from_matrix(np.empty((0, 3))),
        lambda: Orderings.build({"judge": [], "item": [], "position": []}),
    ):
        with pytest.raises(InputError, match="no rows"):
            build()


def test_a_judge_without_items_is_not_dropped_in_silence():
    with pytest.raises(InputError, match="bob"):
        Orderings.from_orders({"ann": "ab", "bob": []})
    with pytest.raises(InputError, match="bob"):
        Orderings.from_ranks([[1, 2], [0, 0]], judges=["ann", "bob"])


def test_one_text_is_not_a_panel():
    with pytest.raises(InputError, match="one text is not a panel"):
        Orderings.from_orders("abc")


@pytest.mark.parametrize(
    ("columns", "kind"),
    [(["judge", "item", "position"], "orderings"), (["group"], "groupings"), (["score", "task"], "scores")],
)
def test_the_columns_tell_the_kind(columns, kind):
    assert infer_kind(columns) == kind


def test_columns_of_two_kinds_or_none_are_refused():
    with pytest.raises(InputError, match=r"fit more than one kind \(orderings, scores\)"):
        infer_kind(["judge", "item", "position", "score"])
    with pytest.raises(InputError, match=r"x\.csv: the columns fit no kind[\s\S]*columns found: judge, place"):
        infer_kind(["judge", "place"], "x.csv")


# -- groupings and scores ---------------------------------------------------------------------------------------------


def test_left_out_items_have_no_group():
    panel = Groupings.build({"judge": ["ann"] * 3, "item": ["x", "y", "z"], "group": ["g", "", None]})
    assert panel.left_out.tolist() == [False, True, True]
    assert panel.columns()["group"] == ["g", None, None]


def test_groups_by_judge_or_by_task_and_judge():
    flat = Groupings.from_groups({"ann": {"x": 1}})
    nested = Groupings.from_groups({"t": {"ann": {"x": 1}}})
    assert flat.tasks == ("all",)
    assert nested.tasks == ("t",)
    assert flat.group_ids == nested.group_ids == (1,)


def test_select_keeps_only_the_groups_that_are_used():
    assert GROUPINGS.select(judges=["bob"]).group_ids == ("p", "q")


# -- size -------------------------------------------------------------------------------------------------------------


def test_a_hundred_thousand_rows_are_built_as_small_codes():
    rng = np.random.default_rng(0)
    judges, items = 1000, 100
    raw = {
        "judge": np.repeat(np.arange(judges), items),
        "item": np.tile(np.arange(items), judges),
        "position": rng.permuted(np.tile(np.arange(1, items + 1), (judges, 1)), axis=1).ravel(),
    }
    panel = Orderings.build(raw)
    assert len(panel) == 100_000
    assert panel.item.codes.dtype == np.uint8
    assert panel.judge.codes.dtype == np.uint16
    assert panel.value.dtype == np.uint8
    stack = stacks(panel)[0]
    assert stack.shape == (1, judges, items)
    expected = raw["position"].reshape(judges, items)
    assert (stack.positions[0] == expected).all()


@given(strategies.panels(tasks=(1, 4)), st.randoms())
def test_stacks_hold_every_position_whatever_the_order_of_rows(orders, random):
    columns = Orderings.from_orders(orders).columns()
    rows = list(zip(*columns.values(), strict=True))
    random.shuffle(rows)
    panel = Orderings.build(dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)))
    seen = {}
    for stack in stacks(panel):
        for t, task in enumerate(stack.tasks):
            for k, judge in enumerate(stack.judges[t]):
                for i, item in enumerate(stack.items[t]):
                    if stack.positions[t, k, i]:
                        key = panel.tasks[task], panel.judges[judge], panel.items[item]
                        seen[key] = int(stack.positions[t, k, i])
    expected = {(t, j, i): k for t, js in orders.items() for j, o in js.items() for k, g in enumerate(o, 1) for i in g}
    assert seen == expected


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Groupings.from_groups([1]),
        lambda: Groupings.from_groups({"ann": "xy"}),
        lambda: Groupings.from_groups({"t1": {"ann": {"x": 1}}, "t2": {"ann": 3}}),
        lambda: Scores.from_labels([("ann", "x", "yes")]),
        lambda: Scores.from_labels({"ann": ["yes", "no"]}),
        lambda: Orderings.from_orders(3),
        lambda: Orderings.from_orders({"ann": 3}),
        lambda: Orderings.from_orders({"ann": {"x", "y"}}),
        lambda: Orderings.from_orders({"t1": {"ann": {"x": 1}}}),
        lambda: Orderings.from_ranks([[1, 2], [1]]),
        lambda: Scores.from_matrix([["a", "b"]]),
    ],
)
def test_what_is_no_panel_is_a_message_with_what_would_be_one(wrong):
    with pytest.raises(InputError, match="Hint: "):
        wrong()


def test_labels_of_several_tasks_are_given_as_groups_are():
    panel = Scores.from_labels({"t1": {"ann": {"x": "yes"}}, "t2": {"ann": {"x": "no"}}})
    assert panel.tasks == ("t1", "t2")
    assert panel.scale == ("no", "yes")


def test_an_order_may_be_anything_that_has_one():
    orders = [np.array(["b", "a"]), dict.fromkeys("ba"), (i for i in "ba")]
    panel = Orderings.from_orders([orders[0], orders[1].keys(), orders[2]])
    assert list(panel.orders().values()) == [[["b"], ["a"]]] * 3


@given(numbers=st.lists(st.integers(-40, 40), max_size=60), wide=st.booleans())
def test_whole_numbers_are_encoded_as_any_ids_are(numbers, wide):
    values = np.array(numbers, np.int64) * (10**9 if wide else 1)  # too far apart for a table, or not
    found, plain = encode(values), encode(values.tolist())
    assert (found.ids, found.codes.tolist()) == (plain.ids, plain.codes.tolist())


@pytest.mark.parametrize("most", [3, 2**16 + 5, 2**40, 2**63 - 1])
def test_rows_in_the_order_of_long_columns_are_those_of_a_stable_sort(most):
    key = np.random.default_rng(1).integers(most, size=12_000)
    key[::7] = key[0]
    assert order_of(key).tolist() == np.argsort(key, kind="stable").tolist()
    assert order_of(key - most // 2).tolist() == np.argsort(key - most // 2, kind="stable").tolist()
