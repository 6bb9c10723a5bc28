"""Whole files of every format, small and made up: what the fuzzer changes."""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path

import quorate as q
from quorate.errors import InputError
from quorate.formats import FORMATS
from tests.formats.made_after_sources import EXPORTS
from tests.formats.test_guesses import FORMS

PANELS = (
    q.Orderings.from_orders({"t": {"ann": "a > b = c", "bob": "c > a"}, "u": {"ann": "abc", "bob": "bca"}}),
    q.Orderings.from_orders({"1": "abc", "2": "bca", "3": "cab"}),
    q.Groupings.from_groups({"ann": {"x": 1, "y": 1, "z": None}, "bob": {"x": "p", "y": "q", "z": "q"}}),
    q.Scores.from_matrix([[1, 2.5, 3], [2, float("nan"), 5]], items=["x", "y", "é"], judges=["ann", "bob"]),
    q.Scores.from_labels({"ann": {"x": "yes", "y": "no"}, "bob": {"x": "yes", "y": None}}),
    q.Votes.from_votes([("t", "ann", "x", "y", "x"), ("t", "bob", "y", "x", "tie")]),
)


def seeds() -> dict[str, bytes]:
    """Files by name; the extension is that of the format, and an export in a folder is a zip archive."""
    out = {f"table-{name}": text.encode() for name, (text, *_) in FORMS.items()}
    out["TOP20_top-lists_EN.dat"] = b"d1 d2 d3\nd2 d1 d4\n"
    for name, export in EXPORTS.items():
        stem = name.replace("/", "-")
        if export.options:  # which are not typed here
            continue
        if len(export.files) == 1 and "/" not in next(iter(export.files)):
            [(file, text)] = export.files.items()
            out[f"{stem}-{file}"] = text.encode()
        else:
            out[f"{stem}.zip"] = _zipped(export.files)
    with tempfile.TemporaryDirectory() as folder:
        for format in FORMATS:
            for k, panel in enumerate(PANELS):
                for extension in format.extensions or ("txt",):
                    path = Path(folder) / f"{format.name}-{k}.{extension}"
                    try:
                        q.write(panel, path, format=format.name)
                    except (InputError, q.MissingExtra):
                        continue
                    out[path.name] = path.read_bytes()
    return out


def _zipped(files: dict[str, str]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as packed:
        for name, text in files.items():
            packed.writestr(zipfile.ZipInfo(name), text)
    return held.getvalue()
