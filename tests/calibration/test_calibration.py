"""A short form of the calibration: a few panels of some experiments. `make calibration` runs all of them at length."""

from __future__ import annotations

import json
from concurrent.futures import Future
from xml.etree import ElementTree

import pytest

from quorate import table
from tests.calibration import __main__ as program
from tests.calibration import pieces
from tests.calibration.experiments import every, outcomes
from tests.calibration.page import missed, page, pictures, rates
from tests.family import LONG

KNOWN = ("coverage", "groupings", "agreement, over judges, 1 x 10")  # short of its promise; the page says by how much
MANY = ("20 x", "30")  # panels of many tasks, or of many judges
CHOSEN = [e for e in every() if e.promise is not None and not any(n in e.setting for n in MANY) and e.key != KNOWN]
SHORT = CHOSEN[:: 8 if LONG else 24]
PANELS = 10 if LONG else 6


@pytest.mark.parametrize("experiment", SHORT, ids=lambda e: " ".join(e.key))
def test_promises_hold_on_a_few_panels(experiment):
    found = rates(outcomes((experiment.key, tuple(range(PANELS)))))
    assert found
    assert missed(experiment, found) == []


def test_every_kind_is_measured_in_every_section_that_it_can_be():
    measured = {(e.section, e.kind) for e in every()}
    every_kind = {(section, kind) for section in ("flags", "power", "null", "coverage") for kind in table.KINDS}
    assert measured - every_kind == {("needed", kind) for kind in table.KINDS}
    assert every_kind <= measured
    assert len({e.key for e in every()}) == len({pieces.path(e) for e in every()}) == len(every())


def one(*key):
    (experiment,) = (e for e in every() if e.key == key)
    return experiment


def test_the_page_marks_what_misses_its_promise():
    experiment = one("flags", "scores", "5 x 8")
    good, bad = ({"flagged": (rate, 200)} for rate in (0.05, 0.15))
    assert missed(experiment, good) == []
    assert missed(experiment, bad) == ["flagged"]
    assert "15% (200) !" in page([(experiment, bad)], 1)


def test_pictures_are_small_and_have_a_dot_for_every_rate():
    rows = [(e, {"a <method>": (0.5, 20)}) for e in every()]
    for section, svg in pictures(rows).items():
        assert len(svg) < 60_000
        dots = ElementTree.fromstring(svg).findall("{http://www.w3.org/2000/svg}circle")
        assert len(dots) == sum(e.section == section for e in every())


class Pool:
    """Jobs done at once."""

    def __init__(self):
        self.seeds = []

    def submit(self, function, job):
        done = Future()
        done.set_result(function(job))
        self.seeds += job[1]
        return done


def test_a_run_that_was_interrupted_goes_on_where_it_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(pieces, "FOLDER", tmp_path)
    experiment, pool = one("flags", "votes", "1 x 3"), Pool()
    program.measure(pool, [experiment], {experiment.key: 3})
    with pieces.path(experiment).open("a") as file:
        file.write("\n" + json.dumps([3, 0.1, {"flagged": 0.0}])[:9])  # cut off
    program.measure(pool, [experiment], {experiment.key: 5})
    assert pool.seeds == [0, 1, 2, 3, 4]
    assert [seed for seed, *_ in pieces.read(experiment)] == [0, 1, 2, 3, 4]
