"""Every sentence holds on odd panels too: it is grammatical, says no more than is known, and contradicts no other."""

from __future__ import annotations

import math
import re
from contextlib import suppress
from functools import cache

import numpy as np
import pytest

import quorate as q
from quorate.inference.estimate import Interval
from quorate.inference.results import Overall
from quorate.panel.base import listed
from quorate.reports.model import report
from quorate.words.numbers import p_is, plain, share, two
from quorate.words.quality import leads
from quorate.words.wording import above, all_of, brief, by_chance, on, voters
from tests.family import some

pytestmark = pytest.mark.usefixtures("in_small")

HOW = {"resamples": 40, "permutations": 19}


def rows(names, *cells):
    return dict(zip(names, map(list, zip(*cells, strict=True)), strict=True))


def of_systems(scores, judges=("ann", "bob", "cat"), tasks=1):
    """``scores(judge, system, task)`` of systems A, B, C."""
    cells = [(j, f"{s}{t}", s, t, scores(j, s, t)) for t in range(tasks) for s in "ABC" for j in judges]
    return q.Scores.build(rows(("judge", "item", "system", "task", "score"), *cells))


def labelled(judges, items, labels):
    return q.Scores.build({"judge": judges, "item": items, "label": list(labels)})


def counted(orders, counts):
    cells = [(j, i, k, counts[j]) for j, order in orders.items() for k, i in enumerate(order, 1)]
    return q.Orderings.build(rows(("judge", "item", "position", "count"), *cells))


ORDERINGS = {
    "one judge": q.Orderings.from_orders({"ann": "abcd"}),
    "two judges": q.Orderings.from_orders({"ann": "abcd", "bob": "bacd"}),
    "two opposite": q.Orderings.from_orders({"ann": "abcd", "bob": "dcba"}),
    "three alike": q.Orderings.from_orders({"ann": "abcd", "bob": "abcd", "cat": "abcd"}),
    "all tied": q.Orderings.from_orders({j: [list("abcd")] for j in ("ann", "bob", "cat")}),
    "one item": q.Orderings.from_orders({"ann": "a", "bob": "a", "cat": "a"}),
    "nothing in common": q.Orderings.from_orders({"ann": "ab", "bob": "cd", "cat": "ef"}),
    "a circle": q.Orderings.from_orders({"ann": "abc", "bob": "bca", "cat": "cab"}),
    "one is off": q.Orderings.from_orders({**dict.fromkeys("stuvw", "abcdef"), "off": "fedcba"}),
    "one judge a task": q.Orderings.from_orders({1: {"ann": "abc"}, 2: {"bob": "bca"}}),
    "two tasks": q.Orderings.from_orders({t: {"ann": "abc", "bob": "acb", "cat": "abc"} for t in (1, 2)}),
    "counts": counted({"x": "abcd", "y": "bacd", "z": "dcba"}, {"x": 10, "y": 5, "z": 1}),
    "a repeat": q.Orderings.build(
        rows(
            ("judge", "item", "position", "occasion"),
            *((j, i, p, o) for j, o in (("ann", 1), ("ann", 2), ("bob", 1)) for p, i in enumerate("abc", 1)),
        )
    ),
}
ALIKE = {i: g for g, some in enumerate(("ab", "cd", "ef")) for i in some}
GROUPINGS = {
    "one judge": q.Groupings.from_groups({"ann": ALIKE}),
    "two judges": q.Groupings.from_groups({"ann": ALIKE, "bob": {i: i in "abc" for i in ALIKE}}),
    "three alike": q.Groupings.from_groups(dict.fromkeys(("ann", "bob", "cat"), ALIKE)),
    "all alone": q.Groupings.from_groups({j: {i: i for i in ALIKE} for j in ("ann", "bob", "cat")}),
    "all together": q.Groupings.from_groups({j: dict.fromkeys(ALIKE, 1) for j in ("ann", "bob", "cat")}),
    "all left out": q.Groupings.from_groups({j: dict.fromkeys(ALIKE) for j in ("ann", "bob", "cat")}),
    "one item": q.Groupings.from_groups({j: {"a": 1} for j in ("ann", "bob", "cat")}),
    "one judge a task": q.Groupings.from_groups({1: {"ann": ALIKE}, 2: {"bob": ALIKE}}),
    "counts": q.Groupings.build(
        rows(
            ("judge", "item", "group", "count"),
            *((j, i, g if j == "x" else i in "abc", n) for j, n in (("x", 9), ("y", 2)) for i, g in ALIKE.items()),
        )
    ),
}
SCORES = {
    "one judge": q.Scores.from_matrix([[1, 2, 3]], judges=["ann"]),
    "two judges": q.Scores.from_matrix([[0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6]]),
    "three alike": q.Scores.from_matrix([[1, 2, 3, 4]] * 3),
    "one value": q.Scores.from_matrix([[3, 3, 3, 3]] * 3),
    "one item": q.Scores.from_matrix([[1], [2], [3]]),
    "one score": q.Scores.from_matrix([[3]]),
    "nothing in common": q.Scores.from_matrix([[1, 2, None, None], [None, None, 3, 1]]),
    "one is reversed": q.Scores.from_matrix([[1, 2, 3, 4], [1, 2, 3, 4], [4, 3, 2, 1]]),
    "below zero": q.Scores.from_matrix([[-1, -2, -0.001], [-1, -3, 0], [-2, -2, 0.001]]),
    "equal systems": of_systems(lambda j, s, t: 3, tasks=3),
    "two lead": of_systems(lambda j, s, t: 2 - (s == "C"), tasks=3),
    "one task": of_systems(lambda j, s, t: "ABC".index(s) + (j == "bob") * (s == "A")),
    "one judge of systems": of_systems(lambda j, s, t: "CBA".index(s) + t % 2, judges=("ann",), tasks=7),
    "labels": labelled(["ann", "bob", "cat"] * 2, [1, 1, 1, 2, 2, 2], "yynnny"),
}
EVERY = {f"{p.kind}: {n}": p for of in (ORDERINGS, GROUPINGS, SCORES) for n, p in of.items()}
every = pytest.mark.parametrize("name", some(EVERY, 2))


