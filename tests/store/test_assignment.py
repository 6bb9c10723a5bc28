"""The assignment engine: quotas that hold, leases, blocks, seeded orders, repeats, gold, training, late judges."""

from __future__ import annotations

import json
import threading
from collections import Counter

import pytest
from sqlalchemy import func, select, update

from quorate.errors import InputError, QuorateError
from quorate.store import judges, rows, studies
from quorate.store.definition import checked
from quorate.store.schema import assignment, study, task
from quorate.store.work import Refused
from tests.workbench import Study, complete


def every(made: Study) -> list[dict]:
    query = (
        select(assignment, task.c.name, task.c.role, task.c.block)
        .join(task, task.c.id == assignment.c.task_id)
        .where(assignment.c.study_id == made.id)
        .order_by(assignment.c.judge_id, assignment.c.place)
    )
    with made.database.read() as connection:
        return rows.every(connection, query)


def test_a_quota_is_never_passed_however_many_ask_at_once(database):
    made = Study(database, tasks=3, judges_per_task=2)
    people = [made.judge(f"j{k}") for k in range(12)]
    threads = [threading.Thread(target=lambda j=j: made.next(j)) for j in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(Counter(a["name"] for a in every(made)).values()) == {2}
    assert made.next(people[0]) is None or len(every(made)) == 6


def test_a_late_judge_gets_nothing_and_a_dropout_gives_the_place_back(database):
    made = Study(database, judges_per_task=1)
    first, late = made.judge("first"), made.judge("late")
    one = made.next(first)
    assert made.next(late) is None
    database.now(lambda c: c.execute(update(assignment).values(lease=0)))
    assert made.next(late) is not None
    with pytest.raises(Refused, match="others have taken it") as refused:
        made.save(one["id"], first, complete(made.view(one["id"], first)))
    assert refused.value.status == 410
    assert {a["state"] for a in every(made)} == {"expired", "offered"}


def test_asking_again_gives_the_same_assignment_until_it_is_submitted(database):
    made = Study(database, tasks=2, judges_per_task=1)
    judge = made.judge("ann")
    first = made.next(judge)
    assert made.next(judge)["id"] == first["id"]
    made.done(judge)
    assert made.next(judge)["id"] != first["id"]


def test_an_excluded_or_withdrawn_judge_leaves_room_for_another(database):
    made = Study(database, judges_per_task=1)
    for leave in (
        lambda c, j: judges.exclude(c, made.id, "asked to", judge_id=j),
        lambda c, j: judges.withdraw(c, j),
        lambda c, j: judges.revoke(c, made.id, j),
    ):
        judge = made.judge(f"j{len(every(made))}")
        assert made.next(judge) is not None
        database.now(lambda c, j=judge, f=leave: f(c, j))


def test_orders_of_items_and_tasks_are_seeded_and_differ_by_judge(database):
    made = Study(database, tasks=4, items=9, judges_per_task=9)
    orders = set()
    for k in range(3):
        judge = made.judge(f"j{k}")
        while made.done(judge):
            pass
    for a in every(made):
        orders.add((a["name"], a["shown"]))
    assert len(orders) == 12
    first = [a["name"] for a in every(made) if a["place"] == 1]
    assert len(every(made)) == 12
    assert len(first) == 3


def test_the_same_seed_and_judge_give_the_same_order(database):
    from quorate.store.assignment import shown

    Study(database, items=7, pages={"order": {}, "vote": {}})
    with database.read() as connection:
        for row in rows.every(connection, select(task)):
            assert shown(connection, row, 5) == shown(connection, row, 5)
            assert shown(connection, row, 5) != shown(connection, row, 6)


def test_sides_of_votes_are_drawn_and_recorded(database):
    made = Study(database, items=6, pages={"vote": {}}, judges_per_task=9)
    left = Counter()
    for k in range(4):
        judge = made.judge(f"j{k}")
        view = made.view(made.next(judge)["id"], judge)
        assert len(view["pairs"]) == 15
        for pair in view["pairs"]:
            left[frozenset((pair["a"], pair["b"])), pair["a"]] += 1
    assert len(left) > 15  # some pair was shown both ways


def test_judges_stay_in_their_block_and_blocks_fill_evenly(database):
    made = Study(database, tasks=4, judges_per_task=2, block=2)
    for k in range(4):
        judge = made.judge(f"j{k}")
        for _ in range(2):
            made.done(judge)
    log = every(made)
    for judge in {a["judge_id"] for a in log}:
        assert len({a["block"] for a in log if a["judge_id"] == judge}) == 1
    assert Counter(a["block"] for a in log) == {0: 4, 1: 4}


def test_repeats_are_planted_at_a_distance_and_count_for_no_quota(database):
    made = Study(database, tasks=6, judges_per_task=1, repeats={"count": 2, "distance": 3})
    judge = made.judge("ann")
    while made.done(judge):
        pass
    log = every(made)
    places = {(a["name"], a["occasion"]): a["place"] for a in log}
    again = [name for name, occasion in places if occasion == 2]
    assert len(again) == 2
    assert all(places[name, 2] - places[name, 1] > 3 for name in again)
    assert len(log) == 8


def test_gold_tasks_come_between_the_others_for_everyone(database):
    made = Study(database, tasks=4, judges_per_task=2)
    known = [{"task": "g", "item": f"g{k}", "text": f"g{k}", "answer": k + 1} for k in range(3)]
    database.now(lambda c: studies.add_items(c, made.id, known))
    for name in ("ann", "bob"):
        judge = made.judge(name)
        while made.done(judge):
            pass
        roles = [a["role"] for a in every(made) if a["judge_id"] == judge]
        assert roles.count("gold") == 1
        assert roles[0] == "task"


def test_training_gives_feedback_until_passed_or_out_of_attempts(database):
    made = Study(database, tasks=1, judges_per_task=9, training={"attempts": 2, "pass": 1.0})
    known = [{"task": "try", "item": f"x{k}", "text": f"x{k}", "role": "training", "answer": k} for k in range(3)]
    database.now(lambda c: studies.add_items(c, made.id, known))
    good, bad = made.judge("good"), made.judge("bad")
    one = made.next(good)
    assert made.view(one["id"], good)["training"] == {"attempts_left": 2, "feedback": []}
    wrong = complete(made.view(one["id"], good), backwards=True)
    seq = made.save(one["id"], good, wrong)["seq"]
    told = made.submit(one["id"], good, seq)
    assert (told["state"], told["training"]["passed"], told["training"]["attempts_left"]) == ("active", False, 1)
    assert told["training"]["feedback"]
    seq = made.save(one["id"], good, complete(made.view(one["id"], good)), base=told["seq"])["seq"]
    assert made.submit(one["id"], good, seq)["training"]["passed"]
    assert made.next(good)["role"] == "task"
    one = made.next(bad)
    seq = 0
    for _ in range(2):
        seq = made.submit(one["id"], bad, made.save(one["id"], bad, wrong, base=seq)["seq"])["seq"]
    assert made.next(bad) is None


def test_pausing_hands_out_nothing_but_takes_what_is_begun(database):
    made = Study(database, tasks=2, judges_per_task=1)
    judge, other = made.judge("ann"), made.judge("bob")
    one = made.next(judge)
    database.now(lambda c: c.execute(update(study).values(state="paused")))
    assert made.next(other) is None
    seq = made.save(one["id"], judge, complete(made.view(one["id"], judge)))["seq"]
    assert made.submit(one["id"], judge, seq)["state"] == "submitted"
    assert made.next(judge) is None
    database.now(lambda c: c.execute(update(study).values(state="closed")))
    with pytest.raises(Refused, match="closed"):
        made.save(one["id"], judge, {})


def test_after_the_deadline_nothing_is_handed_out(database):
    made = Study(database, deadline="2020-01-01T00:00:00Z")
    assert made.next(made.judge("ann")) is None


def test_a_judge_does_at_most_so_many(database):
    made = Study(database, tasks=5, judges_per_task=3, tasks_per_judge=2)
    judge = made.judge("ann")
    assert made.done(judge)
    assert made.done(judge)
    assert made.done(judge) is None


def test_what_was_reopened_counts_as_submitted_until_it_is_submitted_anew(database):
    from quorate.store import submissions, work

    made = Study(database, judges_per_task=1)
    judge = made.judge("ann")
    one = made.done(judge)["id"]
    back = database.now(lambda c: work.reopen(c, one, judge))
    assert back["state"] == "active"
    with database.read() as connection:
        assert len(submissions.submitted(connection, made.id)) == 1
    other = complete(made.view(one, judge), backwards=True)
    seq = made.save(one, judge, other, base=back["head"]["seq"])["seq"]
    made.submit(one, judge, seq)
    with database.read() as connection:
        assert [s["state"] for s in submissions.submitted(connection, made.id)] == [other]
        assert connection.execute(select(func.count()).select_from(assignment)).scalar() == 1


def test_a_lease_that_runs_out_after_reopening_leaves_it_submitted(database):
    from quorate.store import work

    made = Study(database, judges_per_task=1)
    judge = made.judge("ann")
    one = made.done(judge)["id"]
    database.now(lambda c: work.reopen(c, one, judge))
    database.now(lambda c: c.execute(update(assignment).values(lease=0)))
    assert made.next(made.judge("bob")) is None
    assert [a["state"] for a in every(made)] == ["submitted"]


def test_pairs_of_a_large_task_are_chosen_so_that_items_appear_alike(database):
    Study(database, items=8, pages={"vote": {"pairs": 12}})
    with database.read() as connection:
        pairs = json.loads(connection.execute(select(task.c.pairs)).scalar())
    assert len(pairs) == 12
    assert set(Counter(i for _, *two in pairs for i in two).values()) == {3}


def test_one_item_is_a_task_and_one_item_is_no_vote(database):
    made = Study(database, items=1)
    assert made.done(made.judge("ann")) is not None
    with pytest.raises(Exception, match="a vote needs two items"):
        Study(database, items=1, pages={"vote": {}})


def test_unicode_names_and_texts_come_back_as_they_were(database):
    made = Study(database, title="Übung — 日本語 مرحبا 🜁")
    judge = made.judge("Zoë 🦉")
    row = {"task": "ünïcode", "item": "שלום", "text": "٣ نصوص\u2028x"}
    database.now(lambda c: studies.add_items(c, made.id, [row]))
    texts = set()
    while (one := made.done(judge)) is not None:
        texts |= {i["text"] for i in made.view(one["id"], judge)["items"]}
    assert row["text"] in texts


def pages_met(made: Study, judge: str) -> list[str]:
    """Everything that there is for a judge, as task and page, in its order."""
    out = []
    while (one := made.done(judge)) is not None:
        out.append(f"{one['name']} {one['kind']}")
    return out


SEVERAL = {"vote": {}, "order": {}, "score": {"judges": 1}}


def test_pages_come_task_by_task_in_the_sequence_that_was_named(database):
    made = Study(database, tasks=3, pages=SEVERAL, sequence={"pages": ["order", "score", "vote"]}, judges_per_task=2)
    met = pages_met(made, made.judge("ann"))
    tasks = [m.split()[0] for m in met[::3]]
    assert sorted(tasks) == ["t0", "t1", "t2"]
    assert met == [f"{t} {page}" for t in tasks for page in ("order", "score", "vote")]
    second = pages_met(made, made.judge("bob"))  # scores want one judge only
    assert [m.split()[1] for m in second] == ["order", "vote"] * 3


def test_pages_come_page_by_page_and_a_limit_is_of_each(database):
    more = {"sequence": {"by": "page"}, "tasks_per_judge": 2, "judges_per_task": 2}
    made = Study(database, tasks=3, pages=SEVERAL, **more)
    assert [m.split()[1] for m in pages_met(made, made.judge("ann"))] == ["vote"] * 2 + ["order"] * 2 + ["score"] * 2


def test_blocks_count_tasks_not_their_pages(database):
    made = Study(database, tasks=4, pages=SEVERAL, block=2, judges_per_task=2)
    pages_met(made, made.judge("ann"))
    assert {(a["name"], a["block"]) for a in every(made)} == {("t0", 0), ("t1", 0), ("t2", 1), ("t3", 1)}


def test_known_answers_say_of_which_page_they_are(database):
    made = Study(database, pages=SEVERAL)
    rows_ = [{"task": "known", "item": f"g{k}", "text": "x", "answer_order": k, "answer_vote": k} for k in (1, 2)]
    assert database.now(lambda c: studies.add_items(c, made.id, rows_)) == {"items": 2, "tasks": 2}
    wrong = [{"task": "other", "item": "h1", "text": "x", "answer": 1}]
    with pytest.raises(InputError, match=r"has 3 pages") as refused:
        database.now(lambda c: studies.add_items(c, made.id, wrong))
    assert "answer_score" in str(refused.value)
    with database.read() as connection:
        gold = connection.execute(select(task.c.kind).where(task.c.role == "gold")).scalars()
        assert sorted(gold) == ["order", "vote"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"sequence": {"pages": ["order"]}}, "sequence.pages"),
        ({"sequence": {"by": "judge"}}, "sequence.by"),
        ({"pages": {"order": {"judges": -1}}}, "pages.order.judges"),
        ({"stopping": {"method": "tau_c"}}, "tau_c"),
        ({"stopping": {"method": "tau_b", "page": "vote"}}, "tau_b"),
        ({"stopping": {"method": "tau_b", "page": "group"}}, "stopping.page"),
        ({"stopping": {"method": "tau_b", "least": 5, "most": 3}}, "stopping.most"),
    ],
)
def test_a_sequence_or_rule_that_cannot_be_is_an_error_that_says_where(given, said):
    with pytest.raises(QuorateError, match=said):
        checked({"title": "x", "pages": SEVERAL, **given})


