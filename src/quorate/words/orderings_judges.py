"""What is said of the judges of orderings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from quorate.inference.results import Answer, Overall
from quorate.panel.base import many
from quorate.panel.kinds import Orderings
from quorate.panel.stacks import stacks
from quorate.table import Method
from quorate.words.facts import Fact
from quorate.words.flags import flag_facts
from quorate.words.limits import fewer_draws
from quorate.words.numbers import p_is, share, two
from quorate.words.wording import above, on, voters


def notes(panel: Orderings, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    notes, parts, findings = list(panel.notes), list(stacks(panel)), answer.findings
    if panel.repeats:
        verb = "is" if panel.repeats == 1 else "are"
        notes.append(
            f"{many(panel.repeats, 'repeat')} {verb} left aside: of a judge's repeats on a task the first counts"
        )
    single = sum(int((p.counts.sum(axis=1) == 1).sum()) for p in parts)
    if single and voters(panel) > 1:
        notes.append(f"{on(single, len(panel.tasks))} there is one judge only and nobody to compare with")
    if panel.votes != len(panel.starts) - 1:
        notes.append("a row that stands for several judges is taken out or flagged as a whole")
    for f in findings:
        undefined = sum(math.isnan(o.value) for o in f.overall)
        if 0 < undefined < len(f.overall):  # else a sentence says it
            notes.append(f"{f.method}: undefined for {undefined} of {len(f.overall)} judges")
    notes += fewer_draws(answer)
    return notes


def facts(panel: Orderings, answer: Answer) -> list[Fact]:
    """Who is off, for people who read no table."""
    if voters(panel) == 1:
        return [Fact("nothing", "There is one judge only: nobody to compare with.")]
    out = []
    most = max(int(p.counts.sum(axis=1).max()) for p in stacks(panel))
    for f in answer.findings:
        defined = [o for o in f.overall if not math.isnan(o.value)]
        data = {"method": str(f.method)}
        if not defined:
            said = f"{f.method} is undefined for every judge: there is nothing to compare."
            out.append(Fact("judge", said, data, expert=True))
        elif f.method.name != "support_outliers" or _quorum(f.method["q"], most) > 1:
            say = _SAY.get(f.method.name)
            out += [Fact("judge", say(f.method, defined), {**data, "worst": defined[0]})] if say else []
    return [*out, *flag_facts(panel, answer)]


def _quorum(q: Any, judges: int) -> int:
    """How many judges a quorum is; of one everybody shares everything."""
    return q if isinstance(q, int) else max(math.ceil(q * judges - 1e-9), 1)


def _say_support(method: Method, found: Sequence[Overall]) -> str:
    worst, q = found[0].labels, method["q"]
    most = "most judges" if q == 0.5 else f"at least {q} judges" if isinstance(q, int) else f"{q:.0%} of the judges"
    if len({share(o.labels["kappa2"]) for o in found}) == 1:
        return f"Every judge shares {share(worst['kappa2'])} of the ordered pairs with {most}."
    return (
        f"Judge {worst['judge']} shares {share(worst['kappa2'])} of the ordered pairs with {most}; "
        f"panel mean {share(worst['panel_kappa2'])}."
    )


def _say_peers(method: Method, found: Sequence[Overall]) -> str:
    worst, alike = found[0], len({two(o.value) for o in found}) == 1
    if len(found) == 2 and alike:
        said = f"The two judges correlate {two(worst.value)} with each other"
    else:
        who = "Every judge" if alike and len(found) > 1 else f"Judge {worst.labels['judge']}"
        said = f"{who} correlates {two(worst.value)} with the others"
    if worst.chance is not None:
        p = max(o.labels["p_holm"] for o in found) if alike else worst.labels["p_holm"]
        said += f", {above(p)} than a random order (corrected {p_is(p)})"
    return said + ("." if alike else f"; the mean of the judges is {two(sum(o.value for o in found) / len(found))}.")


def _say_influence(method: Method, found: Sequence[Overall]) -> str:
    worst = found[0]
    tau, changed = worst.labels["tau_b"], worst.labels["consensus_changed"]
    tasks = worst.labels["tasks"]
    before, after = two(tau + worst.value), two(tau)
    moves = f"stays at {after}" if before == after else f"goes from {before} to {after}"
    order = f"changes{f' {on(changed, tasks)}' if tasks > 1 else ''}" if changed else "stays the same"
    return f"Without judge {worst.labels['judge']} the mean tau-b {moves} and the consensus order {order}."


_SAY = {"support_outliers": _say_support, "peer_correlation": _say_peers, "influence": _say_influence}
