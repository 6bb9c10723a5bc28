"""Tables in a terminal: a title is a line of its own, and a block shows the columns that say something."""

import io

from quorate.terminal.text import _told, plain_console, plain_table


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
