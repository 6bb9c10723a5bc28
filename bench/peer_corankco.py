"""Run by the peers' own Python: Kemeny's order by corankco's exact solver with free libraries (PuLP and CBC)."""

import contextlib
import json
import os
import resource
import sys
import warnings
from importlib.metadata import version

warnings.simplefilter("ignore")
import corankco as crc  # noqa: E402
from corankco.algorithms.exact.exactalgorithmpulp import ExactAlgorithmPulp  # noqa: E402


def seconds() -> float:
    """CPU time so far, that of the solver's own process included."""
    own, solver = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + solver.ru_utime + solver.ru_stime


def solve(orders: list[list[int]]) -> tuple[float, float]:
    """CPU time and cost. A tie costs as much as a contradiction, so that orders without ties are the best."""
    data = crc.Dataset.from_raw_list([[{item} for item in order] for order in orders])
    scheme = crc.ScoringScheme([[0.0, 1.0, 1.0, 0.0, 1.0, 1.0], [1.0, 1.0, 0.0, 1.0, 1.0, 0.0]])
    begun = seconds()
    found = ExactAlgorithmPulp().compute_consensus_rankings(data, scheme, True)
    return seconds() - begun, float(found.kemeny_score)


given = json.load(sys.stdin)
with open(os.devnull, "w") as quiet, contextlib.redirect_stdout(quiet):
    solve([[0, 1, 2], [1, 0, 2], [2, 1, 0]])  # numba compiles on first use: that is not counted
    found = [solve(orders) for orders in given["panels"]]
json.dump(
    {"seconds": [f[0] for f in found], "costs": [f[1] for f in found], "version": version("corankco")}, sys.stdout
)
