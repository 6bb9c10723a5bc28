"""Building sentence sets from documents, by the rules of the paper."""

from __future__ import annotations

import json
import sys
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quorate.errors import BadParameter, InputError, MissingExtra
from quorate.groupings.documents import Document, as_date, read_documents, sentences_of, splitter
from quorate.groupings.sentence_sets import build_sentence_set

DAY = date(1998, 9, 24)


def document(name: str, size: int, day: int | None = 0) -> Document:
    when = None if day is None else DAY + timedelta(day)
    return Document(name, "", when, tuple(f"Sentence {k}." for k in range(size)))


def taken(found) -> list[str]:
    return [c.document for c in found.choices if c.taken]


def test_all_of_five_documents_are_taken_even_above_200_sentences():
    found = build_sentence_set([document(f"d{k}", 50, k) for k in range(5)])
    assert found.documents == 5
    assert len(found.sentences) == 250
    assert "more than 200" in found.notes[0]


def test_at_most_15_documents_are_taken_even_below_150_sentences():
    found = build_sentence_set([document(f"d{k:02}", 7, k) for k in range(25)])
    assert found.documents == 15
    assert len(found.sentences) == 105
    assert "fewer than the 150" in found.notes[0]
    assert [c.reason for c in found.choices if not c.taken] == ["15 documents are taken already"] * 10


def test_documents_of_one_day_come_before_shorter_ones_of_other_days():
    same = [document(f"same{k}", 40, 3) for k in range(4)]
    others = [document(f"other{k}", 10, k + 10) for k in range(4)]
    found = build_sentence_set([*others, *same])
    assert taken(found) == ["same0", "same1", "same2", "same3"]
    assert found.choices[-1].reason == "160 sentences are enough"


def test_of_equal_days_shorter_documents_come_first():
    found = build_sentence_set([document(f"d{k}", 60 - 5 * k, k) for k in range(8)])
    assert taken(found) == ["d7", "d6", "d5", "d4", "d3"]  # 25 + 30 + 35 + 40 = 130 are too few, 175 are enough


def test_a_document_that_makes_the_set_too_large_is_passed_over():
    sizes = [140, 70, 55, 61, 62, 63]
    found = build_sentence_set([document(f"d{k}", s, k) for k, s in enumerate(sizes)])
    total = sum(c.sentences for c in found.choices if c.taken)
    assert total == 55 + 61 + 62
    assert {c.document: c.reason for c in found.choices}["d0"] == "178 sentences are enough"


def test_sentences_are_by_date_and_know_where_they_are_from():
    found = build_sentence_set([document("late", 1, 5), document("early", 2, 1), document("undated", 1, None)])
    assert [s.item for s in found.sentences] == ["early.1", "early.2", "late.1", "undated.1"]
    assert found.rows()[0] == {"item": "early.1", "source": "early", "date": "1998-09-25", "text": "Sentence 0."}
    assert "1 of 3 documents have no date" in found.notes[0]
    assert found.to_csv().splitlines()[0] == "item,source,date,text"
    assert [json.loads(line)["item"] for line in found.to_json_lines().splitlines()][-1] == "undated.1"


@given(
    st.lists(st.tuples(st.integers(0, 80), st.integers(0, 4) | st.none()), min_size=1, max_size=30),
    st.randoms(use_true_random=False),
)
def test_the_rules_hold_and_the_order_of_documents_does_not_matter(given, random):
    documents = [document(f"d{k:02}", size, day) for k, (size, day) in enumerate(given)]
    found = build_sentence_set(documents)
    shuffled = list(documents)
    random.shuffle(shuffled)
    assert build_sentence_set(shuffled) == found
    assert len(found.choices) == len(documents)
    assert {s.source for s in found.sentences} == set(taken(found))
    if len(documents) <= 5:
        assert len(found.sentences) == sum(size for size, _ in given)
    else:
        assert found.documents <= 15
        assert len(found.sentences) <= 200
        passed = [c for c in found.choices if not c.taken and c.sentences]
        if len(found.sentences) < 150 and found.documents < 15:
            assert all("above 200" in c.reason for c in passed)
    assert all(c.reason for c in found.choices)


