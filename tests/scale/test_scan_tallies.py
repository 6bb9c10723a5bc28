"""One task of very many judges: counted a block of judges at a time, and the same bytes as in memory."""

from __future__ import annotations

import polars as pl
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.cli import main
from quorate.errors import BadParameter, InputError
from quorate.scale.judge_pieces import look_at_judges
from tests.scale.made_up import ballots
from tests.scale.test_scan import same
from tests.scale.test_scan_consensus import Here

MANY = 20  # judges of whom groups are drawn, in these tests
BRIEF = {"resamples": 20}
FIVE = ("rank_sum", "copeland", "schulze", "kemeny", "supported_order")


@pytest.fixture(autouse=True)
def _many(monkeypatch):
    for home in ("inference.judge_groups", "inference.answer", "scale.tallies", "scale.files"):
        monkeypatch.setattr(f"quorate.{home}.JUDGES", MANY)


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
    with pytest.raises(BadParameter, match="a table without a column 'task' is read at once"):
        q.judges(scanned(tmp_path / "one.parquet", memory="1MB"))
    with pytest.raises(BadParameter, match=r"are needed, and --memory is 0\.0 GB"):
        q.consensus(scanned(tmp_path / "one.parquet", memory="1MB"), "rank_sum")


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
    ballots(gaps=0.0).write_parquet(tmp_path / "one.parquet")
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
def test_agreement_of_any_blocks(tmp_path_factory, seed, rows):
    path = tmp_path_factory.mktemp("blocks") / "one.parquet"
    strict_ballots(seed=seed).write_parquet(path)
    with pytest.MonkeyPatch.context() as patch:
        for home in ("inference.judge_groups", "inference.answer", "scale.tallies", "scale.files"):
            patch.setattr(f"quorate.{home}.JUDGES", MANY)
        some = q.agreement(scanned(path, rows), "tau_b", "support", **BRIEF)
        assert some.to_json() == q.agreement(q.read(path), "tau_b", "support", **BRIEF).to_json()


def test_rankings_with_gaps_or_ties_need_to_be_read_for_agreement(tmp_path):
    for name, made in (("gaps", ballots(gaps=0.2)), ("ties", ballots(gaps=0.0))):
        made.write_parquet(tmp_path / f"{name}.parquet")
        with pytest.raises(BadParameter) as refused:
            q.agreement(scanned(tmp_path / f"{name}.parquet", memory="1MB"), "tau_b")
        assert "unless more than 20 judges of one task all rank all items, without ties" in refused.value.fact
        found = q.agreement(scanned(tmp_path / f"{name}.parquet"), "tau_b", **BRIEF)
        assert found.panel.elsewhere is None
        assert same(q.agreement(q.read(tmp_path / f"{name}.parquet"), "tau_b", **BRIEF), found)
    with pytest.raises(BadParameter, match=r"rbo needs all rows of few tasks at once \(of more than 20 judges tau, "):
        q.agreement(scanned(tmp_path / "gaps.parquet", memory="1MB"), "tau_b", "rbo")


def test_a_tie_that_comes_late_is_told_with_what_to_do(tmp_path):
    tied = strict_ballots().with_columns(position=pl.when(pl.col("judge") == "vöter 44").then(1).otherwise("position"))
    tied.write_parquet(tmp_path / "late.parquet")
    with pytest.raises(InputError, match="some judges tie items: tau_b needs all rankings at once"):
        q.agreement(scanned(tmp_path / "late.parquet"), "tau_b", **BRIEF)
