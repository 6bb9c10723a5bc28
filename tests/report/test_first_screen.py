"""The first screen of every panel: true, short, without jargon, and linked to what it rests on."""

from __future__ import annotations

import json
import math
import re
from functools import cache

import numpy as np
import pytest

import quorate as q
from quorate import table
from quorate.document.blocks import Chart, Section
from quorate.document.screen import first_screen, picture
from quorate.inference.flags import DIAGNOSES
from quorate.words.headline import LONGEST
from quorate.words.judges import HOW
from quorate.words.next_steps import ASK
from quorate.words.screen import FirstScreen
from tests.family import some
from tests.golden.panels import PANELS, NoData

pytestmark = pytest.mark.usefixtures("in_small")

SLOW = ("public-dots", "public-diagnoses")
EVERY = [name for name in PANELS if not name.startswith("every") and name not in SLOW]
NAMES = some(EVERY, 12)
QUICK = {"resamples": 20, "permutations": 9}
PLAIN = {"mean", "median", "pairs", "noise", "place", "copies", "together", "support", "quorum", "majority", "bias"}
PLAIN |= {"alternative", "independence", "influence", "consistency", "f", "v", "win_rate", "percent", "metrics"}
METHODS = {d.name for d in table.declarations()} - PLAIN  # words of English are no jargon
JARGON = ("alpha", "kappa", "tau", "rho", "bootstrap", "permutation", "Holm", "p =", "p <", "NaN", "nan", "None", "inf")


@cache
def made(name: str) -> q.Report:
    try:
        case = PANELS[name]()
    except NoData as missing:
        pytest.skip(str(missing))
    lists = case.systems if case.panel.kind in ("orderings", "groupings") else None
    return q.report(case.panel, lists, metrics=case.metrics, **QUICK)


def said(screen: FirstScreen) -> list[str]:
    told = [screen.headline, screen.sub, *map(str, screen.steps)]
    return [*told, *(text for t in screen.tiles for text in (t.asks, t.word, t.figure, t.note, t.picture.said))]


TILES = {  # of pages by role
    "": ["agreement", "judges", "result", "certainty"],
    "labels": ["right", "confused", "judges", "decide"],
    "models": ["stand_in", "across", "worth", "bias"],
    "metrics": ["result", "certainty", "metrics", "agreement"],
}


def anchors(blocks) -> set[str]:
    """The places of a page, by the blocks that it is made of."""
    out = {f"c-{b.name}" for b in blocks if isinstance(b, Chart)}
    for part in blocks:
        if isinstance(part, Section):
            out |= {part.name} | anchors(part.blocks)
    return out


@pytest.mark.parametrize("name", NAMES)
def test_the_first_screen_is_short_whole_and_in_plain_words(name):
    report = made(name)
    screen = report.first_screen
    assert 0 < len(screen.headline) <= LONGEST
    assert screen.headline.endswith(".")
    role = report.parts[0].name if report.parts else ""
    tiles = TILES["metrics" if "metrics" in report.panels else role]
    off = "metrics" in report.panels and any(s.judge for s in screen.steps)
    assert [t.name for t in screen.tiles] == ([*tiles[:3], "judges"] if off else tiles)
    assert all(t.word and t.figure and t.picture.rows and t.picture.said for t in screen.tiles)
    assert 1 <= len(screen.steps) <= 4
    names = {str(n) for p in report.panels.values() for n in (*p.judges, *p.items, *p.tasks)}
    names |= {str(n) for p in report.panels.values() for c in p.labels.values() for n in c.ids}
    for text in said(screen):
        words = set(re.findall(r"[\w.-]+", text)) - names
        assert not words & METHODS, text
        assert not any(re.search(rf"(?<!\w){re.escape(j)}(?!\w)", text) for j in JARGON if j not in names), text
        assert "  " not in text


@pytest.mark.parametrize("name", NAMES)
def test_every_step_and_tile_leads_to_a_place_on_the_page(name):
    report = made(name)
    there = anchors(report.document().blocks)
    assert {s.anchor for s in report.first_screen.steps} <= there
    assert {t.anchor for t in report.first_screen.tiles} <= there


