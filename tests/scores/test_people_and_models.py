"""People are the reference: agreement of people, of models and across; models never make a person look off."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate import table
from tests.reference import scores as plain
from tests.without import without_flags


def panel(table, people):
    rows = [
        (f"j{j}", f"i{i}", v, "human" if j < people else "llm")
        for j, row in enumerate(table)
        for i, v in enumerate(row)
        if v is not None
    ]
    return q.Scores.build(dict(zip(("judge", "item", "score", "judge_kind"), zip(*rows, strict=True), strict=True)))


@given(st.lists(st.lists(st.one_of(st.none(), st.integers(0, 5)), min_size=6, max_size=6), min_size=4, max_size=6))
def test_across_equals_its_plain_twin(table):
    if any(all(v is None for v in row) for row in table):
        return
    found = q.agreement(panel(table, 2), "across", resamples=0, permutations=0).findings[0].value
    assert found == pytest.approx(plain.across(table, 2), nan_ok=True)


def two_camps(seed, items=60, people=4, models=6):
    """People see the items' quality; models agree closely with one another on something else."""
    rng = np.random.default_rng(seed)
    true, other = rng.normal(size=items), rng.normal(size=items)
    rows = [true + 0.6 * rng.normal(size=items) for _ in range(people)]
    rows += [0.6 * true + other + 0.3 * rng.normal(size=items) for _ in range(models)]
    return [row.round(3).tolist() for row in rows]


def test_agreement_is_told_of_people_of_models_and_across():
    answer = q.agreement(panel(two_camps(0), 4))
    rows = {r["judges"]: r for r in answer.more["by_kind"]}
    assert list(rows) == ["people", "models", "people and models"]
    assert rows["models"]["value"] > rows["people"]["value"] > rows["people and models"]["value"]
    assert all(r["interval"][0] <= r["value"] <= r["interval"][1] for r in rows.values())
    assert any(s.startswith("Models agree with people: alpha") for s in answer.sentences)


def test_models_that_outvote_people_never_make_a_person_off_and_a_model_is_held_against_people():
    people = {"j0", "j1", "j2", "j3"}
    for seed in range(1):
        answer = q.judges(panel(two_camps(seed), 4), resamples=0, permutations=0)
        assert not people & {f["judge"] for f in answer.more["flagged"]}
        assert not any(f"Most noise: judge {name}" in s for s in answer.sentences for name in people)
    rng, table = np.random.default_rng(1), two_camps(1, models=0)
    table += [rng.permutation(table[0]).tolist(), *two_camps(1)[:1]]  # a model at random, and one as good as a person
    flagged = [f["judge"] for f in q.judges(panel(table, 4), resamples=0, permutations=0).more["flagged"]]
    assert flagged == ["j4"]


def test_without_models_everybody_is_held_against_everybody():
    answer = q.judges(panel(two_camps(2, models=0), 4), resamples=0, permutations=0)
    assert "by_kind" not in answer.more
    assert answer.more["flagged"] == []


@pytest.mark.parametrize(
    "method", [m for m in table.methods("scores", "judges") if m.declaration.properties.get("people")]
)
@without_flags
def test_people_are_looked_at_among_people_and_each_model_beside_them(method):
    if method.name == "drift":
        return  # needs times; it is made of the same sums
    scores, people, brief = two_camps(3, people=4, models=3), 4, {"resamples": 0, "permutations": 0}
    told = {
        o.labels["judge"]: o.value for o in q.judges(panel(scores, people), str(method), **brief).findings[0].overall
    }
    alone = {o.labels["judge"]: o.value for o in q.judges(_plain(scores[:4]), str(method), **brief).findings[0].overall}
    for name, value in alone.items():
        assert told[name] == pytest.approx(value, abs=1e-12)
    for k in range(people, len(scores)):
        beside = q.judges(_plain([*scores[:4], scores[k]]), str(method), **brief).findings[0].overall
        assert told[f"j{k}"] == pytest.approx({o.labels["judge"]: o.value for o in beside}["j4"], abs=1e-12)


def _plain(rows):
    return q.Scores.from_matrix(rows, judges=[f"j{k}" for k in range(len(rows))])
