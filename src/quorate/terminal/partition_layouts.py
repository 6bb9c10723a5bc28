"""Tables for consensus partitions, for what measures can be trusted, for advice to systems and for checked sheets."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from quorate.inference.results import Answer, Finding, clean
from quorate.terminal.page import USUAL, page_text
from quorate.terminal.text import TASKS, between, figure, plain_table

if TYPE_CHECKING:
    from quorate.groupings.guidelines import Check
    from quorate.groupings.moves import Advice, Move
    from quorate.groupings.sentence_sets import SentenceSet


ITEMS = 40  # of a group shown; JSON and CSV have all


def consensus(answer: Answer, width: int) -> Iterator[Any]:
    """Of one task a row per group; of many a row per task."""
    for number, f in enumerate(answer.findings):
        if number:
            yield ""
        yield from _groups(f) if answer.tasks == 1 else _tasks(f)


def _groups(f: Finding) -> Iterator[Any]:
    groups, left, d = f.values[0], f.keys["left_out"][0], f.details
    several = [k for k, g in enumerate(groups) if len(g) > 1]
    alone = [g[0] for g in groups if len(g) == 1]
    order = d["importance"][0] if "importance" in d else None
    cut = f", the first {TASKS} of {len(several)} groups" if len(several) > TASKS else ""
    yield Text(f"{f.method}{_proof(d)}{cut}", style="bold")
    table = plain_table()
    for name in ("group", *(["importance"] if order else []), "items", "support", "stays"):
        table.add_column(name, justify="right")
    table.add_column("which", overflow="fold")
    for k in several[:TASKS]:
        told = d["group_support"][0][k]
        rank = [_place(order[k])] if order else []
        cells = [str(k + 1), *rank, str(len(groups[k])), _share(told["support"]), _share(told["stays"])]
        table.add_row(*cells, _listed(groups[k], ITEMS))
    if several:
        yield table
    for name, items in (("Alone", alone), ("Left out", left)):
        if items:
            yield Text(f"{name}: {_listed(items, 20)}")
    for name in ("undecided", "chains"):
        found = d[name][0] if name in d else []
        if found:
            said = [" and ".join(map(str, x)) if isinstance(x, list) else str(x) for x in found]
            yield Text(f"{name.capitalize()}: {_listed(said, 10)}")


def _proof(d: Any) -> str:
    if "optimal" not in d:
        return ""
    return ", proven best" if d["optimal"][0] else ", the best found"


def _place(value: Any) -> str:
    return "-" if value is None or math.isnan(value) else f"{value:g}"


def _share(value: Any) -> str:
    return "-" if value is None or math.isnan(value) else f"{value:.0%}"


def _listed(items: Sequence[Any], most: int) -> str:
    shown = ", ".join(map(str, items[:most]))
    return shown + (f" and {len(items) - most} more" if len(items) > most else "")


def _tasks(f: Finding) -> Iterator[Any]:
    cut = f" (first {TASKS} of {len(f.values):,} tasks)" if len(f.values) > TASKS else ""
    yield Text(f"{f.method}{cut}", style="bold")
    table = plain_table()
    table.add_column("task", overflow="fold")
    for name in ("groups", "alone", "left out", "agreement", "stays"):
        table.add_column(name, justify="right")
    if "optimal" in f.details:
        table.add_column("proven")
    for k, groups in list(enumerate(f.values))[:TASKS]:
        alone = sum(len(g) == 1 for g in groups)
        kept = [v["stays"] for v in f.details["items"][k].values() if v["stays"] is not None]
        cells = [str(len(groups) - alone), str(alone), str(len(f.keys["left_out"][k]))]
        cells += [_share(f.details["agreement"][k]), _share(sum(kept) / len(kept) if kept else None)]
        if "optimal" in f.details:
            cells.append("yes" if f.details["optimal"][k] else "no")
        table.add_row(str(f.keys["task"][k]), *cells)
    yield table


def trust(answer: Answer, width: int) -> Iterator[Any]:
    """Of sensitivity a row per measure, of stability a row for what was drawn anew."""
    for number, f in enumerate(answer.findings):
        if number:
            yield ""
        yield Text(str(f.method), style="bold")
        if f.method.name == "sensitivity":
            yield Text("Shares of a measure's range: what merging and splitting cost, how much more")
            yield Text("merging does; what the middle 80% of the way and all of it cover.")
            yield _measures(f)
        else:
            yield _steady(f)


def _measures(f: Finding) -> Table:
    table = plain_table()
    table.add_column("measure", overflow="fold")
    for name in ("merge", "split", "more", "interval", "middle", "range"):
        table.add_column(name, justify="right")
    for o in f.overall:
        losses = [f"{max(o.labels[n], 0.0):.0%}" for n in ("merge_loss", "split_loss")]
        used = [f"{o.labels[n]:.0%}" for n in ("middle", "range_used")]
        ends = f"{o.interval.low:+.0%} to {o.interval.high:+.0%}" if o.interval else "-"
        table.add_row(o.labels["measure"], *losses, f"{o.value:+.0%}", ends, *used)
    return table


def _steady(f: Finding) -> Table:
    table = plain_table()
    for name in ("drawn anew", "agreement", "interval", "tau of judges", "same lowest"):
        table.add_column(name, justify="right" if name != "drawn anew" else "left")
    for o in f.overall:
        tau, same = figure(o.labels["judge_order_tau"]), f"{o.labels['same_lowest']:.0%}"
        table.add_row(o.labels["by"], figure(o.value), between(o.interval), tau, same)
    return table


LAYOUTS: dict[str, Callable[[Answer, int], Iterator[Any]]] = {
    "groupings x consensus": consensus,
    "groupings x trust": trust,
}


# -- what is not an answer to a question ------------------------------------------------------------------------------


def advice_text(found: Sequence[Advice], output: str, most: int, width: int = USUAL) -> str:
    """What to move in a system's clusterings, in the format asked for."""
    if output == "json":
        told = [clean(a.to_dict()) for a in found]
        return json.dumps({"explanations": told}, ensure_ascii=False, indent=1, default=str) + "\n"
    if output == "csv":
        return _advice_csv(found)
    pieces = (piece for k, a in enumerate(found) for piece in (*([""] if k else []), *_advice(a, most)))
    return page_text(pieces, width)


