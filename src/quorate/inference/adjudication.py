"""Which labels to have decided by somebody: those least certain, where a decision is expected to gain most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quorate.inference.results import Answer, Finding
from quorate.panel.kinds import Scores
from quorate.panel.units import by_criterion

HALF = 0.5


def certainty(findings: Sequence[Finding]) -> Sequence[float] | None:
    """How likely each item's label is right, by the first method that tells; None where none does."""
    return next((f.details["certainty"] for f in findings if "certainty" in f.details), None)


def to_adjudicate(findings: Sequence[Finding]) -> list[int]:
    """Numbers of all items, the one first whose label is least certain.

    Who decides it gains, on average, as many right labels as the label is likely to be wrong. Where no method tells how
    likely labels are, the share of judges who gave the label stands for it.
    """
    votes, judges = findings[0].details["votes"], findings[0].details["judges"]
    share = [v / j if j else 1.0 for v, j in zip(votes, judges, strict=True)]
    sure = certainty(findings) or share
    return sorted(range(len(votes)), key=lambda k: (sure[k], share[k], -judges[k]))


def differ(findings: Sequence[Finding]) -> list[bool]:
    """Whether judges differ on each item."""
    details = findings[0].details
    return [v < j for v, j in zip(details["votes"], details["judges"], strict=True)]


def to_decide(findings: Sequence[Finding]) -> list[int]:
    """Numbers of items worth a decision, most gain first: on which judges differ, or which are more likely wrong.

    Of the latter all judges gave one label, but they are known to be wrong so often that it is likelier another.
    """
    apart, sure, said, believed = differ(findings), certainty(findings), findings[0].values, _best(findings).values
    wrong = [
        b != s or (sure is not None and sure[k] < HALF) for k, (s, b) in enumerate(zip(said, believed, strict=True))
    ]
    return [k for k in to_adjudicate(findings) if apart[k] or wrong[k]]


def _best(findings: Sequence[Finding]) -> Finding:
    """The first method which tells how likely its labels are, else the first."""
    return next((f for f in findings if "certainty" in f.details), findings[0])


def gold(answer: Answer) -> dict[str, list[Any]]:
    """The gold standard of labels as columns: every item's label by the best method there is, and how likely it is.

    That is the first which tells how likely its labels are, else the first.
    """
    found = _best(answer.findings)
    out = {**{n: list(column) for n, column in found.keys.items()}, "label": list(found.values)}
    out |= {n: list(found.details[n]) for n in ("certainty", "votes", "judges") if n in found.details}
    return {**out, "method": [str(found.method)] * len(found.values)}


def adjudication(answer: Answer) -> dict[str, list[Any]]:
    """The items worth a decision as columns (:func:`to_decide`), those first where it is expected to gain most.

    ``gain`` is how many more right labels a decision is expected to make, ``said`` what each judge said; the columns
    ``decision`` and ``reason`` are left to whoever decides.
    """
    columns, first = gold(answer), answer.findings[0]
    votes, judges = first.details["votes"], first.details["judges"]
    order = to_decide(answer.findings)
    sure = columns.get("certainty") or [v / j for v, j in zip(votes, judges, strict=True)]
    said = _said(answer.panel)
    keys = [tuple(column[k] for n, column in first.keys.items()) for k in order]
    out = {n: [columns[n][k] for k in order] for n in (*first.keys, "label")}
    out |= {"gain": [1 - sure[k] for k in order], "said": [said.get(key, "") for key in keys]}
    return {**out, "decision": [""] * len(order), "reason": [""] * len(order)}


def _said(panel: Scores) -> dict[tuple[Any, ...], str]:
    """What the judges said of every unit, by its task, item and criterion."""
    said: dict[tuple[Any, ...], list[str]] = {}
    for units in by_criterion(panel):
        more = () if units.criterion is None else (units.criterion,)
        for unit, judge, value in zip(units.unit.tolist(), units.judge.tolist(), units.value.tolist(), strict=True):
            key = (units.tasks[units.task[unit]], units.items[units.item[unit]], *more)
            said.setdefault(key, []).append(f"{units.judges[judge]}: {panel.scale[int(value)]}")
    return {key: "; ".join(each) for key, each in said.items()}
