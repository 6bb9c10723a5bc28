"""The test year stays shut until the choice is written down: a file with a hash, never changed afterwards.

>>> import tempfile
>>> path = Path(tempfile.mkdtemp(), "choice.json")
>>> test = Sealed(lambda: "the third year")
>>> try:
...     test.open(path)
... except InputError as error:
...     print(error.fact)
the test year is shut: no choice is written down.
>>> _ = write(path, {"features": ["rouge_2"]})
>>> test.open(path)
'the third year'
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from quorate.errors import InputError

T = TypeVar("T")
HASH = "sha256"


def digest(body: Mapping[str, Any]) -> str:
    """The hash of a body without its own hash: the same for the same content, whatever the order of its keys."""
    plain = {k: v for k, v in body.items() if k != HASH}
    text = json.dumps(plain, sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def ready(path: str | Path) -> Path:
    """The path, if a file can be written there; asked before a long search as well."""
    target = Path(path)
    if not target.parent.is_dir():
        raise InputError(f"{target}: no such folder.", "make the folder first, or mend the path.")
    return target


def write(path: str | Path, body: Mapping[str, Any]) -> str:
    """Write a body with its hash; another one that is there already is not written over. Returns the hash."""
    made = {**body, HASH: digest(body)}
    target = ready(path)
    if target.exists():
        if read(target)[HASH] != made[HASH]:
            raise InputError(f"{target.name}: another choice is written down there.", "take another name.")
        return str(made[HASH])
    text = json.dumps(made, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    with target.open("x", encoding="utf-8") as stream:
        stream.write(text)
    return str(made[HASH])


def read(path: str | Path) -> dict[str, Any]:
    """A body from its file, checked against its hash."""
    target = Path(path)
    try:
        body = json.loads(target.read_text(encoding="utf-8"), parse_constant=_refused)
    except FileNotFoundError:
        raise InputError(f"{target.name}: no such file.", "write the choice down first.") from None
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict) or HASH not in body:
        raise InputError(f"{target.name}: not a file with a hash.", "quorate metric train writes such files.")
    if digest(body) != body[HASH]:
        raise InputError(f"{target.name}: changed since it was written: the hash does not fit.", "train again.")
    return body


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is in no file that was written here")  # NaN has no hash


@dataclass
class Sealed(Generic[T]):
    """What may be read only after a choice is written down."""

    load: Callable[[], T]
    opened: str | None = field(default=None, init=False)  # by which choice

    def open(self, choice: str | Path) -> T:
        """Read it, if the choice is there and unchanged."""
        if not Path(choice).exists():
            raise InputError("the test year is shut: no choice is written down.", "train and write the choice first.")
        self.opened = str(read(choice)[HASH])
        return self.load()
