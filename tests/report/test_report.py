"""The report of each kind: what it says, in which order, in every form, and that it is the same every time."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.document.html import PAGE
from quorate.reports.contents import ordered
from quorate.reports.model import hashed
from quorate.reports.squares import block_order
from quorate.words.glossary import WORDS, Terms
from tests.without import in_small

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.usefixtures("in_small")
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
    return scored(rows), None


def scored(rows):
    names = ("task", "judge", "item", "system", "score")
    return q.Scores.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def automatic():
    """Two metrics: one that goes with the systems, one against them."""
    level = {"s1": 1, "s2": 2, "s3": 4}
    return scored(
        [
            (t, m, s, s, sign * (v + t / 10))
            for t in range(8)
            for m, sign in (("up", 1), ("down", -1))
            for s, v in level.items()
        ]
    )


MADE = {"orderings": orderings, "groupings": groupings, "scores": scores}
SHOWN = {
    "orderings": {
        *("judge-by-judge", "by-task", "surface", "q-curve", "each-judge", "places", "flow"),
        *("shared-by-most", "leaderboard", "curve-noise"),
    },
    "groupings": {
        *("judge-by-judge", "by-task", "each-judge", "kept", "leaderboard", "curve-sensitivity", "stability"),
    },
    "scores": {
        *("judge-by-judge", "by-task", "each-judge", "leaderboard", "curve-without-worst", "metrics-humans"),
    },
}
KINDS = list(MADE)


@pytest.fixture(scope="module")
def reports():
    return {kind: made(kind) for kind in KINDS}


def made(kind):
    with in_small():  # here and in another process
        return of_kind(kind)


def of_kind(kind):
    return q.report(*MADE[kind](), metrics=automatic() if kind == "scores" else None, **QUICK)


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_answers_the_five_questions_with_the_verdict_first(reports, kind):
    page = reports[kind]
    assert [s.question for s in page.sections] == ["agreement", "judges", "consensus", "quality", "trust"]
    assert all(s.answer is not None for s in page.sections)
    assert page.verdict[0] == page.first_screen.headline
    assert kind != "scores" or any("95% CI" in t.figure for t in page.first_screen.tiles)  # others: all tasks alike
    text = page.text()
    places = [
        text.index(page.verdict[0][:20]),
        *(text.index(s.heading) for s in ordered(page)),
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
    assert {r["judge"] for r in picture.rows if r["state"] == "flagged"} == {"dan <b>"}


def picture(page, name):
    (found,) = [p for p in page.pictures if p.name == name]
    return found


def test_the_curve_of_q_meets_the_answers_own_support(reports):
    page = reports["orderings"]
    rows = {(r["line"], r["q"]): r["value"] for r in picture(page, "q-curve").rows}
    answer = page.section("agreement").answer["support"]
    assert answer.details["q"][0] == 2
    assert rows["pairs in order", 2] == pytest.approx(answer.overall[0].value, abs=1e-5)
    falls = [rows["pairs in order", k] for k in (1, 2, 3, 4)]
    assert falls == sorted(falls, reverse=True)
    assert rows["items", 4] == 1  # all judges have all items


def test_metrics_are_held_against_the_judges_means(reports):
    page = reports["scores"]
    rows = picture(page, "metrics-humans").rows
    assert {r["system"] for r in rows} == {"s1", "s2", "s3"}
    means = {o.labels["system"]: o.value for o in page.section("quality").answer["mean_score"].overall}
    up = {r["system"]: r for r in rows if r["shown"].startswith("up")}
    assert {s: r["human"] for s, r in up.items()} == pytest.approx(means, abs=1e-4)
    assert up["s3"]["metric"] - up["s1"]["metric"] == pytest.approx(3, abs=1e-4)
    found = page.section("trust").answer["metrics"]
    for row in rows:
        metric, r = row["shown"].split()[0], float(row["shown"].split("r = ")[1].rstrip(")"))
        (value,) = [
            o.value
            for o in found.overall
            if (o.labels["metric"], o.labels["level"], o.labels["worst"]) == (metric, "system", 0)
        ]
        assert r == pytest.approx(value, abs=0.005)


def test_metrics_are_for_scores_only():
    page = q.report(orderings()[0], metrics=automatic(), **QUICK)
    assert "not orderings" in page.section("trust").trouble
    assert page.section("agreement").answer is not None


def test_the_leaderboard_without_the_worst_has_a_random_band(reports):
    rows = picture(reports["scores"], "curve-without-worst").rows
    assert rows[0]["shown"] == "spearman"
    assert all(r["random low"] <= r["random"] <= r["random high"] for r in rows)


def test_bands_hold_their_curves(reports):
    for page, name in (("groupings", "curve-sensitivity"), ("orderings", "curve-noise"), ("orderings", "q-curve")):
        rows = [r for r in picture(reports[page], name).rows if r["low"] is not None]
        assert rows or page == "orderings"  # whose tasks are all alike: nothing could come out otherwise
        assert all(r["low"] - 1e-5 <= r["value"] <= r["high"] + 1e-5 for r in rows)


def test_the_consensus_in_the_flow_has_the_answers_rank_intervals(reports):
    page = reports["orderings"]
    answer = page.section("consensus").answer.findings[0]
    rows = [r for r in picture(page, "flow").rows if r["judge"] == "consensus" and r["task"] == "t1"]
    assert {r["item"]: [r["low"], r["high"]] for r in rows} == answer.details["rank_interval"][0]


@pytest.mark.parametrize("kind", KINDS)
def test_the_certainty_is_how_often_the_first_is_first_on_the_draws_of_the_intervals(reports, kind):
    page = reports[kind]
    best = page.section("quality").answer.findings[0].overall[0]
    tile = next(t for t in page.first_screen.tiles if t.name == "certainty")
    second = page.section("quality").answer.findings[0].overall[1]
    over = best.interval.over if best.interval else "tasks"
    if second.labels["p_best"] is None or second.labels["p_best"] >= 0.05:  # then the test decides, not the draws
        assert tile.word == "Not sure"
        assert tile.figure.startswith((f"there are too few {over} to tell {best.labels['system']} from", "that "))
        return
    assert tile.picture.rows[0]["value"] == best.labels["first"]
    assert f"with other {over} like these {best.labels['system']} is first" in tile.figure


def test_the_first_screen_names_who_stands_out(reports):
    orders = {**{f"j{k}": "abcdefgh" if k % 2 else "abcdefhg" for k in range(6)}, "dan <b>": "hgfedcba"}
    page = q.report(q.Orderings.from_orders(orders), **QUICK)
    assert page.first_screen.sub.startswith("dan <b>'s order is nearly the reverse of the others'; without dan <b>, ")
    assert "dan <b>: the answers most unlike the others'" in page.text(200)
    alike = q.report(q.Orderings.from_orders(dict.fromkeys("uvw", "abcd")), **QUICK)
    assert alike.first_screen.tiles[1].word == "Nobody"


@pytest.mark.parametrize("kind", KINDS)
def test_the_first_screen_says_nothing_twice(reports, kind):
    screen = reports[kind].first_screen
    said = [*reports[kind].verdict, *(text for t in screen.tiles for text in (t.figure, t.note) if text)]
    assert len(set(said)) == len(said)


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
    assert found["parameters"].items() >= {"seed": 0, "level": 0.95, **QUICK}.items()
    assert any(m["reference"] for m in found["methods"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", ["json", "text", "md"])
def test_every_kind_has_every_format(reports, kind, form):
    text = reports[kind].rendered(form)
    assert "seed" in text
    assert reports[kind].first_screen.headline in " ".join(text.replace("\\", "").split())


@pytest.mark.parametrize("kind", KINDS)
def test_markdown_has_tables_and_keeps_names_plain(reports, kind):
    text = reports[kind].markdown()
    assert "## Who is off?" in text
    assert "|---|" in text
    assert "<b>" not in text.replace("\\<b\\>", "")


def test_a_question_without_an_answer_does_not_spoil_the_report(monkeypatch):
    def fail(*_, **__):
        raise q.InputError("too little to say.")

    monkeypatch.setattr("quorate.verbs.trust", fail)
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


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"panel": None}, "a NoneType is not a panel"),
        ({"systems": "systems.csv"}, "a str is not a panel"),
        ({"metrics": "metrics.csv"}, "a str is not a panel"),
        ({"resample": 100}, "no option 'resample'.*did you mean 'resamples'"),
        ({"level": 95}, "level=95"),
    ],
)
def test_a_mistake_in_the_call_is_told_before_any_work(monkeypatch, wrong, said):
    monkeypatch.setattr("quorate.reports.model.answered", lambda *_: pytest.fail("worked"))
    with pytest.raises(q.QuorateError, match=re.compile(said, re.DOTALL)):
        q.report(**{"panel": scores()[0], **wrong})


def test_several_methods_are_named_one_by_one():
    with pytest.raises(q.UnknownMethod, match="one by one"):
        q.agreement(orderings()[0], ["tau_b", "rho"])


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
def test_the_page_names_nothing_on_the_network_and_is_small(reports, pages, kind):
    page = pages[kind]
    assert len(page.encode()) < 2_000_000
    plain = re.sub(r"(<script[^>]*>).*?(</script>)", r"\1\2", page, flags=re.DOTALL)  # Vega's tooltips can hold images
    assert page.count('id="library"') == 1
    library = re.search(r'id="library">(.*?)</script>', page, re.DOTALL).group(1)
    assert b"window.vegaEmbed=" in gzip.decompress(base64.b64decode(library))
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
    rows = found.pop("input")["judgments"]
    assert found == json.loads(reports["scores"].to_json())
    assert q.Scores.build(rows) == scores()[0]


def test_a_notebook_shows_the_page(reports, pages):
    shown = reports["scores"]._repr_html_()
    assert shown.startswith("<iframe")
    assert "What to do next" in shown


def test_every_chart_is_there_alone(reports, pages):
    charts = reports["orderings"].charts
    assert set(charts) >= SHOWN["orderings"]
    for drawn in reports["orderings"].pictures:
        chart = charts[drawn.name].to_dict()
        assert " ".join(chart["title"]["text"]) == drawn.title
        assert chart["width"] != "container"  # there is no page whose width it could take
        assert drawn.description in chart["description"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_row_of_a_picture_is_in_its_table_and_in_the_download(reports, pages, kind):
    for p in reports[kind].pictures:
        table = p.table()
        assert len(table.rows) == len(p.rows)
        assert not {c.key for c in table.columns} & set(p.hidden)
    body = pages[kind]
    charts = json.loads(re.search(r'id="charts">(.*?)</script>', body, re.DOTALL).group(1))
    for p in reports[kind].pictures:  # what its table turns the pages of
        packed = charts[p.name]["datasets"]["rows"]
        named, names = packed["named"], packed["names"]
        rows = [
            {c: names[v] if c in named else v for c, v in zip(packed["shapes"][k], values, strict=True)}
            for k, *values in packed["rows"]
        ]
        assert rows == json.loads(json.dumps(p.rows))
    paged = [json.loads(found) for found in re.findall(r'class="rows">(.*?)</script>', body, re.DOTALL)]
    assert all(len(rows) > PAGE for rows in paged)
    data = json.loads(reports[kind].to_json())["sections"]
    assert sum(len(p["rows"]) for s in data.values() for p in s["pictures"]) == sum(
        len(p.rows) for p in reports[kind].pictures
    )


@pytest.mark.parametrize("kind", KINDS)
def test_terms_lead_to_what_they_mean(reports, pages, kind):
    body = pages[kind]
    ids = set(re.findall(r' id="([^"]+)"', body))
    leading = re.findall(r'class="word" href="#([^"]+)"', body)
    assert {"word-judge", "word-interval", "method-1"} <= set(leading)
    assert set(leading) <= ids
    assert set(re.findall(r'aria-describedby="([^"]+)"', body)) <= ids
    for m in reports[kind].methods:
        assert f'<dt id="method-{reports[kind].methods.index(m) + 1}">' in body


def test_words_are_explained_where_they_mean_that():
    def found(text, kind):
        return [
            piece
            for piece, where in Terms({"tau_b": "method-1", "mean": "method-2"}, kind).explained(text, set())
            if where
        ]

    assert found("tau_b of two judges, mean 0.4; items left out count", "orderings") == ["tau_b", "judges", "items"]
    assert found("items left out", "groupings") == ["items", "left out"]
    assert found("Agreement by tau-b; Tau_b is low", "orderings") == [
        "Agreement",
        "tau-b",
    ]  # once, and a sentence begins
    assert found("50 units, icc(model=2, unit=single)", "scores") == ["units"]
    assert found("50 units", "groupings") == []
    assert found("low", "scores") == ["low"]  # a heading
    assert found("one judge is off (mean)", "scores") == ["judge", "mean"]  # in brackets a method is meant
    assert found("(mean over 30 tasks)", "scores") == ["tasks"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_word_of_the_glossary_in_a_section_is_explained_there(pages, kind):
    main = pages[kind].partition("<main>")[2].partition("</main>")[0]
    apart = "|".join(f"<{tag}.*?</{tag}>" for tag in ("script", "tbody", "h2", "h3", "summary", 'p class="note"'))
    for section in re.split('<section id="', main)[1:]:
        name, _, inside = section.partition('"')
        shown = re.sub(apart.replace('</p class="note">', "</p>"), "", inside.partition(">")[2], flags=re.DOTALL)
        led = set(re.findall('class="word" href="#([^"]+)"', shown))
        for line in unescape(re.sub("<[^>]+>", "\n", shown)).splitlines() if name not in ("verdict", "notes") else ():
            for _, where in Terms({}, kind).explained(line.strip(), set()):
                assert not where or where in led, (name, line)


def test_another_process_makes_the_same_bytes(reports, pages, tmp_path):
    script = """
