"""Adaptive collection: a rule declared beforehand, what is judged next, and when it is enough."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.store import exports
from tests.workbench import USUALLY_ONE, USUALLY_POSTGRES, Study, complete, sqlite


@pytest.mark.parametrize("a_site", USUALLY_ONE, indirect=True)
def test_adaptive_collection_follows_the_rule_that_was_declared(a_site):
    rule = {"method": "tau_b", "width": 0.0001, "least": 2, "most": 4}
    with a_site(pages={"order": {}}, tasks=3, items=4, judges_per_task=2, stopping=rule) as bench:
        study = bench.study
        for k in range(2):
            judge = study.judge(f"j{k}")
            while (one := study.next(judge)) is not None:
                view = study.view(one["id"], judge)
                state = complete(view, backwards=bool(k) and view["title"] == "t0")
                study.submit(one["id"], judge, study.save(one["id"], judge, state)["seq"])
        assert study.next(study.judge("late")) is None
        found = bench.lead.post(f"/api/studies/{study.id}/plan").json()
        wanted = {
            t["title"]: t["wanted"] for t in bench.lead.get(f"/api/studies/{study.id}/progress").json()["by_task"]
        }
        assert (found["stop"], wanted) == (False, {"t0": 3, "t1": 2, "t2": 2})
        judge = study.judge("later")
        assert study.view(study.next(judge)["id"], judge)["title"] == "t0"
        changed = bench.lead.ask("PATCH", f"/api/studies/{study.id}", {"stopping": {**rule, "width": 0.9}})
        assert (changed.status_code, "declared before" in changed.json()["error"]) == (422, True)


@pytest.mark.parametrize("a_site", USUALLY_POSTGRES, indirect=True)
def test_votes_are_collected_where_they_tell_most_until_the_rule_is_met(a_site):
    """Two systems are close, two are far off: once votes are in, the close ones are asked about."""
    rule = {"method": "bradley_terry", "width": 0.5, "least": 2, "most": 6}
    given = {"pages": {"vote": {"pairs": 2}}, "tasks": 4, "items": 4, "judges_per_task": 2, "stopping": rule}
    with a_site(**given) as bench:
        study, lead = bench.study, bench.lead
        assert "Not looked at yet" in lead.get(f"/api/studies/{study.id}/progress").json()["plan"]["said"]
        for k in range(2):
            judge = study.judge(f"j{k}")
            while (one := study.next(judge)) is not None:
                view = study.view(one["id"], judge)
                texts = {i["id"]: int(i["text"].split()[-1]) // 2 for i in view["items"]}  # 0 and 1 alike, 2 and 3
                choices = {
                    p["id"]: "tie" if texts[p["a"]] == texts[p["b"]] else "ab"[texts[p["a"]] > texts[p["b"]]]
                    for p in view["pairs"]
                }
                assert len(choices) == 2
                study.submit(
                    one["id"], judge, study.save(one["id"], judge, {"kind": "vote", "choices": choices})["seq"]
                )
        found = lead.post(f"/api/studies/{study.id}/plan").json()
        assert (found["stop"], found["kind"]) == (False, "vote")
        told = lead.get(f"/api/studies/{study.id}/progress").json()["plan"]
        assert "at most 0.50 wide" in told["text"]
        assert told["said"].endswith("go on.")
        with bench.database.read() as connection:
            panel = exports.panel(connection, study.id, "vote")
        first = next(q.trust(panel, "next_pairs(votes=2)", resamples=0).findings[0].rows())["systems"]
        judge = study.judge("next")
        view = study.view(study.next(judge)["id"], judge)
        systems = {i["id"]: f"hidden-system-{i['text'].split()[-1]}" for i in view["items"]}
        asked = {" and ".join(sorted((systems[p["a"]], systems[p["b"]]))) for p in view["pairs"]}
        assert first in asked
        log = [json.loads(a["detail"]) for a in lead.get(f"/api/studies/{study.id}/audit").json()["audit"]]
        assert [look["stop"] for look in log if look.get("what") == "plan"] == [False]


def run(database, *words):
    return CliRunner().invoke(main, ["study", *words, "--database", str(database.url.database)])


def test_the_command_line_says_where_the_rule_stands():
    with sqlite() as database:
        rule = {"method": "tau_b", "width": 2.0, "least": 3, "most": 9}
        study = Study(database, tasks=3, items=4, title="Ruled", judges_per_task=9, stopping=rule)
        early = run(database, "plan", "Ruled")
        assert "no interval, since judgments are too few or all alike: go on" in early.output
        assert "no judges so far" in early.output
        for name in ("ann", "bob", "cleo"):
            judge = study.judge(name)
            while (one := study.next(judge)) is not None:
                view = study.view(one["id"], judge)
                state = complete(view, backwards=view["title"] == "t0" and name == "cleo")
                study.submit(one["id"], judge, study.save(one["id"], judge, state)["seq"])
        late = run(database, "plan", "Ruled")
        assert late.exit_code == 0
        assert "at most 2.00 wide" in late.output
        assert "enough" in late.output
        assert study.next(study.judge("late")) is None  # every task has what the rule asks for
        plain = Study(database, title="Plain")
        none = run(database, "plan", plain.id)
        assert (none.exit_code, "declared no stopping rule" in none.output) == (2, True)
