"""A scan of votes, which are held in small integers, gives the very bytes that votes in memory give."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quorate as q
from quorate import table
from quorate.errors import BadParameter, InputError
from quorate.inference import engine, findings
from quorate.inference.results import Options
from quorate.kernels import group_sums
from quorate.panel import by_name, packed_votes, vote_cells
from quorate.panel.many_names import ManyNames
from quorate.scale import survey
from quorate.scale import votes as scanned_votes
from quorate.scale.forecast import NAME, VOTED_ON
from quorate.scale.source import Piece, Source
from tests.family import few
from tests.scale.made_up import Here, files, votes
from tests.scale.test_scan import same

BRIEF = {"resamples": 40, "permutations": 20}
ASKED = {
    q.agreement: (),
    q.judges: (),
    q.consensus: (),
    q.quality: ("bradley_terry(ties=rao-kupper)", "win_rate"),
    q.trust: ("place", "effects", "swaps", "votes_needed", "judges_needed(target=0.8)"),
}


@pytest.fixture(autouse=True)
def _short_blocks(monkeypatch):
    """Votes are looked at 90 at a time."""
    for home in (vote_cells, packed_votes, scanned_votes):
        monkeypatch.setattr(home, "CHUNK", 90)


def both(rows: pl.DataFrame, folder, ask, *methods: str, at_once: int = 600):
    """The answer from memory and from a scan in several pieces."""
    scan = q.scan(files(rows, folder), rows=at_once)
    scan.__dict__["pool"] = Here()
    found = ask(scan, *methods, **BRIEF)
    assert found.panel.elsewhere is not None
    return ask(q.read(*scan.source.files), *methods, **BRIEF), found


@pytest.mark.parametrize("ask", ASKED, ids=lambda f: f.__name__)
def test_votes(tmp_path, ask):
    one, other = both(votes(), tmp_path, ask, *ASKED[ask])
    assert same(one, other)
    assert one.panel.inside() == other.panel.inside()
    assert any("left aside" in note for note in other.notes)
    assert any("verdicts changed" in note for note in other.notes)


@pytest.mark.parametrize("numbers", [False, True])
@pytest.mark.parametrize("shuffled", [False, True])
def test_names_of_very_many_tasks_in_a_column(tmp_path, monkeypatch, numbers, shuffled):
    for home in (survey, by_name):
        monkeypatch.setattr(home, "MANY", 60)
    rows = votes()
    if numbers:
        rows = rows.with_columns(pl.col("task").str.extract(r"(\d+)").cast(pl.Int64))
    rows = rows.sample(fraction=1, shuffle=True, seed=4) if shuffled else rows
    for ask in (q.quality, q.agreement):
        one, other = both(rows, tmp_path / ask.__name__, ask)
        assert isinstance(other.panel.elsewhere.survey.tasks, ManyNames)
        assert isinstance(other.panel.elsewhere.tasks, ManyNames)
        assert same(one, other)


@pytest.mark.parametrize("shuffled", [False, True])
def test_rows_of_very_many_tasks_stay_numbers(tmp_path, monkeypatch, shuffled):
    rows = votes().sample(fraction=1, shuffle=True, seed=4) if shuffled else votes()
    before, _ = both(rows, tmp_path / "few", q.agreement)
    for home in (survey, by_name, scanned_votes, engine, findings, group_sums):
        monkeypatch.setattr(home, "MANY", 60)
    one, other = both(rows, tmp_path / "many", q.agreement)
    assert other.panel.elsewhere.scan.pool.rested  # workers need not wait
    assert all(isinstance(f.details["pairs"], np.ndarray) for f in (one["same_choice"], other["same_choice"]))
    assert same(one, other)
    assert json.loads(one.to_json())["results"] == json.loads(before.to_json())["results"]


def test_who_is_off_and_who_repeats_another(tmp_path):
    rows = votes(1).filter(pl.col("winner") != "")
    copy = rows.filter(pl.col("judge") == "ann").with_columns(pl.lit("ann again").alias("judge"))
    one, other = both(pl.concat([rows, copy]).sort("task", maintain_order=True), tmp_path, q.judges)
    assert [c["judge"] for c in other.more["one_voice"]] == ["ann again"]
    assert [f["judge"] for f in other.more["flagged"]] == ["j9"]
    assert same(one, other)


def test_pairs_that_are_shown_one_way_only(tmp_path):
    rows = votes(2).filter(pl.col("model_a") < pl.col("model_b"))
    for ask in (q.judges, q.quality, q.trust):
        assert same(*both(rows, tmp_path / ask.__name__, ask))


@given(seed=st.integers(0, 50), at_once=st.integers(100, 900))
@settings(max_examples=few(2, 200))
def test_in_any_pieces(tmp_path_factory, seed, at_once):
    rows = votes(seed, tasks=90)
    folder = tmp_path_factory.mktemp("votes")
    assert same(*both(rows, folder, q.judges, "with_others", "consistency", at_once=at_once))


def test_shuffled_rows_in_processes(tmp_path):
    rows = votes()
    expected = both(rows, tmp_path / "sorted", q.quality)[0]
    rows.sample(fraction=1, shuffle=True, seed=3).write_csv(tmp_path / "rows.csv")
    found = q.quality(q.scan(tmp_path / "rows.csv", rows=500, workers=1), **BRIEF)
    assert found.panel.elsewhere is not None
    assert [f.overall for f in found.findings] == [f.overall for f in expected.findings]


def test_what_needs_all_that_is_told_of_votes_says_so(tmp_path):
    scan = q.scan(files(votes(), tmp_path / "votes"), memory="1MB")
    named = votes().with_columns(
        pl.when(pl.col("judge") == "ann").then(pl.lit("文0")).otherwise("judge").alias("judge")
    )
    own = q.scan(files(named, tmp_path / "own"), memory="1MB")
    length = [pl.lit(k).alias(f"length_{side}") for k, side in enumerate("ab")]
    long = q.scan(files(votes().with_columns(length), tmp_path / "long"), memory="1MB")
    kinds = q.scan(files(votes().with_columns(judge_kind=pl.lit("llm")), tmp_path / "kinds"), memory="1MB")
    for ask, said in (
        (lambda: q.quality(scan, "elo"), r"elo.* needs all rows at once"),
        (lambda: q.quality(scan, "bradley_terry(place=judge)"), r"bradley_terry.* needs all rows at once"),
        (lambda: q.trust(scan, "next_pairs"), "next_pairs needs all rows at once"),
        (lambda: q.trust(scan, over="judges"), "over=judges draws from all rows at once"),
        (lambda: q.trust(long), "columns 'length_a' and 'length_b', which may decide votes, need all rows at once"),
        (lambda: q.trust(scan), "trust of 230 tasks by 4 methods: about .* are needed"),
        (lambda: q.agreement(scan, over="judges"), "over=judges draws from all rows at once"),
        (lambda: q.judges(own), "文0 votes on a system of its own name"),
        (lambda: q.judges(kinds), "a column 'judge_kind' needs all rows at once"),
        (lambda: q.judges(scan), "judges of 230 tasks by 3 methods: about .* are needed"),
    ):
        with pytest.raises(BadParameter, match=said):
            ask()


@pytest.mark.parametrize("question", ["quality", "judges"])
def test_the_forecast_grows_with_tasks_and_hardly_with_votes(tmp_path, question):
    methods = table.methods("votes", question, default=True)
    small, large = (
        q.scan(files(votes(0, tasks), tmp_path / str(tasks)), rows=300).forecast(question, methods, Options())
        for tasks in (100, 200)
    )
    more = large.memory - small.memory
    votes_held = 2 * (large.rows - small.rows) if question == "judges" else 0
    assert more == pytest.approx(votes_held + (NAME + VOTED_ON) * 100)


def test_trust_of_votes_is_foretold(tmp_path):
    scan = q.scan(files(votes(), tmp_path), rows=300)
    methods = table.methods("votes", "trust", default=True)
    told = scan.forecast("trust", methods, Options())
    assert told.values == 0  # no rows by task
    assert told.memory < scan.forecast("agreement", table.methods("votes", "agreement", default=True), Options()).memory
    assert "at once" not in scan.told_before("trust", methods, Options())


def test_a_task_that_no_name_tells_is_asked_for_in_pieces(tmp_path):
    """What the rows of one piece tell, those of another may not."""
    rows = pl.DataFrame(
        [(i, j, f"m{i % 2}", "m2", "tie") for i in range(6) for j in "xyz"],
        schema=["id", "judge", "model_a", "model_b", "winner"],
        orient="row",
    )
    path = str(tmp_path / "votes.parquet")
    rows.write_parquet(path)
    piece = Piece(0, ((path, 0, len(rows)),))
    with pytest.raises(InputError, match="'id' is taken as the task") as caught:
        Source.of([path], None, None).part(piece)
    assert "--rename id=task" in caught.value.hint
    assert len(Source.of([path], None, None, rename="id=task").part(piece).raw["task"].ids) == 6
