"""A method is a function with one of few shapes of result: at most five contracts, the same for every kind."""

from __future__ import annotations

import inspect
import re

from quorate import table

CONTRACTS = {  # what a method of each question gives
    "agreement": {"Measured", "Coefficient"},  # values of tasks of one shape; a function of how often units count
    "judges": {"Measured", "Coefficient"},
    "quality": {"Measured", "Coefficient", "Agreed"},
    "consensus": {"Agreed", "Measured"},  # an answer per item; of votes the figures that make the order
    "trust": {"Trusted"},
}


def results() -> dict[str, set[str]]:
    """Of every question the classes that its methods return."""
    found: dict[str, set[str]] = {}
    for declared in table.declarations():
        told = str(inspect.signature(declared.function).return_annotation)
        inside = re.sub(r"^(list|Sequence)\[(.*)\]$", r"\2", told).split(".")[-1].strip("'>")
        found.setdefault(declared.question, set()).add(inside)
    return found


def test_at_most_five_shapes_of_result():
    assert len(set().union(*results().values())) <= 5


def test_every_question_has_its_contract():
    found = results()
    assert set(found) == set(table.QUESTIONS)
    assert {
        question: shapes - CONTRACTS[question] for question, shapes in found.items() if shapes - CONTRACTS[question]
    } == {}
