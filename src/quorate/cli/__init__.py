"""The command line: one command per question, and a few for files. Answers first, then the table.

Exit codes: 0 fine, 2 a mistake in the input or the call.
"""

from quorate.cli import (
    assign,
    cards,
    clusters,
    compare,
    content,
    files,
    inspect,
    labels,
    metric,
    models,
    more,
    plan,
    pyramid,
    questions,
    report,
    reproduce,
    serve,
    study,
    verify,
)
from quorate.cli.group import main

__all__ = [
    "assign",
    "cards",
    "clusters",
    "compare",
    "content",
    "files",
    "inspect",
    "labels",
    "main",
    "metric",
    "models",
    "more",
    "plan",
    "pyramid",
    "questions",
    "report",
    "reproduce",
    "serve",
    "study",
    "verify",
]
