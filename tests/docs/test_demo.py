"""The demo finds the bad judges that were planted, writes its pages, and works without the extra."""

import re
import shlex
from contextlib import chdir
from html import unescape
from pathlib import Path

import pytest
from click.testing import CliRunner

import quorate as q
from quorate.cli import main
from quorate.demo import run as demo_module
from quorate.demo.panels import film_orders, model_votes, search_runs, sentence_clusters, summary_scores
from quorate.errors import MissingExtra
from quorate.reports import Report
from tests.docs.test_docs import DEMO, GENERATE

README = Path(__file__).resolve().parents[2] / "README.md"


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """What the demo prints, in full, and the folder of its pages."""
    for package in ("altair", "vl_convert", "jinja2"):
        pytest.importorskip(package)
    with chdir(tmp_path_factory.mktemp("demo")):
        return GENERATE.output(DEMO), Path("quorate-demo").resolve()


def test_the_readme_shows_the_demo_in_full_with_all_planted_judges_found_and_nobody_else(demo):
    text = README.read_text("utf-8")
    shown = text[text.index(f"<!-- run: {DEMO} -->") :].split("```")[1]
    assert shown == f"text\n$ {DEMO}\n{demo[0]}", "run `make docs`"
    verdict = shown.partition("Planted:")[0]
    assert "30 " in verdict
    assert "run-04" in verdict
    assert "run-09" in verdict
    assert shown.count("Found.") == 5
    assert "not planted" not in shown


def test_every_page_that_is_named_is_there_and_whole(demo):
    said, folder = demo
    named = [line.removeprefix("The page: ") for line in said.splitlines() if line.startswith("The page: ")]
    files = [folder / Path(name).name for line in named for name in line.split(", its data: ")]
    assert sorted(files) == sorted(folder.iterdir())
    assert len(named) == 5
    for page in folder.glob("*.html"):
        assert page.read_text("utf-8").rstrip().endswith("</html>")


def test_the_command_on_a_page_makes_it_again_from_the_file_beside_it(demo, tmp_path, monkeypatch):
    monkeypatch.chdir(demo[1].parent)
    page = demo[1] / "film-orders.html"
    command = unescape(re.search("<pre.*?>(quorate report .*?)</pre>", page.read_text("utf-8"), re.S)[1])
    words = shlex.split(re.sub("<.*?>", "", command))[1:]
    result = CliRunner().invoke(main, [*words, "--out", str(tmp_path / "again.html")])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "again.html").read_bytes() == page.read_bytes()


def test_the_text_fits_80_columns_apart_from_the_names_of_files(demo):
    lines = [line for line in demo[0].splitlines() if not line.startswith("The page: ")]
    assert max(map(len, lines)) <= 80


@pytest.fixture(scope="module")
def films(tmp_path_factory, in_small):
    """The report on one of the demo's panels."""
    file = tmp_path_factory.mktemp("films") / "films.csv"
    q.write(film_orders(0).panel, file)
    return demo_module._page(file, "Films", 0)


@pytest.mark.parametrize("width", [40, 60, 120])
def test_the_text_is_as_wide_as_the_terminal_and_names_stay_whole(monkeypatch, tmp_path, films, width):
    for name in ("search_runs", "sentence_clusters", "summary_scores", "model_votes"):  # quick
        monkeypatch.setattr(demo_module, name, film_orders)
    monkeypatch.setattr(demo_module, "_page", lambda *given: films)
    monkeypatch.setattr(Report, "html", lambda self: "")
    result = CliRunner().invoke(main, ["demo", "--out", str(tmp_path)], env={"COLUMNS": str(width)})
    lines = [line for line in result.output.splitlines() if not line.startswith("The page: ")]
    assert width - 25 < max(map(len, lines[:-1])) <= width
    assert not any(line.endswith("-") for line in lines)


@pytest.mark.usefixtures("in_small")
def test_without_the_extra_the_verdict_is_printed_and_the_way_to_the_page_is_told(monkeypatch, tmp_path):
    def missing(self):
        raise MissingExtra("altair", "report", "A chart")

    monkeypatch.setattr(Report, "html", missing)
    for name in ("search_runs", "film_orders", "sentence_clusters", "model_votes"):  # quick
        monkeypatch.setattr(demo_module, name, summary_scores)
    monkeypatch.setattr(demo_module, "DRAWN", {"resamples": 20})
    result = CliRunner().invoke(main, ["demo", "--out", str(tmp_path / "pages")])
    assert result.exit_code == 0, result.output
    assert "Planted: Kim" in result.output
    assert "quorate[report]" in " ".join(result.output.split())
    assert [p.name for p in (tmp_path / "pages").iterdir()] == ["summary-scores.csv"]


@pytest.mark.parametrize("make", [search_runs, film_orders, sentence_clusters, summary_scores, model_votes])
def test_a_made_up_panel_depends_on_its_seed_and_on_nothing_else(make, tmp_path):
    made = make(1)
    one, again, other = (written(m.panel, tmp_path) for m in (made, make(1), make(2)))
    assert one == again != other
    assert set(made.planted) < set(map(str, made.panel.judges))


def written(panel, folder):
    q.write(panel, folder / "panel.csv")
    return (folder / "panel.csv").read_text("utf-8")
