"""Scores of automatic metrics as a panel whose judges are the metrics: AESOP tables, ROUGE's output, wide tables.

* AESOP: a header, then a summariser, a topic and a number per metric in every line, ``NaN`` for missing.
* ROUGE: ``7 ROUGE-2 Eval D9901-A.M.100.K.7 R:0.1 P:0.2 F:0.13``; without such lines, the averages of systems.
* A table with the columns ``task`` and ``system`` and one column per metric: :func:`read_metrics`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from quorate.errors import InputError
from quorate.formats.cells import is_number
from quorate.formats.column_builder import between_blanks, collect
from quorate.formats.file_parts import Part, assemble
from quorate.formats.files import Bad, File, Sink, bad_lines
from quorate.formats.limits import as_text, one_word, refuse
from quorate.formats.names import KNOWN, TASK_WORDS, understood
from quorate.formats.registry import ENCODING, Format, Option, empty, flag, text
from quorate.formats.table_records import heads, table
from quorate.formats.tac import SummaryId
from quorate.formats.wide import melt_criteria
from quorate.panel.columns import Source, encode, numbers
from quorate.panel.kinds import ONE_TASK, Panel, Scores

PREFIX = Option("prefix", "take the first letter off summariser and topic codes", flag)
MEASURE = Option("measure", "only R, P or F; by default all three", text)
# Names may have blanks, as IDs in a set-up may.
_EVAL = re.compile(r"(\S.*?) (\S+) Eval (\S.*) R:(\S+) P:(\S+) F:(\S+)")
_AVERAGE = re.compile(r"(\S.*?) (\S+) Average_([RPF]): (\S+) \(.*\)")
_COUNTS = re.compile(r"(\S.*?) (\S+) M_count: (\S+) P_count: (\S+) H_count: (\S+)")
# On stderr, and so often in the same file.
_WARNING = re.compile(r"\*ROUGE Warning: .*|read(Text|Text_LCS|BE): .* -> empty text")
ABOVE_1 = 1.01  # a score that is rounded may be a little above 1; a count above it is not
_BY_TOKEN = ("system", "rouge", "reference", "summary", "hits", *"RPF")  # columns of `rouge --count-by token`


# -- AESOP -------------------------------------------------------------------------------------------------------------


def read_aesop(files: Sequence[File], kind: str | None, *, prefix: bool = False, encoding: str = "utf-8") -> Panel:
    """A panel from AESOP tables, a metric a judge."""
    return assemble("scores", [_read_aesop(f, prefix, encoding) for f in files])


def _read_aesop(file: File, prefix: bool, encoding: str) -> Part:
    with file.text(encoding) as stream:
        lines = between_blanks(stream)
        header = next((fields for _, fields in lines if fields), None)
        if header is None or len(header) < 3:
            raise empty(file.name, "no header of summariser, topic and metrics")
        names = ["system", "task", *header[2:]]
        if len(set(names)) < len(names):
            raise InputError(f"{file.name}: two metrics have the same name.", "names in the header must differ.")
        part = collect(file.name, lines, names, dict.fromkeys(header[2:], True))
    if not len(part):
        raise empty(file.name, "no rows below the header")
    raw = dict(part.raw)
    for name in ("system", "task") if prefix else ():
        raw[name] = encode([str(v)[1:] for v in encode(raw[name]).values()])
    return _melt(Part(part.name, raw, part.lines), header[2:])


def _melt(part: Part, metrics: Sequence[str]) -> Part:
    """A row for each metric of each row, which is a judge; empty cells are missing."""
    made = melt_criteria(part, metrics, across="judge")
    return made if "item" in made.raw else replace(made, raw=made.raw | {"item": made.raw["system"]})


def write_aesop(panel: Panel, sink: Sink) -> None:
    """Scores of systems by metrics as an AESOP table."""
    rows, judges = _cells(panel, "aesop")
    with sink.text() as stream:
        stream.write("\t".join(["summarizer", "topic", *judges]) + "\n")
        for (task, system), values in rows.items():
            cells = [repr(v) if v == v else "NaN" for v in (values.get(j, float("nan")) for j in range(len(judges)))]
            stream.write("\t".join([system, task, *cells]) + "\n")


def _cells(panel: Panel, format: str) -> tuple[dict[tuple[str, str], dict[int, float]], list[str]]:
    """Values by task and system, and the metrics' names; what does not fit is refused."""
    refuse(panel, format, kinds=("scores",), counts=True, occasions=True)
    extra = set(panel.labels) - {"system"}
    same = "system" not in panel.labels or panel.labels["system"].values() == panel.item.values()
    if extra or not same:
        raise InputError(f"{format} holds tasks, systems and metrics only.", "csv holds all labels.")
    tasks = as_text(panel.task, "task", format, one_word)
    items = as_text(panel.item, "item", format, one_word)
    judges = as_text(panel.judge, "judge", format, one_word)
    rows: dict[tuple[str, str], dict[int, float]] = {}
    columns = (panel.task.codes.tolist(), panel.item.codes.tolist(), panel.judge.codes.tolist(), panel.value.tolist())
    for t, i, j, v in zip(*columns, strict=True):
        rows.setdefault((tasks[t], items[i]), {})[j] = v
    return rows, judges