@pytest.mark.parametrize("name", NAMES)
def test_who_is_named_as_off_is_who_is_flagged(name):
    report = made(name)
    answer = report.section("judges").answer
    flagged = list(dict.fromkeys(str(f["judge"]) for f in (answer.more["flagged"] if answer else ())))
    for tile in (t for t in report.first_screen.tiles if t.name == "judges"):
        marked = [r["name"] for r in tile.picture.rows if r.get("off")]
        assert len(marked) <= len(flagged)
        assert ("look" in tile.word) == bool(flagged) or report.parts
    for k, judge in enumerate(flagged[:2], 1):
        (step,) = [s for s in report.first_screen.steps if s.anchor == f"off-{k}" and s.do.startswith("Look at")]
        assert judge[:8] in step.do
    copied = [str(r["judge"]) for r in (answer.more.get("one_voice", ()) if answer else ())]
    assert (report.first_screen.headline.find(copied[0]) >= 0) if copied and not report.parts else True


@pytest.mark.parametrize("name", NAMES)
def test_numbers_of_the_tiles_are_those_of_the_answers(name):
    report = made(name)
    answer = report.section("agreement").answer
    known = [e for e in answer.findings[0].overall if math.isfinite(e.value)] if answer and answer.findings else []
    rows = next((t.picture.rows for t in report.first_screen.tiles if t.name == "agreement"), ())
    if rows and rows[0]["value"] is not None:
        assert [r["value"] for r in rows] == [float(e.value) for e in known[: len(rows)]]
    for tile in report.first_screen.tiles:
        assert all(r["value"] is None or math.isfinite(r["value"]) for r in tile.picture.rows)


@pytest.mark.parametrize("name", NAMES)
def test_it_is_in_the_json_and_at_the_head_of_text_and_markdown(name):
    report = made(name)
    found = json.loads(report.to_json())["first_screen"]
    assert found["headline"] == report.first_screen.headline
    assert len(found["tiles"]) == 4
    for text in (report.text(10_000), report.markdown().replace("\\", "")):
        places = [text.find(x) for x in (report.first_screen.headline, "What to do next", "How much do the judges")]
        assert -1 not in places
        assert places == sorted(places)


@pytest.mark.parametrize("name", NAMES)
def test_pictures_are_drawn_inside_their_frame(name):
    for tile in made(name).first_screen.tiles:
        svg = picture(tile.picture)
        assert 'role="img"' in svg
        assert 'aria-label="' in svg
        across = [float(x) for x in re.findall(r' (?:x|x1|x2|cx)="(-?[\d.]+)"', svg)]
        assert all(0 <= x <= 220 for x in across), svg
        assert "nan" not in svg


def test_names_cannot_become_markup():
    names = ("<b>x</b>", '"><script>', "c & d")
    orders = dict(zip(names, ("abcd", "abdc", "dcba"), strict=True))
    html = first_screen(q.report(q.Orderings.from_orders(orders), **QUICK).first_screen)
    assert "<script>" not in html
    assert "<b>" not in html


def orders(*given: str) -> q.Report:
    return q.report(q.Orderings.from_orders({f"j{k}": o for k, o in enumerate(given)}), **QUICK)


def test_an_interval_that_holds_everything_is_said_to_say_nothing():
    tile = made("orderings-counts-by-task").first_screen.tiles[0]
    assert "nearly anything" in tile.note


def test_a_judge_who_hides_that_the_others_agree_is_named_first():
    screen = orders("abcdefgh", "bacdefgh", "acbdefgh", "abdcefgh", "abcedfgh", "hgfedcba").first_screen
    assert screen.headline.startswith("Without j5 the judges agree ")
    assert "nearly the reverse" in screen.sub
    assert screen.steps[0].do == "Look at j5"


@pytest.mark.parametrize(
    ("name", "headline", "step"),
    [
        ("orderings-one-judge", "There is one judge only", "Ask at least two more judges"),
        ("orderings-nothing-in-common", "No two judges did the same items", "Give several judges the same items"),
        ("orderings-all-tied", "The judges' answers do not vary", "Ask for answers that tell items apart"),
        ("orderings-one-item", "There is one item only", "Have more items judged"),
        ("groupings-all-alone", "All judges gave the same answer", "Ask for answers that tell items apart"),
        ("orderings-at-random", "The judges agree no more than by chance", "Read the guidelines again with the judges"),
        ("orderings-unicode", "It is not clear that the judges agree more than by chance", "Collect more judgments"),
        ("orderings-copies", "copy1, copy2 and j1 gave the same answers", "Find out whether copy1, copy2 and j1"),
    ],
)
def test_odd_panels_are_told_what_they_are(name, headline, step):
    screen = made(name).first_screen
    assert screen.headline.startswith(headline)
    assert screen.steps[0].do.startswith(step)


