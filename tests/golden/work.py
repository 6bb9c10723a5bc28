"""A panel's outputs of now: computed, compared, written."""

from __future__ import annotations

import time

from tests.golden import answers, stored
from tests.golden.compare import Comparison, compare, spread_of
from tests.golden.drawn import SEEDS
from tests.golden.panels import PANELS, NoData
from tests.golden.stored import Golden


def found(name: str, seed: int = 0, words: bool = True) -> Golden:
    """What a panel gives now."""
    case = PANELS[name]()
    return {
        "panel": repr(case.panel),
        "kind": case.panel.kind,
        "answers": answers.outputs(case, seed, words),
    }


def check(name: str, seed: int = 0, words: bool = True) -> Comparison:
    """What a panel gives now against what is stored."""
    start = time.process_time()
    golden = stored.load(name)
    if golden is None:
        return Comparison(name, skipped="nothing stored yet: --write")
    try:
        made = found(name, seed, words)
    except NoData as error:
        return Comparison(name, skipped=str(error))
    if not words:
        for answer in golden["answers"].values():
            answer["words"] = []
    result = compare(name, golden, made)
    result.seconds = time.process_time() - start
    return result


def write(name: str) -> Comparison:
    """Store what a panel gives now, with the spread of what is drawn."""
    start = time.process_time()
    try:
        made = found(name)
    except NoData as error:
        return Comparison(name, skipped=str(error))
    case = PANELS[name]()
    every = [made["answers"], *(answers.outputs(case, seed, words=False) for seed in range(1, SEEDS))]
    stored.save(name, {**made, "spread": spread_of(made["kind"], every)})
    return Comparison(name, seconds=time.process_time() - start)
