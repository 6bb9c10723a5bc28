"""The table of units, shares, agreement between annotators, calibration, the made-up collection, REALSumm."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.errors import BadParameter, InputError
from quorate.formats.ducview import read_peer, read_pyramid
from quorate.summaries.declarations import ROUNDINGS
from quorate.summaries.units.made_up import MadeUp
from quorate.summaries.units.model import COLUMNS, ContentUnits
from quorate.summaries.units.panels import as_groupings, as_scores
from quorate.summaries.units.pyramid import scores
from quorate.summaries.units.reading import from_peers, read_item_texts, read_judges, read_realsumm, read_units
from quorate.summaries.units.scored import calibrate, read_published, scored
from quorate.summaries.units.shares import SCHEMES, normalised, shares, to_scores
from tests.formats.test_ducview import PEER, PYRAMID

ROWS = st.lists(
    st.tuples(
        st.sampled_from("st"),
        st.sampled_from("uvw0"),
        st.sampled_from("xy"),
        st.sampled_from("jk"),
        st.sampled_from([0, 0.5, 1]),
    ),
    min_size=1,
    max_size=20,
)


def built(rows):
    names = ("task", "unit", "item", "judge", "support")
    return ContentUnits.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


@given(ROWS)
def test_columns_are_read_back(rows):
    first = built(rows).columns()
    assert list(first) == list(COLUMNS)
    assert ContentUnits.build(first).columns() == first


@given(ROWS)
def test_shares_are_what_counting_gives(rows):
    table = built(rows)
    best = {}
    for task, unit, item, judge, support in rows:
        mine = best.setdefault((task, item, judge), {})
        if unit != "0":
            mine[unit] = max(mine.get(unit, 0), support)
    item, judge, value = shares(table)
    found = {
        (table.items[i].task, table.items[i].id, table.judges[j]): v for i, j, v in zip(item, judge, value, strict=True)
    }
    assert set(found) == set(best)
    for key, units in best.items():
        expected = sum(units.values()) / len(units) if units else math.nan
        assert found[key] == pytest.approx(expected, nan_ok=True)


@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_change_a_share(rows, random):
    mixed = list(rows)
    random.shuffle(mixed)

    def plain(table, scheme):
        return {(table.items[i].task, table.items[i].id, table.judges[j]): round(v, 12) if v == v else None
                for i, j, v in zip(*shares(table, scheme), strict=True)}  # fmt: skip

    for scheme in SCHEMES:
        assert plain(built(rows), scheme) == plain(built(mixed), scheme)


def test_negative_lines_of_a_rubric_take_away():
    raw = {"unit": ["a", "b", "bad"], "item": ["x"] * 3, "support": [1, 0, 1], "weight": [3, 2, -1]}
    assert shares(ContentUnits.build(raw), "rubric")[2].tolist() == [(3 - 1) / 5]


def test_long_items_are_punished_when_asked_for():
    values = normalised(np.array([0.5, 0.5, 0.5]), np.array([50, 100, 200]), np.array([100, 100, 100]), 2.0)
    assert values[:2].tolist() == [0.5, 0.5]
    assert values[2] == pytest.approx(0.5 * math.exp(-0.5))
    with pytest.raises(BadParameter):
        normalised(values, values, values, 0)


def test_unknown_schemes_bad_support_and_two_weights_are_told():
    raw = {"unit": ["a", "a"], "item": ["x", "y"], "support": [1, 0]}
    with pytest.raises(BadParameter, match="strict_share"):
        shares(ContentUnits.build(raw), "strict_shares")
    with pytest.raises(InputError, match="between 0 and 1"):
        ContentUnits.build({**raw, "support": [1, 2]})
    with pytest.raises(InputError, match="full, partial"):
        ContentUnits.build({**raw, "support": ["full", "half"]})
    with pytest.raises(InputError, match="two weights"):
        ContentUnits.build({**raw, "weight": [1, 2]})
    with pytest.raises(InputError, match="no column 'support'"):
        ContentUnits.build({"unit": ["a"], "item": ["x"]})
    with pytest.raises(InputError, match="no rows"):
        ContentUnits.build({"unit": [], "item": [], "support": []})


def test_a_judge_who_found_a_unit_and_did_not_is_told_of():
    rows = [("s", "u", "x", "j", 1), ("s", "u", "x", "j", 0), ("s", "u", "x", "k", 0), ("s", "v", "x", "j", 0.5)]
    table = built(rows)
    assert table.notes == ("one judge both found and did not find 1 unit of an item, which counts as found",)
    assert to_scores(table).notes == table.notes
    assert built(rows[1:]).notes == ()


def test_parts_of_one_mention_cannot_be_there_and_not():
    raw = {"unit": "aab", "item": "xxx", "mention": [1, 1, 1], "evidence": "pqr"}
    assert len(ContentUnits.build({**raw, "support": [1, 1, 0]})) == 2
    with pytest.raises(InputError, match="one mention has two supports"):
        ContentUnits.build({**raw, "support": [1, 0, 0]})


def test_a_second_text_of_an_item_or_of_the_models_is_refused(tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text("task,item,text\nt,x,one\nt,x,one\nt,,all models\nt,y,one\n")
    items, models = read_item_texts(path)
    assert (items["t", "x"], models["t"].text) == ("one", "all models")
    for line, who in (("t,x,two", "item x of task t"), ("t,,another", "the models of task t")):
        path.write_text(f"task,item,text\nt,x,one\nt,,all models\n{line}\n")
        with pytest.raises(InputError, match=who):
            read_item_texts(path)


def test_the_table_cannot_be_changed():
    table = built([("s", "u", "x", "j", 1)])
    with pytest.raises(ValueError, match="read-only"):
        table.support[0] = 0
    with pytest.raises(AttributeError):
        table.units = ()


def test_shares_become_scores_that_questions_can_be_asked_of():
    rows = [(t, u, i, j, s) for t in "st" for u in "uv" for i, s in (("x", 1), ("y", 0)) for j in "jk"]
    overall = q.consensus(to_scores(built(rows)), "mean")["mean"]
    assert sorted(set(overall.values)) == [0.0, 1.0]


def test_long_tables_are_read_with_other_names_for_columns(tmp_path):
    (tmp_path / "a.csv").write_text("unit,doc,support\nu,x,full\nv,x,none\n")
    (tmp_path / "b.jsonl").write_text('{"unit": "u", "item": "y", "support": 0.5}\n')
    table = read_units(tmp_path / "a.csv", rename={"doc": "item"})
    assert table.support.tolist() == [1, 0]
    both = read_units(tmp_path / "b.jsonl")
    assert both.items[0].id == "y"
    (tmp_path / "c.csv").write_text("unit,item,support\nu,x,1\nu,y,7\n")
    with pytest.raises(InputError, match="line 3"):
        read_units(tmp_path / "c.csv")


def test_scored_takes_shares_where_models_are_unknown():
    found = scored(built([("s", "u", "x", "j", 1), ("s", "v", "x", "j", 0)]))
    assert found.main == "share"
    assert found.figures[0]["share"] == 0.5
    assert "mean share score 0.500" in " ".join(found.text().split())


# -- agreement ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def pyramid(tmp_path):
    path = tmp_path / "a.pyr"
    path.write_text(PYRAMID)
    return read_pyramid(path)


def test_annotators_who_group_alike_agree_fully(pyramid):
    panel = as_groupings({"ann": pyramid, "bob": pyramid})
    assert panel.judges == ("ann", "bob")
    words = panel.columns()
    mine = {i: g for j, i, g in zip(words["judge"], words["item"], words["group"], strict=True) if j == "ann"}
    theirs = {i: g for j, i, g in zip(words["judge"], words["item"], words["group"], strict=True) if j == "bob"}
    assert mine == theirs
    assert mine["36-39"] == "1"  # dam, in the first model
    assert None in mine.values()
    assert any("in several units" in n for n in panel.notes)


def test_annotators_who_select_other_stretches_leave_them_out(pyramid):
    other = replace(pyramid, scus=pyramid.scus[:2])
    panel = as_groupings({"t": {"ann": pyramid, "bob": other}}, items="contributors")
    columns = panel.columns()
    left = {
        i
        for j, i, g in zip(columns["judge"], columns["item"], columns["group"], strict=True)
        if j == "bob" and g is None
    }
    assert left == {"46-55", "113-122", "123-159"}


def test_pyramids_of_different_texts_cannot_be_compared(pyramid):
    other = "Nothing of what the models say is in this text, which is about the weather in spring."
    with pytest.raises(InputError, match=r"different texts: \d+ of \d+ words"):
        as_groupings({"ann": pyramid, "bob": replace(pyramid, text=other, scus=())})
    with pytest.raises(BadParameter):
        as_groupings({"ann": pyramid}, items="letters")


@pytest.mark.parametrize("items", ["words", "contributors"])
def test_texts_that_were_typed_again_are_aligned(pyramid, items):
    """A header put in and a blank doubled shift every offset; the same words are the same items all the same."""
    head = "Model summaries, typed again\n"
    text = head + pyramid.text.replace(" dam", "  dam", 1)
    at = pyramid.text.index(" dam")

    def moved(place: int) -> int:
        return place + len(head) + (place > at)

    scus = tuple(
        replace(
            s,
            contributors=tuple(
                replace(c, parts=tuple(replace(p, start=moved(p.start), end=moved(p.end)) for p in c.parts))
                for c in s.contributors
            ),
        )
        for s in pyramid.scus
    )
    again = replace(pyramid, text=text, scus=scus)
    panel = as_groupings({"ann": pyramid, "bob": again}, items)
    told = {j: panel.select(judges=[j]).columns() for j in panel.judges}
    mine, theirs = (dict(zip(t["item"], t["group"], strict=True)) for t in told.values())
    assert mine == theirs
    assert {"1", "2", "3"} <= {g for g in mine.values() if g}
    assert any("the judges' texts differ" in n for n in panel.notes)
    assert as_groupings({"bob": again, "ann": pyramid}, items) == panel


def test_support_becomes_scores_of_units_in_items():
    rows = [("t", u, i, j, s) for (u, i, s) in (("u", "x", 1), ("v", "x", 0), ("u", "y", 0.5)) for j in "jk"]
    panel = as_scores(built(rows))
    assert sorted(set(panel.columns()["item"])) == ["x / u", "x / v", "y / u"]
    assert q.agreement(panel, "alpha")["alpha"].overall[0].value == 1


# -- calibration -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def year():
    return MadeUp(years=1, topics=6, systems=6, seed=1).table(2009)


@pytest.mark.parametrize("rounding", ROUNDINGS)
def test_the_rule_that_gave_published_scores_is_found(year, rounding):
    published = {(s.task, s.item): (round(s.modified, 3), 0.0005) for s in scores(year, rounding=rounding)}
    best = calibrate(year, published).rules[0]
    assert best.rounding == rounding
    assert best.reproduced == best.of == 72


def test_published_scores_are_read_as_printed(tmp_path):
    path = tmp_path / "manual.peer"
    path.write_text("D1-A 7 0.51 3 0 K 0.5 4 3\n\nD1-A\t8\t0.250\t3\t0\tK\tK\t0.5\t4\t3\n")
    assert read_published(path) == {("D1-A", "7"): (0.51, 0.005), ("D1-A", "8"): (0.25, 0.0005)}
    path.write_text("task,item,score\nt,x,0.5\nt,y,high\n")
    with pytest.raises(InputError, match="line 3"):
        read_published(path)


def test_scores_of_other_items_are_told(year):
    with pytest.raises(InputError, match="no annotated item"):
        calibrate(year, {("x", "y"): (0.5, 0.05)})


# -- files of a collection ---------------------------------------------------------------------------------------------


def test_judges_are_in_tables_of_nine_and_ten_fields_or_in_plain_lines(tmp_path):
    path = tmp_path / "who"
    path.write_text("D1-A 7 0.5 3 0 K 0.5 4 3\nD1-A\t8\t0.2\t3\t0\tL\tM\t0.5\t4\t3\nD2-A,N\n")
    assert read_judges(path) == {("D1-A", "7"): "K", ("D1-A", "8"): "L", "D2-A": "N"}
    path.write_text("a b c d e\n")
    with pytest.raises(InputError, match="5 fields"):
        read_judges(path)
    path.write_text("D1-A K\nD1-A K\nD2-A L\nD1-A L\n")
    with pytest.raises(InputError, match="the judge was K before"):
        read_judges(path)


def test_a_table_says_who_judged_instead_of_the_name(tmp_path):
    path = tmp_path / "D9901-A.M.100.K.7.pan"
    path.write_text(PEER)
    assert read_units(path).judges == ("K",)
    assert read_units(path, judges={"D9901-A": "L"}).judges == ("L",)
    assert from_peers([replace(read_peer(path), name="plain")]).tasks == ("D9901-A",)


def test_the_made_up_collection_is_laid_out_on_disk_and_read_back(tmp_path):
    made = MadeUp(years=2, topics=1, systems=4, documents=3, seed=5)
    made.write(tmp_path)
    manual = tmp_path / "2009" / "UpdateSumm09_eval" / "manual"
    assert sorted(p.name for p in manual.iterdir() if p.is_file()) == [
        *("manual.model.A", "manual.model.B", "manual.peer.A", "manual.peer.B"),
    ]
    assert (tmp_path / "2010" / "GuidedSumm2010_eval" / "ROUGE" / "models").is_dir()
    table = read_units(manual, judges=read_judges(manual / "manual.peer.A"))
    straight = made.table(2009)
    assert {(s.task, s.item): s.modified for s in scores(table)} == {
        (s.task, s.item): s.modified for s in scores(straight)
    }
    panel = q.read(manual / "manual.peer.A", format="tac")
    assert panel.kind == "scores"
    best = calibrate(
        table, {**read_published(manual / "manual.peer.A"), **read_published(manual / "manual.peer.B")}
    ).rules[0]
    assert best.reproduced == best.of == 8
    read_pyramid(manual / "pyramids" / "D0901-A.pyr")


def test_the_made_up_collection_is_the_same_for_the_same_seed_and_has_identical_summaries():
    made = MadeUp(years=1, topics=3, systems=9)
    one, two = list(made.docsets(2009)), list(made.docsets(2009))
    assert one == two
    assert one != list(replace(made, seed=1).docsets(2009))
    assert any(len(set(d.peers.values())) < len(d.peers) for d in one)
    for d in one:
        assert max(len(t.split()) for t in d.peers.values()) <= 100
        assert len(d.models) == 4
        assert d.judge in d.models
    with pytest.raises(BadParameter, match="no judge Z"):
        MadeUp(careless={"Z": 0.5})


def test_realsumm_has_sane_shares(data):
    table = read_realsumm(data / "realsumm")
    assert len(table) == 81_581
    assert int(table.support.sum()) == 37_902
    assert (len(table.tasks), len({i.id for i in table.items}), len(table.units)) == (100, 25, 1056)
    _, _, value = shares(table)
    assert 0 <= value.min() <= value.max() <= 1
    assert float(value.mean()) == pytest.approx(0.46, abs=0.03)
    found = scored(table)
    names, board = found.board(resamples=100)
    best, worst = names[board.order[0]], names[board.order[-1]]
    assert board.means[board.order[0]] - board.means[board.order[-1]] > 0.05, (best, worst)


def test_an_answer_that_realsumm_does_not_know_is_refused(tmp_path):
    (tmp_path / "SCUs_list.csv").write_text("eventId,questionId,questionText\ne,1,A dam broke.\n")
    head = "event_id,question_id,file_system,assessor_row,answer\n"
    (tmp_path / "scu_judgements.csv").write_text(f"{head}e,1,s,1,p\ne,1,t,1,n\n")
    assert read_realsumm(tmp_path).support.tolist() == [1, 0]
    (tmp_path / "scu_judgements.csv").write_text(f"{head}e,1,s,1,p\ne,1,t,1,maybe\n")
    with pytest.raises(InputError, match="maybe"):
        read_realsumm(tmp_path)


def test_a_hundred_thousand_rows_are_no_trouble():
    size = 100_000
    rng = np.random.default_rng(0)
    raw = {"unit": rng.integers(1, 60, size), "item": rng.integers(0, 50, size), "task": rng.integers(0, 40, size)}
    table = ContentUnits.build({**raw, "support": rng.random(size)})
    assert len(shares(table, "rubric")[2]) == 2000
