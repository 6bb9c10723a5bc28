"""A state machine over client, network and server: requests and answers are lost, doubled and out of order, leases run
out, two tabs work at once, another judge sits down. What a client was told is saved stays saved, once."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select, update

from quorate.store import events, rows
from quorate.store.database import Database
from quorate.store.ids import canonical, uuid7
from quorate.store.schema import assignment, event, head
from quorate.store.work import Refused
from tests.family import LONG
from tests.workbench import DATABASES, Study, complete, on

PICK = st.integers(0, 10**6)


@dataclass
class Tab:
    """A tab of a browser: the newest state it knows to be the head, and saves that were not answered yet."""

    judge: str
    device: str
    base: int = 0
    queue: list[dict[str, Any]] = field(default_factory=list)


class Sync(RuleBasedStateMachine):
    tabs = Bundle("tabs")

    def __init__(self, holding: AbstractContextManager[Database]) -> None:
        super().__init__()
        self.holding = holding
        self.database = self.holding.__enter__()
        self.study = Study(self.database, items=4, judges_per_task=1)
        self.judge, self.other = self.study.judge("bob"), self.study.judge("eve")
        self.one = self.study.next(self.judge)["id"]
        self.state = complete(self.study.view(self.one, self.judge))
        self.network: list[dict[str, Any]] = []  # requests on their way
        self.answers: list[tuple[Tab, dict[str, Any], Any]] = []  # answers on their way
        self.sent: dict[str, Any] = {}  # every operation with its state
        self.bases: dict[str, int] = {}  # and what its tab took for the head
        self.misled: list[str] = []  # operations that were taken from the wrong judge
        self.told: dict[str, int] = {}  # operations whose 200 has arrived, with their seq
        self.branches: set[str] = set()  # operations whose 409 has arrived
        self.taken = False  # another judge has the place
        self.refusals: set[tuple[int, bool, bool]] = set()

    def teardown(self) -> None:
        self.holding.__exit__(None, None, None)

    @initialize(target=tabs)
    def two_tabs(self) -> Any:
        return multiple(Tab(self.judge, "phone"), Tab(self.judge, "laptop"))

    @rule(tab=tabs, places=st.permutations(range(4)))
    def judge_something(self, tab: Tab, places: list[int]) -> None:
        state = {**self.state, "ranked": [self.state["ranked"][k] for k in places]}
        op = uuid7()
        tab.queue.append({"op": op, "state": state, "base": tab.base, "judge": tab.judge, "tab": tab})
        self.sent[op], self.bases[op] = state, tab.base
        self.network.append(dict(tab.queue[0]))

    @rule(tab=tabs)
    def send(self, tab: Tab) -> None:
        """The oldest save in the queue goes out, once more if it was sent before."""
        if tab.queue:
            self.network.append(dict(tab.queue[0]))

    @rule(which=PICK)
    def lose_request(self, which: int) -> None:
        if self.network:
            self.network.pop(which % len(self.network))

    @rule(which=PICK)
    def double_request(self, which: int) -> None:
        if self.network:
            self.network.append(dict(self.network[which % len(self.network)]))

    @rule(which=PICK)
    def arrive(self, which: int) -> None:
        """Any request that is on its way arrives, so that they come in any order; its answer sets out."""
        if not self.network:
            return
        request = self.network.pop(which % len(self.network))
        try:
            found = self.study.save(
                self.one, request["judge"], request["state"], request["base"], request["op"], request["tab"].device
            )
        except Refused as refused:
            found = {"status": refused.status}
            wrong_judge, gone = request["judge"] != self.judge, self.taken
            self.refusals.add((found["status"], wrong_judge, gone))
        if request["judge"] != self.judge and found["status"] != 404:
            self.misled.append(request["op"])
        self.answers.append((request["tab"], request, found))

    @rule(which=PICK)
    def lose_answer(self, which: int) -> None:
        if self.answers:
            self.answers.pop(which % len(self.answers))

    @rule(which=PICK)
    def answer(self, which: int) -> None:
        if not self.answers:
            return
        tab, request, found = self.answers.pop(which % len(self.answers))
        if found["status"] == 200:
            before = self.told.setdefault(request["op"], found["seq"])
            assert before == found["seq"], "the same operation was stored twice"
            tab.base = max(tab.base, found["seq"])
        elif found["status"] == 409:
            self.branches.add(request["op"])
            tab.base = max(tab.base, found["head"]["seq"])
        tab.queue = [q for q in tab.queue if q["op"] != request["op"]]

    @rule(tab=tabs)
    def another_judge_sits_down(self, tab: Tab) -> None:
        """Saves in the queue go out under the wrong name: nothing of them is stored."""
        tab.judge = self.other if tab.judge == self.judge else self.judge
        tab.queue = [{**q, "judge": tab.judge} for q in tab.queue]

    @rule()
    def lease_runs_out(self) -> None:
        late = update(assignment).where(assignment.c.id == self.one).values(lease=0)
        self.database.now(lambda c: c.execute(late))

    @rule()
    def another_asks_for_work(self) -> None:
        self.taken = self.study.next(self.other) is not None

    @rule(tab=tabs)
    def reload(self, tab: Tab) -> None:
        if tab.judge == self.judge:
            found = self.study.view(self.one, self.judge)["head"]
            tab.base = found["seq"] if found else 0

    @invariant()
    def nothing_said_to_be_saved_is_lost_or_doubled(self) -> None:
        query = select(event).where(event.c.assignment_id == self.one).order_by(event.c.seq)
        with self.database.read() as connection:
            log = rows.every(connection, query)
            top = rows.one(connection, select(head).where(head.c.assignment_id == self.one))
        assert events.broken(log) == []
        by_op = {e["op"]: e for e in log}
        assert len(by_op) == len(log)
        assert set(self.told) | self.branches <= set(by_op)
        for op, seq in self.told.items():
            assert by_op[op]["seq"] == seq
            assert not by_op[op]["branch"]
        for op in self.branches:
            assert by_op[op]["branch"]
        assert self.misled == []
        for op, e in by_op.items():
            assert e["state"] == canonical(self.sent[op])
            assert e["base"] == self.bases[op]  # what the judge saw when saving
        line = [e for e in log if not e["branch"]]
        assert [e["base"] for e in line] == [0, *(e["seq"] for e in line)][: len(line)]  # one builds on the other
        if line:
            assert top is not None
            assert (top["seq"], top["state"]) == (line[-1]["seq"], line[-1]["state"])

    @invariant()
    def only_the_wrong_judge_and_a_lost_place_are_refused(self) -> None:
        for status, wrong_judge, gone in self.refusals:
            assert (status == 404 and wrong_judge) or (status == 410 and gone)

    @invariant()
    def the_quota_holds(self) -> None:
        query = select(assignment.c.id).where(assignment.c.state.in_(("offered", "active")), assignment.c.lease > 0)
        with self.database.read() as connection:
            assert len(connection.execute(query).all()) <= 1


@pytest.mark.parametrize("kind", DATABASES)
def test_whatever_the_network_does(kind, request):
    examples = settings(max_examples=200 if LONG else 3, stateful_step_count=30, deadline=None)
    run_state_machine_as_test(lambda: Sync(on(kind, request)), settings=examples)
