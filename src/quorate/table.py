"""The idea in code: a judgment is of one of four kinds, and five questions can be asked of many judgments.

A :class:`Method` fills a cell of that table. It is declared once, beside the function that computes it, and has a text
form that parses back: the same words in Python, on the command line, in a URL and in a report.

>>> m = parse("kappa(lam=0.9, gamma=0.9)", "orderings", "agreement")
>>> str(m), m["lam"]
('kappa(gamma=0.9, lam=0.9)', 0.9)
>>> str(parse("kappa", "orderings", "agreement"))
'kappa'
"""

from __future__ import annotations

import importlib
import inspect
import math
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from quorate.errors import BadParameter, QuorateWarning, UnknownMethod, suggest

KINDS = ("orderings", "groupings", "scores", "votes")
QUESTIONS = ("agreement", "judges", "consensus", "quality", "trust")

ASKED = {
    "agreement": "how much do the judges agree?",
    "judges": "who is off?",
    "consensus": "what do they agree on?",
    "quality": "how good is a system, according to the judges?",
    "trust": "how far can the result be trusted?",
}

Value = float | int | str | bool | None


@dataclass(frozen=True, slots=True)
class Parameter:
    """One knob of a method: what it means and which values it takes."""

    meaning: str
    type: str = "number"  # number, whole, quorum, choice, text
    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False  # low itself is not allowed
    open_high: bool = False  # nor is high
    choices: tuple[str, ...] = ()
    shown: bool = False  # always part of the text form
    optional: bool = False  # may be `none`
    name: str = ""
    default: Value = None

    def read(self, text: str) -> Value:
        """The value that a text stands for, checked."""
        word = text.strip().strip("'\"")
        if self.optional and word.lower() == "none":
            return None
        if self.type in ("choice", "text"):
            return self.check(word)
        try:
            number = float(word)
        except ValueError:
            raise BadParameter(f"{self.name}={word!r} is not a number.", self.rule()) from None
        return self.check(int(number) if self._as_whole(word, number) else number)

    def _as_whole(self, word: str, number: float) -> bool:
        whole = number.is_integer()
        # A quorum written without a point is a count, with one a share: 1 is one judge, 1.0 is all of them.
        return whole and (
            self.type == "whole" or (self.type == "quorum" and "." not in word and "e" not in word.lower())
        )

    def check(self, value: Value) -> Value:
        """The value itself if it is allowed, else BadParameter."""
        if value is None and self.optional:
            return None
        if value is not None and hasattr(value, "item"):  # a number of numpy's
            value = value.item()
        if self.type == "choice":
            known = {_hyphened(word): word for word in self.choices}
            if _hyphened(value) not in known:
                raise BadParameter(f"{self.name}={value} is not known.", suggest(str(value), self.choices, "Choices"))
            return known[_hyphened(value)]
        if self.type == "text":
            if not isinstance(value, str):
                raise BadParameter(f"{self.name}={value!r} is not a word.", self.rule())
            return value
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise BadParameter(f"{self.name}={value!r} is not a number.", self.rule())
        if self.type == "whole" and not float(value).is_integer():
            raise BadParameter(f"{self.name}={value} is not a whole number.", self.rule())
        if self.type == "quorum" and isinstance(value, float) and not self.low <= value <= 1:
            raise BadParameter(f"{self.name}={value} is neither a count nor a share.", self.rule())
        ends = (self.open_low and value == self.low) or (self.open_high and value == self.high)
        if value < self.low or value > self.high or ends:
            raise BadParameter(f"{self.name}={_plain(value)} is out of range.", self.rule())
        return int(value) if self.type == "whole" else value

    def write(self, value: Value) -> str:
        """A value as the text form has it; a share stays a share (1.0), a count a count (1)."""
        return repr(value) if self.type == "quorum" else _plain(value)

    def rule(self) -> str:
        """Which values are allowed, in words."""
        if self.type == "choice":
            return f"{self.name} is one of {', '.join(self.choices)}."
        if self.type == "quorum":
            least = f"0 {'<' if self.open_low else '<='} {self.name}"
            return f"{self.name} is a number of judges (1, 2, ...) or a share of them ({least} <= 1.0)."
        if self.type == "text":
            return f"{self.name} is a word{', or none' if self.optional else ''}."
        what = "a whole number" if self.type == "whole" else "a number"
        low = f" {'above' if self.open_low else 'from'} {_plain(self.low)}" if self.low > -math.inf else ""
        high = f" {'below' if self.open_high else 'up to'} {_plain(self.high)}" if self.high < math.inf else ""
        return f"{self.name} is {what}{low}{high}{', or none' if self.optional else ''}."


def _hyphened(word: Value) -> str:
    """A choice as it may be written either way: rao_kupper is rao-kupper."""
    return str(word).replace("_", "-")


def number(meaning: str, low: float = -math.inf, high: float = math.inf, **more: Any) -> Parameter:
    """A real number."""
    return Parameter(meaning, "number", low, high, **more)


def share(meaning: str, **more: Any) -> Parameter:
    """A number above 0 and at most 1: weights and discounts."""
    return Parameter(meaning, "number", 0.0, more.pop("high", 1.0), open_low=True, **more)


