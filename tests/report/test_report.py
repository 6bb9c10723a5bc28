"""The report of each kind: what it says, in which order, in every form, and that it is the same every time."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.reports.model import hashed
from quorate.reports.squares import block_order
from quorate.reports.words import WORDS

ROOT = Path(__file__).resolve().parents[2]
QUICK = {"resamples": 100, "permutations": 20}


def orderings():
    judges = {"ann": "abcdef", "bob": "abdcfe", "cat": "bacdef", "dan <b>": "fedcba"}
    lists = {"new": "abcdef", "old": "fdceba"}
    tasks = ("t1", "t2", "t3")
    return q.Orderings.from_orders(dict.fromkeys(tasks, judges)), q.Orderings.from_orders(dict.fromkeys(tasks, lists))


def groupings():
    def of(**judges):
        return {j: dict(zip("uvwxyz", groups, strict=True)) for j, groups in judges.items()}

    judges = of(ann=[1, 1, 2, 2, 3, None], bob=[1, 1, 2, 2, 2, 3], cat=[1, 2, 2, 1, 3, 3])
    lists = of(new=[1, 1, 2, 2, 3, None], old=[1, 2, 1, 2, 2, 3])
    return q.Groupings.from_groups({"t1": judges, "t2": judges}), q.Groupings.from_groups({"t1": lists, "t2": lists})


def scores():
    rng = np.random.default_rng(1)
    rows = [
        (task, judge, system, system, float(np.clip(round(level + rng.normal(0, 0.7)), 1, 5)))
        for task in range(8)
        for judge in "ABC"
        for system, level in (("s1", 2), ("s2", 3.2), ("s3", 4))
    ]
    columns = dict(zip(("task", "judge", "item", "system", "score"), map(list, zip(*rows, strict=True)), strict=True))
    return q.Scores.build(columns), None


MADE = {"orderings": orderings, "groupings": groupings, "scores": scores}
SHOWN = {
    "orderings": {"judge-by-judge", "by-task", "surface", "each-judge", "places", "flow", "leaderboard", "curve-noise"},
    "groupings": {"judge-by-judge", "by-task", "each-judge", "kept", "leaderboard", "curve-sensitivity"},
    "scores": {"judge-by-judge", "by-task", "each-judge", "leaderboard", "curve-without-worst"},
}
KINDS = list(MADE)


@pytest.fixture(scope="module")
def reports():
    return {kind: q.report(*make(), **QUICK) for kind, make in MADE.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_answers_the_five_questions_with_the_verdict_first(reports, kind):
    page = reports[kind]
    assert [s.question for s in page.sections] == ["agreement", "judges", "consensus", "quality", "trust"]
    assert all(s.answer is not None for s in page.sections)
    assert page.verdict[0] == page.section("agreement").answer.sentences[0]
    assert any("interval" in s for s in page.verdict)
    text = page.text()
    places = [
        text.index(page.verdict[0][:20]),
        *(text.index(s.heading) for s in page.sections),
        text.index("Data and meth"),
    ]
    assert places == sorted(places)


@pytest.mark.parametrize("kind", KINDS)
def test_pictures_hold_what_they_are_drawn_from(reports, kind):
    page = reports[kind]
    names = [p.name for p in page.pictures]
    assert len(set(names)) == len(names)
    assert set(names) >= SHOWN[kind]
    assert all(p.rows and p.title and p.description for p in page.pictures)


def test_numbers_in_pictures_are_those_of_the_answers(reports):
    page = reports["orderings"]
    picture = next(p for p in page.pictures if p.name == "each-judge")
    finding = page.section("judges").answer["peer_correlation"]
    assert [r["judge"] for r in picture.rows] == [o.labels["judge"] for o in finding.overall]
    assert [r["value"] for r in picture.rows] == pytest.approx([o.value for o in finding.overall], abs=1e-5)
    assert {r["judge"] for r in picture.rows if r["flag"] == "flagged"} == {"dan <b>"}


def test_the_heat_map_is_the_mean_of_tau_over_tasks(reports):
    picture = reports["orderings"].pictures[0]
    found = {(r["judge"], r["other"]): r["value"] for r in picture.rows}
    assert found["ann", "dan <b>"] == -1
    assert found["ann", "bob"] == found["bob", "ann"] == pytest.approx(1 - 2 * 2 / 15, abs=1e-5)


def test_judges_who_agree_stand_side_by_side():
    like = np.array([[1, 0, 0.9, 0.1], [0, 1, 0.1, 0.8], [0.9, 0.1, 1, 0], [0.1, 0.8, 0, 1]])
    order = block_order(like)
    assert abs(order.index(0) - order.index(2)) == 1
    assert abs(order.index(1) - order.index(3)) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_json_has_every_answer_and_no_nan(reports, kind):
    found = json.loads(reports[kind].to_json())
    assert list(found["sections"]) == ["agreement", "judges", "consensus", "quality", "trust"]
    assert found["sections"]["trust"]["answer"]["overall"]
    assert found["parameters"] == {"seed": 0, "level": 0.95, **QUICK}
    assert any(m["reference"] for m in found["methods"])


@pytest.mark.parametrize("kind", KINDS)
def test_markdown_has_tables_and_keeps_names_plain(reports, kind):
    text = reports[kind].markdown()
    assert "## Who is off?" in text
    assert "|---|" in text
    assert "<b>" not in text.replace("\\<b\\>", "")


def test_a_question_without_an_answer_does_not_spoil_the_report(monkeypatch):
    def fail(*_, **__):
        raise q.InputError("too little to say.")

    monkeypatch.setattr("quorate.ask.trust", fail)
    page = q.report(orderings()[0], **QUICK)
    assert page.section("trust").trouble == "too little to say."
    assert page.section("agreement").answer is not None
    assert "too little to say." in page.text()
    assert "too little to say." in page.markdown()


@pytest.mark.parametrize(
    "panel",
    [
        q.Orderings.from_orders({"ann": "abc"}),
        q.Orderings.from_orders({"ann": "a", "bob": "a"}),
        q.Orderings.from_orders({"ann": "abc", "bob": "def"}),
        q.Groupings.from_groups({"ann": {"x": 1}, "bob": {"x": None}}),
        q.Scores.from_matrix([[1, 1, 1], [1, 1, 1]]),
        q.Scores.from_matrix([[1.0]]),
    ],
    ids=["one judge", "one item", "nothing in common", "one item grouped", "all the same", "one score"],
)
def test_degenerate_panels_have_a_report(panel):
    page = q.report(panel, **QUICK)
    assert page.verdict
    assert page.text()
    json.loads(page.to_json())


def test_what_is_not_a_panel_and_what_cannot_be_written_are_errors(reports, tmp_path):
    with pytest.raises(q.InputError, match="not a panel"):
        q.report([1, 2])
    with pytest.raises(q.InputError, match="how should"):
        reports["scores"].save(tmp_path / "report.pdf")
    with pytest.raises(q.InputError, match="pdf"):
        reports["scores"].rendered("pdf")
    with pytest.raises(q.UnknownId, match="section"):
        reports["scores"].section("trusted")


def test_files_are_named_with_their_hashes(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"x")
    (found,) = hashed(tmp_path, "-")
    assert found.sha256 == hashlib.sha256(b"x").hexdigest()
    assert found.size == 1


def test_the_words_are_the_glossarys():
    lines = (ROOT / "docs" / "glossary.md").read_text("utf-8").splitlines()
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    assert {c[0]: c[1].replace("`", "") for c in cells if c[0] != "word"} == WORDS


# -- the page ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pages(reports):
    for package in ("altair", "vl_convert", "jinja2"):
        pytest.importorskip(package)
    return {kind: page.html() for kind, page in reports.items()}


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_is_the_same_every_time(pages, kind):
    assert q.report(*MADE[kind](), **QUICK).html() == pages[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_names_nothing_on_the_network_and_is_small(reports, pages, kind):
    page = pages[kind]
    assert len(page.encode()) < 2_000_000
    plain = re.sub(r"(<script[^>]*>).*?(</script>)", r"\1\2", page, flags=re.DOTALL)  # Vega's tooltips can hold images
    assert len(plain) < len(page) - 800_000
    assert not re.search(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=", plain)
    assert page.count('id="charts"') == 1
    charts = json.loads(re.search(r'id="charts">(.*?)</script>', page, re.DOTALL).group(1))
    assert list(charts) == sorted(p.name for p in reports[kind].pictures)
    for name in charts:
        assert f'data-chart="{name}"' in page


def test_names_in_the_page_are_text(pages):
    assert "dan &lt;b&gt;" in pages["orderings"]
    body = pages["orderings"].split('id="charts"')[0]
    assert "<b>" not in body


def test_the_download_holds_every_figure(reports, pages):
    packed = re.search(r"data:application/gzip;base64,([^\"]+)", pages["scores"]).group(1)
    found = json.loads(gzip.decompress(base64.b64decode(packed)))
    assert found == json.loads(reports["scores"].to_json())


def test_a_notebook_shows_the_page(reports, pages):
    shown = reports["scores"]._repr_html_()
    assert shown.startswith("<iframe")
    assert "The verdict" in shown


def test_every_chart_is_there_alone(reports, pages):
    charts = reports["orderings"].charts
    assert set(charts) >= SHOWN["orderings"]
    assert all(chart.to_dict()["description"] for chart in charts.values())


def test_a_large_panel_gives_a_small_page(monkeypatch, pages):
    from quorate.reports import html

    page = q.report(orderings()[0], **QUICK)
    whole, _ = html.download(page)
    monkeypatch.setattr(html, "DATA", len(whole) - 1)
    smaller, said = html.download(page)
    assert len(smaller) < len(whole)
    assert "--format json" in said


# -- the command line -------------------------------------------------------------------------------------------------

CSV = "judge,item,position\n" + "".join(
    f"{j},{i},{p}\n" for j, order in (("ann", "abc"), ("bob", "acb"), ("cat", "abc")) for p, i in enumerate(order, 1)
)


def run(*words, cwd=None):
    return CliRunner().invoke(main, ["report", *map(str, words), "--resamples", "100", "--permutations", "20"])


def test_the_command_writes_each_format(tmp_path, pages, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text(CSV)
    assert run("in.csv", "--format", "text").stdout.startswith("Report on orderings")
    assert json.loads(run("in.csv", "--format", "json").stdout)["kind"] == "orderings"
    done = run("in.csv")
    assert done.exit_code == 0
    page = Path("report.html").read_text("utf-8")
    assert hashlib.sha256(CSV.encode()).hexdigest() in page
    assert "quorate report --resamples 100 --permutations 20 in.csv" in page
    assert run("in.csv", "--out", "other.md").exit_code == 0
    assert Path("other.md").read_text("utf-8").startswith("# Report on orderings")
    assert run("in.csv", "--out", "again.html").exit_code == 0
    assert Path("again.html").read_bytes() == Path("report.html").read_bytes()


def test_systems_give_the_section_on_quality(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text(CSV)
    found = json.loads(run("in.csv", "--systems", "in.csv", "--format", "json").stdout)
    assert "quality" in found["sections"]
    assert [i["role"] for i in found["inputs"]] == ["judgments", "systems"]


def test_mistakes_end_in_a_message_and_exit_code_2(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text(CSV)
    assert run("none.csv").exit_code == 2
    assert run("in.csv", "--open", "--format", "json").exit_code == 2
    assert run("in.csv", "--task", "nothing").exit_code == 2
