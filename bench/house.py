"""The house in figures: lines and files by folder, and in how many places draws, p-values and budgets are made.

``python -m bench.house OLD_TREE`` prints what ``docs/architecture.md`` shows, of a checkout of another commit beside
this one. Places are counted in the code as written: comments, docstrings and examples do not count.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORE = "inference/"  # where draws and p-values are made

GENERATOR = re.compile(r"\brng\b|\bstream\(|\bdefault_rng\(|\bRandom\(|\brandom$")  # what numbers are asked of
MADE = ("default_rng", "Random")
NUMBERS = {
    *("integers", "random", "choice", "permutation", "permuted", "shuffle", "normal", "standard_normal", "gumbel"),
    *("multinomial", "dirichlet", "uniform", "multivariate_hypergeometric", "standard_gamma", "gauss", "randrange"),
    *("beta", "binomial", "poisson", "exponential", "sample"),
}
TAILS = {"p_value", "two_sided", "chi_square_tail", "lower_tail", "t_test", "fdtrc", "stdtr", "sf", "yekutieli"}
BUDGETS = re.compile(r"\b(draws?|drawn|resamples|permutations|shuffles|dealt|permuted|flips?|halves|panels|studies)\b")

DRAWN = {  # draws outside of the core, each with the reason why it is not there
    "kernels/streams.py": "makes every generator, and draws what several rooms draw",
    "kernels/partition_search.py": "a search that shakes what it has found; fixed, so that a panel has one answer",
    "kernels/kemeny.py": "a search that shakes what it has found; fixed, so that a panel has one answer",
    "kernels/drawn_pairs.py": "some of more pairs than can be looked at; fixed, as they are part of the formula",
    "kernels/pattern_states.py": "some of more patterns than can be counted; fixed, as they are part of the formula",
    "kernels/split_merge.py": "random paths from a clustering, which are what sensitivity is about",
    "groupings/mixed_membership.py": "groups of items that may be of two, as judges make them likely",
    "groupings/needed.py": "judges who sort into given groups and err, beside whom those at hand are held",
    "groupings/q_support.py": "some of more pairs than can be looked at; fixed, as they are part of the formula",
    "orderings/models.py": "random sums by which equal sets are found; no figure depends on them",
    "orderings/simulate.py": "simulated judges, for planning and for tests",
    "panel/design.py": "how judges' names are exchanged",
    "panel/residuals.py": "errors of judges who are imitated",
    "panel/lists.py": "how lists of systems are permuted",
    "panel/pairs.py": "how votes are permuted and exchanged",
    "panel/imitated_votes.py": "how votes are imitated",
    "panel/grouping_design.py": "how groupings are imitated; random sums by which equal sets are found",
    "panel/permuted_groups.py": "how groupings are permuted, and groups as fine as a judge's made",
    "panel/task_design.py": "which half of a task's items is drawn",
    "panel/score_design.py": "how scores are permuted, exchanged and imitated",
    "panel/stacks.py": "how orderings are permuted, exchanged and imitated",
    "scores/plan.py": "simulated scores, for planning",
    "votes/ratings.py": "orders of the votes, which Elo's ratings depend on",
    "reproduce/clusters.py": "a paper's simulated clusterings",
    "demo/panels.py": "made-up panels",
    "web/demo.py": "made-up answers of a study",
    "summaries/units/made_up.py": "made-up annotation",
    "summaries/units/made_up_texts.py": "made-up texts",
    "summaries/assignment.py": "who is given what to judge",
    "store/assignment.py": "who is given what to judge, in which order",
    "store/studies.py": "who is given what to judge",
}
TESTED = {  # p-values outside of the core: closed forms that belong to a formula
    "kernels/tails.py": "the quotient of counts, and closed forms of distributions",
    "orderings/concordance.py": "Friedman's test, which goes with W",
    "scores/concordance.py": "the same of scores",
    "scores/t_test.py": "Student's t tests of scores",
    "scores/judge_effects.py": "a t test, which goes with severity",
    "scores/scale_use.py": "a t test, which goes with drift",
    "scores/icc.py": "the F test, which goes with the intraclass correlation",
    "scores/alternative.py": "the alternative-annotator test, whose value is how many tests are won",
    "scores/pairwise_accuracy.py": "soft pairwise accuracy, whose value is a mean of differences of p",
    "scores/metric_differences.py": "Williams' test, and the plain function of arrays of the permutation test",
    "votes/judges.py": "Mantel and Haenszel's test, which goes with the preference of a place",
}


def modules(tree: Path) -> Iterator[tuple[str, Path]]:
    """The package's files, by their path in it."""
    root = tree / "src" / "quorate"
    for path in sorted(root.rglob("*.py")):
        yield path.relative_to(root).as_posix(), path


@cache
def _parsed(text: str) -> list[ast.AST]:
    """What may be counted in a file: operators, calls and functions."""
    return [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.BinOp | ast.Call | ast.FunctionDef)]


