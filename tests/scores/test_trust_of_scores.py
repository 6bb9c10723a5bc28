"""Trust in scores: leaderboards without the worst judges, and metrics against human scores."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.errors import InputError
from quorate.inference.intervals import corrected
from quorate.inference.weights import crossed
from quorate.kernels.correlations import COEFFICIENTS
from quorate.scores import acc_eq, discriminated, permutation_test, spa, williams
from quorate.scores.metric_correlations import LEVELS, correlation, resampled, stacked
from quorate.scores.pairwise_accuracy import Pairs
from tests.family import some
from tests.reference import score_trust as plain


@st.composite
def table_pairs(draw):
    """Three tables of inputs x systems with ties and gaps."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    shape = (3, draw(st.integers(1, 4)), draw(st.integers(1, 5)))
    values = rng.integers(0, draw(st.integers(1, 6)), size=shape).astype(float)
    values[rng.random(shape) < draw(st.sampled_from([0, 0.2, 0.6]))] = math.nan
    return list(values)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@given(tables=table_pairs())
def test_levels_equal_their_plain_twins(coefficient, tables):
    x, z, other = tables
    for level in LEVELS:
        expected = plain.level(x.tolist(), z.tolist(), level, coefficient, [z.tolist(), other.tolist()])
        assert correlation(x, z, level, coefficient, [z, other]) == pytest.approx(expected, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@given(tables=table_pairs(), seed=st.integers(0, 99))
def test_a_resample_is_the_table_of_what_was_drawn(coefficient, tables, seed):
    x, z, other = tables
    times, systems = crossed(seed, "both", *x.shape, 4)
    for level in LEVELS:
        found = resampled(x, z, level, coefficient, times, systems, [z, other])
        for r in range(4):
            i = np.repeat(np.arange(x.shape[0]), times[r].astype(int))
            s = np.repeat(np.arange(x.shape[1]), systems[r].astype(int))
            drawn = [t[np.ix_(i, s)].tolist() for t in (x, z, other)]
            expected = plain.level(*drawn[:2], level, coefficient, drawn[1:])
            assert found[r] == pytest.approx(expected, abs=1e-6, nan_ok=True)


@given(tables=table_pairs())
def test_stacked_tables_are_correlated_as_one_by_one(tables):
    x, z, other = tables
    for level in LEVELS:
        found = stacked(x, np.stack([z, other]), level, "spearman", [np.stack([z, other])])
        each = [correlation(x, t, level, "spearman", [t]) for t in (z, other)]
        assert found.tolist() == pytest.approx(each, abs=1e-9, nan_ok=True)


@given(tables=table_pairs())
def test_the_calibrated_epsilon_is_the_best_there_is(tables):
    x, z, _ = tables
    value, epsilon = acc_eq(x, z)
    if math.isnan(value):
        assert not len(Pairs.of(x, z).metric)
        return
    assert value == pytest.approx(plain.best_epsilon(x.tolist(), z.tolist()))
    assert value == pytest.approx(plain.acc_eq(x.tolist(), z.tolist(), epsilon))


@given(seed=st.integers(0, 99))
def test_soft_pairwise_accuracy_equals_loops_over_pairs(seed):
    from quorate.inference.weights import stream

    rng = np.random.default_rng(seed)
    x, z = rng.integers(0, 4, size=(2, 6, 4)).astype(float)
    signs = stream(0, "signs").integers(0, 2, size=(50, 6), dtype=np.int8).astype(float) * 2 - 1
    assert spa(x, z, 50) == pytest.approx(plain.soft(x, z, signs.tolist()))


def test_soft_pairwise_accuracy_of_a_metric_with_itself_is_one():
    z = np.random.default_rng(0).normal(size=(20, 5))
    assert spa(z * 3 + 1, z) == 1.0


@pytest.mark.parametrize("level", ["system", "input"])
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("swap", ["systems", "inputs", "both"])
def test_permutation_p_is_never_zero_and_small_for_unlike_metrics(level, coefficient, swap):
    rng = np.random.default_rng(0)
    z = rng.normal(size=(12, 8)) + np.arange(8)
    good, bad = z + rng.normal(size=z.shape) / 10, rng.normal(size=z.shape)
    p = permutation_test(good, bad, z, level, coefficient, swap, 99)
    assert 0 < p <= 0.15
    assert permutation_test(good, good, z, level, coefficient, swap, 99) == 1.0


def alike(rng, systems, inputs, one=0.7, two=0.7):
    """Two metrics with effects of systems of their own, and people: tables of inputs x systems."""
    truth, *effect = rng.normal(size=(3, systems))
    noise = rng.normal(size=(3, inputs, systems)) + rng.normal(size=(3, inputs, 1))
    x, y = (r * truth + math.sqrt(1 - r * r) * e for r, e in zip((one, two), effect, strict=True))
    return x + noise[0], y + noise[1], truth + noise[2]


@pytest.mark.parametrize("systems", [8, pytest.param(16, marks=pytest.mark.long)])
def test_equally_good_metrics_seldom_differ_on_other_systems(systems):
    rng, found = np.random.default_rng(1), {"systems": 0, "both": 0}
    for k in range(200):
        tables = alike(rng, systems, 20)
        for swap in found:
            found[swap] += permutation_test(*tables, swap=swap, permutations=199, seed=k) <= 0.05
    assert found["systems"] <= 20  # 10 expected, and three standard errors
    assert found["both"] >= 40  # swapped cells speak of these systems only


def test_a_better_metric_is_found_better():
    rng = np.random.default_rng(2)
    found = [permutation_test(*alike(rng, 30, 20, 0.95, 0.3), permutations=199, seed=k) <= 0.05 for k in range(40)]
    assert sum(found) >= 32


@pytest.mark.parametrize("swap", ["systems", "both"])
@pytest.mark.parametrize("level", ["system", "input"])
def test_the_interval_of_a_difference_holds_0_unless_its_test_is_significant(swap, level):
    rng, kinds = np.random.default_rng(3), set()
    for better in (0.7, 0.98) * 6:
        x, y, z = alike(rng, 8, 10, better, 0.5)
        human, metrics = (beside(tables) for tables in ({"ann": z}, {"m1": x, "m2": y}))
        method = f"metric_differences(level={level}, swap={swap})"
        (found,) = q.trust(human, method, metrics=metrics, resamples=200).findings[0].overall
        sure = found.null.p <= 0.05
        assert sure == (not found.interval.low < 0 < found.interval.high)
        assert found.interval.low <= found.value <= found.interval.high
        assert found.interval.over == ("systems" if swap == "systems" else "systems and inputs")
        kinds.add(sure)
    assert kinds == {True, False}


def beside(tables):
    """Scores of judges, or metrics, from tables of inputs x systems."""
    rows = [(j, i, s, v) for j, table in tables.items() for (i, s), v in np.ndenumerate(table)]
    judge, task, system, score = zip(*rows, strict=True)
    return q.Scores.build({"judge": judge, "task": task, "item": system, "system": system, "score": score})


def test_the_leaderboard_without_a_judge_like_any_other_is_held_to_be_the_same():
    """With many more tasks nothing would move: the intervals of 95 of 100 such panels hold 1."""
    rng, held, many = np.random.default_rng(4), 0, 30
    task, judge, system = (x.ravel() for x in np.indices((15, 4, 6)))
    for k in range(many):
        score = 0.5 * system + rng.normal(size=15)[task] + 0.5 * rng.normal(size=(15, 6))[task, system]
        score = score + 0.5 * rng.normal(size=len(task))
        made = q.Scores.build({"task": task, "judge": judge, "item": system, "system": system, "score": score})
        found = q.trust(made, "without_worst(by=noise, worst=1)", resamples=100, seed=k).findings[0].overall
        (rho,) = (o for o in found if o.labels["coefficient"] == "spearman")
        held += rho.interval.high >= 1
    assert held >= many - 5


def test_williams_is_the_formula_and_undefined_without_observations():
    r12, r13, r23, n = 0.8, 0.5, 0.4, 25
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    t = (r12 - r13) * math.sqrt(
        (n - 1) * (1 + r23) / (2 * k * (n - 1) / (n - 3) + ((r12 + r13) / 2) ** 2 * (1 - r23) ** 3)
    )
    from scipy.stats import t as student

    assert williams(r12, r13, r23, n) == pytest.approx((t, 2 * student.sf(t, n - 3)))
    assert all(map(math.isnan, williams(0.5, 0.5, 0.5, 3)))


def test_discriminative_power_finds_what_tukeys_test_finds():
    from scipy.stats import tukey_hsd

    rng = np.random.default_rng(3)
    z = rng.normal(size=(30, 5)) + np.array([0, 0, 1, 1, 2])
    x = rng.normal(size=(30, 5)) + np.array([0, 1, 1, 0, 2])
    sign = []
    for t in (x, z):
        p = tukey_hsd(*t.T).pvalue
        gap = t.mean(axis=0)[:, None] - t.mean(axis=0)
        sign.append(np.where(p < 0.05, np.sign(gap), 0)[np.triu_indices(5, 1)])
    m, h = sign
    found = discriminated(x, z)
    assert found["shared"] == ((h != 0) & (m == h)).sum()
    assert found["lost"] == ((h != 0) & (m == 0)).sum()
    assert found["contradicted"] == ((h != 0) & (m == -h)).sum()
    assert sum(found.values()) == 10
    assert found["shared"] < (h != 0).sum()


def test_bias_corrected_intervals_move_towards_the_value():
    drawn = np.random.default_rng(0).normal(size=2000) - 1  # all resamples lie low
    plain_ends = np.quantile(drawn, [0.025, 0.975])
    found = corrected(0.0, drawn, 0.95, "inputs")
    assert found.low > plain_ends[0]
    assert found.high > plain_ends[1]
    assert corrected(math.nan, drawn, 0.95, "inputs") is None


# -- a planted bad judge -----------------------------------------------------------------------------------------------


def planted(seed, shared=False, bad=3):
    """Eight judges of six tasks each (or all of them), one of whom scores at random; and the true qualities."""
    rng = np.random.default_rng(seed)
    truth = np.linspace(1, 5, 12)
    rows = []
    for task in range(48):
        for judge in range(4) if shared else [task // 6]:
            for system in range(12):
                noise = rng.normal() * 0.5
                value = rng.uniform(1, 5) * 2.5 - 4 if judge == bad else truth[system] + noise
                for occasion in (1, 2):
                    again = rng.uniform(-4, 8) if judge == bad else value + rng.normal() * 0.2
                    rows.append((f"t{task}", f"j{judge}", f"s{system}", occasion, value if occasion == 1 else again))
    task, judge, item, occasion, score = zip(*rows, strict=True)
    panel = q.Scores.build({"task": task, "judge": judge, "item": item, "occasion": occasion, "score": score})
    metric = q.Scores.build({"judge": ["truth"] * 12, "item": [f"s{k}" for k in range(12)], "score": truth})
    return panel, metric


@pytest.mark.parametrize("shared", [False, True])
def test_dropping_the_planted_judge_helps_and_random_drops_do_not(shared):
    panel, truth = planted(5, shared)
    answer = q.trust(panel, "metrics(worst=1)", metrics=truth, resamples=100)
    before, after = (o for o in answer.findings[0].overall if o.labels["level"] == "system")
    assert answer.findings[0].details["judges"][-1] == ["j3"]
    assert after.value > before.value
    assert after.labels["random"] < after.value
    assert after.chance.p < 0.1
    said = " ".join(answer.sentences)
    assert "Without judge j3" in said
    assert "random drops" in said
    assert "Dropping j3 improves it" in said
    assert "dropping one of the others instead does not (" in said
    mean, low, high = next(a for a in answer.findings[0].details["without_another"] if a)
    assert low <= mean <= high
    assert mean < before.value < after.value


@pytest.mark.parametrize("shared", [False, True])
def test_where_nobody_is_bad_dropping_the_worst_judge_is_like_dropping_at_random(shared):
    found = []
    for seed in range(8):
        panel, truth = planted(seed, shared, bad=None)
        answer = q.trust(panel, "metrics(worst=1)", metrics=truth, resamples=100)
        before, after = (o for o in answer.findings[0].overall if o.labels["level"] == "system")
        found.append(after.value > before.value + 0.002 or after.chance.p < 0.05)
    assert sum(found) <= 2


@pytest.mark.parametrize("of", ["mean", "median", "trimmed_mean", "additive", "consistency_weighted"])
@pytest.mark.parametrize("shared", [False, True])
def test_the_systems_may_be_compared_by_any_consensus(of, shared):
    panel, _ = planted(3, shared)
    found = q.trust(panel, f"without_worst(by=noise, worst=1, of={of})", resamples=20).findings[0]
    left = panel.drop_judges("j3")

    def means(some):
        agreed = q.consensus(some, of, resamples=0).findings[0]
        sums: dict = {}
        for item, value in zip(agreed.keys["item"], agreed.values, strict=True):
            sums.setdefault(item, []).append(value)
        return [plain.mean(sums[i]) for i in sorted(sums)]

    assert found.details["judges"][0] == ["j3"]
    for c, value in zip(found.keys["coefficient"], found.values, strict=True):
        assert value == pytest.approx(plain.CORRELATIONS[c](means(panel), means(left)))


@pytest.mark.parametrize("by", ["gap", "auto_pyramid"])
def test_judges_may_be_ordered_by_what_they_missed(by):
    panel, _ = planted(3)
    columns = panel.columns()
    columns["auto"] = [v + (j == "j5") for j, v in zip(columns["judge"], columns["score"], strict=True)]
    found = q.trust(q.Scores.build(columns), f"without_worst(by={by}, worst=1)", resamples=100).findings[0]
    assert found.details["judges"][0] == ["j5"]


@pytest.mark.parametrize("by", ["alpha", "noise", "influence"])
def test_the_planted_judge_is_the_worst_by_any_criterion(by):
    panel, _ = planted(1)
    answer = q.trust(panel, f"without_worst(by={by})", resamples=100)
    assert answer.findings[0].details["judges"][0] == ["j3"]
    assert answer.sentences[1].startswith(f"Worst judge by {by}: j3 (")
    assert all(o.labels["random_low"] <= o.labels["random"] <= 1 for o in answer.findings[0].overall)


def test_without_worst_is_what_dropping_by_hand_gives():
    panel, _ = planted(2)
    found = q.trust(panel, "without_worst(worst=2, by=noise)", resamples=100).findings[0]

    def means(drop):
        sums: dict = {}
        for j, i, o, v in zip(*(panel.columns()[n] for n in ("judge", "item", "occasion", "score")), strict=True):
            if o == 1 and j not in drop:
                sums.setdefault(i, []).append(v)
        return [plain.mean(sums[i]) for i in sorted(sums)]

    for row in range(6):
        judges, c = found.details["judges"][row], found.keys["coefficient"][row]
        expected = plain.CORRELATIONS[c](means(()), means(judges))
        assert found.values[row] == pytest.approx(expected)
        assert found.details["dropped"][row] == 6 * len(judges)
        low, high = found.details["random_interval"][row]
        assert low <= found.details["random"][row] <= high


def test_systems_that_change_places_are_named():
    panel = q.Scores.build(
        {"task": ["t", "t", "u", "u"], "judge": ["a", "a", "b", "b"], "item": ["x", "y"] * 2, "score": [1, 2, 9, 1]}
    )
    found = q.trust(panel, "influence").findings[0]
    rows = list(found.rows())
    assert {(r["judge"], r["system"]): r["value"] for r in rows} == {
        ("a", "x"): 1,
        ("a", "y"): 2,
        ("b", "x"): 2,
        ("b", "y"): 1,
    }
    assert found.overall[0].labels["judge"] == "b"
    assert found.overall[0].value == -1.0


def test_scores_are_dropped_where_judges_share_tasks_and_tasks_where_not():
    panel, _ = planted(0, shared=True)
    assert "scores are dropped" in " ".join(q.trust(panel, "without_worst", resamples=100).notes)
    panel, _ = planted(0)
    assert "tasks are dropped" in " ".join(q.trust(panel, "without_worst", resamples=100).notes)


def test_without_repeats_or_shared_items_alpha_calls_nobody_worst():
    panel = q.Scores.build({"task": [1, 1, 2, 2], "judge": list("aabb"), "item": list("xyxy"), "score": [1, 2, 2, 1]})
    answer = q.trust(panel, "without_worst", "influence")
    assert "try by=noise" in " ".join(answer.sentences)
    assert not answer.findings[0].overall
    assert answer.findings[1].overall


# -- metrics -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def summeval(data):
    folder = data / "summeval"
    return q.read(folder / "summeval_experts.csv"), q.read(folder / "summeval_llm_judges.csv")


def test_metrics_on_summeval_are_recomputed_plainly(summeval):
    people, models = (p.select(criterion=["coherence"]) for p in summeval)
    models = models.select(judges=["gpt-4o"])
    found = q.trust(people, "metrics(worst=1)", metrics=models, resamples=100).findings[0]
    tasks, systems = people.tasks, people.items

    def tabled(panel, drop=()):
        cells: dict = {}
        for t, j, s, v in zip(*(panel.columns()[n] for n in ("task", "judge", "item", "score")), strict=True):
            if j not in drop:
                cells.setdefault((t, s), []).append(v)
        return [[plain.mean(cells.get((t, s), [])) for s in systems] for t in tasks]

    x = tabled(models)
    worst = found.details["judges"][-1]
    for row, drop in ((0, ()), (4, worst)):
        left = [j for j in people.judges if j not in drop]
        single = [tabled(people.select(judges=[j])) for j in left]
        for k, level in enumerate(LEVELS):
            expected = plain.level(x, tabled(people, drop), level, "pearson", single)
            assert found.keys["level"][row + k] == level
            assert found.values[row + k] == pytest.approx(expected)


@pytest.mark.long
def test_every_method_runs_on_summeval_in_one_call(summeval):
    people, models = summeval
    models = models.select(judges=list(models.judges)[:2])
    answer = q.trust(people, metrics=models, resamples=100, permutations=20)
    every = {d.name for d in table.declarations("scores", "trust") if not d.properties.get("labels")}
    every -= {
        "prediction_powered",
        "model_bias",
        "calibration",
        "worth",
        "people_worth",
    }  # of people and models: own tests
    assert {f.method.name for f in answer.findings} == every
    told = json.loads(answer.to_json())
    assert told["kind"] == "scores"
    assert all(len(line) <= 80 for line in answer.text().splitlines())
    p = [o["p_value"] for o in told["overall"] if o["p_value"] is not None]
    assert len(p) > 20
    assert all(0 < x <= 1 for x in p)


def test_metrics_of_systems_only_have_the_system_level_only():
    panel, truth = planted(0)
    found = q.trust(panel, "metrics", "pairwise_accuracy", "soft_pairwise_accuracy", metrics=truth, resamples=100)
    assert set(found.findings[0].keys["level"]) == {"system"}
    assert any("one value per system" in n for n in found.notes)
    assert found.findings[1].details["of_means"][0] > 0.9
    assert any("left out" in n for n in found.notes)


def test_metrics_of_other_systems_are_an_error_that_shows_both():
    panel, _ = planted(0)
    other = q.Scores.from_matrix([[1, 2]], items=["p", "q"], judges=["m"])
    with pytest.raises(InputError, match=r"no system in common(.|\n)*s0(.|\n)*p, q"):
        q.trust(panel, "metrics", metrics=other)
    with pytest.raises(InputError, match="needs automatic metrics"):
        q.trust(panel, "metrics")


def test_the_bootstrap_mean_is_printed_beside_a_biased_interval():
    panel, _ = planted(0)
    rng = np.random.default_rng(0)
    metric = q.Scores.build(
        {
            "task": panel.task,
            "item": panel.item,
            "occasion": panel.occasion,
            "judge": ["m"] * len(panel),
            "score": panel.value + rng.normal(size=len(panel)) * 3,
        }
    )
    for kind in ("percentile", "corrected"):
        for o in q.trust(panel, f"metrics(interval={kind})", metrics=metric, resamples=200).findings[0].overall:
            assert math.isfinite(o.labels["bootstrap_mean"])
            assert o.interval.low <= o.interval.high


DEGENERATE = {
    "one judge": [[1.0, 2.0, 3.0]],
    "one item": [[1.0], [2.0]],
    "all the same": [[2.0, 2.0], [2.0, 2.0]],
    "nothing in common": [[1.0, math.nan], [math.nan, 2.0]],
}


@pytest.mark.parametrize("case", DEGENERATE)
def test_degenerate_panels_give_nan_or_say_why_not(case):
    panel = q.Scores.from_matrix(DEGENERATE[case])
    for m in table.methods("scores", "trust"):
        answer = q.trust(panel, m, metrics=panel, resamples=20)
        told = json.loads(answer.to_json())
        low, high = m.declaration.range
        assert all(o["value"] is None or low - 1e-9 <= o["value"] <= high + 1e-9 for o in told["overall"])
        assert answer.sentences
        assert answer.sentences[0] in answer.text().replace("\n", " ")


def test_the_same_seed_gives_the_same_bytes_and_texts_parse_back():
    panel, truth = planted(3)
    for m in some(table.methods("scores", "trust"), 2):
        assert table.parse(str(m), "scores", "trust") == m
        first, second = (
            q.trust(panel, m, metrics=truth, seed=2, resamples=20, permutations=19).to_json() for _ in range(2)
        )
        assert first == second


def test_names_do_not_matter():
    panel, _ = planted(4)
    renamed = q.Scores.build({**panel.columns(), "item": [f"z{i}" for i in panel.item.values()]})
    one, two = (q.trust(p, "without_worst", "influence", resamples=50) for p in (panel, renamed))
    assert [f.values for f in one.findings] == [f.values for f in two.findings]


def test_bias_and_noise_are_those_of_the_judges_question():
    from quorate.panel.outputs import OutputDesign
    from quorate.scores.worst_judges import shift_and_noise

    panel, _ = planted(6, shared=True)
    bias, noise = shift_and_noise(OutputDesign.every(panel)[0])
    told = q.judges(panel, "bias", "noise", resamples=100)
    for name, found in (("bias", bias), ("noise", noise)):
        expected = {o.labels["judge"]: o.value for o in told[name].overall}
        assert dict(zip(panel.judges, found.tolist(), strict=True)) == pytest.approx(expected)


def test_the_command_line_answers_about_scores(tmp_path):
    from click.testing import CliRunner

    from quorate.cli import main

    panel, _ = planted(0)
    q.write(panel, tmp_path / "scores.csv")
    lines = ["system,truth"] + [f"s{k},{k}" for k in range(12)]
    (tmp_path / "metrics.csv").write_text("\n".join(lines) + "\n")
    files = [str(tmp_path / "scores.csv")]
    for words in (
        ["consensus", *files],
        ["quality", *files],
        ["trust", *files, "--metrics", str(tmp_path / "metrics.csv"), "--method", "metrics"],
    ):
        result = CliRunner().invoke(main, [*words, "--resamples", "100"])
        assert result.exit_code == 0, result.output
        assert all(len(line) <= 80 for line in result.output.splitlines())
        assert result.output.split("\n\n", 1)[1].startswith("12 ")
    (tmp_path / "bad.csv").write_text("system,remark\ns1,ok\n")
    result = CliRunner().invoke(main, ["trust", *files, "--metrics", str(tmp_path / "bad.csv")])
    assert result.exit_code == 2
    orders = tmp_path / "orders.rankings"
    orders.write_text("ann: x > y\n")
    assert CliRunner().invoke(main, ["quality", str(orders)]).exit_code == 2
