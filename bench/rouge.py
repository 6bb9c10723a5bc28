"""ROUGE-2 of 1,000 summaries with four references each, beside the package rouge-score; ROUGE-L beside rouge_rs."""

from __future__ import annotations

import random

from bench import peers
from bench.clock import Row, cpu

SYLLABLES = [a + b for a in "bdfgklmnprstv" for b in ("a", "e", "i", "o", "u", "an", "er")]
ENDINGS = ("", "", "s", "ed", "ing", "ation", "ly", "ness", "ational", "ies")
WORDS = 12_000  # as many different words as in about as much news text


def run(quick: bool) -> list[Row]:
    from quorate.summaries.rouge import rouge

    number = 50 if quick else 1000
    summaries, references = collection(number)
    ours, found = cpu(lambda: rouge(summaries, references, ["2"], stem=True, mode="best"))
    bare, plain = cpu(lambda: rouge(summaries, references, ["2"], mode="best"))
    family, _ = cpu(lambda: rouge(summaries, references, stem=True, jackknife=True), 1)
    name = f"of {number:,} summaries x 4 references"
    rows = [Row(f"ROUGE-1 to 4, L, W, SU4 jackknifed, {name}", family)]
    for what, seconds, scores, target in (("stemmed", ours, found, 15), ("no stems", bare, plain, None)):
        given = {"summaries": summaries, "references": references, "stem": what == "stemmed"}
        try:
            theirs = peers.run("peer_rouge_score.py", given, "rouge-score==0.1.2")
        except peers.NotAvailable as why:
            rows.append(Row(f"ROUGE-2 {what}, {name}", seconds, note=f"rouge-score: {why}"))
            continue
        recall = scores["2_R"]
        off = sum(abs(max(r) - float(v)) > 1e-9 for r, v in zip(theirs["recall"], recall, strict=True))
        note = f"rouge-score {theirs['version']}; the highest recall differs on {off} of {number:,} summaries"
        rows.append(Row(f"ROUGE-2 {what}, {name}", seconds, theirs["seconds"], target=target, note=note))
    return [*rows, _longest(summaries, references, name)]


def _longest(summaries: list[str], references: list[list[str]], name: str) -> Row:
    """ROUGE-L of texts in one line each, of which rouge_rs and this package mean the same."""
    from quorate.summaries.rouge import rouge

    texts, against = [" ".join(s.split()) for s in summaries], [[" ".join(r.split()) for r in of] for of in references]
    row = Row(f"ROUGE-L no stems, {name}, rouge_rs", target=1)
    row.ours, found = cpu(lambda: rouge(texts, against, ["L"], mode="best"))
    try:
        theirs = peers.run("peer_rouge_rs.py", {"summaries": texts, "references": against}, "rouge_rs")
    except peers.NotAvailable as why:
        row.note = f"peer not available: {why}"
        return row
    row.peer, row.figure = theirs["seconds"], theirs["seconds"] / row.ours
    off = sum(abs(max(r) - float(v)) > 1e-9 for r, v in zip(theirs["recall"], found["L_R"], strict=True))
    row.note = f"rouge_rs {theirs['version']}; the highest recall differs on {off} of {len(texts):,} summaries"
    return row


def collection(number: int, seed: int = 0) -> tuple[list[str], list[list[str]]]:
    """Texts of 100 words in five lines; words are about as often as their rank allows, and references overlap."""
    rng = random.Random(seed)
    words = list({"".join(rng.choices(SYLLABLES, k=rng.randint(1, 4))) + rng.choice(ENDINGS) for _ in range(2 * WORDS)})
    words = sorted(words)[:: max(1, len(words) // WORDS)][:WORDS]
    rng.shuffle(words)
    weights = [1 / (k + 3) for k in range(len(words))]
    summaries, references = [], []
    for _ in range(number):
        pool = [" ".join(rng.choices(words, weights, k=20)).capitalize() + "." for _ in range(12)]
        summaries.append("\n".join(rng.sample(pool, 5)))
        references.append(["\n".join(rng.sample(pool, 5)) for _ in range(4)])
    return summaries, references
