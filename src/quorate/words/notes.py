"""Notes on the panel and on what was drawn: the same whatever kind it is and whatever is asked of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from quorate.inference.results import Answer
from quorate.inference.samples import TASKS
from quorate.inference.usual_methods import too_large
from quorate.panel.base import Panel, listed, many
from quorate.panel.judge_kinds import people
from quorate.panel.kinds import Groupings, Orderings, Scores, Votes
from quorate.panel.partitions import UNSHOWN, absence, sheets
from quorate.panel.stacks import Stack, items_compared, stacks
from quorate.table import Method
from quorate.words.numbers import share
from quorate.words.wording import are, has_gaps, judges_of_tasks, on

NAMED = 3  # models by name
FEW = 10  # tasks, below which an interval over tasks is rough
AGAIN = "of a judge's repeats on a task the first counts"
COUNTED = "a row with a count stands for so many judges, in all means; they are compared with one another too"
ALONE = {  # what becomes of a task with one judge
    "agreement": "and nothing to agree with; {} left out of every mean",
    "judges": "and nobody to compare with",
    "consensus": "and the consensus is that judge's",
    "trust": "which says nothing of trust",
}


def _alike(panel: Panel, answer: Answer) -> Iterator[str]:
    """That models are counted with people, where both judge."""
    human = people(panel) if answer.question in ("agreement", "consensus", "quality") else None
    if human is not None:
        models = [str(panel.judges[k]) for k in np.flatnonzero(~human).tolist()]
        those = "1 person" if human.sum() == 1 else f"{int(human.sum()):,} people"
        who = f"{those} and {many(len(models), 'model')} ({listed(models, NAMED)})"
        yield f"figures are of all judges alike, {who}; quorate models tells them apart"


def about_panel(panel: Panel, answer: Answer, *beside: Panel) -> list[str]:
    """What was repaired, repeated, counted or absent, and which tasks say little."""
    agreement = answer.question == "agreement"
    out = [*panel.notes, *(note for b in beside for note in b.notes), *_alike(panel, answer), *_absent(panel, answer)]
    counted = not isinstance(panel, Votes) or answer.question in ("agreement", "judges")
    again = panel.repeats if counted else 0  # elsewhere every vote counts
    compared = f"{are(again)} not compared with other judges"
    if again and isinstance(panel, Votes):
        out.append(
            f"{many(again, 'repeated vote')} {compared}: of a judge's votes on a pair of a task the first counts"
        )
    elif again and isinstance(panel, Orderings | Groupings) and answer.question != "quality":
        ends = f"{compared}; see self-agreement" if agreement else f"{are(again)} left out: {AGAIN}"
        out.append(f"{many(again, 'repeat')} {ends}")
    if isinstance(panel, Groupings) and answer.question in ("agreement", "judges") and (panel.count != 1).any():
        out.append(COUNTED)
    tasks, told = len(panel.tasks), isinstance(panel, Orderings | Groupings) and answer.question in ALONE
    single = int((judges_of_tasks(panel) == 1).sum()) if told else 0
    if 0 < single < tasks:
        ends = ALONE[answer.question].format("it is" if single == 1 else "they are")
        out.append(f"{on(single, tasks)} there is one judge only {ends}")
    if agreement and not isinstance(panel, Scores):
        drawn = {o.interval.over for f in answer.findings for o in f.overall if o.interval}
        if 1 < tasks < FEW and any("tasks" in over for over in drawn):
            out.append(f"{tasks} tasks are few: the intervals over tasks are rough")
        if tasks > TASKS and any(o.null for f in answer.findings for o in f.overall):
            out.append(f"chance and p are from {TASKS:,} of {tasks:,} tasks, drawn at random")
    gone = [str(m) for m in answer.left if too_large(panel, m)]
    why = "there are too many systems" if isinstance(panel, Votes) else "a task has too many items"
    out += [f"{listed(gone)} left out: {why} for {'it' if len(gone) == 1 else 'them'}"] if gone else []
    for row in answer.more.get("undrawn", ()):
        known = " or ".join(row["known"])
        out.append(f"{row['method']} is left out: it has no interval over {row['over']}, but over {known}")
    return out + (_large_tasks(panel, answer) if isinstance(panel, Orderings) else [])


def _large_tasks(panel: Orderings, answer: Answer) -> list[str]:
    """What is told from some of very many items of a task."""
    parts = stacks(panel) if panel.elsewhere is None else ()
    large = [p for p in parts if p.shape[2] > items_compared(p.shape[1])]
    if not large:
        return []
    most = max(p.shape[2] for p in large)
    some = f"from {min(items_compared(p.shape[1]) for p in large):,} of {most:,} items, drawn at random"
    told = [f for f in answer.findings if f.method.declaration.properties.get("some_items")]
    chance = ", ".join(str(f.method) for f in told if any(o.null for o in f.overall))
    if answer.question == "trust":
        return [f"all figures are {some}"]
    if answer.question == "judges":
        return [f"who is off, and how often chance gets as far, is told {some}", *_of_judges(answer, large)]
    out = [f"{chance}: chance and p are {some}"] if chance else []
    drawn = [n for f in answer.findings for n in f.details.get("pairs_drawn", ())]
    return [*out, f"support: from {min(drawn):,} pairs of items drawn at random"] if drawn else out


def _of_judges(answer: Answer, large: Sequence[Stack]) -> Iterator[str]:
    """What of judges of very many items is told from some pairs of them, or not at all."""
    from quorate.kernels.drawn_pairs import number_of_pairs  # here: of other kinds these stay unloaded
    from quorate.orderings.influence import ITEMS
    from quorate.orderings.support import is_long

    names = {f.method.name for f in answer.findings}
    drawn = [number_of_pairs(p.shape[1]) for p in large if is_long(*p.shape[1:]) and p.shape[1] > 2]
    if drawn and "support_outliers" in names:
        yield f"support_outliers: from up to {min(drawn):,} pairs of items drawn at random"
    if "influence" in names and any(p.shape[2] > ITEMS for p in large):
        yield f"influence: what the others have in common (kappa) is not counted of more than {ITEMS:,} items"


def _absent(panel: Panel, answer: Answer) -> list[str]:
    """What an item without a row was taken for, and the option that says otherwise."""
    if isinstance(panel, Orderings) and answer.question in ("agreement", "consensus"):
        by: dict[str, list[str]] = {}
        for f in answer.findings:
            if f.method.has("missing"):
                by.setdefault(str(f.method["missing"]), []).append(f.method.name)
        if not by or not has_gaps(panel):
            return []
        lists = panel.absent == answer.options.absent == "below"
        why = "; a run puts last what it lacks (--absent changes that)" if lists else ""
        means = ", ".join(p if len(by) == 1 else f"{p} ({', '.join(names)})" for p, names in by.items())
        return [f"some judges left items out; an absent item means: {means}{why}"]
    if not isinstance(panel, Groupings):
        return []
    found, unshown = sheets(panel), absence(panel, answer.options.absent) == UNSHOWN
    gone = int((found.items - found.shown(unshown)).sum())
    if gone:
        seen = f"a judge was shown {share(1 - gone / int(found.items.sum()))} of a task's items on average"
        rest = "two judges are compared on items shown to both; if they saw the others and put them nowhere: "
        return [f"{seen}, those with a row: {rest}--absent left-out"]
    if not found.lacking:
        return []
    return ["items without a row count as left out; if they were not shown to the judge: --absent not-shown"]


def fewer_draws(answer: Answer) -> list[str]:
    """The methods whose intervals rest on fewer draws than asked for, because each took long.

    Where judges are left out in turn there are as many as judges: nothing was saved.
    """
    wanted = answer.options.resamples
    by: dict[tuple[int, bool], list[str]] = {}
    for f in answer.findings:
        ranks = "rank_interval" in f.details
        in_turn = "judges" if f.method.declaration.properties.get("interval") in ("jackknife", "student") else None
        told = (i.draws for o in f.overall if (i := o.interval) and i.over != in_turn)
        drawn = f.details["resamples"] if ranks else list(told)
        if 0 < max(drawn, default=0) < wanted:
            by.setdefault((max(drawn), ranks), []).append(str(f.method))
    return [
        f"{', '.join(methods)}: {'rank ' if ranks else ''}intervals are of {number:,} resamples"
        f"{' a task' if ranks and answer.kind == 'orderings' else ''}, not {wanted:,}, to keep within the time"
        for (number, ranks), methods in by.items()
    ]


def undefined_judges(answer: Answer) -> list[str]:
    """For how many judges a method is undefined; not where it is for all, which a sentence says."""
    out = []
    for f in answer.findings:
        gone = int(np.isnan([o.value for o in f.overall]).sum())
        if 0 < gone < len(f.overall):
            out.append(f"{f.method}: undefined for {gone:,} of {len(f.overall):,} judges")
    return out


def need_numbers(panel: Panel, methods: Sequence[Method]) -> list[str]:
    """Which of the methods asked for are left out because scores are labels."""
    if not isinstance(panel, Scores) or not panel.scale:
        return []
    from quorate.scores.labels import allowed  # here: of other kinds this one stays unloaded

    off = [str(m) for m in methods if not allowed(m, panel.ordered)]
    why = "they need numbers" if panel.ordered else "they need numbers, or a scale"
    return [f"scores are labels, so left out: {', '.join(off)} ({why})"] if off else []


def of_some(answer: Answer) -> Iterator[str]:
    """Which methods compare some of very many judges."""
    by: dict[int, list[str]] = {}
    for f in answer.findings:
        told = [*f.details.get("judges_sampled", ())[:1], *(a.get("judges_sampled") for a in f.about)]
        if told and told[-1]:
            by.setdefault(told[-1], []).append(str(f.method))
    for judges, methods in by.items():
        yield f"{', '.join(methods)}: over {judges:,} judges drawn at random, since there are more"
