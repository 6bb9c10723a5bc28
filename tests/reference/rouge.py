"""ROUGE written out slowly, one pair of texts at a time, as ROUGE-1.5.5 does it."""

from __future__ import annotations

import re
from collections import Counter


def sentences(text, keep=lambda word: word, words=None, size=None, by_line=False):
    """Lines of tokens; only so many words or bytes of the text. ``by_line`` as L and W see them in ROUGE-1.5.5."""
    lines = text.encode().split(b"\n")
    out = []
    for line in lines:
        if words is not None:
            found = re.split(rb"\s+", line.rstrip())  # a blank before it makes an empty word
            line = b" ".join(found[:words])
            words -= min(words, len(found)) if line or len(found) > 1 else 0
        if size is not None:
            whole, line = len(line), line[:size]
            if not by_line:
                size -= len(line)
            elif whole >= size:
                size = 0  # a line as long as the limit is the last one
        tokens = re.findall("[a-z0-9]+", line.decode("latin-1").translate({c: c + 32 for c in range(65, 91)}))
        out.append([keep(t) for t in tokens])
    return out


def flat(lines):
    return [token for line in lines for token in line]


def gram_counts(name, tokens):
    """The grams of ROUGE-1 to -9, -S4, -SU4, -S*, with their counts."""
    if name.isdigit():
        n = int(name)
        return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))
    gap = name.lstrip("SU")
    out = Counter()
    for i in range(len(tokens) - 1):  # ROUGE-1.5.5 leaves out the last token
        if name.startswith("SU"):
            out[(tokens[i],)] += 1
        end = len(tokens) if gap == "*" else min(len(tokens), i + int(gap) + 2)
        for j in range(i + 1, end):
            out[tokens[i], tokens[j]] += 1
    return out


def grams(name, summary, reference):
    """Hits, out of how many of the reference and of the summary, and what the best is chosen by."""
    ours, theirs = gram_counts(name, flat(summary)), gram_counts(name, flat(reference))
    hits = sum((ours & theirs).values())
    recall = hits / theirs.total() if theirs else 0
    return hits, theirs.total(), ours.total(), round(recall, 5)


def path(first, second, weight):
    """The places of the first sentence that are matched."""
    rows, columns = len(first) + 1, len(second) + 1
    worth = [[0.0] * columns for _ in range(rows)]
    run = [[0] * columns for _ in range(rows)]
    came = [[""] * columns for _ in range(rows)]
    for i in range(1, rows):
        for j in range(1, columns):
            if first[i - 1] == second[j - 1]:
                k = run[i - 1][j - 1]
                worth[i][j] = worth[i - 1][j - 1] + (k + 1) ** weight - k**weight
                run[i][j], came[i][j] = k + 1, "both"
            elif worth[i - 1][j] >= worth[i][j - 1]:
                worth[i][j], came[i][j] = worth[i - 1][j], "first"
            else:
                worth[i][j], came[i][j] = worth[i][j - 1], "second"
    i, j, out = len(first), len(second), set()
    while i and j:
        if came[i][j] == "both":
            out.add(i - 1)
        i, j = i - (came[i][j] != "second"), j - (came[i][j] != "first")
    return out


def subsequence(name, summary, reference, cut=None):
    """Hits and lengths of ROUGE-L, -L-whole and -W; ``cut``: both texts as the n-grams see them, if not the same."""
    weight = float(name[2:]) if name.startswith("W") else 1.0
    if name == "L-whole":
        summary, reference = [flat(summary)], [flat(reference)]
    left = Counter(flat((cut or (summary,))[0]))
    if cut:
        left &= Counter(flat(cut[1]))
    hits = 0.0
    for sentence in reference:
        marked = set().union(*(path(sentence, other, weight) for other in summary))
        run = 0
        for at, token in enumerate(sentence):
            if at in marked and left[token]:
                left[token] -= 1
                run += 1
                if at + 1 not in marked:
                    hits += run**weight
                    run = 0
        if weight == 1:
            hits += run  # only ROUGE-W loses them
    base = sum(len(s) ** weight for s in reference)
    chosen_by = hits / base if base else 0
    return hits, base**weight, len(flat((cut or (summary,))[0])) ** weight, round(chosen_by, 12)


def figures(hits, of_reference, of_summary, weight, alpha):
    recall = (hits / of_reference) ** (1 / weight) if of_reference else 0
    precision = (hits / of_summary) ** (1 / weight) if of_summary else 0
    below = (1 - alpha) * precision + alpha * recall
    return [recall, precision, precision * recall / below if below else 0]


def combined(counts, mode, weight, alpha):
    if mode == "best":
        return figures(*max(counts, key=lambda c: c[3])[:3], weight, alpha)
    return figures(*(sum(column) for column in list(zip(*counts, strict=True))[:3]), weight, alpha)


def rouge(name, summary, references, mode="pooled", jackknife=False, alpha=0.5, **how):
    """Recall, precision and F of one summary."""
    ours = sentences(summary, **how)
    if name[0] not in "LW" or name == "L-whole" or "size" not in how:
        measure = subsequence if name[0] in "LW" else grams
        counts = [measure(name, ours, sentences(r, **how)) for r in references]
    else:
        lines = sentences(summary, by_line=True, **how)
        each = [(sentences(r, by_line=True, **how), sentences(r, **how)) for r in references]
        counts = [subsequence(name, lines, whole, (ours, cut)) for whole, cut in each]
    weight = float(name[2:]) if name.startswith("W") else 1.0
    if not jackknife or len(counts) == 1:
        return combined(counts, mode, weight, alpha)
    parts = [combined(counts[:k] + counts[k + 1 :], mode, weight, alpha) for k in range(len(counts))]
    return [sum(column) / len(parts) for column in zip(*parts, strict=True)]