def sniff_aesop(file: File) -> bool:
    """A header that names a summariser and a topic."""
    lines = file.head_lines
    words = lines[0].lower().split() if lines else []
    return (
        len(words) > 2 and words[0].startswith(("summari", "peer")) and words[1].startswith(("topic", "docset", "set"))
    )


# -- ROUGE -------------------------------------------------------------------------------------------------------------


def read_rouge(
    files: Sequence[File], kind: str | None, *, measure: str | None = None, encoding: str = "utf-8"
) -> Panel:
    """A panel from ROUGE's output: a judge for every ROUGE and measure, such as ``ROUGE-2_R``."""
    if measure is not None and measure not in ("R", "P", "F"):
        raise InputError(f"measure={measure!r} is not known.", "R, P or F: recall, precision, F.")
    return assemble("scores", [_read_rouge(f, measure, encoding) for f in files])


def _read_rouge(file: File, measure: str | None, encoding: str) -> Part:
    each: dict[tuple[str, str, str], list[float]] = {}
    means: dict[tuple[str, str, str], list[float]] = {}
    bad: Bad = []
    whole = True  # all figures of summaries are whole numbers: counts
    warned = 0
    notes = []
    with file.text(encoding) as stream:
        for number, line in enumerate(stream, 1):
            line = " ".join(line.split())
            if not line or set(line) <= {"-", "."}:
                continue
            if _WARNING.fullmatch(line):
                warned += 1
                continue
            if _COUNTS.fullmatch(line):
                raise _no_scores(file.name, "-t 2")
            try:
                whole = _line(line, measure, each, means) and whole
            except ValueError:
                bad.append((number, line[:60]))
    if bad:
        raise bad_lines(file.name, "not a line of ROUGE's output", bad, "7 ROUGE-2 Eval D9901-A.M.100.K.7 R:0.1 ...")
    if each and (whole or any(v > ABOVE_1 for values in each.values() for v in values)):
        if not means:
            raise _no_scores(file.name, "-t 1")
        notes.append(f"{file.name}: counted by token (-t 1); the averages are read, the counts of summaries left aside")
        each = {}
    if warned:
        notes.append(f"{file.name}: {warned:,} warnings of ROUGE are left aside (texts that are empty or not there)")
    chosen = each or means
    if not chosen:
        raise empty(file.name, "no scores")
    task, system, judge = zip(*chosen, strict=True)
    again = sum(len(v) > 1 for v in chosen.values())
    if again:
        notes.append(f"{file.name}: {again:,} scores are there more than once (jackknifed) and averaged")
    if each and means:
        notes.append(f"{file.name}: averages of systems are left aside, their scores per summary are there")
    raw = {"task": encode(task), "judge": encode(judge), "item": encode(system), "system": encode(system)}
    return Part(file.name, {**raw, "score": np.array([sum(v) / len(v) for v in chosen.values()])}, None, notes)


def _no_scores(name: str, option: str) -> InputError:
    return InputError(
        f"{name}: counts of tokens, no scores (ROUGE ran with {option}).", "run it with -t 0, or --count-by summary."
    )


def _line(line: str, measure: str | None, each: dict[Any, list[float]], means: dict[Any, list[float]]) -> bool:
    """Takes a line in; whether all its figures are whole numbers, such as counts."""
    found = _EVAL.fullmatch(line)
    if found:
        peer, rouge, name = found.group(1, 2, 3)
        for letter, value in zip("RPF", found.group(4, 5, 6), strict=True):
            if measure in (None, letter):
                each.setdefault((_docset(name), peer, f"{rouge}_{letter}"), []).append(float(value))
        return not any("." in value for value in found.group(4, 5, 6))
    found = _AVERAGE.fullmatch(line)
    if not found:
        raise ValueError
    if measure in (None, found[3]):
        means.setdefault((ONE_TASK, found[1], f"{found[2]}_{found[3]}"), []).append(float(found[4]))
    return True


def _docset(name: str) -> str:
    """The task of a summary's name; of another name, what comes before its first dot."""
    try:
        return SummaryId.parse(name).task
    except InputError:
        return name.partition(".")[0]


