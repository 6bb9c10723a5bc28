"""`quorate quality` and `quorate patterns`: what people and programs get."""

import json

import pytest
from click.testing import CliRunner

from quorate.cli import main, pattern_views
from quorate.kernels import pattern_states

pytestmark = pytest.mark.usefixtures("in_small")

JUDGES = {"ann": "abcd", "bob": "abdc", "cat": "bacd", "dan": "abcd"}
APART = ("--copies", "apart")  # ann and dan say the same, and count as two
SYSTEMS = {"new": "abcd", "old": "dcba", "mid": "badc"}


def write(path, lists, tasks=8):
    rows = [f"t{t},{j},{x},{p}" for t in range(tasks) for j, o in lists.items() for p, x in enumerate(o, 1)]
    path.write_text("\n".join(["task,judge,item,position", *rows]) + "\n")
    return str(path)


@pytest.fixture
def files(tmp_path):
    return write(tmp_path / "judges.csv", JUDGES), write(tmp_path / "systems.csv", SYSTEMS)


def run(*words):
    done = CliRunner().invoke(main, [str(w) for w in words])
    assert done.exit_code == 0, done.output
    return done.output


def test_the_answer_comes_first_and_fits(files):
    out = run("quality", *files, *APART, "--method", "frespa", "--per-task")
    assert out.startswith("Read judges.csv (csv): ")  # what was read, then the answer
    assert out.split("\n\n")[1].splitlines()[0] == "3 systems on 8 tasks, judged by 4 judges."
    assert "new is best by frespa: 1.00" in out
    assert "frespa by task" in out
    assert all(len(line) <= 80 for line in out.splitlines())


def test_json_has_results_and_overall(files):
    methods = ("--method", "frespa", "--method", "rank_based")
    data = json.loads(run("quality", *files, *APART, *methods, "--format", "json"))
    assert {(r["task"], r["system"], r["method"]) for r in data["results"]} >= {("t0", "new", "frespa")}
    assert set(data["overall"][0]) >= {"system", "method", "value", "interval", "group"}
    assert [o["system"] for o in data["overall"] if o["method"] == "frespa"] == ["new", "mid", "old"]


def test_copies_are_one_voice_unless_told_apart(files):
    """The judges of the table: ann and dan gave the same answers."""
    assert "ann and dan gave the same answers" in " ".join(run("quality", *files, "--method", "frespa").split())
    assert "the same answers" not in run("quality", *files, *APART, "--method", "frespa")


def test_the_same_seed_gives_the_same_bytes(files):
    again = [run("quality", *files, "--format", "json", "--seed", 3) for _ in range(2)]
    assert again[0] == again[1]


def test_csv_has_a_row_per_task_and_system(files):
    lines = run("quality", *files, "--method", "frespa", "--format", "csv").splitlines()
    assert lines[0].startswith("task,system,method,value")
    assert len(lines) == 1 + 8 * 3


def test_one_task_only(files):
    data = json.loads(run("quality", *files, "--task", "t1", "--method", "frespa", "--format", "json"))
    assert {r["task"] for r in data["results"]} == {"t1"}


def test_explain_names_what_is_kept_and_missed(files):
    out = run("quality", *files, "--explain", "mid", "--task", "t0", "--most", 2)
    assert "The heaviest it contains" in out
    assert "a > b > c" in out
    data = json.loads(run("quality", *files, "--explain", "mid", "--task", "t0", "--format", "json"))
    assert data["results"][0]["missed"][0]["pattern"] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--explain", "nobody"], "no system 'nobody'"),
        (["--method", "frespa(min_sup=1.3)"], "min_sup"),
        (["--method", "fresp"], "did you mean 'frespa'"),
        (["--explain", "new", "--method", "rank_based"], "frespa"),
        (["--task", "nowhere"], "no task 'nowhere'"),
    ],
)
def test_mistakes_end_in_a_message(files, words, said):
    done = CliRunner().invoke(main, ["quality", *files, *words])
    assert done.exit_code == 2
    assert said in done.output
    assert "Traceback" not in done.output


def test_systems_may_come_in_several_files(files, tmp_path):
    more = write(tmp_path / "more.csv", {"newest": "abdc"})
    data = json.loads(run("quality", *files, more, "--method", "rank_based", "--format", "json"))
    assert {o["system"] for o in data["overall"]} == {"new", "old", "mid", "newest"}


def test_a_system_in_two_files_is_told(files, tmp_path):
    again = write(tmp_path / "again.csv", {"mid": "abcd"})
    for words, where in (([again], "systems.csv and in"), ([files[1]], "given twice")):
        done = CliRunner().invoke(main, ["quality", *files, *words])
        assert done.exit_code == 2
        assert "has a list on task 't0' in" in done.output
        assert where in done.output.replace("\n", " ")


