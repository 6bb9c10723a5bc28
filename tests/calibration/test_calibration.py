"""A short form of the calibration: a few panels of some experiments. `make calibration` runs all of them at length."""

from __future__ import annotations

import pytest

from tests.calibration.__main__ import missed, page
from tests.calibration.experiments import every

KNOWN = ("coverage", "groupings", "over judges, 1 x 10")  # short of its promise; the page says by how much
CHOSEN = [e for e in every() if e.promise is not None and "30" not in e.setting]
SHORT = [e for e in CHOSEN[::4] if (e.section, e.kind, e.setting) != KNOWN]


@pytest.mark.parametrize("experiment", SHORT, ids=lambda e: f"{e.section} {e.kind} {e.setting}")
def test_promises_hold_on_a_few_panels(experiment):
    rows = [experiment.run(seed) for seed in range(12)]
    rates = {n: (sum(r[n] for r in rows if n in r) / 12, 12) for n in rows[0]}
    assert missed(experiment, rates) == []


def test_the_page_marks_what_misses_its_promise():
    (experiment,) = (e for e in every() if (e.section, e.kind, e.setting) == ("flags", "scores", "5 x 5"))
    good, bad = ({"flagged": (rate, 200)} for rate in (0.05, 0.15))
    assert missed(experiment, good) == []
    assert missed(experiment, bad) == ["flagged"]
    assert "15% (200) !" in page([experiment], [bad])
