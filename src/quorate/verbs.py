"""The five verbs: each asks one question of a panel of any kind."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from quorate import table
from quorate.errors import BadParameter, InputError, UnknownId, UnknownMethod, suggest
from quorate.inference.answer import answer, of_some_judges
from quorate.inference.results import Answer, Options, estimate_dict, in_order
from quorate.panel.base import is_scan
from quorate.panel.judge_kinds import metrics_apart
from quorate.panel.kinds import Panel
from quorate.table import Method
from quorate.words.copies import copy_facts

Progress = Callable[[str, int, int], None]
SYSTEMS_INSIDE = ("scores", "votes")  # kinds of judgments that are of systems already


def agreement(
    panel: Panel,
    *methods: str | Method,
    seed: int = 0,
    level: float = 0.95,
    over: str | None = None,
    resamples: int = 1000,
    permutations: int = 100,
    seconds: float = 0.3,
    progress: Progress | None = None,
    absent: str | None = None,
    copies: str = "one",
    cluster: Any = None,
) -> Answer:
    """How much do the judges agree? Every default method of the panel's kind, or the methods named.

    ``over`` says to what the figures generalise: ``tasks`` (by default where there are several), ``judges``, ``items``,
    or two of them crossed (``tasksxjudges``). ``resamples`` and ``permutations`` are how much is drawn at most,
    ``absent`` says what an item without a row means: ``below``, ``left-out``, ``not-shown`` or ``unknown``.
    ``level`` is that of intervals, ``seconds`` about what one figure may take, ``progress`` is told of every step.
    ``copies``: judges with the same answers beyond what agreement allows count as ``one`` voice, or ``apart``.
    The panel may be a scan (``quorate.scan``), and ``cluster`` the Dask cluster that works on it.

    >>> from quorate import Orderings
    >>> panel = Orderings.from_orders(["abcd", "abdc", "bacd"])
    >>> agreement(panel, "tau").findings[0].overall[0].value
    0.5555555555555556
    """
    panel = on_cluster(panel, cluster)
    options = Options(seed, level, resamples, permutations, over, seconds, progress, absent, copies)
    return ask("agreement", panel, methods, options)


def consensus(
    panel: Panel,
    *methods: str | Method,
    seed: int = 0,
    level: float = 0.95,
    over: str | None = None,
    resamples: int = 1000,
    permutations: int = 100,
    seconds: float = 0.3,
    progress: Progress | None = None,
    absent: str | None = None,
    copies: str = "one",
    cluster: Any = None,
) -> Answer:
    """What do the judges agree on? One result per task and method; options as for agreement.

    >>> from quorate import Orderings
    >>> panel = Orderings.from_orders({"ann": "abcd", "bob": "abdc", "cat": "bacd"})
    >>> consensus(panel, "kemeny")["kemeny"].values[0]
    [['a'], ['b'], ['c'], ['d']]
    """
    panel = on_cluster(panel, cluster)
    options = Options(seed, level, resamples, permutations, over, seconds, progress, absent, copies)
    return ask("consensus", panel, methods, options)


def judges(
    panel: Panel,
    *methods: str | Method,
    seed: int = 0,
    level: float = 0.95,
    over: str | None = None,
    resamples: int = 1000,
    permutations: int = 100,
    seconds: float = 0.3,
    progress: Progress | None = None,
    absent: str | None = None,
    copies: str = "one",
    cluster: Any = None,
) -> Answer:
    """Who is off? Each judge against the others, worst first; options as for agreement.

    >>> from quorate import Orderings
    >>> panel = Orderings.from_orders({"ann": "abcd", "bob": "abdc", "cat": "bacd", "dan": "dcba"})
    >>> judges(panel, "peer_correlation").findings[0].overall[0].labels["judge"]
    'dan'
    """
    panel = on_cluster(panel, cluster)
    options = Options(seed, level, resamples, permutations, over, seconds, progress, absent, copies)
    return ask("judges", panel, methods, options)


def quality(
    panel: Panel,
    systems: Panel | str | Method | None = None,
    *methods: str | Method,
    seed: int = 0,
    level: float = 0.95,
    over: str | None = None,
    resamples: int = 1000,
    permutations: int = 100,
    seconds: float = 0.3,
    progress: Progress | None = None,
    absent: str | None = None,
    copies: str = "one",
    tune: bool = False,
    cluster: Any = None,
) -> Answer:
    """How good are systems, according to the judges? ``systems`` is a panel of the same kind; its judges are systems.

    Scores are of systems' outputs already, and votes between systems; they need no such panel: ``quality(scores)``.
    With ``tune`` the settings of a method of orderings are first chosen by its discriminativeness on the panel
    (``frespa(min_sup=0.5|0.75)`` names the values to try), and the answer says what they are worth on judges or tasks
    that they were not chosen on.

    >>> from quorate import Orderings
    >>> panel = Orderings.from_orders({"ann": "abcd", "bob": "abdc", "cat": "bacd"})
    >>> systems = Orderings.from_orders({"new": "abcd", "old": "dcba"})
    >>> [(o.labels["system"], o.value) for o in quality(panel, systems, "frespa")["frespa"].overall]
    [('new', 1.0), ('old', 0.0)]
    """
    panel = on_cluster(panel, cluster)
    options = Options(seed, level, resamples, permutations, over, seconds, progress, absent, copies)
    if tune and not isinstance(systems, Panel):
        raise InputError("what is tuned is applied to systems' lists.", "give them as a second panel.")
    if systems is None or isinstance(systems, str | Method):
        if panel.kind not in SYSTEMS_INSIDE:
            raise InputError("which systems?", f"give their {panel.kind} as a second panel, its judges the systems.")
        return ask("quality", panel, methods if systems is None else (systems, *methods), options)
    if panel.kind == "scores":
        hint = "name their column 'system', or the items are taken."
        raise InputError("scores of systems need no second file.", hint)
    if panel.kind == "votes":
        hint = "leave out the second panel; votes in several files are read together by naming their folder."
        raise InputError("votes are between systems already.", hint)
    if tune:
        return _tuned(panel, systems, methods or ("frespa",), options)
    return ask("quality", panel, methods, options, systems)


def _tuned(panel: Panel, systems: Panel, methods: tuple[str | Method, ...], options: Options) -> Answer:
    """Settings chosen on the panel, applied to the systems' lists, with what they are worth where not chosen."""
    if panel.kind != "orderings":
        raise InputError(f"tuning is for orderings; this panel holds {panel.kind}.", "leave out tune.")
    found = [ask("trust", panel, (f"tune(of={str(m).replace(', ', '; ')})",), options) for m in methods]
    best = tuple(table.parse(a.findings[0].overall[0].labels["best"], "orderings", "quality") for a in found)
    answer = ask("quality", panel, tuple({str(m): m for m in best}.values()), options, systems)
    rows = []
    for m, a in zip(methods, found, strict=True):
        told = estimate_dict(a.findings[0].overall[0], a.findings[0].method)
        rows.append({"of": str(m), **{n: told[n] for n in ("best", "untuned", "tuned", "value", "interval")}})
    facts = tuple(f for a in found for f in a.facts)
    return replace(answer, facts=(*facts, *answer.facts), more={**answer.more, "tuned": rows})