def _nodes(path: Path) -> list[ast.AST]:
    return _parsed(path.read_text(encoding="utf-8"))


def _named(path: Path, names: Iterable[str]) -> bool:
    """Whether a file has one of these names at all: most have none, and need not be parsed."""
    return re.search(rf"\b({'|'.join(map(re.escape, names))})\b", path.read_text(encoding="utf-8")) is not None


def draws(path: Path) -> int:
    """How often a file makes a random generator or asks one for numbers."""
    found = 0
    for node in _nodes(path) if _named(path, [*MADE, *NUMBERS]) else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name, of = node.func.attr, node.func.value
            found += name in MADE or (name in NUMBERS and bool(GENERATOR.search(ast.unparse(of))))
    return found


def p_values(path: Path) -> int:
    """How often a file makes a p-value: by a closed form, or by the quotient of counts."""
    nodes = _nodes(path) if _named(path, TAILS) else []
    own = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    called = [n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    return sum(name in TAILS - own for name in called) + quotients(path)


def quotients(path: Path) -> int:
    """How often a file divides a count and one by another and one; ranks (n + 1) / (m + 1) are no counts."""
    found = 0
    for node in _nodes(path) if re.search(r"\+ 1\W[^#]*/", path.read_text(encoding="utf-8")) else ():
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Div)
            and _one_more(node.left)
            and _one_more(node.right)
        ):
            found += not re.search(r"items|shape", ast.unparse(node.left))
    return found


def _one_more(node: ast.expr) -> bool:
    """Whether something and 1 are added."""
    adds = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)
    return adds and isinstance(node.right, ast.Constant) and node.right.value == 1  # type: ignore[attr-defined]


def budgets(path: Path) -> int:
    """How many constants of a file say how much is drawn, by their name or by the comment behind them."""
    found = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        constant = re.match(r"([A-Z][A-Z_0-9, ]*) = [-(\d][^#]*(#.*)?$", line)
        found += bool(constant and BUDGETS.search(f"{constant[1].lower().replace('_', ' ')} {constant[2] or ''}"))
    return found


def places(tree: Path, count: Callable[[Path], int]) -> dict[str, int]:
    """The files in which something is found, with how often."""
    return {name: number for name, path in modules(tree) if (number := count(path))}


def told(found: dict[str, int]) -> str:
    """How often in how many files, and how much of it is outside of the core."""
    outside = [n for name, n in found.items() if not name.startswith(CORE)]
    return f"{sum(found.values())} in {len(found)} files ({sum(outside)} in {len(outside)} outside `inference/`)"


def sizes(tree: Path) -> dict[str, tuple[int, int]]:
    """Lines and files of every folder."""
    lines, files = Counter[str](), Counter[str]()
    for name, path in modules(tree):
        folder = name.partition("/")[0] if "/" in name else "(top)"
        lines[folder] += len(path.read_text(encoding="utf-8").splitlines())
        files[folder] += 1
    return {folder: (lines[folder], files[folder]) for folder in sorted(lines)}


def hops(tree: Path) -> list[str]:
    """What ``bench.hops`` says of a tree: files that a command goes through."""
    environment = {**os.environ, "PYTHONPATH": f"{tree / 'src'}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-m", "bench.hops"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return [line.partition(" (")[0] for line in done.stdout.splitlines()]


def main() -> int:
    """Print the tables, in Markdown."""
    parser = argparse.ArgumentParser(prog="python -m bench.house", description=__doc__)
    parser.add_argument("old", metavar="OLD_TREE", type=Path, help="a checkout of another commit")
    old, new = parser.parse_args().old.resolve(), ROOT
    before, after = sizes(old), sizes(new)
    print("| folder | lines before | files | lines now | files |\n|---|--:|--:|--:|--:|")
    for folder in sorted({*before, *after}):
        (a, b), (c, d) = before.get(folder, (0, 0)), after.get(folder, (0, 0))
        print(f"| {folder} | {a:,} | {b} | {c:,} | {d} |")
    rows = [*(sum(x) for x in zip(*before.values(), strict=True)), *(sum(x) for x in zip(*after.values(), strict=True))]
    print("| **all** | " + " | ".join(f"{n:,}" for n in rows) + " |\n")
    print("| | before | now |\n|---|---|---|")
    for name, count in {
        "draws": draws,
        "p-values": p_values,
        "of them, (reached + 1) / (draws + 1) written out": quotients,
        "constants that say how much is drawn": budgets,
    }.items():
        print(f"| {name} | {told(places(old, count))} | {told(places(new, count))} |")
    for was, now in zip(hops(old), hops(new), strict=True):
        command, _, number = now.partition(": ")
        print(f"| `{command}` goes through | {was.partition(': ')[2]} | {number} |")
    print("\n| draws outside of the core | why there |\n|---|---|")
    print(*(f"| `{name}` | {why} |" for name, why in DRAWN.items()), sep="\n")
    print("\n| p-values outside of the core | why there |\n|---|---|")
    print(*(f"| `{name}` | {why} |" for name, why in TESTED.items()), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
