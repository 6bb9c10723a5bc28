"""One task of very many judges: counted a block of judges at a time, and the same bytes as in memory."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import quorate as q
from quorate.cli import main
from quorate.errors import BadParameter, InputError
from quorate.inference.judge_groups import drawn_judges
from quorate.kernels.row_marks import lots, marks
from quorate.scale.judge_pieces import look_at_judges
from tests.family import few
from tests.scale.made_up import Here, ballots
from tests.scale.test_scan import same

MANY = 20  # judges of whom groups are drawn, in these tests
BRIEF = {"resamples": 20, "permutations": 19}
FIVE = ("rank_sum", "copeland", "schulze", "kemeny", "supported_order")


@pytest.fixture(autouse=True)
def _many(monkeypatch):
    many(monkeypatch)


def few_are_many(patch):
    """As if more than 20 judges of a task were so many that groups of them are drawn."""
    for home in (
        "inference.judge_groups",
        "inference.drawn_judges",
        "inference.voices",
        "scale.tallies",
        "scale.all_rows",
    ):
        patch.setattr(f"quorate.{home}.JUDGES", MANY)


def many(patch):
    """As if 20 judges were very many, and 12 of them drawn."""
    few_are_many(patch)
    for home in ("inference.drawn_judges", "scale.tallies"):
        patch.setattr(f"quorate.{home}.SOME", 12)
    patch.setattr("quorate.inference.judge_groups.PERMUTED", 30)
    patch.setattr("quorate.inference.judge_groups.FEWEST_PERMUTED", 30)


def scanned(path, rows: int = 60, **more):
    scan = q.scan(path, rows=rows, **more)
    scan.__dict__["pool"] = Here()
    return scan


def both(path, rows: int = 60, **more):
    """What is agreed on in memory and from blocks."""
    scan = scanned(path, rows)
    found = q.consensus(scan, *FIVE, **BRIEF, **more)
    assert type(found.panel.elsewhere).__name__ == "TallyRows"
    return q.consensus(q.read(*scan.source.files), *FIVE, **BRIEF, **more), found


@pytest.mark.parametrize("gaps", [0.0, 0.2])
@pytest.mark.parametrize("absent", [None, "below"])
def test_every_method_that_adds_up(tmp_path, gaps, absent):
    ballots(gaps=gaps).write_parquet(tmp_path / "one.parquet")
    one, other = both(tmp_path / "one.parquet", absent=absent)
    assert same(one, other)
    assert other["rank_sum"].details["resamples"] == [20]


@pytest.mark.parametrize("extension", ["parquet", "csv", "jsonl", "arrow"])
def test_shuffled_rows_of_two_tasks_in_every_format(tmp_path, extension):
    frame = ballots(tasks=("t10", "t2"))
    path = tmp_path / f"two.{extension}"
    mixed = frame.sample(fraction=1, shuffle=True, seed=3)
    how = {"parquet": "write_parquet", "csv": "write_csv", "jsonl": "write_ndjson", "arrow": "write_ipc"}
    getattr(mixed, how[extension])(path)
    mixed.write_parquet(tmp_path / "same.parquet")
    other = q.consensus(scanned(path), *FIVE, **BRIEF)
    assert type(other.panel.elsewhere).__name__ == "TallyRows"
    one = q.consensus(q.read(tmp_path / "same.parquet"), *FIVE, **BRIEF)
    assert one.to_json() == other.to_json()
    assert one.sentences == other.sentences


@pytest.mark.parametrize(
    "made",
    [
        lambda f: f.with_columns(pl.col("judge").str.extract(r"(\d+)").cast(pl.Int64)),
        lambda f: f.with_columns(pl.col("judge", "item").cast(pl.Categorical)),
        lambda f: f.filter(pl.col("item") == "文0"),
        lambda f: f.with_columns(pl.lit(1).alias("position")),
    ],
    ids=["judges are numbers", "categories", "one item", "all tied"],
)
def test_edges(tmp_path, made):
    made(ballots()).write_parquet(tmp_path / "one.parquet")
    assert same(*both(tmp_path / "one.parquet"))


@given(seed=st.integers(0, 50), rows=st.integers(7, 200), files=st.integers(1, 4))
@settings(max_examples=few(2, 200))
def test_any_blocks(tmp_path_factory, seed, rows, files):
    frame, folder = ballots(seed=seed), tmp_path_factory.mktemp("blocks")
    step = -(-frame.height // files)
    for k in range(files):  # a judge's rows may lie in two files
        frame.slice(k * step, step).write_parquet(folder / f"part-{k}.parquet", row_group_size=50)
    one, other = both(str(folder / "*.parquet"), rows)
    assert same(one, other)


def test_two_processes_and_the_command_line(tmp_path, monkeypatch):
    monkeypatch.undo()
    frame = pl.concat([ballots(5_100, gaps=0.0).with_columns(pl.format("{} {}", "judge", pl.lit(k))) for k in "ab"])
    frame.write_parquet(tmp_path / "many.parquet")
    asked = ["--method", "copeland", "--format", "json", "--resamples", "20"]
    found = CliRunner().invoke(main, ["consensus", str(tmp_path / "*.parquet"), "--workers", "2", *asked])
    assert found.exit_code == 0, found.output
    assert found.output == CliRunner().invoke(main, ["consensus", str(tmp_path / "many.parquet"), *asked]).output
    told = CliRunner().invoke(main, ["consensus", str(tmp_path / "*.parquet"), "--method", "copeland", "--dry-run"])
    assert "61,200 rows of 1 task" in told.output
    assert "of 200 groups of judges" in told.output


def test_methods_that_need_every_ranking_say_so_before_any_work(tmp_path):
    ballots().write_parquet(tmp_path / "one.parquet")
    with pytest.raises(BadParameter, match=r"plackett_luce needs all rows of few tasks at once \(of more than 20"):
        q.consensus(scanned(tmp_path / "one.parquet", memory="1MB"), "rank_sum", "plackett_luce")
    with pytest.raises(BadParameter, match=r"judges of 1 task by 3 methods: about 0\.\d GB are needed"):
        q.judges(scanned(tmp_path / "one.parquet", memory="1MB"))
    with pytest.raises(
        BadParameter, match=r"kappa needs all rows of few tasks at once \(of more than 20 judges of a task"
    ):
        q.agreement(scanned(tmp_path / "one.parquet", memory="1MB"), "tau_b", "kappa")
    with pytest.raises(BadParameter, match=r"are needed, and --memory is 0\.0 GB"):
        q.consensus(scanned(tmp_path / "one.parquet", memory="1MB"), "rank_sum")


def test_usual_methods_that_do_not_fit_are_left_out_with_a_note(tmp_path, monkeypatch):
    ballots(gaps=0.0).write_parquet(tmp_path / "one.parquet")
    monkeypatch.setattr("quorate.scale.files.Scan.fits", lambda *_: False)
    found = q.agreement(scanned(tmp_path / "one.parquet"), **BRIEF)
    assert "kappa" not in [f.method.name for f in found.findings]
    assert found.notes[-1] == "kappa: left out, for all rows would have to be in memory at once"
    monkeypatch.undo()
    assert "kappa" in [f.method.name for f in q.agreement(scanned(tmp_path / "one.parquet"), **BRIEF).findings]


def test_few_judges_are_read_into_memory(tmp_path):
    ballots(MANY).write_parquet(tmp_path / "few.parquet")
    found = q.consensus(scanned(tmp_path / "few.parquet"), "rank_sum", **BRIEF)
    assert found.panel.elsewhere is None


def test_an_item_that_a_judge_repeats_is_told(tmp_path):
    frame = ballots(gaps=0.0)
    pl.concat([frame, frame.tail(1)]).write_parquet(tmp_path / "twice.parquet")
    with pytest.raises(InputError, match="repeat"):
        q.consensus(scanned(tmp_path / "twice.parquet"), "rank_sum")


def test_a_damaged_file_is_named_and_skipped_only_on_demand(tmp_path):
    ballots(60).write_parquet(tmp_path / "part-0.parquet")
    more = ballots(300).with_columns(pl.format("more {}", "judge").alias("judge"))
    more.write_parquet(tmp_path / "part-1.parquet", compression="uncompressed")
    content = bytearray((tmp_path / "part-1.parquet").read_bytes())
    content[100:1_000] = bytes(900)
    (tmp_path / "part-1.parquet").write_bytes(content)
    pattern = str(tmp_path / "*.parquet")
    with pytest.raises(InputError, match=r"part-1\.parquet rows 1 to .*cannot be read"):
        q.consensus(scanned(pattern, rows=2_000), "rank_sum", **BRIEF)
    found = q.consensus(scanned(pattern, rows=2_000, skip_bad=True), "rank_sum", **BRIEF)
    whole = q.consensus(q.read(tmp_path / "part-0.parquet"), "rank_sum", **BRIEF)
    assert any("skipped" in note and "part-1.parquet" in note for note in found.notes)
    assert found["rank_sum"].values == whole["rank_sum"].values
    assert found["rank_sum"].details == whole["rank_sum"].details


@pytest.mark.parametrize("judges", [60, 10])  # in blocks, and so few that all are in memory
def test_a_file_that_is_cut_off_is_skipped(tmp_path, judges):
    ballots(judges).write_parquet(tmp_path / "part-1.parquet")
    (tmp_path / "part-0.parquet").write_bytes((tmp_path / "part-1.parquet").read_bytes()[:300])
    pattern = str(tmp_path / "*.parquet")
    with pytest.raises(InputError, match=r"part-0\.parquet: cannot be read"):
        q.consensus(scanned(pattern), "rank_sum", **BRIEF)
    found = q.consensus(scanned(pattern, skip_bad=True), "rank_sum", **BRIEF)
    assert found.judges == judges
    assert any("skipped, for damaged" in note and "part-0.parquet" in note for note in found.notes)


def test_what_is_kept_is_not_done_again(tmp_path):
    ballots().write_parquet(tmp_path / "one.parquet")
    first = q.consensus(scanned(tmp_path / "one.parquet", checkpoint=tmp_path / "kept"), "copeland", **BRIEF)
    kept = sorted((tmp_path / "kept").rglob("tally-*.kept"))
    assert len(kept) > 2
    kept[1].unlink()  # as if it had not been done when the process was killed
    before = {p: p.stat().st_mtime_ns for p in kept if p.exists()}
    again = q.consensus(scanned(tmp_path / "one.parquet", checkpoint=tmp_path / "kept"), "copeland", **BRIEF)
    assert again.to_json() == first.to_json()
    assert all(p.stat().st_mtime_ns == when for p, when in before.items())
    assert kept[1].exists()


def test_judges_that_begin_in_one_range_of_rows_and_end_in_the_next(tmp_path):
    ballots(45, gaps=0.0).write_parquet(tmp_path / "one.parquet")
    scan = scanned(tmp_path / "one.parquet", rows=100)  # six rows a judge
    found = scan.judge_survey
    assert [p.rows for p in found.pieces] == [102, 102, 66]
    assert (len(found.judges), found.gaps("all"), found.rows) == (45, False, 270)
    assert len(look_at_judges(scan.source, found.pieces[1]).judge) == 17


COUNTED = ("tau", "tau_b", "tau_x", "rho", "kendall_w", "support", "support(q=30, part=items)")


def strict_ballots(judges: int = 45, seed: int = 0) -> pl.DataFrame:
    """Complete rankings without ties."""
    made = ballots(judges, gaps=0.0, seed=seed)
    place = pl.struct("position", "item").rank("ordinal").over("judge").cast(pl.Int16)
    return made.with_columns(position=place)


def test_agreement_of_one_task_is_counted_in_blocks(tmp_path):
    strict_ballots().sample(fraction=1, shuffle=True, seed=1).write_parquet(tmp_path / "one.parquet")
    found = q.agreement(scanned(tmp_path / "one.parquet"), *COUNTED, **BRIEF)
    assert type(found.panel.elsewhere).__name__ == "TallyRows"
    assert same(q.agreement(q.read(tmp_path / "one.parquet"), *COUNTED, **BRIEF), found)


@given(st.integers(0, 99), st.integers(1, 80))
@settings(max_examples=few(2, 200))
def test_agreement_of_any_blocks(tmp_path_factory, seed, rows):
    path = tmp_path_factory.mktemp("blocks") / "one.parquet"
    strict_ballots(seed=seed).write_parquet(path)
    with pytest.MonkeyPatch.context() as patch:
        many(patch)
        some = q.agreement(scanned(path, rows), "tau_b", "support", **BRIEF)
        assert some.to_json() == q.agreement(q.read(path), "tau_b", "support", **BRIEF).to_json()


WAYS = {"ties": {"gaps": 0.0}, "gaps": {"gaps": 0.2}}


@pytest.mark.parametrize("absent", [None, "below"])
@pytest.mark.parametrize("way", WAYS)
def test_agreement_with_ties_and_gaps_is_that_of_memory(tmp_path, way, absent):
    """By counts where they say all, else of judges drawn at random; the same whatever the judges are called."""
    frame = ballots(**WAYS[way])
    frame.write_parquet(tmp_path / "one.parquet")
    asked = (*COUNTED, "rbo", "tau_ap")
    found = q.agreement(scanned(tmp_path / "one.parquet"), *asked, absent=absent, **BRIEF)
    assert type(found.panel.elsewhere).__name__ == "TallyRows"
    whole = q.agreement(q.read(tmp_path / "one.parquet"), *asked, absent=absent, **BRIEF)
    assert same(whole, found)
    drawn = [f.method.name for f in found.findings if f.about and f.about[-1].get("judges_sampled")]
    gaps = way == "gaps" and absent is None
    assert drawn == (["tau", "tau_b", "tau_x", "rho", "kendall_w"] if gaps else []) + ["rbo", "tau_ap"]
    assert any("over 12 judges drawn at random" in note for note in found.notes)
    other = frame.with_columns(judge=pl.col("judge").str.reverse())
    other.sample(fraction=1, shuffle=True, seed=2).write_parquet(tmp_path / "renamed.parquet")
    again = q.agreement(scanned(tmp_path / "renamed.parquet", rows=35), *COUNTED, absent=absent, **BRIEF)
    for text in COUNTED:
        if text.split("(")[0] not in drawn:
            assert (found[text].interval, found[text].null) == (again[text].interval, again[text].null), text


@given(st.integers(0, 99), st.integers(1, 80), st.sampled_from(["ties", "gaps"]))
@settings(max_examples=few(2, 200))
def test_agreement_with_ties_and_gaps_of_any_blocks(tmp_path_factory, seed, rows, way):
    path = tmp_path_factory.mktemp("blocks") / "one.parquet"
    ballots(seed=seed, **WAYS[way]).write_parquet(path)
    with pytest.MonkeyPatch.context() as patch:
        many(patch)
        some = q.agreement(scanned(path, rows), "tau_b", "support", "rbo", **BRIEF)
        assert some.to_json() == q.agreement(q.read(path), "tau_b", "support", "rbo", **BRIEF).to_json()


@pytest.mark.parametrize("question", [q.judges, q.trust])
def test_judges_and_trust_are_of_some_judges_drawn_at_random(tmp_path, question):
    ballots(60).write_parquet(tmp_path / "one.parquet")
    found = question(scanned(tmp_path / "one.parquet", rows=70), **BRIEF)
    assert found.judges == 12
    assert any("of 12 judges drawn at random: 60 are too many" in note for note in found.notes)
    assert same(question(q.read(tmp_path / "one.parquet"), **BRIEF), found)


def test_who_is_drawn_and_who_comes_into_which_group_depends_on_answers_alone():
    answers = np.random.default_rng(0).integers(1, 4, (500, 3))
    mark = marks(answers)
    group, order = lots(mark, 7), np.random.default_rng(1).permutation(500)
    moved = lots(mark[order], 7)
    for m in np.unique(mark):  # of those who answer alike as many come into each group, whoever they are
        assert (
            np.bincount(group[mark == m], minlength=7).tolist()
            == np.bincount(moved[mark[order] == m], minlength=7).tolist()
        )
    assert sorted(mark[drawn_judges(mark, 50)]) == sorted(mark[order][drawn_judges(mark[order], 50)])
    assert np.bincount(group).min() > 40  # copies of one answer are spread over all groups
    kept = lots(mark[:-1], 7)
    assert (kept == group[:-1]).all()  # who is added moves nobody else


def test_a_damaged_part_of_judges_whose_rows_are_scattered_is_named_and_skipped_only_on_demand(tmp_path):
    rows = ballots(60).sample(fraction=1, shuffle=True, seed=1)
    path, size = tmp_path / "rows.parquet", len(rows) // 4 + 1
    rows.write_parquet(path, compression="zstd", row_group_size=size)
    group = pq.ParquetFile(path).metadata.row_group(1)
    place = next(c for k in range(group.num_columns) if (c := group.column(k)).path_in_schema == "position")
    content = bytearray(path.read_bytes())
    content[place.data_page_offset : place.data_page_offset + 9] = bytes(9)
    path.write_bytes(content)
    damaged = rf"rows\.parquet rows {size + 1:,} to {2 * size:,}"
    with pytest.raises(InputError, match=damaged + ": cannot be read"):
        q.consensus(scanned(path, rows=size), "rank_sum", **BRIEF)
    found = q.consensus(scanned(path, rows=size, skip_bad=True), "rank_sum", **BRIEF)
    assert any(re.search("skipped, for damaged: .*" + damaged, note) for note in found.notes)
    left = tmp_path / "left.parquet"
    pl.concat([rows[:size], rows[2 * size :]]).write_parquet(left)
    assert found["rank_sum"].values == q.consensus(scanned(left), "rank_sum", **BRIEF)["rank_sum"].values
