"""Made-up set-ups for ROUGE-1.5.5, with options for the script and the same ones for `quorate rouge`."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

ALL = """
a the of and cat cats Cat, dog running runs ran agreement agreed incidental trekked mice 2 10 1999 don't it's e-mail
well-known U.S. (paren) "quote" -- ... ! café Ärger naïve 日本 foo_bar a/b 3.14 $5 50% best nations
"""
WORDS = ALL.split()
FEW = ["a", "b", "c", "d", "e", "the", "cat", "ran"]
MODES = ("H", "HM", "HMR", "HM1", "HMR1", "HMR2")
Made = tuple[list[str], list[str]]  # for the script, and for us


def _text(rng: random.Random, words: list[str], code: str) -> bytes:
    """Some lines; now and then none, one word, or no word at all."""
    odd = rng.random()
    if odd < 0.1:
        return rng.choice(["", rng.choice(words), "... !\n"]).encode(code, "replace")
    end = rng.choice(["\n"] * 9 + ["\r\n"])
    lines = []
    for _ in range(rng.choice([1, 1, 2, 3, 5])):
        chosen = rng.choices(words, k=rng.choice([0, 1, 2, 3, 5, 8, 12, 20]))
        lines.append(rng.choice([""] * 9 + [" "]) + rng.choice([" ", " ", "  ", "\t"]).join(chosen))
    return (end.join(lines) + rng.choice(["", end])).encode(code, "replace")


def _isi(text: bytes) -> bytes:
    return b"".join(b'<S SNTNO="%d">%s</S>\n' % (k, line) for k, line in enumerate(text.split(b"\n"), 1))


def _see(text: bytes) -> bytes:
    lines = enumerate(text.split(b"\n"), 1)
    return b"<html>\n" + b"".join(
        b'<a name="%d">[%d]</a> <a href="#%d" id=%d>%s</a>\n' % (*[k] * 4, x) for k, x in lines
    )


def _elements(rng: random.Random, text: bytes) -> bytes:
    modifiers, relations = [b"NIL", b"nil", b"cats", b"two dogs"], [b"NIL", b"subj", b"mod"]
    return b"".join(b"%s|%s|%s\n" % (w, rng.choice(modifiers), rng.choice(relations)) for w in text.split())


def write(rng: random.Random, folder: Path, style: str, code: str) -> list[str]:
    """Texts and a set-up of them, XML or, for one system, a list; what says that it is a list."""
    words = rng.choice([WORDS, FEW])
    dress: dict[str, Callable[[bytes], bytes]] = {"SPL": bytes, "ISI": _isi, "SEE": _see}
    dress["SIMPLE"] = lambda text: _elements(rng, text)

    def new(name: str) -> str:
        (folder / name).write_bytes(dress[style](_text(rng, words, code)))
        return name

    if rng.random() < 0.2:
        lines = []
        for k in range(rng.randint(1, 5)):
            names = [f"p{k}", *(f"m{k}.{j}" for j in range(rng.choice([1, 2, 3])))]
            lines.append(" ".join(map(new, names)))
        (folder / "setup").write_text("\n".join(lines) + "\n")
        return [style]
    systems = rng.sample(["7", "12", "3", "A", "b", "sys-1"], rng.randint(1, 4))
    out = ['<ROUGE_EVAL version="1.55">']
    for task in rng.sample([*(f"D{k}" for k in range(95, 105)), *map(str, range(1, 14))], rng.randint(1, 6)):
        peers = [s for s in systems if rng.random() < 0.85] or systems[:1]  # not every system did every task
        out.append(f'<EVAL ID="{task}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>\n.\n</MODEL-ROOT>')
        out.append(f'<INPUT-FORMAT TYPE="{style}"></INPUT-FORMAT><PEERS>')
        out += [f'<P ID="{s}">{new(f"{task}.{s}")}</P>' for s in peers]
        out.append("</PEERS><MODELS>")
        out += [f'<M ID="{m}">{new(f"{task}.m{m}")}</M>' for m in "ABCD"[: rng.choice([1, 1, 2, 3, 4])]]
        out.append("</MODELS></EVAL>")
    (folder / "setup").write_text("\n".join([*out, "</ROUGE_EVAL>"]))
    return []


def rouges(rng: random.Random) -> Callable[[bool], Made]:
    """Which of ROUGE, in the order that the script prints them in, with or without W."""
    n = rng.choice([1, 2, 3, 4])
    w, gap, single = rng.choice(["1.2", "1.5", "2", "1", ""]), rng.choice([4, 4, 0, 1, 9, -1, None]), rng.choice(" uU")
    flags, names = ["-n", str(n)], [str(k) for k in range(1, n + 1)]
    if rng.random() < 0.3:
        flags.append("-x")
    else:
        names.append("L")
    skips = []
    if gap is not None:
        flags += ["-2", str(gap), *([f"-{single}"] if single != " " else [])]
        size = "*" if gap < 0 else str(gap)
        skips = [f"{kind}{size}" for kind in {" ": ["S"], "u": ["SU"], "U": ["S", "SU"]}[single]]

    def made(with_w: bool) -> Made:
        weight = [w] if w and with_w else []
        asked = [*names, *(f"W-{x}" for x in weight), *skips]
        return [*flags, *(f for x in weight for f in ("-w", x))], [word for name in asked for word in ("--rouge", name)]

    return made


def elements(rng: random.Random) -> Callable[[bool], Made]:
    """One way of comparing basic elements."""
    mode = rng.choice(MODES)
    return lambda _: (["-3", mode], ["--rouge", f"BE-{mode}"])


def limits(rng: random.Random, code: str, stop_words: Path) -> Made:
    """Stop words, and a limit in words or bytes; bytes are counted as they are in UTF-8."""
    flags, ours = [], []
    if rng.random() < 0.3:
        flags, ours = ["-s"], ["--stop-words-file", str(stop_words)]
    flag, name = rng.choice([("-l", "--limit-words"), ("-b", "--limit-bytes"), ("", ""), ("", "")])
    if flag and (flag, code) != ("-b", "latin-1"):
        size = str(rng.choice([1, 2, 3, 5, 8, 10, 20, 50, 100]))
        flags, ours = [*flags, flag, size], [*ours, name, size]
    return flags, ours


def sums(rng: random.Random) -> Made:
    """How references, recall and precision, and summaries are put together."""
    form, count = rng.choice(["A", "B"]), rng.choice([0, 0, 0, 1, 2])
    alpha, level, resamples = rng.choice(["0", "0.5", "0.8", "1"]), rng.choice([95, 90, 50]), rng.choice([100, 130])
    flags = ["-f", form, "-t", str(count), "-p", alpha, "-c", str(level), "-r", str(resamples), "-a", "-d"]
    ours = ["--references", {"A": "pooled", "B": "best"}[form], "--count-by", ("summary", "token", "raw")[count]]
    return flags, [*ours, "--alpha", alpha, "--level", str(level / 100), "--resamples", str(resamples)]
