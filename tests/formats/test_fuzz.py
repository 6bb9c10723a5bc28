"""The short form of `make fuzz`, and that every format has a file to be changed."""

from __future__ import annotations

from quorate.formats import FORMATS
from tests.fuzz.__main__ import rounds, tried
from tests.fuzz.seeds import seeds


def test_whole_files_are_read(tmp_path):
    for name, content in seeds().items():
        path = tmp_path / name
        path.write_bytes(content)
        assert tried(path) == "read", name


def test_every_format_has_a_file():
    names = " ".join(seeds())
    unwritten = {"xlsx", "ducview", "aesop", "rouge", "tac", "qrels"}  # read only, or of panels of their own
    assert {f.name for f in FORMATS if f.name not in names} <= unwritten


def test_changed_files_are_read_or_refused():
    told = rounds(seed=1, seconds=20, most=400)
    assert told["read"]
    assert told["refused"]
