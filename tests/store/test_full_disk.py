"""A disk that is full: what was acknowledged stays, the rest is refused and can be sent again with the same id."""

from __future__ import annotations

import os

import pytest
from sqlalchemy import select

from quorate.store import events, rows
from quorate.store.database import Unavailable
from quorate.store.ids import canonical, uuid7
from quorate.store.schema import event
from tests.disk import Disk, small_disk
from tests.workbench import Study, complete, opened


@pytest.fixture(params=["a disk of its own", "files that may not grow"])
def disk(request, tmp_path):
    if request.param != "a disk of its own":
        yield Disk(tmp_path, real=False)
        return
    with small_disk(2) as made:
        if not made.real:
            pytest.skip("tests may not mount a disk here: the other way is tried")
        yield made


def test_no_acknowledged_save_is_lost_on_a_full_disk(disk):
    with opened(str(disk.folder / "studies.db")) as database:
        study = Study(database, items=12)
        judge = study.judge("ann")
        one = study.next(judge)["id"]
        state = complete(study.view(one, judge))
        told: dict[str, int] = {}
        base, refused = 0, uuid7()
        with disk.full(os.getpid()):
            for _ in range(5000):
                try:
                    base = study.save(one, judge, state, base, refused)["seq"]
                except Unavailable:
                    break
                told[refused], refused = base, uuid7()
            else:
                raise AssertionError("the disk was never full")
            with pytest.raises(Unavailable):
                study.save(one, judge, state, base, refused)
            head = study.view(one, judge)["head"]  # reading goes on
            assert (head["seq"] if head else 0) == base
        told[refused] = study.save(one, judge, state, base, refused)["seq"]  # there is room again
    with opened(str(disk.folder / "studies.db")) as database, database.read() as connection:
        log = rows.every(connection, select(event).where(event.c.assignment_id == one).order_by(event.c.seq))
    assert events.broken(log) == []
    assert {e["op"]: e["seq"] for e in log} == told
    assert {e["state"] for e in log} == {canonical(state)}
