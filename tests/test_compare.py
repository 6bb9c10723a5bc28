"""Panels side by side: differences, their tests, and what a reader is told."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.comparison import compare
from tests.family import LONG

pytestmark = pytest.mark.usefixtures("in_small")


def orders(
    seed: int, noise: float, *, tasks: int = 1, judges: int = 6, items: int = 6, prefix: str = "j"
) -> q.Orderings:
    rng = np.random.default_rng(seed)
    rows = [
        (f"t{t}", f"{prefix}{j}", f"i{i}", p)
        for t in range(tasks)
        for j in range(judges)
        for p, i in enumerate(np.argsort(np.arange(items) + noise * rng.normal(size=items)).tolist(), 1)
    ]
    return q.Orderings.build(dict(zip(("task", "judge", "item", "position"), zip(*rows, strict=True), strict=True)))


def test_values_are_those_of_the_panels_alone():
    a, b = orders(1, 3.0, tasks=7), orders(2, 1.0, tasks=7)
    (found,) = compare({"a": a, "b": b}, "tau_b")["tau_b"]
    one, two = (q.agreement(p, "tau_b")["tau_b"].value for p in (a, b))
    assert (found.labels["first"], found.labels["second"]) == (one, two)
    assert found.value == pytest.approx(two - one)
    assert found.interval.low <= found.value <= found.interval.high


def test_shared_tasks_are_paired_by_flipped_signs():
    a, b = orders(1, 3.0, tasks=7), orders(2, 1.0, tasks=7)
    (found,) = compare({"a": a, "b": b}, "tau_b")["tau_b"]
    gap = np.subtract(*(q.agreement(p, "tau_b")["tau_b"].values for p in (b, a)))
    flips = np.array([[1 if k >> t & 1 else -1 for t in range(7)] for k in range(2**7)])
    exact = float((np.abs(flips @ gap) >= abs(gap.sum()) - 1e-12).mean())
    assert found.labels["test"] == "paired"
    assert found.null.p == pytest.approx(exact)


def test_the_same_judges_on_one_task_exchange_their_answers():
    a, b = orders(1, 3.0), orders(2, 0.5)
    (found,) = compare({"a": a, "b": b}, "tau", permutations=999)["tau"]
    mine, other = a.orders(), b.orders()
    seen = abs(found.value)
    gaps = []
    for k in range(2**6):
        one = {j: (mine if k >> n & 1 else other)[j] for n, j in enumerate(sorted(mine))}
        two = {j: (other if k >> n & 1 else mine)[j] for n, j in enumerate(sorted(mine))}
        values = [
            q.agreement(q.Orderings.from_orders(x), "tau", resamples=0, permutations=0)["tau"].value for x in (one, two)
        ]
        gaps.append(abs(values[1] - values[0]))
    assert found.labels["test"] == "swapped"
    assert found.null.p == pytest.approx(float((np.array(gaps) >= seen - 1e-12).mean()), abs=0.05)


def test_other_judges_on_one_task_are_relabelled():
    (found,) = compare([orders(1, 9.0), orders(2, 0.3, prefix="k")], "tau")["tau"]
    assert found.labels["test"] == "relabelled"
    assert found.null.p < 0.05


def test_panels_with_nothing_in_common_are_resampled_each_for_itself():
    other = orders(2, 0.3, prefix="k", items=5)
    (found,) = compare([orders(1, 3.0), other], "tau")["tau"]
    assert found.labels["test"] == "apart"
    assert found.interval is not None


def test_disjoint_tasks_are_relabelled():
    a = orders(1, 3.0, tasks=5)
    b = q.Orderings.build(
        {n: [f"u{v}" if n == "task" else v for v in c] for n, c in orders(2, 0.3, tasks=6).columns().items()}
    )
    (found,) = compare([a, b], "tau_b")["tau_b"]
    assert found.labels["test"] == "relabelled"
    assert found.null.p < 0.05


@pytest.mark.parametrize("tasks", [1, pytest.param(8, marks=pytest.mark.long)])
def test_alike_panels_are_told_apart_no_more_often_than_promised(tasks):
    panels = 20 if LONG else 8
    p = [
        compare(
            [orders(s, 2.0, tasks=tasks, judges=5), orders(s + 1000, 2.0, tasks=tasks, judges=5, prefix="k")], "tau_b"
        )["tau_b"][0].null.p
        for s in range(panels)
    ]
    assert sum(x <= 0.05 for x in p) <= (4 if LONG else 2)  # more in 0.3 % and 0.6 % of runs


def scores() -> q.Scores:
    rng = np.random.default_rng(5)
    rows = []
    for t in range(12):
        for s in "XYZ":
            true = "XYZ".index(s) + rng.normal()
            for j, noise in (("ann", 0.2), ("bob", 0.2), ("cat", 0.2), ("m1", 2.0), ("m2", 2.0), ("m3", 2.0)):
                kind = "llm" if j.startswith("m") else "human"
                rows.append((f"t{t}", j, kind, f"t{t}-{s}", s, true + noise * rng.normal()))
    names = ("task", "judge", "judge_kind", "item", "system", "score")
    return q.Scores.build(dict(zip(names, zip(*rows, strict=True), strict=True)))


def test_groups_of_one_panel_by_a_column():
    found = compare(scores(), "alpha", by="judge_kind")
    assert list(found.answers) == ["human", "llm"]
    assert found["alpha"][0].value < 0
    assert found["alpha"][0].labels["p_holm"] < 0.05
    assert found.sentences[0].startswith("The judges agree less in llm than in human")


def test_criteria_of_one_panel_are_compared():
    rows = [
        (t, j, c, (t * 7 + (j == "c") * 3 * (c == "form")) % 5)
        for t in range(8)
        for j in "abc"
        for c in ("form", "fact")
    ]
    task, judge, criterion, score = map(list, zip(*rows, strict=True))
    panel = q.Scores.build({"task": task, "judge": judge, "item": task, "criterion": criterion, "score": score})
    found = q.compare(panel, "percent", by="criterion")["percent"][0]
    assert (found.labels["first"], found.labels["second"]) == (pytest.approx(1 / 3), 1)


def test_few_tasks_in_pairs_cannot_settle_a_difference_that_the_interval_sees():
    before = {t: dict(zip("xyz", ("abcd", "badc", "dcba"), strict=True)) for t in range(4)}
    after = {t: dict(zip("xyz", ("abcd", "abcd", "abdc" if t else "abcd"), strict=True)) for t in range(4)}
    found = q.compare({"before": q.Orderings.from_orders(before), "after": q.Orderings.from_orders(after)}, "tau")
    assert found["tau"][0].labels["p_holm"] == 0.125  # both ways to flip all signs, of 16
    assert "with 4 tasks in pairs the smallest possible p is 0.12" in found.text().replace("\n", " ")


def test_systems_are_compared_too():
    found = compare(scores(), by="judge_kind", question="quality")
    assert {e.labels["system"] for _, e in found.differences} == {"X", "Y", "Z"}


def test_three_panels_are_corrected_for_their_number():
    found = compare([orders(s, n, prefix=str(s)) for s, n in ((1, 3.0), (2, 3.0), (3, 0.2))], "tau")["tau"]
    assert len(found) == 3
    assert all(e.labels["p_holm"] >= e.null.p for e in found)


def test_groupings_and_votes():
    rng = np.random.default_rng(1)
    rows = [
        (j, f"c{i}", int(rng.integers(3)) if j[0] == "a" else i % 3, j[0])
        for j in ("a1", "a2", "a3", "b1", "b2", "b3")
        for i in range(9)
    ]
    panel = q.Groupings.build(dict(zip(("judge", "item", "group", "school"), zip(*rows, strict=True), strict=True)))
    found = compare(panel, "adjusted_rand", by="school")
    assert found["adjusted_rand"][0].value > 0.5
    assert found.verdict[0]["by"] == "adjusted_rand"


def minds(kind, seed, cooks):
    """Six shoppers and six cooks, who put items in another order, or into other groups, if told so."""
    rng = np.random.default_rng(seed)
    orders_of = [rng.permutation(9), rng.permutation(9)] if cooks else 2 * [rng.permutation(9)]
    rows = []
    for j in range(12):
        seen = orders_of[j // 6] + rng.normal(size=9)
        value = seen.argsort().argsort() + 1 if kind is q.Orderings else np.rint(seen) // 3
        rows += [(f"j{j:02d}", f"i{i}", int(v), "cook" if j > 5 else "shopper") for i, v in enumerate(value.tolist())]
    what = "position" if kind is q.Orderings else "group" if kind is q.Groupings else "score"
    return kind.build(dict(zip(("judge", "item", what, "role"), map(list, zip(*rows, strict=True)), strict=True)))


@pytest.mark.parametrize("kind", [q.Orderings, q.Groupings, q.Scores])
def test_groups_of_another_mind_are_told_and_those_of_one_are_not(kind):
    found = {cooks: [compare(minds(kind, s, cooks), by="role").verdict[0] for s in range(4)] for cooks in (True, False)}
    assert sum(row["p_holm"] <= 0.05 for row in found[True]) >= 3
    assert sum(row["p_holm"] <= 0.05 for row in found[False]) <= 1
    assert all(min(row["within"]) > row["across"] for row in found[True] if row["p_holm"] <= 0.05)


def test_a_group_that_scores_higher_throughout_is_told_apart_with_levels_aside_only():
    rng = np.random.default_rng(5)
    value = rng.normal(size=(1, 30)) + rng.normal(0, 0.5, (8, 30)) + 2.0 * (np.arange(8) > 3)[:, None]
    rows = [(f"j{j}", f"i{i}", float(value[j, i]), "high" if j > 3 else "low") for j in range(8) for i in range(30)]
    names = ("judge", "item", "score", "group")
    panel = q.Scores.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    found = q.compare(panel, by="group", permutations=99, resamples=50)
    assert any("cannot be told apart by how they judge, levels and spreads aside" in s for s in found.sentences)


def test_where_the_same_judges_judged_again_no_groups_are_told_apart():
    assert "p_holm" not in compare({"before": orders(1, 1.0), "after": orders(2, 1.0)}).verdict[0]


def test_bad_input():
    one = orders(1, 1.0)
    with pytest.raises(q.InputError, match="nothing to be compared with"):
        compare(one)
    with pytest.raises(q.InputError, match="nothing to be compared with"):
        compare([one])
    with pytest.raises(q.UnknownId, match="no column 'school'"):
        compare(one, by="school")
    with pytest.raises(q.UnknownId, match="no column 'criterion'"):
        compare(orders(1, 1.0, tasks=3), by="criterion")  # tasks are no criteria
    with pytest.raises(q.InputError, match="hold orderings and scores"):
        compare([one, scores()])
    with pytest.raises(q.InputError, match="hold no systems"):
        compare([one, orders(2, 1.0)], question="quality")


def test_command(tmp_path):
    files = []
    for name, seed, noise in (("before", 1, 3.0), ("after", 2, 0.5)):
        q.write(orders(seed, noise, tasks=6), tmp_path / f"{name}.csv")
        files.append(str(tmp_path / f"{name}.csv"))
    run = CliRunner().invoke(main, ["compare", *files, "--method", "tau_b", "--format", "json"])
    assert run.exit_code == 0, run.output
    told = json.loads(run.output)
    assert [p["panel"] for p in told["panels"]] == ["before", "after"]
    row = told["differences"][0]
    assert {"method", "value", "interval", "p_value", "panel", "against", "first", "second", "test"} <= set(row)
    text = CliRunner().invoke(main, ["compare", *files]).output
    assert "The judges agree more in after than in before" in " ".join(text.split())
    page = tmp_path / "page.html"
    assert CliRunner().invoke(main, ["compare", *files, "--out", str(page)]).exit_code == 0
    assert "side by side" in page.read_text("utf-8")
    again = CliRunner().invoke(main, ["compare", files[0]])
    assert again.exit_code == 2
    assert "nothing to be compared with" in again.output


def test_command_by_a_table_of_judges_or_tasks(tmp_path):
    q.write(orders(1, 1.0, tasks=2), tmp_path / "in.csv")
    panel = q.read(tmp_path / "in.csv")
    for column, names in (("judge", panel.judges), ("task", panel.tasks)):
        table = tmp_path / f"{column}s.csv"
        table.write_text(f"{column},group\n" + "".join(f"{n},{'ab'[k % 2]}\n" for k, n in enumerate(names)), "utf-8")
        arguments = ["compare", str(tmp_path / "in.csv"), "--by", str(table), "--method", "tau_b", "--format", "json"]
        run = CliRunner().invoke(main, arguments)
        assert run.exit_code == 0, run.output
        assert {p["panel"] for p in json.loads(run.output)["panels"]} == {"a", "b"}


def test_command_on_quality_of_systems(tmp_path):
    for name, seed, noise in (("before", 1, 3.0), ("after", 2, 0.5), ("lists", 3, 0.1)):
        q.write(orders(seed, noise, tasks=6), tmp_path / f"{name}.csv")
    files = [str(tmp_path / f"{n}.csv") for n in ("before", "after")]
    more = ["--question", "quality", "--systems", str(tmp_path / "lists.csv"), "--format", "json"]
    run = CliRunner().invoke(main, ["compare", *files, *more])
    assert run.exit_code == 0, run.output
    found = json.loads(run.output)["differences"]
    assert {row["system"] for row in found} == set(q.read(tmp_path / "lists.csv").judges)


def test_an_interval_that_holds_every_difference_is_said_to():
    same, reverse = ("ab", "ab"), ("ab", "ba")

    def panel(*tasks: tuple[str, str]) -> q.Orderings:
        rows = [
            (t, j, x, k) for t, orders in enumerate(tasks) for j, o in enumerate(orders) for k, x in enumerate(o, 1)
        ]
        return q.Orderings.build(dict(zip(("task", "judge", "item", "position"), zip(*rows, strict=True), strict=True)))

    found = compare([panel(same, reverse), panel(reverse, same)], "tau_b")
    (e,) = found["tau_b"]
    assert (e.interval.low, e.interval.high) == (-2, 2)
    assert "so few tasks that any difference fits" in found.sentences[0]


def test_a_difference_in_pairs_that_is_not_that_of_the_figures_is_told():
    def panel(last):
        orders = {t: {"a": "xyz", "b": "xzy"} for t in "uvw"} | {"z": last}
        rows = [(t, j, i, k) for t, by in orders.items() for j, o in by.items() for k, i in enumerate(o, 1)]
        heads = ("task", "judge", "item", "position")
        return q.Orderings.build(dict(zip(heads, map(list, zip(*rows, strict=True)), strict=True)))

    one, two = panel({"a": "xyz"}), panel({"a": "xyz", "b": "zyx"})  # one judge of z tells nothing
    assert not any("in both panels" in n for n in compare({"one": two, "same": two}, "tau", resamples=20).notes)
    told = compare({"one": one, "two": two}, "tau", resamples=20)
    assert told["tau"][0].value == 0
    assert told["tau"][0].labels["second"] == pytest.approx((3 * (1 / 3) - 1) / 4)
    assert any("tau: the difference is over what has a figure in both panels" in n for n in told.notes)
