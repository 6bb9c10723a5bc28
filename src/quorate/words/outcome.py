"""What came out, typed: what the first screen of a report decides on. Read from estimates, never from text."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from quorate.inference.board import ALPHA
from quorate.inference.estimate import Estimate
from quorate.inference.flags import JUDGES
from quorate.inference.results import Answer, Finding
from quorate.panel.base import Panel
from quorate.panel.kinds import Orderings, Scores
from quorate.panel.score_facts import labels_sorted
from quorate.panel.votes import Votes
from quorate.words.facts import named
from quorate.words.numbers import finite
from quorate.words.result import Result, result_of
from quorate.words.result_without import result_without
from quorate.words.ties import tie_of
from quorate.words.wording import apart, in_twos, one_item, ungrouped, voters

GRADES = ((0.2, "slightly"), (0.4, "somewhat"), (0.6, "moderately"), (0.8, "well"), (1 - 1e-9, "very well"))
FULLY = "fully"
DEGREES = {*(word for _, word in GRADES), FULLY}
ENOUGH = ("moderately", "well", "very well", FULLY)
ALONE = ("alone", "nameless")  # grades of one judge, or of votes that do not say whose they are
FLAT = ("flat", "alike")  # grades of answers that do not vary: all of them, or those to what two judges answered
NOTHING = (*ALONE, "apart", "one item", *FLAT, "single", "ungrouped", "unasked")  # grades without a figure
WIDE = 0.8  # of the way from chance to full agreement: an interval from none to so much says nothing
BROAD = 0.5  # of that way: from an interval so wide it does not follow that judges agree no more than by chance
SAME = 1e-12  # values that differ by rounding alone
VAGUE = 20  # times as many judges at the upper end of an interval as at the lower
LIKELY = 0.5  # p from which on a low figure is chance, not open
HALF, LITTLE = 0.5, 0.05  # of the votes for the system shown first: an even share, and what is little beside it
FIRM = 0.8  # how often something stays that is told without a but


def graded(part: float) -> str:
    """A word for how far a figure is on the way from chance to full agreement."""
    return next((word for most, word in GRADES if part < most), FULLY)


@dataclass(frozen=True)
class Agreed:
    """How much the judges agree: the grade, and the estimate of each criterion."""

    grade: str  # alone, apart, one item, flat, trivial, unclear, chance (see UNKNOWN of tiles.py), or a word of GRADES
    estimates: tuple[Estimate, ...] = ()
    chance: float | None = None  # None: not known
    full: float | None = 1.0  # what full agreement is; None where the method has no such end
    says_nothing: bool = False  # the interval holds nearly everything
    little: bool = False  # agreement is slight at the upper end of the interval, too
    lacking: tuple[str, ...] = ()  # criteria on which judges do not clearly agree, where they do on others

    @property
    def known(self) -> bool:
        """Whether there is a figure."""
        return self.grade not in NOTHING

    @property
    def enough(self) -> bool:
        """Whether the judges agree more than by chance, and not only slightly."""
        return self.grade in ENOUGH


@dataclass(frozen=True)
class Off:
    """Who is off, or why nobody is."""

    flagged: tuple[Mapping[str, Any], ...] = ()
    copies: tuple[tuple[str, ...], ...] = ()  # judges with the same answers, each group with the one who counts first
    exact: bool = True  # the answers of copies are the very same
    why: str = "none"  # where nobody is flagged: none (nobody stands out), two, many, or a grade of NOTHING
    judges: int = 0
    figures: tuple[Estimate, ...] = ()  # how each judge goes with the others
    replaces: tuple[str, ...] = ()  # models that may replace a person
    models: int = 0
    camps: tuple[float, ...] = ()  # shares of the judges who are of each camp, where there are several
    unsteady: tuple[Estimate, ...] = ()  # of judges who contradict themselves on identical outputs

    @property
    def names(self) -> tuple[str, ...]:
        """The flagged judges, each once."""
        return tuple(dict.fromkeys(str(f["judge"]) for f in self.flagged))

    @property
    def unsteady_names(self) -> tuple[str, ...]:
        """Judges who contradict themselves and are not flagged, each once."""
        found = dict.fromkeys(str(e.labels["judge"]) for e in self.unsteady)
        return tuple(name for name in found if name not in self.names)

    @property
    def others(self) -> str:
        """How much the judges who are not flagged agree, on a scale where 0 is chance and 1 full agreement."""
        value = self.flagged[-1]["evidence"]["without"] if self.flagged else math.nan
        return graded(value) if finite(value) and value > 0 else ""


@dataclass(frozen=True)
class Outcome:
    """All of it."""

    panel: Panel
    agreed: Agreed
    off: Off
    result: Result
    same: Estimate | None  # of labels: on which share of items another panel would name the same
    needed: Estimate | None  # judges or votes that it takes
    unit: str  # what is needed: judge or vote
    there: int  # how many there are
    gains: tuple[tuple[str, float], ...]  # by how much twice as many of each would cut the error of a system's figure
    hard: tuple[str, ...]  # tasks with least agreement, none above chance
    charts: frozenset[str]  # names of charts on the page
    bent: Mapping[str, Any]  # of votes: what else decides, where that changes ranks; else empty
    tie: Mapping[str, Any] | None = None  # systems that cannot be told apart, and how many tasks would
    without: Mapping[str, Any] | None = None  # how the result changes without those who are off
    place: Estimate | None = None  # of votes: how often the first shown wins, where a place is clearly favoured

    @property
    def vague(self) -> bool:
        """Whether how many it takes cannot be told: the interval has no end, or one so far that it says nothing."""
        e = self.needed
        return bool(e and e.interval and not e.interval.high <= VAGUE * max(e.interval.low, 1.0))

    @property
    def hidden(self) -> bool:
        """Whether those who are off hide that the others agree; of camps it is others of one camp."""
        return not self.off.camps and self.agreed.known and not self.agreed.enough and self.off.others in ENOUGH


def outcome(panel: Panel, answers: Mapping[str, Answer | None], charts: Sequence[str] = ()) -> Outcome:
    """What the answers to the five questions come to."""
    agreed = _agreed(panel, answers.get("agreement"))
    off, result = _off(panel, answers.get("judges")), result_of(panel, answers)
    if off.why == "none" and not agreed.known:  # what says nothing of all says nothing of one
        off = replace(off, why=agreed.grade)
    if agreed.grade == "ungrouped" and result.form == "groups":
        result = Result()
    needed, unit = _needed(_trusted(answers))
    there = _there(panel, off, needed, unit)
    same = next((e for f in _trusted(answers) if f.method.name == "majority_stability" for e in f.overall[:1]), None)
    hard = _hard(answers.get("agreement"), agreed)
    gains: Mapping[str, float] = next(
        (f.about[0]["gains"] for f in _trusted(answers) if f.about and "gains" in f.about[0]), {}
    )
    most = tuple(sorted(gains.items(), key=lambda gain: -gain[1]))
    trust = answers.get("trust")
    bent = next((f.data for f in named(trust.facts, "effect") if "moved" in f.data), {}) if trust else {}
    told = (panel, agreed, off, result, same, needed, unit, there, most, hard, frozenset(charts), bent)
    quality = answers.get("quality")
    tie = tie_of(quality.findings[0]) if quality and quality.findings else None
    without = result_without(answers.get("judges"))
    return Outcome(*told, tie=tie, without=without, place=_place(answers))


def _place(answers: Mapping[str, Answer | None]) -> Estimate | None:
    """How often the system shown first wins, where that is clearly not half of the votes, and by more than a little."""
    for f in _trusted(answers):
        e = f.overall[0] if f.method.name == "place" and f.overall else None
        if e and e.interval and not e.interval.low <= HALF <= e.interval.high and abs(e.value - HALF) >= LITTLE:
            return e
    return None


def _trusted(answers: Mapping[str, Answer | None]) -> Sequence[Finding]:
    answer = answers.get("trust")
    return answer.findings if answer else ()


def _there(panel: Panel, off: Off, needed: Estimate | None, unit: str) -> int:
    """How many judges an item has, or votes there are between the two in question."""
    told = needed.labels if needed is not None else {}
    if unit == "vote" and "wins" in told:
        return int(sum(told[n] for n in ("wins", "ties", "losses")))
    if "judges_per_item" in told:
        return round(float(told["judges_per_item"]))
    return voters(panel) - sum(len(group) - 1 for group in off.copies)


# -- agreement ---------------------------------------------------------------------------------------------------------


def _agreed(panel: Panel, answer: Answer | None) -> Agreed:
    finding = answer.findings[0] if answer and answer.findings else None
    known = tuple(e for e in (finding.overall if finding else ()) if finite(e.value))
    if finding is None or not known or voters(panel) == 1 or one_item(panel):
        why = _nothing(panel)
        return Agreed("unasked" if answer is None and why in FLAT else why)
    chances = [e.null.value for e in known if e.null and finite(e.null.value)]
    chance = math.fsum(chances) / len(chances) if chances else None
    sign = -1 if finding.method.declaration.higher == "less agreement" else 1
    full = (finding.method.declaration.range[1] if sign > 0 else finding.method.declaration.range[0]) + 0.0
    end = full if math.isfinite(full) else None
    if end is not None and chance is not None and abs(chance - end) < SAME:
        return Agreed("ungrouped") if ungrouped(panel) else Agreed("trivial", known, chance, end)
    clear = [_p(e) <= ALPHA and not _share(e, end) <= 0 for e in known]
    told = list(itertools.compress(known, clear)) or known
    worst, p = min(_share(e, end) for e in told), max(map(_p, told))
    grade = graded(worst)
    if not any(clear):
        low = worst <= 0 or (p >= LIKELY and grade == GRADES[0][1])
        grade = "chance" if low and not any(_open(e, end) for e in known) else "unclear"
    elif end is None:
        grade = "somewhat"
    lacking = tuple(str(e.labels["criterion"]) for e, yes in zip(known, clear, strict=True) if any(clear) and not yes)
    ends = [_ends(e, end) for e in known]
    says_nothing = all(low <= 0 and high >= WIDE for low, high in ends)
    little = all(high < GRADES[0][0] for _, high in ends)
    return Agreed(grade, known, chance, end, says_nothing, little, lacking)


def _nothing(panel: Panel) -> str:
    """Why there is no figure: one judge, one item (or one from each), nothing in common, or answers without variety."""
    if voters(panel) == 1:
        return _alone(panel)
    each = isinstance(panel, Orderings) and len(panel) == len(panel.starts) - 1  # a row
    if each and len(panel.items) > 1 and panel.absent != "below":
        return "single"
    if apart(panel):
        return "apart"
    if len(panel.items) == 1 and panel.kind != "votes":
        return "one item"
    value = panel.value if isinstance(panel, Scores | Votes) and panel.elsewhere is None else np.zeros(1)
    return "alike" if len(np.unique(value[np.isfinite(value)])) > 1 else "flat"


def _share(e: Estimate, full: float | None) -> float:
    """How far a figure is on the way from chance to full agreement."""
    chance = e.null.value if e.null and finite(e.null.value) else 0.0
    return (e.value - chance) / (full - chance) if full is not None and full != chance else math.nan


def _p(e: Estimate) -> float:
    """How often chance gives as much."""
    return e.null.p if e.null else 0.0


def _ends(e: Estimate, full: float | None) -> tuple[float, float]:
    """How far the ends of the interval are on the way from chance to full agreement."""
    if e.interval is None or full is None:
        return math.nan, math.nan
    low, high = sorted(_share(Estimate(x, null=e.null), full) for x in (e.interval.low, e.interval.high))
    return low, high


def _open(e: Estimate, full: float | None) -> bool:
    """Whether so little is known that judges might agree all the same: the interval is half as wide as the scale."""
    low, high = _ends(e, full)
    return min(high, 1.0) - max(low, -1.0) > BROAD


def _hard(answer: Answer | None, agreed: Agreed) -> tuple[str, ...]:
    """The tasks on which judges agree no more than by chance, least first, where on the whole they agree more."""
    if answer is None or answer.tasks < 2 or not agreed.known or agreed.chance is None:
        return ()
    if agreed.grade in ("chance", "unclear", "trivial"):
        return ()
    finding = answer.findings[0]
    found = task_values(finding)
    sign = -1 if finding.method.declaration.higher == "less agreement" else 1
    low = sorted((sign * v, t) for t, v in found if sign * v <= sign * agreed.chance)
    return tuple(t for _, t in low) if 0 < len(low) < len(found) else ()


def task_values(finding: Finding) -> list[tuple[str, float]]:
    """A value per task: the mean over its pairs or criteria, where there are several."""
    tasks = finding.keys.get("task", ())
    values = np.array([v if isinstance(v, int | float) else math.nan for v in finding.values[: len(tasks)]], float)
    known = np.isfinite(values)
    code: dict[Any, int] = {}
    at = [code.setdefault(task, len(code)) for task in itertools.compress(tasks, known.tolist())]
    means = np.bincount(at, values[known]) / np.bincount(at) if at else np.zeros(0)
    return [(str(task), value) for task, value in zip(code, means.tolist(), strict=True)]


def _alone(panel: Panel) -> str:
    """The grade of one judge: or is it not known how many they are?"""
    return "nameless" if isinstance(panel, Votes) and panel.nameless else "alone"


# -- judges ------------------------------------------------------------------------------------------------------------


def _off(panel: Panel, answer: Answer | None) -> Off:
    number = voters(panel)
    if answer is None:
        return Off(why=_alone(panel) if number == 1 else "apart", judges=number)
    rows = answer.more.get("one_voice", ())
    groups: dict[Any, list[str]] = {}
    for row in rows:
        groups.setdefault(row["copy_of"], [str(row["copy_of"])]).append(str(row["judge"]))
    about = against_others(answer)
    figures = tuple(e for e in (about.overall if about else ()) if finite(e.value))
    flagged = tuple(answer.more.get("flagged", ()))
    voices = number - len(rows)
    why = _alone(panel) if number == 1 else "two" if voices <= 2 else "many" if voices > JUDGES else "none"
    if why == "none" and not any(finite(e.value) for f in answer.findings for e in f.overall):
        why = _nothing(panel)
    elif why == "none" and labels_sorted(panel):
        why = "sorted"
    elif why == "none" and apart(panel):
        why = "apart"
    elif why == "none" and in_twos(panel):
        why = "twos"
    models = [e for f in answer.findings for e in f.overall if "replaces" in e.labels]
    return Off(
        flagged,
        tuple(map(tuple, groups.values())),
        all(row["same"] == row["answers"] for row in rows),
        why,
        number,
        figures,
        tuple(dict.fromkeys(str(e.labels["judge"]) for e in models if e.labels["replaces"])),
        len({str(e.labels["judge"]) for e in models}),
        _camps(answer),
        tuple(
            e for f in answer.findings if f.method.name == "self_consistency" for e in f.overall if e.labels.get("flag")
        ),
    )


def _camps(answer: Answer) -> tuple[float, ...]:
    """The shares of camps; of several criteria on the first where there are some."""
    rows = answer.more.get("camps", ())
    return tuple(r["share"] for r in rows if r.get("criterion") == rows[0].get("criterion"))


def against_others(answer: Answer) -> Finding | None:
    """The finding that says how each judge goes with the others; else the first that has a figure per judge."""
    found = [f for f in answer.findings if any("judge" in e.labels for e in f.overall)]
    return next((f for f in found if f.method.name.startswith(("peer", "with_others"))), found[0] if found else None)


# -- how many it takes -------------------------------------------------------------------------------------------------


def _needed(findings: Sequence[Finding]) -> tuple[Estimate | None, str]:
    for f in findings:
        if f.method.name in ("judges_needed", "votes_needed") and f.overall:
            return f.overall[0], f.method.name.partition("s_")[0]
    return None, "judge"
