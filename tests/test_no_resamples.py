"""Who wants figures without intervals asks for no resamples: every method answers, one task or several."""

from __future__ import annotations

import pytest

import quorate as q
from quorate import table
from quorate.errors import QuorateError
from tests.family import some

ORDERS = {"ann": "abcd", "bob": "a > b = c > d", "cat": "bac", "dan": "cadb"}
GROUPS = {j: {x: (i * k) % 3 for k, x in enumerate("abcdef")} for i, j in enumerate("ABC", 1)}
ROWS = [(t, j, f"{t}{s}", s, (len(t + j + s) * k) % 5) for t in "xyz" for k, j in enumerate("ABC", 2) for s in "pq"]
SCORES = dict(zip(("task", "judge", "item", "system", "score"), zip(*ROWS, strict=True), strict=True))
PANELS = {
    "orderings": [q.Orderings.from_orders(ORDERS), q.Orderings.from_orders({"s": ORDERS, "t": ORDERS})],
    "groupings": [q.Groupings.from_groups(GROUPS), q.Groupings.from_groups({"s": GROUPS, "t": GROUPS})],
    "scores": [q.Scores.build(SCORES)],
}
MORE = ["rbo(part=min)", "rbo(part=res)", "tau_ap(side=first)"]
ASKED = [m for kind in PANELS for m in table.methods(kind)]
ASKED += [table.parse(m, "orderings", "agreement") for m in MORE]


@pytest.mark.parametrize("method", some(ASKED, 3), ids=lambda m: f"{m.declaration.kind}-{m.declaration.question}-{m}")
@pytest.mark.filterwarnings("ignore")
def test_no_resamples_are_no_intervals_and_no_crash(method):
    kind, question = method.declaration.kind, method.declaration.question
    for panel in PANELS[kind]:
        beside = [panel] if question == "quality" and kind != "scores" else []
        try:
            found = getattr(q, question)(panel, *beside, method, resamples=0, permutations=0)
        except QuorateError:  # which says what is missing: metrics, a column of times, models among the judges
            continue
        assert found.to_json()