def test_a_leader_is_told_from_those_who_cannot_be_told_apart():
    screen = made("demo-summary-scores").first_screen
    assert screen.headline.startswith("The judges agree well enough to rank the systems: A leads")
    assert screen.tiles[2].word.startswith("A, then B")
    board = made("demo-summary-scores").section("quality").answer.findings[0].overall
    assert sum(e.labels["first"] for e in board) == pytest.approx(1)


def test_every_diagnosis_has_words_and_a_next_step():
    told = {diagnosis for kind in HOW.values() for diagnosis in kind}
    assert set(DIAGNOSES) == told == set(ASK)


def test_a_page_with_a_judge_of_one_value_and_one_who_drifts():
    rng = np.random.default_rng(8)
    rows = []
    for item in range(40):
        worth = rng.normal(3, 1)
        scores = {f"j{k}": worth + rng.normal(0, 0.3) for k in range(6)}
        scores |= {"flat": 3.0, "late": worth + rng.normal(0, 0.3) + item / 10}
        rows += [(judge, f"i{item}", value, item) for judge, value in scores.items()]
    columns = dict(zip(("judge", "item", "score", "time"), map(list, zip(*rows, strict=True)), strict=True))
    page = q.report(q.Scores.build(columns), resamples=50)
    assert "Look at flat: ask why every answer is the same" in " ".join(page.text().split())


def test_judges_who_share_no_task_are_looked_at_by_identical_outputs():
    rng = np.random.default_rng(4)
    rows = []
    for task in range(24):
        judge = "abcdef"[task % 6]
        level = rng.normal(0, 1.5, 5)
        for item in range(10):  # two runs of a team hand in the same text
            text = item // 2
            score = level[text] + rng.normal(0, 3 if judge == "c" else 0.3)
            rows.append((f"t{task}", judge, f"s{item}", f"{task} {text}", score))
    columns = dict(zip(("task", "judge", "system", "text", "score"), zip(*rows, strict=True), strict=True))
    panel = q.Scores.build({**columns, "item": columns["system"]})
    page = q.report(panel, seconds=0.05)
    tile = page.first_screen.tiles[1]
    assert tile.word == "c: look"
    assert "with its own scores of identical outputs" in tile.figure
    assert "c gave identical outputs different scores" in page.first_screen.sub
    assert page.first_screen.steps[0].do == "Look at c"
    assert "No two judges did the same items" in q.judges(panel).text().replace("\n", " ")


def test_units_that_are_drawn_crossed_are_drawn_as_often_however_little_time_there_is():
    rng = np.random.default_rng(5)
    rows = [(f"t{t}", f"j{t % 6}", f"s{s}", float(v)) for t in range(24) for s, v in enumerate(rng.normal(size=14))]
    task, judge, item, score = map(list, zip(*rows, strict=True))
    panel = q.Scores.build({"task": task, "judge": judge, "item": item, "system": item, "score": score})
    found = q.trust(panel, "variance_components")
    assert found["variance_components"]


def test_a_first_place_that_others_would_change_is_not_told_to_be_used():
    """Two who share nearly all first places among judges who agree on the rest."""
    orders = {f"j{k}": ("ab" if k % 2 else "ba") + "cdefghij" for k in range(11)} | {"j0": "badcefghij"}
    screen = q.report(q.Orderings.from_orders(orders), copies="apart", **QUICK).first_screen
    assert "might not" in screen.headline
    assert [s.do for s in screen.steps] == ["Use the order, not the first place alone"]


def test_a_judge_who_is_off_in_two_ways_is_said_to_be_so_on_the_criteria_of_each():
    rng = np.random.default_rng(3)
    rows = []
    for item in range(30):
        for about in ("tone", "style"):
            worth = rng.normal(0, 1)
            own = {f"j{k}": worth + rng.normal(0, 0.3) for k in range(5)}
            own["kim"] = worth + 4 + rng.normal(0, 0.3) if about == "tone" else -worth + rng.normal(0, 0.3)
            rows += [(judge, f"i{item}", about, score) for judge, score in own.items()]
    columns = dict(zip(("judge", "item", "criterion", "score"), map(list, zip(*rows, strict=True)), strict=True))
    sub = q.report(q.Scores.build(columns), **QUICK).first_screen.sub
    assert "but lie on another level (on tone)" in sub
    assert "run against the others' (on style)" in sub


