"""JSON as the standard library writes it, byte for byte, in one piece or in many."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.inference import json_text
from quorate.inference.json_text import json_pieces

PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
DATA = st.recursive(PLAIN, lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner))


def usual(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1, default=str, allow_nan=False)


@given(DATA)
def test_it_is_the_text_of_the_standard_library(data):
    assert json_text.json_text(data) == usual(data)


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 7])
def test_rows_made_as_they_are_written_are_those_of_a_list(rows, monkeypatch):
    monkeypatch.setattr(json_text, "ROWS", 3)
    made = [{"task": k, "details": {"of": [k, None]}} for k in range(rows)]
    data = {"kind": "scores", "results": made, "overall": [], "notes": ["one\ntwo"]}
    asked = {**data, "results": iter(made), "overall": iter(())}
    assert "".join(json_pieces(asked)) == usual(data)
    assert "".join(json_pieces({})) == usual({})


def test_what_is_no_plain_data_is_written_as_before():
    data = {"on": date(2024, 5, 31), None: (1, True), 2.5: {"a": [date(2024, 6, 1)]}}
    assert json_text.json_text(data) == usual(data)
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text.json_text([float("nan")])