def test_the_same_system_on_other_tasks_is_no_duplicate(tmp_path):
    judges, lists = write(tmp_path / "judges.csv", JUDGES), tmp_path / "whole.csv"
    write(lists, SYSTEMS)
    lines = lists.read_text().splitlines()
    parts = [tmp_path / f"{n}.csv" for n in "ab"]
    for part, tasks in zip(parts, ("t0 t1 t2 t3", "t4 t5 t6 t7"), strict=True):
        kept = [line for line in lines[1:] if line.split(",")[0] in tasks.split()]
        part.write_text("\n".join([lines[0], *kept]) + "\n")
    args = ("--method", "frespa", "--format", "json")
    assert run("quality", judges, *parts, *args) == run("quality", judges, lists, *args)


def test_permutations_say_what_chance_gives(files):
    """A list of four items permuted keeps half of the pairs: tau is 0 on average."""
    args = ("quality", *files, "--method", "average_correlation", "--format", "json", "--permutations")
    few, many = (json.loads(run(*args, n))["overall"] for n in (0, 300))
    assert all(o["chance"] is None and o["p_value"] is None for o in few)
    assert all(abs(o["chance"]) < 0.05 for o in many)
    p = {o["system"]: o["p_value"] for o in many}
    assert 0 < p["new"] <= 1 / 301  # no draw gets as far; how far off it is, their spread tells
    assert p["old"] > 0.9
    assert [o["value"] for o in few] == [o["value"] for o in many]
    assert "chance" in run("quality", *files, "--method", "frespa")


def test_what_is_sampled_follows_the_seed(files, monkeypatch):
    monkeypatch.setattr(pattern_states, "STATES", 2)
    monkeypatch.setattr(pattern_states, "DRAWN", 3)
    args = ("quality", *files, *APART, "--method", "frespa", "--format", "json", "--permutations", 0, "--seed")
    told = [json.loads(run(*args, seed)) for seed in (1, 1, 2)]
    values = [[r["value"] for r in t["results"] if r["system"] == "mid"] for t in told]
    assert values[0] == values[1] != values[2]
    assert "estimates" in " ".join(told[0]["notes"])


def test_patterns_are_counted_and_the_heaviest_shown(files):
    out = run("patterns", files[0], "--task", "t0", "--limit", 2)
    assert out.splitlines()[0] == "t0: 10 frequent patterns, the heaviest:"
    assert "a > b > c" in out
    data = json.loads(run("patterns", files[0], "--task", "t0", "--format", "json", "--limit", 100))
    assert data["overall"][0]["patterns"] == len(data["results"]) == 10
    assert run("patterns", files[0], "--task", "t0", "--format", "csv").splitlines()[0] == "task,pattern,support,length"


@pytest.mark.parametrize("which", ["maximal", "closed"])
def test_fewer_patterns_say_as_much(files, which):
    out = run("patterns", files[0], "--task", "t0", "--which", which)
    assert out.splitlines()[0].startswith(f"t0: {4 if which == 'maximal' else 8} {which} frequent pattern")


def test_no_pattern_is_said(tmp_path):
    path = write(tmp_path / "two.csv", {"a": "ab", "b": "ba"}, tasks=1)
    assert "no frequent pattern" in run("patterns", path, "--min-sup", "1.0")


@pytest.mark.parametrize("which", ["all", "maximal", "closed"])
def test_patterns_beyond_the_limit_are_said_with_the_way_to_fewer(files, which):
    out = run("patterns", files[0], "--task", "t0", "--which", which, "--limit", 2)
    assert "stopped after 2 patterns, there are more: raise --min-sup or lower --max-len" in " ".join(out.split())
    assert not any(line.endswith(" ") for line in out.splitlines())
    args = ("patterns", files[0], "--task", "t0", "--which", which, "--format", "json")
    cut, whole = (json.loads(CliRunner().invoke(main, [*args, "--limit", str(n)]).stdout) for n in (2, 100))
    assert all(p["support"] >= 3 for p in whole["results"])
    assert len(cut["results"]) == 2
    assert (cut["overall"][0]["complete"], whole["overall"][0]["complete"]) == (False, True)
    assert len(cut["notes"]) == 1
    assert whole["notes"] == []


@pytest.mark.parametrize("which", ["all", "closed"])
def test_more_patterns_than_memory_should_hold_are_an_error_with_the_count_so_far(files, which, monkeypatch):
    monkeypatch.setattr(pattern_views, "MOST", 3)
    result = CliRunner().invoke(main, ["patterns", files[0], "--task", "t0", "--which", which, "--limit", "50"])
    assert result.exit_code == 2
    assert "LimitReached: stopped after 3 patterns; there are" in result.stderr
    assert "raise --min-sup or lower --max-len" in result.stderr
