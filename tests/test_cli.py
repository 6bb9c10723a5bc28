"""The command line: answers, formats, exit codes, and what users get wrong."""

import json
import os
import subprocess
import sys
import unicodedata

import pytest
from click.testing import CliRunner

from quorate.cli import main

TABLE = """task,judge,item,position
t1,ann,a,1
t1,ann,b,2
t1,ann,c,3
t1,bob,b,1
t1,bob,a,2
t1,bob,c,2
t2,ann,x,1
t2,ann,y,2
t2,cat,y,1
t2,cat,x,2
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "panel.csv"
    path.write_text(TABLE, encoding="utf-8")
    return str(path)


def run(*words, code=0, stdin=None):
    result = CliRunner().invoke(main, [str(w) for w in words], input=stdin)
    assert result.exit_code == code, result.output
    return result


def as_json(*words):
    return json.loads(run(*words, "--format", "json").stdout)


def width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def test_json_keeps_the_contract(table):
    out = as_json("agreement", table)
    head = [out[name] for name in ("kind", "question", "tasks", "judges", "items")]
    assert head == ["orderings", "agreement", 2, 3, 5]
    assert {"task", "method", "value", "details"} <= set(out["results"][0])
    assert {"method", "value", "interval", "chance"} <= set(out["overall"][0])
    kappa = next(r for r in out["results"] if r["method"] == "kappa" and r["task"] == "t1")
    assert kappa["details"]["by_length"] == [3, 1]
    assert kappa["details"]["longest"] == 2
    support = next(r for r in out["results"] if r["method"] == "support")
    assert support["value"] == support["details"]["kappa2"]
    assert "kappa1" in support["details"]


def test_undefined_values_are_null(tmp_path):
    path = tmp_path / "tied.csv"
    path.write_text("judge,item,position\na,x,1\na,y,1\nb,x,1\nb,y,2\n")
    assert as_json("agreement", path, "--method", "tau_b")["results"][0]["value"] is None


def test_parameters_fill_only_what_the_text_leaves_open(table):
    preset = ("--gamma", "0.9", "--q", "2")
    out = as_json("agreement", table, "--method", "kappa(gamma=0.5)", "--method", "support", *preset)
    assert [o["method"] for o in out["overall"]] == ["kappa(gamma=0.5)", "support(q=2, gamma=0.9)"]


def test_same_seed_same_bytes_and_another_seed_others(table):
    words = ("agreement", table, "--format", "json", "--method", "tau")
    assert run(*words).stdout == run(*words).stdout
    assert run(*words).stdout != run(*words, "--seed", "7").stdout


def test_one_task(table):
    assert {r["task"] for r in as_json("agreement", table, "--task", "t2")["results"]} == {"t2"}


def test_unknown_task_is_told_with_what_exists(table):
    result = run("agreement", table, "--task", "t3", code=2)
    assert "no task 't3'" in result.stderr
    assert "t1, t2" in result.stderr


def test_unknown_method_suggests_a_near_one(table):
    assert "did you mean 'kendall_w'" in run("agreement", table, "--method", "kendal_w", code=2).stderr


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("", "empty"),
        ("judge,item,position\n", "no rows"),
        ("judge,item\na,x\n", "fit no kind"),
        ("judge,item,position,score\na,x,1,2\n", "more than one kind"),
        ("judge,item,position\na,x,0\n", "line 2"),
        ("judge,item,position\na,x,many\n", "not a number"),
        ("judge,item,position\na,x,1\na,x,2\n", "line 3"),
        ("judge,item,score\na,x,good\n", "not a number"),
        ("judge,item,group\na,x,1\na,x,2\n", "two groups"),
    ],
)
def test_bad_input_is_one_message_without_traceback(tmp_path, text, fact):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    result = run("agreement", path, code=2)
    assert fact in result.stderr
    assert "bad.csv" in result.stderr
    assert "Hint:" in result.stderr
    assert "Traceback" not in result.stderr


def test_missing_file_and_folder_are_told(tmp_path):
    assert "nowhere.csv" in run("agreement", tmp_path / "nowhere.csv", code=2).stderr
    assert "Hint" in run("agreement", tmp_path, code=2).stderr


def test_text_fits_eighty_columns_and_begins_with_a_sentence(table):
    out = run("agreement", table).stdout
    assert out.split("\n\n")[1].startswith("3 judges ordered 5 items on 2 tasks.")  # below what was read
    assert max(width(line) for line in out.splitlines()) <= 80
    assert "\x1b[" not in out


def test_wide_characters_fit_too(tmp_path):
    path = tmp_path / "wide.csv"
    rows = [f"課題{t},審査員{j},項目{i},{i}" for t in range(3) for j in range(3) for i in range(1, 5)]
    path.write_text("task,judge,item,position\n" + "\n".join(rows), encoding="utf-8")
    assert max(width(line) for line in run("agreement", path).stdout.splitlines()) <= 80


def test_csv_has_a_row_per_task_and_method(table):
    lines = run("agreement", table, "--format", "csv", "--method", "tau", "--method", "rho").stdout.splitlines()
    assert lines[0].startswith("task,method,value")
    assert len(lines) == 5


def test_out_writes_the_same_to_a_file(table, tmp_path):
    run("agreement", table, "--format", "json", "--out", tmp_path / "out.json")
    assert (tmp_path / "out.json").read_text("utf-8") == run("agreement", table, "--format", "json").stdout


def test_standard_input_is_read():
    assert "3 judges" in run("agreement", "-", stdin=TABLE).stdout


def test_views(table):
    assert "b > c" in run("agreement", table, "--task", "t1", "--show", "patterns").stdout
    assert '"b" -> "c";' in run("agreement", table, "--task", "t1", "--show", "graph").stdout
    assert "ann" in run("agreement", table, "--task", "t1", "--show", "matrix").stdout
    surface = json.loads(run("agreement", table, "--show", "surface", "--format", "json").stdout)
    first = surface["surface"][0]
    assert surface["method"] == "kappa"
    assert (first["gamma"], first["lam"], first["value"]) == (1.0, 1.0, 3.0)  # the mean over tasks


def test_table_lists_every_method_and_json_parses():
    out = run("table").stdout
    assert "kappa" in out
    assert "groupings" in out
    assert any(m["method"].startswith("support(q=0.5") for m in json.loads(run("table", "--format", "json").stdout))
    assert "discount" in run("table", "--kind", "orderings").stdout


def test_convert_goes_there_and_back(table, tmp_path):
    there, back = tmp_path / "panel.jsonl", tmp_path / "back.csv"
    run("convert", table, there)
    run("convert", there, back)
    assert as_json("agreement", back)["results"] == as_json("agreement", table)["results"]


def test_formats_are_listed():
    assert "preflib" in run("formats").stdout


def test_help_is_quick_and_loads_nothing_heavy():
    code = "import sys; from quorate.cli import main; main(['agreement', '--help'], standalone_mode=False); "
    code += "print([m for m in ('numpy', 'scipy', 'rich', 'polars') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip().splitlines()[-1] == "[]"


def test_output_cut_off_by_its_reader_is_no_error(table):
    command = f"{sys.executable} -m quorate.cli agreement {table} --format json | head -c 10"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


def test_a_hundred_thousand_rows(tmp_path):
    path = tmp_path / "many.csv"
    rows = (f"t{t},j{j},i{i},{(i * (j + 1) * 7) % 11 + 1}" for t in range(1000) for j in range(10) for i in range(10))
    path.write_text("task,judge,item,position\n" + "\n".join(rows))
    out = as_json("agreement", path, "--method", "kappa", "--method", "tau")
    assert out["tasks"] == 1000
    assert len(out["results"]) == 2000


def test_a_quorum_that_is_no_number_is_told_by_its_name(table):
    assert "q='half' is not a number.\n\nHint: q is" in run("agreement", table, "--q", "half", code=2).stderr


def test_an_option_for_methods_that_none_of_them_has_is_noted(table):
    assert "takes gamma; kappa, support would." in run("agreement", table, "--method", "tau", "--gamma", 0.5).stderr
    assert "takes" not in run("agreement", table, "--method", "kappa", "--gamma", 0.5).stderr


def test_a_report_says_at_once_that_metrics_or_systems_do_not_fit_the_judgments(table, tmp_path):
    scores, groups = tmp_path / "scores.csv", tmp_path / "groups.csv"
    scores.write_text("judge,item,score\nann,a,1\nbob,a,2\n")
    groups.write_text("judge,item,group\nann,a,1\nbob,a,2\n")
    out = ("--out", tmp_path / "page.json")
    assert "compared with scores, not orderings" in run("report", table, "--metrics", scores, *out, code=2).stderr
    assert "the systems are groupings" in run("report", table, "--systems", groups, *out, code=2).stderr
    assert not (tmp_path / "page.json").exists()


def test_votes_are_asked_for_by_their_columns(table):
    assert "these are no votes.\n\nHint: columns of votes are judge, model_a" in run("votes", table, code=2).stderr


def test_the_demo_goes_to_a_folder(table):
    assert "is a file" in run("demo", "--out", table, code=2).stderr


def test_python_m_quorate_is_the_command_line():
    found = subprocess.run([sys.executable, "-m", "quorate", "--version"], capture_output=True, text=True, check=True)
    assert found.stdout.startswith("quorate, version ")


def test_a_paper_whose_data_nobody_has_is_not_simulated_where_data_is_given(tmp_path):
    found = run("reproduce", "clusters", "--data", tmp_path, code=2)
    assert "nothing in it that clusters could be computed from" in found.output
    assert "are not public" in found.output


def test_that_preflib_leaves_out_names_is_said(tmp_path):
    (tmp_path / "o.csv").write_text("judge,item,position\nann,x,1\nann,y,2\n")
    found = run("convert", tmp_path / "o.csv", tmp_path / "o.soc")
    assert "PrefLib has no names of judges: they are left out" in found.output
