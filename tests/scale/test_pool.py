"""Workers are begun as there is work for them, each for one core."""

from __future__ import annotations

import os
from concurrent.futures import Future

import pytest

from quorate.scale.pool import ALONE, KEYS, Job, Processes, _worth


@pytest.mark.parametrize(
    ("took", "left", "worth"),
    [
        ((), 100, False),
        (((0.9, 1.0),), 100, False),
        (((1.5, 1.5),), 3, True),
        (((0.9, 1.0), (0.1, 0.2)), 20, False),
        (((0.9, 1.0), (0.1, 0.2)), 40, True),
        (((0.1, 2.0), (0.1, 3.0)), 20, True),  # most of it is waiting
    ],
)
def test_others_are_begun_where_enough_work_is_left(took, left, worth):
    assert _worth(took, left) is worth


class Submitted:
    """A pool that works jobs off as they are submitted, and may begin a worker with each."""

    def __init__(self) -> None:
        self.inherited: list[dict[str, str | None]] = []

    def submit(self, function, *given):
        self.inherited.append({name: os.environ.get(name) for name in ALONE})
        done: Future = Future()
        done.set_result(function(*given))
        return done


def test_whenever_a_worker_may_be_begun_it_is_told_to_use_one_core(monkeypatch):
    for name in ALONE:
        monkeypatch.delenv(name, raising=False)
    pool, submitted = Processes(2), Submitted()
    pool._keys = {name: value for name, value in os.environ.items() if name.startswith(KEYS)}
    pool._pool = submitted  # type: ignore[assignment]
    found = sorted(pool.each([Job(abs, (-k,), "") for k in range(5)]))
    assert found == [(k, "done", k) for k in range(5)]
    assert submitted.inherited == [ALONE] * 5
    assert not ALONE.keys() & os.environ.keys()
