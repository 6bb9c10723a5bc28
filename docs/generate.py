"""Writes what the documentation shows of the program: the method reference, the command line, and outputs of commands.

In any page, a comment ``<!-- run: quorate ... -->`` before a fenced block means that the block is that command and its
output, run in a copy of ``docs/examples``. ``python docs/generate.py`` brings all of it up to date, or only the pages
that are named; a test fails when a page is not.
"""

from __future__ import annotations

import importlib
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from pathlib import Path

import click
from click.testing import CliRunner

from quorate import table
from quorate.cli import main
from quorate.inference.results import Options

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
RUN = re.compile(r"(<!-- run: (?P<command>.*?) -->\n```\w*\n)(?P<output>.*?)(```)", re.DOTALL)
LINES = 16  # of an example in the method reference

# What a method is shown on: by its own name, else by its cell.
SHOWN = {
    "orderings.agreement": "quorate agreement films.csv",
    "orderings.judges": "quorate judges films.csv",
    "orderings.consensus": "quorate consensus films.csv",
    "orderings.quality": "quorate quality sentences.csv summarizers.csv",
    "orderings.trust": "quorate trust films.csv",
    "groupings.agreement": "quorate agreement clusters.csv",
    "groupings.judges": "quorate judges clusters.csv",
    "groupings.consensus": "quorate consensus clusters.csv",
    "groupings.quality": "quorate quality volcano.csv volcano_systems.csv",
    "groupings.trust": "quorate trust clusters.csv",
    "scores.agreement": "quorate agreement reviews.csv",
    "scores.judges": "quorate judges reviews.csv",
    "scores.consensus": "quorate consensus reviews.csv",
    "scores.quality": "quorate quality reviews.csv",
    "scores.trust": "quorate trust reviews.csv --metrics reviews_metrics.csv",
    **{f"votes.{q}": f"quorate {q} votes.csv" for q in table.QUESTIONS},
    "votes.judges.self_preference": "quorate judges arena.csv --families families.csv",
    "votes.judges.discrimination": "quorate judges crowd_votes.csv",
    "votes.trust.effects": "quorate trust arena.csv --families families.csv",
    "votes.trust.next_pairs": "quorate trust arena.csv",
    "scores.judges.alternative": "quorate judges llm_judges.csv",
    "scores.judges.independence": "quorate judges llm_judges.csv",
    "scores.judges.auto_pyramid": "quorate judges sittings.csv",
    "scores.judges.label_bias": "quorate judges mails.csv",
    "scores.consensus.ordinal": "quorate consensus mails.csv --scale praise,question,complaint",
    "scores.judges.drift": "quorate judges sittings.csv",
    "scores.judges.self_consistency": "quorate judges readings.csv",
    **{f"scores.consensus.{m}": "quorate consensus mails.csv" for m in ("dawid_skene", "one_coin", "mace", "glad")},
    "scores.trust.prediction_powered": "quorate trust few_people.csv",
    **{f"scores.trust.{m}": "quorate trust model_judges.csv" for m in ("people_worth", "model_bias", "calibration")},
    "scores.agreement.label_sets": "quorate agreement mails.csv",
    "scores.quality.bradley_terry": "quorate quality votes.csv --kind scores",
}


