"""Systems' clusterings by the judges' lights: values, leaderboard, advice, stability."""

from __future__ import annotations

import json
import math
import random
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.errors import BadParameter, InputError, UnknownId
from quorate.groupings import MEASURES, consensus_groups, consensus_partition, sensitivity
from quorate.groupings.moves import explain
from quorate.inference import budget
from quorate.kernels.correlations import correlate
from tests.reference import group_consensus as plain
from tests.without import in_small

METHODS = table.methods("groupings", "quality")
ITEMS = "uvwxyz"


def noisy(names, tasks=3, items=20, clusters=5, noise=0.3, seed=0):
    """Judges or systems who know the true clusters but err."""
    rng = np.random.default_rng(seed)
    out = {}
    for t in range(tasks):
        truth = np.random.default_rng(1000 + t).integers(clusters, size=items)
        out[f"t{t}"] = {
            n: {i: int(rng.integers(clusters)) if rng.random() < noise else int(truth[i]) for i in range(items)}
            for n in names
        }
    return q.Groupings.from_groups(out)


def joined(*panels):
    columns = [p.columns() for p in panels]
    return q.Groupings.build({k: [v for c in columns for v in c[k]] for k in columns[0]})


JUDGES = noisy(["ann", "bob", "cat", "dan"])
SYSTEMS = joined(noisy(["good"], noise=0.1, seed=1), noisy(["poor"], noise=0.9, seed=2))


@st.composite
def sheets(draw, most):
    group = st.none() | st.integers(0, 2)
    return [{i: draw(group) for i in ITEMS} for _ in range(draw(st.integers(1, most)))]


@given(sheets(4), sheets(2), st.sampled_from(sorted(MEASURES)), st.sampled_from(["singletons", "bucket", "common"]))
def test_against_judges_is_the_mean_of_the_measure_with_each_judge(judges, systems, measure, left_out):
    panel = q.Groupings.from_groups({f"j{k}": s for k, s in enumerate(judges)})
    lists = q.Groupings.from_groups({f"s{k}": s for k, s in enumerate(systems)})
    method = f"against_judges(measure={measure}, left_out={left_out})"
    found = q.quality(panel, lists, method, resamples=0, permutations=0).findings[0]
    for name, value in zip(found.keys["system"], found.values, strict=True):
        system = systems[int(name[1:])]
        each = [MEASURES[measure](system, judge, left_out=left_out) for judge in judges]
        defined = [v for v in each if not math.isnan(v)]
        assert value == pytest.approx(sum(defined) / len(defined) if defined else math.nan, nan_ok=True)


@given(sheets(4), sheets(2), st.sampled_from(["v_beta", "nvi", "rand", "f"]))
def test_against_consensus_is_the_measure_with_the_consensus(judges, systems, measure):
    panel = q.Groupings.from_groups({f"j{k}": s for k, s in enumerate(judges)})
    lists = q.Groupings.from_groups({f"s{k}": s for k, s in enumerate(systems)})
    row = q.consensus(panel, resamples=0).to_dict()["results"][0]  # the one that is shown first
    gold = {i: k for k, group in enumerate(row["groups"]) for i in group} | dict.fromkeys(row["left_out"])
    method = f"against_consensus(measure={measure}, left_out=bucket)"
    found = q.quality(panel, lists, method, resamples=0, permutations=0).findings[0]
    for name, value in zip(found.keys["system"], found.values, strict=True):
        want = MEASURES[measure](systems[int(name[1:])], gold, left_out="bucket")
        assert value == pytest.approx(want, nan_ok=True)


def wild(how, seed=0, tasks=3, items=20):
    """A system that knows nothing: every item alone, all in one group, or groups drawn at random."""
    rng = np.random.default_rng(seed)
    group = {"alone": lambda i: i, "one": lambda i: 0, "luck": lambda i: int(rng.integers(5))}[how]
    return q.Groupings.from_groups({f"t{t}": {how: {i: group(i) for i in range(items)}} for t in range(tasks)})


