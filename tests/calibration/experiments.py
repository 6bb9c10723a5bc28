"""What is measured: false flags, power, p under a true null, coverage of intervals, judges needed."""

from __future__ import annotations

import time
from functools import cache

from tests.calibration.branches import branch_experiments
from tests.calibration.coverage import coverage
from tests.calibration.experiment import PANELS, Experiment
from tests.calibration.flags import flags, power
from tests.calibration.judge_groups import judge_groups
from tests.calibration.models import model_coverage, model_nulls
from tests.calibration.needed import judges_needed
from tests.calibration.nowhere_cards import nowhere_cards
from tests.calibration.nulls import nulls
from tests.calibration.vote_camps import vote_camps
from tests.calibration.vote_effects import effect_coverage, self_preference_null
from tests.calibration.votes_needed import votes_needed

Job = tuple[tuple[str, str, str], tuple[int, ...]]  # an experiment's key and some seeds
Outcome = tuple[int, float, dict[str, float]]  # seed, CPU seconds, outcomes by name


@cache
def every() -> tuple[Experiment, ...]:
    """All experiments, in the order of the page."""
    nothing = (*nulls(), *nowhere_cards(), *vote_camps(), *judge_groups(), *self_preference_null(), *model_nulls())
    held = (*coverage(), *branch_experiments(), *effect_coverage(), *model_coverage())
    found = (*flags(), *power(), *nothing, *held, *judges_needed(), *votes_needed())
    return tuple(sorted(found, key=lambda e: list(PANELS).index(e.section)))  # some measure power beside their null


def outcomes(job: Job) -> list[Outcome]:
    """The outcomes of some panels of one experiment."""
    key, seeds = job
    (experiment,) = (e for e in every() if e.key == key)
    found = []
    for seed in seeds:
        start = time.process_time()
        rates = {n: float(v) for n, v in experiment.run(seed).items()}
        found.append((seed, time.process_time() - start, rates))
    return found
