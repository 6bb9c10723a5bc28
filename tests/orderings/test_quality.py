"""Systems against judges: every method against its plain form, the paper's facts, and what is said of gaps."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.errors import BadParameter, InputError, LimitReached, UnknownId
from quorate.kernels import rank_correlation
from quorate.orderings import (
    average_correlation,
    explain,
    frequent_patterns,
    frequent_sets,
    frespa,
    rank_based,
    weighted_correlation,
)
from quorate.orderings.quality import explanations
from quorate.orderings.simulate import simulate
from quorate.panel.lists import ListDesign, beside, list_design
from tests.reference import patterns as plain
from tests.strategies import counted, orders, strict, votes

NAMES = "abcde"
METHODS = table.methods("orderings", "quality")
INDEX = {"tau": plain.tau_b, "rho": plain.rho}
lists = orders(judges=(1, 1), names=NAMES).map(lambda found: found[0])
policies = st.sampled_from(["unknown", "below", "top-k"])


def same(got, wanted):
    return (math.isnan(got) and math.isnan(wanted)) or got == pytest.approx(wanted, abs=1e-9)


def panel_of(rows):
    return q.Orderings.build(counted(rows))


# -- values -----------------------------------------------------------------------------------------------------------


@given(rows=votes(names=NAMES), target=lists, measure=st.sampled_from(["tau", "rho"]), missing=policies)
def test_correlations_are_those_of_the_judges_one_by_one(rows, target, measure, missing):
    items = {x for order in [target, *(o for o, _ in rows)] for group in order for x in group}
    panel, index = panel_of(rows), INDEX[measure]
    assert same(
        average_correlation(target, panel, measure, missing), plain.average(target, rows, index, missing, items)
    )
    assert same(
        weighted_correlation(target, panel, measure, missing), plain.weighted(target, rows, index, missing, items)
    )


@given(mine=orders(names=NAMES), theirs=orders(names=NAMES), missing=policies)
def test_lists_against_judges_are_pairs(mine, theirs, missing):
    arrays = []
    for several in (mine, theirs):
        out = np.zeros((1, len(several), len(NAMES)), int)
        for k, order in enumerate(several):
            for item, place in plain.places(order).items():
                out[0, k, NAMES.index(item)] = place
        arrays.append(out)
    for kernel, index in ((rank_correlation.tau_b, plain.tau_b), (rank_correlation.rho, plain.rho)):
        found = kernel(*arrays, missing)[0]
        for a, one in enumerate(mine):
            for b, other in enumerate(theirs):
                assert same(float(found[a, b]), index(one, other, missing, NAMES))


@given(
    rows=votes(names=NAMES),
    target=lists,
    min_sup=st.sampled_from([0.0, 0.4, 0.75, 1.0]),
    min_len=st.integers(1, 3),
    max_len=st.one_of(st.none(), st.integers(1, 4)),
    w_len=st.sampled_from([0.0, 1.0, 3.0]),
    w_sup=st.sampled_from([0.0, 1.0, 3.0]),
)
def test_frespa_weighs_the_patterns_one_by_one(rows, target, min_sup, min_len, max_len, w_len, w_sup):
    got = frespa(target, panel_of(rows), min_sup, min_len, max_len, w_len, w_sup)
    assert got == pytest.approx(plain.frespa(target, rows, min_sup, min_len, max_len, w_len, w_sup), abs=1e-9)


@given(rows=votes(names=NAMES), target=lists, min_sup=st.sampled_from([0.4, 0.75, 1.0]))
def test_frequent_sets_weighs_the_sets_one_by_one(rows, target, min_sup):
    found = plain.frequent_sets(rows, min_sup)
    held = set(plain.places(target))
    weight = {s: plain.weight(s, n) for s, n in found.items()}
    total = sum(weight.values())
    wanted = sum(w for s, w in weight.items() if s <= held) / total if total else 0.0
    panel, systems = panel_of(rows), q.Orderings.from_orders({"t": {"s": target}})
    listed = {frozenset(p): n for p, n in frequent_sets(panel, min_sup)}
    assert listed == found
    if any(set(panel.items) & held):
        got = q.quality(panel, systems, f"frequent_sets(min_sup={min_sup})").findings[0].values[0]
        assert got == pytest.approx(wanted, abs=1e-9)


@given(rows=strict(judges=(1, 5), items=(2, 6), names="abcdef"))
def test_rank_based_follows_the_consensus_by_rank_sums(rows):
    sums = {}
    for order in rows:
        for item, place in plain.places(order).items():
            sums[item] = sums.get(item, 0) + place
    order = [[x for x in sums if sums[x] == s] for s in sorted(set(sums.values()))]
    for measure, index in INDEX.items():
        assert same(rank_based(rows[0], rows, measure), index(rows[0], order))


# -- the paper's facts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS, ids=str)
@given(rows=votes(names=NAMES), targets=orders(names=NAMES))
def test_values_stay_in_the_declared_range(method, rows, targets):
    panel = panel_of(rows)
    systems = q.Orderings.from_orders({"t": dict(enumerate(targets))})
    low, high = method.declaration.range
    if set(panel.items) & set(systems.items):
        values = q.quality(panel, systems, method, resamples=100).findings[0].values
        assert all(math.isnan(v) or low <= v <= high for v in values)


@pytest.mark.parametrize("method", [m for m in METHODS if m.declaration.properties["symmetric"]], ids=str)
@given(data=st.data())
def test_neither_the_order_of_judges_nor_the_names_of_items_matter(method, data):
    rows = data.draw(orders(names=NAMES))
    target = data.draw(lists)
    if not {x for o in rows for g in o for x in g} & {x for g in target for x in g}:
        return
    named = dict(zip(NAMES, data.draw(st.permutations("vwxyz")), strict=True))
    renamed = [[[named[x] for x in g] for g in o] for o in data.draw(st.permutations(rows))]
    one = _value(method, rows, target)
    two = _value(method, renamed, [[named[x] for x in g] for g in target])
    assert same(one, two)


def _value(method, rows, target):
    systems = q.Orderings.from_orders({"all": {"s": target}})
    return q.quality(q.Orderings.from_orders(rows), systems, method, resamples=100).findings[0].values[0]


@pytest.mark.parametrize("method", [m for m in METHODS if m.name != "frequent_sets"], ids=str)
def test_the_judges_own_order_is_best_and_its_reverse_worst(method):
    low, high = method.declaration.range
    assert _value(method, ["abcde"] * 4, "abcde") == pytest.approx(min(high, 1))
    assert _value(method, ["abcde"] * 4, "edcba") == pytest.approx(max(low, -1))


def test_the_papers_example_of_tau():
    assert average_correlation("ABCD", ["ACDB"]) == pytest.approx(1 - 2 * 2 / 6)


def test_only_pairs_count_with_a_largest_length_of_two():
    judges = ["abcd", "abcd", "abdc", "bacd"]
    pairs = dict(frequent_patterns(judges, max_len=2))
    kept = sum(s for p, s in pairs.items() if "badc".index(p[0]) < "badc".index(p[1]))
    assert frespa("badc", judges, max_len=2) == pytest.approx(kept / sum(pairs.values()))


def test_no_frequent_pattern_gives_zero_and_says_so():
    panel = q.Orderings.from_orders({f"t{k}": {"a": "ab", "b": "ba"} for k in range(2)})
    systems = q.Orderings.from_orders({f"t{k}": {"s": "ab"} for k in range(2)})
    answer = q.quality(panel, systems, "frespa(min_sup=1.0)")
    assert answer.findings[0].values == [0.0, 0.0]
    assert any("no pattern is frequent" in note for note in answer.notes)


@pytest.mark.parametrize(
    ("negative", "said"), [("clip", "weigh 0"), ("keep", "weigh less than 0"), ("mapped", "weigh less than half")]
)
def test_what_weights_below_zero_become_is_said(negative, said):
    judges = ["abcde", "abced", "abdce", "edcba"]
    answer = q.quality(
        q.Orderings.from_orders({"t": dict(enumerate(judges))}),
        q.Orderings.from_orders({"t": {"s": "abcde"}}),
        f"weighted_correlation(negative={negative})",
    )
    finding = answer.findings[0]
    expected = plain.weighted([*"abcde"], [(o, 1) for o in judges], plain.tau_b, negative=negative)
    assert finding.values[0] == pytest.approx(expected)
    assert finding.details["negative_weights"] == [1]
    assert any(said in note for note in answer.notes)
    assert weighted_correlation("abcde", judges, negative=negative) == pytest.approx(expected)


@given(orders(), st.sampled_from(["clip", "mapped"]))
def test_a_weighted_correlation_stays_a_correlation(judges, negative):
    for target in judges:
        value = weighted_correlation(target, judges, negative=negative)
        assert math.isnan(value) or -1 - 1e-12 <= value <= 1 + 1e-12


def test_nobody_agrees_so_all_count_the_same():
    answer = q.quality(
        q.Orderings.from_orders({"t": {"a": "abc", "b": "cba"}}),
        q.Orderings.from_orders({"t": {"s": "abc"}}),
        "weighted_correlation",
    )
    assert answer.findings[0].values == [0.0]
    assert answer.findings[0].details["fallback"] == [True]
    assert any("all count the same" in note for note in answer.notes)


# -- leave one out: the form in which the trust methods call ----------------------------------------------------------


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_judges_taken_out_by_count_are_not_there(method):
    rng = np.random.default_rng(0)
    positions = (np.arange(7) + 2 * rng.standard_normal((5, 7))).argsort(axis=1).argsort(axis=1) + 1
    out = 1 - np.eye(5, dtype=int)
    targets = np.stack([positions, 8 - positions], axis=1)
    many = method(np.broadcast_to(positions, (5, 5, 7)), out, targets)
    brief = method(np.broadcast_to(positions, (5, 5, 7)), out, targets, brief=True)
    assert many.values == pytest.approx(brief.values, nan_ok=True)
    for k in range(5):
        left = np.delete(positions, k, axis=0)[None]
        alone = method(left, np.ones((1, 4), int), targets[k : k + 1])
        assert many.values[k] == pytest.approx(alone.values[0])


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_no_judge_no_verdict(method):
    rows = np.array([[[1, 2, 3]]])
    assert np.isnan(method(rows, np.array([[0]]), rows).values).all()


@pytest.mark.parametrize("method", METHODS, ids=str)
def test_one_judge_and_one_item(method):
    one = np.ones((1, 1, 1), int)
    value = method(one, one[:, :, 0], one).values[0, 0]
    if method.name in ("frespa", "frequent_sets"):
        assert value == (method.name == "frequent_sets")  # of one item there is a set, but no order
    else:
        assert math.isnan(value)


# -- patterns ---------------------------------------------------------------------------------------------------------


def test_listing_stops_with_a_count_and_a_hint():
    found = frequent_patterns(["abcdefghij"] * 3, limit=50)
    with pytest.raises(LimitReached, match=r"50 patterns(.|\n)*min_sup"):
        list(found)
    assert next(iter(frequent_patterns([list(range(200))] * 3))) == ((0, 1), 3)
    assert list(frequent_patterns([list(range(200))] * 3, which="maximal")) == [(tuple(range(200)), 3)]


@pytest.mark.parametrize(
    "bad", [{"min_sup": 1.5}, {"min_sup": -0.1}, {"min_len": 0}, {"which": "most"}, {"max_len": 0}]
)
def test_bad_parameters_are_told(bad):
    with pytest.raises(BadParameter):
        list(frequent_patterns(["abc"], **bad))


def test_an_explanation_adds_up():
    judges = ["abcd", "abdc", "bacd", "abcd"]
    e = explain("badc", judges, most=100)
    assert e.complete
    assert len(e.contained) + len(e.missed) == e.patterns
    kept = sum(h.weight for h in e.contained)
    assert (
        kept / (kept + sum(h.weight for h in e.missed))
        == pytest.approx(e.value)
        == pytest.approx(frespa("badc", judges))
    )
    assert [h.weight for h in e.missed] == sorted((h.weight for h in e.missed), reverse=True)


def test_long_equal_rankings_are_explained_at_once():
    row = list(range(60))
    e = explain(row[1::-1] + row[2:], [row] * 10, most=3)
    assert e.missed[0].pattern == tuple(row)
    assert len(e.contained[0].pattern) == 59


# -- the answer -------------------------------------------------------------------------------------------------------


def tables(tasks=8):
    judges = {"ann": "abcd", "bob": "abdc", "cat": "bacd"}
    return (
        q.Orderings.from_orders({f"t{k}": judges for k in range(tasks)}),
        q.Orderings.from_orders({f"t{k}": {"new": "abcd", "old": "dcba"} for k in range(tasks)}),
    )


def test_the_answer_has_a_row_per_task_and_system_and_a_leaderboard():
    answer = q.quality(*tables(), "frespa")
    data = answer.to_dict()
    assert {(r["task"], r["system"], r["value"]) for r in data["results"]} == {
        (f"t{k}", s, v) for k in range(8) for s, v in (("new", 1.0), ("old", 0.0))
    }
    best = data["overall"][0]
    assert (best["system"], best["value"], best["interval"], best["group"]) == ("new", 1.0, None, "a")
    assert data["overall"][1]["group"] == "b"
    assert "new is best by frespa: 1.00" in answer.text()
    assert "it differs significantly from old." in answer.text().replace("\n", " ")
    assert all(len(line) <= 80 for line in answer.text().splitlines())


def test_the_same_seed_gives_the_same_answer():
    rng = np.random.default_rng(0)

    def made(names):
        return q.Orderings.from_orders({f"t{k}": {n: list(rng.permutation(6)) for n in names} for k in range(7)})

    panel, systems = made("xyz"), made(["s1", "s2", "s3"])
    texts = [q.quality(panel, systems, seed=s).to_json() for s in (3, 3, 4)]
    assert texts[0] == texts[1] != texts[2]
    alone = q.quality(panel, systems, "frespa", seed=3).to_dict()["overall"]
    assert alone == [o for o in json.loads(texts[0])["overall"] if o["method"] == "frespa"]


def test_systems_whose_lists_are_alike_once_permuted_share_what_chance_gives(monkeypatch):
    rng = np.random.default_rng(2)
    tasks = range(20)
    panel = q.Orderings.from_orders({t: {j: list(rng.permutation(6)) for j in "uvwxyz"} for t in tasks})
    made = {"short": [3, 1, 2], "other": [5, 1, 2], "one": None, "two": None, "again": [2, 3, 1]}
    systems = q.Orderings.from_orders(
        {t: {n: list(rng.permutation(6)) if order is None else order for n, order in made.items()} for t in tasks}
    )
    design, which = list_design(panel, systems).alike_by_chance()
    names = dict(zip(systems.judges, which.tolist(), strict=True))
    assert names["short"] == names["again"]
    assert names["one"] == names["two"]
    assert len(set(which.tolist())) == len(design.systems) == 3
    assert all(p.lists.shape[1] == 3 for p in design.parts)

    def chance(method):
        found = q.quality(panel, systems, method, resamples=0).findings[0].overall
        return {o.labels["system"]: o.null for o in found}

    for method in ("frespa(min_sup=0.5)", "frequent_sets", "average_correlation"):
        shared = chance(method)
        assert shared["one"].value == pytest.approx(shared["two"].value, abs=1e-12)
        with monkeypatch.context() as patch:
            patch.setattr(ListDesign, "alike_by_chance", lambda self: (self, None))
            apart = chance(method)
        for name, null in apart.items():
            assert shared[name].value == pytest.approx(null.value, abs=0.05)
            assert shared[name].p == pytest.approx(null.p, abs=0.15)


def test_nothing_is_dropped_in_silence():
    panel = q.Orderings.from_orders({t: {"ann": "abc", "bob": "acb"} for t in ("t1", "t2", "judged")})
    systems = q.Orderings.from_orders(
        {"t1": {"one": "abc", "two": "cbx"}, "t2": {"one": "cba"}, "extra": {"one": "abc", "two": "abc"}}
    )
    answer = q.quality(panel, systems, "average_correlation")
    said = " ".join(answer.notes)
    assert "(judged) has no system's list" in said
    assert "(extra) has lists but no judge" in said
    assert "two has a list on 1 of 2 tasks" in said
    assert "1 of 9 places" in said
    assert {o.labels["system"]: o.labels["tasks"] for o in answer.findings[0].overall} == {"one": 2, "two": 1}
    assert len(answer.findings[0].values) == 3


def test_items_only_a_system_holds_count_below_when_asked():
    panel = q.Orderings.from_orders({"t": {"ann": "ab"}, "u": {"ann": "ab"}})
    systems = q.Orderings.from_orders({"t": {"s": "xab"}, "u": {"s": "ab"}})
    for missing in ("unknown", "below", "top-k"):
        answer = q.quality(panel, systems, f"average_correlation(missing={missing})")
        wanted = [plain.tau_b([*target], [*"ab"], missing, {*target}) for target in ("xab", "ab")]
        assert answer.findings[0].values == pytest.approx(wanted)


def test_no_task_or_item_in_common_is_an_error():
    panel = q.Orderings.from_orders({"t": {"ann": "ab"}})
    with pytest.raises(InputError, match="no task in common"):
        q.quality(panel, q.Orderings.from_orders({"u": {"s": "ab"}}))
    with pytest.raises(InputError, match="no item"):
        q.quality(panel, q.Orderings.from_orders({"t": {"s": "xy"}}))
    with pytest.raises(InputError, match="groupings"):
        q.quality(panel, q.Groupings.from_groups({"s": {"a": 1}}))


def test_one_task_has_intervals_over_judges():
    panel, systems = (p.select(tasks=["t0"]) for p in tables(1))
    answer = q.quality(panel, systems)
    for finding in answer.findings:
        top = finding.overall[0]
        assert top.interval is not None
        assert top.interval.by == "judges"
        assert top.interval.low <= top.value <= top.interval.high
    assert any("one task only" in note for note in answer.notes)


@pytest.mark.parametrize(("name", "judges", "items"), [("rank_based", 4, 520), ("frespa", 13, 30)])
def test_fewer_resamples_of_long_rankings_are_said(name, judges, items, monkeypatch):
    """Less is drawn than asked for only where rankings are long, and then it is in the notes and the intervals."""
    monkeypatch.setattr("quorate.inference.budget.SECOND", 10**6)
    panel = simulate(judges=judges, items=items, dispersion=0.4)
    found = q.quality(panel, panel.select(judges=panel.judges[:1]), name, resamples=150, permutations=0)
    assert found.findings[0].overall[0].interval.resamples == 100
    assert [n for n in found.notes if "intervals are of 100 resamples, not 150" in n]
    short = simulate(judges=judges, items=5)
    found = q.quality(short, short.select(judges=short.judges[:1]), name, resamples=150, permutations=0)
    assert found.findings[0].overall[0].interval.resamples == 150
    assert not [n for n in found.notes if "resamples" in n]


def test_repeats_of_a_system_use_the_first():
    panel = q.Orderings.from_orders({"t": {"ann": "abc"}})
    raw = {"task": ["t"] * 6, "judge": ["s"] * 6, "item": [*"abcabc"], "position": [1, 2, 3, 3, 2, 1]}
    systems = q.Orderings.build({**raw, "occasion": [1, 1, 1, 2, 2, 2]})
    answer = q.quality(panel, systems, "average_correlation")
    assert answer.findings[0].values == [1.0]
    assert any("1 repeat of the systems left aside" in note for note in answer.notes)


def test_explanations_by_task_and_unknown_systems():
    panel, systems = tables(2)
    found = explanations(panel, systems, "old", table.parse("frespa", "orderings", "quality"))
    assert list(found) == ["t0", "t1"]
    assert not found["t0"].contained
    with pytest.raises(UnknownId, match="Systems: new, old"):
        explanations(panel, systems, "odd", table.parse("frespa", "orderings", "quality"))


def test_lists_are_put_beside_the_judges_they_are_asked_for():
    """Once for all that ask of the same panels, and anew for others."""
    systems = q.Orderings.from_orders({"new": "abcd", "old": "dcba"})
    panels = [q.Orderings.from_orders({"ann": "abcd", "bob": order}) for order in ("abdc", "bacde")]
    first, again, other = (beside(panels[k], systems) for k in (0, 0, 1))
    assert again is first
    assert other.parts[0].positions.shape[2] == 5
    assert beside(panels[0], systems).parts[0].positions.tolist() == first.parts[0].positions.tolist()
