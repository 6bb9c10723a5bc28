"""Errors: a tree, a fact, a hint, and what exists."""

from __future__ import annotations

import pytest

from quorate import errors


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (errors.InputError, ValueError),
        (errors.UnknownMethod, LookupError),
        (errors.BadParameter, ValueError),
        (errors.UnknownId, LookupError),
        (errors.MissingExtra, ImportError),
        (errors.LimitReached, RuntimeError),
    ],
)
def test_each_error_is_ours_and_a_common_one(error, builtin):
    assert issubclass(error, errors.QuorateError)
    assert issubclass(error, builtin)


def test_warnings_are_ours_and_user_warnings():
    assert issubclass(errors.Degenerate, errors.QuorateWarning)
    assert issubclass(errors.QuorateWarning, UserWarning)


def test_the_opening_page_names_every_class():
    classes = [n for n, v in vars(errors).items() if isinstance(v, type) and v.__module__ == errors.__name__]
    assert classes
    assert [n for n in classes if n not in (errors.__doc__ or "")] == []


def test_a_message_is_the_fact_a_blank_line_and_the_hint():
    assert str(errors.BadParameter("too much.", "less.")) == "too much.\n\nHint: less."
    assert str(errors.BadParameter("too much.")) == "too much."


def test_input_errors_say_where_what_and_how_many():
    problems = [(line, f"bad {line}") for line in range(2, 14)]
    error = errors.InputError("wrong", "mend it.", source="votes.csv", problems=problems, count=500)
    shown = "\n".join(f"  line {line}: bad {line}" for line in range(2, 12))
    assert str(error) == f"votes.csv: wrong\n{shown}\n  ... and 490 more\n\nHint: mend it."
    assert error.count == 500
    assert len(error.problems) == errors.SHOWN == 10


def test_few_problems_have_no_remainder():
    error = errors.InputError("wrong", problems=[(None, "row 1: bad")])
    assert str(error) == "wrong\n  row 1: bad"
    assert error.count == 1


def test_a_missing_extra_says_how_to_install_it():
    error = errors.MissingExtra("polars", "tables", "Parquet")
    assert str(error) == "Parquet needs the package 'polars'.\n\nHint: pip install 'quorate[tables]'"


def test_suggest_names_the_nearest_then_all():
    assert errors.suggest("kapa", ["kappa", "tau"]) == "did you mean 'kappa'? Available: kappa, tau."
    assert errors.suggest("zzz", ["kappa", "tau"]) == "Available: kappa, tau."
    assert errors.suggest("zzz", [], "Labels") == "Labels: none."


def test_suggest_shortens_long_lists():
    told = errors.suggest("zzz", [f"item{k}" for k in range(100)])
    assert "item39, ... (100 in all)" in told
    assert "item40" not in told
