"""autoPyramid: every rule of DUCView's autoannotation, the options, the gaps, and what was missed."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.errors import BadParameter, InputError
from quorate.summaries.declarations import AUTO
from quorate.summaries.units import gaps
from quorate.summaries.units.auto_pyramid import auto_pyramid
from quorate.summaries.units.made_up import MadeUp
from quorate.summaries.units.model import ContentUnits, Unit
from quorate.summaries.units.pyramid import pyramids
from tests.reference import pyramid as reference


def table(peers, accepted, judge=None, models=("P", "Q"), extra=()):
    """peers: {item: text}; accepted: [(unit, item, string or (strings of parts))]; each judged by K or judge[item]."""
    units = sorted({u for u, _, _ in accepted} | set(extra) | {"z"})
    raw = {
        n: [] for n in ("unit", "item", "judge", "support", "weight", "models", "evidence", "start", "end", "mention")
    }

    def add(*row):
        for column, value in zip(raw.values(), row, strict=True):
            column.append(value)

    for item in peers:
        who = (judge or {}).get(item, "K")
        for u in units:
            mentions = [s for unit, i, s in accepted if unit == u and i == item]
            said = (0, "") if u == "0" else (len(models), " ".join(models))
            for k, mention in enumerate(mentions):
                for string in mention if isinstance(mention, tuple) else (mention,):
                    at = peers[item].find(string)
                    add(u, item, who, 1, *said, string, at, at + len(string), k)
            if not mentions and u != "0":
                add(u, item, who, 0, *said, None, None, None, 0)
    return ContentUnits.build(raw, texts=peers)


def mentions(found, item):
    """The automatic annotation of one item: unit, start, end of every mention."""
    made = found.annotation()
    out = []
    for u, i, _, _, spans in made.rows():
        if made.items[i].id == item:
            out.append((made.units[u].id, *((s.start, s.end) for s in spans)))
    return sorted(out)


def found_in(text, accepted, **choices):
    """Mentions in a text by strings accepted in another item, of that text itself nothing is accepted."""
    return mentions(auto_pyramid(table({"y": " | ".join(map(str, accepted)), "x": text}, [
        (u, "y", s) for u, s in accepted
    ]), **choices), "x")  # fmt: skip


def test_nested_strings_are_all_found():
    accepted = [("a", "dam broke"), ("b", "the dam broke on Monday")]
    assert found_in("the dam broke on Monday", accepted) == [("a", (4, 13)), ("b", (0, 23))]


def test_a_repeated_string_is_found_each_time_without_overlaps():
    assert found_in("dam dam dam", [("a", "dam")]) == [("a", (0, 3)), ("a", (4, 7)), ("a", (8, 11))]
    assert found_in("aaaaa", [("a", "aa")]) == [("a", (0, 2)), ("a", (2, 4))]


def test_case_must_be_the_same():
    assert found_in("The Dam broke", [("a", "the dam broke")]) == []
    assert found_in("The Dam broke", [("a", "the dam broke")], match="normalised") == [("a", (0, 13))]


def test_a_string_inside_a_word_is_found_unless_words_must_be_whole():
    assert found_in("a party", [("a", "art")]) == [("a", (3, 6))]
    assert found_in("a party", [("a", "art")], match="normalised") == []
    assert found_in("an art.", [("a", "art")], match="normalised") == [("a", (3, 6))]


def test_blanks_and_punctuation_count_only_in_ducview_mode():
    text = "The  dam,\nthey say, broke"
    assert found_in(text, [("a", "the dam they say broke.")]) == []
    assert found_in(text, [("a", "the dam they say broke.")], match="normalised") == [("a", (0, len(text)))]


def test_a_word_may_end_one_hit_and_begin_the_next_only_in_another_string():
    assert found_in("dam dam dam", [("a", "dam dam")], match="normalised") == [("a", (0, 7))]
    both = found_in("dam dam", [("a", "dam")], match="normalised")
    assert both == [("a", (0, 3)), ("a", (4, 7))]


def test_interrupted_mentions_are_skipped_or_found_by_all_their_parts():
    peers = {"y": "a dam and so on failed", "x": "so a dam long ago failed", "w": "a dam"}
    made = table(peers, [("a", "y", ("a dam", "failed"))])
    assert mentions(auto_pyramid(made), "x") == []
    assert mentions(auto_pyramid(made, multi_part="all-parts"), "x") == [("a", (3, 8), (18, 24))]
    assert mentions(auto_pyramid(made, multi_part="all-parts"), "w") == []


def test_a_label_that_lost_its_line_end_matches_nowhere(tmp_path):
    from quorate.formats.ducview import Contributor, Part, Peer, Pyramid, Scu, read_peer, write_peer
    from quorate.summaries.units.reading import from_peers

    models = "-----\n D9901-A.M.100.K.P\n-----\nA dam broke.\n"
    pyramid = Pyramid(models, (Scu("1", "A dam broke", (Contributor("A dam", (Part("A dam", 33, 38),)),)),))
    text = "The dam\nbroke."
    for name, contributors in (("7", (Contributor("", (Part("The dambroke", 0, 13),)),)), ("8", ())):
        write_peer(Peer(pyramid, text, (Scu("1", "", contributors),)), tmp_path / f"D9901-A.M.100.K.{name}.pan")
    made = from_peers(read_peer(p) for p in sorted(tmp_path.iterdir()))
    assert mentions(auto_pyramid(made), "8") == []
    assert mentions(auto_pyramid(made, match="normalised"), "8") == [("1", (0, 13))]


def test_a_string_of_two_units_gives_both():
    assert found_in("a dam", [("a", "a dam"), ("b", "a dam")]) == [("a", (0, 5)), ("b", (0, 5))]


def test_the_string_of_the_item_itself_is_not_used():
    made = table({"x": "a dam", "y": "no"}, [("a", "x", "a dam")])
    (x, _) = auto_pyramid(made).items
    assert (x.manual, x.auto) == (0.5, 0)
    assert x.gap == 0.5


def test_strings_of_the_models_are_used_when_asked_for():
    from dataclasses import replace

    from quorate.summaries.units.model import Span

    made = table({"x": "a dam broke", "y": "no"}, [("a", "y", "no")], extra="b")
    said = tuple(
        Unit(u.task, u.id, u.text, u.weight, u.models, ((Span("a dam"),), (Span("dam"), Span("broke"))))
        if u.id == "b"
        else u
        for u in made.units
    )
    made = replace(made, units=said)
    assert mentions(auto_pyramid(made), "x") == []
    assert mentions(auto_pyramid(made, sources="pyramid"), "x") == [("b", (0, 5))]
    assert mentions(auto_pyramid(made, sources="both", multi_part="all-parts"), "x") == [
        ("b", (0, 5)),
        ("b", (2, 5), (6, 11)),
    ]
    assert auto_pyramid(made, sources="pyramid").missed[0].accepted_in == ("model P",)


def test_runs_of_one_team_are_left_out_together():
    made = table({"1": "a dam", "2": "a dam", "3": "no"}, [("a", "1", "a dam")])
    assert mentions(auto_pyramid(made), "2") == [("a", (0, 5))]
    assert mentions(auto_pyramid(made, leave_out="team", teams={"1": "t", "2": "t"}), "2") == []
    with pytest.raises(BadParameter, match="teams"):
        auto_pyramid(made, leave_out="team")


def test_a_string_said_to_be_no_unit_elsewhere_can_block():
    made = table({"1": "a dam", "2": "a dam", "3": "a dam"}, [("a", "1", "a dam"), ("0", "2", "a dam")])
    assert [m.item for m in auto_pyramid(made).missed] == ["2", "3"]
    assert [m.item for m in auto_pyramid(made, uid0="block").missed] == ["2"]  # its own veto does not count


def test_strings_of_other_judges_count_when_asked_for():
    made = table({"1": "a dam", "2": "a dam"}, [("a", "1", "a dam")], judge={"1": "K", "2": "L"})
    assert auto_pyramid(made).missed == ()
    (missed,) = auto_pyramid(made, by="all").missed
    assert (missed.judge, missed.accepted_in) == ("L", ("1",))


def test_missed_strings_say_where_they_are_and_where_they_were_accepted():
    peers = {"1": "So a dam broke.", "2": "Then a dam broke.", "3": "a dam broke"}
    found = auto_pyramid(table(peers, [("a", "1", "a dam broke"), ("a", "2", "a dam broke")]))
    (missed,) = found.missed
    assert (missed.item, missed.unit, missed.string, missed.start, missed.end) == ("3", "a", "a dam broke", 0, 11)
    assert missed.accepted_in == ("1", "2")
    assert missed.gain == 0.5
    assert "a dam broke" in found.to_csv().splitlines()[1]


def test_strings_accepted_in_few_of_the_items_that_have_them_are_told_apart_from_missed_ones():
    texts = {str(k): "a dam broke" for k in range(1, 6)}
    often = [("a", str(k), "a dam") for k in (1, 2, 3, 4)]  # missed in 5
    once = [("b", "1", "broke")]  # accepted in 1 of 5: by accident
    found = auto_pyramid(table(texts, often + once))
    read = {(m.unit, m.item): (m.reading, m.marked, m.there) for m in found.missed}
    assert read.pop(("a", "5")) == ("missed", 4, 5)
    assert read == {("b", k): ("accidental", 1, 5) for k in "2345"}
    (judge,) = found.judges()
    assert {n: judge.labels[n] for n in gaps.READINGS} == {"missed": 1, "open": 0, "accidental": 4}
    text = found.text()
    assert text.index("missed here") < text.index("accidental there\n")
    assert "1 missed (most items with these words are marked), 4 accidental" in " ".join(text.split())


def test_items_of_other_judges_do_not_count_for_a_reading_unless_their_strings_do():
    made = table(dict.fromkeys("123", "a dam"), [("a", "1", "a dam"), ("a", "3", "a dam")], judge={"3": "L"})
    (one,) = auto_pyramid(made).missed
    assert (one.item, one.reading) == ("2", "open")
    (one,) = auto_pyramid(made, by="all").missed
    assert (one.item, one.reading, one.marked, one.there) == ("2", "missed", 2, 3)


def test_the_items_as_written_go_into_without_worst_as_they_are(found, tmp_path):
    (tmp_path / "items.csv").write_text(found.to_csv("items"))
    read = q.read(tmp_path / "items.csv")
    method = "without_worst(by=gap)"
    told, direct = (q.trust(p, method, resamples=0).to_dict()["results"] for p in (read, found.panel()))
    assert told == direct
    assert told[0]["details"]["judges"] == [found.judges(resamples=0)[0].labels["judge"]]


def test_gaps_are_averaged_over_items_then_over_tasks():
    raw = {"task": ["s", "t", "t", "t"], "unit": ["a"] * 4, "item": ["1", "1", "2", "3"], "support": [1, 1, 0, 0]}
    raw |= {"models": ["P"] * 4, "evidence": ["x", "x", None, None], "judge": ["K"] * 4}
    found = auto_pyramid(ContentUnits.build(raw, texts={"1": "x", "2": "x", "3": "-"}))
    assert [(t.labels["task"], round(t.value, 4)) for t in found.tasks()] == [("s", 1.0), ("t", 0.0)]
    (judge,) = found.judges()
    assert judge.value == pytest.approx(0.5)
    assert (judge.labels["tasks"], judge.labels["items"], judge.labels["open"]) == (2, 4, 1)
    assert judge.interval.by == "tasks"
    one, three = json.loads(found.to_json())["tasks"]
    assert (one["interval"], three["items"]) == (None, 3)
    assert three["interval"][0] < three["gap"] < three["interval"][1]
    assert found.gaps() == pytest.approx({"K": 0.5})


def test_an_item_without_a_score_is_no_gap():
    raw = {"unit": ["a", "a"], "item": ["1", "2"], "support": [1, 0], "evidence": ["x", None]}
    found = auto_pyramid(ContentUnits.build(raw, texts={"1": "x", "2": "x"}))
    assert math.isnan(found.items[0].gap)
    assert math.isnan(found.judges()[0].value)
    assert json.loads(found.to_json())["judges"][0]["gap"] is None
    assert "No item has" in found.text()


def test_texts_are_needed_and_choices_are_checked():
    with pytest.raises(InputError, match="texts"):
        auto_pyramid(ContentUnits.build({"unit": ["a"], "item": ["1"], "support": [1]}))
    with pytest.raises(BadParameter, match="normalised"):
        auto_pyramid(table({"1": "x"}, []), match="normalized")


def test_the_panel_has_the_automatic_scores_beside_the_manual_ones():
    panel = auto_pyramid(table({"1": "a dam", "2": "a dam"}, [("a", "1", "a dam")])).panel()
    assert panel.value.tolist() == [0.5, 0.0]
    assert panel.labels["auto"].values() == [0.0, 0.5]


@given(data=st.data())
def test_it_finds_what_the_plain_loop_finds(data):
    texts = data.draw(st.lists(st.text("ab c", max_size=14), min_size=1, max_size=5))
    peers = {str(k): t for k, t in enumerate(texts)}
    accepted = []
    for item, text in peers.items():
        for _ in range(data.draw(st.integers(0, 3))):
            a, b = sorted((data.draw(st.integers(0, len(text))), data.draw(st.integers(0, len(text)))))
            if text[a:b].strip():
                accepted.append((data.draw(st.sampled_from("uvw")), item, text[a:b]))
    made = table(peers, accepted)
    pyramid = pyramids(made)["all"]
    listed = {i: (t, [(u, s) for u, item, s in accepted if item == i]) for i, t in peers.items()}
    for gap in auto_pyramid(made).items:
        units = reference.auto_units(listed, gap.item)
        assert gap.auto == pytest.approx(pyramid.modified(sorted(units), "half_up"))


@given(data=st.data())
def test_every_choice_is_what_the_plain_loop_gives(data):
    texts = {
        str(k): data.draw(st.text("ab é\u20ac", min_size=1, max_size=14)) for k in range(data.draw(st.integers(1, 4)))
    }
    rows = {n: [] for n in ("unit", "item", "judge", "support", "weight", "models", "evidence", "mention")}
    mentions = []
    for item, text in texts.items():
        for judge in data.draw(st.sampled_from(("K", "L", "KL"))):
            for number in range(data.draw(st.integers(1, 4))):
                unit = data.draw(st.sampled_from("uvw0"))
                cuts = data.draw(st.lists(st.tuples(*[st.integers(0, len(text))] * 2), min_size=1, max_size=2))
                strings = [text[min(c) : max(c)] for c in cuts]
                strings = strings if all(s.strip() for s in strings) else [text]
                mentions.append((unit, item, judge, strings))
                for string in strings:
                    said = ("0", 0, "") if unit == "0" else (unit, 2, "P Q")
                    row = (said[0], item, judge, 1, *said[1:], string, number)
                    for column, value in zip(rows.values(), row, strict=True):
                        column.append(value)
    made = ContentUnits.build(rows, texts=texts)
    choices = {n: data.draw(st.sampled_from(AUTO[n].choices)) for n in ("by", "uid0", "multi_part")}
    teams = data.draw(st.sampled_from([None, {"0": "t", "1": "t"}]))
    found = auto_pyramid(made, **choices, **({"leave_out": "team", "teams": teams} if teams else {}))
    pyramid = pyramids(made)["all"]
    for gap in found.items:
        units = reference.auto_by_choices(texts, mentions, gap.item, gap.judge, teams=teams, **choices)
        by_hand = {u for u, i, j, _ in mentions if (i, j) == (gap.item, gap.judge)}
        for value, expected in ((gap.auto, units), (gap.manual, by_hand)):
            assert value == pytest.approx(pyramid.modified(sorted(expected), "half_up"), nan_ok=True)
        missed = {m.unit for m in found.missed if (m.item, m.judge) == (gap.item, gap.judge)}
        assert missed == units - by_hand


@pytest.fixture(scope="module")
def small():
    return MadeUp(years=1, topics=16, systems=12, seed=3)


@pytest.fixture(scope="module")
def found(small):
    return auto_pyramid(small.table(2009))


def test_the_judges_with_planted_misses_are_named_worst(found):
    *planted, other = found.judges()[:3]
    assert {j.labels["judge"] for j in planted} == {"C", "F"}
    assert all(
        j.labels["clear"] and j.value < other.value - 0.05 for j in planted
    )  # by Student's t four tasks tell less apart
    assert f"Judge {planted[0].labels['judge']} misses most" in found.text()


def test_another_planted_judge_is_found_as_well(small):
    from dataclasses import replace

    other = replace(small, careless={"B": 0.3}, topics=8)
    assert auto_pyramid(other.table(2009)).judges()[0].labels["judge"] == "B"


def test_who_is_clearly_below_is_tested_with_the_seed_that_was_asked_for(found, monkeypatch):
    seeds, real = [], gaps.judges_by
    monkeypatch.setattr(gaps, "judges_by", lambda m, d, options: seeds.append(options.seed) or real(m, d, options))
    found.text(seed=7, resamples=100)
    assert set(seeds) == {7}


def test_a_judge_has_the_figures_that_the_question_gives(found):
    """The same estimate by `quorate pyramid auto` and by `quorate judges`: value, interval, and who is named."""
    told = {o.labels["judge"]: o for o in q.judges(found.panel(), "auto_pyramid", seed=3)["auto_pyramid"].overall}
    for j in found.judges(seed=3):
        asked = told[j.labels["judge"]]
        assert (j.value, j.interval, j.labels["clear"]) == (asked.value, asked.interval, asked.labels["flag"])


def test_the_text_fits_and_the_same_seed_gives_the_same_bytes(found):
    assert max(map(len, found.text().splitlines())) <= 80
    assert found.to_json(seed=1) == found.to_json(seed=1)
    assert found.to_json(seed=1) != found.to_json(seed=2)


def test_the_order_of_items_does_not_matter(small, found):
    from quorate.summaries.units.reading import from_peers

    peers = [p for d in small.docsets(2009) for p in d.annotated.values()]
    again = auto_pyramid(from_peers(reversed(peers)))
    assert {(g.task, g.item, g.manual, g.auto) for g in again.items} == {
        (g.task, g.item, g.manual, g.auto) for g in found.items
    }
    assert [m.gain for m in again.missed] == [m.gain for m in found.missed]
