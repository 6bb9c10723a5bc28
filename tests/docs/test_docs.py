"""The documentation shows what the program does: generated pages, command outputs, examples and links."""

import doctest
import importlib
import importlib.util
import re
import shlex
import shutil
from functools import cache
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from quorate import table
from quorate.cli import main
from quorate.formats import FORMATS
from tests.family import LONG, some
from tests.without import in_small

ROOT = Path(__file__).resolve().parents[2]
WRITTEN = [p for p in sorted((ROOT / "docs").rglob("*.md")) if "_build" not in p.parts]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *WRITTEN]
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")


def script(file: str):
    spec = importlib.util.spec_from_file_location(file, ROOT / "docs" / f"{file}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


GENERATE = script("generate")


REPRODUCED = ROOT / "docs" / "papers.md"  # four papers anew; the tests of each look at what comes out
DEMO = "quorate demo"  # whose tests run it and look into the README


@pytest.mark.parametrize(
    "page",
    [pytest.param(p, marks=pytest.mark.long) if p == REPRODUCED else p for p in GENERATE.sources()],
    ids=name,
)
def test_generated_pages_and_command_outputs_are_up_to_date(page, monkeypatch):
    assert page.exists()
    text = page.read_text("utf-8")
    shown = dict(re.findall(r"```text\n\$ (.*?)\n(.*?)```", text, re.DOTALL))
    methods = page.parent.name == "methods"  # a family: of the others the output is taken from the page
    run, real = some(shown, 5) if methods else shown.keys() - {DEMO}, GENERATE.output
    assert run or not methods
    monkeypatch.setattr(GENERATE, "output", lambda c: real(c) if c in run or c not in shown else shown[c])
    assert text == GENERATE.made(page), "run `make docs`"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page):
    drawn = {ROOT / "docs" / "images" / file for file in script("pictures").PICTURES}  # when the site is built
    for target, _ in LINK.findall(page.read_text("utf-8")):
        if not target.startswith(("http://", "https://", "mailto:")):
            found = (page.parent / target).resolve()
            assert found.exists() or found in drawn, target


@cache
def anchors(page: Path) -> set[str]:
    """The headings of a page as code hosts and the site call them in addresses."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    named = (heading.lower().replace("`", "") for heading in re.findall(r"^#{1,3} (.+)$", text, re.MULTILINE))
    return {re.sub(r"[^\w -]", "", heading).strip().replace(" ", "-") for heading in named}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_to_headings_lead_to_one(page):
    """The short form of the site, which is built without a warning in the long one."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", text):
        if not target.startswith(("http://", "https://")):
            found = (page.parent / target).resolve() if target else page
            assert found.suffix != ".md" or anchor in anchors(found), f"{target}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_examples_print_what_they_say(page, tmp_path, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    text = "\n".join(b for b in blocks if ">>>" in b)
    if not text:
        return
    shutil.copytree(ROOT / "docs" / "examples", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(text, {}, name(page), str(page), 0)
    failures = doctest.DocTestRunner(verbose=False).run(test).failed
    assert not failures
    for example in filter(Path.is_file, (ROOT / "docs" / "examples").iterdir()):  # what another page shows would change
        assert (tmp_path / example.name).read_bytes() == example.read_bytes(), f"{example.name} is overwritten"


def commands_to_copy() -> dict[Path, list[list[str]]]:
    """The words of every command in a block of shell commands, by page; those whose output is shown are run for it."""
    texts = {page: page.read_text("utf-8") for page in PAGES}
    seen = [shlex.split(command) for text in texts.values() for command in re.findall("<!-- run: (.*?) -->", text)]
    found: dict[Path, list[list[str]]] = {}
    for page, text in texts.items():
        lines = "".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL)).splitlines()
        for words in (shlex.split(line, comments=True) for line in lines if line.startswith("quorate ")):
            if words not in seen and words[1] != "serve":  # which goes on until it is told to stop
                seen.append(words)
                found.setdefault(page, []).append(words)
    return found


COMMANDS = commands_to_copy()


def first_of_their_kind(commands: dict[Path, list[list[str]]]) -> dict[Path, list[list[str]]]:
    """Of those that ask the same of the same file with other values of the same options the first, and so of reports
    of whatever file."""
    seen, found = set[tuple[str, ...]](), dict[Path, list[list[str]]]()
    for page, lines in commands.items():
        for words in lines:
            before = next((k for k, w in enumerate(words) if w.startswith("--")), len(words))
            kind = (*words[1 : 2 if words[1] == "report" else before], *(w for w in words if w.startswith("--")))
            if kind not in seen:
                found.setdefault(page, []).append(words)
            seen.add(kind)
    return found


SHORT = COMMANDS if LONG else first_of_their_kind(COMMANDS)


def few_draws(words: list[str]) -> list[str]:
    """The options that make a command quick, where it has them and is not given them."""
    command: click.Command = main
    for word in words:
        if isinstance(command, click.Group):
            command = command.commands[word]
    known = {o for p in command.params for o in p.opts}
    few = {"--resamples": "20", "--permutations": "9"}
    return [part for option in few if option in known and option not in words for part in (option, few[option])]


