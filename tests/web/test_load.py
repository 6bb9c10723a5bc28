"""The short form of ``make load``: what is acknowledged stays, once, whatever is killed."""

from __future__ import annotations

import pytest

from tests.load import run


@pytest.mark.parametrize("backend", ["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def test_no_acknowledged_save_is_lost_or_doubled(backend):
    found = run(backend, 12, 5)
    assert found["wrong"] == []
    assert found["acknowledged"] == found["saves sent"] >= 12
    assert set(found["answers"]) <= {200, 503}
    assert found["hung up"] > 0
    assert len(found["trouble"]) == (3 if backend == "sqlite" else 4)
