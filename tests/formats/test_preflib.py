"""PrefLib files."""

from __future__ import annotations

import pytest

from quorate.errors import InputError
from quorate.formats import read, write
from quorate.panel.kinds import Orderings, Scores

DOTS = """# FILE NAME: dots.toc
# TITLE: Dots
# DATA TYPE: toc
# NUMBER ALTERNATIVES: 3
# NUMBER VOTERS: 84
# NUMBER UNIQUE ORDERS: 2
# ALTERNATIVE NAME 1: few
# ALTERNATIVE NAME 2: some: more
# ALTERNATIVE NAME 3: many
74: 1,2,3
10: 3, {2,1}
"""


@pytest.fixture
def file(tmp_path):
    def make(content, name="in.toc"):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return path

    return make


def fails(*args, **options):
    with pytest.raises(InputError) as caught:
        read(*args, **options)
    return str(caught.value)


def test_orders_counts_and_ties(file):
    panel = read(file(DOTS))
    assert panel.tasks == ("Dots",)
    assert panel.orders() == {"1": [["few"], ["some: more"], ["many"]], "2": [["many"], ["some: more", "few"]]}
    assert panel.votes == 84
    assert panel.notes == ()


def test_known_by_content(file):
    assert read(file(DOTS, "dots.txt")) == read(file(DOTS))


def test_files_are_tasks(file):
    titled = read(file(DOTS), file(DOTS.replace("Dots", "Spots"), "b.toc"))
    assert titled.tasks == ("Dots", "Spots")
    assert read(file(DOTS, "a.toc"), file(DOTS, "b.toc")).tasks == ("a", "b")
    assert read(file(DOTS, "a.toc"), file(DOTS, "a.toi")).tasks == ("a.toc", "a.toi")
    assert "the same file twice" in fails(file(DOTS), file(DOTS))
    assert read(file("1: 1,2\n", "bare.soc")).tasks == ("bare",)


def test_names_that_do_not_tell_alternatives_apart(file):
    panel = read(file(DOTS.replace("many", "few")))
    assert panel.items == ("1", "some: more", "3")
    assert "alternatives 1 and 3" in panel.notes[0]
    panel = read(file(DOTS.replace("ALTERNATIVE NAME 3: many", "NOTHING: x").replace("few", "3")))
    assert panel.items == ("1", "2", "3")


def test_what_is_odd_is_noted(file):
    odd = DOTS.replace("84", "99").replace("ORDERS: 2", "ORDERS: 3").replace("toc", "soi").replace("74: 1,2,3\n", "")
    notes = read(file(odd + "# MODIFICATION TYPE: imbued\n")).notes
    assert notes[0] == "in.toc: the header says NUMBER VOTERS 99, the file has 10"
    assert "UNIQUE ORDERS 3, the file has 1" in notes[1]
    assert "the header says soi, the orders are toc" in notes[2]
    assert "modification type: imbued" in notes[3]
    assert "ranked by nobody: many" in read(file(DOTS.replace("2,3", "2").replace("3, {2,1}", "2"))).notes[-1]


@pytest.mark.parametrize(
    "line", ["x: 1,2", "1,2,3", "5: 1,,2", "5: 1,2,", "5:", "5: {1,2", "5: {},1", "0: 1,2", "5: a,b"]
)
def test_lines_that_are_no_orders(file, line):
    said = fails(file(DOTS + line + "\n"))
    assert "not an order (1 line)" in said
    assert f"line 12: {line}" in said


def test_wrong_alternatives(file):
    assert "line 12: alternative 4" in fails(file(DOTS + "1: 4,1\n"))
    assert "line 12: alternative 0" in fails(file(DOTS + "1: 0,1\n"))
    assert "twice in an order (1 line)\n  line 12: alternative 1" in fails(file(DOTS + "1: 1,2,1\n"))


def test_other_files_of_preflib(file):
    assert "holds categories, not orderings" in fails(file("# DATA TYPE: cat\n1: 1\n", "x.txt"))
    assert "holds weighted matchings" in fails(file("1,5,1.0\n", "x.wmd"))
    assert "no orders" in fails(file("# TITLE: x\n"))
    with pytest.raises(InputError, match="holds categories"):
        write(read(file(DOTS)), "x.cat")


