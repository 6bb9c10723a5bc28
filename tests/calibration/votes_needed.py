"""Whether as many votes as are said to be needed tell two systems apart as often as promised."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import NormalDist

import numpy as np

import quorate as q
from quorate.inference.core import Core
from quorate.inference.results import Options
from quorate.panel.pairs import VoteDesign
from quorate.votes.separation import Difference, Separation
from tests.calibration.experiment import Experiment, rng
from tests.votes.made import panel

FAR = tuple((a, b) for a in range(10) for b in ((a + 2) % 10, (a + 3) % 10))  # of ten systems: the first two never meet
POINTS = 200  # tasks that stand for all


@dataclass(frozen=True)
class Votes:
    """Votes as they are made: systems of these strengths, pairs, tasks with so many votes, and how tasks differ."""

    strengths: tuple[float, ...]
    tasks: int
    pairs: Sequence[tuple[int, int]] = ()  # all, where none are named
    each: int = 1  # votes on a task, on the same pair
    differ: float = 0.0  # deviation of a pair's log odds from task to task
    tie: float = -np.inf  # Davidson's weight of ties
    judges: int = 3  # 0: every vote by a judge of its own

    def made(self, generator: np.random.Generator, more: int = 0) -> q.Votes:
        """A panel, with so many votes more on the first two systems, each on a task of its own."""
        size = len(self.strengths)
        pairs = self.pairs or [(a, b) for a in range(size) for b in range(a + 1, size)]
        chosen = [(pairs[k], self.each) for k in generator.integers(len(pairs), size=self.tasks)]
        rows = []
        for t, ((a, b), votes) in enumerate([*chosen, *[((0, 1), 1)] * more]):
            eta = self.strengths[a] - self.strengths[b] + self.differ * generator.normal()
            for _ in range(votes):
                ways = np.exp([eta / 2, self.tie, -eta / 2])
                got = (1.0, 0.5, 0.0)[int(generator.choice(3, p=ways / ways.sum()))]
                shown = (a, b, got) if generator.random() < 0.5 else (b, a, 1 - got)
                judge = f"j{generator.integers(self.judges) if self.judges else len(rows)}"
                rows.append((f"t{t}", judge, f"s{shown[0]}", f"s{shown[1]}", shown[2]))
        return panel(rows)


SETTINGS = {
    "2 systems": Votes((0.4, 0.0), 60),
    "4 systems, all pairs": Votes((0.3, 0.0, -0.2, -0.4), 400),
    "4 systems, ties": Votes((0.35, 0.0, -0.2, -0.4), 400, tie=0.3),
    "4 systems, a judge a vote": Votes((0.35, 0.0, -0.2, -0.4), 300, judges=0),
    "4 systems, 4 judges a task": Votes((0.5, 0.0, -0.2, -0.4), 150, each=4, differ=1.0),
    "10 systems, few pairs": Votes((0.4, 0.0, 0.2, -0.1, -0.3, 0.1, -0.2, 0.3, -0.4, 0.05), 1000, pairs=FAR),
}


def known(votes: q.Votes, seed: int) -> Difference:
    """What a panel tells of the difference of the first two systems."""
    design = VoteDesign.of(votes.by_name)
    one, two = (design.systems.index(name) for name in ("s0", "s1"))
    return Separation(design, Core(Options(resamples=400, seed=seed))).between(one, two)


def difference(how: Votes) -> float:
    """The difference of the first two that votes show: those of tasks that differ lie nearer to even."""
    off = how.differ * np.array([NormalDist().inv_cdf((k + 0.5) / POINTS) for k in range(POINTS)])
    won = float(np.mean(1 / (1 + np.exp(how.strengths[1] - how.strengths[0] + off))))
    return float(np.log(won / (1 - won)))


def enough(seed: int, setting: str) -> dict[str, float]:
    """Whether as many votes more as a panel says, were its difference the true one, tell the two apart in another."""
    how, generator = SETTINGS[setting], rng(seed)
    pilot = replace(known(how.made(generator), seed), gap=difference(how), told=False)
    return {"told apart": known(how.made(generator, int(pilot.more())), seed).told_apart}


def votes_needed() -> Iterator[Experiment]:
    """Votes more for a power of 80%."""
    for setting in SETTINGS:
        yield Experiment("needed", "votes", f"votes needed, {setting}", partial(enough, setting=setting), promise=0.8)
