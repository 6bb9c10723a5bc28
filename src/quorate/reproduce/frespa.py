"""Frequent sequential patterns for scoring ordered lists (Kim, Zhai, Han): Tables 1 to 4 by simulation.

The judges of the paper are not at hand; Mallows judges of the same number, as far apart as the paper's by tau, stand in
for them. The last two rows of Table 1 follow from printed numbers and are recomputed from those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quorate.reproduce import frespa_tables
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


def reproduce(how: How) -> Reproduced:
    """All cells of Tables 1 to 4."""
    rows = [*_from_printed(), *_simulated(how)]
    return Reproduced("frespa", TITLE, tuple(rows), SLIPS, MISSING, FITTED)


def _from_printed() -> Iterator[Row]:
    """Max-min and degradation of Table 1 from its other rows."""
    table = [r for r in facts("frespa_tables") if r["table"] == "1"]
    ed = {(r["of"], r["setting"]): float(r["value"]) for r in table if r["figure"] == "ED"}
    for r in table:
        if r["figure"] != "ED":
            least = ed[r["of"], "0"] - ed[r["of"], "1"]
            ours = least if r["figure"] == "max-min" else least / ed[r["of"], "0"]
            cell = f"{r['of']}: {r['figure']}, from the printed ED"
            yield Row("Table 1", cell, r["value"], ours, "printed", "recomputed from rounded numbers")


def _simulated(how: How) -> Iterator[Row]:
    found = frespa_tables.tables(how.studies, repeats=2, seed=how.seed)
    for r in found:
        digits = 3 if r["table"] == 1 else 4
        yield Row(f"Table {r['table']}", r["cell"], f"{r['paper']:.{digits}f}", r["ours"], "simulation", STANDS)
    ours = {r["cell"]: r["ours"] for r in found if r["table"] == 1}
    for measure in ("tau", "rho"):
        for ratio in RATIOS:
            said = "AC < WCA < RBA < FreSPA"
            yield Row(
                "Table 1",
                f"order by {measure}, ratio {ratio}",
                said,
                _order(ours, measure, ratio),
                "simulation",
                STANDS,
            )


def _order(ours: Mapping[str, float], measure: str, ratio: str) -> str:
    """The methods from least to most discriminative."""
    values = {short: ours[f"{name}(measure={measure}), ratio {ratio}"] for short, name in FAMILIES.items()}
    values["FreSPA"] = ours[f"frespa, ratio {ratio}"]
    return " < ".join(sorted(values, key=values.__getitem__))