@pytest.mark.parametrize("page", SHORT, ids=name)
def test_commands_to_copy_run(page, tmp_path, monkeypatch):
    """Every line of a block of shell commands, one after the other, in a copy of the examples; in the short form the
    first of those that are alike."""
    shutil.copytree(ROOT / "docs" / "examples", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    if any(words[1] == "report" for words in SHORT[page]):
        pytest.importorskip("vl_convert")
    for words in SHORT[page]:
        with in_small():  # what they print is not looked at
            result = CliRunner().invoke(main, [*words[1:], *few_draws(words[1:])])
        assert result.exit_code == 0, f"{shlex.join(words)}\n{result.output}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_and_options_in_the_text_are_there(page):
    """Commands in running text have placeholders, so they are not run: their names and options are looked up."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for quoted in re.findall(r"`(quorate [a-z][^`]*)`", text):
        words = re.sub(r"[\[\]]", " ", quoted).split()[1:]
        command: click.Command = main
        while isinstance(command, click.Group):
            assert words, quoted
            assert words[0] in command.commands, quoted
            command = command.commands[words.pop(0)]
            if not words:
                break
        known = {o for p in command.params for o in (*p.opts, *p.secondary_opts)} | {"--help"}
        assert {w.partition("=")[0] for w in words if w.startswith("--")} <= known, quoted


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "tutorials").glob("*.md")), ids=name)
def test_a_tutorial_shows_the_first_lines_of_its_file(page):
    text = page.read_text("utf-8")
    file = page.parent / re.search(r"\]\((\.\./examples/\w+\.csv)\)", text).group(1)
    [shown] = re.findall(r"```text\n((?:task|judge|participant),.*?)\.\.\.\n```", text, re.DOTALL)
    assert file.read_text("utf-8").startswith(shown)


def test_every_page_can_be_reached_from_the_index():
    seen, todo = set(), [ROOT / "docs" / "index.md"]
    while todo:
        page = todo.pop()
        if page in seen:
            continue
        seen.add(page)
        for target, _ in LINK.findall(page.read_text("utf-8")):
            linked = (page.parent / target).resolve()
            if linked.suffix == ".md" and linked.exists():
                todo.append(linked)
    missing = [name(p) for p in WRITTEN if p not in seen]
    assert not missing


@pytest.mark.parametrize("question", table.QUESTIONS)
def test_the_page_of_a_question_names_what_is_answered_unasked_for_each_kind(question):
    text = (ROOT / "docs" / "questions" / f"{question}.md").read_text("utf-8")
    rows = {kind: next(line for line in text.splitlines() if line.startswith(f"| {kind} |")) for kind in table.KINDS}
    for d in table.declarations(question=question):
        assert (f"`{d.name}`" in rows[d.kind]) == d.default, d.name


def test_every_format_has_a_row_a_page_and_its_extensions():
    rows = (ROOT / "docs" / "formats" / "index.md").read_text("utf-8").splitlines()
    for f in FORMATS:
        row = next(r for r in rows if r.startswith(f"| `{f.name}` |"))
        assert re.search(r"\]\([\w-]+\.md\)", row), f.name
        extensions, kinds = row.split("|")[2:4]
        kinds = extensions if "](" in kinds else kinds  # exports of tools are known by what they hold
        assert set(re.findall(r"`\.(\w+)`", extensions)) <= set(f.extensions), f.name
        assert sorted(f.kinds) == sorted(k for k in table.KINDS if k in kinds), f.name


def test_every_dependency_has_a_reason():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *(d for e in project["optional-dependencies"].values() for d in e)]
    names = {re.match(r"[\w-]+", d).group() for d in wanted} - {"quorate"}
    why = (ROOT / "docs" / "why.md").read_text("utf-8")
    assert [n for n in sorted(names) if n not in why] == []


def test_sizes_can_be_measured_again_and_the_page_has_a_row_for_each():
    """The sizes themselves depend on versions and platform; the rows do not."""
    measured = [line.split("|")[1].strip() for line in script("sizes").table()]
    why = (ROOT / "docs" / "why.md").read_text("utf-8")
    told = [line.split("|")[1].strip() for line in why[why.index("| install |") :].partition("\n\n")[0].splitlines()]
    assert measured == told
    assert len(told) > 5


def test_no_committed_page_names_a_machine_path():
    for page in PAGES:
        assert not re.search(r"/(?:work|root|tmp)/\w", page.read_text("utf-8")), name(page)


# -- the method reference ----------------------------------------------------------------------------------------------


def test_no_page_has_signs_of_a_merge():
    assert [p.name for p in PAGES if re.search(r"^(<{7}|={7}|>{7})( |$)", p.read_text(), re.MULTILINE)] == []


def test_every_method_says_when_to_use_it_when_it_misleads_and_its_formula():
    lacking = [f"{d.kind}: {d.question}.{d.name}" for d in table.declarations() if d.note is None]
    assert not lacking
    for d in table.declarations():
        assert all((d.note.use, d.note.misleads, d.note.formula)), d.name
        assert d.note.use.endswith((".", "?"))
        assert d.note.misleads.endswith(".")


@pytest.mark.parametrize("kind", table.KINDS)
def test_the_order_of_a_kind_names_its_methods(kind):
    order = importlib.import_module(f"quorate.{kind}").ORDER
    told = [(question, name) for question, names in order.items() for name in names.split()]
    assert sorted(told) == sorted((d.question, d.name) for d in table.declarations(kind))


@pytest.mark.parametrize("kind", table.KINDS)
def test_examples_of_methods_are_answers_not_errors(kind):
    text = (ROOT / "docs" / "methods" / f"{kind}.md").read_text("utf-8")
    assert text.count("\n$ quorate ") == len(list(table.declarations(kind)))
    assert not re.search(r"^(Usage|Error|\w+Error|UnknownMethod|BadParameter):", text, re.MULTILINE)
