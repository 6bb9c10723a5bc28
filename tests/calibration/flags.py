"""Who is off: flags of judges who are all alike, and of one who is planted among them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import quorate as q
from tests.calibration.experiment import Experiment, rng
from tests.calibration.simulated import MAKE, PLANTED
from tests.calibration.unseen import ORDERS, SCORES, unseen

FIRST = {"orderings": "peer_correlation", "groupings": "peer_agreement", "scores": "bias", "votes": "with_others"}
SIZES = [(tasks, judges) for tasks in (1, 2, 5, 20) for judges in (3, 8, 30)]
UNLIKE = ((1, 5), (1, 10), (5, 5), (20, 5), (20, 10))  # tasks and judges of scores whose level or spread differs
SPREAD = {"of different severity": {"severity": 0.7}, "who stretch the scale differently": {"stretch": 0.4}}
FEW = {"1 x 4, 6 items": {"tasks": 1, "judges": 4, "items": 6}}
GRAINED = ((1, 5), (1, 10), (5, 5), (20, 5))  # tasks and judges who group more and less finely
UNSEEN = ((1, 8), (1, 15))  # tasks and judges who make slips, count errors, seldom say 1
POWER = ((1, 8), (6, 5), (20, 10))


def named(panel: Any) -> dict[str, str]:
    """Who is flagged, with the diagnosis; copies are told apart."""
    found = q.judges(panel, FIRST[panel.kind], resamples=0, permutations=0).to_dict()
    copied = {row["judge"]: "copied" for row in found.get("one_voice", ())}
    return {f["judge"]: f["diagnosis"] for f in found["flagged"]} | copied


def false_flag(seed: int, kind: str, **how: Any) -> dict[str, float]:
    """Whether a panel of judges who are all alike has a flag."""
    return {"flagged": bool(named(MAKE[kind](rng(seed), **how)))}


def false_flag_unseen(seed: int, **how: Any) -> dict[str, float]:
    """The same of a panel that no rule was made for."""
    return {"flagged": bool(named(unseen(rng(seed), **how)))}


def planted(seed: int, kind: str, fault: str, **how: Any) -> dict[str, float]:
    """Whether the planted judge is named, rightly diagnosed, and nobody else is."""
    found = named(MAKE[kind](rng(seed), planted=fault, **how))
    last = f"j{how['judges'] - 1}"
    return {"named": last in found, "diagnosed": found.get(last) == fault, "others": bool(set(found) - {last})}


def flags() -> Iterator[Experiment]:
    """False flags, of every kind and size."""
    for kind in MAKE:
        for tasks, judges in SIZES:
            run = partial(false_flag, kind=kind, tasks=tasks, judges=judges)
            yield Experiment("flags", kind, f"{tasks} x {judges}", run, promise=0.05)
    for tasks, judges in GRAINED:
        run = partial(false_flag, kind="groupings", tasks=tasks, judges=judges, grain=0.35)
        yield Experiment("flags", "groupings", f"{tasks} x {judges}, of different grain", run, promise=0.05)
    for name, differ in SPREAD.items():
        for tasks, judges in UNLIKE:
            run = partial(false_flag, kind="scores", tasks=tasks, judges=judges, items=10, **differ)
            yield Experiment("flags", "scores", f"{tasks} x {judges}, {name}", run, promise=0.05)
    for setting, few in FEW.items():
        yield Experiment("flags", "scores", setting, partial(false_flag, kind="scores", **few), promise=0.05)
    for kind, ways in (("orderings", ORDERS), ("scores", SCORES)):
        for way in ways:
            for tasks, judges in UNSEEN:
                run = partial(false_flag_unseen, kind=kind, how=way, tasks=tasks, judges=judges)
                yield Experiment("flags", kind, f"{tasks} x {judges}, {way}", run, promise=0.05)


def power() -> Iterator[Experiment]:
    """Every diagnosis of every kind."""
    for kind, faults in PLANTED.items():
        for fault in faults:
            for tasks, judges in POWER:
                how = {"tasks": tasks * (4 if kind == "votes" else 1), "judges": judges}
                how |= {"items": 30} if kind == "scores" else {"keep": 0.8} if kind == "groupings" else {}
                run = partial(planted, kind=kind, fault=fault, **how)
                yield Experiment("power", kind, f"{fault}, {how['tasks']} x {judges}", run)
