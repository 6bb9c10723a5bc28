"""The running server: the installed wheel serves, starts fast and small, stops gracefully, and says what is wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
import venv
from pathlib import Path

import pytest
from click.testing import CliRunner

from quorate.cli import main
from tests.load import free_port

ROOT = Path(__file__).resolve().parents[2]
QUIET = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def answer(url: str, process: subprocess.Popen[str]) -> bytes:
    for _ in range(300):
        try:
            with urllib.request.urlopen(url, timeout=5) as found:
                return bytes(found.read())
        except OSError:
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
    raise AssertionError("no answer")


def status_of(pid: int, name: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))


def cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def started(tmp_path: Path, *words: str, python: str = sys.executable, **more: object) -> subprocess.Popen[str]:
    command = [python, "-m", "quorate", "serve", "--database", str(tmp_path / "a.db"), *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=QUIET, cwd=tmp_path, **pipes, **more)  # type: ignore[call-overload,no-any-return]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_the_first_page_comes_soon_and_the_server_is_small_and_stops_when_told(tmp_path):
    port = free_port()
    process = started(tmp_path, "--port", str(port))
    page = answer(f"http://127.0.0.1:{port}/lead/login", process)
    spent, size = cpu(process.pid), status_of(process.pid, "VmRSS") / 1024
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=20)
    assert b"<html" in page
    assert spent < 1.5, f"{spent} CPU seconds"
    assert size < 120, f"{size} MB"
    assert process.returncode in (0, 128 + signal.SIGTERM, -signal.SIGTERM)
    assert "which works once" in out
    assert "Only this machine can reach it" in out
    lines = [json.loads(line) for line in err.splitlines()]
    assert {"time", "level", "logger"} <= set(lines[-1])
    assert any(line.get("path") == "/lead/login" for line in lines)


def test_the_installed_wheel_serves(tmp_path):
    """Not the checkout: a wheel is built, unpacked apart from it, and serves pages, scripts and a new database."""
    built = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")]
    subprocess.run(built, cwd=ROOT, check=True, capture_output=True)
    wheel = next((tmp_path / "dist").glob("*.whl"))
    home = tmp_path / "venv"
    venv.create(home, with_pip=False, symlinks=True)
    site = next(home.glob("lib/python*/site-packages"))
    subprocess.run([sys.executable, "-m", "zipfile", "-e", str(wheel), str(site)], check=True)
    others = [p for p in sys.path if p.endswith("site-packages")]
    (site / "others.pth").write_text("\n".join(others) + "\n")  # dependencies; our own folder comes first
    python = str(home / "bin" / "python")
    where = [python, "-c", "import quorate; print(quorate.__file__)"]
    assert str(site) in subprocess.run(where, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    port = free_port()
    process = started(tmp_path, "--demo", "--port", str(port), python=python)
    try:
        lead = ""
        while not lead:
            line = process.stdout.readline()
            lead = line.split()[1] if line.startswith("lead ") else ""
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with opener.open(lead, timeout=20) as found:
            page = found.read().decode()
        assert "<script" in page
        script = page.partition('src="')[2].partition('"')[0]
        assert answer(f"http://127.0.0.1:{port}{script}", process)
        with opener.open(f"http://127.0.0.1:{port}/api/studies", timeout=20) as found:
            assert len(json.loads(found.read())["studies"]) == 5
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)


def test_behind_a_proxy_every_address_has_its_path(tmp_path):
    port = free_port()
    process = started(tmp_path, "--port", str(port), "--root-path", "/study", "--secure")
    try:
        answer(f"http://127.0.0.1:{port}/study/health", process)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/study/lead/login", timeout=5) as found:
            page, headers = found.read().decode(), found.headers
        assert 'data-root="/study"' in page
        assert "Path=/study" in headers["set-cookie"]
        assert "Secure" in headers["set-cookie"]
        assert headers["strict-transport-security"]
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)


def test_a_port_that_is_taken_is_an_error_in_words(tmp_path):
    import socket

    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        found = CliRunner().invoke(
            main, ["serve", "--port", str(held.getsockname()[1]), "--database", str(tmp_path / "a.db")]
        )
    assert found.exit_code == 2
    assert "cannot listen" in found.output


def test_a_study_from_a_file_on_the_command_line(tmp_path):
    (tmp_path / "items.csv").write_text("task,item,text\nt,a,A\nt,b,B\n")
    (tmp_path / "study.toml").write_text('title = "S"\nitems = "items.csv"\n[pages.order]\n')
    (tmp_path / "j.csv").write_text("task,judge,item,position\nt,ann,a,1\nt,ann,b,2\n")
    base = ["--database", str(tmp_path / "a.db")]

    def run(*words: str) -> str:
        found = CliRunner().invoke(main, ["study", *words, *base])
        assert found.exit_code == 0, found.output
        return found.output

    assert "/j/" in run("create", str(tmp_path / "study.toml"), "--judges", "Ann, Bo")
    assert run("import", "S", str(tmp_path / "j.csv")).startswith("1 judgments, 1 new judge")
    assert "1 submitted" in run("list")
    assert "t,ann,a,1" in run("export", "S")
    assert "bytes" in run("backup", str(tmp_path / "copy.db"))
    again = CliRunner().invoke(main, ["study", "list", "--database", str(tmp_path / "copy.db")])
    assert "1 submitted" in again.output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = 3\n[pages.order]\n", "title: 3 is not a text"),
        ('title = "x"\n', "pages: missing"),
        ('title = "x"\n[pages.order]\ntise = true\n', "pages.order.tise"),
        ('title = "x"\n[pages.group]\nsort = "closed"\n', "pages.group.names"),
        ('title = "x"\ndeadline = "soon"\n[pages.order]\n', "deadline"),
        ('title = "x"\nitems = "none.csv"\n[pages.order]\n', "no such file"),
        ("title = \n", "study.toml"),
    ],
)
def test_a_bad_study_file_is_an_error_in_words(tmp_path, text, said):
    (tmp_path / "study.toml").write_text(text)
    base = ["--database", str(tmp_path / "a.db")]
    found = CliRunner().invoke(main, ["study", "create", str(tmp_path / "study.toml"), *base])
    assert (found.exit_code, said in found.output) == (2, True), found.output
