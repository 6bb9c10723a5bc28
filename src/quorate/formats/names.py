"""Column names: known ones are found in any case and with blanks around; some words stand for them; others are labels.

A word that stands for a known name is a guess: it is told in the receipt with the option that would settle it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from quorate.errors import InputError, suggest
from quorate.panel.kinds import ONE_TASK, Panel, Scores, Votes
from quorate.panel.reading import Guess, option
from quorate.panel.votes import NEEDED

KNOWN = (
    *("task", "judge", "item", "position", "group", "score", "label", "count", "occasion"),
    *("source", "importance", "system", "criterion", "text", "year", "judge_kind"),
    *NEEDED,
)
VALUES = ("position", "group", "score", "label", "winner")  # what a judge says of an item

# Words that stand for a known name where that is not there; of several in one table the first of this order is taken.
SYNONYMS = {
    "judge": (
        *("judge", "rater", "annotator", "worker", "coder", "assessor", "evaluator", "reviewer", "grader", "labeler"),
        *("labeller", "scorer", "panelist", "panellist", "turker", "listener", "annotatedby", "ratedby", "judgedby"),
        *("examiner", "marker", "referee", "expert", "observer"),
        *("juror", "jury", "teacher", "ballot"),
        *("voter", "respondent", "participant", "responseid", "email", "emailaddress", "username", "user"),
    ),
    "item": (
        *("item", "card", "candidate", "alternative", "option", "unit", "document", "doc", "docno", "subject"),
        *("sample", "example", "instance", "statement", "sentence", "image", "product", "paper", "essay", "article"),
        *("movie", "film", "tweet", "post", "message", "photo", "video", "clip", "song"),
        *("submission", "proposal", "applicant", "contestant", "stimulus"),
        *("utterance", "turn", "conversation", "dialogue", "dialog", "url", "text", "id"),
    ),
    "position": ("rank", "ranking", "place"),
    "group": ("cluster", "category", "pile"),
    "score": ("rating", "value", "grade", "points", "mark", "stars"),
    "system": ("system", "model", "engine", "llm", "bot", "method", "team"),
    "task": (
        *("doc", "document", "topic", "query", "qid", "question", "prompt", "input", "docset"),
        *("conversation", "dialogue", "dialog", "task"),
    ),
    "unit": (  # finer
        *("segment", "seg", "sentence", "sent", "passage", "paragraph", "example", "sample", "instance"),
        *("turn", "utterance", "line", "frame"),
    ),
    "criterion": ("dimension", "aspect", "attribute", "facet", "trait", "subscale", "criteria"),
    "count": ("votes", "voters", "ballots", "frequency", "freq", "n"),  # of judges who gave the same order
    "occasion": ("session", "round", "wave", "trial", "attempt", "repetition", "repeat", "visit", "phase", "pass"),
}
# Words for the three columns of votes. Texts that were shown are no systems: not ``response_a`` and ``response_b``, but
# ``response_a_model`` is one.
SYSTEMS = ("system", "model", "item", "candidate", "option", "alternative", "method", "team", "engine", "")
SIDES = (("a", "b", "c"), ("1", "2", "3"), ("left", "right", "middle"), ("first", "second", "third"))  # no third there
TEXTS = ("response", "answer", "output", "completion", "summary")
WINNERS = (
    *("winner", "preference", "preferred", "choice", "chosen", "verdict", "vote", "better", "best", "judgment"),
    *("judgement", "outcome", "decision", "selected", "selection"),
)
OTHERWISE = {"position": "score", "group": "label", "score": "label"}  # what else such a word may mean
TASK_WORDS = SYNONYMS["task"]  # beside items or systems
ROW = "row"  # what a first column without a name is called, which names the rows
NUMBERS = re.compile(r"(?i:(?:^|[\W_])(?:id|nr|idx|index))$|[a-z]I[dD]$")
_AGAIN = re.compile(r"(?:trial|session|wave|attempt|repetition|visit)[\W_]?(?:id|nr|no|number)?", re.IGNORECASE)
_SURE = re.compile(r"(?:^|[\W_])(?:confidence|certainty|sureness|trust)$", re.IGNORECASE)
_TIMES = re.compile(r"(?i:(?:^|[\W_])(?:time|timestamp|worktime|duration|seconds|secs|elapsed|age)(?:$|[\W_]))")
_MARKS = re.compile(r"[\W_]+")


def clean(name: object) -> str:
    """A column's name without blanks around it or a byte order mark; known names in small letters.

    >>> clean(" Judge "), clean("Word Count")
    ('judge', 'Word Count')
    """
    bare = str(name).strip().lstrip("\ufeff").strip()
    return bare.lower() if bare.lower() in KNOWN else bare


def stands_for(name: str, role: str) -> int | None:
    """The place of a name among the words for a role, whatever its case and marks, with or without ``id`` or ``name``.

    Survey tools write a code before it: ``id. Response ID``.

    >>> stands_for("Worker_ID", "judge"), stands_for("id. Email Address", "judge"), stands_for("mood", "judge")
    (3, 33, None)
    """
    found = [_MARKS.sub("", n).lower() for n in (name, name.partition(". ")[2]) if n]
    words = SYNONYMS[role]
    ends = ("", *(("id", "name", "number", "model") if role == "judge" else ("id", "name", "number")))
    return next((words.index(w) for word in found for end in ends if (w := word.removesuffix(end)) in words), None)


def standing_for(role: str, names: Sequence[str]) -> str | None:
    """The column that stands for a known name: the one whose word comes first in the list of words."""
    found = {n: place for n in names if (place := stands_for(n, role)) is not None}
    return min(found, key=found.__getitem__, default=None)


def is_confidence(name: str) -> bool:
    """Whether a column says how sure judges are, by its name, rather than what they say.

    >>> is_confidence("Confidence"), is_confidence("rater_certainty"), is_confidence("confident tone")
    (True, True, False)
    """
    return bool(_SURE.search(name))


def no_score(name: str) -> bool:
    """Whether a column of numbers is none of scores, as its name says: it numbers something, or tells when or how long.

    >>> no_score("hit_id"), no_score("AssignmentId"), no_score("time_seconds"), no_score("trial"), no_score("timeless")
    (True, True, True, True, False)
    """
    return bool(NUMBERS.search(name) or _TIMES.search(name) or _AGAIN.fullmatch(name))


def taken(name: str, role: str) -> Guess:
    """A column taken for a known one because of its name."""
    other = OTHERWISE.get(role)
    unless = f" (if it is a {other}: {option('rename', f'{name}={other}')})" if other else ""
    called = role if role in NEEDED[:2] else f"the {role}"
    return Guess(f"the column '{name}' is taken as {called}{unless}", option("rename", f"{name}={role}"), name, role)


def pair_named(names: Sequence[str], systems: Sequence[str] = SYSTEMS) -> tuple[str, str] | None:
    """The columns that name two systems side by side; of three or more there is no pair.

    >>> pair_named(["judge", "response_a_model", "response_b_model"]), pair_named(["model_a", "winner"])
    (('response_a_model', 'response_b_model'), None)
    """
    word = _words(names)
    called = [("", s) for s in systems] + [(s, "") for s in systems] + [(t, s) for t in TEXTS for s in SYSTEMS[:2]]
    rows = ([f"{x}{side}{y}" for side in sides] for x, y in called for sides in SIDES)
    return next(((word[a], word[b]) for a, b, c in rows if a in word and b in word and c not in word), None)


def _words(names: Sequence[str]) -> dict[str, str]:
    """The names by what they are without case and marks; of those of votes their own."""
    own = {_MARKS.sub("", n): n for n in NEEDED if n in names}
    return {_MARKS.sub("", n).lower(): n for n in reversed(names)} | own


def votes_by_name(names: Sequence[str]) -> tuple[list[str], tuple[Guess, ...]]:
    """The names with judge, pair and winner under the names that votes have, where words for them are there.

    >>> votes_by_name(["rater", "system 1", "system 2", "Preferred"])[0]
    ['judge', 'model_a', 'model_b', 'winner']
    >>> votes_by_name(["judge", "left_model", "right_model", "winner"])[0]
    ['judge', 'model_a', 'model_b', 'winner']
    >>> votes_by_name(["voter", "winner", "loser"])[0]
    ['judge', 'won', 'lost']
    """
    word, pair = _words(names), pair_named(names)
    if pair is None and (both := won_and_lost(names)):
        return _with_judge(names, dict(zip(both, WON[0], strict=True)), (_unplaced(both),) if both != WON[0] else ())
    if pair is not None and (won := wins_named(names)):
        new = {**dict(zip(pair, NEEDED[:2], strict=True)), **dict(zip(won, WINS, strict=False))}
        return _with_judge(names, new, tuple(taken(old, role) for old, role in new.items() if old != role))
    winner = next((word[w + s] for w in WINNERS for s in ("", "model", "system", "name") if w + s in word), None)
    if pair is None or winner is None or {"item", "score", "position", "group"} & set(names):
        return list(names), ()
    new = dict(zip((*pair, winner), NEEDED, strict=True))
    if any(role in names and old != role for old, role in new.items()):
        return list(names), ()
    return _with_judge(names, new, tuple(taken(old, role) for old, role in new.items() if old != role))


def _with_judge(
    names: Sequence[str], new: Mapping[str, str], guesses: tuple[Guess, ...]
) -> tuple[list[str], tuple[Guess, ...]]:
    """The names of votes with judge and task, too, where words for them are there."""
    judge = None if "judge" in names else standing_for("judge", [n for n in names if n not in new])
    more = {} if judge is None else {judge: "judge"}
    task = standing_for("task", [n for n in names if n not in (*new, *more)])
    more |= {} if task is None or {"task", "question", "question_id"} & set(names) else {task: "task"}
    told = tuple(taken(old, role) for old, role in more.items())
    return [({**new, **more}).get(n, n) for n in names], (*guesses, *told)


WON = (("won", "lost"), ("chosen", "rejected"), ("winner", "loser"), ("preferred", "rejected"), ("better", "worse"))


WINS = ("wins_a", "wins_b", "ties")  # how often each of two systems won


def wins_named(names: Sequence[str]) -> tuple[str, ...]:
    """The columns of how often the first of two systems won, the second, and neither; none where they are not there.

    >>> wins_named(["model_a", "model_b", "a_wins", "b_wins"]), wins_named(["model_a", "model_b", "winner"])
    (('a_wins', 'b_wins'), ())
    """
    word = _words(names)
    for first, second in (("winsa", "winsb"), ("awins", "bwins"), ("wins1", "wins2"), ("wina", "winb")):
        if first in word and second in word:
            tied = next((word[t] for t in ("ties", "draws", "tie", "draw", "tied") if t in word), None)
            return (word[first], word[second], *([tied] if tied else []))
    return ()


def won_and_lost(names: Sequence[str]) -> tuple[str, str] | None:
    """The columns of who won and who lost, where nothing says who was shown first.

    >>> won_and_lost(["chosen_model", "rejected_model"]), won_and_lost(["winner", "model_a", "model_b"])
    (('chosen_model', 'rejected_model'), None)
    """
    word = _words(names)
    both = ((f"{a}{s}", f"{b}{s}") for a, b in WON for s in ("", "model", "system"))
    return next(((word[won], word[lost]) for won, lost in both if won in word and lost in word), None)


def _unplaced(both: tuple[str, str]) -> Guess:
    """What is said of a table of who won and who lost."""
    said = f"'{both[0]}' and '{both[1]}' are taken as the systems that won and lost; who was shown first is not said"
    return Guess(said, option("rename", f"{both[0]}=won", f"{both[1]}=lost"))


def check_places(where: str, names: Sequence[str]) -> None:
    """An error for the best and worst of several."""
    word = {_MARKS.sub("", n).lower(): n for n in names}
    if {"best", "worst"} <= word.keys():
        raise InputError(
            f"{where}: '{word['best']}' and '{word['worst']}' of several items: an order of which the middle is tied.",
            "write task (a row's number), judge, item and position: 1 is the best, 2 those between, 3 the worst.",
        )


def check_winner(where: str, names: Sequence[str], numbers: Callable[[str], bool]) -> None:
    """An error for a table that names two systems side by side, and not who won."""
    pair = pair_named(names, SYSTEMS[:2])
    if pair and not any(map(numbers, pair)):
        others = ", ".join(n for n in names if n not in pair)
        raise InputError(
            f"{where}: '{pair[0]}' and '{pair[1]}' name two systems, but which column says who won?",
            f"--rename COLUMN=winner; columns found: {others}.",
        )


def check_chosen(where: str, names: Sequence[str]) -> None:
    """An error for a table of two texts that were shown, and which was chosen, that does not name who wrote them."""
    word = {_MARKS.sub("", n).lower(): n for n in names}
    chosen, shown = next((word[w] for w in WINNERS if w in word), None), pair_named(names, TEXTS)
    if chosen and shown:
        raise InputError(
            f"{where}: '{shown[0]}' and '{shown[1]}' hold what was shown, and '{chosen}' which of them was chosen, but "
            "no columns name the two systems.",
            "for votes, name them in columns model_a and model_b; to see how far judges agree on which is better, "
            f"{option('rename', f'{chosen}=label')}.",
        )


def understood(where: str, columns: Sequence[object], rename: Mapping[str, str], *, unnamed: bool = False) -> list[str]:
    """The names after cleaning and renaming, all different; ``unnamed`` columns may be there, to be settled later."""
    found = [clean(c) for c in columns]
    new = {clean(a): clean(b) for a, b in rename.items()}
    if unnamed and ROW in new and ROW not in found and found[:1] == [""]:
        found[0] = ROW
    for old in new:
        if old not in found:
            raise InputError(f"{where}: no column '{old}' to rename.", suggest(old, found, "Columns found"))
    names = [new.get(n, n) for n in found]
    listing = next((n for n in names if n == "system" or (is_run(n) and _queries(names))), None)
    if "judge" not in names and listing and _arranged(names):
        names[names.index(listing)] = "judge"  # a system's list or groups, to be held against those of judges
    if "" in names and not unnamed:
        raise no_name(where, [str(k) for k, n in enumerate(names, 1) if not n])
    names = [n or nameless(k) for k, n in enumerate(names, 1)]
    twice = sorted(n for n, often in Counter(names).items() if often > 1)
    if twice:
        raise _same_name(where, names, twice[0], renamed=twice[0] in new.values())
    return names


def with_label(names: list[str]) -> list[str]:
    """The names where scores are labels."""
    return names if "label" in names else ["label" if n == "score" else n for n in names]


def no_name(where: str, places: Sequence[str]) -> InputError:
    """Columns in which there is something have no name; often there are two lines of names, with merged cells."""
    said = f"a column has no name (column {places[0]})" if len(places) == 1 else _without_names(places)
    hint = "name every column in the first line; two lines of names (merged cells) must be made one: 'fluency sysA'."
    return InputError(f"{where}: {said}.", hint)


def _without_names(places: Sequence[str]) -> str:
    return f"{len(places)} columns have no name (columns {', '.join(places[:-1])} and {places[-1]})"


def is_run(name: str) -> bool:
    """Whether a column is called as what makes lists: a system, a run, an engine."""
    return _MARKS.sub("", name).lower().removesuffix("id") in ("system", "run", "engine")


def is_query(name: str) -> bool:
    """Whether a column is called as what lists are made for."""
    return _MARKS.sub("", name).lower().removesuffix("id") in ("query", "topic", "q")


def _queries(names: Sequence[str]) -> list[str]:
    return [n for n in names if n == "task" or is_query(n)]


def _arranged(names: Sequence[str]) -> bool:
    """Whether there are places or groups, by their names or by a word for places, and no scores but those by which a
    search engine has put documents in their places."""
    if {"position", "group"} & set(names):
        return True
    queries = _queries(names)
    found = queries and standing_for("item", [n for n in names if n not in queries])
    placed = standing_for("position", names) is not None and standing_for("judge", names) is None
    return placed and ("score" not in names or bool(found))


def _same_name(where: str, names: Sequence[str], name: str, renamed: bool) -> InputError:
    """Columns of one name: which they are, and what to do."""
    at = [str(k) for k, n in enumerate(names, 1) if n == name]
    many = {2: "two", 3: "three", 4: "four"}.get(len(at), str(len(at)))
    hint = f"give each a name of its own in the first line, such as {name} 1, {name} 2"
    if renamed:
        hint = f"--rename gives a second column the name '{name}'; rename that one too"
    return InputError(
        f"{where}: {many} columns have the same name: {name} (columns {', '.join(at[:-1])} and {at[-1]}).",
        f"{hint}. Names are told apart without blanks around them, known ones without case.",
    )


def nameless(place: int) -> str:
    """What a column without a name is called until it is known whether there is anything in it."""
    return f"\0{place}"


def panel_columns(panel: Panel) -> dict[str, Any]:
    """The columns a file gets, each Coded or an array; what is the same everywhere and optional is left out."""
    own = {"task", "judge", "item", "occasion", "count", panel.value_name}
    for name in panel.labels if not isinstance(panel, Votes) else set(panel.labels) - set(NEEDED):
        if clean(name) != name or name in own or not name:
            raise InputError(f"a label column cannot be called '{name}' in a file.", "rename the label.")
    out: dict[str, Any] = {} if panel.tasks == (ONE_TASK,) else {"task": panel.task}
    value = panel.label_column if isinstance(panel, Scores) and panel.scale else panel.value
    if isinstance(panel, Votes):
        out |= {"judge": panel.judge, **{n: panel.labels[n] for n in NEEDED[:2]}, "winner": panel.winner}
    else:
        out |= {"judge": panel.judge, "item": panel.item, panel.value_name: value}
    if panel.occasion.ids != (1,):
        out["occasion"] = panel.occasion
    if (panel.count != 1).any():
        out["count"] = panel.count
    return out | dict(panel.labels)
