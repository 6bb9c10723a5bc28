"""First screens of pages by role: no two things that contradict each other, and nothing that does not follow."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import quorate as q
from quorate.inference.estimate import Estimate, Interval
from quorate.panel.as_scores import both_sides
from quorate.reports import label_quality as room
from quorate.words import model_screen, next_steps, shared_task
from quorate.words.screen import FirstScreen, Step

pytestmark = pytest.mark.usefixtures("in_small")
QUICK = {"resamples": 20, "permutations": 39}


def tile(screen: FirstScreen, name: str):
    return next(t for t in screen.tiles if t.name == name)


def choices(rng, better: str, other: str, tasks: int = 60):
    """Three people, and a model that nearly always takes what is shown first."""
    rows = []
    for t in range(tasks):
        a, b = (better, other) if rng.random() < 0.5 else (other, better)
        rows += [(t, j, "human", a, b, better if rng.random() < 0.95 else other) for j in ("ann", "bob", "cat")]
        rows.append((t, "bot", "llm", a, b, a if rng.random() < 0.85 else b))
    names = ("task", "judge", "judge_kind", "model_a", "model_b", "winner")
    return q.Votes.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def test_names_of_systems_change_nothing_of_people_and_models_who_vote():
    told = [choices(np.random.default_rng(0), *names) for names in (("x", "y"), ("y", "x"))]
    found = [q.model_judges(panel, resamples=50, permutations=0) for panel in told]
    one, other = ([x for r in f.agreement for x in (r["value"], *r["interval"])] for f in found)
    assert one == pytest.approx(other)
    assert found[0].verdicts[0].worth.value == pytest.approx(found[1].verdicts[0].worth.value)
    people = told[0].select(judges=["ann", "bob", "cat"])
    assert one[0] == pytest.approx(q.agreement(people, "alpha", resamples=0, permutations=0)["alpha"].value)
    assert found[0].agreement[0]["value"] > 0.5  # by the one whose name comes first it was next to nothing
    (bias,) = found[0].verdicts[0].biases
    assert (bias.labels["column"], bias.labels["units"], bias.value > 0.5) == ("first place", 60, True)


def test_both_sides_of_a_vote_are_of_one_task():
    panel = q.Votes.from_votes([("ann", "x", "y", "x"), ("bob", "x", "y", "tie"), ("ann", "x", "z", "z")])
    sides = both_sides(panel)
    assert len(sides.tasks) == 2
    rows = sides.columns()
    assert sorted(zip(rows["judge"], rows["score"], strict=True)) == [
        *[("ann", 0.0)] * 2,
        *[("ann", 1.0)] * 2,
        *[("bob", 0.5)] * 2,
    ]


def test_a_pair_shown_both_ways_round_tells_no_taste_for_a_system_as_one_for_a_place():
    """A model that favours one system, which the first of two votes on a pair always shows second."""
    rng, rows = np.random.default_rng(3), []
    for task in range(60):
        worth = rng.normal(0, 1)
        for first, second, way in (("y", "x", -1), ("x", "y", 1)):
            for judge, taste in (("ann", 0.0), ("bob", 0.0), ("model", 2.0)):
                won = first if rng.random() < 1 / (1 + np.exp(-way * (worth + taste))) else second
                kind = "model" if taste else "person"
                rows.append((f"t{task}", judge, first, second, won, kind))
    names = ("task", "judge", "model_a", "model_b", "winner", "judge_kind")
    panel = q.Votes.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    sides = both_sides(panel)
    assert len(sides) == 2 * len(panel)
    assert len(np.unique(sides.occasion.codes[sides.item.codes == 0])) == 1  # the second vote is of another item
    assert q.model_judges(panel, resamples=100, permutations=9).verdicts[0].biases == ()


def verdict(name, replaces, *, worth=None, level=None, biases=(), margin=0.2):
    own = {"judge": name, "criterion": None, "what": "item", "replaces": replaces, "advantage": 0.5, "ends": None}
    rest = {"won": 1, "humans": 2, "worth": worth, "biases": biases, "level": level, "spread": 1.0, "untold": ""}
    return SimpleNamespace(**own, **rest, margin=margin)


def models(*verdicts, people=("ann", "bob")):
    names = tuple(dict.fromkeys(v.judge for v in verdicts))
    told = {"verdicts": verdicts, "models": names, "people": people, "what": "item", "criteria": 1, "least": 30}
    rest = {"kind": "scores", "agreement": (), "tested": (), "trust": None, "untold": lambda method: ()}
    return SimpleNamespace(**told, **rest, finding=lambda name: None)


def test_a_model_called_model_is_told_by_its_name():
    found = models(verdict("model", False), verdict("bot", False))
    assert model_screen.headline(found).startswith("No model may stand in for people here, because the nearest, model,")
    assert model_screen.headline(models(verdict("3", False))).startswith("model 3 may not stand in for people")


def test_nobody_is_told_to_rely_on_a_model_that_is_off():
    found, usual = models(verdict("bot", True)), (Step("Look at bot", "why", "off-1", "bot"),)
    assert [s.do for s in model_screen._steps(found, ())] == ["Let bot judge where people are short"]
    assert not list(model_screen._steps(found, {"bot"}))
    agreement = q.report(q.Scores.from_matrix([[1, 2], [2, 1]]), **QUICK).first_screen.tiles[0]
    screen = model_screen.first_screen(found, FirstScreen("h", "", (agreement,), usual))
    assert [s.do for s in screen.steps] == ["Look at bot"]


def test_a_model_that_stands_in_by_the_margin_alone_is_told_to_be_worth_less():
    less = Estimate(0.2, Interval(0.1, 0.5, 0.95, "items", 99))
    found = models(verdict("bot", True, worth=less))
    assert "with a margin of 0.2" in model_screen.headline(found)
    assert model_screen._sub(found).startswith("bot is worth less than a person, 0.2 people (95% CI 0.1 to 0.5)")
    assert not model_screen._sub(
        models(verdict("bot", True, worth=Estimate(0.9, Interval(0.4, 2.0, 0.95, "items", 99))))
    )


def test_where_the_level_is_why_no_more_items_are_asked_for():
    near = Estimate(0.8, Interval(0.3, 2.0, 0.95, "items", 99))
    more = "Have people and models judge more items"
    assert more in [s.do for s in model_screen._steps(models(verdict("bot", False, worth=near)), ())]
    assert more not in [s.do for s in model_screen._steps(models(verdict("bot", False, worth=near, level=1.5)), ())]


def test_one_person_is_told_as_the_reason():
    one = q.Scores.from_matrix([[1, 2, 3, 2], [2, 1, 3, 3], [2, 2, 3, 3]], judges=["ann", "bot", "bat"])
    found = q.model_judges(one, models=["bot", "bat"], resamples=0, permutations=0)
    assert model_screen.headline(found) == "There is one person only, so nobody can say whether a model may stand in."
    assert next(iter(model_screen._steps(found, ()))).do.startswith("Have a second person judge")


@pytest.mark.parametrize(
    ("number", "metrics", "said"),
    [
        (3, 2, "no metric is known to follow the judges, rouge comes nearest (0.97 over 3 systems)"),
        (3, 1, "the metric rouge is not known to follow the judges (0.97 over 3 systems)"),
        (8, 2, "the metric rouge follows the judges best (0.97 over 8 systems)"),
        (8, 1, "the metric rouge follows the judges (0.97 over 8 systems)"),
    ],
)
def test_a_metric_of_three_systems_is_not_said_to_follow_the_judges(number, metrics, said):
    labels = {"level": "system", "metric": "rouge"}
    found = [Estimate(0.97, Interval(0.9, 0.99, 0.95, "tasks", 99), labels=labels)] * metrics
    assert shared_task._best(found, number) == said


def test_of_two_runs_none_is_said_to_be_like_the_others(tmp_path):
    lines = [
        f"{t} Q0 d{(k * (r + 1)) % 7} {k + 1} {9 - k} run{r}" for t in range(3) for r in range(2) for k in range(6)
    ]
    (tmp_path / "two.run").write_text("\n".join(lines) + "\n")
    screen = q.report(q.read(tmp_path / "two.run"), **QUICK).first_screen
    assert "unlike the others" not in screen.headline
    assert "Add a third run" in [s.do for s in screen.steps]
    assert "judge" not in tile(screen, "judges").figure


CARDS = [f"card {k}" for k in range(8)]


def sorted_cards(groups) -> q.Groupings:
    rows = [(p, c, g, f"group {g}") for p, own in groups.items() for c, g in zip(CARDS, own, strict=True)]
    names = ("judge", "item", "group", "category")
    return q.Groupings.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))


def test_cards_sorted_at_random_agree_nowhere_on_the_page():
    rng = np.random.default_rng(1)
    page = q.report(sorted_cards({j: rng.integers(0, 3, 8) for j in "abcd"}), **QUICK)
    screen = page.first_screen
    assert screen.headline.endswith("judges do not clearly agree more than by chance.")
    assert tile(screen, "agreement").word in ("Not clearly", "No more than by chance")
    assert screen.steps[0].do == "Ask more people to sort the cards"
    (told,) = [str(f) for f in page.cards.facts if f.name == "agreement"]
    assert told.startswith("Judges do not clearly agree more than by chance: adjusted Rand")


@pytest.mark.parametrize(("own", "put"), [([0] * 8, "all cards into one group"), (range(8), "every card into a group")])
def test_cards_that_all_sort_alike_say_nothing(own, put):
    page = q.report(sorted_cards({j: list(own) for j in "abc"}), **QUICK)
    assert page.first_screen.headline.startswith(f"All judges put {put}")
    assert tile(page.first_screen, "certainty").word == "Cannot be told"
    assert "agreement" not in {f.name for f in page.cards.facts}


def labelled(own) -> q.Report:
    return q.report(q.Scores.from_labels({j: dict(enumerate(said)) for j, said in own.items()}), **QUICK)


def test_labels_at_random_are_doubtful_though_one_judge_seems_to_label_against_the_others(monkeypatch):
    said = {j: {k: "xyz"[(k * m) % 3] for k in range(30)} for j, m in {"a": 1, "b": 2, "c": 5}.items()}
    panel = q.Scores.from_labels(said)
    flag = {"judge": "a", "diagnosis": "reversed", "p": 0.04, "evidence": {"value": 0.0, "without": 0.15}}
    asked = room.ask

    def against(question, *rest):
        found = asked(question, *rest)
        return replace(found, more={**found.more, "flagged": [flag]}) if question == "judges" else found

    monkeypatch.setattr(room, "ask", against)
    assert not room.label_quality(panel, **QUICK).reversed
    flag["evidence"]["without"] = 0.7
    assert room.label_quality(panel, **QUICK).reversed


def test_two_labels_are_not_mixed_up_most():
    rng = np.random.default_rng(3)
    true = rng.integers(0, 2, 40)
    own = {j: ["no" if t ^ (rng.random() < 0.15) else "yes" for t in true] for j in "abc"}
    page = labelled(own)
    assert "most" not in page.first_screen.sub
    assert any(str(f).startswith("Judges mix up no and yes: ") for p in page.parts for f in p.facts)


def test_one_item_is_told_as_the_reason():
    page = labelled({"a": ["yes"], "b": ["yes"], "c": ["no"]})
    assert page.first_screen.headline == "There is one item only, so whether its label is right cannot be told."
    assert [s.do for s in page.first_screen.steps] == ["Have more items labelled"]


def test_names_with_braces_and_numbers_are_told_as_they_are():
    rng = np.random.default_rng(4)
    true = rng.integers(0, 3, 60)
    own = {j: [str(t if rng.random() < right else (t + 1) % 3) for t in true] for j, right in (("{0}", 0.9), (7, 0.85))}
    page = labelled({**own, 8: [str(t if rng.random() < 0.9 else (t + 2) % 3) for t in true]})
    told = " ".join([tile(page.first_screen, "judges").figure, *map(str, page.first_screen.steps)])
    assert "judge 8 is right on" in told
    assert "judge {0} on" in told
    assert "tells label 1 and label 2 apart" in told
    assert "Decide item 59, item 31" in told


def test_one_label_is_no_labels():
    assert repr(q.Scores.from_labels({"a": {"x": "ok"}, "b": {"x": "ok"}})).endswith("1 label>")


def test_without_a_judge_items_change_places_where_there_are_no_systems():
    rng = np.random.default_rng(5)
    true = rng.integers(1, 6, 40)
    scores = [np.clip(true + rng.integers(-1, 2, 40), 1, 5) for _ in range(4)]
    answer = q.judges(q.Scores.from_matrix([*scores, 6 - true], judges=["a", "b", "c", "d", "off"]), **QUICK)
    (without,) = [s for s in answer.sentences if s.startswith("Without off, ")]
    assert not any("systems" in s for s in (without, *answer.sentences))
    assert answer.more["without_flagged"][0]["of"] == "items"


def test_votes_that_lead_are_told_to_be_used_though_single_votes_differ():
    rng = np.random.default_rng(6)
    rows = [(t, j, "x", "y", "x" if rng.random() < 0.7 else "y") for t in range(60) for j in ("ann", "bob", "cat")]
    screen = q.report(q.Votes.from_votes(rows), **QUICK).first_screen
    assert screen.headline.startswith("x leads")
    assert not any("guidelines" in s.do for s in screen.steps)


def test_a_favoured_place_is_something_to_do_about():
    rng = np.random.default_rng(7)
    rows = []
    for t in range(60):
        for j in ("ann", "bob", "cat"):
            a, b = ("x", "y") if rng.random() < 0.5 else ("y", "x")
            rows.append((t, j, a, b, a if rng.random() < 0.8 else b))
    screen = q.report(q.Votes.from_votes(rows), **QUICK).first_screen
    assert "What is shown first is favoured" in screen.sub or "what is shown first is favoured" in screen.sub
    assert "Show every pair both ways round" in [s.do for s in screen.steps]


def test_only_flagged_judges_are_marked_in_tables():
    votes = [(t, j, "x", "y", "xy"[(t * k) % 2]) for t in range(6) for k, j in enumerate(("ann", "bob", "cat"), 1)]
    page = q.report(q.Votes.from_votes(votes), **QUICK)
    assert not page.section("judges").answer.more["flagged"]
    assert 'tr class="off"' not in page.html()


def test_where_hand_work_gains_little_nobody_is_told_to_begin_with_it():
    rng = np.random.default_rng(8)
    true = rng.integers(0, 2, 60)
    own = {j: ["no" if t ^ (rng.random() < 0.06) else "yes" for t in true] for j in "abcde"}
    page = labelled(own)
    assert "gain little" in page.first_screen.headline
    (told,) = [str(f) for f in page.parts[0].facts if f.name == "adjudicate"]
    assert told.startswith("Least certain: ")
    assert "Deciding it" not in told


def test_a_criterion_without_a_letter_is_told_as_one():
    rng = np.random.default_rng(9)
    rows = [(j, i, c, int(i + rng.integers(0, 2))) for i in range(5) for j in "abc" for c in ("1", "2")]
    names = ("judge", "item", "criterion", "score")
    panel = q.Scores.build(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
    page = q.report(panel, **QUICK)
    assert " on criterion 1" in tile(page.first_screen, "agreement").figure
    assert any(" on criterion 2 " in s for s in q.agreement(panel, "alpha", **QUICK).sentences)


def test_where_more_judges_would_not_agree_more_nobody_is_told_to_ask_more():
    rng = np.random.default_rng(2)
    screen = q.report(q.Scores.from_matrix(rng.integers(0, 2, (3, 25))), **QUICK).first_screen
    assert tile(screen, "agreement").word in ("Not clearly", "No more than by chance")
    assert not any(s.do.startswith("Ask more judges") for s in screen.steps)


@pytest.mark.parametrize(
    ("error", "there", "said"),
    [
        (0.4, 600, "Ask for about 6,000 more votes on red and blue"),
        (0.4, 599, "Treat red and blue as equal for now"),
        (0.1, 600, "Treat red and blue as equal"),
    ],
)
def test_two_systems_are_equal_where_that_is_known_or_takes_many_times_all_votes(error, there, said):
    needed = Estimate(6000, labels={"systems": "red and blue", "apart": 0.02, "error": error})
    assert [s.do for s in next_steps._more_votes(needed, there, "trust")] == [said]


def test_where_every_task_has_two_judges_nobody_is_cleared():
    rng = np.random.default_rng(1)
    tasks = [(t, rng.choice(6, 2, replace=False).tolist()) for t in range(12)]
    rows = [
        (f"t{t}", f"j{j}", f"i{i}", place)
        for t, two in tasks
        for j in two
        for place, i in enumerate(rng.permutation(6).tolist(), 1)
    ]
    columns = dict(zip(("task", "judge", "item", "position"), map(list, zip(*rows, strict=True)), strict=True))
    panel = q.Orderings.build(columns)
    screen = q.report(panel, **QUICK).first_screen
    assert tile(screen, "judges").word == "Cannot be told"
    assert "Have some tasks done by three judges" in [s.do for s in screen.steps]
    assert "it may be either" in q.judges(panel, **QUICK).sentences[0]


def test_of_one_item_nobody_is_cleared():
    said = q.judges(q.Scores.from_matrix([[3], [4], [2]]), **QUICK).sentences
    assert "Who is off cannot be told: there is nothing to compare." in said
    assert not any("is flagged" in s for s in said)
