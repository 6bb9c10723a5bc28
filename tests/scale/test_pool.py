"""Workers are begun as there is work for them, each for one core."""

from __future__ import annotations

import os

import pytest

from quorate.scale.pool import ALONE, Job, Processes, _worth


@pytest.mark.parametrize(
    ("took", "left", "worth"),
    [((), 100, False), ((0.9,), 100, False), ((1.5,), 3, True), ((0.9, 0.1), 20, False), ((0.9, 0.1), 40, True)],
)
def test_others_are_begun_where_enough_work_is_left(took, left, worth):
    assert _worth(took, left) is worth


def test_every_worker_uses_one_core(monkeypatch):
    for name in ALONE:
        monkeypatch.delenv(name, raising=False)
    pool = Processes(2)
    pool._every = True
    try:
        asked = [Job(os.getenv, (name,), name) for name in ALONE] * 2
        found = sorted((number, how, value) for number, how, value in pool.each(asked))
    finally:
        pool.stop()
    assert found == [(k, "done", value) for k, value in enumerate([*ALONE.values()] * 2)]
    assert not ALONE.keys() & os.environ.keys()
