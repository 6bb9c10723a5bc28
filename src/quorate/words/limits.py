"""What was limited, in one note: intervals of fewer draws than were asked for."""

from __future__ import annotations

from quorate.inference.results import Answer


def fewer_draws(answer: Answer) -> list[str]:
    """The methods whose intervals rest on fewer draws than asked for, because each took long."""
    wanted = answer.options.resamples
    by_number: dict[int, list[str]] = {}
    for f in answer.findings:
        drawn = [o.interval.draws for o in f.overall if o.interval]
        if drawn and 0 < max(drawn) < wanted:
            by_number.setdefault(max(drawn), []).append(str(f.method))
    return [
        f"{', '.join(methods)}: intervals are of {number:,} resamples, not {wanted:,}, to keep within the time"
        for number, methods in by_number.items()
    ]
