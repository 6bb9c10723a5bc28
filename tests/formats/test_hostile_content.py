"""Content that nobody expects, through the commands: a message with the fact, the line and a hint, or an answer."""

from __future__ import annotations

import json
import time

import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.errors import InputError

LONG = "9" * 5000  # more digits than Python reads as a number


def run(tmp_path, name, content, *words):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    command, *more = words
    return CliRunner().invoke(main, [command, str(path), *more])


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.toc", f"1: 1,2\n{LONG}: 2,1\n", "line 2: a number has more than 15 digits"),
        ("a.toc", f"1: 1,{LONG}\n", "line 1: a number has more than 15 digits"),
        ("a.rankings", f"{LONG} * a > b\n", "line 1: the count has more than 15 digits"),
        ("a.rankings", f"{'9' * 30} * a > b\n", "line 1: the count has more than 15 digits"),
    ],
)
def test_a_number_without_end_is_a_bad_line(name, content, said, tmp_path):
    done = run(tmp_path, name, content, "agreement")
    assert done.exit_code == 2, done.output
    assert said in done.stderr
    assert "Hint:" in done.stderr


def test_numbers_without_end_in_a_header_are_no_numbers(tmp_path):
    path = tmp_path / "a.toc"
    path.write_text(f"# NUMBER ALTERNATIVES: {LONG}\n# NUMBER VOTERS: {LONG}\n# ALTERNATIVE NAME {LONG}: x\n1: 1,2\n")
    panel = q.read(path)
    assert panel.items == ("1", "2")
    assert any("NUMBER VOTERS" in note for note in panel.notes)


def test_an_occasion_without_end_is_a_text(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f"judge,item,score,occasion\na,x,1,{LONG}\n")
    assert q.read(path).occasion.ids == (LONG,)


def test_a_header_of_blanks_is_read_in_no_time(tmp_path):
    path = tmp_path / "a.toc"
    path.write_text("#" + " " * 20_000 + "\n1: 1,2\n")
    begun = time.process_time()
    assert len(q.read(path)) == 2
    assert time.process_time() - begun < 5


def test_a_whole_number_too_large_for_a_float_is_not_a_number():
    with pytest.raises(InputError, match="score is not a number"):
        q.Scores.build({"judge": ["a"], "item": ["x"], "score": [10**400]})


def test_a_name_without_end_does_not_fill_the_screen(tmp_path):
    done = run(tmp_path, "a.csv", f"judge,{'z' * 200_000},score\na,b,c\n", "agreement")
    assert done.exit_code == 2
    assert len(done.stderr) < 2000


def test_a_path_with_a_nul_is_no_file():
    with pytest.raises(InputError, match="NUL"):
        q.read("a\0b.csv")


def test_a_scale_without_scores_is_an_error(tmp_path):
    done = run(tmp_path, "a.csv", "judge,item,position\na,x,1\n", "agreement", "--scale", "1,2")
    assert done.exit_code == 2, done.output
    assert "no column 'score' or 'label'" in done.stderr


def test_a_pilot_of_one_judge_plans_nothing(tmp_path):
    done = run(tmp_path, "a.csv", "judge,item,position\na,x,1\na,y,2\n", "plan", "--kind", "orderings")
    assert done.exit_code == 2, done.output
    assert "the pilot says nothing about a larger study" in done.stderr


SOME_NAMED = """task,judge,item,score,criterion
t,a,x,1,
t,a,y,2,
t,b,x,2,
t,b,y,3,
t,a,x,1,fluency
t,a,y,2,fluency
t,b,x,2,fluency
t,b,y,1,fluency
"""