def write_rouge(panel: Panel, sink: Sink) -> None:
    """Scores by metrics called ``ROUGE-2_R`` as lines of ROUGE's output, R, P and F together."""
    rows, judges = _cells(panel, "rouge")
    split = [j.rpartition("_") for j in judges]
    if any(not name or letter not in ("R", "P", "F") for name, _, letter in split):
        raise InputError("rouge holds metrics called NAME_R, NAME_P and NAME_F.", "csv holds any.")
    code = {j: k for k, j in enumerate(judges)}
    names = list(dict.fromkeys(name for name, _, _ in split))
    if any(f"{n}_{letter}" not in code for n in names for letter in "RPF"):
        raise InputError("rouge holds R, P and F of every metric together.", "csv holds any.")
    if any(v != v for values in rows.values() for v in values.values()) or any(
        len(v) < len(judges) for v in rows.values()
    ):
        raise InputError("rouge holds no missing scores.", "csv does.")
    if any(v > ABOVE_1 for values in rows.values() for v in values.values()):
        raise InputError("rouge holds no scores above 1: they would be counts.", "csv does.")
    with sink.text() as stream:
        for name in names:
            for (task, system), values in rows.items():
                cells = " ".join(f"{letter}:{values[code[f'{name}_{letter}']]!r}" for letter in "RPF")
                stream.write(f"{system} {name} Eval {task}.M.100.X.{system} {cells}\n")


def sniff_rouge(file: File) -> bool:
    """Some line of ROUGE's."""
    lines = [" ".join(x.split()) for x in file.head_lines[:50]]
    return any(form.fullmatch(x) for x in lines for form in (_EVAL, _AVERAGE, _COUNTS))


# -- any of them -------------------------------------------------------------------------------------------------------


def read_metrics(source: str | os.PathLike[str], **options: Any) -> Scores:
    """Metric scores from a file: AESOP, ROUGE, a long table of scores, or a table with one column per metric.

    In such a table every column of numbers that means nothing else is a metric; ``doc``, ``topic`` and the like are the
    task, and without a column ``system`` the items are the systems.
    """
    from quorate.formats import read

    file = File(source)
    if (
        not file.folder
        and file.head.strip()
        and not (sniff_aesop(file) or sniff_rouge(file))
        and file.extension in ("csv", "tsv", "tab", "")
    ):
        bare = {n.lower() for n in heads(file)}
        if "judge" not in bare and "score" not in bare and bare & {"system", "item"}:
            return _read_table(file, options)
    panel = read(source, **options)
    if not isinstance(panel, Scores):
        raise InputError(f"{file.name} holds {panel.kind}, not scores of metrics.", "metrics are numbers of systems.")
    return panel


def _read_table(file: File, options: dict[str, Any]) -> Scores:
    encoding = options.pop("encoding", None) or "utf-8"
    rename = dict(options.pop("rename", None) or {})
    lines, rows = zip(*table(file, encoding), strict=True)
    names = understood(file.name, rows[0], rename)
    names = ["task" if n.lower() in TASK_WORDS and "task" not in names else n for n in names]
    columns = dict(zip(names, zip(*rows[1:], strict=True), strict=True)) if rows[1:] else {}
    if not columns:
        raise empty(file.name, "no rows below the column names")
    if tuple(rows[0]) == _BY_TOKEN:
        return _by_token(Source(file.name, np.array(lines[1:], np.int64)), columns)
    metrics = [
        n for n in names if n not in KNOWN and all(v.strip().lower() in ("", "nan") or is_number(v) for v in columns[n])
    ]
    if not metrics:
        raise InputError(f"{file.name}: no column of numbers.", f"columns found: {', '.join(names)}.")
    part = Part(file.name, {}, np.array(lines[1:], np.int64))
    raw: dict[str, Any] = {
        n: encode(c) for n, c in columns.items() if n not in metrics and n in ("task", "system", "item")
    }
    raw |= {
        m: numbers(["" if v.strip().lower() == "nan" else v for v in columns[m]], m, part.source, blank_allowed=True)
        for m in metrics
    }
    aside = [n for n in names if n not in metrics and n not in raw]
    notes = [f"{file.name}: columns that are no metrics are left aside: {', '.join(aside)}"] if aside else []
    panel = assemble("scores", [_melt(Part(file.name, raw, part.lines, notes), metrics)])
    return cast(Scores, panel)


def _by_token(source: Source, columns: dict[str, Any]) -> Scores:
    """R, P and F of each ROUGE over the whole corpus; the counts that they are made of are no metrics."""
    size = len(columns["system"])
    raw = {n: encode([v for v in columns["system"] for _ in "RPF"]) for n in ("item", "system")}
    raw["judge"] = encode([f"{rouge}_{letter}" for rouge in columns["rouge"] for letter in "RPF"])
    each = [numbers(columns[letter], letter, source) for letter in "RPF"]
    scores = [column[k] for k in range(size) for column in each]
    notes = [f"{source.name}: counted by token, so that there is one score a system; the counts are left aside"]
    return cast(Scores, assemble("scores", [Part(source.name, {**raw, "score": np.array(scores)}, None, notes)]))


AESOP = Format(
    "aesop",
    ("aesop",),
    "AESOP table: summariser, topic, and a number per metric",
    ("scores",),
    read_aesop,
    write_aesop,
    sniff_aesop,
    "metrics",
    (PREFIX, ENCODING),
)
ROUGE = Format(
    "rouge",
    ("rouge",),
    "output of ROUGE-1.5.5: lines Eval and Average",
    ("scores",),
    read_rouge,
    write_rouge,
    sniff_rouge,
    "metrics",
    (MEASURE, ENCODING),
)