def rated(noise: dict[str, float], seed: int = 2) -> q.Scores:
    """Five judges' scores of 80 items by criterion, with so much noise about what the item is worth."""
    rng = np.random.default_rng(seed)
    worth = {about: 0.0 if math.isinf(off) else rng.normal(0, 1, 80) for about, off in noise.items()}
    rows = []
    for about, off in noise.items():
        score = rng.normal(0, 1, (80, 5)) * min(off, 1.0) + np.reshape(worth[about], (-1, 1))
        rows += [(f"j{j}", f"i{i}", about, float(score[i, j])) for i in range(80) for j in range(5)]
    columns = dict(zip(("judge", "item", "criterion", "score"), map(list, zip(*rows, strict=True)), strict=True))
    return q.Scores.build(columns)


def test_criteria_on_which_judges_do_not_agree_are_named_and_do_not_hide_the_others():
    screen = q.report(rated({"tone": 0.3, "style": math.inf}), **QUICK).first_screen
    assert screen.headline.startswith("Except on style the judges agree very well")
    assert screen.tiles[0].word == "Very well, except on style"
    assert screen.steps[0].do == "Read the guidelines on style again with the judges"
    screen = q.report(rated({"style": math.inf, "tone": 0.3}), **QUICK).first_screen  # what comes out is by the first
    assert screen.headline == "Except on style the judges agree very well."


def test_where_judges_agree_slightly_at_best_more_of_them_are_no_next_step():
    screen = q.report(rated({"style": math.inf}, seed=4), resamples=100, permutations=19).first_screen
    assert screen.headline.startswith("It is not clear that the judges agree more than by chance")
    assert str(screen.steps[0]) == "Read the guidelines again with the judges: at best they agree only slightly."


def test_few_votes_on_the_same_pair_do_not_show_that_judges_agree_by_chance():
    """Five votes on pairs that two judges saw, three of them unlike: nothing follows from so few."""
    rows = [(f"t{k}", "ann", "ash", "elm", "model_a" if k % 5 else "model_b") for k in range(60)]
    rows += [(f"t{k}", "bob", "ash", "elm", "model_b" if k < 4 and k != 2 else "model_a") for k in (1, 2, 3, 4, 6)]
    columns = zip(("task", "judge", "model_a", "model_b", "winner"), map(list, zip(*rows, strict=True)), strict=True)
    screen = q.report(q.Votes.build(dict(columns)), **QUICK).first_screen
    assert "it is not clear that the judges agree more than by chance" in screen.headline


def test_names_that_are_numbers_are_said_to_be_a_judge_or_an_item():
    orders = {k: [10, 20, 30, 40, 50, 60] for k in range(1, 7)} | {7: [60, 50, 40, 30, 20, 10]}
    screen = q.report(q.Orderings.from_orders(orders), copies="apart", **QUICK).first_screen
    assert screen.headline.endswith(": item 10 comes first.")
    reversed_order = "Judge 7's order is nearly the reverse of the others'"
    assert screen.sub == f"{reversed_order}; without judge 7, the items keep their order."
    assert screen.steps[0].do == "Look at judge 7"
    assert screen.tiles[1].word == "judge 7: look"


def test_votes_between_two_systems_ask_for_more_votes_not_for_items():
    rows = [(f"v{k}", "red", "blue", "red" if k % 9 < 5 else "blue") for k in range(81)]
    columns = zip(("judge", "model_a", "model_b", "winner"), map(list, zip(*rows, strict=True)), strict=True)
    screen = q.report(q.Votes.build(dict(columns)), **QUICK).first_screen
    assert screen.headline.startswith("No system is clearly best")
    assert re.fullmatch(r"Ask for about 5\d0 more votes on red and blue", screen.steps[0].do)


def test_systems_that_win_half_of_very_many_votes_are_as_good_as_equal():
    rows = [(f"v{k}", "red", "blue", "red" if k % 200 < 101 else "blue") for k in range(3000)]
    columns = zip(("judge", "model_a", "model_b", "winner"), map(list, zip(*rows, strict=True)), strict=True)
    screen = q.report(q.Votes.build(dict(columns)), **QUICK).first_screen
    assert screen.steps[0].do == "Treat red and blue as equal"
    assert "one wins at most 5" in screen.steps[0].why