def test_neither_all_alone_nor_all_in_one_leads_the_first_board():
    near = noisy(["near"], noise=0.7, seed=5)
    answer = q.quality(JUDGES, joined(near, wild("alone"), wild("one")), resamples=200)
    boards = {str(f.method["measure"]): f for f in answer.findings if f.method.name == "against_judges"}
    assert list(boards) == ["adjusted_rand", "adjusted_mutual_information", "v_beta", "nvi"]
    for measure in ("adjusted_rand", "adjusted_mutual_information"):
        assert boards[measure].overall[0].labels["system"] == "near"
    for f in boards.values():
        others = {o.labels["system"]: o for o in f.overall if o.labels["system"] != "near"}
        assert all(o.chance.p == 1 for o in others.values())  # their own groups permuted are the same groups
        assert all(o.chance.value == pytest.approx(o.value) for o in others.values())
    assert boards["v_beta"].overall[0].labels["system"] == "alone"
    said = [str(s) for s in answer.sentences if "v_beta" in str(s)]
    assert said[0].startswith("near is best by v_beta")
    assert "alone (" in said[0]
    assert not any("alone is best" in str(s) or "one is best" in str(s) for s in answer.sentences)


@in_small()
def test_no_system_leads_where_all_are_as_good_as_their_own_chance():
    answer = q.quality(JUDGES, joined(wild("luck", 3), wild("alone"), wild("one")), "against_judges", resamples=100)
    told = [str(s) for s in answer.sentences[1:]]
    assert len(told) == 4
    page = q.report(JUDGES, joined(wild("luck", 3), wild("alone"), wild("one")), resamples=50, permutations=50)
    assert not any(" leads" in said for said in page.to_dict()["verdict"])
    assert told[0].startswith("None of the 3 systems is better than with its items shuffled")
    assert all(said.endswith("none is better either.") for said in told[1:])


def test_the_leaderboard_has_intervals_chance_and_the_best_first():
    answer = q.quality(JUDGES, SYSTEMS, resamples=200)
    for f in answer.findings:
        assert [o.labels["system"] for o in f.overall] == ["good", "poor"]
        good, poor = f.overall
        assert good.interval.by == "tasks"
        assert good.interval.low <= good.value <= good.interval.high
        assert good.chance.p < 0.02
        assert f.method.sign * poor.value < f.method.sign * good.value
        assert abs(poor.chance.value - good.chance.value) < 0.02  # each its own group sizes, permuted
    rows = answer.to_dict()["results"]
    assert {"task", "system", "method", "value", "details"} == set(rows[0])
    assert {"system", "method", "value", "interval", "group"} <= set(answer.to_dict()["overall"][0])
    ceiling = answer.more["judges_against_each_other"][0]["value"]
    assert 0 < ceiling < 1
    assert "good is best by adjusted_rand against every judge: " in answer.text().replace("\n", " ")


@pytest.mark.parametrize("measure", ["vi", "nvi", "entropy"])
def test_of_distances_the_lowest_is_best(measure):
    f = q.quality(JUDGES, SYSTEMS, f"against_judges(measure={measure})", resamples=100).findings[0]
    assert [o.labels["system"] for o in f.overall] == ["good", "poor"]
    assert f.overall[0].value < f.overall[1].value
    assert f.overall[0].value > 0
    assert f.overall[0].interval.low <= f.overall[0].value <= f.overall[0].interval.high
    assert f.overall[0].chance.p < 0.02


def test_enough_tasks_tell_systems_apart():
    panel = noisy(["ann", "bob", "cat"], tasks=12)
    systems = joined(noisy(["good"], tasks=12, noise=0.1, seed=1), noisy(["poor"], tasks=12, noise=0.9, seed=2))
    f = q.quality(panel, systems, "against_judges", resamples=100).findings[0]
    assert [o.labels["group"] for o in f.overall] == ["a", "b"]


