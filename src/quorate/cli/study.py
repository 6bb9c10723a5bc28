"""Commands about studies of the workbench: create, list, export, import, plan, freeze, backup."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quorate.cli.group import main
from quorate.cli.serve import DATABASE, needs_web
from quorate.cli.shared import read_options, reading_options
from quorate.errors import InputError, UnknownId

if TYPE_CHECKING:
    from quorate.store.database import Database

STUDY = click.argument("study", metavar="STUDY")


@main.group()
def study() -> None:
    """Studies of the workbench: make, list, export, import, plan, freeze, back up."""


def _opened(database: str | None) -> Database:
    needs_web()
    from quorate.store.database import Database
    from quorate.store.migrate import upgrade

    found = Database(database)
    upgrade(found)
    return found


def _known(connection: Any, given: str) -> str:
    """A study's id, from its id, the beginning of it, or its title."""
    from sqlalchemy import select

    from quorate.store.schema import study as table

    rows = connection.execute(select(table.c.id, table.c.title)).all()
    found = [r.id for r in rows if given in (r.id, r.title)] or [r.id for r in rows if r.id.startswith(given)]
    if len(found) != 1:
        raise UnknownId(f"{len(found) or 'no'} studies are called '{given}'.", "`quorate study list` shows their ids.")
    return str(found[0])


@study.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False), metavar="STUDY.toml")
@click.option("--lead", "name", default="lead", show_default=True, help="Whose study it is.")
@click.option("--judges", default="", metavar="A,B,...", help="Invite these: their links are printed, once.")
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="Where the server is, for links.")
@DATABASE
def create(file: str, name: str, judges: str, url: str, database: str | None) -> None:
    """Make a study from a TOML file, and invite judges."""
    store = _opened(database)
    from sqlalchemy import select

    from quorate.store import definition, items, leads, studies
    from quorate.store import judges as invited
    from quorate.store.schema import lead

    given, table = definition.load(file)
    rows: list[dict[str, str]] = []
    if table is not None:
        format = {".jsonl": "jsonl", ".txt": "lines"}.get(table.suffix.lower(), "csv")
        rows, notes = items.read(table.read_text(encoding="utf-8"), format, table.name)
        for note in notes:
            click.echo(f"Note: {note}.", err=True)

    def job(connection: Any) -> tuple[str, list[tuple[str, str]]]:
        who = connection.execute(select(lead.c.id).where(lead.c.name == name)).scalar_one_or_none()
        made = studies.create(connection, who or leads.add(connection, name), given)
        studies.add_items(connection, made, rows)
        studies.audited(connection, made, "command line", "create")
        names = [j.strip() for j in judges.split(",") if j.strip()]
        return made, [(j, invited.link(connection, invited.add(connection, made, j))) for j in names]

    made, links = store.now(job)
    store.close()
    click.echo(made)
    for judge, secret in links:
        click.echo(f"{judge}\t{url.rstrip('/')}/j/{secret}")


@study.command("list")
@DATABASE
def list_studies(database: str | None) -> None:
    """Studies with their ids, titles and how far they are."""
    store = _opened(database)
    from sqlalchemy import select

    from quorate.store.schema import assignment
    from quorate.store.schema import study as table

    with store.read() as connection:
        for row in connection.execute(select(table).order_by(table.c.created)):
            query = select(assignment.c.state).where(assignment.c.study_id == row.id)
            states = list(connection.execute(query).scalars())
            click.echo(f"{row.id}  {row.state:<7} {states.count('submitted'):>6} submitted  {row.title}")
    store.close()


@study.command()
@STUDY
@click.option("--kind", help="Where a study has several: orderings, groupings, scores or votes.")
@click.option("--format", "output", help="Else by the name of --out, or csv.")
@click.option("--out", type=click.Path(dir_okay=False), default="-", help="Write to this file.")
@DATABASE
def export(study: str, kind: str | None, output: str | None, out: str, database: str | None) -> None:
    """Write what was submitted, in any format that judgments are written in."""
    store = _opened(database)
    from quorate.formats import write
    from quorate.store.exports import panel

    with store.read() as connection:
        made = panel(connection, _known(connection, study), kind)
    store.close()
    write(made, out, format=output)


