"""Tables in a terminal: a title is a line of its own, and a block shows the columns that say something."""

import io

import pytest
from quorate.terminal.text import _told, plain_console, plain_table

import quorate as q


def printed(table, width=80):
    out = io.StringIO()
    plain_console(out, width).print(table)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_a_title_wider_than_its_table_is_not_broken():
    table = plain_table("By task, lowest first")
    table.add_column("task")
    table.add_row("a")
    assert printed(table) == ["By task, lowest first", "task", "a"]


def test_a_title_wider_than_the_terminal_is_wrapped_between_words():
    table = plain_table("By task, lowest first")
    table.add_column("task")
    assert printed(table, width=16)[:2] == ["By task, lowest", "first"]


def test_columns_that_are_empty_or_the_same_throughout_by_their_nature_are_left_out():
    row = {"judge": "ann", "method": "copies", "value": 0.5, "interval_by": "Wilson", "chance": None, "flag": False}
    assert _told("copies", [row, {**row, "judge": "bob"}]) == ["judge", "value"]


def test_a_flag_and_methods_that_differ_are_told():
    rows = [{"method": "rank_sum", "flag": False}, {"method": "rank_sum(outliers=drop)", "flag": True}]
    assert _told("without_outliers", rows) == ["method", "flag"]


FILMS = {"comedy": {"ann": "abc", "bob": "acb", "cat": "bca"}, "drama": {"ann": "def", "bob": "def", "cat": "fde"}}
METHODS = ("tau_b", "rho", "rbo", "kendall_w", "kappa", "support")


def by_task(width):
    answer = q.agreement(q.Orderings.from_orders(FILMS), *METHODS, permutations=0)
    lines = answer.text(width).splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("By task"))
    return lines[start : lines.index("", start)]


def test_every_method_that_fits_is_in_the_table_of_tasks():
    head = by_task(80)
    assert head[0] == "By task, lowest first"
    assert head[1].split() == ["task", *METHODS]


@pytest.mark.parametrize("width", [30, 40, 50])
def test_methods_that_do_not_fit_are_counted_not_dropped_without_a_word(width):
    lines = by_task(width)
    shown = next(line for line in lines if line.startswith("task ")).split()[1:]
    assert shown == list(METHODS[: len(shown)])
    assert f"{len(METHODS) - len(shown)} more method" in " ".join(lines)
    assert max(map(len, lines)) <= width


def test_an_answer_has_its_text_in_a_notebook_too(monkeypatch):
    answer = q.agreement(q.Orderings.from_orders(FILMS), "tau_b", permutations=0)
    plain = answer.text()
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert answer.text() == plain
    assert "3 judges ordered" in answer._repr_html_()


def test_a_table_with_more_rows_than_are_shown_says_so():
    names = [f"j{n:02}" for n in range(25)]
    rows = [(t, j, i, (n + t * k) % 5 + 1) for t in range(3) for n, j in enumerate(names) for k, i in enumerate("xyz")]
    columns = dict(zip(("task", "judge", "item", "score"), map(list, zip(*rows, strict=True)), strict=True))
    said = q.judges(q.Scores.build(columns), resamples=100, permutations=0).text()
    assert "Copies (20 of 25)" in said


def test_the_consistency_of_more_judges_than_are_shown_says_so():
    names = [f"j{n:02}" for n in range(25)]
    rows = [(j, i, w, (n + k + w) % 4) for n, j in enumerate(names) for k, i in enumerate("xyz") for w in (1, 2)]
    columns = dict(zip(("judge", "item", "occasion", "score"), map(list, zip(*rows, strict=True)), strict=True))
    said = q.judges(q.Scores.build(columns), "self_consistency", "bias", resamples=100).text()
    assert "Consistency with oneself, best first (20 of 25): alpha" in said


def test_a_range_is_folded_behind_its_dots_where_nothing_else_helps_and_no_number_ever_is():
    def made(width):
        table = plain_table()
        table.add_column("metric")
        table.add_column("all", justify="right")
        table.add_row("rouge", "0.104 [-0.130..-0.027]")
        return printed(table, width)[1:]

    assert made(30) == ["rouge   0.104 [-0.130..-0.027]"]
    assert made(25) == ["rouge               0.104", "         [-0.130..-0.027]"]
    assert made(20) == ["rouge          0.104", "           [-0.130..", "             -0.027]"]