@pytest.mark.parametrize("m", METHODS, ids=str)
def test_one_task_has_intervals_over_judges(m):
    answer = q.quality(JUDGES.select(tasks=["t0"]), SYSTEMS.select(tasks=["t0"]), m, resamples=50)
    assert answer.findings[0].overall[0].interval.by == "judges"
    assert any("over judges" in n for n in answer.notes)


@pytest.mark.parametrize("m", METHODS, ids=str)
def test_methods_parse_back_keep_their_range_and_repeat_by_seed(m):
    again = table.parse(str(m), "groupings", "quality")
    assert (str(again), again.parameters) == (str(m), m.parameters)
    one, again = (q.quality(JUDGES, SYSTEMS, m, resamples=50, permutations=10, seed=4) for _ in range(2))
    assert one.to_json() == again.to_json()
    low, high = m.declaration.range
    assert all(low <= v <= high for v in one.findings[0].values)


@pytest.mark.parametrize("m", METHODS, ids=str)
@given(judges=sheets(4), systems=sheets(2), random=st.randoms(use_true_random=False))
def test_the_order_of_judges_and_names_of_groups_do_not_matter(m, judges, systems, random):
    lists = q.Groupings.from_groups({f"s{k}": s for k, s in enumerate(systems)})
    one = q.quality(q.Groupings.from_groups({f"j{k}": s for k, s in enumerate(judges)}), lists, m, resamples=0)
    order = list(range(len(judges)))
    random.shuffle(order)
    renamed = {f"j{k}": {i: g if g is None else f"g{9 - g}" for i, g in judges[k].items()} for k in order}
    other = q.quality(q.Groupings.from_groups(renamed), lists, m, resamples=0)
    assert one.findings[0].values == pytest.approx(other.findings[0].values, nan_ok=True)


DEGENERATE = [
    {"a": {"x": 1}},
    {"a": {"x": 1, "y": 1}, "b": {"x": None, "y": None}},
    {"a": {"x": None}, "b": {"x": None}},
    {"a": {"x": 1, "y": 1}, "b": {"x": 1, "y": 1}},
]


@pytest.mark.parametrize("m", [*METHODS, METHODS[0].with_(measure="rand", left_out="common")], ids=str)
@pytest.mark.parametrize("k", range(len(DEGENERATE)))
def test_degenerate_panels_give_an_answer(m, k):
    panel = q.Groupings.from_groups(DEGENERATE[k])
    for system in ({"x": 1}, {"x": None}, {"x": 1, "nobody's": 1}):
        answer = q.quality(
            panel, q.Groupings.from_groups({"s": system, "t": {"x": 1}}), m, resamples=20, permutations=5
        )
        assert json.loads(answer.to_json())["results"]
        assert answer.text()


def test_what_was_left_aside_is_noted():
    systems = q.Groupings.from_groups(
        {"t0": {"new": {0: 1, 1: 1, "strange": 2}}, "t9": {"new": {0: 1}}, "t1": {"old": {0: 1}}}
    )
    notes = " ".join(q.quality(JUDGES, systems, "against_judges", resamples=20, permutations=0).notes)
    assert "1 task (t2) has no system's clustering" in notes
    assert "1 task (t9) has clusterings but no judge" in notes
    assert "1 of 4 items in systems' groups are known to no judge" in notes
    assert "system new did 1 of 2 tasks" in notes


def test_mistakes_are_errors():
    with pytest.raises(InputError, match="none of the judges' tasks"):
        q.quality(JUDGES, q.Groupings.from_groups({"t8": {"s": {1: 1}}}))
    with pytest.raises(InputError, match="the systems are orderings"):
        q.quality(JUDGES, q.Orderings.from_orders(["ab"]))
    with pytest.raises(UnknownId, match="did you mean 'good'"):
        explain(JUDGES, SYSTEMS, "goud")
    with pytest.raises(InputError, match="did none of these tasks"):
        explain(JUDGES.select(tasks=["t0"]), q.Groupings.from_groups({"t0": {"a": {1: 1}}, "t1": {"b": {1: 1}}}), "b")


# -- advice ------------------------------------------------------------------------------------------------------------


