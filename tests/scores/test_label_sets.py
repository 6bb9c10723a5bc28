"""Several labels an item: read from cells or rows, sets that agree in part, and a label each."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.cli import main
from quorate.errors import InputError
from quorate.panel.kinds import Scores
from quorate.panel.score_design import ScoreDesign
from quorate.scores.label_sets import as_sets, label_sets
from tests.reference import models as plain
from tests.without import in_small

SETS = st.frozensets(st.sampled_from("abc"))
TABLES = st.lists(st.lists(st.one_of(st.none(), SETS), min_size=4, max_size=4), min_size=2, max_size=4)


def panel(table):
    """Yes or no on every label."""
    rows = [
        (f"j{j}", f"i{i}", label, "yes" if label in said else "no")
        for j, row in enumerate(table)
        for i, said in enumerate(row)
        if said is not None
        for label in "abc"
    ]
    return Scores.build(
        dict(zip(("judge", "item", "criterion", "label"), map(list, zip(*rows, strict=True)), strict=True))
    )


@pytest.mark.parametrize("kind", ["masi", "jaccard"])
@given(table=TABLES)
def test_agreement_of_sets_equals_its_plain_twin(kind, table):
    if all(s is None for row in table for s in row):
        return
    (design,) = ScoreDesign.of(as_sets(panel(table)))
    assert label_sets(design.scores, distance=kind).value == pytest.approx(plain.set_alpha(table, kind), nan_ok=True)


def test_labels_alone_are_sets_of_one():
    labels = Scores.from_labels({"a": {"x": "p", "y": "r", "z": "p"}, "b": {"x": "p", "y": "p", "z": "p"}})
    one, other = (q.agreement(labels, m).findings[0].value for m in ("label_sets", "alpha(level=nominal)"))
    assert one == pytest.approx(other)


def read(tmp_path, text, **how):
    file = tmp_path / "moods.csv"
    file.write_text(text, encoding="utf-8")
    return q.read(file, **how)


def test_labels_in_one_cell_and_a_row_each_are_the_same(tmp_path):
    cells = read(tmp_path, "judge,item,label\nann,x,joy; Überraschung\nbob,x,joy\nann,y,\nbob,y,fear\n", several=";")
    rows = read(
        tmp_path, "judge,item,label\nann,x,joy\nann,x,Überraschung\nbob,x,joy\nann,y,\nbob,y,fear\n", several=";"
    )
    assert cells == rows
    assert set(cells.labels["criterion"].ids) == {"fear", "joy", "Überraschung"}
    assert len(cells) == 12  # two judges, two items, three labels
    assert any("choice of several" in note for note in cells.notes)


def test_without_a_label_column_it_is_an_error(tmp_path):
    with pytest.raises(InputError, match="label"):
        read(tmp_path, "judge,item,group\nann,x,1\n", several=";")


@in_small()
def test_each_label_and_the_sets_are_told_and_consensus_is_label_by_label(tmp_path):
    rng, lines = np.random.default_rng(1), ["judge,item,label"]
    for i in range(30):
        true = {("joy", "fear")[i % 2], *(["surprise"] if i % 3 == 0 else [])}
        for j, wrong in {"ann": 0.05, "bob": 0.05, "cat": 0.5}.items():
            said = {m for m in ("joy", "fear", "surprise") if (m in true) != (rng.random() < wrong)}
            lines.append(f"{j},i{i:02d},{'|'.join(sorted(said))}")
    found = read(tmp_path, "\n".join(lines), several="|")
    answer = q.agreement(found, resamples=20, permutations=0)
    assert [r["method"] for r in answer.more["label_sets"]] == [
        "label_sets(distance=masi)",
        "label_sets(distance=jaccard)",
    ]
    assert not any(f.name == "confused" for f in answer.facts)
    quality = q.label_quality(found, resamples=20, permutations=0)
    right = sum(("joy", "fear")[int(r["item"][1:]) % 2] in r["labels"] for r in quality.sets)
    assert right >= 25  # of 30, with one of three judges at random
    assert quality.judges[0]["judge"] == "cat"
    out = CliRunner().invoke(main, ["labels", str(tmp_path / "moods.csv"), "--several", "|", "--resamples", "0"])
    assert out.exit_code == 0
    assert "Taken as sets of labels" in " ".join(out.output.split())


def test_cells_that_look_like_several_labels_are_said_to(tmp_path):
    file = tmp_path / "labels.csv"
    rows = ["joy; fear", "joy", "fear", "fear; joy", "anger", "joy"]
    file.write_text("judge,item,label\n" + "".join(f"j{k % 2},i{k // 2},{r}\n" for k, r in enumerate(rows)), "utf-8")
    assert any('--several ";" takes them apart' in note for note in q.read(file).notes)
    assert not any("look like several" in note for note in q.read(file, several=";").notes)
    file.write_text("judge,item,label\na,x,R&D/ops\nb,x,sales\na,y,sales\nb,y,sales\n", "utf-8")
    assert not any("look like several" in note for note in q.read(file).notes)
