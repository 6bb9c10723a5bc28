"""The table of methods: names, parameters, text forms, and errors that help."""

from __future__ import annotations

import math

import pytest

from quorate import BadParameter, UnknownMethod, table
from quorate.table import Parameter, bind, choice, find, number, parse, quorum, share, whole

CELL = ("orderings", "agreement")


def parsed(text: str) -> table.Method:
    return parse(text, *CELL)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("kappa", "kappa"),
        (" kappa ( ) ", "kappa"),
        ("kappa(gamma=1)", "kappa"),
        ("kappa(lam=.9,gamma=0.90)", "kappa(gamma=0.9, lam=0.9)"),
        ("kappa(zeta=none, p=0.5)", "kappa(p=0.5)"),
        ("kappa(zeta=5)", "kappa(zeta=5)"),
        ("support(q=0.5)", "support"),
        ("support(q=1)", "support(q=1)"),
        ("support(q=1.0)", "support(q=1.0)"),
        ("tau(missing='top-k')", "tau(missing=top-k)"),
        ("rbo(p=0.98, part=min)", "rbo(p=0.98, part=min)"),
    ],
)
def test_a_text_has_one_short_form(text, form):
    assert str(parsed(text)) == form
    assert parsed(form).parameters == parsed(text).parameters


def test_a_count_and_a_share_are_two_things():
    assert parsed("support(q=1)")["q"] == 1
    assert isinstance(parsed("support(q=1)")["q"], int)
    assert isinstance(parsed("support(q=1.0)")["q"], float)


def test_parameters_hold_the_defaults_too():
    assert parsed("rbo(p=0.5)").parameters == {"p": 0.5, "part": "ext"}


def test_a_choice_may_be_written_with_either_sign():
    found = table.parse("bradley_terry(ties=rao_kupper)", "votes", "quality")
    assert str(found) == "bradley_terry(ties=rao-kupper)"
    assert found == table.parse("bradley_terry", "votes", "quality").with_(ties="rao_kupper")


def test_numbers_of_numpy_are_taken_as_python_numbers():
    np = pytest.importorskip("numpy")
    method = bind(find("support", *CELL), {"q": np.int64(2), "lam": np.float64(0.5)})
    assert str(method) == "support(q=2, lam=0.5)"
    assert type(method["q"]) is int
    assert type(method["lam"]) is float
    assert str(bind(find("support", *CELL), {"q": np.float64(0.6)})) == "support(q=0.6)"


def test_methods_can_be_changed_but_not_in_place():
    method = parsed("kappa(lam=0.5)")
    assert str(method.with_(gamma=0.9)) == "kappa(gamma=0.9, lam=0.5)"
    assert str(method.with_default(lam=0.7, gamma=0.8, q=3)) == "kappa(gamma=0.8, lam=0.5)"
    assert str(method) == "kappa(lam=0.5)"
    assert method.has("zeta")
    assert not method.has("q")
    with pytest.raises(BadParameter, match="kappa has no parameter 'q'"):
        method.with_(q=3)


def test_repr_names_the_cell():
    assert repr(parsed("kappa")) == "<orderings x agreement: kappa>"


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(UnknownMethod) as caught:
        parsed("kendal_w")
    assert caught.value.fact == "no method 'kendal_w' for orderings x agreement."
    assert caught.value.hint.startswith("did you mean 'kendall_w'? Available: ")
    for declared in table.declarations(*CELL):
        assert declared.name in caught.value.hint


def test_a_method_of_another_question_is_told_where_it_belongs():
    with pytest.raises(UnknownMethod) as caught:
        table.parse("tau_b", "orderings", "judges")
    assert caught.value.hint.startswith("'tau_b' answers orderings x agreement. Available: ")


@pytest.mark.parametrize("text", ["", "kappa(", "kappa)", "9lives", "kappa(a=1)x", "a b"])
def test_what_is_no_name_is_refused(text):
    with pytest.raises(UnknownMethod, match="is not the name of a method"):
        parsed(text)