def test_a_rule_is_about_the_first_page_that_has_its_method():
    for method, page in (("tau_b", "order"), ("bradley_terry", "vote"), ("alpha", "vote"), ("mean_score", "score")):
        assert checked({"title": "x", "pages": SEVERAL, "stopping": {"method": method}})["stopping"]["page"] == page


def test_pairs_are_dealt_by_lot_before_the_first_plan_and_a_repeat_asks_the_same(database):
    more = {"stopping": {"method": "bradley_terry", "width": 0.1, "most": 9}, "repeats": {"count": 1, "distance": 1}}
    made = Study(database, tasks=3, items=6, pages={"vote": {"pairs": 4}}, judges_per_task=9, **more)
    for k in range(4):
        made.done(made.judge(f"j{k}"))
    judge = made.judge("ann")
    while made.done(judge) is not None:
        pass
    seen = [(a, {p["id"] for p in json.loads(a["shown"])["pairs"]}) for a in every(made)]
    assert {len(pairs) for _, pairs in seen} == {4}
    assert len({frozenset(pairs) for _, pairs in seen}) > 4
    own = [(a["task_id"], a["occasion"], pairs) for a, pairs in seen if a["judge_id"] == judge]
    (again,) = [(t, pairs) for t, occasion, pairs in own if occasion == 2]
    assert (again[0], 1, again[1]) in own


def test_a_rule_declared_after_the_items_gives_votes_all_their_pairs(database):
    made = Study(database, items=5, pages={"vote": {"pairs": 2}})

    def pairs():
        with database.read() as connection:
            return [len(json.loads(p)) for p in connection.execute(select(task.c.pairs)).scalars()]

    assert pairs() == [2]
    rule = {"stopping": {"method": "alpha", "width": 0.1, "most": 5}}
    database.now(lambda c: studies.change(c, made.id, rule))
    assert pairs() == [10]
    shown = json.loads(made.next(made.judge("ann"))["shown"])
    assert len(shown["pairs"]) == 2
    with pytest.raises(InputError, match="declared before the first judgment"):
        database.now(lambda c: studies.change(c, made.id, {"stopping": {"method": ""}}))
    assert pairs() == [10]
