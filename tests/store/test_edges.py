"""Studies at the edge: nothing, one judge, one item, all tied, nothing in common, copies, odd names. The dashboard
speaks, and what is frozen is recomputed."""

from __future__ import annotations

from typing import Any

import pytest

from quorate.errors import InputError
from quorate.store import adjudication, bundle, figures, freeze, studies
from quorate.store.database import Database
from tests.family import LONG, some
from tests.workbench import Study, complete, sqlite

pytestmark = pytest.mark.usefixtures("in_small")
PAGES: dict[str, Any] = {"order": {}, "group": {}, "score": {}}
NAMES = ("=1+1", "السد", 'a,b\n"c"', "👩‍🔬 o'clock")


def tied(state: dict[str, Any]) -> dict[str, Any]:
    """The same with everything level."""
    if state["kind"] == "order":
        return {**state, "ranked": [[i for group in state["ranked"] for i in group]]}
    if state["kind"] == "vote":
        return {**state, "choices": dict.fromkeys(state["choices"], "tie")}
    return state


def judged(database: Database, case: str) -> str:
    items = 1 if case == "one item" else 3
    pages = PAGES if items == 1 else {**PAGES, "vote": {}}
    study = Study(database, items=items, tasks=2, pages=pages, judges_per_task=1 if case == "nothing in common" else 9)
    if case == "odd names":
        rows = [{"task": NAMES[0], "item": n, "text": n, "system": f"{n} system"} for n in NAMES]
        database.now(lambda c: studies.add_items(c, study.id, rows))
    for k in range({"nobody": 0, "one judge": 1}.get(case, 3)):
        judge = study.judge(NAMES[k] if case == "odd names" else f"j{k}")
        while (one := study.next(judge)) is not None:
            state = complete(study.view(one["id"], judge), backwards=k == 2 and case == "odd names")
            state = tied(state) if case == "all tied" else state
            study.submit(one["id"], judge, study.save(one["id"], judge, state)["seq"])
            if case == "nothing in common":
                break
    return study.id


CASES = ("nobody", "one judge", "one item", "all tied", "nothing in common", "copies", "odd names")


@pytest.mark.parametrize("case", some(CASES, 3))
def test_the_dashboard_speaks_and_what_is_frozen_is_recomputed(case, tmp_path):
    with sqlite() as database:
        study = judged(database, case)
        told = figures.progress(database.address, study)
        sure = figures.intervals(database.address, study) if LONG else {"screens": []}
        assert all(s["headline"] and len(s["tiles"]) == 3 for s in told["screens"])
        assert all(s["headline"] and len(s["tiles"]) == 4 for s in sure["screens"])
        cases = adjudication.adjudication(database.address, study)["tasks"]
        if case == "nobody":
            assert told["screens"] == cases == []
            with pytest.raises(InputError, match="nothing to freeze yet"):
                freeze.make(database.address, study, 1, {}, with_report=False)
            return
        made = freeze.make(database.address, study, 1, {}, with_report=False)
        file = tmp_path / "gold.zip"
        file.write_bytes(made["bundle"])
        assert bundle.verified(file)[1] == []
        if LONG:
            assert made["bundle"] == freeze.make(database.address, study, 1, {}, with_report=False)["bundle"]
