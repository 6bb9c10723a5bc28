"""MQM ratings of translations: a row per error; the errors of a segment are weighted and summed to a score.

The score is minus the sum, so that more is better. A weight belongs to a severity, or to a severity and a category; the
most special one counts. The default weights are those of the WMT metrics tasks. Tables of scores by rater in the same
columns (SQM) are read as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from quorate.formats.files import Bad, File, bad_lines
from quorate.formats.judgments import Judgments, export
from quorate.formats.registry import ENCODING, Option
from quorate.formats.table_records import delimiter_of, heads, rows

WEIGHTS = {
    "major": 5.0,
    "minor": 1.0,
    "neutral": 0.0,
    "no-error": 0.0,
    "minor/fluency/punctuation": 0.1,
    "major/non-translation": 25.0,
}
SEGMENTS = ("globalSegId", "global_seg_id", "seg_id", "docSegId", "doc_seg_id", "segment_id")
TESTS = ("hotw", "test")  # rows that check the rater
ERRORS = {"category", "severity"}


def weighing(value: Any) -> dict[str, float]:
    """Weights from a mapping, or from a text: ``major=5,minor=1,critical=10``; those not named stay as they are.

    >>> weighing("critical=10")["critical"], weighing("critical=10")["minor"]
    (10.0, 1.0)
    """
    given = dict(part.split("=") for part in value.split(",")) if isinstance(value, str) else dict(value)
    return WEIGHTS | {str(name).strip().lower(): float(weight) for name, weight in given.items()}


WEIGHT = Option("weights", "of errors, for example major=5,minor=1,critical=10", weighing)


def walk(file: File, found: Judgments, encoding: str, weights: Mapping[str, float] = WEIGHTS) -> None:
    """What is in one file."""
    names = heads(file)
    segment = next(n for n in SEGMENTS if n in names)
    found.became("judge", "rater")
    found.became("system", "system")
    found.became("task", *(n for n in ("doc", segment) if n in names))
    lines = rows(file, encoding, "\t", quoted=False) if delimiter_of(file) == "\t" else rows(file, encoding)
    take = _errors if set(names) >= ERRORS else _scores
    for line, task, rater, system, score in take(found, segment, lines, weights):
        found.output(line, score, judge=rater, task=task, system=system)


Row = tuple[int, dict[str, str]]
Score = tuple[int, str, str, str, Any]  # line, segment, rater, system and score


def _errors(found: Judgments, segment: str, lines: Iterator[Row], weights: Mapping[str, float]) -> Iterator[Score]:
    """Errors, weighted and summed."""
    found.became("score", *sorted(ERRORS))
    sums: dict[tuple[str, str, str], list[Any]] = {}  # of segment, rater and system: line and sum
    unknown: dict[str, Bad] = {}
    for line, row in lines:
        severity, category = row["severity"].strip().lower(), row["category"].strip().lower()
        if severity.startswith(TESTS) or category.startswith(TESTS):
            found.skip("row* to check the rater")
            continue
        weight = weight_of(severity, category, weights)
        if weight is None:
            unknown.setdefault(severity, []).append((line, f"severity {row['severity']!r}"))
            continue
        sums.setdefault((_task(row, segment), row["rater"], row["system"]), [line, 0.0])[1] -= weight
    if unknown:
        said = ",".join(f"{severity or 'SEVERITY'}=10" for severity in unknown)
        hint = f"say what such errors weigh, for example --input-option weights={said}."
        bad = sorted((b for lines in unknown.values() for b in lines), key=lambda b: b[0] or 0)
        raise bad_lines(found.file.name, "the severity of an error has no weight", bad, hint)
    shown = ", ".join(f"{n} {w:g}" for n, w in weights.items())
    found.note(f"a score is minus the weighted errors of a segment: {shown} (--input-option weights=...)")
    for who, (line, score) in sums.items():
        yield line, *who, score or 0.0


def _scores(found: Judgments, segment: str, lines: Iterator[Row], weights: Mapping[str, float]) -> Iterator[Score]:
    """Scores as they stand."""
    found.became("score", "score")
    for line, row in lines:
        score = None if row["score"].strip() in ("", "None") else row["score"]
        yield line, _task(row, segment), row["rater"], row["system"], score


def _task(row: Mapping[str, str], segment: str) -> str:
    return f"{row['doc']}:{row[segment]}" if "doc" in row else row[segment]


def weight_of(severity: str, category: str, weights: Mapping[str, float]) -> float | None:
    """The weight of an error: the most special that is given; None where the severity has none.

    >>> weight_of("minor", "fluency/punctuation", WEIGHTS), weight_of("major", "non-translation!", WEIGHTS)
    (0.1, 25.0)
    """
    if "no-error" in (severity, category) or category == "no error":
        return 0.0
    path = [severity, *(part.strip(" !") for part in category.split("/"))]
    return next((weights[p] for k in range(len(path), 0, -1) if (p := "/".join(path[:k])) in weights), None)


MQM = export(
    "mqm",
    "MQM ratings of translations, an error a row: weighted and summed to scores",
    ("scores",),
    walk,
    (WEIGHT, ENCODING),
    why="the errors behind a score are not in a panel",
    columns=tuple(f"system rater {said} {'|'.join(SEGMENTS)}" for said in ("category severity", "score target")),
)
