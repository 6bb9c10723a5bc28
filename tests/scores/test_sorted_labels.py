"""Tables in which the labels of every item were sorted, as textbooks print them: who gave which is lost."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.panel.score_facts import labels_sorted

LABELS = ["anger", "fear", "joy", "trust"]


def answers(sort: bool, *, judges: int = 5, items: int = 40, labels: int = 4) -> dict[str, dict[str, str]]:
    """Judges who are right in seven of ten cases, their labels sorted or not; names in no order."""
    rng = np.random.default_rng(3)
    truth = rng.integers(labels, size=items)
    said = np.where(rng.random((judges, items)) < 0.7, truth, rng.integers(labels, size=(judges, items)))
    said = np.sort(said, axis=0) if sort else said
    names = ["zoe", "ann", "max", "eve", "bob", "kim", "lea"][:judges]
    return {n: {f"i{k}": LABELS[c] for k, c in enumerate(row)} for n, row in zip(names, said, strict=True)}


def made(sort: bool, **how: int) -> q.Scores:
    return q.Scores.from_labels(answers(sort, **how))


def test_sorted_labels_are_seen_whatever_the_judges_are_called() -> None:
    assert labels_sorted(made(True))
    assert not labels_sorted(made(False))


@pytest.mark.parametrize("how", [{"judges": 2}, {"labels": 2}, {"items": 8}], ids=str)
def test_what_may_be_in_order_by_luck_or_strictness_is_not_called_sorted(how: dict[str, int]) -> None:
    assert not labels_sorted(made(True, **how))


def test_labels_on_a_scale_and_numbers_are_not_called_sorted() -> None:
    assert not labels_sorted(q.Scores.from_labels(answers(True), scale=LABELS))
    assert not labels_sorted(q.Scores.build({"judge": ["a", "b"], "item": ["x", "x"], "score": [1, 2]}))


def test_nobody_is_off_or_a_copy_and_judges_are_not_weighed() -> None:
    panel = made(True)
    found = q.judges(panel, resamples=20)
    assert found.flagged == []
    assert "one_voice" not in found.more
    assert "who gave which is lost" in str(found.facts)
    assert [f.method.name for f in q.consensus(panel, resamples=20).findings] == ["majority"]
    assert [f.method.name for f in q.consensus(made(False), resamples=20).findings] == ["majority", "dawid_skene"]


def test_the_command_and_the_page_say_so(tmp_path: Path) -> None:
    file = tmp_path / "sorted.csv"
    rows = [f"{judge},{item},{label}" for judge, of in answers(True).items() for item, label in of.items()]
    file.write_text("\n".join(["judge,item,label", *rows]))
    said = CliRunner().invoke(main, ["labels", str(file), "--resamples", "20"]).output
    assert "sorted" in said
    assert "expected to be right" not in said
    assert "who gave which is lost" in " ".join(q.report(made(True), resamples=20, permutations=9).text().split())
