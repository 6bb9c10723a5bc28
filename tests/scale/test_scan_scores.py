"""A scan of scores gives the very bytes that scores in memory give, by methods whose numbers add up over tasks."""

from __future__ import annotations

import importlib

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.errors import BadParameter, InputError, LimitReached
from quorate.inference import budget
from quorate.panel.judge_cells import by_judge
from quorate.scale.judge_cells import passes
from tests.family import few, some
from tests.scale.made_up import files, here, scores
from tests.scale.test_scan import same

BRIEF = {"resamples": 40, "permutations": 20}
ASKED = ("alpha", "percent", "percent(tolerance=0.5)")


@pytest.fixture(autouse=True)
def _few_values(monkeypatch):
    """Chance is estimated on 500 scores, so that small panels have very many."""
    for home in ("panel.score_design", "scale.scores", "words.agreement_notes"):
        monkeypatch.setattr(importlib.import_module(f"quorate.{home}"), "VALUES", 500)


def both(rows: pl.DataFrame, folder, *asked: str, at_once: int = 600, **more):
    """The answer from memory and from a scan in several pieces."""
    pattern = files(rows, folder)
    scan = here(q.scan(pattern, rows=at_once, **more))
    found = q.agreement(scan, *asked, **BRIEF)
    assert found.panel.elsewhere is not None
    assert len(scan.survey.pieces) > 2
    return q.agreement(q.read(*scan.source.files), *asked, **BRIEF), found


def test_alpha_and_percent(tmp_path):
    one, other = both(scores(), tmp_path, *ASKED)
    assert any("missing" in note for note in one.notes)
    assert any("one score only" in note for note in one.notes)
    assert same(one, other)


def test_a_copy_counts_as_one_voice(tmp_path):
    rows = scores(1)
    copy = rows.filter(pl.col("judge") == "ann").with_columns(pl.lit("ann again").alias("judge"))
    one, other = both(pl.concat([rows, copy]).sort("task", maintain_order=True), tmp_path, "alpha")
    assert [c["judge"] for c in one.more["one_voice"]] == ["ann again"]
    assert same(one, other)


def test_scores_that_do_not_vary(tmp_path):
    one, other = both(scores(2).with_columns(pl.lit(3.0).alias("score")), tmp_path, "alpha")
    assert any("no variation" in note for note in one.notes)
    assert same(one, other)


def test_most_tasks_have_one_judge(tmp_path):
    rows = scores(3)
    first = pl.col("judge") == pl.col("judge").first().over("task")
    lone = rows.filter(first | pl.col("task").is_in([f"t{k}" for k in range(40)]))
    assert same(*both(lone, tmp_path, "alpha", at_once=300))


def test_shuffled_rows(tmp_path):
    rows = scores()
    expected = both(rows, tmp_path / "sorted", "alpha")[0]
    rows.sample(fraction=1, shuffle=True, seed=3).write_csv(tmp_path / "rows.csv")
    found = q.agreement(q.scan(tmp_path / "rows.csv", rows=500, workers=1), "alpha", **BRIEF)
    assert [f.overall for f in found.findings] == [f.overall for f in expected.findings]


@pytest.mark.parametrize("own", [True, False], ids=["of each its items", "of all the same items"])
def test_outputs_of_systems(tmp_path, own):
    rows = scores(3)
    if own:
        rows = rows.with_columns(pl.col("item").alias("system"), pl.format("{} {}", "task", "item").alias("item"))
    else:
        other = rows.with_columns(pl.lit("t").alias("system"), pl.col("score").shift(1))
        rows = pl.concat([rows.with_columns(pl.lit("s").alias("system")), other]).sort("task", maintain_order=True)
    assert same(*both(rows, tmp_path / "agreement", "alpha"))
    one, two = judged(rows, tmp_path / "judges", "peer_correlation", "bias")
    assert same(one, two)
    assert own or [f["judge"] for f in one.flagged] == ["j9"]  # who scores at random


def test_a_damaged_part_is_skipped_only_on_demand(tmp_path):
    files(scores(), tmp_path, 1)
    broken = tmp_path / "part-9.parquet"
    more = scores(5, tasks=60).with_columns(pl.format("more {}", "task").alias("task"))
    more.write_parquet(broken, compression="uncompressed")
    content = bytearray(broken.read_bytes())
    content[100:1_000] = bytes(900)
    broken.write_bytes(content)
    pattern = str(tmp_path / "*.parquet")
    with pytest.raises(InputError, match=r"part-9\.parquet rows 1 to .*cannot be read"):
        q.agreement(q.scan(pattern, workers=1), "alpha", **BRIEF)
    found = q.agreement(q.scan(pattern, skip_bad=True, workers=1), "alpha", **BRIEF)
    whole = q.agreement(q.read(tmp_path / "part-0.parquet"), "alpha", **BRIEF)
    assert found.panel.elsewhere is not None
    assert any("skipped" in note and "part-9.parquet" in note for note in found.notes)
    assert found["alpha"].overall == whole["alpha"].overall


