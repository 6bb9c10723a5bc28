"""A scan gives the very bytes that a panel in memory gives, however it is cut, ordered, written or worked on."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time

import polars as pl
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import quorate as q
from quorate import table
from quorate.cli import main
from quorate.errors import BadParameter, InputError
from quorate.inference.results import Answer, Options
from quorate.scale import Scan
from quorate.scale.forecast import ITEM_IN_MEMORY, in_memory
from tests.scale.made_up import TASKS, Here, files, here, orderings, scores, votes

BRIEF = {"resamples": 40, "permutations": 20}
FOUR = ("tau_b", "rbo", "kendall_w", "support")


@pytest.fixture(scope="module")
def rows() -> pl.DataFrame:
    return orderings()


@pytest.fixture(scope="module")
def pattern(rows, tmp_path_factory) -> str:
    return files(rows, tmp_path_factory.mktemp("sorted"))


@pytest.fixture(scope="module")
def panel(pattern):
    return q.read(*q.scan(pattern).source.files)


@pytest.fixture(scope="module")
def answer(panel) -> Answer:
    return q.agreement(panel, *FOUR, **BRIEF)


def same(one: Answer, other: Answer, *, text: bool = True) -> bool:
    """Whether two answers are equal in every byte; ``text``: also in how the files are named."""
    pairs = [(one.to_json(), other.to_json()), (one.sentences, other.sentences)]
    pairs += [(one.text(), other.text())] if text else []
    return all(a == b for a, b in pairs)


# -- the same answer ---------------------------------------------------------------------------------------------------


def test_every_method_of_agreement(panel, pattern):
    methods = [str(m) for m in table.methods("orderings", "agreement")]
    scan = q.scan(pattern, rows=500)
    assert len(scan.survey.pieces) > 2
    brief = {"resamples": 40, "permutations": 0}
    assert same(q.agreement(panel, *methods, **brief), q.agreement(scan, *methods, **brief))


def test_every_method_of_judges_and_who_is_off(panel, pattern):
    one, other = (q.judges(p, **BRIEF) for p in (panel, q.scan(pattern, rows=400, workers=1)))
    assert same(one, other)
    assert [f["judge"] for f in other.more["flagged"]] == ["j9"]  # who answers at random


def test_nobody_is_off(tmp_path):
    scan = here(q.scan(files(orderings().filter(pl.col("judge") != "j9"), tmp_path), rows=400))
    one, other = (q.judges(p, "peer_correlation", **BRIEF) for p in (q.read(*scan.source.files), scan))
    assert "None of the 4 judges is flagged." in one.sentences
    assert same(one, other)


def lists_of_systems(rows: pl.DataFrame) -> pl.DataFrame:
    """Lists of three systems, of which one task has none, with items that nobody judged, in the order of the rows."""
    lists = orderings(1, judges=("new", "old", "random")).filter(pl.col("task") != "t7")
    lists = lists.with_columns(pl.col("item").str.replace("文4", "unjudged"))
    order = rows.select("task").unique(maintain_order=True).with_row_index()
    return lists.join(order, on="task", maintain_order="left").sort("index", maintain_order=True).drop("index")


def test_quality_beside_lists_that_lack_tasks_and_have_more_items(rows, panel, pattern, tmp_path):
    beside = files(lists_of_systems(rows), tmp_path, 3)
    one = q.quality(panel, q.read(*q.scan(beside).source.files), **BRIEF)
    assert same(one, q.quality(here(q.scan(pattern, rows=600)), here(q.scan(beside, rows=300)), **BRIEF))


def test_copies_count_as_one_voice(rows, tmp_path):
    copy = rows.filter(pl.col("judge") == "ann").with_columns(pl.lit("ann again").alias("judge"))
    both = pl.concat([rows, copy])
    order = rows.select("task").unique(maintain_order=True).with_row_index()
    both = both.join(order, on="task", maintain_order="left").sort("index", maintain_order=True).drop("index")
    pattern = files(both, tmp_path)
    one = q.agreement(q.read(*q.scan(pattern).source.files), "tau_b", **BRIEF)
    assert [c["judge"] for c in one.more["one_voice"]] == ["ann again"]
    assert same(one, q.agreement(here(q.scan(pattern, rows=600)), "tau_b", **BRIEF))


@pytest.mark.parametrize("extension", ["parquet", "csv", "jsonl", "arrow"])
def test_shuffled_rows_of_every_format(rows, answer, tmp_path, extension):
    mixed, path = rows.sample(fraction=1, shuffle=True, seed=3), tmp_path / f"rows.{extension}"
    write = {
        "parquet": mixed.write_parquet,
        "csv": mixed.write_csv,
        "jsonl": mixed.write_ndjson,
        "arrow": mixed.write_ipc,
    }
    write[extension](path)
    scan = q.scan(path, rows=500)
    found = q.agreement(scan if extension == "csv" else here(scan), *FOUR, **BRIEF)
    names = [f.method for f in found.findings]
    assert names == [f.method for f in answer.findings]
    assert [f.overall for f in found.findings] == [f.overall for f in answer.findings]
    assert list(found["tau_b"].keys["task"]) == mixed.get_column("task").unique(maintain_order=True).to_list()


def test_names_are_tidied_before_rows_are_parted(rows, answer, tmp_path):
    blank = pl.when(pl.int_range(pl.len()) % 2 == 0).then(pl.format("{} ", "task")).otherwise(pl.col("task"))
    rows.with_columns(blank.alias("task")).write_csv(tmp_path / "rows.csv")
    found = q.agreement(here(q.scan(tmp_path / "rows.csv", rows=500)), *FOUR, **BRIEF)
    assert [f.overall for f in found.findings] == [f.overall for f in answer.findings]
    assert any("blanks around them" in note for note in found.notes)


def test_a_url_that_fsspec_knows(pattern, answer):
    pytest.importorskip("fsspec")
    found = q.agreement(here(q.scan(f"file://{pattern}", rows=500)), *FOUR, **BRIEF)
    assert found.to_json() == answer.to_json()


def test_few_tasks_are_read_into_memory(tmp_path):
    few = orderings(tasks=30)
    pattern = files(few, tmp_path)
    scan = q.scan(pattern)
    panel = q.read(*scan.source.files)
    assert same(q.consensus(panel, "kemeny", **BRIEF), q.consensus(scan, "kemeny", **BRIEF), text=False)
    assert same(q.trust(panel, "split_half", **BRIEF), q.trust(scan, "split_half", **BRIEF), text=False)


def test_what_no_name_but_the_cells_tell_is_told_as_in_memory(tmp_path):
    """Nothing was guessed, it was said."""
    rows = [f"{i},{j},{'yes' if (i + k) % 3 else 'no'}" for i in range(30) for k, j in enumerate("abc")]
    (tmp_path / "labels.csv").write_text("\n".join(["ticket_id,annotator,verdict", *rows]))
    scan, panel = q.scan(tmp_path / "labels.csv"), q.read(tmp_path / "labels.csv")
    assert scan.reading.guesses == panel.reading.guesses
    assert scan.reading.columns == panel.reading.columns
    assert len(panel.reading.guesses) == 3
    for read in (q.read, q.scan):
        with pytest.raises(InputError, match="3 things are not said but guessed"):
            read(tmp_path / "labels.csv", strict=True)


# -- what cannot be ----------------------------------------------------------------------------------------------------


def test_what_does_not_fit_is_refused_before_any_work(pattern):
    scan = q.scan(pattern, memory="1MB")
    for ask, said in ((lambda: q.trust(scan), "trust needs all rows"), (lambda: q.agreement(scan), "are needed")):
        with pytest.raises(BadParameter, match=said):
            ask()
    with pytest.raises(BadParameter, match="over=judges"):
        q.agreement(scan, over="judges")


def test_wrong_rows_are_told_as_in_memory(rows, tmp_path):
    pattern = files(pl.concat([rows, rows.tail(1)]), tmp_path)
    with pytest.raises(InputError, match="an item is repeated"):
        q.agreement(q.scan(pattern), "tau_b")
    with pytest.raises(InputError, match="no file fits"):
        q.scan(str(tmp_path / "*.csv"))


@pytest.mark.parametrize("left", [TASKS, 50])  # tasks of the whole file: in pieces, and so few that all are in memory
def test_a_damaged_part_is_named_and_skipped_only_on_demand(tmp_path, left):
    rows = orderings(2, tasks=left)
    files(rows, tmp_path, 1)
    more = orderings(3, tasks=60).with_columns(pl.format("more {}", "task").alias("task"))
    broken = tmp_path / "part-9.parquet"
    more.write_parquet(broken, compression="uncompressed")
    content = bytearray(broken.read_bytes())
    content[100:1_000] = bytes(900)
    broken.write_bytes(content)
    pattern = str(tmp_path / "*.parquet")
    with pytest.raises(InputError, match=r"part-9\.parquet rows 1 to .*cannot be read"):
        q.agreement(q.scan(pattern), "tau_b", **BRIEF)
    found = q.agreement(q.scan(pattern, skip_bad=True), "tau_b", **BRIEF)
    assert found.tasks == left
    assert any("skipped" in note and "part-9.parquet" in note for note in found.notes)
    whole = q.agreement(q.read(tmp_path / "part-0.parquet"), "tau_b", **BRIEF)
    assert found["tau_b"].overall == whole["tau_b"].overall


def test_a_part_that_turns_out_to_be_damaged_on_the_way_is_told_and_its_tasks_do_not_count(tmp_path):
    rows = orderings(2, tasks=TASKS)
    path = tmp_path / "rows.parquet"
    rows.write_parquet(path, compression="zstd", row_group_size=len(rows) // 4)
    group = pq.ParquetFile(path).metadata.row_group(1)
    place = next(c for k in range(group.num_columns) if (c := group.column(k)).path_in_schema == "position")
    content = bytearray(path.read_bytes())
    content[place.data_page_offset : place.data_page_offset + 9] = bytes(9)  # names can be read, places cannot
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"rows\.parquet rows .*cannot be read"):
        q.agreement(q.scan(str(path), workers=1), "tau_b", **BRIEF)
    found = q.agreement(q.scan(str(path), workers=1, skip_bad=True, rows=len(rows) // 4), "tau_b", **BRIEF)
    assert any("skipped, for damaged" in note and "rows.parquet" in note for note in found.notes)
    assert found.tasks == len({row["task"] for row in found.to_dict()["results"]}) < TASKS


def test_a_damaged_part_of_files_in_no_order_is_named_and_skipped_only_on_demand(tmp_path):
    rows = orderings(2, tasks=TASKS).sample(fraction=1, shuffle=True, seed=1)
    path, size = tmp_path / "rows.parquet", len(rows) // 4 + 1
    rows.write_parquet(path, compression="zstd", row_group_size=size)
    group = pq.ParquetFile(path).metadata.row_group(1)
    place = next(c for k in range(group.num_columns) if (c := group.column(k)).path_in_schema == "position")
    content = bytearray(path.read_bytes())
    content[place.data_page_offset : place.data_page_offset + 9] = bytes(9)
    path.write_bytes(content)
    how = {"workers": 1, "rows": size, "memory": "2GB"}
    damaged = rf"rows\.parquet rows {size + 1:,} to {2 * size:,}"
    with pytest.raises(InputError, match=damaged + ".*cannot be read"):
        q.agreement(q.scan(str(path), **how), "tau_b", **BRIEF)
    found = q.agreement(q.scan(str(path), skip_bad=True, **how), "tau_b", **BRIEF)
    assert any(re.search("skipped, for damaged: .*" + damaged, note) for note in found.notes)
    left = tmp_path / "left.parquet"
    pl.concat([rows[:size], rows[2 * size :]]).write_parquet(left)
    assert found["tau_b"].overall == q.agreement(q.scan(str(left), **how), "tau_b", **BRIEF)["tau_b"].overall


@pytest.mark.parametrize(
    ("ending", "bad"), [("csv", b"\xff\xfe,,,"), ("csv", b"q1,ann,a,1,2,3"), ("jsonl", b'{"task": "q1", "j')]
)
def test_a_damaged_line_of_text_is_told_by_its_number(tmp_path, ending, bad):
    rows, path = orderings(2, tasks=5), tmp_path / f"rows.{ending}"
    lines = (rows.write_csv() if ending == "csv" else rows.write_ndjson()).encode().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:20], bad, *lines[20:]]))
    with pytest.raises(InputError, match=rf"rows\.{ending} line 21: cannot be read") as told:
        q.agreement(q.scan(str(path), skip_bad=True), "tau_b", **BRIEF)
    assert "mend the line" in str(told.value)


def test_a_script_without_a_main_is_told_what_to_do(pattern, tmp_path):
    script = tmp_path / "plain.py"
    script.write_text(f"import quorate as q\nq.agreement(q.scan({pattern!r}, workers=1), 'tau_b')\n")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    found = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, env=env)
    assert found.returncode == 1
    assert "worker processes cannot be started" in found.stderr.splitlines()[-3]
    assert "__main__" in found.stderr.splitlines()[-1]


# -- the command line --------------------------------------------------------------------------------------------------


def test_the_command_gives_the_same(pattern, answer):
    given = ["agreement", pattern, "--workers", "2", "--memory", "1GB", "--resamples", "40", "--permutations", "20"]
    methods = [word for m in FOUR for word in ("--method", m)]
    found = CliRunner().invoke(main, [*given, *methods, "--format", "json"])
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout) == json.loads(answer.to_json())


def test_a_dry_run_only_forecasts(pattern, rows):
    found = CliRunner().invoke(main, ["agreement", pattern, "--dry-run"])
    assert found.exit_code == 0, found.output
    assert f"{rows.height:,} rows of {TASKS:,} tasks" in found.stdout
    assert "CPU seconds" in found.stdout
    assert "chance from 80 tasks" in found.stdout


def test_the_report_of_what_fits(tmp_path):
    few = orderings(tasks=5)
    page = q.report(q.scan(files(few, tmp_path)), resamples=20, permutations=9)
    assert page.kind == "orderings"


def test_rows_that_cannot_be_held_are_not_written(pattern, monkeypatch):
    monkeypatch.setattr("quorate.scale.files.ROW_WRITTEN", 10**8)
    found = CliRunner().invoke(main, ["agreement", pattern, "--method", "tau_b", "--format", "json"])
    assert found.exit_code == 2
    assert f"a row for each of {TASKS:,} values" in found.output


def test_one_task_of_a_scan(pattern, panel):
    found = CliRunner().invoke(main, ["agreement", pattern, "--task", "t5", "--method", "tau_b", "--format", "json"])
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["overall"] == q.agreement(panel.select(tasks=["t5"]), "tau_b").to_dict()["overall"]


# -- crashes and memory ------------------------------------------------------------------------------------------------

SCRIPT = """
import sys, time
import quorate as q
if __name__ == "__main__":
    from tests.scale.conftest import few
    few()
    pattern, folder, slow = sys.argv[1:]
    scan = q.scan(pattern, rows=300, workers=1, checkpoint=folder)
    if slow == "slow":
        from quorate.scale.pool import Checkpoint
        keep = Checkpoint.keep
        def slowly(self, name, found):
            keep(self, name, found)
            time.sleep(0.4 if name.startswith("work") else 0)
        Checkpoint.keep = slowly
    sys.stdout.write(q.agreement(scan, "tau_b", resamples=40, permutations=20).to_json())
