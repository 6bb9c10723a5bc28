"""The charts' JavaScript is bundled once and kept; a page is the same with what was kept and without."""

from __future__ import annotations

import pytest

from quorate.document import library as room

vl_convert = pytest.importorskip("vl_convert")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "quorate"


def bundled(monkeypatch):
    """How often it is bundled, by a stand-in that takes no time."""
    calls = []
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda **given: calls.append(given) or "let x = 1;")
    return calls


def test_it_is_bundled_once_and_kept(folder, monkeypatch):
    calls = bundled(monkeypatch)
    first = room.library.__wrapped__()
    assert room.library.__wrapped__() == first
    assert len(calls) == 1
    (file,) = folder.iterdir()
    assert vl_convert.__version__ in file.name


@pytest.mark.parametrize("spoiled", [b"", b"abc", b"\xff\xfe", b"0\nlet x = 2;"])
def test_what_was_spoiled_is_made_again(folder, monkeypatch, spoiled):
    calls = bundled(monkeypatch)
    first = room.library.__wrapped__()
    (file,) = folder.iterdir()
    file.write_bytes(spoiled)
    assert room.library.__wrapped__() == first
    assert len(calls) == 2


def test_without_a_place_to_keep_it_every_page_is_made(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    calls = bundled(monkeypatch)
    assert room.library.__wrapped__() == room.library.__wrapped__()
    assert len(calls) == 2
