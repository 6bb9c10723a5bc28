"""Imports point one way, cost little, and the front door shows what is there."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import quorate
import quorate.orderings

SOURCE = Path(quorate.__file__).parent
CORE = {"errors", "panel", "table", "inference", "words"}
KINDS = ("orderings", "groupings", "scores")
FACES = {"cli", "demo", "__main__"}  # what people see and type
HEAVY = ("scipy", "narwhals", "polars", "pandas", "pyarrow", "rich", "click", "altair", "numpy")


def modules() -> dict[str, Path]:
    """Every module of the package by its name without 'quorate.'."""
    out = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        out[".".join(p for p in parts if p != "__init__")] = path
    return out


MODULES = modules()


def imported(path: Path, *, lazily: bool = True) -> set[str]:
    """What a module imports, in full names; with ``lazily`` also inside functions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing = [n for n in ast.walk(tree) if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.unparse(n.test)]
    skip = {id(n) for block in typing for n in ast.walk(block)}
    nodes = ast.walk(tree) if lazily else tree.body
    out = set()
    for node in nodes:
        if id(node) in skip:
            continue
        if isinstance(node, ast.Import):
            out |= {a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            inside = {f"{module}.{a.name}" for a in node.names}
            known = {n for n in inside if n.removeprefix("quorate.") in MODULES}
            out |= known or {module}
    return out


def ours(path: Path, **how) -> set[str]:
    """The package's own modules that a module imports, without 'quorate.'."""
    found = {n for n in imported(path, **how) if n.split(".")[0] == "quorate"}
    return {n.removeprefix("quorate").removeprefix(".") for n in found}


def within(names: set[str], *rooms: str) -> set[str]:
    """The names that are in none of the rooms."""
    return {n for n in names if n.split(".")[0] not in rooms}


def part(name: str) -> list[tuple[str, Path]]:
    return [(m, p) for m, p in MODULES.items() if m.split(".")[0] == name]


def test_the_parser_of_imports_sees_them():
    assert "kernels.chains" in ours(MODULES["orderings.kappa"])
    assert "numpy" in imported(MODULES["kernels.precedence"])
    assert "document.layout" in ours(MODULES["inference.results"])
    assert "document.layout" not in ours(MODULES["inference.results"], lazily=False)


def test_kernels_know_numpy_and_one_another_only():
    for name, path in part("kernels"):
        outside = {n.split(".")[0] for n in imported(path)} - set(sys.stdlib_module_names) - {"numpy", "quorate"}
        assert not outside, (name, outside)
        assert not within(ours(path), "kernels"), name


@pytest.mark.parametrize("kind", KINDS)
def test_cells_know_kernels_the_core_and_their_own_kind_only(kind):
    found = part(kind)
    assert found
    for name, path in found:
        assert not within(ours(path, lazily=False), "kernels", kind, *CORE), name
        # Inside functions also the verbs, to ask again on resampled panels, and the document's, to print an answer.
        assert not within(ours(path), "kernels", kind, "document", *CORE), name


def test_formats_know_the_core_only():
    core = ("formats", "errors", "panel", "table", "words")
    for name, path in part("formats"):
        assert not within(ours(path, lazily=False), *core), name
        # Annotated peers become a panel of scores through their units, which are read by a format themselves.
        more = ("summaries",) if name == "formats.annotated" else ()
        assert not within(ours(path), *core, *more), name


def test_the_core_knows_neither_cells_nor_formats_nor_faces():
    for name, path in MODULES.items():
        if (room := name.split(".")[0]) in CORE:
            cells = KINDS if room == "words" else ()  # words speak of what cells found
            assert not within(ours(path, lazily=False), "kernels", *cells, *CORE), name


def test_a_document_knows_the_core_only_and_nobody_below_knows_documents():
    for name, path in part("document"):
        assert not within(ours(path) - {""}, "document", *CORE), name  # the package itself has the version
    for name, path in MODULES.items():
        if name.split(".")[0] in (*CORE, *KINDS, "kernels", "formats"):
            assert not {n for n in ours(path, lazily=False) if n.startswith("document")}, name


def test_nobody_imports_the_faces_but_the_faces():
    for name, path in MODULES.items():
        if name.split(".")[0] in FACES or not name:
            continue
        assert not ({n.split(".")[0] for n in ours(path, lazily=False)} & FACES), name


def test_only_the_front_door_and_the_command_line_start_the_command_line():
    outside = {n: p for n, p in MODULES.items() if n.split(".")[0] not in ("cli", "__main__")}
    assert [n for n, p in outside.items() if "cli" in {m.split(".")[0] for m in ours(p)}] == []


def test_no_module_is_imported_in_a_circle():
    graph = {n: ours(p, lazily=False) & set(MODULES) for n, p in MODULES.items()}
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join((*path, name))
        if name not in done:
            for other in graph[name] - {name}:
                visit(other, (*path, name))
            done.add(name)

    for name in graph:
        visit(name, ())


def fresh(code: str) -> str:
    """What a new process prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def loaded(code: str) -> set[str]:
    told = fresh(f"import sys\n{code}\nprint(*(m for m in {HEAVY!r} if m in sys.modules))")
    return set(told.split())


def test_importing_quorate_loads_no_extra_and_no_scipy():
    assert loaded("import quorate") <= {"numpy"}


def test_building_a_panel_and_asking_needs_numpy_only():
    code = "import quorate as q\nq.agreement(q.Orderings.from_orders(['abc', 'acb', 'bac']), 'kappa', 'tau', 'support')"
    assert loaded(code) == {"numpy"}


def test_the_front_door_shows_what_is_there():
    for name in quorate.__all__:
        assert getattr(quorate, name) is not None
    assert sorted(quorate.__all__) == list(quorate.__all__)
    assert set(quorate.__all__) <= set(dir(quorate))
    public = {n for n in dir(quorate) if not n.startswith("_")}
    assert public - set(quorate.__all__) <= set(MODULES)
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = quorate.nothing_like_it


def test_a_star_import_gives_just_that():
    told = fresh("from quorate import *\nprint(*sorted(n for n in dir() if not n.startswith('_')))")
    assert told.split() == sorted(quorate.__all__)


def test_the_plain_functions_of_orderings_are_all_there():
    room = quorate.orderings
    for name in room.__all__:
        assert getattr(room, name) is not None
    modules_of = {m.rpartition(".")[2] for m, _ in part("orderings")}
    public = {n for n in vars(room) if not n.startswith("_")} - modules_of - {"annotations", "importlib", "Any"}
    assert public <= set(room.__all__)


def test_content_knows_kernels_formats_and_the_core():
    for room in ("summaries.units", "summaries.rouge"):
        for name, path in part("summaries"):
            if name.startswith(room):
                outside = within(ours(path, lazily=False), "kernels", "formats", "document", *CORE)
                assert not {n for n in outside if not n.startswith(room)}, name
