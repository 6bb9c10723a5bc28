"""Imports point one way, cost little, and the front door shows what is there."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import quorate
import quorate.orderings
from quorate.table import KINDS

SOURCE = Path(quorate.__file__).parent
LAYERS = (  # each knows itself and those above it in this list, imports inside functions included
    ("errors",),
    ("kernels", "table"),
    ("panel",),
    ("formats",),
    ("orderings", "groupings", "scores", "votes"),
    ("inference",),
    ("scale",),
    ("words",),
    ("document",),
    ("summaries", "reports", "verbs"),
    ("comparison",),
    ("card_sorts", "surfaces", "dissent", "without_outliers", "content_sets"),
    ("reproduce", "demo", "store"),
    ("web",),
    ("cli",),
    ("__main__",),
)
BEYOND: dict[tuple[str, str], int] = {}  # imports against that order which are still there: how many at most
KNOTS = [  # of imports inside functions that are still there
    {"formats", "formats.metrics"},
]
HEAVY = ("scipy", "narwhals", "polars", "pandas", "pyarrow", "rich", "click", "altair", "numpy")
HEAVY = (*HEAVY, "sqlalchemy", "alembic", "starlette", "uvicorn", "jinja2", "argon2")


def modules() -> dict[str, Path]:
    """Every module of the package by its name without 'quorate.'."""
    out = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        out[".".join(p for p in parts if p != "__init__")] = path
    return out


MODULES = modules()


def below(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements inside a node, however deep; expressions hold no imports."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield child
        if not isinstance(child, ast.expr):
            yield from below(child)


@cache
def statements(path: Path) -> tuple[ast.Module, list[ast.stmt]]:
    """A module, and its imports wherever they stand but for those of type checkers."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = [n for n in below(tree) if isinstance(n, ast.If | ast.Import | ast.ImportFrom)]
    typing = [n for n in nodes if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.unparse(n.test)]
    skip = {id(n) for block in typing for n in below(block)}
    return tree, [n for n in nodes if not isinstance(n, ast.If) and id(n) not in skip]


@cache
def imported(path: Path, *, lazily: bool = True) -> frozenset[str]:
    """What a module imports, in full names; with ``lazily`` also inside functions."""
    tree, everywhere = statements(path)
    out = set()
    for node in everywhere if lazily else tree.body:
        if isinstance(node, ast.Import):
            out |= {a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            inside = {f"{module}.{a.name}" for a in node.names}
            known = {n for n in inside if n.removeprefix("quorate.") in MODULES}
            out |= known or {module}
    return frozenset(out)


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
    assert "document.layout" in ours(MODULES["verbs"])
    assert "document.layout" not in ours(MODULES["verbs"], lazily=False)


def test_kernels_know_numpy_and_one_another_only():
    for name, path in part("kernels"):
        outside = {n.split(".")[0] for n in imported(path)} - set(sys.stdlib_module_names) - {"numpy", "quorate"}
        assert not outside, (name, outside)
        assert not within(ours(path), "kernels"), name


def test_imports_point_one_way():
    level = {room: k for k, rooms in enumerate(LAYERS) for room in rooms}
    against: dict[tuple[str, str], list[str]] = {}
    for name, path in MODULES.items():
        room = name.split(".")[0]
        for other in {n for n in ours(path) if n}:
            to = other.split(".")[0]
            beside = to != room and room in level and level[to] == level[room] and room not in ("reports", "verbs")
            if room in level and (beside or level[to] > level[room]):
                against.setdefault((room, to), []).append(f"{name} -> {other}")
    assert {pair: edges for pair, edges in against.items() if len(edges) > BEYOND.get(pair, 0)} == {}


def test_every_module_is_in_a_layer():
    rooms = {room for rooms in LAYERS for room in rooms}
    assert {n.split(".")[0] for n in MODULES if n} <= rooms


@pytest.mark.parametrize("lazily", [False, True])
def test_no_module_is_imported_in_a_circle(lazily):
    graph = {n: ours(p, lazily=lazily) & set(MODULES) for n, p in MODULES.items()}
    reach = {n: reachable(graph, n) for n in graph}
    knots = {frozenset(m for m in reach[n] if n in reach[m]) for n in graph if n in reach[n]}
    assert [sorted(k) for k in knots if not lazily or set(k) not in KNOTS] == []


def reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    """Every module that one leads to."""
    seen: set[str] = set()
    left = list(graph[start] - {start})
    while left:
        name = left.pop()
        if name not in seen:
            seen.add(name)
            left += graph[name] - {name}
    return seen


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


def test_a_question_loads_one_kind_only():
    code = "import quorate as q\nq.agreement(q.Orderings.from_orders(['abc', 'acb', 'bac']), 'tau').text()"
    told = fresh(f"import sys\n{code}\nprint(*(k for k in {KINDS!r} if f'quorate.{{k}}' in sys.modules))")
    assert told == "orderings"


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
    assert public - {"ORDER", "LETTERS"} <= set(room.__all__)