@study.command("import")
@STUDY
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@DATABASE
@reading_options
def import_command(study: str, files: tuple[str, ...], database: str | None, **given: Any) -> None:
    """Add judgments made elsewhere, in any format."""
    store = _opened(database)
    from quorate.formats import read
    from quorate.store import imports, studies

    columns = imports.columns(read(*files, **read_options(given)))
    with store.read() as connection:
        target = _known(connection, study)

    def job(connection: Any) -> dict[str, int]:
        found = imports.stored(connection, target, columns)
        studies.audited(connection, target, "command line", "import", **found)
        return found

    made = store.now(job)
    store.close()
    click.echo(f"{made['judgments']} judgments, {made['judges']} new judges, {made['items']} new items.")


@study.command()
@STUDY
@click.option("--method", "methods", multiple=True, metavar="M", help="Of consensus, e.g. kemeny; else the usual one.")
@click.option("--no-report", is_flag=True, help="Leave out the report's page.")
@click.option("--format", "formats", multiple=True, metavar="F", help="Beside CSV and JSON; else every one that fits.")
@click.option(
    "--out", type=click.Path(dir_okay=False, writable=True), required=True, help="Write the bundle to this file."
)
@DATABASE
def freeze(
    study: str, methods: tuple[str, ...], no_report: bool, formats: tuple[str, ...], out: str, database: str | None
) -> None:
    """Freeze a gold standard, to be recomputed with `quorate verify`."""
    store = _opened(database)
    from quorate.store import freeze as gold
    from quorate.store import studies

    with store.read() as connection:
        target = _known(connection, study)
        number = gold.next_number(connection, target)
        kinds = list(studies.definition_of(connection, target)["pages"])
    chosen = gold.by_kind(kinds, methods)
    made = gold.make(store.address, target, number, chosen, with_report=not no_report, formats=formats or None)

    def job(connection: Any) -> None:
        gold.store(connection, target, number, made)
        studies.audited(connection, target, "command line", "freeze", number=number, hash=made["hash"])

    store.now(job)
    store.close()
    Path(out).write_bytes(made["bundle"])
    click.echo(f"{out}: gold standard {number}, sha256 {made['hash']}")


@study.command()
@STUDY
@DATABASE
def plan(study: str, database: str | None) -> None:
    """Look at the declared stopping rule, and set what is judged next; the look is logged."""
    store = _opened(database)
    from quorate.store import adaptive

    with store.read() as connection:
        target = _known(connection, study)
    found = adaptive.plan(store.address, target)
    store.now(lambda connection: adaptive.applied(connection, target, found, "command line"))
    with store.read() as connection:
        told = adaptive.standing(connection, target)
    store.close()
    for line in (told["text"], told["said"]) if told else ():
        click.echo(line)
    for row in found["next"]:
        click.echo(f"next: {row['title']} ({row['text']})")


@study.command()
@click.argument("target", type=click.Path(dir_okay=False), metavar="FILE")
@DATABASE
def backup(target: str, database: str | None) -> None:
    """Copy the database while it is in use (SQLite; for PostgreSQL use pg_dump)."""
    store = _opened(database)
    if not store.sqlite:
        raise InputError("this database is PostgreSQL.", "use pg_dump: it copies while the database is in use.")
    import sqlite3

    if Path(target).exists():
        raise InputError(f"{target}: there is such a file already.", "name a new one.")
    with sqlite3.connect(str(store.url.database)) as source, sqlite3.connect(target) as copy:
        source.backup(copy)
    copy.close()
    source.close()
    Path(target).chmod(0o600)
    store.close()
    click.echo(f"{target}: {Path(target).stat().st_size:,} bytes.")
