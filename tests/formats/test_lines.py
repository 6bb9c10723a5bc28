"""One ranking per line."""

from __future__ import annotations

import pytest

from quorate.errors import InputError
from quorate.formats import read, write
from quorate.panel.kinds import Orderings, Scores


@pytest.fixture
def file(tmp_path):
    def make(content, name="in.rankings"):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return path

    return make


def fails(*args, **options):
    with pytest.raises(InputError) as caught:
        read(*args, **options)
    return str(caught.value)


def test_judges_ties_comments(file):
    panel = read(file("# lunch\n\nann: soup > rice = 麺\n bob :rice>soup\n"))
    assert panel == Orderings.from_orders({"ann": "soup > rice = 麺", "bob": "rice > soup"})


def test_tasks_and_counts(file):
    panel = read(file("74 * lunch | ann: x > y\ndinner | ann: y > x\n"))
    assert panel.tasks == ("lunch", "dinner")
    assert panel.votes == 75


def test_judges_without_names_are_numbered_within_the_task(file):
    panel = read(file("x > y\n2 * y > x\nlunch | y\n"))
    assert panel.orders("all") == {"1": [["x"], ["y"]], "2": [["y"], ["x"]]}
    assert panel.orders("lunch") == {"1": [["y"]]}
    assert read(file("x > y\n", "a.rankings"), file("y > x\n", "b.rankings")).judges == ("1", "2")


def test_known_by_content(file):
    assert read(file("ann: x > y\nbob: y\n", "x.txt")).judges == ("ann", "bob")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("ann:", "no items"),
        ("ann: x > > y", "an item is missing"),
        (": x > y", "nothing before ':'"),
        ("| x > y", "nothing before '|'"),
        ("0 * x > y", "the count is 0"),
        ("ann: bob: x > y", "a mark too many"),
        ("ann > bob: x", "a mark too many"),
        ("t | u | x > y", "a mark too many"),
        ("cid: x", "judge 'cid' again"),
    ],
)
def test_wrong_lines(file, line, why):
    said = fails(file(f"cid: x > y\n{line}\n"))
    assert f"line 2: {why}" in said


def test_an_item_twice(file):
    assert "line 1: judge 'ann' has item 'x' again" in fails(file("ann: x > y > x\n"))
    assert "no rankings" in fails(file("# nothing\n"))


def test_numbered_and_named_judges_are_not_mixed(file):
    assert "judge '1' again" in fails(file("1: x > y\nz > w\n"))


@pytest.mark.parametrize("judge", ["a:b", "a > b", "a = b", "a|b", " a", "#a", "3 * a", "a\nb", "\ufeffa"])
def test_ids_that_cannot_be_written(tmp_path, judge):
    with pytest.raises(InputError, match="cannot hold the judge"):
        write(Orderings.from_orders({judge: "xy"}), tmp_path / "x.rankings")


def test_what_lines_cannot_hold(tmp_path):
    with pytest.raises(InputError, match="holds orderings, not scores"):
        write(Scores.from_matrix([[1]]), tmp_path / "x.rankings")
    raw = {"judge": ["a", "a"], "item": ["x", "x"], "position": [1, 1], "occasion": [1, 2]}
    with pytest.raises(InputError, match="occasions"):
        write(Orderings.build(raw), tmp_path / "x.rankings")
