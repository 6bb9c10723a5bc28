"""A limit on addresses, which would end the engine of the charts' JavaScript, is told before it does."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from quorate.document.library import NEEDED, check_room
from quorate.errors import LimitReached

resource = pytest.importorskip("resource", reason="no such limits on this system")


def test_nothing_is_said_where_there_is_room(monkeypatch):
    for limit in (resource.RLIM_INFINITY, NEEDED):
        monkeypatch.setattr(resource, "getrlimit", lambda _, limit=limit: (limit, limit))
        check_room()


def test_a_low_limit_is_an_error_with_a_hint(monkeypatch):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (2**32, 2**32))
    with pytest.raises(LimitReached, match=r"only 4\.0 GB are allowed(.|\n)*--format text"):
        check_room()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits are others there")
def test_the_command_ends_in_a_message(tmp_path):
    table = tmp_path / "in.csv"
    table.write_text("judge,item,score\na,x,1\na,y,2\nb,x,2\nb,y,3\n")

    def narrow():
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))

    done = subprocess.run(
        [sys.executable, "-m", "quorate.cli", "report", "in.csv"],
        cwd=tmp_path,
        preexec_fn=narrow,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},  # where the charts' JavaScript is not kept yet
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("LimitReached: a page with charts needs")
    assert not (tmp_path / "report.html").exists()
