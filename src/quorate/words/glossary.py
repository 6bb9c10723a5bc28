"""The glossary's words, for explaining them where they stand; a test holds them against docs/glossary.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

WORDS = {
    "judge": "who judges: a person, a search engine, a language model",
    "task": "what is judged independently of the rest",
    "item": "what is put in order, in groups, or scored",
    "system": "produces an output on tasks, and is itself judged",
    "criterion": "what a score is about",
    "panel": "the judgments of one kind over tasks",
    "kind": "orderings, groupings, scores or votes",
    "question": "agreement, judges, consensus, quality or trust",
    "method": "what fills a cell of kinds x questions; has a text form",
    "judgment": "one judge's ordering or grouping of a task, or score of an item",
    "ranking": "one ordering as a list of tie groups, best first",
    "tie": "items in the same place of a ranking",
    "absent": "an item that a judge did not rank",
    "left out": "an item that a judge put in no group",
    "count": "how many judges gave the same ordering",
    "occasion": "which time a judge did the same thing",
    "quorum": "how many judges must share a pattern before it counts: a count or a share",
    "pattern": "items in an order, with gaps allowed, that rankings share",
    "content unit": "something that an item may say, with a weight; 0 is what fits none",
    "support": "how far an item says a content unit, by one judge: from 0 to 1",
    "mention": "one place where an item says a content unit",
    "interval": "where a figure would lie on other tasks or judges like these",
    "chance": "what judges who answer at random give",
    "agreement": "how alike the judgments of different judges are",
    "consensus": "one judgment that stands for those of all judges",
    "flagged": "found off by a method's own rule: a reason to look, not a verdict",
    "camp": "judges who agree with one another more than with the rest; of a card sort they are also called schools",
    "leaderboard": "systems from best to worst by a method",
    "letters": "systems that share one do not differ significantly",
    "significant": "unlikely by chance alone: p below 0.05",
    "p": "how often chance alone gives a value as far out as this",
    "correlation": "how far two rows of numbers or ranks go together: 1 alike, 0 unrelated, -1 opposite",
    "resampled": "drawn from this panel with replacement, again and again, to see how far figures move",
    "unit": "what several judges gave one score each: an item of a task by one criterion",
    "measure": "how alike two groupings are",
    "splitter": "a judge with finer groups than the others",
    "generaliser": "a judge with coarser groups than the others",
    "ED": "how far apart a quality method scores a judge's order and its reverse: 1 at most",
    "coefficient": "how a correlation is computed: pearson from values, spearman from ranks, kendall from pairs",
    "low": "the lower end of an interval",
    "high": "the upper end of an interval",
    "gamma": "in kappa, how much an item counts whose places differ: 1 is in full, less the further they are apart",
    "lam": "in kappa, how much a longer pattern counts that has gaps: 1 is in full, less the wider they are",
}
_ONCE = ("p", "ED", "low", "high", "gamma", "lam")  # which have no other form
_FORMS = (
    {f"{word}{end}": word for word in WORDS if word not in _ONCE for end in ("", "s")}
    | {word: word for word in _ONCE}
    | {
        "criteria": "criterion",
        "correlate": "correlation",
        "correlates": "correlation",
        "flag": "flagged",
        "flags": "flagged",
        "significantly": "significant",
        "resamples": "resampled",
        "drawn anew": "resampled",
        "subsequence": "pattern",
        "subsequences": "pattern",
        "letter": "letters",
        "q": "quorum",
    }
)
_ALONE = ("low", "high", "gamma", "lam", "q")  # as the heading of a column; in a sentence they may be anything
# Names of methods that are plain words too: in a sentence they mostly mean the word.
_PLAIN = {"alternative", "bias", "copies", "drift", "entropy", "f", "independence", "influence", "mean", "median"}
_PLAIN |= {"noise", "pairs", "percent", "precision", "purity", "quorum", "rand", "recall", "sensitivity", "severity"}
_PLAIN |= {"metrics", "support", "sweep", "together", "tune", "v"}
# Words that mean what the glossary says in reports of some kinds only.
_ONLY = {
    "count": (),
    "left out": ("groupings",),
    "support": ("scores",),
    "mention": ("scores",),
    "unit": ("scores",),
    "coefficient": ("scores",),
    "measure": ("groupings",),
    "splitter": ("groupings",),
    "generaliser": ("groupings",),
    "ED": ("orderings",),
}


@dataclass(frozen=True)
class Terms:
    """What can be explained in a text: the glossary's words, and the methods that a report used by their names."""

    methods: Mapping[str, str] = field(default_factory=dict)  # name: where it is defined
    kind: str = ""
    names: frozenset[str] = frozenset()  # of judges, items, systems: where one is called so, the word is not explained

    @cached_property
    def _forms(self) -> dict[str, str]:
        """Every form that is explained, and where; a word of the glossary before a method of that name."""
        names = {n.replace("_", dash): where for n, where in self.methods.items() for dash in "_-"}
        words = {form: place(word) for form, word in _FORMS.items() if self.kind in _ONLY.get(word, (self.kind,))}
        every = {begun: where for form, where in (names | words).items() for begun in (form, _capital(form))}
        return {form: where for form, where in every.items() if form not in self.names}

    @cached_property
    def _begins(self) -> dict[str, list[str]]:
        """The forms by the word that they begin with; words of the glossary before methods, the longest first."""
        out: dict[str, list[str]] = {}
        for form in sorted(self._forms, key=lambda f: (not self._is_word(f), self._listed(f), -len(f), f)):
            if form.lower() not in _ALONE:
                out.setdefault(form[: _end(form, 0)], []).append(form)
        return out

    def _is_word(self, form: str) -> bool:
        """Whether it is one of the glossary's; else it names a method."""
        return self._forms[form].startswith("word-")

    def _listed(self, form: str) -> bool:
        """Whether it names a method, and is a plain word too: then it is explained in a list in brackets only."""
        return form.lower() in _PLAIN and not self._is_word(form)

    def _stands(self, form: str, text: str, at: int) -> bool:
        """Whether a form stands in the text there, as a word of its own: ``level=interval`` is a setting, no word."""
        if not text.startswith(form, at):
            return False
        before, after = text[:at][-2:], text[at + len(form) : at + len(form) + 1]
        if self._listed(form):
            return (before.endswith("(") or before == ", ") and after in (",", ")")
        inside = "-=" if self._is_word(form) else "-"
        return not (before[-1:] and before[-1] in inside) and not (after and (_letter(after) or after in "-="))

    def explained(self, text: str, seen: set[str]) -> Iterator[tuple[str, str]]:
        """The text in pieces, each with the place where it is defined, or ''; a term only once for ``seen``.

        >>> list(Terms().explained("Two judges agree; no judge is off.", set()))
        [('Two ', ''), ('judges', 'word-judge'), (' agree; no judge is off.', '')]
        >>> list(Terms().explained("alpha(level=interval) is low", set()))
        [('alpha(level=interval) is low', '')]
        >>> list(Terms(names=frozenset({"chance"})).explained("chance leads", set()))
        [('chance leads', '')]
        """
        done, at = 0, 0
        while at < len(text):
            end = _end(text, at)
            form = next((f for f in self._begins.get(text[at:end], ()) if self._stands(f, text, at)), "")
            form = text if text in _ALONE and text in self._forms else form
            if form and self._forms[form] not in seen:
                seen.add(self._forms[form])
                yield text[done:at], ""
                yield form, self._forms[form]
                done = at + len(form)
            at = at + len(form) if form else max(end, at + 1)
        yield text[done:], ""


def place(word: str) -> str:
    """Where on a page a word of the glossary is defined."""
    return f"word-{word.replace(' ', '-')}"


def _capital(form: str) -> str:
    """A form as a sentence begins with it; a single letter stays as it is."""
    return form[0].upper() + form[1:] if len(form) > 1 else form


def _letter(one: str) -> bool:
    return one.isalnum() or one == "_"


def _end(text: str, at: int) -> int:
    """Where the word ends that begins there."""
    while at < len(text) and _letter(text[at]):
        at += 1
    return at
