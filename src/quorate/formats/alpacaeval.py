"""AlpacaEval's annotations: which of two outputs is preferred, 1 or 2, or a number between them.

A preference below 1.5 is a vote for the first output, above it for the second; 1.5 and 0 are ties. The number itself is
the label ``preference``. Files do not say which output was shown first.
"""

from __future__ import annotations

from quorate.formats.files import File
from quorate.formats.json_records import records
from quorate.formats.judgments import Judgments, export
from quorate.formats.registry import ENCODING
from quorate.panel.base import many

WHO = ("annotator", "annotator_index")  # of a model, and of people who annotated the same pairs


def walk(file: File, found: Judgments, encoding: str) -> None:
    """What is in one file."""
    found.became("task", "instruction")
    found.became("winner", "preference")
    between = unnamed = 0
    for number, record in records(file, encoding):
        preference = record.get("preference")
        if preference is None or preference != preference:
            found.skip("comparison* without a preference")
            continue
        if isinstance(preference, bool) or not isinstance(preference, int | float) or not 0 <= preference <= 2:
            found.wrong(number, f"the preference is {preference!r}, not between 1 and 2")
            continue
        between += preference not in (0, 1, 1.5, 2)
        winner = "tie" if preference in (0, 1.5) else "model_a" if preference < 1.5 else "model_b"
        unnamed += not record.get("generator_1")
        sides = [record.get(f"generator_{k}") or f"output_{k}" for k in (1, 2)]
        who = next((n for n in WHO if record.get(n) not in (None, "")), None)
        if who is None:
            found.note(f"{file.name}: nobody is named as the annotator; the judge is the file, {file.stem}")
        else:
            found.became("judge", who)
        cells = {"judge": record[who] if who else file.stem, "task": record.get("instruction", number)}
        cells |= {n: record[n] for n in ("dataset",) if isinstance(record.get(n), str)}
        found.add("votes", number, model_a=sides[0], model_b=sides[1], winner=winner, preference=preference, **cells)
    if between:
        count = "counts" if between == 1 else "count"
        found.note(f"{file.name}: {many(between, 'preference')} between 1 and 2 {count} for the nearer side")
    if unnamed:
        found.note("no field names the two systems: they are called output_1 and output_2")
    found.note("AlpacaEval does not say which output was shown first: preferences for a place cannot be told")


ALPACAEVAL = export(
    "alpacaeval",
    "AlpacaEval's annotations: preferences between two outputs",
    ("votes",),
    walk,
    (ENCODING,),
    why="its instructions and outputs are not in a panel",
    keys=("preference generator_1|output_1 generator_2|output_2",),
)
