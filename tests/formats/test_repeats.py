"""Items that a judge has more than once: which column tells them apart, and what it is."""

from __future__ import annotations

import pytest

import quorate as q
from quorate.errors import InputError


@pytest.fixture
def read(tmp_path):
    def make(head, rows, **how):
        path = tmp_path / "t.csv"
        path.write_text("\n".join([head, *(",".join(map(str, r)) for r in rows)]) + "\n", encoding="utf-8")
        return q.read(path, **how)

    return make


def crossed(*more):
    """Every judge's score of every item under each of these."""
    return [(j, i, m, (k + len(m)) % 5) for j in "ab" for k, i in enumerate("xyz") for m in more]


def test_a_query_is_a_task_in_a_table_that_names_all_else(read):
    rows = [(j, t, i, p) for j in "ab" for t in ("q1", "q2") for p, i in enumerate("xyz", 1)]
    panel = read("judge,query,item,position", rows)
    assert panel.tasks == ("q1", "q2")
    assert [(c.name, c.role) for c in panel.reading.columns][1] == ("query", "task")
    assert read("judge,topic,item,group", rows).tasks == ("q1", "q2")


def test_a_dimension_is_a_criterion(read):
    panel = read("judge,item,dimension,score", crossed("tone", "style"))
    assert panel.labels["criterion"].ids == ("tone", "style")
    assert panel.occasion.ids == (1,)


def test_of_another_column_it_is_asked_what_it_is(read):
    with pytest.raises(InputError, match="what is the column 'colour'") as caught:
        read("judge,item,colour,score", crossed("red", "blue"))
    assert "--rename colour=criterion" in str(caught.value)
    assert read("judge,item,colour,score", crossed("red", "blue"), rename={"colour": "task"}).tasks == ("red", "blue")
    ranked = [(j, m, i, p) for j in "ab" for m in ("red", "blue") for p, i in enumerate("xyz", 1)]
    with pytest.raises(InputError, match="what is the column 'colour'") as caught:
        read("judge,colour,item,position", ranked)
    assert "criterion" not in str(caught.value)


def test_a_session_is_another_time(read):
    panel = read("judge,item,session,score", crossed("early", "late"))
    assert panel.repeats
    assert not panel.reading.guesses


def test_a_remark_is_not_asked_about(read):
    rows = [(j, i, f"{j}{i}{k}", k) for j in "ab" for i in "xyz" for k in (1, 2)]
    assert read("judge,item,remark,score", rows).repeats


def test_few_repeats_are_repeats(read):
    rows = [(j, f"i{k}", "first", k % 5) for j in "ab" for k in range(20)]
    panel = read("judge,item,aspect,score", [*rows, ("a", "i0", "second", 3)])
    assert panel.repeats == 1
    assert "criterion" not in panel.labels


def test_segments_of_documents_make_a_task_together_and_no_guess_is_made_where_it_is_told(read):
    rows = [(j, s, d, k, 3) for j in "ab" for s in "xy" for d in ("d1", "d2") for k in (1, 2)]
    panel = read("rater,system,doc,segment,score", rows)
    assert panel.tasks == ("d1-1", "d1-2", "d2-1", "d2-2")
    told = read("rater,system,doc,segment,score", rows, task=["doc", "segment"])
    assert told == panel
    assert [g.column for g in told.reading.guesses] == ["rater"]
    assert read("judge,system,doc,segment,score", rows).tasks == panel.tasks