def systems_of(panel):
    if panel.kind == "orderings":
        first = list(panel.items)
        lists = {"new": first, "old": first[::-1]}
        return q.Orderings.from_orders(lists if len(panel.tasks) == 1 else dict.fromkeys(panel.tasks, lists))
    made = {"new": ALIKE, "old": dict.fromkeys(ALIKE, 1)}
    return q.Groupings.from_groups(made if len(panel.tasks) == 1 else dict.fromkeys(panel.tasks, made))


@cache
def page(name):
    panel = EVERY[name]
    return report(panel, systems=None if panel.kind == "scores" else systems_of(panel), **HOW)


@cache
def answers(name):
    """Every answer that there is about a panel: the report's, and to a question that it does not ask."""
    found = {s.question: s.answer for s in page(name).sections}
    if "quality" not in found:
        with suppress(q.errors.InputError):  # of labels
            found["quality"] = q.quality(EVERY[name], **HOW)
    return [answer for answer in found.values() if answer]


def said(found, question):
    return next(a.sentences for a in found if a.question == question)


NOUNS = "judge|item|task|unit|score|system|repeat|group|pair|clustering|row"
FAULTS = {
    "a plural of one": rf"(?<![\d.,/-])1 ({NOUNS})s\b",
    "one of one": r"\b1 of 1\b",
    "a singular of many": rf"(?<!item )(?<!judge )(?<!system )\b(?!1\b)[\d,]*\d ({NOUNS}) ",
    "minus zero": r"-0\.0+(?!\d)",
    "p of nothing": r"p = 0(\.0+)?\b(?!\.)",
    "a machine's number": r"\b\d+(\.\d+)?e[-+]?\d+",
    "a machine's word": r"\bnan\b|\bNone\b(?! of)|\binf\b|True|False",
    "two blanks": r"  ",
    "two stops": r"\.\.(?!\.)|;\.|,\.|\( ",
    "a share of more than all": r"\b[1-9]\d{2,}(?<!100)%|-\d+%",
}