def _advice(a: Advice, most: int) -> Iterator[Any]:
    head = f"{a.task}: {a.system} and a judge agree on {a.agreement:.0%} of the pairs of items"
    if not a.moves:
        yield f"{head}; no move brings it nearer to most judges."
        return
    many = "1 move makes" if len(a.moves) == 1 else f"{len(a.moves)} moves make"
    yield f"{head}; {many} it {a.after:.0%}."
    table = plain_table()
    table.add_column("item", overflow="fold")
    table.add_column("what to do", overflow="fold")
    for name in ("judges", "now"):
        table.add_column(name, justify="right")
    for m in a.moves[:most]:
        table.add_row(str(m.item), _todo(m), _share(m.support), _share(m.now))
    yield table
    if len(a.moves) > most:
        yield f"... and {len(a.moves) - most} more moves (--most)."


def _todo(m: Move) -> str:
    if m.do == "leave out":
        return "leave it out"
    where = f"with {_listed(m.to, 4)}" if m.to else "in a group of its own"
    return f"{'take it in' if m.do == 'take in' else 'put it'} {where}"


def _advice_csv(found: Sequence[Advice]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["task", "system", "item", "do", "with", "support", "now", "votes"])
    for a in found:
        for m in a.moves:
            cells = [None if math.isnan(x) else x for x in (m.support, m.now)]
            writer.writerow([a.task, a.system, m.item, m.do, " ".join(map(str, m.to)), *cells, m.votes])
    return out.getvalue()


def check_text(found: Check, output: str, width: int = USUAL) -> str:
    """The outcome of a check, in the format asked for."""
    if output != "text":
        return found.to_json() + "\n" if output == "json" else found.to_csv()
    table = plain_table()
    for name in ("task", "judge", "mistake"):
        table.add_column(name, overflow="fold")
    for b in found.breaches:
        table.add_row(str(b.task), str(b.judge), b.message)
    return page_text([*found.sentences, *(["", table] if found.breaches else [])], width)


def set_text(found: SentenceSet, width: int = USUAL) -> str:
    """What is in a sentence set, and why."""
    taken = sum(c.taken for c in found.choices)
    head = f"{len(found.sentences)} sentences from {taken} of {len(found.choices)} documents."
    table = plain_table()
    for name in ("document", "date", "sentences", "taken", "because"):
        table.add_column(name, overflow="fold", justify="right" if name == "sentences" else "left")
    for c in found.choices:
        table.add_row(c.document, str(c.date or "-"), str(c.sentences), "yes" if c.taken else "no", c.reason)
    notes = [f"Note: {note}." for note in found.notes]
    return page_text([head, "", table, *([""] if notes else []), *notes], width)
