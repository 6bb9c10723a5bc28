"""``python -m tests.fuzz``: reads changed files of every format until the time is up; a crash is kept and told.

A file is read, or refused with a message: anything else (another exception, more than ten seconds, a receipt that
cannot be shown) is a find. ``--seed`` gives the same changes again.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

import quorate as q
from tests.fuzz.mutations import changed
from tests.fuzz.seeds import seeds

SLOW = 10.0


def tried(path: Path) -> str:
    """Read a file and show its receipt: 'read' or 'refused'; whatever else happens is raised."""
    begun = time.process_time()
    try:
        receipt = q.inspect(path)
        str(receipt), receipt.to_json(), receipt.brief()
        found = "read"
    except q.QuorateError as error:
        found = "refused" if str(error).strip() else "without a word"
    assert time.process_time() - begun < SLOW, "too slow"
    return found


def rounds(seed: int, seconds: float, most: int = sys.maxsize, keep: Path | None = None) -> Counter[str]:
    """As many changed files as fit into the time; a find is raised, and its file kept."""
    rng, told = random.Random(seed), Counter[str]()
    whole = seeds()
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end and sum(told.values()) < most:
            name = rng.choice(list(whole))
            path = Path(folder) / name
            path.write_bytes(changed(whole[name], rng))
            try:
                told[tried(path)] += 1
            except Exception as error:
                target = (keep or Path(tempfile.gettempdir())) / f"fuzz-{seed}-{sum(told.values())}-{name}"
                target.write_bytes(path.read_bytes())
                error.add_note(f"kept as {target}")
                raise
            finally:
                path.unlink()
    return told


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    try:
        told = rounds(given.seed, given.seconds)
    except Exception:
        traceback.print_exc()
        return 1
    print(f"{sum(told.values()):,} changed files: {told['read']:,} read, {told['refused']:,} refused, no find.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