@given(sheets(4), sheets(1))
def test_advice_ends_where_no_single_move_wins_votes(judges, systems):
    panel = q.Groupings.from_groups({f"j{k}": s for k, s in enumerate(judges)})
    found = explain(panel, q.Groupings.from_groups({"s": systems[0]}), "s")[0]
    groups = {i: g for i, g in systems[0].items() if g is not None}
    for m in found.moves:  # follow the advice
        if m.do == "leave out":
            del groups[m.item]
        else:
            groups[m.item] = groups[m.to[0]] if m.to else object()
    assert set(groups) == set(ITEMS) - set(plain.left_out(judges, list(ITEMS))) - _undecided(judges, systems[0])
    names = set(groups.values()) | {"new"}

    def worth(some):
        return plain.worth(judges, [[i for i in some if some[i] == n] for n in set(some.values())], False)

    best = worth(groups)
    for item in groups:
        assert all(worth({**groups, item: n}) <= best for n in names)
    steps = [m.votes for m in found.moves if m.do == "move"]
    assert all(v > 0 for v in steps)


def _undecided(judges, system):
    """Left out by the system, and by just half of the judges: nobody says that it must come in."""
    return {i for i in ITEMS if system[i] is None and 2 * sum(j[i] is not None for j in judges) == len(judges)}


def test_advice_says_what_speaks_for_a_move():
    judges = q.Groupings.from_groups({j: {"w": 1, "x": 1, "y": 2, "z": 2, "o": None} for j in "abc"})
    system = q.Groupings.from_groups({"s": {"w": 1, "x": 1, "y": 1, "z": None, "o": 1}})
    found = explain(judges, system, "s")[0]
    told = [(m.item, m.do, m.mates, m.to) for m in found.moves]
    assert told == [
        ("o", "leave out", ("w", "x", "y"), ()),
        ("z", "take in", (), ()),  # with w, x and y it would lose more than it wins
        ("y", "move", ("w", "x"), ("z",)),
    ]
    assert found.moves[0].support == 1
    assert (found.moves[2].support, found.moves[2].now) == (1, 0)
    assert found.after == 1
    assert found.agreement < 1


def test_a_thousand_items_are_explained_in_seconds():
    panel = noisy(["ann", "bob", "cat"], tasks=1, items=1000, clusters=20, noise=0.1)
    system = noisy(["new"], tasks=1, items=1000, clusters=20, noise=0.3, seed=1)
    begun = time.process_time()
    (found,) = explain(panel, system, "new")
    assert time.process_time() - begun < 10  # all items looked at anew for each of hundreds of moves, half a minute
    assert len(found.moves) > 200
    assert found.after > found.agreement


# -- stability ---------------------------------------------------------------------------------------------------------


def test_a_clear_leaderboard_is_stable_and_a_close_one_is_not():
    method = "against_judges(measure=v_beta)"
    clear = q.quality(JUDGES, SYSTEMS, method, resamples=100).more["stability"]
    assert [(r["by"], r["tau"], r["same_best"]) for r in clear] == [
        ("judges", 1.0, 1.0), ("tasks", 1.0, 1.0), ("items", 1.0, 1.0)
    ]  # fmt: skip
    twins = joined(*(noisy([f"s{k}"], noise=0.5, seed=k) for k in range(6)))
    close = q.quality(JUDGES, twins, method, resamples=100).more["stability"]
    assert all(r["tau"] < 0.95 for r in close)
    assert min(r["same_best"] for r in close) < 1


def test_what_takes_too_long_to_resample_is_noted(monkeypatch):
    method = "against_consensus"
    assert not any("too much work" in n for n in q.quality(JUDGES, SYSTEMS, method, resamples=20).notes)
    monkeypatch.setattr(budget, "SECOND", 1000)
    answer = q.quality(JUDGES, SYSTEMS, method, resamples=20)
    assert [row["by"] for row in answer.more["stability"]] == ["tasks"]
    assert any("too much work to resample judges and items" in n for n in answer.notes)


