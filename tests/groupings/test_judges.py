"""Who is off among judges who group, and what exactly two of them do differently."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections import Counter

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.cli import main
from quorate.errors import InputError, UnknownId
from quorate.groupings import compare, edits
from tests import strategies
from tests.reference import groupings as plain
from tests.without import without_flags

METHODS = list(table.declarations("groupings", "judges"))
every = pytest.mark.parametrize("declared", METHODS, ids=lambda d: d.name)


def made(seed=0, tasks=3, judges=5, items=24):
    """Judges who follow one truth, one who splits its clusters, one who merges them, and one who answers at random."""
    rnd = random.Random(seed)
    out = {}
    for t in range(tasks):
        truth = [rnd.randrange(6) for _ in range(items)]
        noisy = {f"j{j}": [g if rnd.random() < 0.85 else rnd.randrange(6) for g in truth] for j in range(judges)}
        noisy["splitter"] = [g * 2 + i % 2 for i, g in enumerate(truth)]
        noisy["merger"] = [g // 3 for g in truth]
        noisy["random"] = [rnd.randrange(6) for _ in truth]
        out[f"t{t}"] = {j: dict(enumerate(groups)) for j, groups in noisy.items()}
    return q.Groupings.from_groups(out)


def ask(panel, *methods, **how):
    return q.judges(panel, *methods, **{"resamples": 50, "permutations": 50, **how})


def test_a_judge_who_answers_at_random_is_flagged_and_last():
    found = ask(made())
    assert found.more["ranks"][0]["judge"] == "random"
    first = found["peer_agreement(measure=v_beta, left_out=singletons)"]
    assert first.overall[0].labels["judge"] == "random"
    assert first.overall[0].chance.p > 0.05
    named = {f["judge"]: f["diagnosis"] for f in found.more["flagged"]}
    assert named == {
        "random": "random",
        "merger": "merges",
    }  # six groups in two; the splitter's are within what is usual
    assert found.more["flagged"][0]["evidence"]["method"] == "adjusted_rand(left_out=singletons)"
    assert "random" in found.sentences[0]


@without_flags
def test_splitters_and_generalisers_are_told_apart():
    found = ask(made(), "leaning").findings[0]
    leans = {o.labels["judge"]: o.labels["leans"] for o in found.overall}
    assert leans["splitter"] == "splitter"
    assert leans["merger"] == "generaliser"
    value = {o.labels["judge"]: o.value for o in found.overall}
    assert value["merger"] < value["j0"] < value["splitter"]
    size = {o.labels["judge"]: o.labels["per_cluster"] for o in found.overall}
    assert size["merger"] > size["splitter"]


@without_flags
def test_peer_agreement_is_the_mean_with_the_others_both_ways():
    panel = made(tasks=1)
    groups = {}
    for j, i, g in zip(panel.judge.values(), panel.item.values(), panel.value.values(), strict=True):
        groups.setdefault(j, {})[i] = g
    found = ask(panel, "peer_agreement(measure=v_half, left_out=bucket)").findings[0]
    for judge, value in zip(found.keys["judge"], found.values, strict=True):
        others = [g for j, g in groups.items() if j != judge]
        both = [plain.v_half(*p) for o in others for p in ((groups[judge], o), (o, groups[judge]))]
        assert value == pytest.approx(sum(both) / len(both))


@without_flags
def test_outliers_share_little_of_what_most_put_together():
    found = ask(made(tasks=1), "together_outliers(eps2=0.5, left_out=singletons)").findings[0]
    flagged = {o.labels["judge"] for o in found.overall if o.labels["flag"]}
    assert "random" in flagged
    assert "j0" not in flagged
    each = {o.labels["judge"]: o.labels for o in found.overall}
    mean = sum(o["kappa2"] for o in each.values()) / len(each)
    assert each["j0"]["v2"] == pytest.approx((each["j0"]["kappa2"] - mean) / mean)


def test_the_share_of_items_left_out_is_told():
    panel = q.Groupings.from_groups({"a": {"x": 1, "y": 1, "z": None}, "b": {"x": 1, "y": 1, "z": 1}, "c": {"x": 1}})
    left = {r["judge"]: r["left_out"] for r in ask(panel).more["ranks"]}
    assert left == pytest.approx({"a": 1 / 3, "b": 0, "c": 2 / 3})


@without_flags
def test_of_one_task_intervals_are_over_judges_of_several_over_tasks():
    for panel, by in ((made(tasks=1), "judges"), (made(), "tasks")):
        for f in ask(panel).findings:
            assert {o.interval.by for o in f.overall} == {by}, str(f.method)
    assert all(r["interval"] for r in ask(made()).more["ranks"])


@without_flags
def test_of_two_tasks_the_interval_reaches_beyond_their_two_values():
    for f in ask(made(tasks=2)).findings:
        for o in f.overall:
            own = [v for v, j in zip(f.values, f.keys["judge"], strict=True) if j == o.labels["judge"]]
            reached = o.interval.low < min(own) < max(own) < o.interval.high
            assert reached or len(set(own)) == 1 or o.interval.high == 1 or o.interval.low in (0, -1), str(f.method)


@every
@pytest.mark.parametrize(
    "groups",
    [
        {"a": {"x": 1}},
        {"a": {"x": 1}, "b": {"x": 1}},
        {"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 2}},
        {"a": {"x": None, "y": None}, "b": {"x": 1, "y": 1}, "c": {"x": 1, "y": 2}},
        {"a": {"x": 1, "y": 1}, "b": {"z": 1, "w": 1}},
        {"s": {"a": {"x": 1}}, "t": {"b": {"y": 1}, "c": {"y": 1}}},
    ],
    ids=["one judge", "one item", "singletons", "left out all", "none in common", "two tasks"],
)
def test_degenerate_panels_give_a_number_or_nothing_and_never_an_error(declared, groups):
    found = ask(q.Groupings.from_groups(groups), declared.name)
    for f in found.findings:
        assert all(math.isnan(v) or declared.range[0] <= v <= declared.range[1] for v in f.values)
    json.loads(found.to_json())
    assert found.text()


@every
def test_the_text_form_says_what_left_out_items_are(declared):
    method = table.Method(declared)
    assert "left_out=" in str(method)
    assert table.parse(str(method), "groupings", "judges").parameters == method.parameters


def test_seeds_give_the_same_bytes():
    one, two = (ask(made(), *(d.name for d in METHODS), seed=3).to_json() for _ in range(2))
    assert one == two


@pytest.mark.long
def test_62_judges_on_one_task():
    rnd = random.Random(0)
    groups = {f"j{j}": {i: rnd.choice("abcd") for i in range(16)} for j in range(62)}
    found = ask(q.Groupings.from_groups(groups), "peer_agreement(measure=adjusted_rand)")
    assert len(found.findings[0].overall) == 62
    assert max(map(len, found.text().splitlines())) <= 80


# -- two judges --------------------------------------------------------------------------------------------------------

grouping = st.dictionaries(st.integers(0, 8), st.sampled_from(["a", "b", "c", "d", None]), min_size=1)


@strategies.examples(40)
@given(grouping, grouping)
def test_the_edits_lead_from_one_grouping_to_the_other(first, second):
    found = edits(first, second)
    assert plain.applied(first, second, found.edits) == plain.as_sets(second)


labels = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=6)


@given(labels)
def test_no_shorter_list_of_edits_exists(pairs):
    first, second = ({i: p[k] for i, p in enumerate(pairs)} for k in (0, 1))
    assert edits(first, second).total == plain.fewest_changes(plain.as_sets(first), plain.as_sets(second))


def blocks(sizes):
    """Two partitions with so many items in common of each two groups."""
    rows = [(a, b) for (a, b), n in sizes.items() for _ in range(n)]
    return {i: r[0] for i, r in enumerate(rows)}, {i: r[1] for i, r in enumerate(rows)}


def least(sizes):
    """The fewest changes over all choices of the blocks that are kept whole."""
    best = math.inf
    for keep in itertools.product([False, True], repeat=len(sizes)):
        kept = [c for c, k in zip(sizes, keep, strict=True) if k]
        covered = len({a for a, _ in kept}) + len({b for _, b in kept})
        best = min(best, 2 * len(kept) - covered + sum(n for c, n in sizes.items() if c not in kept))
    return best


cell = st.tuples(st.integers(0, 3), st.integers(0, 3))


@given(st.dictionaries(cell, st.sampled_from([1, 1, 2, 2, 3, 4]), min_size=1, max_size=9))
def test_larger_groupings_have_the_fewest_edits_of_all_choices_of_what_is_kept_whole(sizes):
    found = edits(*blocks(sizes))
    assert found.total == least(sizes)
    rows, columns = ({c[k] for c in sizes} for k in (0, 1))
    kept = found.number("split") + len(rows)
    assert kept == found.number("merge") + len(columns)
    assert sum(len(c.parts) - 1 for c in found.cuts) == found.number("split")
    assert sum(len(c.parts) - 1 for c in found.joins) == found.number("merge")


def test_two_groups_of_many_items_are_compared_in_a_moment():
    rnd = random.Random(0)
    first, second = ({i: rnd.randrange(3000) for i in range(6000)} for _ in range(2))
    found = edits(first, second)
    assert found.total <= found.moves_only


def test_a_comparison_says_what_happened_to_each_cluster():
    ann = {"a": "x", "b": "x", "c": "x", "d": "x", "e": "y", "f": "y", "g": "y", "h": "z", "k": "z", "é": "z"}
    bob = {"a": 1, "b": 1, "c": 2, "d": 2, "e": 3, "f": 3, "g": 3, "h": 3, "k": 3, "é": 1}
    text = compare(q.Groupings.from_groups({"ann": ann, "bob": bob}), "ann", "bob").text()
    said = " ".join(text.split())
    assert "1 item to move, 1 cluster to split, 1 to merge" in said
    assert "ann's cluster 'x' is split by bob into '1' (a, b) and '2' (c, d)." in said
    assert "é moves from ann's cluster 'z' to bob's '1'." in said
    assert "ann's clusters 'y' (e, f, g) and 'z' (h, k) are merged by bob into '3'." in said
    assert max(map(len, text.splitlines())) <= 80


@strategies.examples(40)
@given(grouping, grouping)
def test_no_fewer_items_can_be_moved_and_splits_and_merges_only_save_moves(first, second):
    found = edits(first, second)
    common = [i for i in first if first[i] is not None and second.get(i) is not None]
    cells = Counter((first[i], second[i]) for i in common)
    rows, columns = ({c[k] for c in cells} for k in (0, 1))
    short, long = sorted((sorted(rows), sorted(columns)), key=len)
    flip = short != sorted(rows)
    best = max(
        sum(cells[(b, a) if flip else (a, b)] for a, b in zip(short, order, strict=True))
        for order in itertools.permutations(long, len(short))
    )
    assert found.moves_only == len(common) - best
    inside = found.number("split") + found.number("merge") + found.number("move")
    assert inside <= found.moves_only
    assert found.number("split") - found.number("merge") == len(columns) - len(rows)


def test_equal_groupings_need_no_edit_whatever_the_names():
    found = edits({"x": 1, "y": 1, "z": 2}, {"x": "p", "y": "p", "z": "q"})
    assert found.edits == ()
    assert (found.same, found.same_items, found.total) == (2, 3, 0)


def test_the_three_kinds_of_disagreement_are_told_apart():
    first = {"a1": "A", "a2": "A", "a3": "A", "a4": "A", "b1": "B", "b2": "B", "b3": "B", "c": "B", "d": "D", "e": None}
    second = {"a1": 1, "a2": 1, "a3": 2, "a4": 2, "b1": 3, "b2": 3, "b3": 3, "c": 1, "d": None, "e": 3}
    found = edits(first, second)
    assert {e.action: e.items for e in found.edits} == {
        "leave out": ("d",),
        "add": ("e",),
        "split": ("a1", "a2"),  # group 2 is more like A than group 1, which holds c as well
        "move": ("c",),
    }
    back = edits(second, first)
    assert back.number("merge") == 1


def test_compare_from_the_command_line(tmp_path):
    path = tmp_path / "clusters.csv"
    panel = q.Groupings.from_groups({"t": {"A": {"x": 1, "y": 1, "z": 2}, "B": {"x": 1, "y": 2, "z": 2}}})
    q.write(panel, path)
    text = CliRunner().invoke(main, ["judges", str(path), "--compare", "A,B"])
    assert text.output.startswith("t: from A to B, 1 change: 1 item to move, 0 clusters to split, 0 to merge.")
    found = json.loads(CliRunner().invoke(main, ["judges", str(path), "--compare", "A,B", "--format", "json"]).output)
    assert found["results"][0]["move"] == 1
    assert found["results"][0]["pair"] == ["A", "B"]
    lines = CliRunner().invoke(main, ["judges", str(path), "--compare", "A,B", "--format", "csv"]).output.splitlines()
    assert lines == ["task,action,items,source,target", "t,move,y,1,2"]
    for wrong in ("A", "A,C"):
        assert CliRunner().invoke(main, ["judges", str(path), "--compare", wrong]).exit_code == 2
    with pytest.raises(UnknownId):
        compare(panel, "A", "C")
    with pytest.raises(InputError, match="no task in common"):
        compare(q.Groupings.from_groups({"s": {"A": {"x": 1}}, "t": {"B": {"x": 1}}}), "A", "B")


def test_judges_who_all_did_the_same_agree_equally():
    found = ask(q.Groupings.from_groups({j: {"x": 1, "y": 1, "z": 2} for j in "abc"}))
    assert found.sentences[1].startswith("All 3 judges agree equally")


def test_a_judge_who_left_out_everything_is_named():
    found = ask(q.Groupings.from_groups({"a": {"x": None, "y": None}, "b": {"x": 1, "y": 1}, "c": {"x": 1, "y": 2}}))
    assert "every item of a task was left out by: a" in found.notes


def test_of_two_judges_nobody_is_flagged():
    panel = q.Groupings.from_groups(
        {"a": {"x": 1, "y": 1, "z": 2, "w": 2}, "b": {"x": 1, "y": 2, "z": 1, "w": 2}},
    )
    answer = q.judges(panel, resamples=100)
    assert not any(o.labels.get("flag") for f in answer.findings for o in f.overall)
    assert answer.sentences == ("With two judges nobody can tell which of them is off.",)


def test_a_judge_who_says_what_most_say_is_not_flagged_by_luck():
    alike = dict(zip("abcdefgh", (1, 1, 1, 1, 2, 2, 2, 2), strict=True))
    finer = dict(zip("abcdefgh", (1, 1, 3, 3, 2, 2, 4, 4), strict=True))
    panel = q.Groupings.from_groups({"ann": alike, "bob": alike, "cat": finer, "dan": alike})
    for seed in range(4):  # of 35 ways to deal two groups of four one is the same: p is near 0.05
        found = q.judges(panel, "peer_agreement(measure=v_beta)", permutations=50, resamples=50, seed=seed)
        assert {f["judge"] for f in found.more["flagged"]} <= {"cat"}


def test_where_hardly_anybody_agrees_nobody_is_flagged():
    rnd = random.Random(5)
    panel = q.Groupings.from_groups({f"j{k}": {i: rnd.randrange(4) for i in range(14)} for k in range(5)})
    found = q.judges(panel, "peer_agreement(measure=v_beta)", permutations=100, resamples=50)
    beaten = [o.chance.p <= 0.05 for o in found.findings[0].overall]
    assert 2 * sum(beaten) < len(beaten)
    assert found.more["flagged"] == []
    assert "None of the 5 judges is flagged." in found.sentences


def test_a_judge_who_used_few_items_is_named():
    def panel(few, judges="abc"):
        rows = [(j, i, f"g{i // 3}" if i < (few if j == "c" else 12) else None) for j in judges for i in range(12)]
        return q.Groupings.build(dict(zip(("judge", "item", "group"), map(list, zip(*rows, strict=True)), strict=True)))

    def said(found):
        return [f for f in q.judges(found, resamples=0, permutations=0).facts if f.name == "few_used"]

    (fact,) = said(panel(3))
    assert str(fact) == "c put few of the items into groups: 25%; half of the other judges use 100% or more."
    assert said(panel(6)) == []  # half of what the others use is not few
    assert said(panel(3, "bc")) == []  # of two, nobody says who is the odd one
    assert "put few of the items into groups" in q.judges(panel(3)).text()


def test_the_items_that_tell_most_are_those_that_others_put_with_others():
    """Not the first ones: hardly anybody has exactly a group of theirs."""
    items, truth = [f"i{k:02d}" for k in range(16)], "aaaabbbbccccdddd"
    groups = {f"j{j}": dict(zip(items, truth, strict=True)) for j in range(6)}
    for judge, item, group in (("j1", 15, "a"), ("j2", 3, "b"), ("j3", 7, "c"), ("j4", 0, "b"), ("j0", 9, "d")):
        groups[judge][items[item]] = group
    groups["off"] = dict(zip(items, "aaaabbbbabcdxbcd", strict=True))
    (flag,) = q.judges(q.Groupings.from_groups(groups), resamples=5, copies="apart").flagged
    told = {row["item"]: row["same"] for row in flag["evidence"]["answers"]}
    assert set(told) <= set(items[8:15])

    def same(item):  # in plain loops
        own, others = groups["off"], [g for j, g in groups.items() if j != "off"]
        said = [(own[item] == own[m]) == (g[item] == g[m]) for g in others for m in items if m != item]
        return sum(said) / len(said)

    assert told == pytest.approx({item: same(item) for item in told})
    assert min(told.values()) == pytest.approx(min(map(same, items)))
