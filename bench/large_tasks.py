"""Tasks of few judges and very many items, or otherwise of a large shape: every command, in a process of its own.

``python -m bench.large_tasks FOLDER "orderings 2 x 100000"`` makes a file of this shape (``"orderings*"``: of all whose
names begin so; no name: of all) in the folder, asks every question and for a report by the usual methods
(``--agreement``: only for that), and prints a table. A command that has not ended after SECONDS of CPU time is stopped,
and one that wants more than MEMORY of data gets no more; the table says how it ended.
"""

from __future__ import annotations

import itertools
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

SECONDS, MEMORY = 120, 8 * 10**9
ITEMS = (1_000, 5_000, 20_000, 100_000, 1_000_000)
COMMANDS = ("agreement", "judges", "consensus", "trust", "report")
WAYS = {"": "", "tied": "--ties 5", "listed": "--top {}", "listed, absent below": "--top {}"}


def shapes() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """What is asked about: its name, how ``bench.made_up`` makes it, and options of the commands."""
    for judges, items, (way, how) in itertools.product((2, 3, 5, 10, 50), ITEMS, WAYS.items()):
        if judges * items <= 10**7:
            made = f"{judges * items} --ballots {items} --noise 0.1 {how.format(items // 2)}"
            options = ("--absent", "below") if way.endswith("below") else ()
            yield f"orderings {judges} x {items}{' ' if way else ''}{way}", made.strip(), options
    for judges, items, few in itertools.product((2, 5, 30), (10**4, 10**5, 10**6), (True, False)):
        if judges * items <= 10**7:
            groups = 10 if few else items // 20
            yield (
                f"groupings {judges} x {items}, {groups} groups",
                f"{judges * items} --sorts {items} --groups {groups}",
                (),
            )
    for items, kind in itertools.product((10**6, 10), ("scores", "labels")):
        labels = " --labels" if kind == "labels" else ""
        yield f"{kind} 3 x {10**6 // items} x {items}", f"3e6 --rated {items}{labels}", ()
    yield "votes 2000 systems", "1e6 --votes --compared 2000", ()


def main(folder: Path, names: Sequence[str], commands: Sequence[str]) -> None:
    """A line for every shape: how each command ended, in CPU seconds and GB."""
    print(f"| | {' | '.join(commands)} |\n|---|{'---|' * len(commands)}", flush=True)
    for name, made, options in shapes():
        if names and not any(name == n or (n.endswith("*") and name.startswith(n[:-1])) for n in names):
            continue
        file = _file(folder, made)
        found = []
        for command in commands:
            quality = command == "quality" and name.split()[0] in ("orderings", "groupings")
            found.append("" if quality else told(command, file, options))
            print(f"{name}, {command}: {found[-1]}", file=sys.stderr, flush=True)
        print(f"| {name} | {' | '.join(found)} |", flush=True)
        file.unlink()


def _file(folder: Path, made: str) -> Path:
    """One Parquet file of the rows that were made up."""
    parts, file = folder / "parts", folder / "rows.parquet"
    subprocess.run(
        [sys.executable, "-m", "bench.made_up", *_in_folder(made, parts)], check=True, stdout=subprocess.DEVNULL
    )
    pl.concat([pl.read_parquet(f) for f in sorted(parts.glob("*.parquet"))]).write_parquet(file)
    shutil.rmtree(parts)
    return file


def _in_folder(made: str, parts: Path) -> list[str]:
    rows, *how = made.split()
    return [rows, str(parts), *how]


def told(command: str, file: Path, options: Sequence[str]) -> str:
    """CPU seconds and GB of a command, or how it ended."""
    out = ["--out", str(file.with_suffix(".html"))] if command == "report" else []
    words = [sys.executable, "-m", "quorate", command, str(file), *options, *out]
    log = file.with_suffix(".log")
    with log.open("w") as errors:
        child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=errors, preexec_fn=_limited)
        _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    said = log.read_text().strip().splitlines()
    took = f"{used.ru_utime + used.ru_stime:.0f} s, {used.ru_maxrss / 1e6:.2f} GB"
    if child.returncode == 0:
        return took
    last = next((line for line in reversed(said) if line.strip()), "")[:150]
    return f"**{child.returncode}** {took}: {'; '.join(said)[:200] if len(said) < 4 else last}"


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


if __name__ == "__main__":
    start = time.monotonic()
    given = sys.argv[2:]
    asked = [g[2:] for g in given if g.startswith("--")]
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    main(Path(sys.argv[1]), [g for g in given if not g.startswith("--")], asked or COMMANDS)
