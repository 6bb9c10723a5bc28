"""What is found and is no answer to a question: it is shown as answers are, for people and for programs.

A result says what there is as plain data (``to_dict``), as rows of one table (``rows``), and as blocks (``blocks``);
JSON, CSV, data frames, text and HTML follow.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from quorate.document.blocks import Block, Chart, Document
from quorate.errors import InputError
from quorate.inference.json_text import json_text as written
from quorate.inference.results import clean
from quorate.panel.frames import make_frame
from quorate.words.facts import Fact


class Result:
    """Base of what commands find besides answers; a subclass has what is below, with options where it draws."""

    all_rows: ClassVar[bool] = False  # whether its tables are shown whole, however long they are
    called: ClassVar[str] = "this"  # in the message that there is no table of it

    def __init_subclass__(cls, **how: Any) -> None:
        """A dataclass leaves a ``__repr__`` of the class alone: the one it makes writes out every array."""
        super().__init_subclass__(**how)
        if "__repr__" not in vars(cls):
            cls.__repr__ = cls.__repr__  # type: ignore[method-assign]

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def to_dict(self, **how: Any) -> Mapping[str, Any]:
        """Plain lists and dicts, where there are some."""
        raise InputError(f"{self.called} has no JSON form.", "leave out --format.")

    def rows(self, **how: Any) -> Sequence[Mapping[str, Any]]:
        """The rows of the table that stands for it, where there is one."""
        raise InputError(f"{self.called} has no CSV form.", "use --format json.")

    def blocks(self, **how: Any) -> Iterable[Block]:
        """What people are shown."""
        return ()

    def picture(self, *given: Any, **how: Any) -> Chart:
        """What is drawn of it, where there is a chart."""
        raise InputError(f"{self.called} has no chart.", "text(), to_frame() and to_html() show it.")

    def plot(self, *given: Any, **how: Any) -> Any:
        """The picture as an Altair chart."""
        from quorate.document.charts import alone

        return alone(self.picture(*given, **how))

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        """The rows, one by one."""
        return iter(self.rows())

    def to_json(self, **how: Any) -> str:
        """The dict as JSON text."""
        return json_text(self.to_dict(**how))

    def to_csv(self, **how: Any) -> str:
        """The rows as CSV text."""
        return csv_text(self.rows(**how))

    def to_frame(self, backend: str | None = None, **how: Any) -> Any:
        """The rows as a data frame: 'polars', 'pandas' or 'pyarrow'; by default the first one installed.

        An interval is two columns, low and high.
        """
        listed = [_tidy(row) for row in self.rows(**how)]
        names = dict.fromkeys(name for row in listed for name in row)
        return make_frame({n: [clean(row.get(n)) for row in listed] for n in names}, backend)

    def text(self, width: int = 80, **how: Any) -> str:
        """What people are shown, as text of this width."""
        from quorate.document.terminal import ROWS, render

        return render(self.blocks(**how), width, rows=sys.maxsize if self.all_rows else ROWS)

    @property
    def title(self) -> str:
        """Of a page of its own."""
        return self.called.removeprefix("a ").capitalize()

    def to_markdown(self, **how: Any) -> str:
        """What people are shown, as Markdown."""
        from quorate.document.markdown import render

        return render(Document(self.title, tuple(self.blocks(**how))))

    def to_html(self, **how: Any) -> str:
        """What people are shown, as a self-contained page."""
        from quorate.document.frame import framed
        from quorate.document.html import Html

        body = Html().blocks(list(self.blocks(**how)))
        return framed("document/page/plain.html", {}, title=self.title, body=body)

    def _repr_html_(self) -> str:
        from quorate.document.html import fragment

        return fragment(Document("", tuple(self.blocks())))


def _tidy(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with a column for each end of its interval."""
    if "interval" not in row:
        return dict(row)
    low, high = row["interval"] or (None, None)
    out: dict[str, Any] = {}
    for name, value in row.items():
        out |= {"low": low, "high": high} if name == "interval" else {name: value}
    return out


class Told(Result):
    """A result that facts tell."""

    downloads: ClassVar[Mapping[str, str]] = {}  # rows that its page gives as tables: what each is called there

    facts: tuple[Fact, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """The facts' sentences."""
        return tuple(map(str, self.facts))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.sentences[0]}>" if self.facts else super().__repr__()


def json_text(data: Any) -> str:
    """Plain data as JSON text; an undefined figure is null.

    >>> json_text({"a": float("nan")}).split()
    ['{', '"a":', 'null', '}']
    """
    return written(clean(data))


def csv_text(rows: Iterable[Mapping[str, Any]], heads: Sequence[str] | None = None) -> str:
    """Rows as CSV text, with the columns named or those of the first row; what is undefined or not there is empty.

    >>> csv_text([{"a": 1, "b": float("nan")}])
    'a,b\\n1,\\n'
    """
    listed = list(rows)
    names = list(heads or (listed[0] if listed else ()))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([clean(row.get(name)) for name in names] for row in listed)
    return out.getvalue()