def test_tau_b_is_scipys():
    from scipy.stats import kendalltau

    rng = np.random.default_rng(0)
    for _ in range(20):
        a, b = rng.integers(4, size=(2, 7)).astype(float)
        assert correlate(a, b, "kendall") == pytest.approx(float(kendalltau(a, b).statistic), nan_ok=True)
    assert math.isnan(correlate(np.ones(3), np.arange(3.0), "kendall"))


@pytest.mark.long
def test_a_hundred_thousand_rows():
    begun = time.process_time()
    panel = noisy([f"j{k}" for k in range(20)], tasks=50, items=100, clusters=12)
    assert len(panel) == 100_000
    systems = joined(*(noisy([f"s{k}"], tasks=50, items=100, clusters=12, noise=0.1 * k, seed=k) for k in range(1, 6)))
    answer = q.quality(panel, systems, "against_judges", permutations=5)
    assert answer.findings[0].overall[0].labels["system"] == "s1"
    assert time.process_time() - begun < 60


def test_hundreds_of_small_tasks_are_not_asked_one_by_one():
    rng = np.random.default_rng(6)
    tasks, judges, items = 100, 3, 8

    def made(who):
        every = np.arange(tasks * len(who) * items)
        task = every // (len(who) * items)
        judge = np.array(who)[every // items % len(who)]
        columns = {"task": task, "judge": judge, "item": task * items + every % items}
        return q.Groupings.build({**columns, "group": rng.integers(3, size=len(every))})

    panel, systems = made([f"j{k}" for k in range(judges)]), made(["new", "old"])
    begun = time.process_time()
    answer = q.quality(panel, systems, permutations=20)
    assert time.process_time() - begun < 3  # one by one, with half of the items drawn 20 times, about 6 seconds
    assert len(answer.findings[0].values) == 2 * tasks


@pytest.mark.parametrize("m", METHODS, ids=str)
def test_a_task_among_tasks_of_other_shapes_has_the_values_it_has_alone(m):
    rng = random.Random(8)
    shapes = {"t0": (3, 5), "t1": (2, 4), "t2": (3, 5), "t3": (2, 66), "t4": (3, 5)}

    def made(who, judges):
        return {
            t: {f"{who}{j}": {f"{t}{i}": rng.choice([1, 2, 3, None]) for i in range(n)} for j in range(judges or k)}
            for t, (k, n) in shapes.items()
        }

    judges, systems = made("j", 0), made("s", 2)
    few = {"resamples": 20, "permutations": 5}
    found = q.quality(q.Groupings.from_groups(judges), q.Groupings.from_groups(systems), m, **few).findings[0]
    seen = {(t, s): v for t, s, v in zip(found.keys["task"], found.keys["system"], found.values, strict=True)}
    for t in shapes:
        one = q.Groupings.from_groups({t: judges[t]}), q.Groupings.from_groups({t: systems[t]})
        alone = q.quality(*one, m, **few).findings[0]
        assert [seen[t, s] for s in alone.keys["system"]] == pytest.approx(alone.values)


@pytest.mark.parametrize("measure", ["v_beta", "nvi", "adjusted_rand"])
def test_of_two_tasks_the_interval_reaches_beyond_their_two_values(measure):
    # Between the two values lies the mean of all such tasks in one of two cases only.
    found = q.quality(noisy(["ann", "bob", "cat"], 2), noisy(["new"], 2, seed=1), f"against_judges(measure={measure})")
    values, (row,) = found.findings[0].values, found.findings[0].overall
    assert row.interval.low < min(values) < max(values) < row.interval.high
    low, high = table.parse(measure, "groupings", "agreement").declaration.range
    assert low <= row.interval.low
    assert row.interval.high <= high


# -- measures with parameters of their own -----------------------------------------------------------------------------


def beside_two():
    judges = {"ann": {"x": 1, "y": 1, "z": 2, "w": 2, "u": None}, "bob": {"x": 1, "y": 2, "z": 2, "w": 3, "u": 3}}
    system = {"x": 1, "y": 1, "z": 1, "w": None, "u": 2}
    return judges, system, q.Groupings.from_groups(judges), q.Groupings.from_groups({"s": system})


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("v(beta=0.5)", {"beta": 0.5}),
        ("b_cubed(average=cluster)", {"average": "cluster"}),
        ("b_cubed(part=recall; average=cluster)", {"part": "recall", "average": "cluster"}),
        ("vi(unit=bits)", {"unit": "bits"}),
    ],
)
@pytest.mark.parametrize("way", ["singletons", "bucket", "common"])
def test_a_nested_measure_has_its_parameters_and_the_outer_treatment(text, how, way):
    judges, system, panel, systems = beside_two()
    measure = MEASURES[text.partition("(")[0]]
    found = q.quality(panel, systems, f"against_judges(measure={text}, left_out={way})", resamples=0, permutations=0)
    wanted = [measure(system, gold, left_out=way, **how) for gold in judges.values()]
    assert found.findings[0].values == pytest.approx([sum(wanted) / 2])
    again = table.parse(str(found.findings[0].method), "groupings", "quality")
    assert again == found.findings[0].method
    gold = {i: k for k, g in enumerate(consensus_groups(panel, "median_partition")) for i in g}
    found = q.quality(panel, systems, f"against_consensus(measure={text}, left_out={way})", resamples=0)
    assert found.findings[0].values == pytest.approx([measure(system, gold, left_out=way, **how)])


