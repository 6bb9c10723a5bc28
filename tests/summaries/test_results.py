"""What functions on summaries give can be listed, put into a frame, shown in a notebook and drawn, all in one way."""

from __future__ import annotations

import pytest

import quorate as q
from quorate.document.result import Result
from quorate.errors import InputError
from quorate.summaries.assignment import Item, assign
from quorate.summaries.leaderboard import Leaderboard
from quorate.summaries.rouge.nouveau import updates
from quorate.summaries.rouge.score import Texts
from quorate.summaries.trained.campaign import campaigns, intake
from quorate.summaries.trained.criteria import criteria_alike
from quorate.summaries.trained.year import read_year
from quorate.summaries.units.auto_pyramid import auto_pyramid
from quorate.summaries.units.made_up import MadeUp
from quorate.summaries.units.scored import calibrate, scored, scored_models
from quorate.summaries.units.self_agreement import self_agreement

DRAWN = ("rouge", "by token", "nouveau", "scored", "models", "auto", "self")
SUMMARIES = ["a dam broke on Monday", "nine villages were flooded"]
MODELS = [["a dam broke", "on Monday a dam failed"], ["nine villages flooded"]]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("year")
    MadeUp(years=1, topics=6, systems=4, documents=2, identical=0.9).write(folder)
    year = read_year(folder / "2009")
    found = year.auto
    rouge = q.rouge(SUMMARIES, MODELS, ["1", "2", "L"])
    texts = [Texts.of(SUMMARIES, models) for models in (MODELS, [["a dam"], ["villages"]])]
    published = {(s["task"], s["item"]): (round(s["modified"], 3), 0.0005) for s in scored(found.table).figures}
    return {
        "rouge": rouge,
        "by token": rouge.by_token(),
        "nouveau": updates(*texts),
        "scored": scored(found.table),
        "models": scored_models(found.table),
        "auto": found,
        "self": self_agreement(found.table, resamples=20),
        "calibrated": calibrate(found.table, published),
        "criteria": criteria_alike(year.panel, year.gaps, resamples=20),
        "intake": intake(campaigns(folder)),
        "assigned": assign([Item("t", k) for k in range(4)], ["ann", "bob"]),
    }


def test_a_list_is_of_rows_and_a_frame_has_a_row_and_a_column_for_each_cell(results):
    for name, found in results.items():
        rows = list(found)
        assert isinstance(found, Result), name
        assert rows == list(found.rows()), name
        assert len({tuple(row) for row in rows}) == 1, name
        frame = found.to_frame("pandas")
        assert len(frame) == len(rows) > 0, name
        assert "interval" not in frame.columns, name
    assert next(iter(results["rouge"]))["ROUGE-2_R"] == results["rouge"]["2_R"][0]
    assert {"low", "high", "tau_b"} <= set(results["criteria"].to_frame("pandas").columns)
    assert list(results["auto"].to_frame("pandas").columns)[:4] == ["task", "item", "judge", "unit"]


def test_a_notebook_shows_each_and_says_what_the_text_says(results):
    for name, found in results.items():
        assert found._repr_html_().startswith("<"), name
        words = found.text().split()[:3]
        assert " ".join(words).rstrip(":,") in found.to_markdown().replace("\\", ""), name


def test_what_has_a_chart_is_drawn_and_the_others_say_that_they_have_none(results):
    pytest.importorskip("altair")
    for name, found in results.items():
        if name in DRAWN:
            made = found.picture()
            assert len(made.rows) == len({row[made.settings["label"]] for row in made.rows}) > 0, name
            assert all(row["low"] <= row["value"] <= row["high"] for row in made.rows), name
            assert found.plot().to_dict()["layer"], name
        else:
            with pytest.raises(InputError, match="no chart"):
                found.plot()


def test_a_leaderboard_lists_its_systems_as_its_chart_and_its_json_do(results):
    for found in results.values():
        if isinstance(found, Leaderboard):
            told = [str(row["system"]) for row in found.to_dict()["systems"]]
            assert [row["system"] for row in found.picture().rows] == told


def test_another_figure_orders_the_systems(results):
    found = results["rouge"].by("L_F")
    assert (found.main, found.names[-1]) == ("ROUGE-L_F", "ROUGE-L_F")
    assert found.text().startswith("1 system on 2 tasks: the best by ROUGE-L F is summary")
    assert results["rouge"].by(None) is results["rouge"]


def test_autopyramid_lists_judges_tasks_or_items_as_well(results):
    found = results["auto"]
    assert isinstance(auto_pyramid(found.table), type(found))
    assert {row["judge"] for row in found.rows("judges", resamples=0)} == set(found.gaps())
    assert list(found.rows("items")[0]) == ["task", "item", "judge", "criterion", "score", "auto", "gap"]
