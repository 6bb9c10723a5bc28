"""What the agreement of orderings is, in words: sentences, and notes on what a reader must know."""

from __future__ import annotations

import math
from collections.abc import Sequence

from quorate.inference.engine import TASKS
from quorate.inference.results import Answer, Finding, Overall
from quorate.orderings.pairwise import JUDGES, PAIRWISE
from quorate.panel.base import many
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import Stack, stacks
from quorate.words.facts import Fact
from quorate.words.generic import said_of_any
from quorate.words.limits import fewer_draws
from quorate.words.numbers import share, two
from quorate.words.wording import as_lists_do, by_chance, on, voters

FEW = 10  # tasks, below which an interval over tasks is rough


def notes(panel: Orderings, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    out = list(panel.notes)
    tasks, parts, findings = len(panel.tasks), list(stacks(panel)), answer.findings
    if panel.repeats:
        verb = "is" if panel.repeats == 1 else "are"
        out.append(f"{many(panel.repeats, 'repeat')} {verb} not compared with other judges; see self-agreement")
    single = _alone(parts)
    if single and single < tasks:
        alone = f"{on(single, tasks)} there is one judge only and nothing to agree with"
        out.append(f"{alone}; {'it is' if single == 1 else 'they are'} left out of every mean")
    if 1 < tasks < FEW:
        out.append(f"{tasks} tasks are few: the intervals over tasks are rough")
    for undefined, methods in _undefined(findings, single if single < tasks else 0).items():
        which = "which is" if undefined == 1 else "which are"
        rest = f", {which} left out of the mean" if undefined < tasks else ""
        out.append(f"{', '.join(methods)}: undefined {on(undefined, tasks)}{rest}")
    if tasks > TASKS and any(o.null for f in findings for o in f.overall):
        out.append(f"chance and p are from {TASKS:,} of {tasks:,} tasks, drawn at random")
    out += fewer_draws(answer)
    sampled = [str(f.method) for f in findings if "judges_sampled" in f.details]
    if sampled:
        out.append(f"{', '.join(sampled)}: over {JUDGES:,} judges drawn at random, since there are more")
    policies = sorted({str(f.method["missing"]) for f in findings if f.method.has("missing")})
    if policies and any((p.positions == 0).any() for p in parts):
        why = as_lists_do(panel, answer.options.absent)
        out.append(f"some judges left items out; an absent item means: {', '.join(policies)}{why}")
    return out


def _undefined(findings: Sequence[Finding], single: int) -> dict[int, list[str]]:
    """The methods by the number of tasks on which they are undefined, beside those that one judge did alone."""
    out: dict[int, list[str]] = {}
    for f in findings:
        undefined = sum(1 for v in f.values if isinstance(v, float) and math.isnan(v)) - single
        if undefined:
            out.setdefault(undefined, []).append(str(f.method))
    return out


def _alone(parts: Sequence[Stack]) -> int:
    """On how many tasks there is one judge only."""
    return sum(int((p.counts.sum(axis=1) == 1).sum()) for p in parts)


def _who(panel: Orderings, parts: Sequence[Stack], judges: int) -> str:
    """How many judges; where rows stand for several, as many as each task has: another's may be other people."""
    if len(panel.tasks) < 2 or panel.votes == len(panel.starts) - 1:
        return many(judges, "judge")
    each = [int(n) for p in parts for n in p.counts.sum(axis=1)]
    return f"{min(each):,} to {max(each):,} judges a task" if min(each) < max(each) else f"{each[0]:,} judges a task"


def facts(panel: Orderings, answer: Answer) -> list[Fact]:
    """How much the judges agree, for people who read no table."""
    parts, findings, repeats = list(stacks(panel)), answer.findings, answer.more.get("self_agreement", ())
    judges, tasks = voters(panel), len(panel.tasks)
    who = _who(panel, parts, judges)
    out = [Fact("size", f"{who} ordered {many(len(panel.items), 'item')} on {many(tasks, 'task')}.")]
    if judges == 1:
        out.append(Fact("nothing", "There is one judge only: nobody to agree with."))
    elif _alone(parts) == tasks:
        out.append(Fact("nothing", "No task has two judges: there is nothing to agree on."))
    elif all(int(p.positions.max()) < 2 for p in parts):
        out.append(Fact("nothing", "No judge puts one item before another: there is no order to agree on."))
    else:
        for f in findings:
            say, o = _SAY.get(f.method.name, said_of_any), f.overall[0]
            if isinstance(o.value, int | float) and o.value == o.value:  # not NaN; may be a huge int
                tied = f.method.name == "tau_b" and panel.tied  # then tau-b is no share of pairs
                said = (_say_tied if tied else say)(f, o)
                out += [Fact("agreement", s, {"method": str(f.method), "estimate": o}) for s in said]
    if repeats:
        again = many(len({r["judge"] for r in repeats}), "judge")
        out.append(Fact("repeats", f"{again} did a task more than once: see self-agreement."))
    return out


def _certainty(o: Overall) -> str:
    return "." if o.chance is None else f", {by_chance(o.chance.p)}."


def _say_kappa(f: Finding, o: Overall) -> list[str]:
    longest = max(f.details["longest"], default=0)
    if not longest:
        return [f"No item is ranked by all judges{' of a task' if len(f.values) > 1 else ''}."]
    mean = "on average " if len(f.values) > 1 else ""
    value = f"{o.value:,.4g}" if o.value < 1e15 else f"2^{_log2(f, o):.1f}"
    word = "common subsequence" if value == "1" else "common subsequences"
    return [f"All judges share {mean}{value} {word}, the longest of {many(longest, 'item')}{_certainty(o)}"]


def _log2(f: Finding, o: Overall) -> float:
    """Of the overall value, also where a double cannot hold it."""
    if o.value < math.inf:
        return math.log2(o.value)
    return float(max(v for v in f.details["log2"] if v is not None)) - math.log2(len(f.values))


def _say_support(f: Finding, o: Overall) -> list[str]:
    """How much most share; nothing where a quorum is one judge, which everybody is."""
    if max(f.details["q"], default=0) < 2:
        return []
    q = f.method["q"]
    most = f"at least {many(q, 'judge')}" if isinstance(q, int) else f"at least {q:.0%} of the judges"
    return [f"Of a ranking's ordered pairs, {share(o.value)} are shared by {most}{_certainty(o)}"]


def _say_tau(f: Finding, o: Overall) -> list[str]:
    return [f"Two judges order {share((1 + o.value) / 2)} of their common pairs of items alike{_certainty(o)}"]


def _say_tied(f: Finding, o: Overall) -> list[str]:
    said = f"Two judges' orders, ties included, correlate {two(o.value)} (tau-b; 1 is the same order)"
    return [said + _certainty(o)]


def _silent(f: Finding, o: Overall) -> list[str]:
    """Methods that say what others have said are left to the table."""
    return []


_SAY = {
    **dict.fromkeys(PAIRWISE, _silent),
    "kendall_w": _silent,
    "kappa": _say_kappa,
    "support": _say_support,
    "tau": _say_tau,
    "tau_b": _say_tau,
}
