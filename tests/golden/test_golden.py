"""The figures of a few panels are what they were; ``python -m tests.golden`` has all of them, and the words."""

from __future__ import annotations

import pytest

from tests.family import some
from tests.golden import stored, work
from tests.golden.__main__ import told
from tests.golden.compare import compare
from tests.golden.panels import PANELS

FEW = (
    "orderings-one-is-off",
    "public-beers",
    "groupings-several-tasks",
    "every-reviews",
    "scores-criteria",
    "orderings-gaps",
    "example-volcano",
    "scores-labels-on-a-scale",
    "orderings-counts-by-task",
)
BY_CHANCE = 0.005  # of the drawn figures may move further than they did over a few seeds


@pytest.mark.parametrize("name", some(FEW, 3))
def test_figures_are_what_they_were(name):
    result = work.check(name, words=False)
    if result.skipped:
        pytest.skip(result.skipped)
    assert result.counts["point"] > 0
    assert not result.only("changed"), "\n".join(told([result]))
    assert not result.only("gone"), "\n".join(told([result]))
    assert len(result.only("moved")) <= BY_CHANCE * result.counts["drawn"], "\n".join(told([result]))


def test_every_panel_is_stored_and_nothing_else():
    assert {file.stem for file in stored.FOLDER.glob("*.json")} == set(PANELS)


def changed(edit):
    """What is said of a golden panel after an edit of its answers."""
    name = "orderings-two-judges"
    golden, found = stored.load(name), stored.load(name)
    edit(found["answers"]["agreement"])
    return compare(name, golden, found)


def test_a_point_figure_that_changes_in_its_last_digits_is_told():
    result = changed(lambda a: a["figures"]["overall | rho"].update(value=0.8000000001))
    assert next((c.method, c.field) for c in result.only("changed")) == ("rho", "value")


def test_a_drawn_figure_may_move_a_little():
    def by(step):
        return changed(
            lambda a: a["figures"]["overall | rho"].update(p_value=a["figures"]["overall | rho"]["p_value"] + step)
        )

    assert not by(0.01).changes
    assert by(0.9).only("moved")


def test_what_is_new_or_gone_is_no_change():
    def edit(answer):
        answer["figures"]["overall | rho"]["new"] = 1
        del answer["figures"]["overall | rbo"]

    result = changed(edit)
    assert {c.what for c in result.changes} == {"added", "gone"}


def test_numbers_in_words_are_not_words():
    assert not changed(lambda a: a["words"].insert(0, a["words"].pop(0).replace("2", "3"))).words
    assert changed(lambda a: a["words"].insert(0, "Something else.")).words
