"""Who is off, and what would have come out without them: what the question about judges tells beside its figures."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

from quorate.inference import flags
from quorate.inference.camp_rows import Parted, parted
from quorate.inference.results import Options
from quorate.inference.samples import looked_at
from quorate.inference.usual_methods import deciding
from quorate.panel.base import Panel
from quorate.panel.design import Design, PanelDesign


def off_judges(panel: Panel, designs: Sequence[Design], options: Options) -> dict[str, Any]:
    """The judges who are flagged, and the camps that judges are of; ``panel`` has no copies in it."""
    method, seen = deciding(panel, options.absent), [d for d in designs if isinstance(d, PanelDesign)]
    minds = [parted(method, looked_at(d, options.seed), options, len(seen)) for d in seen]
    return {"flagged": [row for minded in minds for row in who_is_off(panel, minded, options)], **_camps(minds)}


def _camps(minds: Sequence[Parted]) -> dict[str, Any]:
    """Camps of judges, what they part on, and what speaks for them."""
    rows, items = [row for m in minds for row in m.rows()], [row for m in minds for row in m.items()]
    tests = [test for m in minds if (test := m.test())]
    out: dict[str, Any] = {"camps": rows, "camps_part_on": items} if rows else {}
    return {**out, "camp_tests": tuple(tests)} if tests else out


def who_is_off(panel: Panel, minds: Parted, options: Options) -> list[dict[str, Any]]:
    """The judges who are off: who, how, how surely, and where it shows; where there are camps, in their own camp."""
    design, method = minds.design, deciding(panel, options.absent)
    seen = minds.designs()
    found = dict[Hashable, tuple[PanelDesign, flags.Flag, str]]()  # of several of one name, once
    for some, wanted, among in seen:
        for f in flags.flagged(method, some, options.seed):
            times = len(seen) if minds.several else max(1, len(seen) - 1)  # held against the same reference
            p = min(1.0, f.p * times)
            if f.judge in wanted and (len(seen) == 1 or p <= flags.LEVEL):
                found[some.judges[f.judge]] = some, replace(f, p=p), among
    return [
        {
            "judge": some.judges[f.judge],
            **design.labels,
            "diagnosis": f.diagnosis,
            "p": f.p,
            "evidence": {
                "method": str(method),
                "value": f.value,
                "without": f.without,
                "among": among,
                "tasks": [some.tasks[t] for t in f.tasks],
                "answers": [_answer(some, *told) for told in f.answers],
            },
        }
        for some, f, among in found.values()
    ]


def _answer(design: PanelDesign, task: int, item: int, own: float, theirs: float) -> dict[str, Any]:
    """An answer that is unlike the others': a number beside their mean, or the share of those who say the same."""
    where = {"task": design.tasks[task], **({"item": design.items[item]} if item >= 0 else {})}
    return {**where, "own": own, "others": theirs} if design.measured else {**where, "same": theirs}
