"""MQM ratings of translations: a row per error; the errors of a segment are weighted and summed to a score.

The score is minus the sum, so that more is better. A weight belongs to a severity, or to a severity and a category; the
most special one counts. The default weights are those of the WMT metrics tasks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from quorate.formats.files import File, bad_lines
from quorate.formats.judgments import Judgments, read_only, reader
from quorate.formats.registry import ENCODING, Format, Option, empty
from quorate.formats.table_records import heads

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
    found.became("score", "category", "severity")
    sums: dict[tuple[str, str, str], list[Any]] = {}  # of system, segment and rater: line and sum
    for line, row in _rows(file, encoding):
        severity, category = row["severity"].strip().lower(), row["category"].strip().lower()
        if severity.startswith(TESTS) or category.startswith(TESTS):
            found.skip("row* to check the rater")
            continue
        weight = weight_of(severity, category, weights)
        if weight is None:
            found.wrong(line, f"no weight for the severity {row['severity']!r}: say weights={severity or '...'}=10")
            continue
        task = f"{row['doc']}:{row[segment]}" if "doc" in row else row[segment]
        sums.setdefault((row["system"], task, row["rater"]), [line, 0.0])[1] -= weight
    for (system, task, rater), (line, score) in sums.items():
        found.score(line, score or 0.0, judge=rater, task=task, item=f"{task}: {system}", system=system)
    shown = ", ".join(f"{n} {w:g}" for n, w in weights.items())
    found.note(f"a score is minus the weighted errors of a segment: {shown} (--input-option weights=...)")


def weight_of(severity: str, category: str, weights: Mapping[str, float]) -> float | None:
    """The weight of an error: the most special that is given; None where the severity has none.

    >>> weight_of("minor", "fluency/punctuation", WEIGHTS), weight_of("major", "non-translation!", WEIGHTS)
    (0.1, 25.0)
    """
    if "no-error" in (severity, category) or category == "no error":
        return 0.0
    path = [severity, *(part.strip(" !") for part in category.split("/"))]
    return next((weights[p] for k in range(len(path), 0, -1) if (p := "/".join(path[:k])) in weights), None)


def _rows(file: File, encoding: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows between tabs; a quote is a quote, as the ratings are published."""
    bad: list[tuple[int | None, str]] = []
    with file.text(encoding, newline="\n") as stream:
        names = next(([n.strip() for n in line.rstrip("\r\n").split("\t")] for line in stream if line.strip()), None)
        if names is None:
            raise empty(file.name)
        for number, line in enumerate(stream, 2):
            fields = line.rstrip("\r\n").split("\t")
            if len(fields) == len(names):
                yield number, dict(zip(names, fields, strict=True))
            elif line.strip():
                bad.append((number, f"{len(fields)} fields"))
    if bad:
        hint = "ratings stand between tabs, without quoting, a line each."
        raise bad_lines(file.name, f"the number of fields is not {len(names)}", bad, hint)


def sniff(file: File) -> bool:
    """A table of errors with a category and a severity."""
    names = set(heads(file))
    return {"system", "rater", "category", "severity"} <= names and bool(names & set(SEGMENTS))


MQM = Format(
    "mqm",
    (),
    "MQM ratings of translations, an error a row: weighted and summed to scores",
    ("scores",),
    reader(walk),
    read_only("mqm", "the errors behind a score are not in a panel"),
    sniff,
    "mqm",
    (WEIGHT, ENCODING),
    telling=True,
)