def trust(
    panel: Panel,
    *methods: str | Method,
    of: str | Method | None = None,
    metrics: Panel | None = None,
    systems: Panel | None = None,
    seed: int = 0,
    level: float = 0.95,
    over: str | None = None,
    resamples: int = 1000,
    permutations: int = 100,
    seconds: float = 0.3,
    progress: Progress | None = None,
    absent: str | None = None,
    copies: str = "one",
    cluster: Any = None,
) -> Answer:
    """How far can the result be trusted? ``of`` names the quality method in question, for methods that leave it open.

    ``metrics`` are the scores of automatic metrics, to be held against a panel of scores: its judges are the metrics.
    ``systems`` are systems' lists beside a panel of orderings, for the bootstrap of a quality method.

    >>> from quorate import Orderings
    >>> panel = Orderings.from_orders(["abcd", "abdc", "bacd"])
    >>> found = trust(panel, "discriminativeness", of="frespa(min_sup=0.5)")
    >>> round(found.findings[0].overall[0].value, 4)
    0.381
    """
    panel = on_cluster(panel, cluster)
    options = Options(seed, level, resamples, permutations, over, seconds, progress, absent, copies)
    if of is not None and str(of) != "all":  # which is what methods that can take all do by themselves
        chosen = [table.as_method(m, panel.kind, "trust") for m in methods]
        chosen = chosen or table.methods(panel.kind, "trust", default=True)
        methods = tuple(m.with_default(of=str(of)) for m in chosen)
    if systems is not None:
        if panel.kind != "orderings" or metrics is not None:
            raise InputError("systems are for the bootstrap of orderings.", "leave out systems.")
        return ask("trust", panel, methods, options, systems)
    if metrics is None and panel.kind == "scores" and isinstance(panel, Panel):
        panel, metrics = metrics_apart(panel)
    if metrics is None:
        return ask("trust", panel, methods, options)
    if panel.kind != "scores":
        raise InputError(f"metrics are held against scores, not {panel.kind}.", "leave out metrics.")
    return ask("trust", panel, methods or tuple(usual("trust", "scores", metrics=True)), options, metrics)


