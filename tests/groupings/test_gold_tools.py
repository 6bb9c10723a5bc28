"""Around a gold standard: sheet, baseline, importance, both ways, few items, card-sort rules, files per task."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.cli.group import main
from quorate.errors import BadParameter, InputError
from quorate.groupings import check, homogeneity, importance_orders, normal_name, sheet, suggested, text_linkage
from quorate.groupings.guidelines import PROFILES
from quorate.groupings.text_linkage import distances

RANKED = {
    "judge": ["ann"] * 4 + ["bob"] * 4,
    "item": list("abcd") * 2,
    "group": [1, 1, 2, 2, "x", "x", "y", "y"],
    "importance": [1, 1, 2, 2, 2, 2, 1, 1],
}


def run(*words):
    return CliRunner(env={"COLUMNS": "80"}).invoke(main, [str(w) for w in words])


@pytest.mark.parametrize("profile", PROFILES)
def test_the_sheet_names_every_rule_that_is_checked(profile, tmp_path):
    rows = tmp_path / "items.csv"
    rows.write_text("item,source,text\nA.1,A,Ash fell.\n", encoding="utf-8")
    out = run("sheet", "-", "--profile", profile, "--items", rows).output
    assert all(says[1:] in out for says in PROFILES[profile].values())
    assert all(step[:30] in out for step in sheet(profile).steps)
    assert "Ash fell." in out
    run("sheet", tmp_path / "s.html", "--profile", profile)
    assert "<html" in (tmp_path / "s.html").read_text(encoding="utf-8").lower()


def test_a_sheet_of_another_profile_or_ending_is_refused(tmp_path):
    with pytest.raises(BadParameter, match="no profile"):
        sheet("votes")
    assert "Name it .md or .html" in run("sheet", tmp_path / "s.docx").output


@given(st.lists(st.text("ab cé", max_size=8), min_size=1, max_size=6))
def test_distances_of_texts_are_those_of_the_plain_twin(texts):
    words = [t.casefold().split() for t in texts]
    df = {w: sum(w in own for own in words) for own in words for w in own}
    vectors = [{w: own.count(w) * (np.log(len(texts) / df[w]) + 1) for w in own} for own in words]
    found = distances(texts)
    for i, a in enumerate(vectors):
        for j, b in enumerate(vectors):
            norm = np.sqrt(sum(v * v for v in a.values()) * sum(v * v for v in b.values()))
            cosine = sum(a[w] * b.get(w, 0) for w in a) / norm if norm else 0.0
            assert found[i, j] == pytest.approx(0.0 if i == j else 1 - cosine, abs=1e-4)


def test_the_baseline_is_a_system_that_can_be_scored(tmp_path):
    texts = tmp_path / "texts.csv"
    topics = {"ash": "ash fell on the roofs", "flee": "people fled by bus", "warn": "scientists had warned"}
    rows = [(f"{t}{k}", f"{words} {k}") for t, words in topics.items() for k in range(3)]
    texts.write_text("item,text\n" + "".join(f"{i},{t}\n" for i, t in rows), encoding="utf-8")
    gold = q.Groupings.from_groups({j: {i: i[:3] for i, _ in rows} for j in ("ann", "bob", "cat")})
    q.write(gold, tmp_path / "gold.csv")
    run("baseline", texts, tmp_path / "base.csv", "--like", tmp_path / "gold.csv")
    found = q.quality(gold, q.read(tmp_path / "base.csv"), "against_judges(measure=adjusted_rand)", resamples=0)
    assert found.findings[0].overall[0].value == 1.0


def test_texts_that_are_missing_or_too_few_are_told(tmp_path):
    (tmp_path / "x.csv").write_text("item,word\na,b\n", encoding="utf-8")
    assert "no column 'text'" in str(run("baseline", tmp_path / "x.csv", "-").output)
    with pytest.raises(InputError, match="no texts"):
        text_linkage([], [])
    assert text_linkage(["a"], [""]).columns()["group"] == [1]
    assert text_linkage("ab", ["x", "y"], groups=2).columns()["group"] == [None, None]


def test_importance_of_groups_is_an_ordering():
    orders = importance_orders(q.Groupings.build(RANKED))
    assert orders.orders() == {"ann": [["a, b"], ["c, d"]], "bob": [["c, d"], ["a, b"]]}
    assert q.agreement(orders, "tau_b")["tau_b"].value == -1
    with pytest.raises(InputError, match="no importance"):
        importance_orders(q.Groupings.from_groups({"a": {"x": 1}}))


def test_importance_by_the_command(tmp_path):
    q.write(q.Groupings.build(RANKED), tmp_path / "r.csv")
    out = run("agreement", tmp_path / "r.csv", "--on", "importance", "--method", "tau_b", "--format", "json").output
    assert json.loads(out)["overall"][0]["value"] == -1


def test_the_matrix_has_both_ways(tmp_path):
    groups = {"fine": dict(zip("abcd", [1, 2, 3, 3], strict=True)), "coarse": dict.fromkeys("abcd", 1)}
    groups["mid"] = dict(zip("abcd", [1, 1, 2, 2], strict=True))
    q.write(q.Groupings.from_groups(groups), tmp_path / "g.csv")
    out = run("agreement", tmp_path / "g.csv", "--show", "matrix", "--method", "homogeneity", "--format", "json").output
    (found,) = json.loads(out)
    square = next(iter(found["matrices"].values()))
    fine, mid = found["judges"].index("fine"), found["judges"].index("mid")
    assert square[fine][mid] == pytest.approx(homogeneity(groups["fine"], groups["mid"]))
    assert square[mid][fine] == pytest.approx(homogeneity(groups["mid"], groups["fine"]))
    assert square[mid][fine] < 1 == square[fine][mid]


def test_judges_who_used_few_items_are_named():
    full = {i: k % 3 for k, i in enumerate("abcdefghij")}
    few = {i: (g if i in "abc" else None) for i, g in full.items()}
    panel = q.Groupings.from_groups({"ann": full, "bob": full, "cat": {**full, "a": 2}, "dan": few})
    notes = " ".join(q.agreement(panel, resamples=0, permutations=0, copies="apart").notes)
    assert "dan (30%) used few items" in notes
    assert "ann (" not in notes


SORT = {"judge": ["p"] * 8, "item": list("abcdefgh")}


@pytest.mark.parametrize(
    ("rule", "columns"),
    [
        ("two_groups", {"group": [1] * 8}),
        ("not_alone", {"group": list(range(8))}),
        ("no_catch_all", {"group": [1] * 6 + [2, 3]}),
        ("no_catch_all", {"group": [1, 1, 1, 2, 2, 2, 3, 3], "category": ["a"] * 6 + ["Others"] * 2}),
        ("named", {"group": [1] * 4 + [2] * 4, "category": ["a"] * 4 + [None] * 4}),
        ("own_names", {"group": [1] * 4 + [2] * 4, "category": ["Fruit"] * 4 + ["fruits "] * 4}),
        ("enough_cards", {"group": [1, 1, 2] + [None] * 5}),
    ],
)
def test_rules_of_card_sorts(rule, columns):
    found = check({**SORT, **columns}, [rule])
    assert [b.rule for b in found.breaches] == [rule]
    good = {"group": [1] * 4 + [2] * 4, "category": ["a"] * 4 + ["b"] * 4}
    assert not check({**SORT, **good}, profile="cards").breaches


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("Fruits", "fruit"), (" Red  wine", "red-wines"), ("Parties", "party"), ("Boxes", "box"), ("ÄPFEL", "äpfel")),
        *(("Cookies", "cookie"), ("Movies", "movie"), ("Berries", "berry"), ("Shoes", "shoe"), ("Tomatoes", "tomato")),
        *(
            ("Classes", "class"),
            ("Headaches", "headache"),
            ("Watches", "watch"),
            ("Quiches", "quiche"),
            ("Axes", "axe"),
        ),
        *(("Pies", "pie"), ("Houses", "house"), ("Fruit & Veg", "fruit and veg"), ("Mousses", "mousse")),
    ],
)
def test_names_that_are_one(one, other):
    assert normal_name(one) == normal_name(other)


def test_names_that_are_not_one():
    assert len({normal_name(n) for n in ("bus", "glass", "basis", "news", "gas pipes", "文書", "7")}) == 7
    assert len({normal_name(n) for n in ("🍎", "🥕", "?", "")}) == 4  # names of marks alone are names


def test_a_name_is_suggested_with_its_spellings():
    ann = {1: ("Fruits", frozenset("abc")), 2: ("Tools", frozenset("de"))}
    bob = {1: ("fruit", frozenset("ab")), 2: ("Hardware", frozenset("cde"))}
    cat = {1: ("FRUIT", frozenset("abc")), 2: ("tool", frozenset("de"))}
    first, *_ = suggested("abc", [ann, bob, cat])
    assert (first.name, first.judges, set(first.spellings)) == ("FRUIT", 3, {"Fruits", "fruit", "FRUIT"})
    assert suggested("de", [ann, bob, cat])[0].name == "Tools"
    assert suggested("x", [ann]) == []


def test_a_preflib_file_for_each_task(tmp_path):
    rows = [(t, j, i, k) for t in ("a b", "c") for j in ("x", "y") for k, i in enumerate("pqr", 1)]
    panel = q.Orderings.build(dict(zip(("task", "judge", "item", "position"), zip(*rows, strict=True), strict=True)))
    q.write(panel, tmp_path / "o.csv")
    run("convert", tmp_path / "o.csv", tmp_path / "{task}.soc")
    assert {f.name for f in tmp_path.glob("*.soc")} == {"a-b.soc", "c.soc"}
    assert q.read(tmp_path / "a-b.soc").votes == 2
    run("convert", tmp_path / "o.csv", tmp_path / "one.toi", "--task", "c")
    assert (tmp_path / "one.toi").exists()


def test_groups_that_are_names_are_checked_as_names():
    sort = {"judge": ["ann"] * 4, "item": list("abcd"), "group": ["Fruit", "Fruit", "fruits", "Tools"]}
    found = check(sort, profile="cards")
    assert found.unchecked == {}
    assert [b.message for b in found.breaches] == ["groups 'Fruit' and 'fruits' are both called 'fruits': one group?"]
    assert set(check({**sort, "group": [1, 1, 2, 3]}, profile="cards").unchecked) == {"named", "own_names"}