# -- judges ------------------------------------------------------------------------------------------------------------

BY_JUDGE = [m for m in table.methods("scores", "judges") if by_judge(m)]


def judged(rows: pl.DataFrame, folder, *asked: str, at_once: int = 600, **more):
    """What is asked of the judges, from memory and from a scan in several pieces."""
    scan = here(q.scan(files(rows, folder), rows=at_once))
    found = q.judges(scan, *asked, **BRIEF)
    assert found.panel.elsewhere is not None
    assert len(scan.survey.pieces) > (at_once < 400 or len(rows) > 1400)
    return q.judges(q.read(*scan.source.files), *asked, **BRIEF), found


@pytest.mark.parametrize("case", ["as usual", "a copy", "one value", "judges who share nothing"])
def test_judges(tmp_path, case):
    rows, methods = scores(), [str(m) for m in BY_JUDGE]
    if case == "as usual":
        methods = []  # the usual methods, with near-duplicates and who is off
    elif case == "a copy":
        copy = rows.filter(pl.col("judge") == "ann").with_columns(pl.lit("ann again").alias("judge"))
        rows = pl.concat([rows, copy]).sort("task", maintain_order=True)
    elif case == "one value":
        rows = rows.with_columns(pl.when(pl.col("judge") == "bob").then(3.0).otherwise("score").alias("score"))
    else:
        apart = pl.when(pl.col("task").hash() % 2 == 0).then(pl.format("{} too", "judge")).otherwise("judge")
        lone = rows.unique("item").with_columns(pl.lit("nobody else").alias("judge"), pl.lit("t alone").alias("task"))
        rows = pl.concat([rows.with_columns(apart.alias("judge")), lone])
    one, other = judged(rows, tmp_path, *methods)
    assert same(one, other)
    assert bool(one.more.get("one_voice")) == (case == "a copy")
    if case in ("as usual", "a copy"):
        assert [f["judge"] for f in one.more["flagged"]] == ["j9"]
    assert any(o.value == 0 for o in other["scale_use"].overall) == (case == "one value")


def test_repeated_scores(tmp_path):
    rows = scores(1)
    again = rows.filter(pl.int_range(pl.len()) % 7 == 0).with_columns(pl.col("score") + 0.25)
    one, other = judged(pl.concat([rows, again]).sort("task", maintain_order=True), tmp_path)
    told = [a.findings[-1].overall for a in (one, other)]
    assert one.findings[-1].method.name == "self_consistency"
    assert told[0] == told[1]
    assert one["noise"].overall == other["noise"].overall


def test_methods_whose_numbers_are_found_one_after_the_other(tmp_path, monkeypatch):
    texts = [str(m) for m in BY_JUDGE]
    assert passes(texts, 10, 10**9) == [tuple(texts)]
    assert passes(texts, 10**7, 10**9) == [(text,) for text in texts]
    monkeypatch.setattr("quorate.scale.judge_cells.SHARE", 10**9)
    assert same(*judged(scores(), tmp_path, *texts))


@given(seed=st.integers(0, 50), at_once=st.integers(100, 900))
@settings(max_examples=few(2, 200))
def test_judges_in_any_pieces(tmp_path_factory, seed, at_once):
    rows, folder = scores(seed, tasks=90), tmp_path_factory.mktemp("judges")
    assert same(*judged(rows, folder, "noise", "bias", at_once=at_once))


def test_very_many_different_values_are_not_counted(tmp_path, monkeypatch):
    monkeypatch.setattr("quorate.scale.judge_cells.DISTINCT", 20)
    with pytest.raises(LimitReached, match="more than 20 different values"):
        judged(scores(), tmp_path, "scale_use")


# -- leaderboards, and what is agreed on of every output --------------------------------------------------------------

BOARDS = {
    q.quality: ("mean_score", "mean_score(of=median)", "mean_score(of=trimmed_mean)"),
    q.consensus: ("mean", "median", "trimmed_mean(share=0.4)"),
}


