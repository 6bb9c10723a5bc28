"""Our ROUGE beside the original script, line by line, where the script is there and can run.

`QUORATE_PERL_CASES=1000 pytest tests/summaries/rouge/test_against_perl.py` compares as many random set-ups as wanted.
"""

from __future__ import annotations

import os
import random

import pytest
from click.testing import CliRunner

from quorate.cli import main
from quorate.formats.metrics import read_metrics
from quorate.summaries.rouge.tokens import stemmer
from tests.summaries.rouge import set_ups
from tests.summaries.rouge.perl_script import EXCEPTIONS, Perl, script

CASES = int(os.environ.get("QUORATE_PERL_CASES", "14"))
STEMMED = """
agreement statement supplement movement government replacement incidental professionally sentimental circumvention
adjustable conditional decision entente crumbly responsibly bubbly technology analogies biology trekked chivvying
hopping falling hissing fizzed running mice best geese argument arguments relational happily plying sky feed agreed
controlled rate cease electricity hopefulness goodness formalize triplicate caresses ponies ties cats mating
"""


@pytest.fixture(scope="module")
def perl(tmp_path_factory):
    try:
        path = script()
    except LookupError as why:
        pytest.skip(str(why))
    pytest.importorskip("snowballstemmer")
    return Perl(path, tmp_path_factory.mktemp("data"))


def ours(folder, *words):
    result = CliRunner().invoke(main, ["rouge", str(folder / "setup"), "--format", "perl", *words])
    assert result.exit_code == 0, result.output
    return result.output


def compare(perl, folder, which, *rest):
    """Both print the same; where the script dies of a text without a word, which it does with W, the same without W."""
    for with_w in (True, False):
        chosen = (which(with_w), *rest)
        flags, words = ([w for part in side for w in part] for side in zip(*chosen, strict=True))
        printed, complaints = perl(flags, folder)
        if "division by zero" not in complaints:
            break
    assert printed, (flags, complaints)
    assert ours(folder, *words).splitlines() == printed.splitlines(), flags


def listed(style):
    """What says that the set-up is a list of files."""
    return [w for s in style for w in ("-z", s)], [w for s in style for w in ("--list", s)]


@pytest.mark.parametrize("seed", range(CASES))
def test_every_line_of_random_set_ups_is_the_scripts(perl, seed, tmp_path):
    rng = random.Random(f"texts {seed}")
    code = rng.choice(["utf-8", "utf-8", "latin-1"])
    style = set_ups.write(rng, tmp_path, rng.choice(["SPL", "SPL", "ISI", "SEE"]), code)
    stems = [(["-m"], ["--stem", "--exceptions", str(perl.exceptions)]), ([], [])][rng.random() < 0.6]
    parts = (stems, set_ups.limits(rng, code, perl.stop_words), set_ups.sums(rng))
    compare(perl, tmp_path, set_ups.rouges(rng), listed(style), *parts)


@pytest.mark.parametrize("seed", range(CASES // 4))
def test_basic_elements_are_compared_as_in_the_script(perl, seed, tmp_path):
    rng = random.Random(f"elements {seed}")
    style = set_ups.write(rng, tmp_path, "SIMPLE", "utf-8")
    stems = [(["-m"], ["--stem", "--exceptions", str(perl.exceptions)]), ([], [])][rng.random() < 0.5]
    compare(perl, tmp_path, set_ups.elements(rng), listed(style), stems, set_ups.sums(rng))


@pytest.mark.parametrize("seed", range(CASES // 6))
def test_stems_of_the_models_only_are_those_of_the_script_but_for_w(perl, seed, tmp_path):
    rng = random.Random(f"models {seed}")
    style = set_ups.write(rng, tmp_path, "SPL", "utf-8")
    which = set_ups.rouges(rng)
    stems = (["-M"], ["--stem-models", "--exceptions", str(perl.exceptions)])
    compare(perl, tmp_path, lambda _: which(False), listed(style), stems, set_ups.sums(rng))


def test_stems_are_those_of_the_script(perl, tmp_path):
    stem, words = stemmer(True, EXCEPTIONS), STEMMED.split()
    its = dict(zip(words, perl.stems(words, tmp_path), strict=True))
    assert its == {w: stem(w) if len(w) > 3 else w for w in words}


def test_where_the_script_dies_there_is_0(perl, tmp_path):
    (tmp_path / "empty").write_text("")
    (tmp_path / "summary").write_text("one two")
    (tmp_path / "setup").write_text("summary empty\n")
    printed, complaints = perl(["-w", "1.2", "-x", "-a", "-d", "-z", "SPL"], tmp_path)
    assert "Eval" not in printed
    assert "division by zero" in complaints
    assert "Eval 1.X R:0.00000 P:0.00000 F:0.00000" in ours(tmp_path, "--list", "SPL", "--rouge", "W")


def test_its_output_is_read_as_metrics_with_what_it_complained_of(perl, tmp_path):
    one = '<PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"></INPUT-FORMAT><PEERS>'
    two = '</PEERS><MODELS><M ID="P">b</M><M ID="Q">none</M></MODELS></EVAL>'
    tasks = ('<EVAL ID="D1"><P ID="7">a</P><P ID="8 b">b</P>', '<EVAL ID="D 2"><P ID="7">b</P>')
    setup = "".join(t.replace(">", f">{one}", 1) + two for t in tasks)
    for name, text in (
        ("setup", f"<ROUGE_EVAL>{setup}</ROUGE_EVAL>"),
        ("a", "the dog"),
        ("b", "a dog ran"),
        ("none", ""),
    ):
        (tmp_path / name).write_text(text)
    printed, complaints = perl(["-n", "2", "-a", "-d"], tmp_path)
    assert "Warning: test instance for peer 8 b does not exist" in complaints
    (tmp_path / "its.out").write_text(complaints + printed)
    (tmp_path / "our.out").write_text(ours(tmp_path, "--rouge", "1", "--rouge", "2", "--rouge", "L"))
    its, own = (read_metrics(tmp_path / f"{who}.out") for who in ("its", "our"))
    assert its.columns() == own.columns()
    assert set(its.tasks) == {"D1", "D 2"}
    assert set(its.items) == {"7", "8 b"}
    assert any("warnings of ROUGE" in n for n in its.notes)
