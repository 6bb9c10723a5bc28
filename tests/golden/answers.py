"""What is kept of a panel: the rows of figures of every answer, and its words.

A row is named by its block, its method and what it is about, ``overall | tau_b | judge=ann``, not by its place, so that
rows and fields can be added without touching the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import quorate as q
from quorate import table
from quorate.reports import sections
from tests.golden.panels import Case

QUESTIONS = (*table.QUESTIONS, "report")
ABOUT = (  # the fields that say what a row is about
    "criterion",
    "task",
    "pair",
    "judge",
    "human",
    "item",
    "system",
    "metric",
    "other",
    "level",
    "of",
    "by",
    "measure",
    "path",
    "ratio",
    "parameter",
    "setting",
    "worst",
    "coefficient",
    "is",
    "over",
)
ABOUT_TOO = {"judges_needed": ("judges",)}  # in rows of results
CURVES = {"sensitivity": "share"}  # rows of results that are points of a curve: one row for the whole curve
HEAD = ("kind", "question", "tasks", "judges", "items", "notes")
PLAIN_WORDS = ("interval_by", "group", "punishes", "order", "refused")  # words that name nothing of a public data set

ABSENT = {"absent": True}

Row = dict[str, Any]
Rows = dict[str, Row]


@dataclass(frozen=True)
class Refused:
    """A question that cannot be answered, by one method or by the usual ones."""

    method: str
    why: str

    def text(self, width: int) -> str:
        """As an answer has it."""
        return f"{self.method}: {self.why}" if self.method else self.why


def outputs(case: Case, seed: int = 0, words: bool = True) -> dict[str, dict[str, Any]]:
    """Of every question the rows of figures and the lines of text; of the report what differs from the commands'."""
    page = make_report(case, seed) if "report" in asked(case) else None
    found = {question: output(case, question, seed, words, page) for question in asked(case)}
    if "report" in found:
        found["report"]["figures"] = _unlike(found["report"]["figures"], found)
    return found


def asked(case: Case) -> list[str]:
    """The questions that can be put to a panel."""
    left = {"report"} if case.every else set()
    if case.panel.kind != "scores" and case.systems is None:
        left.add("quality")
    return [question for question in QUESTIONS if question not in left]


def output(case: Case, question: str, seed: int = 0, words: bool = True, page: Any = None) -> dict[str, Any]:
    """The answer to one question as rows and lines; where a report has it already, the report's."""
    if question == "report":
        page = page or make_report(case, seed)
        figures, lines = _of_report(page), _unversioned(page) if words else []
    else:
        answers = (page and _on_page(page, case, question, words)) or list(ask(case, question, seed))
        figures, lines = _named(row for a in answers for row in _of_answer(a)), []
        if words:
            lines = [line for a in answers for line in a.text(80).splitlines()]
    return (
        {"figures": _nameless(figures, case.panel), "words": []}
        if case.private
        else {"figures": figures, "words": lines}
    )


def ask(case: Case, question: str, seed: int = 0) -> Iterator[Any]:
    """The answer by the usual methods, or one by each of the others; why there is none where there is none."""
    methods = [()]
    if case.every:
        methods = [(m,) for m in table.methods(case.panel.kind, question) if not m.declaration.default]
    beside = (case.systems,) if question == "quality" and case.systems is not None else ()
    more = {"metrics": case.metrics} if question == "trust" and case.metrics is not None else {}
    for some in methods:
        try:
            yield getattr(q, question)(case.panel, *beside, *some, **more, **case.options, seed=seed)
        except q.errors.QuorateError as error:
            yield Refused(" ".join(map(str, some)), str(error))


def _on_page(page: Any, case: Case, question: str, words: bool) -> list[Any]:
    """The answer that a report got by asking just what the command asks; none where it asked otherwise."""
    given = [panel for panel in (case.panel, case.systems, case.metrics) if panel is not None]
    if words and any(panel.by_name is not panel for panel in given):
        return []  # a report has tasks in the order of their names
    usual = [*map(str, table.methods(case.panel.kind, question, default=True))]
    methods, _ = sections.chosen(question, case.panel)
    answer = next((s.answer for s in page.sections if s.question == question), None)
    return [answer] if answer is not None and [*map(str, methods)] in ([], usual) else []


def make_report(case: Case, seed: int = 0) -> Any:
    """The report with what stands beside the panel."""
    return q.report(case.panel, systems=case.systems, metrics=case.metrics, **case.options, seed=seed)


# -- rows --------------------------------------------------------------------------------------------------------------


def _of_answer(answer: Any) -> Iterator[tuple[str, Row]]:
    if isinstance(answer, Refused):
        yield "refused", {"method": answer.method, "refused": True}
        return
    made = answer.to_dict()
    yield "panel", {"method": "", **{n: made[n] for n in HEAD[2:5]}}
    for block, value in made.items():
        if block not in HEAD:
            yield from _of_block(block, value)


def _of_block(block: str, value: Any) -> Iterator[tuple[str, Row]]:
    """A block of the JSON output: a list of rows, or a row."""
    if isinstance(value, list) and all(isinstance(row, dict) for row in value):
        yield from ((block, row) for row in value)
    elif isinstance(value, dict):
        yield block, value
    else:
        yield block, {"value": value}


def _named(given: Iterable[tuple[str, Row]]) -> Rows:
    """Rows by their names, and of every block and method the order of its rows."""
    found: Rows = {}
    orders: dict[str, list[str]] = {}
    for block, row in _with_curves(given):
        method, about, fields = _parts(block, row)
        name = base = " | ".join((block, method, about)).rstrip(" |")
        again = 1
        while name in found:
            again += 1
            name = f"{base} #{again}"
        found[name] = fields
        orders.setdefault(f"{block} | {method}".rstrip(" |"), []).append(about)
    for name, order in orders.items():
        if len(order) > 1 and name.startswith(("overall", "copies")):  # the others are in the order of the file
            found[f"order of {name}"] = {"order": order}
    return found