def whole(meaning: str, low: float = 1, high: float = math.inf, **more: Any) -> Parameter:
    """A whole number."""
    return Parameter(meaning, "whole", low, high, **more)


def quorum(meaning: str, *, none: bool = False) -> Parameter:
    """How many judges make a pattern count: a count (3) or a share (0.5); with ``none`` also 0.0: any judge."""
    return Parameter(meaning, "quorum", 0.0, open_low=not none)


def choice(meaning: str, *choices: str, shown: bool = False, optional: bool = False) -> Parameter:
    """One of a few words."""
    return Parameter(meaning, "choice", choices=choices, shown=shown, optional=optional)


@dataclass(frozen=True, slots=True)
class Note:
    """For the method reference: what a method is good for, when it misleads, and its formula in plain text."""

    use: str
    misleads: str
    formula: str


@dataclass(frozen=True, slots=True, eq=False)
class Declaration:
    """What is known of a method before its parameters are set."""

    name: str
    kind: str
    question: str
    function: Callable[..., Any]
    summary: str
    range: tuple[float, float]
    higher: str  # what a higher value means, e.g. "more agreement"
    chance: str  # what judges who answer at random give, in words
    parameters: Mapping[str, Parameter]
    default: bool  # part of the answer when no method is named
    properties: Mapping[str, Any]
    reference: str
    keywords: frozenset[str] = frozenset()  # what the function takes beside its parameters: brief, alike, seed, instead

    def limits(self, method: Method, details: Mapping[str, Any]) -> tuple[float, float]:
        """What values lie between: as declared, or narrower where the settings and what was found allow."""
        own = self.properties.get("limits")
        return own(method, details) if own else self.range

    @property
    def signature(self) -> str:
        """The name with every parameter and its default."""
        inside = ", ".join(f"{p.name}={p.write(p.default)}" for p in self.parameters.values())
        return f"{self.name}({inside})" if inside else self.name

    @property
    def note(self) -> Note | None:
        """When to use it, when it misleads, and its formula."""
        own: Note | None = self.properties.get("note")
        return own


@dataclass(frozen=True, slots=True)
class Method:
    """A declared method with its parameters set; its text form parses back."""

    declaration: Declaration
    settings: tuple[tuple[str, Value], ...] = field(default=())

    @property
    def name(self) -> str:
        """The method's name without parameters."""
        return self.declaration.name

    @property
    def question(self) -> str:
        """The question it answers."""
        return self.declaration.question

    @property
    def sign(self) -> int:
        """1 where a higher value is the better one, -1 where a lower one is; it may be a matter of parameters."""
        own = self.declaration.properties.get("sign", 1)
        return int(own(self) if callable(own) else own)

    @property
    def parameters(self) -> dict[str, Value]:
        """Every parameter with its value, defaults included."""
        given = dict(self.settings)
        return {n: given.get(n, p.default) for n, p in self.declaration.parameters.items()}

    def __getitem__(self, name: str) -> Value:
        return self.parameters[name]

    def has(self, name: str) -> bool:
        """Whether the method takes this parameter."""
        return name in self.declaration.parameters

    def with_(self, **settings: Value) -> Method:
        """The same method with some parameters set; unknown ones are an error."""
        return bind(self.declaration, {**dict(self.settings), **settings})

    def with_default(self, **settings: Value) -> Method:
        """Set only those parameters that the method has and the text left open."""
        given = dict(self.settings)
        return self.with_(**{k: v for k, v in settings.items() if self.has(k) and k not in given})

    def __call__(self, *data: Any, **more: Any) -> Any:
        """Compute it."""
        return self.declaration.function(*data, **self.parameters, **more)

    def __str__(self) -> str:
        known = self.declaration.parameters
        inside = [
            f"{n}={known[n].write(v)}" for n, v in self.parameters.items() if known[n].shown or v != known[n].default
        ]
        return f"{self.name}({', '.join(inside)})" if inside else self.name

    def __repr__(self) -> str:
        return f"<{self.declaration.kind} x {self.declaration.question}: {self}>"


_registry: dict[tuple[str, str, str], Declaration] = {}


