"""Why a question about a scan needs all rows at once, in words: before any work begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from quorate import table
from quorate.inference.engine import budget_of
from quorate.inference.judge_groups import JUDGES
from quorate.inference.results import Options
from quorate.inference.samples import TASKS
from quorate.kernels.additive import DENSE
from quorate.panel.base import is_scan, listed
from quorate.panel.coefficient import additive
from quorate.panel.judge_cells import by_judge
from quorate.scale.moments import too_many_for_tables
from quorate.scale.outputs import by_unit
from quorate.scale.tallies import answerable
from quorate.table import Method

if TYPE_CHECKING:
    from quorate.scale.files import Scan

NO_TASKS = "a table without a column 'task' is read at once"
OF_JUDGES = ("auto", "scale_low", "scale_high")  # columns that judges of scores need with all rows
LEAST_DRAWN = 180  # numbers of a score that a draw of its variance components looks at, at the least


def needs_memory(scan: Scan, question: str, methods: Sequence[Method], options: Options, beside: Sequence[Any]) -> str:
    """Why a question needs all rows at once; empty where it does not."""
    if scan.unscannable:
        return scan.unscannable
    if not beside and scan.in_blocks(question, methods, options):
        return ""
    if scan.one_task:
        return _not_counted(scan, question, methods, NO_TASKS)
    if question == "trust" and scan.kind != "votes":
        return _not_trusted(scan, methods, options, beside)
    if scan.kind == "scores" and question == "judges":
        if special := next((c for c in OF_JUDGES if scan.source.column(c) is not None), None):
            return f"a column '{special}' needs all rows at once"
        if len(scan.survey.judges) > DENSE:
            return f"more than {DENSE:,} judges of scores need all rows at once"
    if scan.kind == "scores" and (why := _not_sums(question, methods)):
        return why
    if scan.kind == "votes" and (why := _not_packed(scan, question, methods)):
        return why
    if options.over not in (None, "tasks"):
        return f"over={options.over} draws from all rows at once"
    if len(scan.survey.tasks) <= TASKS:
        few = f"{len(scan.survey.tasks):,} tasks are few, and chance needs all their rows at once"
        return _not_counted(scan, question, methods, few)
    for other in beside:
        if not is_scan(other):
            return "what is held against lists in memory needs all rows at once"
        if other.unscannable:
            return f"of the systems' lists, {other.unscannable}"
        if len(set(other.survey.tasks) & set(scan.survey.tasks)) <= TASKS:
            return "systems' lists are on few tasks, and chance needs all their rows at once"
    return ""


def _not_trusted(scan: Scan, methods: Sequence[Method], options: Options, beside: Sequence[Any]) -> str:
    """Why trust needs all rows at once: of scores, where figures are not made of sums over judges and systems."""
    if scan.kind != "scores" or beside:
        return "trust needs all rows at once"
    if odd := [str(m) for m in methods if not m.declaration.properties.get("moments")]:
        return _cannot(odd)
    if options.over not in (None, "judges"):
        return f"over={options.over} draws from all rows at once"
    names = {m.name for m in methods}
    if (
        "variance_components" in names
        and options.resamples
        and budget_of(options).affords(LEAST_DRAWN * scan.number_of_rows)
    ):
        return (
            f"{scan.number_of_rows:,} scores are few, and intervals of variance_components draw from all rows at once"
        )
    if len(scan.survey.tasks) <= TASKS:
        return f"{len(scan.survey.tasks):,} tasks are few, and are looked at all at once"
    return too_many_for_tables(scan)


def _not_counted(scan: Scan, question: str, methods: Sequence[Method], why: str) -> str:
    """Why few tasks are needed at once; where they may have very many judges, what could be counted in blocks."""
    kinds, questions = ("orderings", "groupings"), ("consensus", "agreement")
    if scan.told_kind not in kinds or scan.number_of_rows <= JUDGES or question not in questions:
        return why
    odd = [str(m) for m in methods if not answerable(m)]
    if not odd:
        return why
    known = [m.name for m in table.methods(scan.told_kind, question) if additive(m) is not None]
    others = "" if question == "consensus" else ", and methods that compare two judges are of some drawn at random"
    ways = f"of more than {JUDGES:,} judges of a task {listed(known, 10)} are counted in blocks{others}"
    return f"{listed(odd)} {'needs' if len(odd) == 1 else 'need'} all rows of few tasks at once ({ways})"


def _not_packed(scan: Scan, question: str, methods: Sequence[Method]) -> str:
    """Why votes are needed with all that is told of them, not only who chose which of two."""
    names = scan.source.meaning.names
    pairs = [n for n in names if n.endswith("_a") and f"{n[:-2]}_b" in names and n != "model_a"]
    if question == "trust" and pairs:
        return f"columns '{pairs[0]}' and '{pairs[0][:-2]}_b', which may decide votes, need all rows at once"
    odd = [m for m in methods if not m.declaration.properties.get("packed", lambda method: False)(m)]
    if odd:
        return _cannot([str(m) for m in odd])
    own = {str(j) for j in scan.survey.judges} & {str(s) for s in scan.survey.systems}
    return f"{min(own)} votes on a system of its own name, which needs all rows at once" if own else ""


def _cannot(methods: Sequence[str]) -> str:
    return f"{', '.join(methods)} {'needs' if len(methods) == 1 else 'need'} all rows at once" if methods else ""


def _not_sums(question: str, methods: Sequence[Method]) -> str:
    """Why scores are needed all at once: a question or method whose figures are not made of sums over tasks."""
    if question in ("quality", "consensus"):
        odd = [str(m) for m in methods if by_unit(m) is None]
        return _cannot(odd)
    if question == "judges":
        odd = [str(m) for m in methods if by_judge(m) is None and "prepared_from" not in m.declaration.properties]
    elif question == "agreement":
        odd = [str(m) for m in methods if additive(m) is None]
    else:
        return f"{question} of scores needs all rows at once"
    return _cannot(odd)
