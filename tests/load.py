"""Judges who save once a second while everything fails: ``python -m tests.load --judges 200 --seconds 60``.

The web process is killed, PostgreSQL is killed, the disk is full for a while, and clients hang up before they hear
that a save was committed. Afterwards every save that was acknowledged is in the database, once, and the chain holds.
Only loopback addresses are used, and every loop ends.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from quorate.store import credentials, events, judges, rows
from quorate.store.assignment import offer
from quorate.store.database import Database
from quorate.store.ids import canonical, uuid7
from quorate.store.migrate import upgrade
from quorate.store.schema import event
from tests.disk import Disk, small_disk
from tests.workbench import Study, complete, postgres


@dataclass
class Judge:
    """A client with one assignment: what it sent, and what it was told."""

    token: str
    assignment: str
    state: dict[str, Any]
    rng: random.Random
    base: int = 0
    sent: dict[str, str] = field(default_factory=dict)  # operation: state
    told: dict[str, int] = field(default_factory=dict)  # acknowledged operation: seq
    statuses: dict[int, int] = field(default_factory=dict)
    waits: list[float] = field(default_factory=list)
    hung_up: int = 0


def free_port() -> int:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return int(made.getsockname()[1])


def served(address: str, port: int, python: str = sys.executable) -> subprocess.Popen[bytes]:
    """A server in a process of its own, once it answers."""
    words = [python, "-m", "quorate", "serve", "--port", str(port), "--database", address]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(300):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return process
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise RuntimeError("the server does not start")


async def request(judge: Judge, port: int, op: str, body: bytes, hang_up: bool) -> tuple[int, dict[str, Any]]:
    """One save over a connection of its own; hanging up, the request is sent and the answer never read."""
    reader, writer = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", port), 5)
    try:
        head = (
            f"PUT /api/assignments/{judge.assignment}/events/{op} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Authorization: Bearer {judge.token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        writer.write(head.encode() + body)
        await writer.drain()
        if hang_up:
            await asyncio.sleep(0.05)
            raise ConnectionError
        answer = await asyncio.wait_for(reader.read(), 15)
        top, _, rest = answer.partition(b"\r\n\r\n")
        if not top:
            raise ConnectionError
        return int(top.split()[1]), json.loads(rest or b"{}")
    finally:
        writer.close()


async def save(judge: Judge, port: int, until: float) -> None:
    """One save, repeated with the same operation id until it is acknowledged or the time is over."""
    order = judge.state["ranked"][:]
    judge.rng.shuffle(order)
    state, op, began = {**judge.state, "ranked": order}, uuid7(), time.monotonic()
    judge.sent[op] = canonical(state)
    body = json.dumps({"base_seq": judge.base, "state": state, "device": "load"}).encode()
    while time.monotonic() < until:
        hang_up = judge.rng.random() < 0.05
        judge.hung_up += hang_up
        try:
            status, found = await request(judge, port, op, body, hang_up)
        except (OSError, ValueError, TimeoutError, asyncio.IncompleteReadError):
            await asyncio.sleep(0.2 + judge.rng.random() * 0.3)
            continue
        judge.statuses[status] = judge.statuses.get(status, 0) + 1
        if status == 200:
            judge.told[op], judge.base = found["seq"], found["seq"]
            judge.waits.append(time.monotonic() - began)
            return
        if status not in (429, 503):
            raise AssertionError(f"{status}: {found}")
        await asyncio.sleep(0.3 + judge.rng.random() * 0.3)


async def at_work(judge: Judge, port: int, seconds: float, grace: float) -> None:
    begun = time.monotonic()
    await asyncio.sleep(judge.rng.random())
    while time.monotonic() < begun + seconds:
        turn = time.monotonic()
        await save(judge, port, begun + seconds + grace)
        await asyncio.sleep(max(0.0, 1 - (time.monotonic() - turn)))


def children(pid: int, called: str = "") -> list[int]:
    """The processes that another started, those whose title has this in it."""
    words = ["ps", "-o", "pid=,args=", "--ppid", str(pid)]
    found = subprocess.run(words, capture_output=True, text=True, check=False)
    return [int(line.split()[0]) for line in found.stdout.splitlines() if called in line]


class Trouble:
    """What goes wrong, a quarter of the time apart."""

    def __init__(self, address: str, port: int, server: Any | None, disk: Disk) -> None:
        self.address, self.port, self.server, self.disk = address, port, server, disk
        self.web = served(address, port)
        self.done: list[str] = []

    def kill_web(self) -> None:
        self.web.kill()
        self.web.wait()
        self.web = served(self.address, self.port)
        self.done.append("web process killed")

    def kill_postgres(self) -> None:
        assert self.server is not None
        master = self.server.get_pid()
        for pid in (master, *children(master)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.5)
        self._start_postgres()
        self.done.append("PostgreSQL killed")

    def _start_postgres(self) -> None:
        assert self.server is not None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.server.ensure_postgres_running()

    def fill_disk(self) -> None:
        pids = [self.web.pid] if self.server is None else children(self.server.get_pid(), "[local]")
        with self.disk.full(*pids):
            time.sleep(1.5)
        if self.server is not None:  # which may stop where it cannot write its log
            self._start_postgres()
        self.done.append(f"{'disk full' if self.disk.real else 'no file grows'} for 1.5 s")

    def stop(self) -> None:
        self.web.terminate()
        self.web.wait(20)


@contextlib.contextmanager
def stored(backend: str) -> Iterator[tuple[str, Any | None, Disk]]:
    """The address of an empty database, and the disk that it is on."""
    with small_disk(300 if backend == "postgresql" else 60) as disk:
        if backend == "postgresql":
            with postgres(disk.folder) as server:
                yield str(server.get_uri()), server, disk
        else:
            yield str(disk.folder / "studies.db"), None, disk


def prepared(address: str, number: int) -> tuple[list[Judge], str]:
    database = Database(address)
    upgrade(database)
    study = Study(database, items=12, judges_per_task=number)

    def job(connection: Any) -> list[Judge]:
        out = []
        for k in range(number):
            judge = judges.add(connection, study.id, f"judge {k}")
            token = credentials.issue(connection, "token", judge_id=judge, scopes=["judge"])
            one = offer(connection, study.id, judge)
            assert one is not None
            shown = {"kind": "order", "items": [{"id": i, "text": i} for i in json.loads(one["shown"])["items"]]}
            out.append(Judge(token, one["id"], complete(shown), random.Random(k)))
        return out

    made = database.now(job)
    database.close()
    return made, study.id


def run(backend: str, number: int, seconds: float, *, grace: float = 20.0) -> dict[str, Any]:
    """The whole: what happened, and what is wrong with it (nothing, it is hoped)."""
    with stored(backend) as (address, server, disk):
        people, _ = prepared(address, number)
        trouble = Trouble(address, free_port(), server, disk)
        try:
            asyncio.run(_run(people, trouble, seconds, grace))
            trouble.kill_web()  # whatever was not on the disk is gone
        finally:
            trouble.stop()
        wrong = checked(address, people)
    waits = sorted(w for j in people for w in j.waits)
    statuses: dict[int, int] = {}
    for judge in people:
        for status, count in judge.statuses.items():
            statuses[status] = statuses.get(status, 0) + count
    return {
        "backend": backend,
        "judges": number,
        "seconds": seconds,
        "saves sent": sum(len(j.sent) for j in people),
        "acknowledged": len(waits),
        "answers": statuses,
        "hung up": sum(j.hung_up for j in people),
        "trouble": trouble.done,
        "median ms": round(1000 * waits[len(waits) // 2], 1),
        "99% ms": round(1000 * waits[int(len(waits) * 0.99)], 1),
        "wrong": wrong,
    }


async def _run(people: list[Judge], trouble: Trouble, seconds: float, grace: float) -> None:
    async def troubles() -> None:
        steps = [trouble.kill_web, *([trouble.kill_postgres] if trouble.server else []), trouble.fill_disk]
        for step in steps:
            await asyncio.sleep(seconds / (len(steps) + 1))
            await asyncio.to_thread(step)

    await asyncio.gather(troubles(), *(at_work(j, trouble.port, seconds, grace) for j in people))


def checked(address: str, people: list[Judge]) -> list[str]:
    """Every acknowledged save is stored once, with its state and number; nothing is stored that was never sent."""
    database = Database(address)
    wrong = []
    with database.read() as connection:
        for judge in people:
            query = select(event).where(event.c.assignment_id == judge.assignment).order_by(event.c.seq)
            log = rows.every(connection, query)
            wrong += events.broken(log)
            by = {e["op"]: e for e in log}
            if len(by) < len(log):
                wrong.append(f"{judge.assignment}: an operation is stored twice")
            for op, seq in judge.told.items():
                if op not in by or by[op]["seq"] != seq or by[op]["branch"]:
                    wrong.append(f"{judge.assignment}: save {seq} was acknowledged and is not there")
            for op, row in by.items():
                if judge.sent.get(op) != row["state"]:
                    wrong.append(f"{judge.assignment}: event {row['seq']} is not what was sent")
    database.close()
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--judges", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--backend", choices=["sqlite", "postgresql"], action="append")
    given = parser.parse_args()
    failed = False
    for backend in given.backend or ["sqlite", "postgresql"]:
        found = run(backend, given.judges, given.seconds)
        print(json.dumps(found, indent=1))
        failed |= bool(found["wrong"])
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
