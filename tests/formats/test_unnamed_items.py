"""Long tables whose items have a name that nobody knows: wines, grants; and whose tasks the places tell."""

from __future__ import annotations

import pytest

import quorate as q
from quorate.errors import InputError
from tests.family import few

JUDGES = ("ann", "bob", "cy", "dan")


@pytest.fixture
def made(tmp_path):
    def write(head, apart=True, read=q.read, **options):
        """Four judges put five things in order on each of three tasks."""
        lines = [head]
        for k, judge in enumerate(JUDGES):
            for t in range(3):
                places = [(i * (k + 1 if k != 3 else 2) + t) % 5 + 1 for i in range(5)]
                lines += [f"{judge},t{t},{f't{t}' if apart else ''}w{i},{p}" for i, p in enumerate(places)]
        (tmp_path / "rows.csv").write_text("\n".join(lines))
        return read(tmp_path / "rows.csv", **options)

    return write


def test_ranks_are_places_whatever_the_items_are_called(made):
    """They were scores, of which the highest is the best, even where orderings were asked for."""
    for name in ("rank", "place", "ranking"):
        panel = made(f"judge,topic,wine,{name}")
        assert (panel.kind, len(panel.tasks), len(panel.items)) == ("orderings", 3, 15)
        assert f"--rename {name}=score" in panel.reading.guesses[-1].said
    assert made("judge,topic,wine,rank", kind="orderings").kind == "orderings"
    assert made("judge,topic,wine,rank", kind="scores").label("criterion").ids == ("rank",)
    assert made("judge,topic,wine,pile").kind == "groupings"
    for kind in ("orderings", "groupings", "votes"):
        with pytest.raises(InputError, match="which column names the items"):
            made("judge,topic,wine,quality", kind=kind)


@pytest.mark.parametrize("value", ["rank", "quality", "score", "group"])
@pytest.mark.parametrize("apart", [True, False])
def test_topics_are_tasks_whatever_the_items_are_called(made, value, apart):
    """They were kept beside: all topics were one task, and a judge's places tied."""
    panel = made(f"judge,topic,wine,{value}", apart)
    assert (len(panel.tasks), len(panel.items)) == (3, 15 if apart else 5)


@pytest.mark.parametrize("item", ["wine", "film"])
def test_within_what_places_begin_anew_is_the_task(made, item):
    panel = made(f"judge,batch,{item},rank")
    assert (len(panel.tasks), panel.reading.guesses[-1].option) == (3, "--rename batch=task")
    scan = made(f"judge,batch,{item},rank", read=q.scan)
    few_draws = {"resamples": few(9, 99), "permutations": 9}
    assert q.agreement(scan, "tau_b", **few_draws).to_json() == q.agreement(panel, "tau_b", **few_draws).to_json()
    assert len(made(f"judge,batch,{item},score").tasks) == 1
