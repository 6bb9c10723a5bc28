"""The options of an answer are declared once: the verbs' keywords and the commands' options are the same."""

import inspect
from dataclasses import fields
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import quorate as q
from quorate import table
from quorate.cli import main
from quorate.errors import BadParameter
from quorate.inference.results import Options

DECLARED = Options.declared()


@pytest.mark.parametrize("question", table.QUESTIONS)
def test_a_verb_has_the_declared_options_as_keywords(question):
    found = inspect.signature(getattr(q, question)).parameters
    own = ("of", "metrics", "systems", "tune", "cluster")
    given = {n: p.default for n, p in found.items() if p.kind is p.KEYWORD_ONLY and n not in own}
    inside = ("brief",)  # set where the core itself asks
    assert given == {f.name: f.default for f in fields(Options) if f.name not in inside}


@pytest.mark.parametrize("command", [*table.QUESTIONS, "report"])
def test_a_command_has_the_declared_options(command):
    options = {p.name: p for p in main.commands[command].params if isinstance(p, click.Option)}
    for name, p in DECLARED.items():
        assert options[name].opts == [f"--{name}"]
        assert (options[name].default, options[name].help) == (p.default, f"{p.meaning}.")
        if p.type == "choice":
            assert options[name].type.choices == p.choices


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seed", -1),
        ("seed", 1.5),
        ("level", 0),
        ("level", 1.0),
        ("resamples", -1),
        ("seconds", 0),
        ("absent", "gone"),
        ("copies", "two"),
        ("copies", None),
        ("over", 3),
    ],
)
def test_a_value_that_cannot_be_is_told_with_the_rule(name, value):
    with pytest.raises(BadParameter, match=name) as told:
        Options(**{name: value})
    assert told.value.hint


@pytest.fixture
def lists(tmp_path):
    orders = {"ann": "abcde", "bob": "abced", "cat": "bacde", "dan": "abdce"}
    rows = [f"{t},{j},{i},{k}" for t in "xy" for j, o in orders.items() for k, i in enumerate(o, 1)]
    path = tmp_path / "lists.csv"
    path.write_text("task,judge,item,position\n" + "\n".join(rows), encoding="utf-8")
    return str(path)


def asked(*words):
    return CliRunner().invoke(main, [*words, "--resamples", "0", "--permutations", "0", "--format", "json"])


@pytest.mark.parametrize(
    ("question", "method", "words"),
    [
        ("agreement", "kappa(gamma=0.9, lam=0.8)", ("--gamma", "0.9", "--lam=0.8")),
        ("agreement", "support(q=3)", ("--q", "3")),
        ("quality", "frespa(min_sup=0.5, max_len=3)", ("--min-sup", "0.5", "--max-len", "3")),
        ("trust", "judges_needed(target=0.8)", ("--target", "0.8")),
    ],
)
def test_parameters_of_methods_are_options(lists, question, method, words):
    files = (lists, lists) if question == "quality" else (lists,)
    bare = method.partition("(")[0]
    found = asked(question, *files, "--method", bare, *words)
    assert found.exit_code == 0, found.output
    assert found.stdout == asked(question, *files, "--method", method).stdout


def test_a_parameter_that_no_method_has_is_no_option(lists):
    found = asked("agreement", lists, "--gammma", "0.9")
    assert found.exit_code == 2
    assert "No such option" in found.output


def test_a_value_out_of_a_parameters_range_is_told(lists):
    found = asked("agreement", lists, "--gamma", "7")
    assert found.exit_code == 2
    assert "gamma=7 is out of range" in found.output


def test_a_file_called_as_a_parameter_is_a_file(lists, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(lists).rename("--gamma")
    words = ["agreement", "--method", "kappa", "--input-format", "csv", "--", "--gamma"]
    found = CliRunner().invoke(main, words)
    assert found.exit_code == 0, found.output
    assert "4 judges" in found.stdout


def test_patterns_have_the_declared_defaults():
    frespa = table.find("frespa", "orderings", "quality").parameters
    options = {p.name: p for p in main.commands["patterns"].params}
    with click.Context(main.commands["patterns"]) as ctx:
        assert frespa["min_sup"].read(options["min_sup"].get_default(ctx)) == frespa["min_sup"].default