SEEN = {
    "a plural of one": "this judge's 1 scores",
    "one of one": "1 of 1 differences",
    "a singular of many": "2 judge agree",
    "minus zero": "mean of the judges -0.00;",
    "p of nothing": "(p = 0.000)",
    "a machine's number": "p = 1e-05",
    "a machine's word": "m1 correlates nan",
    "two blanks": "judge  ann",
    "two stops": "from 1 to 2..",
    "a share of more than all": "loses 103% of that",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_where_it_is(fault):
    assert re.search(FAULTS[fault], SEEN[fault])


@every
def test_no_sentence_or_note_of_an_odd_panel_has_a_fault(name):
    found = answers(name)
    assert len(found) >= 3
    for text in (text for answer in found for text in (*answer.sentences, *answer.notes)):
        for fault, pattern in FAULTS.items():
            assert not re.search(pattern, text), (fault, text)


@every
def test_every_answer_says_something_in_whole_sentences_of_no_more_than_40_words(name):
    for answer in answers(name):
        assert answer.sentences, answer.question
        for text in answer.sentences:
            assert text.endswith((".", ".)")), text
            assert re.match(r"[\w(]", text), text  # a name may begin with a small letter
            for sentence in re.split(r"(?<=[a-z)\d])\. (?=[A-Z])", text):
                assert len(sentence.split()) <= 40, sentence


@every
def test_intervals_in_the_answers_hold_their_values(name):
    for answer in answers(name):
        for f in answer.findings:
            for o in f.overall:
                if o.interval and math.isfinite(o.value) and answer.question != "trust":
                    assert o.interval.low <= o.value + 1e-9 <= o.interval.high + 2e-9, (str(f.method), o)


@every
def test_the_verdict_says_nothing_twice_and_ends_every_sentence(name):
    lines = page(name).verdict
    assert lines
    assert len(set(lines)) == len(lines)
    for text in lines:
        assert text.rstrip(")").endswith((".", "...")), text
        for fault, pattern in FAULTS.items():
            assert not re.search(pattern, text), (fault, text)


ALONE = [n for n in EVERY if n.endswith(": one judge")]
TWO = [n for n in EVERY if ": two " in n and "lead" not in n and "tasks" not in n]


@pytest.mark.parametrize("name", ALONE)
def test_of_one_judge_nobody_says_that_he_agrees_or_is_off(name):
    text = " ".join(s for a in answers(name) if a.question in ("agreement", "judges") for s in a.sentences)
    assert "chance" not in text
    assert "flagged" not in text
    assert "nobody" in text


@pytest.mark.parametrize("name", TWO)
def test_of_two_judges_nobody_can_tell_which_one_is_off(name):
    assert "With two judges nobody can tell which of them is off." in said(answers(name), "judges")
    tile = page(name).first_screen.tiles[1]
    assert (tile.word, tile.figure) == ("Cannot be told", "with two judges nobody can tell which one is off")


@pytest.mark.parametrize("name", ["orderings: all tied", "orderings: one item", "orderings: nothing in common"])
def test_where_everything_is_undefined_nobody_is_cleared(name):
    lines = said(answers(name), "judges")
    assert "Who is off cannot be told: there is nothing to compare." in lines
    assert page(name).first_screen.tiles[1].word == "Cannot be told"


def test_judges_who_all_say_the_same_are_not_flagged():
    for name in (n for n in EVERY if "alike" in n or "alone" in n or "together" in n):
        flags = [
            o.labels.get("flag") for a in answers(name) if a.question == "judges" for f in a.findings for o in f.overall
        ]
        assert flags, name
        assert not any(flags), name


def test_what_half_of_two_judges_share_is_not_told_since_each_is_half():
    for name in ("orderings: two opposite", "groupings: two judges"):
        assert not any("at least 50%" in s for s in said(answers(name), "agreement"))
        assert not any("with most judges" in s for s in said(answers(name), "judges"))
    assert any("at least 50%" in s for s in said(answers("orderings: three alike"), "agreement"))


def test_an_agreement_that_chance_gives_now_and_then_is_not_called_none():
    assert by_chance(0.02) == "more than by chance (p = 0.02)"
    assert by_chance(0.2).startswith("not clearly more")
    assert by_chance(0.9).startswith("no more")
    assert [above(p) for p in (0.05, 0.0501, 0.5)] == ["more", "not clearly more", "no more"]


# -- who leads ---------------------------------------------------------------------------------------------------------


def board(*rows):
    return [Overall(v, labels={"system": s, "p_best": p}) for s, v, p in rows]


def told(*rows, **more):
    return leads(board(*rows), f"{rows[0][0]} is best by m", "m", **more)


def test_one_system_is_not_called_best():
    assert told(("a", 1.0, None)) == "a has m 1.00."


def test_equal_systems_are_not_called_best():
    assert told(("a", 3.0, None), ("b", 3.0, 1.0)) == "Both systems have the same m, 3.00: none is better."
    assert told(("a", 0.3, None), ("b", 0.1 + 0.2, 1.0), ("c", 0.3, 1.0), what="item").startswith("All 3 items have")


def test_two_who_share_the_first_place_are_both_named():
    said = told(("a", 2.0, None), ("b", 2.0, 1.0), ("c", 1.0, 0.01))
    assert said == "a and b share the first place by m: 2.00; 1 is behind."


def test_a_difference_that_cannot_be_tested_is_not_called_insignificant():
    said = told(("a", 2.0, None), ("b", 1.0, None))
    assert "significant" not in said
    assert "too few" in said


def test_the_only_other_system_is_named_and_undefined_ones_are_not_spoken_of():
    nan = math.nan
    assert told(("a", 2.0, None), ("b", 1.0, 0.01), ("c", nan, None)).endswith("it differs significantly from b.")
    assert told(("a", 2.0, None), ("b", 1.0, 0.2), ("c", 0.5, 0.01)).endswith("does not differ significantly from b.")
    assert told(("a", nan, None), what="item") == "m is undefined for every item."


def of_few_tasks(*tasks, least, p=0.2):
    labels = [{"system": f"s{k}", "tasks": n, "p_best": p if k else None} for k, n in enumerate(tasks)]
    rows = [Overall(float(-k), labels=some, least=least) for k, some in enumerate(labels)]
    return leads(rows, "s0 is best by m", "m")


def test_where_no_difference_could_be_significant_the_sentence_says_so():
    said = of_few_tasks(*[12] * 40, least=0.38)
    assert said.endswith(
        "on 12 tasks no difference between 40 systems could be significant: it takes at least 15 tasks."
    )
    assert "it does not differ" not in said
    assert "; on at most 5 tasks no difference between 2 systems " in of_few_tasks(5, 1, least=1.0)
    assert "; on 1 task no difference " in of_few_tasks(1, 1, least=1.0)
    assert of_few_tasks(9, 9, least=0.5).endswith("could be significant: they share too few tasks.")


def test_where_a_difference_could_be_significant_or_is_nothing_is_said_of_too_few():
    assert of_few_tasks(12, 12, least=0.001).endswith("it does not differ significantly from s1.")
    assert of_few_tasks(5, 5, least=0.06, p=0.04).endswith("it differs significantly from s1.")
    assert of_few_tasks(5, 5, least=math.nan).endswith("it does not differ significantly from s1.")


def scored(tasks):
    rows = [(t, j, s, float(k)) for t in range(tasks) for j in "ab" for k, s in enumerate("xyz")]
    return q.Scores.build(dict(zip(("task", "judge", "item", "score"), zip(*rows, strict=True), strict=True)))


def orders(tasks):
    judges, lists = {"ann": "abcd", "bob": "abdc"}, {"new": "abcd", "mid": "bacd", "old": "dcba"}
    return [q.Orderings.from_orders(dict.fromkeys(range(tasks), o)) for o in (judges, lists)]


def groups(tasks):
    judges, systems = {"ann": "1122", "bob": "1122"}, {"x": "1122", "y": "1112", "z": "1212"}
    every = [{j: dict(zip("abcd", g, strict=True)) for j, g in of.items()} for of in (judges, systems)]
    return [q.Groupings.from_groups(dict.fromkeys(range(tasks), of)) for of in every]


@pytest.mark.parametrize("kind", ["scores", "orderings", "groupings"])
def test_every_kind_says_that_tasks_are_too_few_in_a_sentence_and_once_in_a_note(kind):
    given = {"scores": lambda n: [scored(n)], "orderings": orders, "groupings": groups}[kind]
    how = {"resamples": 20, "permutations": 5}
    few, many = q.quality(*given(6), **how), q.quality(*given(12), **how)  # three pairs: it takes 7 tasks
    assert " on 6 tasks no difference between 3 " in few.sentences[1]
    assert few.sentences[1].endswith(("could be significant: it takes at least 7 tasks.", "others has 1.00."))
    assert [n.startswith("on 6 tasks no difference between 3 ") for n in few.notes].count(True) == 1
    assert not any("no difference between" in s for s in (*many.sentences, *many.notes))


def test_a_leader_comes_with_the_interval():
    top = Overall(0.5, Interval(-0.001, 1.0, 0.9, "judges", 100), labels={"system": "a", "p_best": None})
    assert leads([top], "a is best", "m") == "a has m 0.50 (90% CI 0.00 to 1.00)."


# -- the panels' own sentences -----------------------------------------------------------------------------------------


def test_counts_are_judges_in_every_sentence_that_tells_how_many():
    found = answers("orderings: counts")
    assert said(found, "agreement")[0].startswith("16 judges")
    assert said(found, "quality")[0].endswith("judged by 16 judges.")
    assert "Flagged: z (1 of 3 rows, which stand for 16 judges)." in said(found, "judges")
    assert said(answers("groupings: counts"), "agreement")[0].startswith("11 judges")


def test_a_noise_that_adds_something_or_takes_more_than_all_is_nothing_or_all():
    from quorate.words.trust import share_lost

    assert [share_lost(x) for x in (-0.07, 0.0, 0.47, 0.999, 1.04)] == ["nothing", "nothing", "47%", "all", "all"]


def test_orders_that_contradict_one_another_are_not_said_to_score_above_their_reverse():
    lines = said(answers("orderings: two opposite"), "trust")
    assert "No quality method scores a judge's order above its reverse: all give -1.00." in lines
    assert "would not be like this one:" in " ".join(lines)


def test_settings_of_one_judge_or_of_no_order_are_not_told_to_matter():
    alone = q.trust(ORDERINGS["one judge"], "sweep", "tune", **HOW)
    assert [s.split()[:4] for s in alone.sentences] == [[m, "is", "undefined", "here:"] for m in ("sweep", "tune")]
    level = q.trust(ORDERINGS["all tied"], "sweep", **HOW).sentences
    assert level == ("No parameter matters to frespa: ED is 0.00 at every setting.",)


def test_a_distance_is_how_far_judges_differ():
    lines = q.agreement(GROUPINGS["two judges"], "vi", **HOW).sentences
    assert lines[1].startswith("Two judges differ by vi 0.87 (random clusterings ")
    assert re.search(r": they agree (no more|not clearly more|more) than by chance \(p = ", lines[1])
    assert len(lines) == 2  # of one pair all is said


def test_judges_alike_are_not_said_to_move_what_stays():
    text = " ".join(said(answers("orderings: three alike"), "judges"))
    assert "stays at 1.00" in text
    assert "Every judge correlates 1.00" in text


def test_one_item_is_not_put_first():
    assert said(answers("orderings: one item"), "consensus")[0].startswith("There is one item only, a (")


def test_items_that_differ_from_task_to_task_are_not_called_one_item():
    assert said(answers("orderings: one judge a task"), "consensus")[0].startswith(
        "On both tasks one item is first, alone"
    )


def test_why_no_judge_is_worst_is_what_holds():
    wanted = {
        "one value": "all scores are the same",
        "one score": "there is one judge only",
        "nothing in common": "repeats",
    }
    for name, why in wanted.items():
        (line,) = [s for s in said(answers(f"scores: {name}"), "trust") if "called worst" in s]
        assert why in line


def test_a_judge_with_one_score_has_one_score():
    text = " ".join(said(answers("scores: one item"), "trust"))
    assert "this judge's 1 score " in text
    assert "no place can change" in text


def test_judges_who_are_equally_bad_are_not_called_the_worst():
    text = " ".join(said(answers("scores: two judges"), "trust"))
    assert "both judges are alike" in text
    assert "Worst judge" not in text


def test_the_leaderboard_depends_on_a_judge_without_whom_something_changes():
    text = " ".join(said(answers("scores: one is reversed"), "trust"))
    (name, number) = re.search(r"depends most on judge (\S+): without this judge (\d+) of 4", text).groups()
    assert int(number) > 0
    assert name != "judge 3"


def test_alpha_of_a_single_unit_is_not_called_low():
    lines = said(answers("scores: one item"), "agreement")
    assert any("tells nothing" in s for s in lines)
    assert not any("low" in s or "Krippendorff" in s for s in lines)


def test_alpha_is_not_called_reliable_without_a_word_on_its_interval():
    panel = q.Scores.from_matrix([[0, 1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6]])
    (line,) = [s for s in q.agreement(panel, "alpha", **HOW).sentences if s.startswith("Alpha")]
    assert "but its interval reaches below 0.667" in line


def test_the_only_difference_of_two_metrics_is_told_by_their_names():
    human = of_systems(lambda j, s, t: "ABC".index(s) + 0.1 * t, tasks=6)
    metric = of_systems(
        lambda j, s, t: ("ABC" if j == "m1" else "BCA").index(s) + 0.1 * t, judges=("m1", "m2"), tasks=6
    )
    (line,) = q.trust(human, "metric_differences", metrics=metric, **HOW).sentences[1:]
    assert line.startswith("m1 and m2 differ by")
    assert re.search(r"significantly \(p [=<]", line)


def test_a_metric_over_one_system_is_said_to_have_no_correlation():
    one = {"judge": ["ann", "bob"] * 2, "item": [1, 1, 2, 2], "task": [1, 1, 2, 2], "system": ["A"] * 4}
    human = q.Scores.build({**one, "score": [1, 2, 3, 5]})
    metric = q.Scores.build({**one, "judge": ["m"] * 4, "occasion": [1, 2] * 2, "score": [1, 1, 2, 2]})
    lines = q.trust(human, "metrics", metrics=metric, **HOW).sentences
    assert "m cannot be correlated over systems: there is one only." in lines


def test_labels_that_are_equally_frequent_are_all_named():
    panel = labelled(["a", "b"] * 2, [1, 1, 2, 2], "yynn")
    (line,) = q.consensus(panel).sentences
    assert "most often 'n' and 'y' (1 each)" in line


# -- small words -------------------------------------------------------------------------------------------------------


def test_numbers_in_sentences():
    assert [two(x) for x in (-0.004, 0.0, 1234.5, math.nan)] == ["0.00", "0.00", "1,234.5", "undefined"]
    assert plain(-0.0004, 3) == "0.000"
    assert [p_is(p) for p in (0.0009, 0.001, 0.05, 1.0)] == ["p < 0.001", "p = 0.001", "p = 0.05", "p = 1"]
    assert [share(x) for x in (0.0, 0.001, 0.5, 0.9999, 1.0)] == ["0%", "under 1%", "50%", "over 99%", "100%"]


def test_lists_and_wholes_in_sentences():
    assert [listed(list("abcde")[:k]) for k in range(6)] == [
        "",
        "a",
        "a and b",
        "a, b and c",
        "a, b, c and 1 more",
        "a, b, c and 2 more",
    ]
    assert [all_of(k) for k in (2, 3, 1000)] == ["both", "all 3", "all 1,000"]
    assert [on(*x) for x in ((1, 1), (2, 2), (1, 2), (4, 4))] == [
        "here",
        "on both tasks",
        "on 1 of 2 tasks",
        "on all 4 tasks",
    ]


def test_a_judge_stands_for_as_many_as_on_the_task_where_that_is_most():
    cells = [(1, "x", "a", 1, 4), (2, "x", "a", 1, 7), (1, "y", "a", 1, 1)]
    assert voters(q.Orderings.build(rows(("task", "judge", "item", "position", "count"), *cells))) == 8


def test_why_nothing_is_known_of_another_panel_is_true():
    """Three judges scored the same four items: that no two did would be false."""
    flat = q.Scores.build({"judge": list("aabbcc"), "item": list("xyxyxy"), "score": [3] * 6})
    text = " ".join(q.trust(flat, resamples=20).sentences)
    assert "do not vary" in text
    assert "no two judges" not in text
    one = q.Scores.build({"judge": list("abc"), "item": list("xxx"), "score": [1, 2, 3]})
    assert "there is one item only" in " ".join(q.trust(one, resamples=20).sentences)


def screen(panel):
    text = q.report(panel, resamples=20, permutations=9).text(300)
    return " ".join(text.split("How much do the judges agree?")[0].split())


def test_judges_who_put_no_two_items_together_did_not_give_the_same_answer():
    groups = {"ann": {"x": 1, "y": 2, "z": None}, "bob": {"x": 1, "y": None, "z": 2}, "cat": {"x": 1, "y": 2, "z": 3}}
    text = screen(q.Groupings.from_groups(groups))
    assert text.count("o judge put two items together") == 4
    assert "same answer" not in text
    assert "group" not in text.split("What came out?")[1].split("How sure")[0]
    for same in ({"x": 1, "y": 1, "z": 1}, {"x": 1, "y": 2, "z": 3}):
        alike = dict.fromkeys(("ann", "bob", "cat"), same)
        assert "All judges gave the same answer" in screen(q.Groupings.from_groups(alike))


def test_answers_that_vary_where_one_judge_is_alone_are_not_said_to_be_all_the_same():
    table = {"judge": list("aabc"), "item": list("xyxz"), "score": [0, 1, 0, 1]}
    text = screen(q.Scores.build(table))
    assert "All answers to what two judges did are the same" in text
    assert "do not vary" not in text
    assert "do not vary" in screen(q.Scores.build({**table, "score": [1] * 4}))


def test_why_it_is_not_known_how_sure_a_result_is_is_true():
    """Three judges on six tasks are enough to draw others from: they have nothing in common."""
    groups = {t: {j: {f"{t}{k}": k % 2 for k in range(4)}} for t, j in zip("uvwxyz", "abcabc", strict=True)}
    text = screen(q.Groupings.from_groups(groups))
    assert "How sure is it? Cannot be told. No two judges did the same items." in text


def test_all_votes_alike_are_no_reason_against_a_leader():
    sides = ("red", "blue"), ("blue", "red")
    cells = [(t, j, *side, "red") for t in "abc" for j in ("ann", "bob") for side in sides]
    told = q.report(q.Votes.from_votes(cells), resamples=20, permutations=9, over="items").first_screen.headline
    assert told == "red leads. All judges agree, but on so little that this may be chance."


def test_a_system_that_is_in_no_drawn_leaderboard_is_not_said_to_be_never_first():
    """Drawn tasks connect all systems only where both are drawn, so nobody knows who is first of the others."""
    cells = [("a", "red", "blue", "red"), ("a", "blue", "red", "red"), ("b", "blue", "pink", "tie")]
    panel = q.Votes.from_votes((task, "ann", *vote) for task, *vote in cells)
    found = q.quality(panel, resamples=40)["bradley_terry"].overall
    assert found[0].labels["system"] == "red"
    assert found[0].labels["first"] in (None, 1.0)


def test_long_names_that_differ_in_a_number_stay_apart_when_shortened():
    names = [f"meta-llama/Meta-Llama-3.1-{size}B-Instruct-Turbo" for size in (8, 70, 405)]
    assert len({brief(name) for name in names}) == 3
    assert all(len(brief(name)) <= 24 for name in [*names, "x" * 30 + "1" * 40, "1" * 99])


def test_a_leaderboard_of_items_is_called_that():
    panel = q.Scores.build({"judge": list("aabb"), "item": list("xyxy"), "score": [1, 2, 2, 3]})
    text = q.quality(panel, resamples=20).text()
    assert "items that share a letter" in text or "letters say nothing" in text
    assert "system" not in text


def test_a_judge_whose_name_is_a_number_is_called_a_judge():
    orders = dict.fromkeys(range(1, 6), "abcdefgh") | {6: "hgfedcba"}
    told = q.judges(q.Orderings.from_orders(orders), copies="apart", resamples=20).sentences
    assert told[0].startswith("Judge 6's order is nearly the reverse of the others'.")
    assert "Without judge 6, agreement goes" in told[0]


def test_intervals_that_are_known_to_be_too_narrow_are_said_to_be():
    rng = np.random.default_rng(0)

    def notes(judges):
        orders = {f"j{k}": sorted("abcdef", key=lambda i: ord(i) + rng.normal()) for k in range(judges)}
        told = q.agreement(q.Orderings.from_orders(orders), "tau_b", "kendall_w", "kappa", resamples=20).notes
        return [note for note in told if "too narrow" in note]

    assert notes(8) == ["kendall_w: intervals over judges are a little too narrow"]
    assert notes(25) == ["kendall_w, kappa: intervals over judges are a little too narrow"]


# -- what no panel may be told ---------------------------------------------------------------------------------------


def all_said(rows: list[dict[str, object]], question: str) -> str:
    return " ".join(map(str, getattr(q, question)(q.read(rows), seed=1).facts))


def test_a_reliability_below_0_is_no_correlation():
    camps = [(f"{camp}{k}", i, s) for camp in "ab" for k in range(4) for i, s in enumerate((1, 2, 3, 4, 5, 2, 4, 3))]
    rows = [{"judge": j, "item": i, "score": s if j < "b" else 6 - s} for j, i, s in camps]
    said = all_said(rows, "trust")
    assert "would not be like these: on average two judges' scores do not go together" in said
    assert "would correlate -" not in said


def test_of_labels_by_one_judge_each_no_majority_is_foretold():
    rows = [{"judge": "abcd"[k % 4], "item": k, "label": "xyz"[k % 3]} for k in range(16)]
    said = all_said(rows, "trust")
    assert "cannot be told: no item has two labels" in said
    assert "would name" not in said.replace("would name the same label cannot be told", "")


def test_more_tasks_say_no_more_of_an_item_that_has_one():
    rows = [
        {"judge": j, "task": t, "item": f"{t}-{i}", "score": (3 * i + t + (k * i) % 2) % 5}
        for k, j in enumerate("abc")
        for t in range(3)
        for i in range(5)
    ]
    assert "tasks by" not in all_said(rows, "trust")
