"""Blocks as HTML: names are text, terms are explained once, long tables have pages, methods lead to what they are."""

from __future__ import annotations

import json
import re

import pytest

import quorate as q
from quorate.document.blocks import Chart, Column, Document, Section, Table, Text, columns
from quorate.document.html import PAGE, Html, fragment
from quorate.words.glossary import WORDS, Terms, place

MEANINGS = {place(w): m for w, m in WORDS.items()} | {"method-1": "tau-b"}
PAGED = Html(Terms({"tau_b": "method-1"}, "orderings").explained, MEANINGS, {"tau_b": "method-1"})


def test_names_are_text():
    table = Table("<b>", columns("judge", "value:figure"), (("<i>x</i>", 0.5),))
    made = PAGED.blocks([Text(("<b>",), "note"), Text(("<u>",), "code"), table])
    assert not re.search("<(b|i|u)>", made)
    assert "&lt;i&gt;x&lt;/i&gt;" in made


def test_a_term_is_explained_once_in_a_section_and_again_in_the_next():
    one = Section("S", (Text(("A judge and a judge.",), "lead"),), "s")
    made = PAGED.section(one)
    assert made.count('href="#word-judge"') == 1
    assert PAGED.blocks([one, one]).count('href="#word-judge"') == 2


def test_a_method_in_a_cell_leads_to_what_it_is():
    table = Table("", columns("method", "value:figure"), (("tau_b", 0.5), ("tau_b", 0.6)))
    assert PAGED.table(table, "t", set()).count('<td><a class="word" href="#method-1"') == 1


def test_only_the_first_table_of_a_section_is_open():
    table = Table("T", columns("task"), (("a",),))
    assert PAGED.blocks([table, table]).count("<details open>") == 1
    assert PAGED.blocks([table, table]).count("<details") == 2


def test_columns_that_share_a_method_stand_under_it():
    heads = (Column("j", "judge"), Column("v", "value", "figure", group="m"), Column("p", "p", "p", group="m"))
    made = PAGED.table(Table("", heads, (("a", 0.5, 0.04),)), "t", set())
    assert '<tr><td></td><th scope="colgroup" colspan="2">m</th></tr>' in made
    assert '<td class="n">0.500</td><td class="n">0.04</td>' in made


def test_a_long_table_holds_every_row_for_turning_pages_and_no_name_ends_the_script():
    rows = tuple((f"t{k}</script>", k / 7) for k in range(PAGE + 5))
    made = PAGED.table(Table("", columns("task", "value:figure"), rows, of=999), "t", set())
    assert made.count("<tr>") == PAGE + 1
    [kept] = re.findall('class="rows">(.*?)</script>', made)
    assert json.loads(kept)[PAGE] == [f"t{PAGE}</script>", f"{PAGE / 7:.3f}"]
    assert "The first 25 of 999 rows" in made


def test_a_chart_has_its_data_below_it_without_writing_them_twice():
    chart = Chart("c", "q", "bars", "T: so", "What a judge does.", tuple({"x": k} for k in range(PAGE + 1)), least=600)
    made = PAGED.chart(chart, set())
    assert 'data-rows="c"' in made
    assert 'class="rows"' not in made
    assert '<th scope="col" class="n" data-form="count">x</th>' in made
    assert "min-width: 600px" in made


def test_flagged_rows_are_marked():
    made = PAGED.table(Table("", columns("judge", "flag:flag"), (("a", True), ("b", False))), "t", set())
    assert made.count('<tr class="off">') == 1


@pytest.mark.parametrize("question", ["agreement", "judges", "consensus", "trust"])
def test_an_answer_in_a_notebook_is_made_of_tables(question):
    answer = getattr(q, question)(
        q.Orderings.from_orders({"ann": "abcd", "b<b>": "abdc", "cat": "dcba"}), resamples=100
    )
    made = answer._repr_html_()
    assert made.count("<table>") >= 1
    assert "<pre" not in made
    assert "<b>" not in made
    assert not re.search("<(script|button|a) ", made)


def test_a_notebook_shows_the_first_rows_of_a_long_table():
    made = fragment(Document("", (Table("T", columns("task"), tuple((k,) for k in range(30))),)))
    assert "<caption>T (20 of 30)</caption>" in made
    assert made.count("<tr>") == 21
