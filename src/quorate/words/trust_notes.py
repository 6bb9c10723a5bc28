"""Trust: what was left aside, limited, or cannot be said, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quorate.inference.results import Answer, Finding
from quorate.panel.base import Panel, many
from quorate.panel.kinds import Groupings, Scores, Votes
from quorate.panel.outputs import OutputDesign, in_common
from quorate.words.influence import About, on_criterion
from quorate.words.notes import about_panel, fewer_draws
from quorate.words.quality_notes import about_scores
from quorate.words.wording import on

EMPTY = {
    "influence": "without any one judge nothing is left, or nothing changes",
    "variance_components": "variance_components: fewer than two scores",
    "metric_differences": "metric_differences: one metric only, nothing to compare",
}
NO_INTERVALS = "variance_components has no intervals: too few tasks and judges, or too many scores for the time given"
SEPARATE = "votes_needed tells two systems apart as the letters of the leaderboard do: p is corrected for all pairs"
NOTHING = "sensitivity: no judge has two clusters, one of them with two items: there is nothing to split and merge"


def notes(panel: Panel, answer: Answer, *beside: Panel) -> list[str]:
    """What was left aside, limited, or cannot be said."""
    out = about_panel(panel, answer, *beside)
    if isinstance(panel, Scores):
        made = OutputDesign.every(panel, *beside)  # type: ignore[arg-type]
        out += [*about_scores(panel, made, judges=False), *_matched(made)]
        for f in answer.findings:
            out += [note for d, fact in zip(made, f.about, strict=True) for note in _of_scores(f, d, fact)]
            out += [EMPTY[f.method.name]] if f.method.name in EMPTY and not f.overall else []
    else:
        out += [note for f in answer.findings for note in (*_of_groupings(f, answer), *f.notes)]
    if isinstance(panel, Votes) and any(f.method.name == "votes_needed" and f.value > 0 for f in answer.findings):
        out.append(SEPARATE)
    return list(dict.fromkeys(out + (fewer_draws(answer) if isinstance(panel, Scores) else [])))


def _of_groupings(f: Finding, answer: Answer) -> Iterator[str]:
    about = f.about[0] if f.about and answer.kind == Groupings.kind else {}
    if f.method.name == "sensitivity" and not about["clusterings"]:
        yield NOTHING
    if f.method.name == "agreement_stability":
        told = [o.labels["by"] for o in f.overall]
        if not told:
            yield "agreement_stability: too few judges, tasks and items to resample"
        elif answer.options.resamples and "items" not in told and about["items"] > 3:
            yield "agreement_stability: too many judges and items to resample half of the items"


def _matched(made: Sequence[OutputDesign]) -> Iterator[str]:
    """What of the metrics does not fit the human scores."""
    if not made or not made[0].beside:
        return
    ours, theirs = made[0], made[0].beside[0]
    for name, mine, others in (("systems", ours.systems, theirs.systems), (ours.by, ours.tasks, theirs.tasks)):
        fit = in_common(others, mine)
        if name != "systems" and len(others) == 1 and len(mine) > 1:
            yield "the metrics have one value per system, so only the system level is known"
        elif fit < len(others) or fit < len(mine):
            yield f"metrics and scores have {fit} {name} in common, of {len(mine)} scored and {len(others)}"


def _of_scores(f: Finding, made: OutputDesign, fact: About) -> Iterator[str]:
    name, said = f.method.name, f"{fact['criterion']}: " if "criterion" in fact else ""
    if name == "without_worst" and "first" in fact:
        if "nothing_left" in fact:
            yield f"{said}without the worst {fact['nothing_left']} nothing is left to compare"
        yield f"{said}worst by {fact['what']}; their {'tasks' if fact['how'] == 'tasks' else 'scores'} are dropped"
    elif name == "influence" and fact["some"]:
        yield f"influence{on_criterion(fact)}: of the {many(fact['some'], 'judge')} with the most scores"
    elif name == "variance_components" and f.overall and not fact["drawn"]:
        yield NO_INTERVALS
    elif name == "soft_pairwise_accuracy":
        yield from (f"soft_pairwise_accuracy needs values per input: {metric} is left out" for metric in fact["left"])
    elif name == "metrics":
        if fact["steps"] == 1:
            yield f"no judge has a value by {fact['by']}, or nothing is left without the worst: nobody is dropped"
        for one in fact["metrics"]:
            if one["undefined"]:
                left, of = one["undefined"]
                rest = "; the mean at input level is over the others" if left < of else ""
                where = f"{on(left, of, made.by[:-1])} (fewer than two systems, or all alike){rest}"
                yield f"{one['metric']}{on_criterion(fact)}: {f.method['coefficient']} is undefined {where}"
