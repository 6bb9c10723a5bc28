"""Figures of all tasks at once, beside those of a panel of each task alone."""

from __future__ import annotations

import numpy as np
import pytest

import quorate as q
from quorate import Scores
from quorate.inference.core import Core
from quorate.inference.results import Options
from quorate.panel.outputs import OutputDesign
from quorate.scores.worst_judges import means_of, means_without, random_keep, table_of


def panel(seed=0, gaps=0.0):
    rng = np.random.default_rng(seed)
    task, judge, item = (x.ravel() for x in np.indices((6, 3, 4)))
    value = np.round(rng.normal(item, 1.0))
    keep = rng.random(task.size) >= gaps
    keep &= ~((task == 5) & (judge == 2))  # a task that one judge did not do
    columns = {"task": task, "judge": judge, "item": item + 4 * task, "system": item, "score": value}
    return Scores.build({name: column[keep] for name, column in columns.items()})


@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize(
    "method",
    ["percent", "percent(tolerance=1)", "icc", "icc(model=3, unit=mean)", "icc(model=1)", "alpha", "fleiss"],
)
def test_a_task_has_the_figure_that_it_has_alone(method, gaps):
    whole = panel(1, gaps)
    found = q.agreement(whole, method, resamples=0, permutations=0).findings[0]
    for k, task in enumerate(found.keys["task"]):
        alone = q.agreement(whole.select(tasks=[task]), method, resamples=0, permutations=0).findings[0].overall[0]
        assert found.values[k] == pytest.approx(alone.value, nan_ok=True, rel=1e-12)
        for name, column in found.details.items():
            if name in alone.labels and name not in ("interval", "f_interval"):
                assert column[k] == pytest.approx(alone.labels[name], nan_ok=True, rel=1e-9), name


def test_means_without_some_scores_are_those_of_the_scores_that_are_left():
    (made,) = OutputDesign.every(panel(2))
    dropped = made.scores.judge == 1
    kept = random_keep(made, dropped, "scores", Core(Options()), 5)
    plain = np.stack([means_of(table_of(made, keep)) for keep in kept])
    np.testing.assert_allclose(means_without(made, kept), plain, rtol=1e-12)