import sys
sys.path.insert(0, sys.argv[1])
import test_report as t
page = t.made("scores")
for form in ("json", "html"):
    page.save(f"{sys.argv[2]}/scores.{form}")
"""
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": str(ROOT)}
    folder = str(Path(__file__).parent)
    subprocess.run([sys.executable, "-c", script, folder, str(tmp_path)], check=True, env=environment)
    assert (tmp_path / "scores.json").read_text("utf-8") == reports["scores"].to_json()
    assert (tmp_path / "scores.html").read_text("utf-8") == pages["scores"]


def test_a_large_panel_gives_a_small_page(monkeypatch, reports, pages):
    from quorate.reports import html

    page = reports["orderings"]
    monkeypatch.setattr(html, "PAGE_SIZE", len(pages["orderings"].encode()) - 1)  # then the download gives way
    smaller = page.html()
    assert len(smaller.encode()) <= html.PAGE_SIZE
    assert "3 digits, but for what is too large for one page" in smaller


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


def test_systems_give_the_section_on_quality(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text(CSV)
    found = json.loads(run("in.csv", "--systems", "in.csv", "--format", "json").stdout)
    assert "quality" in found["sections"]
    assert [i["role"] for i in found["inputs"]] == ["judgments", "systems"]


GROUPS = "judge,task,item,group\n" + "".join(
    f"{j},{t},{i},{g}\n"
    for t in "tu"
    for j, gs in (("a", "112"), ("b", "122"), ("c", "112"))
    for i, g in zip("xyz", gs, strict=True)
)
SCORES = "judge,task,item,system,score\n" + "".join(
    f"{j},{t},{s},{s},{(k + n * t) % 5 + 1}\n"
    for t in range(4)
    for k, j in enumerate("abc")
    for n, s in enumerate("xyz")
)
FILES = {"orderings": CSV, "groupings": GROUPS, "scores": SCORES}


@pytest.mark.parametrize(("kind", "form"), [("orderings", "md"), ("groupings", "text"), ("scores", "html")])
def test_every_kind_on_the_command_line_with_systems(tmp_path, pages, monkeypatch, kind, form):
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text(FILES[kind])
    lists = () if kind == "scores" else ("--systems", "in.csv")
    done = run("in.csv", *lists, "--format", form, "--out", "out")
    assert done.exit_code == 0, done.output
    assert re.match(r"(The|It|Without|\w+,) .*judges? ", done.stderr)
    text = Path("out").read_text("utf-8")
    assert "How good are the systems?" in text or '"quality"' in text
    assert hashlib.sha256(FILES[kind].encode()).hexdigest() in text
    assert "quorate report" in text


def test_metrics_on_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text(SCORES)
    Path("metrics.csv").write_text(
        "task,system,rouge\n" + "".join(f"{t},{s},{n + t / 9:.3f}\n" for t in range(4) for n, s in enumerate("xyz"))
    )
    done = run("in.csv", "--metrics", "metrics.csv", "--format", "json", "--out", "out")
    assert done.exit_code == 0, done.output
    text = Path("out").read_text("utf-8")
    assert "metrics-humans" in text
    assert "--metrics metrics.csv" in text
    assert hashlib.sha256(Path("metrics.csv").read_bytes()).hexdigest() in text
    found = json.loads(text)
    assert [i["role"] for i in found["inputs"]] == ["judgments", "metrics"]
    assert {o["metric"] for o in found["sections"]["trust"]["answer"]["overall"] if "metric" in o} == {"rouge"}


def test_open_shows_the_page(tmp_path, pages, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text(CSV)
    opened = []
    monkeypatch.setattr("click.launch", opened.append)
    monkeypatch.setenv("DISPLAY", ":0")
    assert run("in.csv", "--open", "--out", "page.html").exit_code == 0
    assert opened == ["page.html"]


def test_mistakes_end_in_a_message_and_exit_code_2(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text(CSV)
    assert run("none.csv").exit_code == 2
    assert run("in.csv", "--open", "--format", "json").exit_code == 2
    for out, said in (("none/page.html", "there is no folder none"), ("page.pdf", "how should it be written?")):
        done = run("in.csv", "--out", out)
        assert done.exit_code == 2
        assert said in done.stderr
        assert not Path(out).exists()
    assert run("in.csv", "--task", "nothing").exit_code == 2


def test_a_judge_or_system_called_like_a_word_is_no_word_to_explain():
    scores = {"panel": [5, 2, 4], "tie": [5, 1, 4], "ED": [4, 2, 5]}
    rows = [
        (j, t, s, f"{t}-{s}", v)
        for t in ("a", "b")
        for j, own in scores.items()
        for s, v in zip("pqr", own, strict=True)
    ]
    names = ("judge", "task", "system", "item", "score")
    page = q.report(
        q.Scores.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))), resamples=5, permutations=9
    ).html()
    assert '#word-p"' not in page
    assert '#word-judge"' in page
