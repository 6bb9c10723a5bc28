"""The one model of votes: strengths of systems, the advantage of the first place, covariates, and what ties weigh.

The log odds that a beats b are s_a - s_b + place + x @ effects; where judges have a discrimination each, that of the
judge times s_a - s_b. Place and systems are told apart only where pairs are
shown both ways; elsewhere there is no such term, and strengths hold whatever the places do. So it is with every
covariate that systems alone could explain: it is left out and named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from quorate.errors import BadParameter, LimitReached
from quorate.kernels.additive import parts
from quorate.kernels.bradley_terry import SYSTEMS, TIES, Fit, Model, Step, fit, unexplained
from quorate.kernels.defined import quotient
from quorate.kernels.discrimination import Judged, JudgedStep, fit_judged
from quorate.kernels.group_sums import crossed, first_rows, group_sums, renumbered, summable
from quorate.panel.design import Measured
from quorate.panel.pairs import VoteDesign
from quorate.panel.vote_cells import VoteCells
from quorate.panel.vote_columns import OWN, covariates
from quorate.panel.vote_counts import Often
from quorate.table import Method, Parameter, choice, number

Array = NDArray[Any]
LEAST = 1e-6  # prior, without which a system that never lost has no finite strength
BOTH_WAYS = 10  # votes each way on pairs shown both ways, from which the place is part of the model
JUDGES = 100  # that may each have an effect of their own
BY_JUDGES = 20_000_000  # judges times systems, of which discriminations are had
IDENTIFIED = 1e-6  # share of a covariate that systems and other covariates must leave unexplained
PLACE, OWN_BY_JUDGE = "place", "own_by_judge"
PARAMETERS: Mapping[str, Parameter] = {
    "ties": choice("what a tie is", *TIES),
    "place": choice(
        "whether the first place has an advantage of its own: auto, where it is identified; judge, one for each judge",
        *("auto", "judge", "no"),
    ),
    "prior": number("wins and losses against an average system given to each where votes alone set no limit", 0.0),
    "covariates": Parameter(
        "what else may decide, with + between: length (columns length_a and length_b, or a column of differences), "
        "own (a system of the judge's own family; own_by_judge: for each judge), all",
        "text",
        optional=True,
    ),
    "discrimination": choice(
        "how much votes follow the strengths: same, whoever votes; judge, as much as each judge's do, 1 on average",
        *("same", "judge"),
    ),
}


def named(v: VoteDesign, text: str | None) -> tuple[str, ...]:
    """The covariates that a text names, each once; all: every pair of columns of numbers, and the own family."""
    if text is None:
        return ()
    written = [name.strip() for name in text.split("+")]
    if not all(written):
        raise BadParameter(f"covariates={text} has an empty name.", "write names with + between: length+style.")
    own = [OWN] if v.own_family is not None and OWN_BY_JUDGE not in written else []
    every = [*covariates(v.columns), *own]
    return tuple(dict.fromkeys(n for name in written for n in (every if name == "all" else [name])))


def looks(given: Any, counts: Any, method: Method) -> float:
    """Numbers looked at for the strengths of ``given[task, judge, system]``: of very many systems too many."""
    return 0.0 if given.shape[2] <= SYSTEMS else 1e11


class Votes:
    """A design's votes as the cells of the model: those that show the same two, in the same order, and differ alike."""

    def __init__(
        self, v: VoteDesign, ties: str, place: str, wanted: Sequence[str] = (), discrimination: str = "same"
    ) -> None:
        if len(v.systems) > SYSTEMS:
            fact = f"strengths of {len(v.systems):,} systems would take too long and fill the memory."
            raise LimitReached(fact, f"at most {SYSTEMS:,}; win_rate takes any number.")
        size = len(v.systems)
        if discrimination == "judge" and size * len(v.judges) > BY_JUDGES:
            fact = f"a discrimination for each of {len(v.judges):,} judges of {size:,} systems would fill the memory."
            raise LimitReached(fact, f"at most {BY_JUDGES:,} judges x systems; discrimination=same takes any number.")
        by_judge = place == "judge" or discrimination == "judge"
        self.tally = None if wanted or by_judge or v.copies > 1 else v.in_cells("pairs", outcomes_of_pairs)
        every = self._places(v, place) if self.tally is None else self._placed(v, place)
        self.judge: Array | None = None  # [cell] where each has a discrimination
        if self.tally is not None:  # cells are told by their codes
            code = np.unique(self.tally.codes // 3)
            self.of = np.searchsorted(code, self.tally.codes // 3) * 3 + self.tally.codes % 3
            first, second, known = code // 2 // size, code // 2 % size, 1.0 - code % 2
            games = self._spread(self.tally.totals(None), len(code)).sum(axis=(0, 2))
            x = np.stack([known] * len(every), axis=1) if every else np.zeros((len(code), 0))
            self.design, self.model = v, Model(first, second, x, size, ties)
        else:
            code = (v.first * np.int64(size) + v.second) * 2 + (v.changed >= 0)  # of those nobody knows the first
            if by_judge:
                code = crossed(code, v.judge)
            for name in wanted:
                column = _column(v, name)
                code = crossed(code, np.unique(column, return_inverse=True)[1].ravel())
                if name == OWN_BY_JUDGE:
                    code = crossed(code, v.judge)
                    every |= _by_judge(v, OWN, column, np.unique(v.judge[column != 0]))
                else:
                    every[name] = column
            self.cell = renumbered(code)
            begin = first_rows(self.cell)
            x = np.stack([column[begin] for column in every.values()], axis=1) if every else np.zeros((len(begin), 0))
            self.design, self.model = v, Model(v.first[begin], v.second[begin], x, size, ties)
            games = np.bincount(self.cell, v.count, len(begin))
            self.judge = v.judge[begin] if discrimination == "judge" else None
        told = unexplained(self.model, games) > IDENTIFIED
        self.effects = tuple(name for name, known in zip(every, told.tolist(), strict=True) if known)
        self.unidentified = tuple(name for name in every if name not in self.effects)
        self.placed, self.model = PLACE in self.effects, replace(self.model, x=x[:, told])

    @staticmethod
    def _placed(v: VoteDesign, place: str) -> dict[str, Array]:
        """The first place by its name alone, where it can be told from the systems."""
        return {} if place == "no" or v.both_ways < BOTH_WAYS else {PLACE: np.zeros(0)}

    @classmethod
    def _places(cls, v: VoteDesign, place: str) -> dict[str, Array]:
        """The first place as a column, or one for each judge."""
        if not cls._placed(v, place):
            return {}
        known = (v.changed < 0).astype(np.float32)
        if place == "auto":
            return {PLACE: known}
        return _by_judge(v, PLACE, known, np.arange(len(v.judges)))

    def outcomes(self) -> Array:
        """What became of every vote, ``[copy, vote]``: 0 a win of the first, 1 a tie, 2 a loss."""
        return np.asarray(np.rint(2 - 2 * self.design.outcome), np.int8)

    def counts(self, often: Often) -> Array:
        """Wins, ties and losses of the first, ``[draw, cell, 3]``."""
        if self.tally is not None and often.whole:
            return self._spread(self.tally.totals(often.tasks), len(self.model.first))
        place = self.cell * 3 + self.outcomes()
        found = group_sums(often.votes * often.of(self.design.task), place, 3 * len(self.model.first))
        return found.reshape(len(found), -1, 3)

    def _spread(self, totals: Array, cells: int) -> Array:
        """Totals of the tally at their cells and outcomes."""
        out = np.zeros((len(totals), 3 * cells))
        out[:, self.of] = totals
        return out.reshape(len(out), cells, 3)

    @cached_property
    def cell(self) -> Array:
        """The cell of every vote."""
        v, code = self.design, np.unique(cast(VoteCells, self.tally).codes // 3)
        return np.searchsorted(code, (v.first * np.int64(len(v.systems)) + v.second) * 2 + (v.changed >= 0))

    def fit(self, counts: Array, prior: float) -> tuple[Fit, Model, Array]:
        """The fits, the model with the prior where one was needed, and the part of every system."""
        size, games = self.model.players, counts.sum(axis=(0, 2)) > 0
        linked = np.zeros((size, size), bool)
        linked[self.model.first[games], self.model.second[games]] = True
        linked |= linked.T
        part = parts(linked, np.asarray(linked.any(axis=1)))
        held = replace(self.model, prior=max(prior, LEAST))
        found = fit(self.model, counts)
        loose = ~found.settled if part.max(initial=0) == 0 else np.ones(len(counts), bool)
        if not loose.any():
            return found, self.model, part
        more = fit(held, counts[loose])
        for name in ("strengths", "effects", "tau"):
            getattr(found, name)[loose] = getattr(more, name)
        return found, held, part


class Fitted:
    """The fit of a design's own votes, and the step from it to those of resampled panels."""

    step: Step

    def __init__(self, votes: Votes, prior: float) -> None:
        self.votes, self.counts = votes, votes.counts(votes.design.often())
        self.found, self.model, self.part = votes.fit(self.counts, prior)
        if len(self.counts) == 1:
            self._begin(prior)
            # [cell, outcome]; no order of rows may change a digit
            self.by_cell = [summable(each) for each in (self.step.pull, self.step.tie)]

    def _begin(self, prior: float) -> None:
        """The step from the fit."""
        self.step = Step.of(self.found, self.model, self.counts)

    @cached_property
    def _by_vote(self) -> tuple[Array, Array, list[Array]]:
        """What each vote pulls strengths at, how it ties, and what it pulls covariates at."""
        at = self.votes.cell, self.votes.outcomes()[0]
        pull, tie = (each[at] for each in self.by_cell)
        sides = pull if self.model.scale is None else summable(pull * self.model.scale[self.votes.cell])
        return sides, tie, [summable(pull * x[self.votes.cell]) for x in self.model.x.T]

    def drawn(self, often: Often) -> Fit:
        """The fits of draws, by one step: sums over votes of what each pulls at, as often as it counts."""
        return self.step.fit(self.slope(often))

    def slope(self, often: Often) -> Array:
        """What votes pull parameters at, as often as they count, ``[draw, parameter]``."""
        v, model = self.votes.design, self.model
        if self.votes.tally is not None and often.whole:  # from sums over cells
            counts, (pulls, tie) = self.votes.counts(often), self.by_cell
            pull = (counts * pulls).sum(axis=2)
            more = [*((pull @ x)[:, None] for x in model.x.T), (counts * tie).sum(axis=(1, 2))[:, None]]
            return np.concatenate([model.sides(pull), *more], axis=1)
        by_vote, tie, columns = self._by_vote
        weight = often.votes * often.of(v.task)
        pull = weight * by_vote
        sides = group_sums(pull, v.first, model.players) - group_sums(pull, v.second, model.players)
        return np.concatenate([sides, *((weight @ each)[:, None] for each in (*columns, tie))], axis=1)


class FittedByJudge(Fitted):
    """The same with a discrimination for every judge."""

    by_judge: JudgedStep

    def _begin(self, prior: float) -> None:
        judge = cast(Array, self.votes.judge)
        judged = Judged(self.model, judge, len(self.votes.design.judges))
        found, d = fit_judged(judged, self.counts)
        if not found.settled[0] and not self.model.prior:
            judged = replace(judged, model=replace(self.model, prior=max(prior, LEAST)))
            found, d = fit_judged(judged, self.counts)
        self.found, self.model = found, judged.at(d)
        self.by_judge = JudgedStep.of(found, d, judged, self.counts)
        self.step = self.by_judge.step

    @property
    def d(self) -> Array:
        """The discrimination of every judge."""
        return self.by_judge.d

    @cached_property
    def _pulls(self) -> Array:
        """What each vote pulls its judge's discrimination at."""
        pull = self.by_cell[0] * self.by_judge.gap[:, None]
        return np.asarray(summable(pull)[self.votes.cell, self.votes.outcomes()[0]])

    def drawn(self, often: Often) -> Fit:
        """The fits of draws, discriminations following."""
        return self.drawn_by_judge(often)[0]

    def drawn_by_judge(self, often: Often) -> tuple[Fit, Array]:
        """The same, and the discriminations, ``[draw, judge]``."""
        v = self.votes.design
        pull = group_sums(often.votes * often.of(v.task) * self._pulls, v.judge, len(v.judges))
        return self.by_judge.fit(self.slope(often), pull, often.judges)


def fitted(
    v: VoteDesign, ties: str, place: str, prior: float, wanted: tuple[str, ...], discrimination: str = "same"
) -> Fitted:
    """The fit of a design, made once."""
    cells = ("cells", ties, place, wanted, discrimination)
    votes: Votes = v.once(cells, lambda: Votes(v, ties, place, wanted, discrimination))
    made = Fitted if votes.judge is None else FittedByJudge
    found: Fitted = v.once((*cells, prior), lambda: made(votes, prior))
    return found


def strengths(
    v: VoteDesign, often: Often, ties: str, place: str, prior: float, text: str | None, discrimination: str
) -> Measured:
    """Log strengths that add up to 0; where systems fall into parts that nobody compared, the part of each.

    Panels resampled are fitted by one step from the fit of the panel itself: their spread is the error by clusters.
    """
    found = fitted(v, ties, place, prior, named(v, text), discrimination)
    if often.drawn:
        return Measured(found.drawn(often).strengths)
    votes, part = found.votes, found.part
    about: dict[str, Any] = {"part": part, "prior": found.model.prior, "placed": votes.placed}
    told = dict(zip(votes.effects, found.found.effects[0].tolist(), strict=True))
    about |= {"place": told[PLACE]} if votes.placed else {}
    about |= {"effects": told, "unidentified": [n for n in votes.unidentified if n != PLACE]}
    if isinstance(found, FittedByJudge):
        about["discrimination"] = dict(zip(v.judges, found.d.tolist(), strict=True))
    details = {"win_rate": won_of_cells(found.model, found.counts)[0].tolist()}
    return Measured(np.where(part >= 0, found.found.strengths, np.nan), details, about=about)


def outcomes_of_pairs(v: VoteDesign) -> tuple[Array, Array]:
    """Every vote by the two it shows, whether it is known which was first, and what became of it."""
    shown = (v.first * np.int64(len(v.systems)) + v.second) * 2 + (v.changed >= 0)
    return np.arange(len(v.judge)), shown * 3 + np.rint(2 - 2 * v.outcome[0]).astype(np.int64)


def _by_judge(v: VoteDesign, name: str, column: Array, judges: Array) -> dict[str, Array]:
    """A column for each of these judges."""
    if len(judges) > JUDGES:
        fact = f"{len(judges):,} judges are too many for an effect of the {name} each."
        raise LimitReached(fact, f"at most {JUDGES:,}; one effect for all takes any number.")
    return {f"{name} of {v.judges[j]}": column * (v.judge == j) for j in judges.tolist()}


def _column(v: VoteDesign, name: str) -> Array:
    """A covariate of every vote, by its name."""
    if name not in (OWN, OWN_BY_JUDGE) or name in v.columns:
        return v.covariate(name)
    if v.own_family is None:
        fact = "no vote is about a system of the judge's own family."
        hint = "give columns judge_family, family_a and family_b, or families of judges and systems (--families)."
        raise BadParameter(f"covariates={OWN}: {fact}", hint)
    return v.own_family


def win_rates(v: VoteDesign, often: Often) -> Array:
    """The share of its votes that each system won, a tie counting half, ``[draw, system]``."""
    size = len(v.systems)
    if often.whole and v.copies == 1:
        tally = v.in_cells("pairs", outcomes_of_pairs)
        totals, pair, part = tally.totals(often.tasks), tally.codes // 6, 1 - tally.codes % 3 / 2
        sides = [(pair // size, totals * part), (pair % size, totals * (1 - part))]
        won = sum(group_sums(each, system, size) for system, each in sides)
        return quotient(won, sum(group_sums(totals, system, size) for system, _ in sides))
    weight = often.votes * often.of(v.task)
    won = group_sums(weight * v.outcome, v.first, size) + group_sums(weight * (1 - v.outcome), v.second, size)
    return quotient(won, group_sums(weight, v.first, size) + group_sums(weight, v.second, size))


def won_of_cells(model: Model, counts: Array) -> Array:
    """The same from the counts of cells."""
    won, of, size = counts[..., 0] + counts[..., 1] / 2, counts.sum(axis=2), model.players
    part = group_sums(won, model.first, size) + group_sums(of - won, model.second, size)
    return quotient(part, group_sums(of, model.first, size) + group_sums(of, model.second, size))


def plain_pairs(method: Method) -> bool:
    """Whether a method needs no more of votes than which two were shown, and what became of it."""
    return method["covariates"] is None and "judge" not in (method["place"], method["discrimination"])


def cost(systems: int) -> float:
    """What strengths cost, in numbers looked at, about."""
    return float(systems) ** 2
