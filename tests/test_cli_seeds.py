"""Where there are too many patterns to count, some are drawn: by --seed, in every command that needs them."""

from __future__ import annotations

from click.testing import CliRunner

from quorate.cli import main, pattern_views
from quorate.errors import InputError
from quorate.formats import write
from quorate.orderings.simulate import simulate


def panel(folder, name, judges, items):
    path = str(folder / name)
    write(simulate(judges=judges, items=items, dispersion=0.9, seed=3), path)
    return path


def test_patterns_are_counted_with_the_seed(tmp_path, monkeypatch):
    judges, seeds, count = panel(tmp_path, "judges.csv", 3, 4), [], pattern_views.weights

    def noted(*given, seed=None, **more):
        seeds.append(seed)
        return count(*given, seed=seed, **more)

    monkeypatch.setattr(pattern_views, "weights", noted)
    assert CliRunner().invoke(main, ["patterns", judges, "--seed", "7"]).exit_code == 0
    assert seeds == [7]


def test_an_explanation_is_asked_for_with_the_seed(tmp_path, monkeypatch):
    judges, systems = panel(tmp_path, "judges.csv", 3, 4), panel(tmp_path, "systems.csv", 1, 4)
    seeds = []

    def noted(*given):
        seeds.append(given[-1])
        raise InputError("seen.")

    monkeypatch.setattr(pattern_views, "explanations", noted)
    assert CliRunner().invoke(main, ["quality", judges, systems, "--explain", "1", "--seed", "7"]).exit_code == 2
    assert seeds == [7]
