"""The group of all commands, and how a user's mistake ends: a message and exit code 2, never a traceback."""

from __future__ import annotations

import sys
from typing import Any

import click

from quorate.errors import QuorateError


class Group(click.Group):
    """Commands whose users' mistakes end in a message, never in a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run, and turn a user's mistake into a message and exit code 2."""
        try:
            return super().invoke(ctx)
        except QuorateError as error:
            click.echo(f"{type(error).__name__}: {error}", err=True)
            sys.exit(2)
        except BrokenPipeError:  # the reader of our output has gone, as `head` does
            sys.stderr.close()
            sys.exit(0)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="quorate", prog_name="quorate")
def main() -> None:
    """What a panel of judges agrees on, and whether its verdict can be trusted.

    Judges put items in order, in groups, or give them scores; FILE is a table of one row per judge and item, or any
    format that `quorate formats` lists. `-` reads standard input.
    """
