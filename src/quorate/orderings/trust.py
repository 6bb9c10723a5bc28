"""Can the verdict be believed? How well quality methods tell good from bad, with noise, and with how many judges.

* :mod:`~quorate.orderings.discriminate`: ED, the score of a judge's order less that of its reverse;
* :mod:`~quorate.orderings.noise`: what is left of it when random judges join;
* :mod:`~quorate.orderings.tuning`: what FreSPA's parameters change, and which are best;
* :mod:`~quorate.orderings.reliability`: would another panel say the same, and how many judges does it take;
* :mod:`~quorate.orderings.stability`: any method on panels drawn anew (:mod:`~quorate.orderings.redrawn`);
* :mod:`~quorate.orderings.bootstrap`: the same for any function of a panel, in Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quorate.errors import InputError
from quorate.inference.believed import Believed
from quorate.inference.results import Answer, Finding, Options
from quorate.orderings.believed import Tasks
from quorate.orderings.bootstrap import bootstrap
from quorate.orderings.discriminate import discriminate, discriminativeness
from quorate.orderings.noise import noise
from quorate.orderings.reliability import judges_needed, split_half
from quorate.orderings.stability import bootstrap as _of_any_method  # noqa: F401  (it declares its method)
from quorate.orderings.tuning import sweep, tune
from quorate.panel.base import many
from quorate.panel.kinds import Orderings
from quorate.table import Method
from quorate.words.wording import on

__all__ = [
    "answer",
    "bootstrap",
    "discriminate",
    "discriminativeness",
    "judges_needed",
    "noise",
    "split_half",
    "sweep",
    "tune",
]


def answer(panel: Orderings, *asked: Any) -> Answer:
    """Every method, with intervals and what it says in a sentence: ``answer(panel, methods, options)``.

    With systems, for the bootstrap of a quality method, these come after the panel.
    """
    *beside, methods, options = asked
    systems = beside[0] if beside else None
    if systems is not None and not isinstance(systems, Orderings):
        raise InputError(f"the systems are {systems.kind}.", "judges' orderings need systems' lists: orderings too.")
    return _answer(panel, systems, methods, options)


def _answer(panel: Orderings, systems: Orderings | None, methods: Sequence[Method], options: Options) -> Answer:
    tasks = Tasks.of(panel, systems)
    believed: list[Believed] = [method(tasks, options) for method in methods]
    findings = tuple(
        Finding(method, b.keys, b.values, b.details, tuple(b.overall))
        for method, b in zip(methods, believed, strict=True)
    )
    notes = [*panel.notes, *(systems.notes if systems else ()), *(note for b in believed for note in b.notes)]
    if panel.repeats:
        notes.append(f"{many(panel.repeats, 'repeat')} left aside: of a judge's repeats on a task the first counts")
    single = sum(p.shape[0] for p in tasks.parts if int(p.counts.sum(axis=1).max()) == 1)
    if single and max(int(p.counts.sum(axis=1).max()) for p in tasks.parts) > 1:
        notes.append(f"{on(single, len(panel.tasks))} there is one judge only, which says nothing of trust")
    return Answer(
        "orderings",
        "trust",
        len(panel.tasks),
        len(panel.judges),
        len(panel.items),
        findings,
        tuple(s for m, b in zip(methods, believed, strict=True) for s in _said(m, b)),
        tuple(notes),
    )


def _said(method: Method, b: Believed) -> list[str]:
    """What a method says; one that has no figure to tell says that."""
    return [s for s in b.sentences if s] or [f"{method} is undefined here: these judges give it nothing to go by."]
