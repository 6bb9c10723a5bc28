"""Tables 1 to 4 of the FreSPA paper by simulation, beside the printed numbers.

The judges of the paper (ten sets of sentences, 8.8 sentences and 10.4 judges a set on average) are not at hand. Mallows
judges stand in for them, with the dispersion at which average correlation by tau has the paper's ED of 0.454. So the
first cell agrees by construction; the others show whether the paper's conclusions hold for judges who differ like this.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterable
from importlib import resources
from typing import Any

import numpy as np

from quorate.inference.core import Core
from quorate.inference.results import Options
from quorate.inference.weights import stream
from quorate.orderings.noise import noise
from quorate.orderings.simulate import mallows
from quorate.orderings.tuning import sweep
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import OrderingDesign

ED = 0.454  # of average correlation by tau, the paper's first cell
SETS = ((7, 10), (7, 10), (8, 10), (8, 10), (9, 10), (9, 10), (10, 11), (10, 11), (10, 11), (10, 11))  # items, judges
RATIO = 0.5  # of random judges in Tables 2 to 4: the paper does not say; its ED there is that of Table 1 at 0.5
Key = tuple[int, str, str, str, str, str]  # table, method, parameter, setting, panel, figure


def expected_tau(items: int, dispersion: float) -> float:
    """The tau of two Mallows judges, on average.

    1 with dispersion 0, and 0 with dispersion 1. In closed form, because the chance that an item comes before another
    depends only on how far apart the true order has them.

    >>> round(expected_tau(9, 0.5), 3), round(expected_tau(9, 1.0), 3)
    (0.472, 0.0)
    """
    if dispersion in (0.0, 1.0):
        return 1.0 - dispersion

    def edge(size: int) -> float:
        return size / (1 - dispersion**size)

    total = sum((items - d) * (2 * (edge(d + 1) - edge(d)) - 1) ** 2 for d in range(1, items))
    return total / math.comb(items, 2)


def calibrated(sets: Iterable[tuple[int, int]] = SETS, ed: float = ED) -> float:
    """The dispersion at which two judges' tau, averaged over the sets, is as wanted.

    >>> round(calibrated(), 3)
    0.505
    """
    sizes = [items for items, _ in sets]
    return _falling(lambda phi: sum(expected_tau(n, phi) for n in sizes) / len(sizes) - ed, 1e-6, 1 - 1e-6)


def _falling(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function is 0, by halving."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return low


def simulated(studies: int = 3, seed: int = 0) -> Orderings:
    """Panels like the paper's, ten sets each, as the tasks of one panel."""
    phi = calibrated()
    raw: dict[str, list[Any]] = {"task": [], "judge": [], "item": [], "position": []}
    for study in range(1, studies + 1):
        for number, (items, judges) in enumerate(SETS, 1):
            positions = mallows((1, judges, items), phi, stream(seed, "frespa paper", study, number))[0]
            j, i = np.nonzero(positions)
            raw["task"] += [f"study {study}, set {number}"] * len(j)
            raw["judge"] += (j + 1).tolist()
            raw["item"] += (i + 1).tolist()
            raw["position"] += positions[j, i].tolist()
    return Orderings.build({**raw, "position": np.array(raw["position"], float)})


def printed() -> dict[Key, float]:
    """The numbers of the paper's Tables 1 to 4."""
    text = (resources.files("quorate") / "data" / "frespa_tables.csv").read_text(encoding="utf-8")
    return {
        (int(r["table"]), r["of"], r["parameter"], r["setting"], r["panel"], r["figure"]): float(r["value"])
        for r in csv.DictReader(text.splitlines())
    }


def tables(
    studies: int = 3, repeats: int = 2, seed: int = 0, only: Iterable[int] = (1, 2, 3, 4)
) -> list[dict[str, Any]]:
    """Every cell of the paper's tables: printed, simulated, and the difference."""
    core = Core(Options(seed=seed, resamples=100))
    design = OrderingDesign.of(simulated(studies, seed))
    wanted = set(only)
    ours: dict[Key, float] = {}
    if 1 in wanted:
        ours |= _table_1(design, core, repeats)
    if wanted & {2, 3, 4}:
        ours |= _tables_2_to_4(design, core, repeats)
    return [
        {
            "table": key[0],
            "cell": _cell(key),
            "paper": paper,
            "ours": ours[key],
            "difference": ours[key] - paper,
            "source": "simulation",
        }
        for key, paper in printed().items()
        if key[0] in wanted
    ]


def _table_1(design: OrderingDesign, core: Core, repeats: int) -> dict[Key, float]:
    found = noise(design, core, of="all", repeats=repeats)
    out: dict[Key, float] = {}
    for of, ratio, value in zip(found.keys["of"], found.keys["ratio"], found.values, strict=True):
        out[1, of, "ratio", f"{ratio:g}", "noisy" if ratio else "original", "ED"] = value
    for o in found.estimates:
        of = o.labels["of"]
        out[1, of, "", "", "", "max-min"] = o.labels["max-min"]
        out[1, of, "", "", "", "degradation"] = o.value
    return out


def _tables_2_to_4(design: OrderingDesign, core: Core, repeats: int) -> dict[Key, float]:
    table = {"w_len": 2, "w_sup": 2, "max_len": 3, "min_len": 3, "min_sup": 4}
    found = sweep(design, core, ratio=RATIO, repeats=repeats)
    out: dict[Key, float] = {}
    rows = zip(*found.keys.values(), found.values, found.details["noisy"], strict=True)
    for parameter, setting, clean, loud in rows:
        for panel, value in (("original", clean), ("noisy", loud)):
            out[table[parameter], "frespa", parameter, f"{setting:g}", panel, "ED"] = value
    return out


def _cell(key: Key) -> str:
    _, of, parameter, setting, panel, figure = key
    if not parameter:
        return f"{of}: {figure}"
    share = " of the items" if parameter in ("max_len", "min_len") else ""
    return f"{of}, {parameter} {setting}{share}{f', {panel}' if parameter != 'ratio' else ''}"