@pytest.mark.parametrize("both_ways", [True, False])
def test_a_favoured_place_is_told_where_it_can_be_known(both_ways):
    """Two judges of three mostly take what is shown first; of pairs in one order only that cannot be seen."""
    rng, rows = np.random.default_rng(5), []
    for task in range(60):
        for judge, first in (("ann", 0.8), ("bob", 0.75), ("cat", 0.6)):
            for a, b in (("ash", "elm"), ("elm", "ash")) if both_ways else (("ash", "elm"),):
                rows.append((f"t{task}", judge, a, b, a if rng.random() < first else b))
    columns = zip(("task", "judge", "model_a", "model_b", "winner"), map(list, zip(*rows, strict=True)), strict=True)
    sub = q.report(q.Votes.build(dict(columns)), **QUICK).first_screen.sub
    assert ("What is shown first is favoured" in sub) == both_ways


@pytest.mark.parametrize("judges", [2, 3])
def test_two_judges_cannot_tell_how_many_are_needed(judges):
    orders = dict(zip("abc", ["ABCDEFG", "BACEDGF", "ACBDEGF"], strict=True))
    panel = q.Orderings.from_orders({name: orders[name] for name in "abc"[:judges]})
    needed = q.trust(panel, "judges_needed", **QUICK)["judges_needed"]
    assert math.isinf(needed.interval.high) == (judges == 2)
    steps = q.report(panel, **QUICK).first_screen.steps
    assert any("third judge" in step.do for step in steps) == (judges == 2)


def test_copies_are_called_voices_where_judges_are_counted():
    rng = np.random.default_rng(1)
    rows = np.round(rng.normal(3, 1, 40) + rng.normal(0, 0.8, (5, 40)), 1)
    rows[4] = rows[3]
    found = q.agreement(q.Scores.from_matrix(rows.tolist()), resamples=20)
    assert found.sentences[1] == "4 voices scored 40 items."


# -- panels of which little can be said --------------------------------------------------------------------------------


def screen_of(rows: list[dict[str, object]]) -> FirstScreen:
    return q.report(q.read(rows), **QUICK).first_screen


def scored(*by: str, judges: str = "abcde") -> list[dict[str, object]]:
    """A score of every item by every judge: a text for each judge, a figure for each item."""
    return [
        {"judge": j, "item": f"i{k}", "score": int(s)}
        for j, of in zip(judges, by, strict=False)
        for k, s in enumerate(of)
    ]


def test_of_one_item_or_equal_answers_nobody_is_said_not_to_be_off():
    for rows in (scored("4", "3", "5", "4"), scored("3333", "3333", "3333")):
        assert [t.word for t in screen_of(rows).tiles[:2]] == ["Cannot be told", "Cannot be told"]


def test_judges_who_name_one_item_each_compare_nothing():
    rows = [{"judge": f"v{k}", "item": "xyz"[k % 3], "position": 1} for k in range(9)]
    screen = screen_of(rows)
    assert screen.headline == "No judge put two items in order, so nobody can say whether the judges agree."
    assert screen.steps[0].do.startswith("Say --absent below")


def test_labels_of_one_judge_each_are_no_gold():
    rows = [{"judge": "abcd"[k % 4], "item": f"i{k}", "label": "xyz"[k % 3]} for k in range(16)]
    screen = screen_of(rows)
    assert screen.headline.startswith("No two judges labelled the same item")
    assert [s.do for s in screen.steps] == ["Have a second judge label some of the items"]
    some = [*rows, {"judge": "b", "item": "i0", "label": "x"}, {"judge": "a", "item": "i1", "label": "y"}]
    assert "both items that two or more labelled" in screen_of(some).headline


def test_systems_that_nobody_compared_are_told_so():
    pairs = [("a", "b"), ("c", "d")] * 6
    rows = [
        {
            "judge": j,
            "task": t,
            "model_a": x,
            "model_b": y,
            "winner": "model_a" if (7 * t + ord(j[0])) % 5 < 3 else "model_b",
        }
        for j in ("ann", "bob", "carl")
        for t, (x, y) in enumerate(pairs)
    ]
    screen = screen_of(rows)
    assert screen.headline.startswith("The systems fall into 2 parts that nobody compared with each other.")
    assert screen.steps[0].do == "Collect votes between the parts"


def test_those_who_share_the_first_place_are_not_chosen_from():
    screen = screen_of(scored(*["51523541"] * 4))
    assert screen.steps[0].do == "Use the result, but not to choose one of the first"


def test_without_a_copy_two_voices_are_left():
    screen = screen_of(scored("512345123451234", "512345123451234", "422354213551243", judges="abc"))
    assert [s.do for s in screen.steps][:2] == ["Find out whether a and b worked apart", "Ask another judge"]
