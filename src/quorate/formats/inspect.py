"""What was read as what: the receipt of a panel, before any figure."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from quorate.formats import read
from quorate.panel.kinds import Panel


@dataclass(frozen=True)
class Receipt:
    """What a file or frame was read as; ``print`` it, or take :meth:`to_dict`."""

    panel: Panel

    def to_dict(self) -> dict[str, Any]:
        """The receipt as plain values."""
        panel, reading = self.panel, self.panel.reading
        return {
            "files": list(reading.files),
            "format": reading.format,
            "why": reading.why,
            "kind": panel.kind,
            "judges": len(panel.judges),
            "items": len(panel.items),
            "tasks": len(panel.tasks),
            "systems": _distinct(panel, "system"),
            "criteria": _distinct(panel, "criterion"),
            "votes": int(panel.count.sum()) if panel.kind == "votes" else 0,
            "rows": len(panel),
            "columns": [{"name": c.name, "role": c.role} for c in reading.columns],
            "guesses": [{"said": g.said, "option": g.option} for g in reading.guesses],
            "notes": list(panel.notes),
        }

    def to_json(self) -> str:
        """The receipt as JSON."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False)

    def __str__(self) -> str:
        panel, reading = self.panel, self.panel.reading
        lines = [f"{', '.join(reading.files)}: {reading.format}, {reading.why}", f"{panel.kind}: {panel.inside()}"]
        if reading.columns:
            lines += ["", *(f"  {c.name} -> {c.role or 'left aside'}" for c in reading.columns)]
        lines += [f"Guessed: {g.said} ({g.option})." for g in reading.guesses]
        return "\n".join([*lines, *(f"Note: {n}." for n in panel.notes)])


def _distinct(panel: Panel, label: str) -> int:
    """How many systems or criteria there are; of votes both sides are systems."""
    if label == "system" and hasattr(panel, "systems"):
        return len(panel.systems)
    return len([i for i in panel.labels[label].ids if i is not None]) if label in panel.labels else 0


def inspect(source: Any, *more: Any, **options: Any) -> Receipt:
    """What a file, a folder or a data frame is read as; options as for ``read``.

    >>> import pandas as pd
    >>> print(inspect(pd.DataFrame({"judge": ["ann", "bob"], "item": ["x", "x"], "score": [3, 4]})))
    data frame: frame, by its type
    scores: 2 judges, 1 item, 1 task
    """
    return Receipt(read(source, *more, **options))
