"""Frequent sequential patterns for scoring ordered lists (Kim, Zhai, Han): Tables 1 to 4 by simulation.

The judges of the paper (ten sets of sentences, 8.8 sentences and 10.4 judges a set on average) are not at hand. Mallows
judges stand in for them, with the dispersion at which average correlation by tau has the paper's ED of 0.454: the first
cell agrees by construction, the others show whether the paper's conclusions hold for judges who differ like this. The
last two rows of Table 1 follow from printed numbers and are recomputed from those.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
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
from quorate.reproduce.rows import How, Reproduced, Row, facts

TITLE = "Scoring ordered lists by frequent sequential patterns (Kim, Zhai, Han)"
RATIOS = ("0", "0.25", "0.5", "0.75", "1")
STANDS = "Mallows judges stand in for the paper's"
FAMILIES = {"AC": "average_correlation", "WCA": "weighted_correlation", "RBA": "rank_based"}
SLIPS = (
    "The default setting on noisy panels is printed five times with five values (Table 2: 0.5482 and 0.6019, Table 3: "
    "0.5303 and 0.5841, Table 4: 0.5855): the noise was drawn anew for each row, so differences of 0.07 between noisy "
    "cells say nothing, and the text's advice from them (a large wLen, wSup about 1) is not supported.",
    "How noisy the panels of Tables 2 to 4 are is not said; 0.5 fits Table 1 best.",
    "Table 3, maxLen/k = 0.25 is lower than both neighbours: where 0.25 k is below 2 no pattern is left and the "
    "score is 0.",
    "What becomes of judges with negative weights (WCA) is not said; here they count 0.",
)

MISSING = ("The judges' own orders: the paper calls them public and names a page, but no copy is among the data here.",)
FITTED = (
    "Table 1: how far judges differ (one number) gives the first cell, 0.454, by construction.",
    "Tables 2 to 4: the share of random judges, 0.5, is where Table 1 has such values.",
)
ED = 0.454  # of average correlation by tau, the paper's first cell
SETS = ((7, 10), (7, 10), (8, 10), (8, 10), (9, 10), (9, 10), (10, 11), (10, 11), (10, 11), (10, 11))  # items, judges
RATIO = 0.5  # of random judges in Tables 2 to 4: the paper does not say; its ED there is that of Table 1 at 0.5
TABLE = {"w_len": 2, "w_sup": 2, "max_len": 3, "min_len": 3, "min_sup": 4}  # in which a parameter is varied
Key = tuple[str, str, str, str, str, str]  # table, method, parameter, setting, panel, figure


def reproduce(how: How) -> Reproduced:
    """All cells of Tables 1 to 4."""
    simulated_rows = list(tables(how.studies, 2, how.seed))
    rows = (*_from_printed(), *simulated_rows, *_orders(simulated_rows))
    return Reproduced("frespa", TITLE, rows, SLIPS, MISSING, FITTED)


def _from_printed() -> Iterator[Row]:
    """Max-min and degradation of Table 1 from its other rows."""
    found = {key: value for key, value in printed().items() if key[0] == "1"}
    ed = {(key[1], key[3]): float(value) for key, value in found.items() if key[5] == "ED"}
    for (_, of, *_, figure), value in found.items():
        if figure != "ED":
            least = ed[of, "0"] - ed[of, "1"]
            ours = least if figure == "max-min" else least / ed[of, "0"]
            note = "recomputed from rounded numbers"
            yield Row("Table 1", f"{of}: {figure}, from the printed ED", value, ours, "printed", note)


def _orders(rows: Iterable[Row]) -> Iterator[Row]:
    """The methods of Table 1 from least to most discriminative."""
    ours = {r.cell: r.ours for r in rows if r.table == "Table 1"}
    for measure in ("tau", "rho"):
        for ratio in RATIOS:
            cells = {short: f"{name}(measure={measure}), ratio {ratio}" for short, name in FAMILIES.items()}
            values: dict[str, Any] = {n: ours[c] for n, c in {**cells, "FreSPA": f"frespa, ratio {ratio}"}.items()}
            order = " < ".join(sorted(values, key=values.__getitem__))
            cell = f"order by {measure}, ratio {ratio}"
            yield Row("Table 1", cell, "AC < WCA < RBA < FreSPA", order, "simulation", STANDS)


# -- simulated panels --------------------------------------------------------------------------------------------------


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


def calibrated() -> float:
    """The dispersion at which two judges' tau, averaged over the paper's sets, is that of its first cell.

    >>> round(calibrated(), 3)
    0.505
    """
    low, high = 1e-6, 1 - 1e-6
    for _ in range(60):
        middle = (low + high) / 2
        above = sum(expected_tau(n, middle) for n, _ in SETS) / len(SETS) > ED
        low, high = (middle, high) if above else (low, middle)
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


def printed() -> dict[Key, str]:
    """The numbers of the paper's Tables 1 to 4, as printed."""
    names = ("table", "of", "parameter", "setting", "panel", "figure")
    return {tuple(r[n] for n in names): r["value"] for r in facts("frespa_tables")}  # type: ignore[misc]


def tables(studies: int = 3, repeats: int = 2, seed: int = 0, only: Iterable[int] = (1, 2, 3, 4)) -> Iterator[Row]:
    """Every cell of the paper's tables, printed and simulated."""
    core, wanted = Core(Options(seed=seed, resamples=100)), set(map(str, only))
    design = OrderingDesign.of(simulated(studies, seed))
    ours: dict[Key, float] = _table_1(design, core, repeats) if "1" in wanted else {}
    ours |= _tables_2_to_4(design, core, repeats) if wanted & {"2", "3", "4"} else {}
    for key, paper in printed().items():
        if key[0] in wanted:
            told = f"{float(paper):.{3 if key[0] == '1' else 4}f}"
            yield Row(f"Table {key[0]}", _cell(key), told, ours[key], "simulation", STANDS)


def _table_1(design: OrderingDesign, core: Core, repeats: int) -> dict[Key, float]:
    found = noise(design, core, of="all", repeats=repeats)
    out: dict[Key, float] = {}
    for of, ratio, value in zip(found.keys["of"], found.keys["ratio"], found.values, strict=True):
        out["1", of, "ratio", f"{ratio:g}", "noisy" if ratio else "original", "ED"] = value
    for o in found.estimates:
        of = o.labels["of"]
        out["1", of, "", "", "", "max-min"] = o.labels["max-min"]
        out["1", of, "", "", "", "degradation"] = o.value
    return out


def _tables_2_to_4(design: OrderingDesign, core: Core, repeats: int) -> dict[Key, float]:
    found = sweep(design, core, ratio=RATIO, repeats=repeats)
    out: dict[Key, float] = {}
    rows = zip(*found.keys.values(), found.values, found.details["noisy"], strict=True)
    for parameter, setting, clean, loud in rows:
        for panel, value in (("original", clean), ("noisy", loud)):
            out[str(TABLE[parameter]), "frespa", parameter, f"{setting:g}", panel, "ED"] = value
    return out


def _cell(key: Key) -> str:
    _, of, parameter, setting, panel, figure = key
    if not parameter:
        return f"{of}: {figure}"
    share = " of the items" if parameter in ("max_len", "min_len") else ""
    return f"{of}, {parameter} {setting}{share}{f', {panel}' if parameter != 'ratio' else ''}"
