"""The documentation shows what the program does: generated pages, command outputs, examples and links."""

import doctest
import importlib.util
import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")


def generator():
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def test_generated_pages_and_command_outputs_are_up_to_date():
    stale = [name(p) for p, text in generator().pages().items() if not p.exists() or p.read_text("utf-8") != text]
    assert not stale, f"run `make docs`: {stale}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page):
    for target, _ in LINK.findall(page.read_text("utf-8")):
        if not target.startswith(("http://", "https://", "mailto:")):
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_examples_print_what_they_say(page, tmp_path, monkeypatch):
    for example in (ROOT / "docs" / "examples").iterdir():
        shutil.copy(example, tmp_path)
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    text = "\n".join(b for b in blocks if ">>>" in b)
    test = doctest.DocTestParser().get_doctest(text, {}, name(page), str(page), 0)
    failures = doctest.DocTestRunner(verbose=False).run(test).failed
    assert not failures


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
    missing = [name(p) for p in (ROOT / "docs").rglob("*.md") if p not in seen]
    assert not missing


def test_every_dependency_has_a_reason():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *(d for e in project["optional-dependencies"].values() for d in e)]
    names = {re.match(r"[\w-]+", d).group() for d in wanted} - {"quorate"}
    why = (ROOT / "docs" / "why.md").read_text("utf-8")
    assert [n for n in sorted(names) if n not in why] == []


def test_no_committed_page_names_a_machine_path():
    for page in PAGES:
        assert not re.search(r"/(?:work|root|tmp)/\w", page.read_text("utf-8")), name(page)