@pytest.mark.parametrize(
    ("text", "fact", "hint"),
    [
        ("kappa(gama=0.9)", "kappa has no parameter 'gama'", "did you mean 'gamma'"),
        ("kappa(0.9)", "'0.9' in 'kappa(0.9)' has no name", "write kappa(gamma=1"),
        ("kappa(gamma=0.9, gamma=0.8)", "gamma is given twice", ""),
        ("kappa(gamma=2)", "gamma=2 is out of range", "gamma is a number above 0 up to 1"),
        ("kappa(gamma=0)", "gamma=0 is out of range", "above 0"),
        ("kappa(gamma=many)", "gamma='many' is not a number", "gamma is a number"),
        ("kappa(gamma=nan)", "gamma=nan is not a number", "gamma is a number"),
        ("kappa(zeta=inf)", "zeta=inf is not a number", "or none"),
        ("support(q=0)", "q=0 is out of range", "q is a number of judges"),
        ("support(q=1.5)", "q=1.5 is neither a count nor a share", "q is a number of judges"),
        ("tau(missing=topk)", "missing=topk is not known", "did you mean 'top-k'? Choices: unknown, below, top-k"),
    ],
)
def test_wrong_parameters_are_answered_with_what_is_right(text, fact, hint):
    with pytest.raises(BadParameter) as caught:
        parsed(text)
    assert fact in caught.value.fact
    assert hint in caught.value.hint


def outside(parameter: Parameter) -> list[object]:
    """Values that the parameter must refuse."""
    wrong: list[object] = [math.nan, math.inf, "x", True]
    if parameter.type == "choice":
        return ["no such word"]
    if parameter.type == "text" and parameter.optional:  # any word may be one; what it says is read with the data
        return [math.nan, 1.5, True]
    if parameter.low > -math.inf:
        wrong.append(parameter.low if parameter.open_low else parameter.low - 1)
    if parameter.high < math.inf:
        wrong.append(parameter.high + 1)
    return wrong if parameter.optional else [*wrong, None]


@pytest.mark.parametrize("declared", list(table.declarations()), ids=lambda d: f"{d.kind}-{d.question}-{d.name}")
def test_every_parameter_refuses_what_is_out_of_its_range_with_a_hint(declared):
    for name, parameter in declared.parameters.items():
        for value in outside(parameter):
            with pytest.raises((BadParameter, UnknownMethod), match="Hint"):  # a parameter may be a method itself
                bind(declared, {name: value})


@pytest.mark.parametrize("declared", list(table.declarations()), ids=lambda d: f"{d.kind}-{d.question}-{d.name}")
def test_every_method_is_declared_in_full(declared):
    assert declared.kind in table.KINDS
    assert declared.question in table.QUESTIONS
    assert declared.summary
    assert "\n" not in declared.summary
    assert declared.range[0] < declared.range[1]
    assert declared.higher
    assert parse(declared.signature, declared.kind, declared.question).parameters == table.Method(declared).parameters


def test_each_question_has_words():
    assert set(table.ASKED) == set(table.QUESTIONS)


@pytest.mark.parametrize(
    ("parameter", "good", "bad"),
    [
        (number("x", 0, 2), [0, 1.5, 2], [-0.1, 2.1]),
        (share("x"), [0.1, 1], [0, 1.1]),
        (whole("x"), [1, 7, 3.0], [0, 2.5]),
        (quorum("x"), [1, 5, 0.5, 1.0], [0, 0.0, 2.5, -1]),
        (choice("x", "a", "b"), ["a"], ["c", 1]),
        (number("x", optional=True), [None, -9], ["y"]),
    ],
)
def test_kinds_of_parameters(parameter, good, bad):
    for value in good:
        assert parameter.check(value) == value
    for value in bad:
        with pytest.raises(BadParameter):
            parameter.check(value)


def test_whole_numbers_are_ints():
    assert type(whole("x").check(3.0)) is int
    assert type(whole("x").read("3")) is int


def test_as_method_takes_texts_and_methods_of_the_cell():
    method = parsed("kappa")
    assert table.as_method(method, *CELL) is method
    assert str(table.as_method("kappa", *CELL)) == "kappa"
    with pytest.raises(UnknownMethod, match="does not answer scores x agreement"):
        table.as_method(method, "scores", "agreement")


def test_declaring_a_method_puts_it_in_the_table(monkeypatch):
    monkeypatch.setattr(table, "_registry", {})

    @table.method("scores", "trust", "made_up", range=(0, 1), higher="more", parameters={"k": whole("places")})
    def made_up(data, k=3):
        """A method made up for this test.

        With more text.
        """
        return data * k

    declared = table._registry["scores", "trust", "made_up"]
    assert declared.summary == "A method made up for this test."
    assert declared.signature == "made_up(k=3)"
    assert table.Method(declared)(2) == 6
    assert bind(declared, {"k": 5})(2) == 10


@pytest.mark.parametrize("question", table.QUESTIONS)
@pytest.mark.parametrize("kind", table.KINDS)
def test_no_cell_of_the_table_is_empty(kind, question):
    assert table.methods(kind, question, default=True)
