"""What a format cannot hold is refused before anything is written, with the name of a format that can."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from datetime import date
from numbers import Real
from typing import Any

from quorate.errors import InputError
from quorate.panel.columns import Coded
from quorate.panel.kinds import ONE_TASK, Panel

ALL_HOLD = "csv, tsv, jsonl and parquet hold it."


def refuse(
    panel: Panel,
    format: str,
    *,
    kinds: tuple[str, ...] = (),
    counts: bool = False,
    occasions: bool = False,
    labels: bool = False,
    tasks: bool = False,
) -> None:
    """An error if the panel has what the format cannot hold; True marks what it cannot."""
    if kinds and panel.kind not in kinds:
        raise InputError(f"{format} holds {' and '.join(kinds)}, not {panel.kind}.", ALL_HOLD)
    lost = []
    if counts and (panel.count != 1).any():
        lost.append("counts")
    if occasions and panel.occasion.ids != (1,):
        lost.append("occasions")
    if labels and panel.labels:
        lost.append(f"labels ({', '.join(panel.labels)})")
    if lost:
        raise InputError(f"{format} cannot hold {', '.join(lost)}.", ALL_HOLD)
    if tasks and len(panel.tasks) > 1:
        raise InputError(
            f"{format} holds one task, the panel has {len(panel.tasks)}.",
            "write each task to a file of its own: write(panel.select(tasks=[...]), ...), or {task} in the name that "
            "`quorate convert` writes to.",
        )


def annotation_rows(panel: Panel, format: str) -> Iterator[tuple[Any, Any, Any, Any, Any, Any]]:
    """Item, system, judge, occasion, criterion and value of every row, for formats of annotated items."""
    lost = [*sorted(set(panel.labels) - {"criterion", "system"}), *(["tasks"] if panel.tasks != (ONE_TASK,) else [])]
    if lost:
        raise InputError(f"{format} cannot hold {', '.join(lost)}.", ALL_HOLD)
    columns, size = panel.columns(), len(panel)
    blank = {"system": [None] * size, "occasion": [1] * size, "criterion": ["score"] * size}
    names = ("item", "system", "judge", "occasion", "criterion", panel.value_name)
    return zip(*(columns.get(n, blank.get(n)) for n in names), strict=True)


def as_text(
    column: Coded, what: str, format: str, bad: Callable[[str], str | None] = lambda _: None, blank: bool = False
) -> list[str]:
    """The ids as texts, all different; ``bad`` says what is wrong with one, ``blank`` allows None."""
    texts = []
    for given in column.ids:
        text = "" if blank and given is None else _plain(given, what, format)
        why = bad(text)
        if why is None and not _encodes(text):
            why = "it has half a character (a lone surrogate)"
        if why is not None:
            raise InputError(f"{format} cannot hold the {what} {given!r}: {why}.", ALL_HOLD)
        texts.append(text)
    if len(set(texts)) < len(texts):
        seen: dict[str, Hashable] = {}
        for text, given in zip(texts, column.ids, strict=True):
            if text in seen:
                raise InputError(
                    f"{format} would write two {what}s alike: {seen[text]!r} and {given!r}.", "jsonl tells 1 from '1'."
                )
            seen[text] = given
    return texts


def one_word(text: str) -> str | None:
    """What is wrong with a text as a field between blanks."""
    return None if text.split() == [text] and not text.startswith("\ufeff") else "fields are told apart by blanks"


def one_line(text: str) -> str | None:
    """What is wrong with a text as a part of a line."""
    if text != text.strip():
        return "it has blanks around it"
    return "it has a line break" if "\n" in text or "\r" in text else None


def _plain(given: Hashable, what: str, format: str) -> str:
    if not isinstance(given, str | Real | date):
        raise InputError(
            f"{format} cannot hold the {what} {given!r}, a {type(given).__name__}.", "use texts or numbers as ids."
        )
    return str(given)


def _encodes(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
