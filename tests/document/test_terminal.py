"""Blocks as text: nothing is cut off, what does not fit goes on below, and colours are for terminals."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import quorate as q
from quorate.document.blocks import Column, Document, Section, Table, Text, columns
from quorate.document.fitting import folded, wrapped
from quorate.document.layout import document, telling
from quorate.document.terminal import command, render


def lines(*blocks, width=80, **how):
    return render(blocks, width, **how).splitlines()


def test_a_title_wider_than_its_table_is_not_broken():
    assert lines(Table("By task, lowest first", columns("task"), (("a",),))) == ["By task, lowest first", "task", "a"]


def test_a_title_wider_than_the_terminal_is_wrapped_between_words():
    assert lines(Table("By task, lowest first", columns("task"), (("a",),)), width=16)[:2] == [
        "By task, lowest",
        "first",
    ]


def test_raw_values_read_as_people_expect():
    heads = columns("judge", "value:figure", "within:interval", "p:p", "tasks:count", "flag:flag", "names:names")
    row = ("ann", 0.12345, [0.1, 0.2], 0.0004, 1234, True, ["x", "y"])
    empty = ("bob", float("nan"), None, None, None, None, None)
    made = lines(Table("", heads, (row, empty)))
    assert made[1].split() == ["ann", "0.123", "0.100", "to", "0.200", "<", "0.001", "1,234", "yes", "x,", "y"]
    assert made[2].split() == ["bob", "undefined", "-", "-", "-", "-"]


def grouped(methods, rows=3):
    heads = [Column("judge", "judge")]
    for m in methods:
        heads += [Column("value", "value", "figure", group=m)]
        heads += [Column("interval", "95% interval", "interval", group=m, minor=2)]
    made = [(f"judge-{k}", *(x for _ in methods for x in (k / 10, [0.0, 0.5]))) for k in range(rows)]
    return Table("By judge", tuple(heads), tuple(made))


def test_columns_of_a_method_stand_under_its_name():
    made = lines(grouped(["tau_b", "rho"]))
    assert made[1].split() == ["tau_b", "rho"]
    assert made[2].split("  ")[0] == "judge"
    assert made[2].count("95% interval") == 2
    at = made[1].index("rho")
    assert made[2][at:].strip().startswith("value")


def test_intervals_are_left_out_first_and_the_table_says_so():
    made = lines(grouped(["tau_b", "rho", "kappa"]), width=60)
    assert made[1].split() == ["judge", "tau_b", "rho", "kappa"]
    assert made[-1] == "On a wider page or in --format json: 95% interval."
    assert "95% interval" in lines(grouped(["tau_b", "rho", "kappa"]), width=100)[2]


def test_what_still_does_not_fit_goes_on_below_with_the_names_again():
    methods = [f"method_{k:02}" for k in range(12)]
    made = lines(grouped(methods), width=40)
    assert max(map(len, made)) <= 40
    assert sum(line.startswith("judge-1") for line in made) > 2
    assert [m for m in methods if not any(m in line for line in made)] == []


def test_of_a_long_table_the_first_rows_are_shown_and_the_title_says_of_how_many():
    rows = tuple((f"t{k}",) for k in range(30))
    assert lines(Table("Tasks", columns("task"), rows))[0] == "Tasks (20 of 30)"
    assert len(lines(Table("Tasks", columns("task"), rows))) == 22
    assert lines(Table("", columns("task"), rows[:5], of=100))[0] == "5 of 100 rows"
    assert len(lines(Table("", columns("task"), rows), rows=99)) == 31


def test_a_document_has_its_headings_underlined():
    inside = (Text(("one",), "points"), Section("Who?", (Text(("so be it",), "note"),)))
    assert render(Document("Title", inside)).splitlines() == [
        *("Title", "=====", "", "- one", "", "", "Who?", "----", ""),
        "Note: so be it.",
    ]


def test_colour_is_for_headings_flags_and_what_is_significant():
    heads = columns("judge", "value:figure", "p:p", "flag:flag")
    table = Table("By judge", heads, (("ann", 0.1, 0.01, True), ("bob", 0.2, 0.5, False)))
    made = lines(table, colour=True)
    assert made[0] == "\x1b[1mBy judge\x1b[0m"
    assert "\x1b[1;31mann\x1b[0m" in made[2]
    assert "\x1b[32m0.01\x1b[0m" in made[2]
    assert "\x1b" not in made[3]
    assert re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(made)) == "\n".join(lines(table))


def test_a_command_is_broken_between_words_only():
    line = "quorate report --title 'a long title with blanks in it' file.csv"
    made = command(line, 40)
    assert max(map(len, made)) <= 42
    assert "".join(made).replace("\\", "").split() == line.split()


@given(
    names=st.lists(st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=1, max_size=40), min_size=1),
    width=st.integers(20, 120),
)
def test_no_name_and_no_number_is_cut_off_however_narrow_the_page(names, width):
    heads = (Column("name", "name"), Column("within", "0.95 interval (items)", "interval"))
    text = render([Table("", heads, tuple((n, (k, k + 0.5)) for k, n in enumerate(names)))], width, rows=len(names))
    letters = "name0.95interval(items)" + "".join(f"{n}{k}to{k}.500" for k, n in enumerate(names))
    assert sorted(re.sub(r"\s", "", text)) == sorted(letters)
    assert all(f"{k}.500" in text for k in range(len(names)))


@given(st.lists(st.text("ab界(", min_size=1, max_size=9), min_size=1, max_size=20), st.integers(20, 60))
def test_a_sentence_is_broken_at_blanks_only(words, width):
    said = wrapped(" ".join(words), width)
    assert said.split() == words
    assert max(cell_len(line) for line in said.split("\n")) <= width


def test_a_method_in_a_narrow_column_is_folded_after_brackets_and_commas():
    assert folded("icc(model=2, unit=single)", 9) == ["icc(", "model=2,", "unit=", "single)"]
    heads = columns("method", "value:figure", "interval:interval")
    made = lines(Table("", heads, (("icc(model=2, unit=single)", 0.123, (0.123, 0.568)),)), width=29)
    assert made[1].split() == ["icc(model=2,", "0.123", "0.123", "to"]
    assert made[2].split() == ["unit=single)", "0.568"]
    assert max(map(len, made)) <= 29


def test_names_cannot_steer_the_terminal():
    assert "\x1b" not in render([Table("t\x1b[31m", columns("judge"), (("a\x1b[31mb\nc",),)), Text(("x\x1b[2J",))])


# -- answers -----------------------------------------------------------------------------------------------------------

FILMS = {"comedy": {"ann": "abc", "bob": "acb", "cat": "bca"}, "drama": {"ann": "def", "bob": "def", "cat": "fde"}}
METHODS = ("tau_b", "rho", "rbo", "kendall_w", "kappa", "support")


def by_task(width):
    answer = q.agreement(q.Orderings.from_orders(FILMS), *METHODS, permutations=0)
    found = answer.text(width).splitlines()
    start = next(k for k, line in enumerate(found) if line.startswith("By task"))
    return found[start:]


def test_every_method_that_fits_is_in_the_table_of_tasks():
    head = by_task(80)
    assert head[0] == "By task, least agreement first"
    assert head[1].split() == ["task", *METHODS]


@pytest.mark.parametrize("width", [30, 40, 50])
def test_methods_that_do_not_fit_go_on_below(width):
    found = by_task(width)
    shown = [word for line in found if line.startswith("task ") for word in line.split()[1:]]
    assert shown == list(METHODS)
    assert sum(line.startswith("comedy ") for line in found) > 1
    assert max(map(len, found)) <= width


def test_columns_that_are_empty_or_the_same_throughout_by_their_nature_are_left_out():
    row = {"judge": "ann", "method": "copies", "value": 0.5, "interval_by": "Wilson", "chance": None, "flag": False}
    assert telling("copies", [row, {**row, "judge": "bob"}]) == ["judge", "value"]


def test_a_flag_and_methods_that_differ_are_told():
    rows = [{"method": "rank_sum", "flag": False}, {"method": "rank_sum(outliers=drop)", "flag": True}]
    assert telling("without_outliers", rows) == ["method", "flag"]


def test_an_answer_has_its_text_in_a_notebook_too():
    answer = q.agreement(q.Orderings.from_orders(FILMS), "tau_b", permutations=0)
    assert answer.text() == render(document(answer))
    assert "3 judges ordered" in answer._repr_html_()
    assert "<td>tau_b</td>" in answer._repr_html_()


def test_a_table_with_more_rows_than_are_shown_says_so():
    names = [f"j{n:02}" for n in range(25)]
    rows = [(t, j, i, (n + t * k) % 5 + 1) for t in range(3) for n, j in enumerate(names) for k, i in enumerate("xyz")]
    given_ = dict(zip(("task", "judge", "item", "score"), map(list, zip(*rows, strict=True)), strict=True))
    said = q.judges(q.Scores.build(given_), resamples=100, permutations=0).text()
    assert "Copies (20 of 25)" in said
    assert re.search(r"By judge, .* first \(20 of 25\)", said)


def test_a_table_says_the_same_whatever_its_width():
    answer = q.agreement(q.Orderings.from_orders(FILMS), *METHODS, permutations=0)
    for width in (40, 60, 80, 140):
        plain = answer.text(width)
        assert all(f"{f.overall[0].value:.3f}" in plain for f in answer.findings)