def method(
    kind: str,
    question: str,
    name: str,
    *,
    range: tuple[float, float],
    higher: str,
    chance: str = "permuted",
    default: bool = False,
    reference: str = "",
    parameters: Mapping[str, Parameter] | None = None,
    defaults: Mapping[str, Value] | None = None,
    **properties: Any,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare the function below as a method; parameter defaults come from its signature, or from ``defaults``."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function).parameters
        known = {}
        for n, p in (parameters or {}).items():
            known[n] = replace(p, name=n, default=defaults[n] if defaults else signature[n].default)
        summary = (inspect.getdoc(function) or "").split("\n\n")[0].replace("\n", " ")
        about = (name, kind, question, function, summary, range, higher, chance, known, default, properties, reference)
        declaration = Declaration(*about, frozenset(signature) - frozenset(known))
        _registry[kind, question, name] = declaration
        return function

    return register


GROUP = "quorate.methods"  # entry points of packages that declare methods of their own


def load(kind: str | None = None) -> None:
    """Import the cells of a kind, or of all, and the methods of other packages, so that the registry has them."""
    for one in KINDS if kind is None else (kind,):
        importlib.import_module(f"quorate.{one}")
    _load_others()


@cache
def _load_others() -> None:
    from importlib.metadata import entry_points  # it takes long to import

    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            point.load()
        except Exception as error:  # another's code: whatever it raises, ours goes on
            warnings.warn(f"the methods of '{point.value}' cannot be loaded: {error}", QuorateWarning, stacklevel=2)


@cache
def _places(kind: str) -> dict[tuple[str, str], int]:
    """Question and name of every method of a kind with its place: the order that the kind tells."""
    order: Mapping[str, str] = importlib.import_module(f"quorate.{kind}").ORDER
    told = [(question, name) for question, names in order.items() for name in names.split()]
    return {name: place for place, name in enumerate(told)}


def declarations(kind: str | None = None, question: str | None = None) -> Iterator[Declaration]:
    """Every declared method, or those of one kind or question, in the table's order; those of others come last."""
    load(kind)
    for one in KINDS if kind is None else (kind,):
        places = _places(one)
        own = (d for d in _registry.values() if d.kind == one and question in (None, d.question))
        yield from sorted(own, key=lambda d: places.get((d.question, d.name), len(places)))


def methods(kind: str | None = None, question: str | None = None, *, default: bool = False) -> list[Method]:
    """Every method with its defaults; with ``default`` only those used when none is named."""
    return [Method(d) for d in declarations(kind, question) if d.default or not default]


_FORM = re.compile(r"\s*([A-Za-z_][\w.-]*)\s*(?:\((.*)\))?\s*", re.DOTALL)


def parse(text: str, kind: str, question: str) -> Method:
    """The method that a text names; a wrong name or parameter is an error with a hint."""
    match = _FORM.fullmatch(text)
    if not match:
        raise UnknownMethod(f"'{text}' is not the name of a method.", "write a name, or name(parameter=value, ...).")
    name, inside = match.group(1), match.group(2)
    declaration = find(name, kind, question)
    settings: dict[str, Value] = {}
    for piece in _pieces(inside or ""):
        if not piece.strip():
            continue
        key, eq, word = piece.partition("=")
        key = key.strip()
        if not eq:
            raise BadParameter(f"'{piece.strip()}' in '{text}' has no name.", f"write {declaration.signature}.")
        if key in settings:
            raise BadParameter(f"{key} is given twice in '{text}'.")
        settings[key] = _parameter(declaration, key).read(word)
    return bind(declaration, settings)


def _pieces(inside: str) -> list[str]:
    """What stands between commas or semicolons; those within brackets belong to a method inside the method."""
    out, depth = [""], 0
    for letter in inside:
        depth += (letter == "(") - (letter == ")")
        if letter in ",;" and depth == 0:
            out.append("")
        else:
            out[-1] += letter
    return out


def find(name: str, kind: str, question: str) -> Declaration:
    """The declaration of that name in that cell."""
    load(kind)
    declaration = _registry.get((kind, question, name))
    if declaration is None:
        known = sorted(d.name for d in declarations(kind, question))
        own = [f"{k} x {q}" for k, q, n in _registry if n == name and k == kind]  # of the other questions
        there = f"'{name}' answers {' and '.join(own)}. " if own else ""
        raise UnknownMethod(f"no method '{name}' for {kind} x {question}.", there + suggest(name, known))
    return declaration


def bind(declaration: Declaration, settings: Mapping[str, Value]) -> Method:
    """The method with these parameters, each checked."""
    checked = {key: _parameter(declaration, key).check(value) for key, value in settings.items()}
    order = [n for n in declaration.parameters if n in checked]
    return Method(declaration, tuple((n, checked[n]) for n in order))


def checked(name: str, kind: str, question: str, **settings: Value) -> dict[str, Any]:
    """Every parameter of a method by its name, those given checked: for the plain functions."""
    return dict(bind(find(name, kind, question), settings).parameters)


def as_method(what: str | Method, kind: str, question: str) -> Method:
    """A text or a method, as a method of this cell."""
    if isinstance(what, Method):
        if (what.declaration.kind, what.declaration.question) != (kind, question):
            raise UnknownMethod(f"{what!r} does not answer {kind} x {question}.")
        return what
    if not isinstance(what, str):
        hint = "name them one by one, each as a text such as 'kappa(gamma=0.9)'."
        raise UnknownMethod(f"a {type(what).__name__} is not a method.", hint)
    return parse(what, kind, question)


def _parameter(declaration: Declaration, name: str) -> Parameter:
    if name not in declaration.parameters:
        known = declaration.parameters
        hint = suggest(name, known, "Parameters") if known else f"{declaration.name} takes no parameters."
        raise BadParameter(f"{declaration.name} has no parameter '{name}'.", hint)
    return declaration.parameters[name]


def _plain(value: Value) -> str:
    """A value as it is written in a method's text form."""
    if value is None:
        return "none"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
