"""HTML, Markdown, text and JSON of a report say the same: the verdict, every sentence, every figure and every note."""

from __future__ import annotations

import json
import re
from html import unescape

import numpy as np
import pytest

import quorate as q
from quorate.document.columns import VALUES
from quorate.reports.model import Input
from quorate.words.numbers import ANYTHING, shown

pytestmark = pytest.mark.usefixtures("in_small")

QUICK = {"resamples": 100, "permutations": 20, "inputs": [Input("a_b*c.csv", 10, "ab" * 32)]}


def panels():
    rng = np.random.default_rng(3)
    orders = {t: {j: list(rng.permutation(list("abcde"))) for j in ("ann_1", "bob|2", "<cat>")} for t in ("t1", "t2")}
    lists = {t: {s: list(rng.permutation(list("abcde"))) for s in ("new", "old")} for t in orders}
    groups = {t: {j: dict(zip("uvwxyz", rng.integers(0, 3, 6).tolist(), strict=True)) for j in "ABC"} for t in orders}
    rows = [(t, j, s, s, int(rng.integers(1, 6))) for t in range(4) for j in "ABC" for s in "xyz"]
    names = ("task", "judge", "item", "system", "score")
    scores = q.Scores.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    return {
        "orderings": (q.Orderings.from_orders(orders), q.Orderings.from_orders(lists)),
        "groupings": (q.Groupings.from_groups(groups),),
        "scores": (scores,),
    }


@pytest.fixture(scope="module", params=["orderings", "groupings", "scores"])
def page(request):
    for package in ("altair", "vl_convert", "jinja2"):
        pytest.importorskip(package)
    return q.report(*panels()[request.param], **QUICK)


def plain_words(form, text):
    """What a reader sees of a form, in one line."""
    if form == "html":
        text = unescape(re.sub("<[^>]+>", "", re.sub("<(script|style).*?</\\1>", "", text, flags=re.DOTALL)))
    if form == "md":
        text = re.sub(r"\\([\\|*_<>`\[\]#&])", r"\1", text)
    return " ".join(text.split())


@pytest.mark.parametrize("form", ["html", "md", "text"])
def test_the_verdict_every_sentence_and_every_note_are_in_every_form(page, form):
    found = json.loads(page.rendered("json"))
    text = plain_words(form, page.rendered(form))
    answers = [s["answer"] for s in found["sections"].values()]
    said = [*found["verdict"], *(s for section in found["sections"].values() for s in section["sentences"])]
    said += [f"Note: {note}." for a in answers for note in a.get("notes", [])]
    said += [f"{k}={v}" for k, v in found["parameters"].items()] + [f"{k} {v}" for k, v in found["versions"].items()]
    said += [i["sha256"] for i in found["inputs"]] + [found["title"]]
    for sentence in said:
        plain = " ".join(sentence.split())
        assert plain in text or plain.replace("`", "") in text


def rows_of(form, text):
    """The cells of every row of every table."""
    if form == "md":
        lines = [re.split(r"(?<!\\) \| ", line[2:-2]) for line in text.splitlines() if line.startswith("| ")]
        return {tuple(plain_words(form, cell) for cell in line) for line in lines}
    inside = re.findall(r"<tr[^>]*>(.*?)</tr>", text, re.DOTALL)
    seen = {tuple(plain_words(form, c) for c in re.findall("<td[^>]*>(.*?)</td>", row, re.DOTALL)) for row in inside}
    kept = re.findall(r'<script type="application/json" class="rows">(.*?)</script>', text, re.DOTALL)
    return seen | {tuple(" ".join(c.split()) for c in row) for table in kept for row in json.loads(table)}


@pytest.mark.parametrize("form", ["html", "md"])
def test_every_overall_figure_is_in_every_form(page, form):
    found = json.loads(page.rendered("json"))
    rows = rows_of(form, page.rendered(form))
    figures = [o for s in found["sections"].values() for o in s["answer"]["overall"]]
    assert len(figures) > 5
    told = set()  # where nobody left an item out both treatments are one, and one is shown
    for o in figures:
        name = o["method"].partition("(")[0]
        if "left_out=bucket" in o["method"] and (name, str(o.get("judge")), o["value"]) in told:
            continue
        told.add((name, str(o.get("judge")), o["value"]))
        form = VALUES[name].form if name in VALUES else "figure"
        values = [shown(x, form) for x in ([float("nan"), float("inf")] if o["value"] is None else [o["value"]])]
        whole = "count" if isinstance(o["value"], int) else form
        ends = [float("inf") if end is None else end for end in o["interval"] or ()]  # no limit is null in JSON
        between = {shown(ends, f"interval:{whole}")} if ends else set()
        between |= {ANYTHING} if ends and ends[1] - ends[0] >= 0.98 else set()  # as wide as the scale: said in words
        about = [str(o[n]) for n in ("judge", "system", "metric", "of", "measure", "by", "component") if n in o]
        about = about or [str(o["worst"])] if "worst" in o else about
        told_of = set(about or [o["method"]])
        there = [set(row) for row in rows if not between or between & set(row)]
        assert any({value, *told_of} <= row for row in there for value in values), o
