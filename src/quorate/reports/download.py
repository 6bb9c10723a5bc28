"""The data inside the page: the report's JSON, compressed, in as much detail as there is room for."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from typing import Any

from quorate.reports.model import Report
from quorate.results import Answer, Finding, clean

DATA = 600_000  # bytes at most, compressed
DIGITS = 4  # where room is short
SAMPLE = 100_000  # bytes that tell how well the rest will pack
DETAILED, PLAIN = 10, 2  # bytes that a row takes at least, compressed, with and without details


def download(report: Report, most: int = DATA) -> tuple[bytes, str]:
    """The data and what is in it, in words: the whole, or what fits without details, digits, or rows of tasks."""
    findings = {s.question: s.answer.findings for s in report.sections if s.answer}
    rows = sum(len(f.values) for each in findings.values() for f in each)
    if rows * DETAILED <= most:  # what cannot fit is not tried: packing takes long
        data = _packed(report.to_dict(), most)
        if data is not None:
            return data, "every figure, by task, with details"
    found = _without_rows(report).to_dict()
    if rows * PLAIN <= most:
        columns = {question: [_columns(f) for f in each] for question, each in findings.items()}
        data = _packed(_with_results(found, columns), most)
        if data is not None:
            return data, f"every figure, by task, to {DIGITS} digits; details are in --format json"
    for question in findings:
        del found["sections"][question]["answer"]["results"]
    return _gzip(_text(found)), "the overall figures; those by task are in --format json"


def _without_rows(report: Report) -> Report:
    """The report with overall figures only."""

    def bare(answer: Answer) -> Answer:
        empty = (replace(f, keys={}, values=(), details={}) for f in answer.findings)
        return replace(answer, findings=tuple(empty))

    return replace(report, sections=tuple(replace(s, answer=s.answer and bare(s.answer)) for s in report.sections))


def _with_results(found: dict[str, Any], columns: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """The dict of a report with these results in their places."""
    sections = {
        question: {**s, "answer": {**s["answer"], "results": columns[question]}} if question in columns else s
        for question, s in found["sections"].items()
    }
    return {**found, "sections": sections}


def _columns(finding: Finding) -> dict[str, Any]:
    """The rows of a method as columns, without details: the same names once instead of in every row.

    >>> from quorate.table import parse
    >>> _columns(Finding(parse("tau", "orderings", "agreement"), {"task": ["t"]}, [0.123456]))
    {'task': ['t'], 'method': 'tau', 'value': [0.1235]}
    """
    values = [_short(clean(v)) for v in finding.values]
    keys = {name: [_short(clean(v)) for v in column] for name, column in finding.keys.items()}
    return {**keys, "method": str(finding.method), finding.called: values}


def _short(value: Any) -> Any:
    return float(f"{value:.{DIGITS}g}") if type(value) is float else value


def _packed(found: dict[str, Any], most: int) -> bytes | None:
    """Compressed; None where that is too large, which a sample of the text mostly tells beforehand."""
    text = _text(found)
    sample = text[-SAMPLE:]  # the end: rows, not the page's head
    if len(_gzip(sample)) * len(text) > 2 * most * len(sample):
        return None
    data = _gzip(text)
    return data if len(data) <= most else None


def _text(found: dict[str, Any]) -> bytes:
    return json.dumps(found, ensure_ascii=False, default=str, allow_nan=False, separators=(",", ":")).encode()


def _gzip(text: bytes) -> bytes:
    return gzip.compress(text, 6, mtime=0)  # 9 takes twice as long for 2 % less