def boards(rows: pl.DataFrame, folder, ask, rows_at_once: int = 600):
    """The same of a question that is asked of systems' outputs."""
    scan = here(q.scan(files(rows, folder), rows=rows_at_once))
    found = ask(scan, *BOARDS[ask], **BRIEF)
    assert found.panel.elsewhere is not None
    return ask(q.read(*scan.source.files), *BOARDS[ask], **BRIEF), found


CASES = ["items are systems", "systems", "a copy", "few items twice"]


@pytest.mark.parametrize(("case", "ask"), some([(c, a) for c in CASES for a in BOARDS], 3))
def test_boards(tmp_path, ask, case):
    rows = scores()
    if case == "systems":
        rows = rows.with_columns(pl.col("item").alias("system"), pl.format("{} {}", "task", "item").alias("item"))
    elif case == "a copy":
        copy = rows.filter(pl.col("judge") == "ann").with_columns(pl.lit("ann again").alias("judge"))
        rows = pl.concat([rows, copy]).sort("task", maintain_order=True)
    elif case == "few items twice":  # several outputs of a system on a task
        rows = rows.with_columns(pl.lit("s").alias("system"))
    one, other = boards(rows, tmp_path, ask)
    assert same(one, other)
    assert bool(one.more.get("one_voice")) == (case == "a copy")


@given(seed=st.integers(0, 50), at_once=st.integers(100, 900))
@settings(max_examples=few(2, 200))
def test_boards_in_any_pieces(tmp_path_factory, seed, at_once):
    rows, folder = scores(seed, tasks=90), tmp_path_factory.mktemp("boards")
    assert same(*boards(rows, folder, q.quality, at_once))


VARIANCES = ("variance_components", "split_half", "judges_needed(target=0.8)")


@pytest.mark.parametrize("case", ["items", "systems", "several outputs", "one judge", "equal", "a copy", "decimals"])
def test_variances(tmp_path, monkeypatch, case):
    monkeypatch.setattr(budget, "PATIENCE", 0)  # too many scores for intervals of components
    rows = scores(1)
    if case in ("systems", "several outputs"):
        rows = rows.with_columns((pl.col("item").str.tail(1)).alias("system"))
        rows = rows.with_columns(item="item" if case == "systems" else pl.col("item") + pl.col("task"))
    elif case == "one judge":
        rows = rows.filter(pl.col("judge") == "ann")
    elif case == "equal":
        rows = rows.with_columns(score=pl.lit(3.0))
    elif case == "a copy":
        copy = rows.filter(pl.col("judge") == "ann").with_columns(pl.lit("ann again").alias("judge"))
        rows = pl.concat([rows, copy]).sort("task", maintain_order=True)
    elif case == "decimals":
        rows = rows.with_columns(score=pl.col("score") / 7)
    scan = here(q.scan(files(rows, tmp_path), rows=600))
    found = q.trust(scan, *VARIANCES, **BRIEF)
    assert found.panel.elsewhere is not None
    assert same(q.trust(q.read(*scan.source.files), *VARIANCES, **BRIEF), found)


def test_what_needs_all_scores_says_so_before_any_work(tmp_path):
    pattern = files(scores(), tmp_path)
    scan = q.scan(pattern, memory="1MB")
    for ask, said in (
        (lambda: q.agreement(scan, "alpha(level=ordinal)"), r"alpha\(level=ordinal\) needs all rows at once"),
        (lambda: q.judges(scan, "influence"), r"influence\(level=interval\) needs all rows at once"),
        (lambda: q.trust(scan, "without_worst", "influence"), r"without_worst, influence need all rows at once"),
        (lambda: q.trust(scan, "split_half", over="tasks"), "over=tasks draws from all rows at once"),
        (lambda: q.trust(scan, "split_half"), "trust of 230 tasks by 1 method: about .* are needed"),
        (lambda: q.trust(scan, "variance_components"), "scores are few, and intervals of variance_components draw"),
        (lambda: q.judges(scan, "noise"), r"judges of 230 tasks by 1 method: about .* are needed"),
        (lambda: q.quality(scan, "bradley_terry"), "bradley_terry needs all rows at once"),
        (lambda: q.quality(scan, "mean_score(of=additive)"), r"mean_score\(of=additive\) needs all rows at once"),
        (lambda: q.consensus(scan, "mean", "additive"), "additive needs all rows at once"),
        (lambda: q.quality(scan), r"quality of 230 tasks by 1 method: about .* are needed"),
    ):
        with pytest.raises(BadParameter, match=said):
            ask()