@pytest.mark.parametrize("form", ["json", "csv", "text"])
@pytest.mark.parametrize("command", ["agreement", "judges", "consensus", "quality", "trust"])
def test_rows_without_a_criterion_beside_others_are_one_of_their_own(command, form, tmp_path):
    few = ["--resamples", "100", "--permutations", "5"]
    done = run(tmp_path, "a.csv", SOME_NAMED, command, "--format", form, *few)
    assert done.exit_code == 0, done.output
    assert "(unnamed)" in done.stdout
    assert "fluency" in done.stdout


@pytest.mark.parametrize("form", ["json", "text", "md"])
def test_a_report_has_them_too(form, tmp_path):
    done = run(tmp_path, "a.csv", SOME_NAMED, "report", "--format", form, "--resamples", "100", "--permutations", "5")
    assert done.exit_code == 0, done.output
    assert "(unnamed)" in done.stdout.replace("\\", "")


ORDERS = "judge,item,position\na,x,1\na,y,2\nb,x,2\nb,y,1\n"
GROUPS = "judge,item,group\na,x,1\na,y,2\nb,x,1\nb,y,1\n"
SCORES = "judge,item,score\na,x,1\na,y,2\nb,x,1\nb,y,1\n"


@pytest.mark.parametrize(
    ("judged", "lists"), [(ORDERS, GROUPS), (GROUPS, ORDERS), (ORDERS, SCORES), (SCORES, ORDERS), (SCORES, SCORES)]
)
def test_a_report_says_that_systems_are_of_another_kind(judged, lists, tmp_path):
    (tmp_path / "lists.csv").write_text(lists)
    done = run(tmp_path, "a.csv", judged, "report", "--format", "text", "--systems", str(tmp_path / "lists.csv"))
    assert done.exit_code == 2, done.output
    assert "systems" in done.stderr
    assert "Hint:" in done.stderr


STEER = "judge,item,score,criterion\n" + "".join(
    f"{j},{i},{k + n},\x1b[31m{c}\n" for c in "pq" for k, j in enumerate("ab") for n, i in enumerate("xyz")
)


@pytest.mark.parametrize("form", ["text", "md"])
def test_names_in_a_report_do_not_steer_a_terminal(form, tmp_path):
    done = run(tmp_path, "a.csv", STEER, "report", "--format", form, "--resamples", "100", "--permutations", "5")
    assert done.exit_code == 0, done.output
    assert "31mp" in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize("command", ["judges", "agreement", "consensus"])
def test_names_in_headings_do_not_steer_a_terminal(command, tmp_path):
    done = run(tmp_path, "a.csv", STEER, command, "--resamples", "100", "--permutations", "5")
    assert done.exit_code == 0, done.output
    assert "\x1b" not in done.stdout


def test_a_row_of_a_markdown_table_is_one_line_whatever_the_names(tmp_path):
    rows = [{"judge": j, "item": i, "score": k + n} for k, j in enumerate(["a\nb", "c"]) for n, i in enumerate("xyz")]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    done = run(tmp_path, "a.jsonl", text, "report", "--format", "md", "--resamples", "100", "--permutations", "5")
    assert done.exit_code == 0, done.output
    assert "| a b |" in done.stdout


def test_a_broken_table_of_metrics_is_told_with_its_lines(tmp_path):
    (tmp_path / "m.csv").write_text("system,bleu\n\n\nx,1\ny\n")
    done = run(tmp_path, "a.csv", SCORES, "trust", "--metrics", str(tmp_path / "m.csv"))
    assert done.exit_code == 2, done.output
    assert "line 5: 1 field\n" in done.stderr
    assert "Hint: each line has 2 fields" in done.stderr


def test_figures_by_token_that_are_no_numbers_are_told(tmp_path):
    (tmp_path / "m.csv").write_text("system,rouge,reference,summary,hits,R,P,F\nx,ROUGE-1,1,1,1,one,1,1\n")
    done = run(tmp_path, "a.csv", SCORES, "trust", "--metrics", str(tmp_path / "m.csv"))
    assert done.exit_code == 2, done.output
    assert "line 2: R 'one' is not a number" in done.stderr
