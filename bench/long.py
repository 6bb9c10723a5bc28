"""One task with very long rankings: each question about 10,000 items x 10 judges, in CPU seconds.

``python -m bench.long agreement judges`` asks these two, method by method; with no names, all but quality and trust.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np

ITEMS, JUDGES = 10_000, 10
QUESTIONS = ("agreement", "judges", "consensus")


def main(questions: tuple[str, ...]) -> None:
    """A line for every default method."""
    import quorate
    from quorate import Orderings, table

    rng = np.random.default_rng(0)
    seen = np.arange(ITEMS) + rng.normal(0, ITEMS / 10, (JUDGES, ITEMS))
    positions = np.argsort(np.argsort(seen, axis=1), axis=1) + 1.0
    judge, item = (x.ravel() for x in np.indices(positions.shape))
    panel = Orderings.build({"judge": judge, "item": item, "position": positions.ravel()})
    for question in questions:
        beside = (panel,) if question == "quality" else ()
        for d in table.declarations("orderings", question):
            if d.default:
                start = time.process_time()
                getattr(quorate, question)(panel, *beside, d.name)
                memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                print(f"{question} {d.name}: {time.process_time() - start:.1f} s, {memory:.0f} MB", flush=True)


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or QUESTIONS)
