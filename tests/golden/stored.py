"""The golden files: one a panel, a row of figures a line, so that their differences can be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "outputs"

Golden = dict[str, Any]  # kind and shape of the panel; per question figures, spread of what is drawn, and words


def path(name: str) -> Path:
    """Where a panel's golden outputs are."""
    return FOLDER / f"{name}.json"


def load(name: str) -> Golden | None:
    """A panel's golden outputs; None where there are none."""
    file = path(name)
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def save(name: str, golden: Golden) -> None:
    """Write a panel's golden outputs."""
    FOLDER.mkdir(exist_ok=True)
    path(name).write_text(text(golden), encoding="utf-8", newline="\n")


def text(golden: Golden) -> str:
    """JSON with a row, or a line of words, on each line."""
    return _laid_out(golden, 4) + "\n"


def _laid_out(value: Any, depth: int) -> str:
    """JSON whose outer levels have a line for each member."""
    if depth and isinstance(value, dict) and value:
        inside = (f"{json.dumps(k, ensure_ascii=False)}: {_laid_out(v, depth - 1)}" for k, v in value.items())
        return "{\n" + ",\n".join(inside) + "\n}"
    if depth and isinstance(value, list) and value:
        return "[\n" + ",\n".join(_laid_out(v, 0) for v in value) + "\n]"
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=str)