def on_cluster(panel: Any, cluster: Any) -> Any:
    """A scan that is worked on by a Dask cluster; what is in memory stays here."""
    if cluster is None:
        return panel
    if not is_scan(panel):
        raise InputError("a cluster is for a scan.", "quorate.scan(...) instead of quorate.read(...).")
    return panel.on(cluster)


def usual(question: str, kind: str, *, metrics: bool = False) -> list[Method]:
    """The methods that answer when none is named; with metrics beside the panel, those that need them too."""
    every = table.methods(kind, question)
    return [m for m in every if m.declaration.default or (metrics and m.declaration.properties.get("metrics"))]


def ask(question: str, panel: Any, methods: tuple[str | Method, ...], options: Options, *beside: Any) -> Answer:
    """Ask a question of a panel (and of those beside it) by the methods named, or the cell's defaults."""
    if is_scan(panel) and panel.unscannable:
        panel = panel.whole(panel.unscannable, question)
    if is_scan(panel):
        chosen, left = [table.as_method(m, panel.kind, question) for m in methods], ""
        panel.progress = options.progress
        if not chosen:
            usual = table.methods(panel.kind, question, default=True)
            chosen, left = panel.usual(question, usual, options, beside)
        asked, others = panel.panel_for(question, chosen, options, beside)
        found = ask(question, asked, tuple(chosen) if left else methods, options, *others)
        return replace(found, notes=(*found.notes, left)) if left else found
    beside = tuple(given.whole() if is_scan(given) else given for given in beside)
    for given in (panel, *beside):
        if not isinstance(given, Panel):
            raise InputError(f"a {type(given).__name__} is not a panel.", "quorate.read(...) gives one.")
    panel, _ = metrics_apart(panel)
    chosen = [table.as_method(m, panel.kind, question) for m in methods]
    chosen = chosen or table.methods(panel.kind, question, default=True)
    if not chosen:
        raise UnknownMethod(f"no method answers {panel.kind} x {question} yet.", "`quorate table` shows what there is.")
    named = panel.by_name  # so that no draw depends on the order of rows in a file
    if not beside and (some := of_some_judges(question, named, chosen, options)) is not named:
        panel = named = some
    others = [given.by_name for given in beside]
    found = answer(question, named, chosen, options, *others)
    words = importlib.import_module(f"quorate.words.{question}")
    copied = [row["judge"] for row in found.more.get("one_voice", ())] if question != "judges" else []
    voices = named.drop_judges(*copied) if copied else named
    facts, notes = words.facts(voices, found, *others), words.notes(voices, found, *others)
    more = () if panel.elsewhere is None else panel.elsewhere.notes
    found = replace(found, facts=(*copy_facts(found), *facts), notes=(*more, *notes), panel=panel)
    return found if named is panel else in_order(found, panel.tasks)


class _Faces:
    """Answers as text, HTML and charts; what each needs is imported when it is asked for."""

    def text(self, answer: Answer, width: int) -> str:
        from quorate.document.layout import document
        from quorate.document.terminal import render

        return render(document(answer), width)

    def html(self, answer: Answer) -> str:
        from quorate.document.html import fragment
        from quorate.document.layout import document

        return fragment(document(answer))

    def chart(self, answer: Answer, name: str) -> Any:
        from quorate.document.charts import alone
        from quorate.reports.pictures import pictures

        found = {p.name: p for p in pictures(answer.panel, answer, answer.options, None)}
        if not found or (name and name not in found):
            raise UnknownId(f"the answer has no chart{f' {name!r}' if name else ''}.", suggest(name, found, "Charts"))
        return alone(found[name] if name else next(iter(found.values())))


Answer.faces = _Faces()


def settled(options: dict[str, Any]) -> Options:
    """Options as they were named; a name that is none, or a value that cannot be, is an error."""
    known = Options.__dataclass_fields__
    for name in options:
        if name not in known:
            raise BadParameter(f"no option '{name}'.", suggest(name, known, "Options"))
    return Options(**options)