@contextmanager
def examples() -> Iterator[Path]:
    """A copy of the examples to run commands in, so that what they write is not left behind."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(DOCS / "examples", Path(folder) / "examples"))
        with chdir(copy):
            yield copy


def output(command: str) -> str:
    """What a command prints, run in the folder at hand."""
    words = shlex.split(command)
    result = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1"}).invoke(main, words[1:], prog_name="quorate")
    if result.exception and not isinstance(result.exception, SystemExit):  # a crash is no example
        raise result.exception
    lines = (line.rstrip() for line in result.output.splitlines())
    return "\n".join(lines).rstrip() + "\n"


def filled(text: str) -> str:
    """A page with the outputs of its commands."""
    if not RUN.search(text):
        return text
    with examples():
        return RUN.sub(lambda m: f"{m[1]}$ {m['command']}\n{output(m['command'])}{m[4]}", text)


# -- the method reference ----------------------------------------------------------------------------------------------


def the_table() -> str:
    """The page of kinds x questions."""
    rule = "One rule explains the whole: *a judgment is an ordering, a grouping, a score or a vote, and"
    out = ["# The table", "", rule]
    out += [
        "five questions can be asked of many judgments.* This page is made from the program; so is `quorate table`.",
        "",
        "Each method links to its example, formula, and when it misleads.",
        "",
    ]
    out.append("| | " + " | ".join(f"[{k}](methods/{k}.md)" for k in table.KINDS) + " |")
    out.append("|---" * (1 + len(table.KINDS)) + "|")
    for question in table.QUESTIONS:
        cells = [", ".join(map(_link, table.declarations(k, question))) or "-" for k in table.KINDS]
        out.append(f"| **{question}**: {table.ASKED[question]} | " + " | ".join(cells) + " |")
    out += [
        "",
        "A method has a text form, such as `support(q=3)`: the same in Python, on the command line, in reports.",
    ]
    return "\n".join(out) + "\n"


def anchor(d: table.Declaration) -> str:
    """The place of a method on its page, as code hosts and the site make it from the heading."""
    return f"{d.name}-{d.question}"


def _link(d: table.Declaration) -> str:
    return f"[`{d.name}`](methods/{d.kind}.md#{anchor(d)})"


def reference(kind: str) -> str:
    """Every method of a kind: what it is, when to use it, when it misleads, its formula, and an example."""
    out = [f"# Methods for {kind}", ""]
    out += [
        "Made from the program: what `quorate table` lists, explained. The examples are real output, cut where long.",
        "",
        _letters(kind),
    ]
    with examples():
        for question in table.QUESTIONS:
            found = list(table.declarations(kind, question))
            if found:
                asked = table.ASKED[question]
                out += [
                    "",
                    f"## {question.capitalize()}: {asked}",
                    "",
                    f"See also [{asked}](../questions/{question}.md)",
                ]
            for d in found:
                out += _method(d)
    return "\n".join(out) + "\n"


def _method(d: table.Declaration) -> Iterator[str]:
    low, high = (("" if abs(x) == float("inf") else f"{x:g}") for x in d.range)
    between = f"from {low}" + (f" to {high}" if high else " up") if low else f"up to {high}" if high else "any number"
    yield from ("", f"### {d.name} ({d.question})", "", d.summary.replace("``", "`"), "")
    yield f"- text form: `{d.signature}`{' (used when no method is named)' if d.default else ''}"
    yield f"- value: {between}; higher means {d.higher}"
    for name, p in d.parameters.items():
        yield f"- `{name}`: {p.meaning}; {p.rule()}"
    if d.note:
        yield f"- **when to use it**: {d.note.use}"
        yield f"- **when it misleads**: {d.note.misleads}"
    if d.reference:
        yield f"- after: {d.reference}"
    if d.note:
        yield from ("", "Formula:", "", *(f"- `{part}`" for part in d.note.formula.split("; ")))
    command = f"{SHOWN.get(f'{d.kind}.{d.question}.{d.name}') or SHOWN[f'{d.kind}.{d.question}']} --method {d.name}"
    lines = output(command).splitlines()
    cut = ["..."] if len(lines) > LINES else []
    yield from ("", "Example:", "", "```text", f"$ {command}", *lines[:LINES], *cut, "```")


def _letters(kind: str) -> str:
    """What the letters in the formulas of a kind mean."""
    text: str = importlib.import_module(f"quorate.{kind}").LETTERS
    return text.strip()


# -- the command line --------------------------------------------------------------------------------------------------


def the_cli() -> str:
    """The page of commands: their help texts."""
    out = ["# Command line", "", "Every command with its options, as `--help` prints them.", "", *_options()]
    for path, command in _commands(main, ["quorate"]):
        wide = {"terminal_width": 88, "max_content_width": 88}
        context = click.Context(command, info_name=" ".join(path), help_option_names=["-h", "--help"], **wide)
        text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
        out += [f"## {' '.join(path)}", "", "```text", text, "```", ""]
    return "\n".join(out).rstrip() + "\n"


def _options() -> Iterator[str]:
    """What every question takes, in Python and on the command line, as it is declared."""
    yield from (
        "The five questions and `quorate report` share these options; in Python they are keywords of the verbs.",
        "",
    )
    yield from ("| option | keyword | default | meaning |", "|---|---|---|---|")
    for name, p in Options.declared().items():
        default = "" if p.default is None else f"`{p.default}`"
        values = f" ({', '.join(f'`{c}`' for c in p.choices)})" if p.choices else ""
        yield f"| `--{name}` | `{name}=` | {default} | {p.meaning}{values} |"
    yield from (
        "",
        "Parameters of methods are options of the questions too: `--gamma 0.9` sets it for every method that has it",
        "and whose text form leaves it open. [The table](the-table.md) leads to the parameters of each method.",
        "",
    )


def _commands(command: click.Command, path: list[str]) -> Iterator[tuple[list[str], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name, child in sorted(command.commands.items()):
            yield from _commands(child, [*path, name])


# -- all pages ---------------------------------------------------------------------------------------------------------

MADE: dict[Path, Callable[[], str]] = {
    DOCS / "the-table.md": the_table,
    DOCS / "cli.md": the_cli,
    **{DOCS / "methods" / f"{kind}.md": lambda kind=kind: reference(kind) for kind in table.KINDS},  # type: ignore[misc]
}


def sources() -> list[Path]:
    """Every page that is there or should be."""
    written = [p for p in sorted(DOCS.rglob("*.md")) if "_build" not in p.parts]
    return list(dict.fromkeys([ROOT / "README.md", *MADE, *written]))


def made(page: Path) -> str:
    """A page as it should be."""
    return MADE[page]() if page in MADE else filled(page.read_text(encoding="utf-8"))


if __name__ == "__main__":
    os.environ.pop("FORCE_COLOR", None)
    for page in [Path(name).resolve() for name in sys.argv[1:]] or sources():
        text = made(page)
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.parent.mkdir(exist_ok=True)
            page.write_text(text, encoding="utf-8")
            print(f"written: {page.relative_to(ROOT)}")
