"""What was agreed on, on its way out: orders as a panel, or held against given ones; labels as a gold standard."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from quorate.errors import InputError
from quorate.formats import FORMATS, read, write
from quorate.formats.cells import no_formula
from quorate.formats.files import Sink
from quorate.formats.registry import by_extension
from quorate.groupings.consensus import as_panel as group_panel
from quorate.inference.adjudication import adjudication, gold
from quorate.inference.consensus_panel import as_grades, as_panel
from quorate.inference.results import Answer
from quorate.panel.kinds import Orderings, Panel, Scores
from quorate.reports.candidates import Evaluation, evaluate_consensus
from quorate.reports.truth import Truth, against_truth
from quorate.table import Method
from quorate.verbs import consensus


def write_orders(answer: Answer, path: str) -> bool:
    """Write the orders, or groups, if the name says a format of orderings, groupings or qrels; whether it did.

    Judges are the methods. PrefLib has no names for them, and a qrels file holds one order, as grades.
    """
    chosen = by_extension(Sink(path).extension, FORMATS)
    if chosen is not None and answer.kind == "groupings" and "groupings" in chosen.kinds:
        write(group_panel(answer), path)
        return True
    if chosen is None or answer.kind != "orderings":
        return False
    if chosen.name == "qrels":
        write(as_grades(answer, Sink(path).stem), path)
    elif "orderings" in chosen.kinds:
        more: dict[str, Any] = {"anonymous": True} if chosen.name == "preflib" else {}
        write(as_panel(answer), path, **more)
    else:
        return False
    return True


def write_labels(answer: Answer, gold_path: str | None, list_path: str | None) -> None:
    """Write the gold standard of labels, and the list of items to adjudicate, to the files that were named."""
    for path, columns in ((gold_path, gold), (list_path, adjudication)):
        if path is None:
            continue
        if not isinstance(answer.panel, Scores) or not answer.panel.scale:
            raise InputError("--gold and --adjudicate are for labels.", "--out writes what else is agreed on.")
        found = columns(answer)
        with Sink(path).text() as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(found)
            writer.writerows([no_formula(str(v)) for v in row] for row in zip(*found.values(), strict=True))


def beside_truth(panel: Panel, path: str, index: str, given: dict[str, Any]) -> Truth:
    """The judges of a panel beside the true order in a file."""
    true = read(path)
    for found, name in ((panel, "the panel"), (true, Path(path).name)):
        if not isinstance(found, Orderings):
            raise InputError(f"{name} holds {found.kind}; a truth is an order of items.")
    return against_truth(cast(Orderings, panel), cast(Orderings, true), index, seed=given["seed"], level=given["level"])


def candidates_of(panel: Panel, path: str, options: dict[str, Any]) -> tuple[Orderings, Orderings]:
    """The panel and the candidates in a file, both orders of items."""
    given = read(path, **{k: v for k, v in options.items() if k == "encoding" and v is not None})
    for found, name in ((panel, "the panel"), (given, Path(path).name)):
        if not isinstance(found, Orderings):
            raise InputError(f"{name} holds {found.kind}; candidates are orders of items.")
    return cast(Orderings, panel), cast(Orderings, given)


def evaluation(
    panel: Panel, path: str, methods: Sequence[Method], options: dict[str, Any], seed: int = 0, level: float = 0.95
) -> Evaluation:
    """The orders in a file, and ours by these methods, held against the judges."""
    panel, given = candidates_of(panel, path, options)
    ours = evaluate_consensus(panel, consensus(panel, *methods, resamples=0))
    theirs = evaluate_consensus(panel, given)
    place = {task: k for k, task in enumerate(panel.tasks)}
    return Evaluation.of(sorted((*theirs.rows, *ours.rows), key=lambda row: place[row.task]), seed, level)
