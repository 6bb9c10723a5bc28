"""A leaning is named when it is both sure and large enough to matter."""

from __future__ import annotations

import pytest

import quorate as q
from quorate.inference.results import Options
from quorate.verbs import ask


def panel(cut, clusters=40, size=5, tasks=3):
    """Four judges with the same clusters, but for an item of each that moves, of which the last cuts so many in two."""
    plain = {f"{c}.{i}": str(c) for c in range(clusters) for i in range(2 * size)}
    fine = {item: f"{c}{'-' if int(c) < cut and int(item.split('.')[1]) < size else ''}" for item, c in plain.items()}
    judges = {"a": plain, "b": plain, "c": plain, "d": fine}
    return q.Groupings.from_groups(
        {t: {j: {**own, f"{k + 4 * t}.9": "0"} for k, (j, own) in enumerate(judges.items())} for t in range(tasks)}
    )


@pytest.mark.parametrize(("cut", "leans"), [(1, ""), (4, ""), (20, "splitter")])
def test_a_leaning_is_named_from_about_two_of_ten_clusters_cut_in_two(cut, leans):
    options = Options(permutations=0, resamples=100, copies="apart")
    found = ask("judges", panel(cut), ("leaning",), options).findings[0].overall
    (d,) = [o for o in found if o.labels["judge"] == "d"]
    assert d.value > 0
    assert d.interval.low > 0  # sure in every case
    assert d.labels["leans"] == leans