def test_nested_measures_are_known_wherever_a_measure_is_asked_for():
    _, _, panel, systems = beside_two()
    assert q.judges(panel, "peer_agreement(measure=v(beta=2))", resamples=5, permutations=5).findings
    assert q.trust(panel, "agreement_stability(measure=v(beta=2))", resamples=5).findings
    found = q.quality(panel, systems, "against_consensus(measure=v(beta=2), consensus=quorum(q=1; join=cliques))")
    assert "consensus=quorum(q=1; join=cliques)" in str(found.findings[0].method)
    text = str(found.findings[0].method)
    assert str(table.parse(text, "groupings", "quality")) == text
    curves = sensitivity([0, 0, 1, 1], ["v(beta=0)", "homogeneity"], repetitions=3)
    assert curves["v(beta=0)"].merge.tolist() == pytest.approx(curves["homogeneity"].merge)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("against_judges(measure=w(beta=0.5))", "measure=w is not known"),
        ("against_judges(measure=together)", "measure=together is not known"),
        ("against_judges(measure=v(gamma=2))", "no parameter 'gamma'"),
        ("against_judges(measure=v(left_out=bucket))", "left_out is given within measure"),
        ("against_consensus(consensus=mean)", "consensus=mean is not known"),
    ],
)
def test_a_wrong_nested_measure_is_an_error_with_a_hint(text, said):
    _, _, panel, systems = beside_two()
    with pytest.raises(BadParameter, match=said) as caught:
        q.quality(panel, systems, text)
    assert "Hint" in str(caught.value)


def test_the_consensus_of_one_task_is_found_once_for_a_figure_its_interval_and_its_chance(monkeypatch):
    asked = []

    def counted(*given):
        asked.append(given)
        return proven(*given)

    proven = consensus_partition.proven
    monkeypatch.setattr(consensus_partition, "proven", counted)
    consensus_partition._known.cache_clear()
    rng = np.random.default_rng(8)
    made = {n: {f"i{k}": int(g) for k, g in enumerate(rng.integers(3, size=8))} for n in ("a", "b", "c", "d", "x", "y")}
    panel = q.Groupings.from_groups({n: made[n] for n in "abcd"})
    systems = q.Groupings.from_groups({n: made[n] for n in "xy"})
    first = q.quality(panel, systems, "against_consensus", resamples=20, permutations=9).to_json()
    assert sum(len(labels) == 1 for _, labels, *_ in asked) == 1  # the others are of several tasks: without each judge
    consensus_partition._known.cache_clear()
    assert q.quality(panel, systems, "against_consensus", resamples=20, permutations=9).to_json() == first
