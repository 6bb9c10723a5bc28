"""The command that opens the workbench in the browser."""

from __future__ import annotations

import click

from quorate.cli.group import main
from quorate.errors import MissingExtra

DATABASE = click.option(
    "--database", metavar="FILE|URL", help="SQLite file or postgresql://... [default: a file in your data folder]"
)


def needs_web() -> None:
    """An error in words where the web extra is not installed."""
    from importlib.util import find_spec

    for package in ("sqlalchemy", "alembic", "starlette", "uvicorn", "jinja2", "argon2", "markdown_it"):
        if find_spec(package) is None:
            raise MissingExtra(package, "web", "the workbench")


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
@DATABASE
@click.option("--open", "open_page", is_flag=True, help="Open the page in a browser.")
@click.option("--demo", is_flag=True, help="A study of each kind with made-up judges, kept nowhere.")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="A name by which browsers call the server.")
@click.option("--root-path", default="", metavar="/PATH", help="The path under which a proxy shows it.")
@click.option("--secure", is_flag=True, help="It stands behind HTTPS: cookies go over HTTPS alone.")
def serve(
    host: str,
    port: int,
    database: str | None,
    open_page: bool,
    demo: bool,
    hosts: tuple[str, ...],
    root_path: str,
    secure: bool,
) -> None:
    """Collect judgments in the browser; one process, on this machine unless told otherwise."""
    needs_web()
    import tempfile

    from quorate.web.serve import run
    from quorate.web.settings import Settings

    root = f"/{root_path.strip('/')}" if root_path.strip("/") else ""
    with tempfile.TemporaryDirectory(prefix="quorate-demo-") as folder:
        kept = f"{folder}/studies.db" if demo else database
        settings = Settings(kept, host, port, hosts, root, secure)
        run(settings, click.echo, demo=demo, open_page=open_page)
