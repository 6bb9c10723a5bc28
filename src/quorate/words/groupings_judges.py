"""What is said of the judges of groupings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from quorate.inference.results import Answer
from quorate.panel.base import listed, many
from quorate.panel.kinds import Groupings
from quorate.panel.partitions import partitions
from quorate.words.facts import Fact
from quorate.words.flags import flag_facts
from quorate.words.groupings_agreement import COUNTED, SAME, absent_items
from quorate.words.limits import fewer_draws
from quorate.words.wording import on, voters

NAMED = 8  # judges at most


def notes(panel: Groupings, answer: Answer) -> list[str]:
    """What was left aside, or cannot be said."""
    out, parts = [*panel.notes, *absent_items(panel, answer)], partitions(panel, answer.options.absent)
    if panel.repeats:
        out.append(f"{many(panel.repeats, 'repeat')} left aside: of a judge's repeats on a task the first counts")
    if (panel.count != 1).any():
        out.append(COUNTED)
    single = sum(int(p.counts.sum()) == 1 for p in parts)
    if single and len(panel.judges) > 1:
        out.append(f"{on(single, len(parts))} there is one judge only and nobody to compare with")
    empty = dict.fromkeys(str(panel.judges[j]) for p in parts for j in p.judges[p.used == 0].tolist())
    if empty:
        out.append(f"every item of a task was left out by: {listed([*empty], NAMED)}")
    if not any((p.labels == -1).any() for p in parts):
        out.append(SAME)
    for f in answer.findings:
        undefined = sum(math.isnan(o.value) for o in f.overall)
        if undefined and len(f.overall) > 1:
            some = "every judge" if undefined == len(f.overall) else f"{undefined} of {len(f.overall)} judges"
            out.append(f"{f.method}: undefined for {some}")
    return [*out, *fewer_draws(answer)]


def facts(panel: Groupings, answer: Answer) -> list[Fact]:
    """Who is off, who agrees most, who splits and who merges, for people who read no table."""
    if voters(panel) == 1:
        return [Fact("nothing", "There is one judge only: nobody to compare with.")]
    out = [Fact("judge", said) for said in _ranked(answer)]
    for f in answer.findings:
        if f.method.name == "leaning":
            others = "the other" if len(panel.judges) == 2 else "the others"
            for kind, how in (("splitter", "finer"), ("generaliser", "coarser")):
                names = [o.labels["judge"] for o in f.overall if o.labels["leans"] == kind]
                if names:
                    said = f"{kind.capitalize()}{'s' if len(names) > 1 else ''}, with {how} groups than {others}"
                    data = {"method": str(f.method), "leans": kind, "judges": names}
                    out.append(Fact("judge", f"{said}: {listed(names, NAMED)}.", data))
    return [*out, *flag_facts(panel, answer)]


def _ranked(answer: Answer) -> list[str]:
    """Who agrees most and least with the others, by mean rank."""
    places: Sequence[dict[str, Any]] = answer.more.get("ranks", ())
    known = [r for r in places if not math.isnan(r["mean_rank"])]
    if len(known) < 3:
        return []
    worst, best = known[0], known[-1]
    of = many(len({f.method["measure"] for f in answer.findings if f.method.name == "peer_agreement"}), "measure")
    if worst["mean_rank"] == best["mean_rank"]:
        return [f"All {len(known)} judges agree equally with the others (over {of})."]
    return [
        f"Judge {best['judge']} agrees most with the others (mean rank {best['mean_rank']:.1f} of {len(known)} "
        f"over {of}), judge {worst['judge']} least ({worst['mean_rank']:.1f})."
    ]