def test_plain_text_has_its_date_in_the_name_or_in_the_first_line(tmp_path):
    (tmp_path / "APW19981016.0240.txt").write_text("One. Two.", encoding="utf-8")
    (tmp_path / "AP880911-0016.txt").write_text("Three.", encoding="utf-8")
    (tmp_path / "x 2001-02-03.txt").write_text("Date: 2001-02-04\nFour.", encoding="utf-8")
    (tmp_path / "none-12345678.txt").write_text("Five.", encoding="utf-8")
    found = {d.id: d for d in read_documents(tmp_path)}
    assert found["APW19981016.0240"].date == date(1998, 10, 16)
    assert found["AP880911-0016"].date == date(1988, 9, 11)
    assert found["x 2001-02-03"].date == date(2001, 2, 4)
    assert found["x 2001-02-03"].text == "Four."
    assert found["none-12345678"].date is None


def test_a_line_of_json_may_hold_other_line_ends(tmp_path):
    path = tmp_path / "docs.jsonl"
    text = "One.\u2028Two.\x85Three."
    path.write_bytes((json.dumps({"id": "d", "text": text}, ensure_ascii=False) + "\r\n\r\n").encode())
    assert [d.text for d in read_documents(path)] == [text]


def test_json_lines_hold_texts_or_sentences(tmp_path):
    path = tmp_path / "docs.jsonl"
    path.write_text('{"id": 1, "date": "1999-10-31T08:00", "text": "A."}\n\n{"id": 2, "sentences": ["B.", " "]}\n')
    one, two = read_documents(path)
    assert (one.id, one.date, one.text) == ("1", date(1999, 10, 31), "A.")
    assert sentences_of(two, str.split) == ("B.",)


def test_every_bad_line_is_named(tmp_path):
    path = tmp_path / "docs.jsonl"
    path.write_text(
        '{"id": 1}\nnonsense\n[1]\n{"text": "x"}\n{"id": 2, "date": "May", "text": ""}\n{"id": 3, "sentences": 1}\n'
    )
    with pytest.raises(InputError) as caught:
        read_documents(path)
    assert [line for line, _ in caught.value.problems] == [1, 2, 3, 4, 5, 6]
    assert "'May' is not a date." in str(caught.value)


def test_mistakes_with_documents_are_errors(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_documents(tmp_path / "absent.txt")
    with pytest.raises(InputError, match="two documents have the id 'a'"):
        build_sentence_set([document("a", 1), document("a", 2)])
    with pytest.raises(InputError, match="no documents"):
        build_sentence_set([])
    with pytest.raises(BadParameter, match="low=10, high=5"):
        build_sentence_set([document("a", 1)], low=10, high=5)
    (tmp_path / "x.txt").write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(InputError, match="not UTF-8"):
        read_documents(tmp_path / "x.txt")


def test_without_the_splitter_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentencex", None)
    with pytest.raises(MissingExtra, match=r"quorate\[text\]"):
        build_sentence_set([Document("a", "One. Two.")])
    assert build_sentence_set([Document("a", "One.\nTwo.")], split=str.splitlines).sentences[1].text == "Two."


def test_sentences_are_split_at_abbreviations_and_blank_lines_as_they_should():
    pytest.importorskip("sentencex")
    first = "Mr. Cook met Dr. Kharazi on Oct. 31 in the U.S. capital,\nhe said."
    text = f"{first}\n\nSECOND PARAGRAPH\n\nAll 217 died. Who knew?"
    assert list(splitter()(text)) == [
        "Mr. Cook met Dr. Kharazi on Oct. 31 in the U.S. capital, he said.",
        "SECOND PARAGRAPH",
        "All 217 died. ",
        "Who knew?",
    ]


def test_dates_are_read_strictly():
    assert as_date(None) is None
    with pytest.raises(InputError):
        as_date("31.10.1999")
