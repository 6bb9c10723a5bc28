"""Who judges what: dealt evenly, seeded, identical items apart; in Python and on the command line."""

from __future__ import annotations

import csv
import json
from collections import Counter

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.cli import main
from quorate.errors import BadParameter, InputError
from quorate.summaries.assignment import Item, assign, spaced


def run(*words, code=0):
    done = CliRunner().invoke(main, ["assign", *map(str, words)])
    assert done.exit_code == code, done.output
    return done


def items(tasks=6, each=12, same=()):
    return [Item(f"t{t}", f"s{i}", f"text {t} {0 if i in same else i}") for t in range(tasks) for i in range(each)]


@given(st.integers(1, 12), st.integers(1, 6), st.integers(1, 3), st.integers(0, 2), st.integers(0, 9))
def test_every_task_has_its_assessors_and_work_is_shared_evenly(tasks, judges, overlap, copies, seed):
    overlap = min(overlap, judges)
    made = assign(items(tasks, 4), list(range(judges)), overlap=overlap, copies=copies, seed=seed)
    by_task = Counter(t for t, _ in {(e.task, e.judge) for e in made.entries})
    assert by_task == {f"t{t}": overlap for t in range(tasks)}
    loads = Counter(j for _, j in {(e.task, e.judge) for e in made.entries})
    assert max(loads.values()) - min(loads.get(j, 0) for j in range(judges)) <= 1
    for judge in range(judges):
        mine = [e for e in made.entries if e.judge == judge]
        assert [e.place for e in mine] == list(range(1, len(mine) + 1))
        assert len({(e.task, e.item, e.occasion) for e in mine}) == len(mine)
        order = [e.task for e in mine]
        assert len([t for t, before in zip(order, [None, *order], strict=False) if t != before]) == len(set(order))
        for task in set(order):
            listed = Counter(e.occasion for e in mine if e.task == task)
            assert (listed[1], listed[2]) == (4, min(copies, 4))


@given(st.lists(st.integers(0, 12), min_size=1, max_size=24), st.integers(0, 5), st.integers(0, 50))
def test_identical_ones_are_as_far_apart_as_asked_where_a_plain_search_finds_room(groups, distance, seed):
    order = spaced(groups, distance, np.random.default_rng(seed))
    assert sorted(order) == list(range(len(groups)))
    told = [groups[k] for k in order]
    gaps = [b - a - 1 for b, x in enumerate(told) for a in range(b) if told[a] == x]
    most = max(Counter(groups).values())
    if (most - 1) * (distance + 1) + sum(n == most for n in Counter(groups).values()) <= len(groups):  # there is room
        assert min(gaps, default=distance) >= distance


def test_the_same_seed_gives_the_same_lists_and_names_change_nothing():
    one, other = (assign(items(), names, copies=2, seed=4) for names in ("ABC", ["x", "y", "z"]))
    assert one == assign(items(), "ABC", copies=2, seed=4)
    assert one.entries != assign(items(), "ABC", copies=2, seed=5).entries
    assert [(e.place, e.task, e.item) for e in one.entries] == [(e.place, e.task, e.item) for e in other.entries]


def test_items_with_the_same_text_are_kept_apart_and_what_cannot_be_is_told():
    made = assign(items(3, 12, same=(0, 1)), "AB", distance=4)
    assert set(made.distances.values()) <= {4, 5, 6, 7, 8, 9, 10}
    assert made.notes == ()
    few = assign([Item("t", k, "the same") for k in range(3)], "A", distance=4)
    assert few.distances == {"A": 0}
    assert few.notes == ("too few items to keep identical ones 4 apart: A",)


def test_overlap_spreads_pairs_of_assessors():
    made = assign(items(12, 2), "ABCD", overlap=2)
    pairs = Counter(
        tuple(sorted({e.judge for e in made.entries if e.task == t})) for t in {e.task for e in made.entries}
    )
    assert len(pairs) == 6
    assert max(pairs.values()) - min(pairs.values()) <= 1


def test_what_makes_no_sense_is_refused():
    for wrong, how in (([], {}), ([Item("t", 1), Item("t", 1)], {})):
        with pytest.raises(InputError):
            assign(wrong, "AB", **how)
    for judges, how in (("", {}), ("AA", {}), ("A", {"overlap": 2})):
        with pytest.raises(InputError):
            assign(items(1, 2), judges, **how)
    with pytest.raises(BadParameter):
        assign(items(1, 2), "A", copies=-1)


def test_lists_that_assessors_fill_in_are_judgments_of_the_same_thing_again(tmp_path):
    table = tmp_path / "items.csv"
    with table.open("w", newline="") as file:
        csv.writer(file).writerows([["task", "item", "text"], *((i.task, i.id, i.text) for i in items(6, 10))])
    shown = run(table, "--judges", "A,B,C", "--copies", 3, "--distance", 3, "--lists", tmp_path / "lists").stdout
    assert shown.startswith("6 tasks, 1 assessor each, and 78 judgments of 3 assessors.")
    rng = np.random.default_rng(0)
    filled = []
    for path in sorted((tmp_path / "lists").iterdir()):
        for row in csv.DictReader(path.read_text().splitlines()):
            filled.append({**row, "score": round(int(row["item"][1:]) + rng.normal() * (row["judge"] == "B") * 4, 2)})
    with (tmp_path / "judged.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, filled[0])
        writer.writeheader()
        writer.writerows(filled)
    found = q.judges(q.read(tmp_path / "judged.csv"), "self_consistency").to_dict()["overall"]
    alphas = {r["judge"]: r["value"] for r in found}
    assert min(alphas, key=alphas.get) == "B"
    assert alphas["A"] == 1.0
    told = json.loads(run(table, "--judges", "A,B", "--overlap", 2, "--format", "json").stdout)
    assert [r["tasks"] for r in told["judges"]] == [6, 6]
    assert "overlap is at most" in run(table, "--judges", "A", "--overlap", 2, code=2).stderr
    (tmp_path / "bad.csv").write_text("task,text\nt,x\n")
    assert "no column" in run(tmp_path / "bad.csv", "--judges", "A", code=2).stderr


def test_more_copies_than_items_are_told_and_names_are_no_folders(tmp_path):
    made = assign([Item("t", i) for i in range(3)], ["ann"], copies=5)
    assert len(made.entries) == 6
    assert "fewer than 5 items, each shown again once: t" in made.notes
    path = tmp_path / "items.csv"
    path.write_text("task,item\nt,1\nt,2\n", "utf-8")
    done = CliRunner().invoke(main, ["assign", str(path), "--judges", "a/b,../c", "--lists", str(tmp_path / "lists")])
    assert done.exit_code == 0, done.output
    assert sorted(p.name for p in (tmp_path / "lists").iterdir()) == ["..-c.csv", "a-b.csv"]
