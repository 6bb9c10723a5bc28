"""Saving: compare-and-set, replay, branches, the chain; on SQLite and on PostgreSQL."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import func, insert, select, update
from sqlalchemy.exc import IntegrityError

from quorate.store import events, judges, rows
from quorate.store.ids import canonical, uuid7
from quorate.store.schema import assignment, event, head, submission
from quorate.store.work import Refused
from tests.workbench import Study, complete


@pytest.fixture
def begun(database):
    study = Study(database)
    judge = study.judge("bob")
    one = study.next(judge)
    return study, judge, one["id"], complete(study.view(one["id"], judge))


def chain(database, one):
    with database.read() as connection:
        return rows.every(connection, select(event).where(event.c.assignment_id == one).order_by(event.c.seq))


def test_a_save_builds_on_the_one_before(begun):
    study, judge, one, state = begun
    assert study.save(one, judge, state) == {"status": 200, "seq": 1, "replayed": False}
    assert study.save(one, judge, {**state, "cannot_place": []}, base=1)["seq"] == 2
    assert study.view(one, judge)["head"]["seq"] == 2
    assert events.broken(chain(study.database, one)) == []


def test_the_same_operation_again_is_stored_once_and_answered_alike(begun):
    study, judge, one, state = begun
    op = uuid7()
    first, second = (study.save(one, judge, state, op=op) for _ in range(2))
    study.save(one, judge, state, base=1)
    late = study.save(one, judge, state, op=op)
    assert (first["seq"], second, late) == (1, {**first, "replayed": True}, {**first, "replayed": True})
    assert len(chain(study.database, one)) == 2


def test_an_operation_id_cannot_be_used_for_another_state(begun):
    study, judge, one, state = begun
    op = uuid7()
    study.save(one, judge, state, op=op)
    with pytest.raises(Refused, match="another state") as refused:
        study.save(one, judge, {**state, "ranked": state["ranked"][::-1]}, op=op)
    assert refused.value.status == 422


def test_a_stale_save_is_kept_as_a_branch_and_never_overwrites(begun):
    study, judge, one, state = begun
    study.save(one, judge, state, device="phone")
    other = {**state, "ranked": state["ranked"][::-1]}
    op = uuid7()
    lost = study.save(one, judge, other, base=0, op=op)
    assert (lost["status"], lost["head"]["state"], lost["head"]["device"]) == (409, state, "phone")
    assert chain(study.database, one)[1]["state"] == canonical(other)
    assert study.save(one, judge, other, base=0, op=op)["branch"] == lost["branch"]
    chosen = study.save(one, judge, other, base=lost["head"]["seq"])
    assert chosen["status"] == 200
    assert study.view(one, judge)["head"]["state"] == other
    assert events.broken(chain(study.database, one)) == []


def test_submitting_twice_with_one_operation_is_one_submission(begun):
    study, judge, one, state = begun
    seq = study.save(one, judge, state)["seq"]
    op = uuid7()
    assert study.submit(one, judge, seq, op) == study.submit(one, judge, seq, op)
    with study.database.read() as connection:
        assert connection.execute(select(func.count()).select_from(submission)).scalar() == 1
    with pytest.raises(Refused) as refused:
        study.save(one, judge, state, base=seq + 1)
    assert refused.value.status == 410


def test_a_submission_on_a_stale_base_is_refused_with_the_head(begun):
    study, judge, one, state = begun
    study.save(one, judge, state)
    study.save(one, judge, state, base=1)
    with pytest.raises(Refused) as refused:
        study.submit(one, judge, 1)
    assert (refused.value.status, refused.value.more["head"]["seq"]) == (409, 2)


def test_an_incomplete_state_is_a_draft_and_no_submission(begun):
    study, judge, one, state = begun
    seq = study.save(one, judge, {**state, "ranked": state["ranked"][:1]})["seq"]
    with pytest.raises(Refused) as refused:
        study.submit(one, judge, seq)
    assert (refused.value.status, len(refused.value.more["errors"])) == (422, 2)


def test_another_judge_finds_nothing_there(begun):
    study, _, one, state = begun
    stranger = study.judge("eve")
    for call in (lambda: study.save(one, stranger, state), lambda: study.submit(one, stranger, 1)):
        with pytest.raises(Refused) as refused:
            call()
        assert refused.value.status == 404
    assert chain(study.database, one) == []


def test_the_head_can_be_built_from_the_events(begun):
    study, judge, one, state = begun
    study.save(one, judge, state)
    study.save(one, judge, {**state, "ranked": state["ranked"][::-1]}, base=0)
    study.save(one, judge, state, base=1)
    query = select(head).where(head.c.assignment_id == one)
    with study.database.read() as connection:
        before = rows.the(connection, query)
    study.database.now(lambda c: c.execute(update(head).values(seq=99, state="lost")))
    study.database.now(lambda c: events.rebuild(c, one))
    with study.database.read() as connection:
        assert rows.the(connection, query) == before


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"state": "{}"}, "not the one that was saved"),
        ({"device": "other"}, "hash is not that"),
        ({"seq": 5}, "is missing"),
        ({"before": "0" * 64}, "does not follow"),
    ],
)
def test_what_was_changed_afterwards_shows(begun, change, said):
    study, judge, one, state = begun
    study.save(one, judge, state)
    study.save(one, judge, state, base=1)
    study.database.now(lambda c: c.execute(update(event).where(event.c.seq == 2).values(change)))
    assert any(said in line for line in events.broken(chain(study.database, one)))


def test_an_event_that_was_removed_shows(begun):
    study, judge, one, state = begun
    for base in range(3):
        study.save(one, judge, state, base=base)
    study.database.now(lambda c: c.execute(event.delete().where(event.c.seq == 2)))
    assert events.broken(chain(study.database, one))


def test_withdrawal_erases_every_payload_and_the_chain_still_holds(begun):
    study, judge, one, state = begun
    seq = study.save(one, judge, state)["seq"]
    study.submit(one, judge, seq)
    study.database.now(lambda c: judges.withdraw(c, judge))
    log = chain(study.database, one)
    assert [(e["state"], e["salt"]) for e in log] == [(None, None), (None, None)]
    assert events.broken(log) == []
    assert study.view(one, judge)["head"]["state"] is None


def test_saves_at_the_same_time_are_one_winner_and_branches(begun):
    study, judge, one, state = begun
    found = []
    threads = [threading.Thread(target=lambda: found.append(study.save(one, judge, state))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(f["status"] for f in found) == [200] + [409] * 7
    assert events.broken(chain(study.database, one)) == []


def test_one_bad_job_does_not_undo_those_committed_with_it(database):
    study = Study(database)

    def bad(connection):
        judges.add(connection, study.id, "undone with the rest of this job")
        connection.execute(insert(judges.judge).values(id=uuid7()))

    good = [database.write(lambda c, k=k: judges.add(c, study.id, f"judge {k}")) for k in range(5)]
    failing = database.write(bad)
    more = [database.write(lambda c, k=k: judges.add(c, study.id, f"more {k}")) for k in range(5)]
    made = {future.result() for future in (*good, *more)}
    with pytest.raises(IntegrityError):
        failing.result()
    with database.read() as connection:
        assert len(made) == 10
        assert connection.execute(select(func.count()).where(judges.judge.c.study_id == study.id)).scalar() == 10


def test_a_lease_that_ran_out_goes_on_while_there_is_room(begun):
    study, judge, one, state = begun
    study.database.now(lambda c: c.execute(update(assignment).values(lease=0)))
    assert study.save(one, judge, state)["status"] == 200
    assert study.view(one, judge)["state"] == "active"