def _with_curves(given: Iterable[tuple[str, Row]]) -> Iterator[tuple[str, Row]]:
    """The rows, with points of one curve put together as lists."""
    curves: dict[tuple[str, ...], Row] = {}
    for block, row in given:
        if block != "results" or bare(row["method"]) not in CURVES:
            yield block, row
            continue
        method, about, fields = _parts(block, row)
        curve = curves.setdefault((method, about), {n: row[n] for n in ("method", *ABOUT) if n in row})
        for name, value in fields.items():
            curve.setdefault(name, []).append(value)
    yield from (("results", curve) for curve in curves.values())


def _parts(block: str, row: Mapping[str, Any]) -> tuple[str, str, Row]:
    """The method of a row, what it is about, and its other fields; details stand beside the value."""
    method = str(row.get("method") or "")
    names = ABOUT + (ABOUT_TOO.get(bare(method), ()) if block == "results" else ())
    about = " ".join(f"{n}={_shown(row[n])}" for n in names if row.get(n) is not None)
    fields = {n: v for n, v in row.items() if n not in (*names, "method", "details")}
    for name, value in (row.get("details") or {}).items():
        fields[name if name not in fields else f"details.{name}"] = value
    return method, about, fields


def _shown(value: Any) -> str:
    return "+".join(map(str, value)) if isinstance(value, list) else str(value)


def bare(method: str) -> str:
    """The name of a method without its parameters."""
    return method.partition("(")[0]


# -- the report --------------------------------------------------------------------------------------------------------


def _of_report(page: Any) -> Rows:
    """Overall figures of all sections."""
    made, rows = page.to_dict(), list[tuple[str, Row]]()
    for question, section in made["sections"].items():
        if section["answer"]:
            rows += [(f"overall of {question}", row) for row in section["answer"]["overall"]]
    return _named(rows)


def _unlike(rows: Rows, answers: Mapping[str, Mapping[str, Any]]) -> Rows:
    """The rows of a report that the commands do not have just so, and marks for those that it leaves out."""
    found = dict(rows)
    for question, twins in _twins(answers).items():
        left = [name for name in twins if name not in rows]
        found |= {f"all of {question}": ABSENT} if left == [*twins] else dict.fromkeys(left, ABSENT)
        for name, row in twins.items():
            if rows.get(name) == row:
                del found[name]
    return found


def whole(rows: Rows, answers: Mapping[str, Mapping[str, Any]]) -> Rows:
    """The rows of a report with those that the commands have too."""
    twins = {
        n: r for question, of in _twins(answers).items() if f"all of {question}" not in rows for n, r in of.items()
    }
    return {name: row for name, row in (twins | rows).items() if row != ABSENT}


def _twins(answers: Mapping[str, Mapping[str, Any]]) -> dict[str, Rows]:
    """Of every question the commands' overall rows, named as in a report."""
    return {
        question: {
            name.replace("overall", f"overall of {question}", 1): row
            for name, row in answer["figures"].items()
            if name.startswith(("overall", "order of overall"))
        }
        for question, answer in answers.items()
        if question != "report"
    }


def _unversioned(page: Any) -> list[str]:
    """The report as Markdown, without the versions of what is installed and what every method is."""
    text = page.markdown()
    for name, version in page.versions.items():
        text = text.replace(f"{name} {version}", name)
    explained = re.compile(rf"- \S.* \(({'|'.join(table.QUESTIONS)})\): ")
    return [line for line in text.splitlines() if not explained.match(line)]


# -- public data -------------------------------------------------------------------------------------------------------


def _nameless(rows: Rows, panel: Any) -> Rows:
    """Overall rows with numbers for names, and no words."""
    number = _numbers(panel)
    found: Rows = {}
    for name, row in rows.items():
        if name.startswith(("overall", "order of overall", "panel", "refused")):
            head, *about = name.split(" | ")[:2], *name.split(" | ")[2:]
            told = " | ".join((*head, *(_numbered(a, number) for a in about)))
            found[told] = {n: _wordless(n, v, number) for n, v in row.items() if _wordless(n, v, number) != ""}
    return found


def _numbers(panel: Any) -> dict[str, dict[str, str]]:
    """For every field that holds names, their numbers in the order of the alphabet."""
    ids = {"judge": panel.judges, "item": panel.items, "task": panel.tasks}
    ids |= {name: column.ids for name, column in panel.labels.items()}
    ids.setdefault("system", panel.items)
    return {field: {str(n): str(k) for k, n in enumerate(sorted(map(str, names)), 1)} for field, names in ids.items()}


def _numbered(about: str, number: Mapping[str, Mapping[str, str]]) -> str:
    """``judge=ann system=x y`` with numbers for the names."""
    about, mark, again = about.partition(" #")  # of rows about the same, the second and further ones
    pieces = re.split(r"(?:^| )(\w+)=", about)[1:]
    pairs = zip(pieces[::2], pieces[1::2], strict=True)
    told = " ".join(f"{field}={number[field][name] if field in number else name}" for field, name in pairs)
    return f"{told}{mark}{again}"


def _wordless(field: str, value: Any, number: Mapping[str, Mapping[str, str]]) -> Any:
    """A value without words; the empty text where it has some."""
    if field == "order":
        return [_numbered(about, number) for about in value]
    if isinstance(value, str):
        return value if field in PLAIN_WORDS else ""
    if isinstance(value, list):
        return value if not any(isinstance(v, str | list | dict) for v in value) else ""
    return "" if isinstance(value, dict) else value
