"""The trust method bootstrap: any method on resampled panels, and grids for tune as text."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given

import quorate as q
from quorate import table
from quorate.cli import main
from quorate.inference.consensus_draws import consensus_drawn
from quorate.inference.engine import Figures
from quorate.inference.results import Options
from quorate.inference.weights import bootstrap, stream
from quorate.orderings.method_parameters import alternatives
from quorate.orderings.simulate import simulate
from quorate.panel.stacks import OrderingDesign
from tests import strategies
from tests.family import some

pytestmark = pytest.mark.usefixtures("in_small")

QUICK = {"resamples": 60, "permutations": 0}
PANEL = simulate(judges=6, items=5, tasks=3, dispersion=0.5, random=1)
SYSTEMS = simulate(judges=3, items=5, tasks=3, dispersion=0.4, seed=9)
ONE = simulate(judges=6, items=5, dispersion=0.5, random=1)
ONE_LIST_EACH = simulate(judges=3, items=5, dispersion=0.4, seed=9)
SLOW = ("bootstrap", "noise", "sweep", "judges_needed", "tune")
ANYTHING = [*(m for m in table.methods("orderings") if m.name not in SLOW)]
ANYTHING += [table.parse("tune(of=rank_based)", "orderings", "trust")]


def found(panel, text, **more):
    return q.trust(panel, text, **{**QUICK, **more}).findings[0]


@pytest.mark.parametrize("method", some(ANYTHING, 3), ids=str)
@pytest.mark.parametrize("panel", [PANEL, ONE], ids=["tasks", "task"])
def test_any_method_can_be_inside(method, panel):
    m = table.find("bootstrap", "orderings", "trust")
    chosen = table.bind(m, {"of": method, "resamples": 12})
    assert table.parse(str(chosen), "orderings", "trust") == chosen
    lists = SYSTEMS if panel is PANEL else ONE_LIST_EACH
    answer = q.trust(panel, chosen, systems=lists if method.declaration.question == "quality" else None, **QUICK)
    told = answer.to_dict()
    assert told["overall"]
    assert answer.sentences
    assert max(map(len, answer.text().splitlines())) <= 80
    for row in told["overall"]:
        assert row["of"] == str(method)
        if row["interval"] is not None:
            assert row["interval"][0] <= row["value"] <= row["interval"][1]


@pytest.mark.parametrize("name", ["tau_b", "peer_correlation", "influence", "support_outliers", "split_half"])
def test_the_value_is_what_the_method_itself_says(name):
    m = next(m for m in table.methods("orderings") if m.name == name)
    verb = getattr(q, m.declaration.question)
    for panel in (PANEL, ONE):
        own = {str(o.labels.get("judge")): o.value for o in verb(panel, m, **QUICK).findings[0].overall}
        rows = found(panel, f"bootstrap(of={name}, resamples=5)").overall
        assert {str(o.labels.get("judge")): o.value for o in rows} == pytest.approx(own)


def test_quality_is_that_of_the_systems_and_needs_them():
    own = {o.labels["system"]: o.value for o in q.quality(PANEL, SYSTEMS, "frespa", **QUICK)["frespa"].overall}
    for over in ("judges", "tasks"):
        rows = found(PANEL, f"bootstrap(of=frespa, over={over})", systems=SYSTEMS).overall
        assert {o.labels["system"]: o.value for o in rows} == pytest.approx(own)
        assert [o.value for o in rows] == sorted(own.values(), reverse=True)
        assert sum(o.labels["first"] for o in rows) >= 1 - 1e-9
    with pytest.raises(q.InputError, match="--systems"):
        found(PANEL, "bootstrap(of=frespa)")
    with pytest.raises(q.InputError, match="leave out systems"):
        q.trust(q.Scores.build({"judge": ["a", "b"], "item": [1, 1], "score": [1.0, 2.0]}), systems=SYSTEMS)


@given(strategies.panels(tasks=(1, 3), judges=(1, 4), items=(1, 4)))
def test_figures_drawn_are_those_of_panels_with_the_judges_as_often(orders):
    design = OrderingDesign.of(q.Orderings.from_orders(orders))
    weights = bootstrap(design, "judges", 4, np.random.default_rng(1))
    values = Figures.of(table.parse("tau_b", "orderings", "agreement"), design).drawn(weights)[:, 0]
    for k in range(4):
        times = dict(zip(map(str, design.judges), weights.judges[k].tolist(), strict=True))
        known = [v for v in (_mean_tau(orders, times, t) for t in orders) if v is not None]
        assert values[k] == pytest.approx(np.mean(known) if known else np.nan, nan_ok=True)


@given(strategies.panels(tasks=(1, 3), judges=(3, 4), items=(1, 4)))
def test_a_consensus_drawn_is_that_of_a_panel_with_the_judges_as_often(orders):
    design, m = OrderingDesign.of(q.Orderings.from_orders(orders)), table.parse("rank_sum", "orderings", "consensus")
    for part in design.parts:
        for t, code in enumerate(part.tasks.tolist()):
            places, judges = consensus_drawn(m, design, part, t, 4, Options()), part.shape[1]
            if judges < 3:
                assert places is None
                continue
            task = design.tasks[code]
            times = stream(0, "consensus", m, code).multinomial(judges, np.full(judges, 1 / judges), size=4)
            items = [str(design.items[i]) for i in part.items[t].tolist()]
            for drawn, row in zip(times.tolist(), places, strict=True):
                who = [design.judges[j] for j in part.judges[t].tolist()]
                copies = {(j, c): orders[task][j] for j, n in zip(who, drawn, strict=True) for c in range(n)}
                again = q.consensus(q.Orderings.from_orders(copies), "rank_sum", **QUICK)["rank_sum"].values[0]
                seen = {str(i): p for p, group in enumerate(again) for i in group}
                mine = np.unique([row[items.index(i)] for i in seen], return_inverse=True)[1]
                assert mine.tolist() == list(seen.values())


def test_panels_drawn_whole_have_tasks_and_judges_as_often():
    design = OrderingDesign.of(PANEL)
    for over in ("tasks", "judges"):
        weights = bootstrap(design, over, 5, np.random.default_rng(2))
        for k, panel in enumerate(design.drawn(weights)):
            if over == "tasks":
                times = [panel.tasks.count(task) for task in design.tasks]
                assert times == weights.tasks[k].tolist()
            else:
                assert panel.tasks == design.tasks
                for part in panel.parts:
                    assert [
                        dict(zip(j, c, strict=True))
                        for j, c in zip(part.judges.tolist(), part.counts.tolist(), strict=True)
                    ] == [{j: n for j, n in enumerate(weights.judges[k].tolist()) if n}] * len(part.tasks)


def _mean_tau(orders, times, task):
    """Mean tau-b over pairs of different judges, as often as they were drawn."""
    from quorate.orderings import tau_b

    total = of = 0.0
    judges = list(orders[task].items())
    for a, (j, x) in enumerate(judges):
        for h, y in judges[a + 1 :]:
            value, weight = tau_b(x, y), times[str(j)] * times[str(h)]
            if weight and not np.isnan(value):
                total, of = total + weight * value, of + weight
    return total / of if of else None


def test_a_clear_winner_stays_and_a_toss_up_does_not():
    clear = q.Orderings.from_orders(["abc"] * 9 + ["bac"])
    toss = q.Orderings.from_orders(["abc"] * 5 + ["bac"] * 5)
    stays = [found(p, "bootstrap(of=kemeny)", resamples=200).overall[0].value for p in (clear, toss)]
    assert stays[0] > 0.99
    assert stays[1] < 0.8
    rows = {r["item"]: r for r in q.trust(clear, "bootstrap(of=kemeny)", **QUICK).to_dict()["results"]}
    assert rows["a"]["value"] == 1
    assert rows["c"]["details"]["interval"] == [3, 3]
    assert rows["a"]["details"]["first"] > 0.9


def test_an_interval_over_judges_holds_the_value_of_new_judges_about_as_often_as_it_says():
    """20 panels of 12 judges; the mean tau-b of 400 such judges is the truth."""
    truth = q.agreement(simulate(judges=400, items=6, dispersion=0.6), "tau_b", **QUICK)["tau_b"].overall[0].value
    inside = 0
    for seed in range(20):
        o = found(simulate(judges=12, items=6, dispersion=0.6, seed=seed + 1), "bootstrap(of=tau_b)", resamples=200)
        inside += o.overall[0].interval.low <= truth <= o.overall[0].interval.high
    assert inside >= 15


def test_what_cannot_be_drawn_is_told():
    with pytest.raises(q.BadParameter, match="over=judges"):
        found(ONE, "bootstrap(of=tau_b, over=tasks)")
    with pytest.raises(q.BadParameter, match="does not depend on the other tasks"):
        found(PANEL, "bootstrap(of=kemeny, over=tasks)")
    with pytest.raises(q.UnknownMethod, match="did you mean 'kemeny'"):
        found(ONE, "bootstrap(of=kemny)")
    with pytest.raises(q.UnknownMethod, match="no method 'bootstrap'"):
        found(ONE, "bootstrap(of=bootstrap(of=tau))")
    alone = q.trust(q.Orderings.from_orders(["abc", "acb"]), "bootstrap(of=tau_b)", **QUICK)
    assert alone.findings[0].overall[0].interval is None
    assert "nothing to draw from" in " ".join(alone.notes)


@pytest.mark.parametrize(
    "text",
    [
        "bootstrap(of=frespa(min_sup=0.5; w_len=0), over=tasks)",
        "bootstrap(of=frespa(min_sup=0.5, w_len=0); over=tasks)",
        "bootstrap(over=tasks, of=frespa(w_len=0, min_sup=0.5))",
    ],
)
def test_commas_and_semicolons_both_separate(text):
    m = table.parse(text, "orderings", "trust")
    assert str(m) == "bootstrap(of=frespa(min_sup=0.5; w_len=0), over=tasks)"


def test_methods_may_be_three_deep():
    m = table.parse("bootstrap(of=noise(of=frespa(min_sup=0.5; w_len=0); repeats=2))", "orderings", "trust")
    assert m["of"] == "noise(of=frespa(min_sup=0.5; w_len=0), repeats=2)"
    assert table.parse(str(m), "orderings", "trust") == m


# -- grids for tune ---------------------------------------------------------------------------------------------------


def test_a_grid_for_tune_is_written_with_bars():
    text = "tune(of=frespa(min_sup=0.5|0.75|1.0; max_len=none|2; w_len=0))"
    m = table.parse(text, "orderings", "trust")
    assert table.parse(str(m), "orderings", "trust") == m
    base, grid = alternatives(m["of"])
    assert (str(base), grid) == ("frespa(w_len=0)", {"min_sup": [0.5, 0.75, 1], "max_len": [None, 2]})
    tuned = found(PANEL, m)
    assert len(tuned.values) == 6
    assert all("w_len=0" in of for of in tuned.keys["of"])
    o = tuned.overall[0]
    assert o.labels["tuned"] == max(tuned.values)
    assert o.labels["untuned"] == pytest.approx(found(PANEL, "discriminativeness(of=frespa(w_len=0))").overall[0].value)


@pytest.mark.parametrize(
    ("of", "fact"),
    [
        ("frespa(min_sup=0.5|1.5)", "min_sup=1.5 is neither a count nor a share"),
        ("frespa(min_sup=0.5|, w_len=1)", "min_sup='' is not a number"),
        ("frespa(minsup=0.5|1)", "names no parameter"),
        ("frespa(min_sup=0.5|1; min_sup=0.75)", "given twice"),
        ("rank_based(measure=tau|phi)", "measure=phi is not known"),
        (
            "frespa(w_len=" + "|".join(map(str, range(100))) + "; w_sup=" + "|".join(map(str, range(100))) + ")",
            "10,000",
        ),
    ],
)
def test_a_wrong_grid_is_told(of, fact):
    with pytest.raises(q.BadParameter, match=fact):
        found(PANEL, f"tune(of={of})")


# -- on the command line ----------------------------------------------------------------------------------------------


def run(*words):
    return CliRunner().invoke(main, list(words))


@pytest.fixture
def files(tmp_path):
    for name, panel in (("panel", PANEL), ("systems", SYSTEMS), ("one", ONE)):
        q.write(panel, tmp_path / f"{name}.csv")
    return tmp_path


def test_the_command_line_bootstraps_any_method(files):
    told = run("trust", str(files / "one.csv"), "--method", "bootstrap(of=kemeny)")
    assert told.exit_code == 0
    assert "stays first in" in told.output
    assert "top two in order" in told.output
    args = ("trust", str(files / "panel.csv"), "--method", "bootstrap(of=frespa)", "--format", "json")
    again = [run(*args, "--systems", str(files / "systems.csv"), "--resamples", "100") for _ in range(2)]
    assert again[0].output == again[1].output
    rows = json.loads(again[0].output)["overall"]
    assert {"system", "method", "value", "interval", "interval_by", "first", "of", "over"} <= set(rows[0])
    lacking = run(*args)
    assert lacking.exit_code == 2
    assert "--systems" in lacking.output


def test_the_command_line_tunes_over_a_grid(files):
    told = run("trust", str(files / "panel.csv"), "--method", "tune(of=frespa(min_sup=0.5|1.0))", "--format", "csv")
    assert told.exit_code == 0
    assert len(told.output.strip().splitlines()) == 3