def test_the_type_must_fit(file, tmp_path):
    panel = read(file(DOTS))
    with pytest.raises(InputError, match=r"\.soi cannot hold ties.*\n\n.*\.toc"):
        write(panel, tmp_path / "x.soi")
    partial = Orderings.from_orders({"1": "ab", "2": "a"})
    with pytest.raises(InputError, match=r"\.soc cannot hold incomplete orders"):
        write(partial, tmp_path / "x.soc")
    with pytest.raises(InputError, match=r"\.soc cannot hold incomplete"):
        write(partial, "-", format="soc")
    write(partial, tmp_path / "x.txt", format="preflib")
    assert "# DATA TYPE: soi" in (tmp_path / "x.txt").read_text()
    write(partial, tmp_path / "x.toi")
    assert read(tmp_path / "x.toi") == partial


def test_header_lines_may_be_set(file, tmp_path):
    path = tmp_path / "out.toc"
    write(read(file(DOTS)), path, header={"modification type": "imbued", "DESCRIPTION": "ties added"})
    assert "modification type: imbued; description: ties added" in read(path).notes[0]
    with pytest.raises(InputError, match="no header line"):
        write(read(file(DOTS)), path, header={"NUMBER VOTERS": "3"})


def test_what_preflib_cannot_hold(file, tmp_path):
    def refused(panel, why, **options):
        with pytest.raises(InputError, match=why):
            write(panel, tmp_path / "x.toi", **options)

    refused(Orderings.from_orders({"t": {"1": "ab"}, "u": {"1": "ab"}}), "holds one task, the panel has 2")
    refused(Orderings.from_orders({"ann": "ab"}), "no names for judges.*\n\n.*anonymous=True")
    refused(Scores.from_matrix([[1]]), "holds orderings, not scores")
    refused(Orderings.build({"judge": ["1"], "item": ["a"], "position": [1], "mood": ["x"]}), "labels \\(mood\\)")
    refused(Orderings.from_orders({"1": [" a"]}), "blanks around it")
    refused(Orderings.from_orders({"1": ["a\nb"]}), "line break")


def test_anonymous_orders_are_counted_together(tmp_path):
    panel = Orderings.from_orders({"ann": "ab", "bob": "ba", "cid": "ba"})
    write(panel, tmp_path / "x.soc", anonymous=True)
    assert (tmp_path / "x.soc").read_text().endswith("2: 2,1\n1: 1,2\n")


def test_every_vote_of_real_files_survives(data, tmp_path):
    files = sorted((data / "preflib").glob("*/*.[st]o[ci]"))
    assert len(files) > 40
    for path in files:
        if path.stat().st_size < 100_000:
            panel = read(path)
            write(panel, tmp_path / path.name)
            assert read(tmp_path / path.name) == panel
    dots = read(*sorted((data / "preflib" / "00024-dots").glob("*.soc")))
    assert dots.votes == 3183
    assert len(dots.tasks) == 4


def test_many_alternatives_without_names_are_counted(file):
    order = ",".join(map(str, range(1, 31)))
    notes = read(file(f"# DATA TYPE: soc\n1: {order}\n", "in.soc")).notes
    assert len(notes) == 1  # the orders are complete: they hold all that anybody ranked
    assert notes[0].endswith("9, 10 and 20 more")


OLD = "3\n1,Apple, red\n2,Pear\n3,Plum\n4,4,2\n3,1,{2,3}\n1,3,2,1\n"


def test_files_of_before_2022_are_read(tmp_path):
    path = tmp_path / "ED-00001-00000001.toc"
    path.write_text(OLD)
    panel = read(path)
    assert panel.orders() == {"1": [["Apple, red"], ["Pear", "Plum"]], "2": [["Plum"], ["Pear"], ["Apple, red"]]}
    assert (panel.votes, panel.notes) == (4, ())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3\n1,x\n2,y\n", "not an order|no orders"),  # cut short
        ("3\n1,x\nno name\n3,z\n1,1,1\n1,1,2,3\n", "not an order \\(1 line\\)\n  line 3: no name"),
        (OLD.replace("1,3,2,1", "1,3,9,1"), "no such alternative \\(1 line\\)\n  line 7: alternative 9"),
        (OLD.replace("1,3,2,1", "1,3,3,1"), "stands twice in an order \\(1 line\\)\n  line 7: alternative 3"),
        ("3\n", "no orders"),
        ("9" * 400 + "\n", "not an order"),
    ],
)
def test_damaged_files_are_told_once_with_their_line(tmp_path, text, said):
    path = tmp_path / "x.toc"
    path.write_text(text)
    with pytest.raises(InputError, match=said) as caught:
        read(path)
    told = [line.strip() for line in str(caught.value).splitlines() if line.strip()]
    assert len(set(told)) == len(told)