"""


def test_after_a_crash_it_goes_on_and_ends_with_the_same_bytes(pattern, panel, tmp_path):
    script = tmp_path / "run.py"
    script.write_text(SCRIPT)
    folder = tmp_path / "kept"
    command = [sys.executable, str(script), pattern, str(folder)]
    how = {"env": {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}}
    first = subprocess.Popen([*command, "slow"], stdout=subprocess.DEVNULL, start_new_session=True, **how)
    try:
        end = time.monotonic() + 60
        while len(list(folder.rglob("work-*.kept"))) < 3 and time.monotonic() < end:
            time.sleep(0.05)
    finally:
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
    kept = {p: p.stat().st_mtime_ns for p in folder.rglob("work-*.kept")}
    assert len(kept) >= 3
    second = subprocess.run([*command, "fast"], capture_output=True, text=True, timeout=120, check=True, **how)
    assert second.stdout == q.agreement(panel, "tau_b", **BRIEF).to_json()
    assert len(list(folder.rglob("work-*.kept"))) > len(kept)
    assert all(p.stat().st_mtime_ns == when for p, when in kept.items())  # nothing was done twice


# -- the report --------------------------------------------------------------------------------------------------------


def test_the_report_of_files_that_do_not_fit_is_refused(pattern, rows, tmp_path):
    refused = CliRunner().invoke(main, ["report", pattern, "--memory", "1MB", "--format", "text"])
    assert refused.exit_code == 2
    assert "a report on 80 tasks: about 0.3 GB are needed" in refused.output
    few = files(rows.filter(pl.col("task").is_in(["t1", "t2"])), tmp_path)
    refused = CliRunner().invoke(main, ["report", few, "--memory", "1MB", "--format", "text"])
    assert refused.exit_code == 2
    assert "'report' needs all rows at once: about 0.3 GB are needed" in refused.output
    with pytest.raises(BadParameter, match="the report needs all rows of few tasks at once"):
        q.report(q.scan(few, memory="1MB"))


@pytest.mark.parametrize("kind", ["votes", *(pytest.param(k, marks=pytest.mark.long) for k in ("orderings", "scores"))])
def test_the_report_of_more_rows_than_fit_shows_some_tasks(kind, tmp_path, monkeypatch):
    monkeypatch.setattr("quorate.panel.score_design.VALUES", 500)
    monkeypatch.setattr("quorate.scale.scores.VALUES", 500)
    monkeypatch.setattr(Scan, "fits", lambda scan, question: False)
    given = {"orderings": orderings, "scores": scores, "votes": votes}[kind]()
    scan = q.scan(files(given, tmp_path), rows=400, memory="2GB")
    scan.__dict__["pool"] = Here()
    beside = []
    if kind == "orderings":
        beside = [q.scan(files(lists_of_systems(given), tmp_path / "systems"), rows=400, memory="2GB")]
    page, whole = q.report(scan, *beside, **BRIEF), q.read(*scan.source.files)
    tasks = len(scan.survey.tasks)
    assert f"{len(whole.tasks):,} tasks" in page.title
    assert page.repaired[-1].startswith("the rows are more than --memory holds: the page shows 80 of")
    more = {"scores": {"consensus"}, "votes": {"consensus", "quality"}, "orderings": {"quality"}}
    everything = {"agreement", "judges"} | more[kind]
    for s in page.sections:
        of_all = any(note.startswith(f"{s.question}: figures are of all {tasks:,} tasks") for note in s.notes)
        assert of_all == (s.question in everything)
        assert of_all or f"{s.question}: all figures are of 80 of {tasks:,} tasks, drawn at random" in s.notes
        if s.question in ("agreement", "quality"):
            methods = [f.method for f in s.answer.findings]
            lists = [q.read(*b.source.files) for b in beside if s.question == "quality"]
            expected = getattr(q, s.question)(whole, *lists, *methods, **BRIEF)
            assert [f.overall for f in expected.findings] == [f.overall for f in s.answer.findings]
            assert all(len(f.values) <= 80 * (3 if lists else 1) for f in s.answer.findings)
    assert "drawn at random" in page.html()


def test_the_report_of_a_pattern_names_its_files(tmp_path):
    path = tmp_path / "few.csv"
    orderings(tasks=3).write_csv(path)
    given = ["--format", "json", "--resamples", "20", "--permutations", "9"]
    found = CliRunner().invoke(main, ["report", str(tmp_path / "*.csv"), "--memory", "1GB", *given])
    assert found.exit_code == 0, found.output
    assert [i["name"] for i in json.loads(found.stdout)["inputs"]] == [str(path)]


def test_large_files_that_may_not_fit_are_told_of_before_they_are_read(rows, tmp_path, monkeypatch):
    path = tmp_path / "rows.parquet"
    rows.head(200).write_parquet(path)
    asked = ["agreement", str(path), "--method", "tau_b", "--resamples", "0", "--permutations", "0"]
    monkeypatch.setattr("quorate.cli.scanning.LARGE", {".parquet": 1})
    for free, told in ((10**8, True), (10**12, False), (None, False)):
        monkeypatch.setattr("quorate.scale.forecast.free_memory", lambda free=free: free)
        found = CliRunner().invoke(main, asked)
        assert found.exit_code == 0, found.output
        assert ("200 rows take about 0.2 GB of memory, and 0.1 GB are free" in found.stderr) == told


def test_a_scan_that_is_allowed_more_than_is_free_says_so(tmp_path, monkeypatch):
    path = tmp_path / "few.parquet"
    orderings(tasks=3).write_parquet(path)
    asked = ["agreement", str(path), "--method", "tau_b", "--memory", "1GB", "--resamples", "0", "--permutations", "0"]
    for free, told in ((8 * 10**8, True), (2 * 10**9, False), (None, False)):
        monkeypatch.setattr("quorate.scale.free_memory.free_memory", lambda free=free: free)
        found = CliRunner().invoke(main, asked)
        assert found.exit_code == 0, found.output
        assert ("up to 1.1 GB of memory may be used, and 0.8 GB are free" in found.stderr) == told


def test_scored_items_of_a_few_tasks_count_and_those_of_ranked_tasks_do_not(tmp_path):
    ranks = orderings(tasks=3)
    ranks.write_parquet(tmp_path / "ranks.parquet")
    ranks.rename({"position": "score"}).write_parquet(tmp_path / "scores.parquet")
    some = q.scan(tmp_path / "scores.parquet")
    assert some.items == ranks.select("task", "item").n_unique()
    assert q.scan(tmp_path / "ranks.parquet").items == 0
    plain, known = in_memory(ranks.height, "scores", "consensus"), some.forecast("consensus", [], Options()).in_memory
    assert known == plain + some.items * ITEM_IN_MEMORY["scores consensus"]


def test_items_of_one_task_are_counted_before_a_file_is_read_where_they_may_not_fit(monkeypatch, tmp_path):
    ranks = orderings(tasks=1).drop("task")
    ranks.write_parquet(tmp_path / "one.parquet")
    items, rows = ranks["item"].n_unique(), ranks.height
    needed = in_memory(rows, "orderings", "consensus", items=items)
    monkeypatch.setattr("quorate.cli.scanning.LARGE", {".parquet": 1})
    for free, told in ((needed - 1, True), (needed, False)):
        monkeypatch.setattr("quorate.scale.forecast.free_memory", lambda free=free: free)
        asked = ["consensus", str(tmp_path / "one.parquet"), "--method", "rank_sum", "--resamples", "20"]
        found = CliRunner().invoke(main, asked)
        assert found.exit_code == 0, found.output
        assert ("this may end for want of memory" in found.stderr) == told


def test_rows_of_an_answer_count_where_all_are_written(tmp_path):
    path = tmp_path / "few.parquet"
    orderings(tasks=70).write_parquet(path)
    needed = [in_memory(10**6, "groupings", q, told) for q in ("agreement", "report") for told in (False, True)]
    assert needed[0] < needed[2] < needed[1] < needed[3]  # a page takes more than an answer, every two judges most
    scan = q.scan(path, memory=in_memory(orderings(tasks=70).height, "orderings", "agreement"))
    asked = "agreement", [table.parse("tau_b", "orderings", "agreement")], Options()
    assert scan.panel_for(*asked)[0].tasks
    with pytest.raises(BadParameter, match=r"few, .* and all rows of the answer: about 0\.2 GB"):
        scan.check_rows(*asked)


def test_very_many_items_of_one_task_are_refused_before_work(tmp_path):
    ranks = orderings(tasks=1)
    ranks.drop("task").write_parquet(tmp_path / "one.parquet")
    items, rows = ranks["item"].n_unique(), ranks.height
    needed = in_memory(rows, "orderings", "consensus", items=items)
    assert needed - in_memory(rows, "orderings", "consensus") == items * ITEM_IN_MEMORY["orderings consensus"]
    assert q.consensus(q.scan(tmp_path / "one.parquet", memory=needed), "rank_sum").findings
    with pytest.raises(BadParameter, match="GB are needed"):
        q.consensus(q.scan(tmp_path / "one.parquet", memory=needed - 1), "rank_sum")
