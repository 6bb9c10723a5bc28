"""A table of systems' lists is one of search runs; one of judges' places is not."""

from __future__ import annotations

import quorate as q

ROWS = "a,q1,d1,1\na,q1,d2,2\nb,q1,d2,1\nb,q1,d3,2\na,q2,d1,1\na,q2,d4,2\nb,q2,d1,1\nb,q2,d5,2\n"


def read(tmp_path, head):
    file = tmp_path / "runs.csv"
    file.write_text(f"{head}\n{ROWS}")
    return q.read(file)


def test_what_a_systems_list_lacks_is_below_it(tmp_path):
    panel = read(tmp_path, "system,query,doc,rank")
    assert (panel.kind, panel.judges, panel.tasks, panel.absent) == ("orderings", ("a", "b"), ("q1", "q2"), "below")
    assert panel.items == ("d1", "d2", "d3", "d4", "d5")
    told = "count as below (--absent)"
    assert told in str(q.inspect(tmp_path / "runs.csv"))


def test_judges_places_say_nothing_of_what_is_absent(tmp_path):
    assert not read(tmp_path, "judge,task,item,rank").absent
    assert not read(tmp_path, "voter,query,candidate,rank").absent


def test_voters_and_candidates_are_judges_and_items(tmp_path):
    panel = read(tmp_path, "voter,question,candidate,rank")
    assert (panel.judges, panel.items) == (("a", "b"), ("d1", "d2", "d3", "d4", "d5"))
