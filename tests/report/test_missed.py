"""What judges missed as a page: who, where, which unit, in which words, and where these were accepted."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from click.testing import CliRunner

from quorate.cli import main
from quorate.document.html import page
from quorate.document.terminal import render
from quorate.errors import UnknownId
from quorate.summaries.units.auto_pyramid import auto_pyramid
from quorate.summaries.units.made_up import MadeUp
from quorate.summaries.units.missed_strings import AROUND, EXPLAINED, missed_strings
from quorate.summaries.units.model import ContentUnits

LONG = "word " * 40


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.cells, self.marked, self.inside = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta", "br", "wbr", "link"):
            self.inside.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.inside.pop() == tag

    def handle_data(self, data):
        if "td" in self.inside:
            self.cells[-1] += data
        if self.inside[-1:] == ["mark"]:
            self.marked.append(data)


@pytest.fixture
def found():
    rows = [
        ("a", "1", "K", 1, 2, "P Q", "A <dam> broke"),
        ("a", "1", "K", 1, 2, "P Q", "dam"),
        ("a", "2", "K", 0, 2, "P Q", None),
        ("b", "2", "K", 1, 2, "P Q", "on Monday"),
        ("b", "3", "L", 1, 2, "P Q", "on Monday"),
    ]
    names = ("unit", "item", "judge", "support", "weight", "models", "evidence")
    raw = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    raw["text"] = [{"a": "A dam & its end", "b": "It was Monday"}[u] for u in raw["unit"]]
    texts = {"1": "A <dam> broke on Monday.", "2": f"{LONG}A <dam> broke on Monday. {LONG}", "3": "on Monday"}
    return auto_pyramid(ContentUnits.build(raw, texts=texts))


def written(*words):
    return page(missed_strings(*words).document())


def test_a_row_says_item_unit_words_in_context_and_where_they_were_accepted(found):
    made = Page(written(found))
    cells = made.cells[2 * 5 :]  # after the table of both judges
    rows = [cells[k : k + 7] for k in range(0, len(cells), 7)]
    assert [(r[0], r[1], r[3], r[4], r[5]) for r in rows] == [
        ("2", "A dam & its end (a)", "1", "1 of 2", "2"),
        ("1", "It was Monday (b)", "2", "1 of 2", "2"),
    ]
    assert made.marked == ["A <dam> broke", "on Monday"]  # not also the dam inside it
    assert rows[0][2].startswith("\u2026 word")
    assert len(rows[0][2]) < 2 * AROUND + 20


def test_the_page_begins_with_every_judge_and_goes_task_by_task(folder):
    from quorate.summaries.units.reading import read_units

    found = auto_pyramid(read_units(folder))
    made = missed_strings(found)
    text = page(made.document())
    head, _, rest = text.partition("</table>")
    names = [j.about.labels["judge"] for j in made.judges]
    assert [head.count(f"<td>{name}</td>") for name in names] == [1] * len(names)
    assert head.count('class="whisker"') == len(names)
    assert [rest.index(f">Judge {name}</h2>") for name in names] == sorted(
        rest.index(f">Judge {name}</h2>") for name in names
    )
    worst = made.judges[0]
    assert [t.about.value for t in worst.tasks] == sorted(t.about.value for t in worst.tasks)
    assert sum(len(t.units) for t in worst.tasks) == sum(
        worst.about.labels[n] for n in ("missed", "open", "accidental")
    )
    assert [t for t in worst.tasks if f"Task {t.about.labels['task']}: " not in text] == []
    assert text.count("<details open>") == text.count("<details")  # nothing to be opened before it is printed
    for t in worst.tasks:
        assert [u.first.gain for u in t.units] == sorted((u.first.gain for u in t.units), reverse=True)
        assert {u.first.task for u in t.units} == {t.about.labels["task"]}
    assert 'class="whisker"' not in written(found, [worst.about.labels["judge"]])


def test_the_page_asks_nothing_of_anybody_and_has_no_script(found):
    made = Page(written(found))
    tags = [t for t, _ in made.tags]
    assert not {"script", "link", "img", "iframe"} & set(tags)
    assert not [a for _, a in made.tags if a.get("href", "#").partition("#")[0] or "src" in a]
    assert made.inside == []


def test_a_judge_can_be_asked_for_alone_and_unknown_ones_are_told(found):
    assert [j.about.labels["judge"] for j in missed_strings(found, ["K"]).judges] == ["K"]
    assert "0 units missed, 2 open and 0 accidental in 2 items of 1 task" in missed_strings(found, ["K"]).lines()[0]
    with pytest.raises(UnknownId, match="no judge 'X'"):
        missed_strings(found, ["X"])


def test_a_long_list_is_cut_and_says_so(found):
    assert "1 of 2 units" in render(missed_strings(found).blocks(most=1))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    base = tmp_path_factory.mktemp("collection")
    MadeUp(years=1, topics=4, systems=5, documents=3, seed=2).write(base)
    return base / "2009" / "UpdateSumm09_eval" / "manual"


def test_the_command_line_writes_it_for_every_judge_or_one(folder, tmp_path):
    def run(*words, code=0):
        result = CliRunner().invoke(main, ["pyramid", "auto", str(folder), *words])
        assert result.exit_code == code, result.output
        return result

    every, one = tmp_path / "every.html", tmp_path / "one.html"
    run("--html", "--out", str(every))
    judge = auto_pyramid_judges(folder)[0]
    run("--html", "--judge", judge, "--out", str(one))
    assert f"Judge {judge}" in one.read_text()
    assert len(one.read_text()) < len(every.read_text())
    assert run("--html").stdout == every.read_text()
    assert "--judge is for --html" in run("--judge", judge, code=2).stderr


def auto_pyramid_judges(folder):
    from quorate.summaries.units.reading import read_units

    return [str(j.labels["judge"]) for j in auto_pyramid(read_units(folder)).judges(resamples=0)]


def test_a_report_of_scores_has_the_section_when_units_are_given(folder, tmp_path, monkeypatch):
    pytest.importorskip("altair")
    monkeypatch.setattr("quorate.document.frame.library", lambda: "")  # the charts' script is not needed here
    (tmp_path / "scores.csv").write_text("judge,item,score\nann,x,1\nann,y,2\nbob,x,1\nbob,y,3\n")
    given = [
        "report",
        str(tmp_path / "scores.csv"),
        "--units",
        str(folder),
        "--resamples",
        "100",
        "--permutations",
        "0",
    ]
    target = tmp_path / "page.html"
    result = CliRunner().invoke(main, [*given, "--out", str(target)])
    assert result.exit_code == 0, result.output
    inside = target.read_text().partition('<section id="missed"')[2].partition('<section id="notes"')[0]
    names = auto_pyramid_judges(folder)
    assert inside.index(EXPLAINED[:10]) < inside.index('class="whisker"') < inside.index(f">Judge {names[0]}</h3>")
    assert inside.count("</h3>") == len(names)
    assert "<details open>" not in inside  # all judges at a glance; each one's tables are to be opened
    assert "<mark>" in inside


def test_other_forms_of_a_report_have_a_line_for_each_judge(found):
    from quorate.panel.kinds import Scores
    from quorate.reports.model import report

    panel = Scores.build({"judge": ["a", "b", "a", "b"], "item": ["x", "x", "y", "y"], "score": [1, 1, 2, 3]})
    made = report(panel, missed=missed_strings(found), resamples=100, permutations=0)
    assert "What did judges miss?" in made.text()
    assert "K: 0 units missed, 2 open and 0 accidental in 2 items" in made.markdown()
    assert [j["judge"] for j in made.to_dict()["missed"]["judges"]] == ["K", "L"]
