"""The charts' JavaScript for a page: bundled once for each version, then kept in the user's cache folder.

Bundling takes two seconds, longer than most reports; a page is the same with the cache and without it. Its engine
sets aside far more addresses than it ever fills: a limit on them (``ulimit -v``, as on some shared machines) would end
the process without a word that Python could catch.
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import hashlib
import os
from functools import cache
from pathlib import Path
from typing import Any

from quorate.document.charts import altair
from quorate.errors import LimitReached, MissingExtra
from quorate.formats.files import whole

NEEDED = 80 << 30  # bytes of addresses; the memory filled is some 0.2 GB


@cache
def library() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, of the version that Altair writes for: compressed, as base64.

    A third of the page's size is saved this way; ``page.js`` unpacks it.
    """
    try:
        import vl_convert
    except ImportError:
        raise MissingExtra("vl-convert-python", "report", "A page with charts") from None
    made_by = getattr(vl_convert, "__version__", "")
    version = ".".join(altair().SCHEMA_VERSION.removeprefix("v").split(".")[:2])
    file = cache_folder() / f"charts-{made_by}-{version}.txt"
    known = _kept(file)
    if known is None:
        check_room()
        bundle: Any = vl_convert.javascript_bundle  # its declared signature lacks the defaults
        made = gzip.compress(bundle(vl_version=version).encode(), 9, mtime=0)
        known = base64.b64encode(made).decode("ascii")
        _keep(file, known)
    return known


def check_room() -> None:
    """An error where a limit on addresses is too low for a page with charts; nothing where there is none."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < NEEDED:
        raise LimitReached(
            f"a page with charts needs {NEEDED >> 30} GB of addresses (not of memory), and only "
            f"{limit / 2**30:.1f} GB are allowed here.",
            "lift the limit (ulimit -v unlimited), or take --format text, md or json.",
        )


def cache_folder() -> Path:
    """Where a user's programs keep what they can make again."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "quorate"


def _kept(file: Path) -> str | None:
    """What was kept, if it is whole: behind its own hash."""
    try:
        told, _, text = file.read_text("ascii").partition("\n")
    except (OSError, ValueError):
        return None
    return text if told == _hash(text) else None


def _keep(file: Path, text: str) -> None:
    """Keep it, all at once; where that cannot be done it is made again the next time."""
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with whole(file) as stream:
            stream.write(f"{_hash(text)}\n{text}".encode("ascii"))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()
