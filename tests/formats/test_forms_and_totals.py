"""Forms as people fill them in and tables as they keep them: read for what they hold, or asked about in one line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import quorate as q
from quorate.cli import main
from quorate.formats.byte_tables import _odd_so_far
from quorate.formats.matrix_cells import places_in_rows
from quorate.panel.columns import encode


@pytest.fixture
def made(tmp_path):
    def write(text, name="a.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8", newline="")
        return path

    return write


def asked(path, **told):
    with pytest.raises(q.InputError) as caught:
        q.read(path, **told)
    return caught.value


# -- totals ------------------------------------------------------------------------------------------------------------

MEAN_AMID = "subject,rater1,rater2\ns1,3,4\nMean,3,4\ns2,2,5\n"


def test_a_mean_amid_the_rows_is_asked_about_by_its_line(made):
    error = asked(made(MEAN_AMID))
    assert "total or mean" in error.fact
    assert error.problems == ((3, "the row 'Mean'"),)
    assert q.read(made(MEAN_AMID), totals="drop").items == ("s1", "s2")
    assert "Mean" in q.read(made(MEAN_AMID), totals="keep").items


LONG = "judge,item,score\n" + "".join(f"{j},{i},{v}\n" for j in "ab" for i, v in (("x", 1), ("y", 3), ("Total", 4)))


def test_a_total_in_a_long_table_is_named_and_may_be_left_out(made):
    panel = q.read(made(LONG))
    assert panel.items == ("x", "y", "Total")
    [guess] = panel.reading.guesses
    assert "the item 'Total' is read like the others" in guess.said
    with pytest.raises(q.InputError, match="not said but guessed"):
        q.read(made(LONG), strict=True)
    assert not q.read(made(LONG), totals="keep", strict=True).reading.guesses
    dropped = q.read(made(LONG), totals="drop", strict=True)
    assert dropped.items == ("x", "y")
    assert any("2 rows left out as totals" in n for n in dropped.notes)


def test_nothing_but_totals_is_a_panel_of_its_own(made):
    assert q.read(made("judge,item,score\na,mean,1\na,sd,2\n")).items == ("mean", "sd")


def test_columns_of_one_name_are_counted_and_named(made):
    error = asked(made("subject,rater,rater,rater\ns1,1,2,3\n"))
    assert "three columns have the same name: rater (columns 2, 3 and 4)" in error.fact
    assert "rater 1, rater 2" in error.hint
    error = asked(made("judge,item,score,value\na,x,1,2\n"), rename="value=score")
    assert "--rename gives a second column the name 'score'" in error.hint


def test_a_leaderboard_is_not_its_judgments(made):
    error = asked(made(",win_rate,standard_error,n_total,avg_length\ngpt4,95.3,0.7,805,1365\nclaude,88,1,805,1082\n"))
    assert "a leaderboard or summary (win_rate, standard_error" in error.fact
    assert "annotations" in error.hint


# -- forms -------------------------------------------------------------------------------------------------------------

CHOICES = (
    "Timestamp,Rank [First choice],Rank [Second choice],Rank [Third choice]\n"
    "2026/03/01 10:00:00 AM GMT+1,Apple,Pear,Plum\n2026/03/01 10:01:00 AM GMT+1,Pear,Apple,Plum\n"
)


def test_first_second_and_third_choice_are_places(made):
    panel = q.read(made(CHOICES))
    assert panel.orders() == {"1": [["Apple"], ["Pear"], ["Plum"]], "2": [["Pear"], ["Apple"], ["Plum"]]}
    [guess] = panel.reading.guesses
    columns = guess.option.removeprefix("--item-columns ").strip("'")
    assert q.read(made(CHOICES), item_columns=columns, strict=True).orders() == panel.orders()


def test_named_ends_of_a_scale_are_their_numbers(made):
    grid = "Email Address,Rate [a],Rate [b]\np@x.org,1 - not at all,3\nq@x.org,2,5 - very much\n"
    panel = q.read(made(grid))
    assert panel.value.tolist() == [1, 3, 2, 5]
    assert any("such as 1 - not at all are taken as the number alone" in n for n in panel.notes)


@pytest.mark.parametrize("cells", [("4. Neurosis", "5. Other"), ("1 - good", "1 - bad", "2")])
def test_numbers_before_every_label_do_not_order_labels(cells, made):
    rows = "".join(f"s{k},{a},{b}\n" for k, (a, b) in enumerate(zip(cells, cells[::-1], strict=True)))
    panel = q.read(made(f"subject,rater1,rater2\n{rows}"), labels="yes")
    assert set(panel.scale) == set(cells)


def test_answers_that_were_not_sent_off_are_told(made):
    text = "id,submitdate,R[1],R[2]\n1,2026-01-01,x,y\n2,2026-01-01,y,x\n3,,x,\n"
    panel = q.read(made(text))
    assert len(panel.judges) == 3
    assert any("1 answer not sent off (by 'submitdate')" in n for n in panel.notes)


PICKED = ("Q5_0_GROUP", "Q5_1_GROUP", "Q5_0_1_RANK", "Q5_0_2_RANK", "Q5_1_1_RANK", "Q5_1_2_RANK")
CALLED = (
    "Groups - Sweet",
    "Groups - Sour",
    *(f"Ranks - {g} - {i} - Rank" for g in ("Sweet", "Sour") for i in ("Apple, red", "Pear")),
)


def picked(columns, *answers):
    """What Qualtrics writes of a question to pick, group and rank: these columns of it."""
    heads = [["ResponseId", *(PICKED[k] for k in columns)], ["Response ID", *(f"Sort - {CALLED[k]}" for k in columns)]]
    ids = [[f'{{"ImportId":"{n}"}}' for n in heads[0]]]
    rows = [*heads, *ids, *answers]
    return "".join(",".join('"' + str(c).replace('"', '""') + '"' for c in row) + "\n" for row in rows)


def test_cards_in_groups_of_a_survey_are_groupings(made):
    panel = q.read(
        made(
            picked(
                range(6),
                ["R1", "Apple, red,Pear", "", 1, 2, "", ""],
                ["R2", "Pear", "", "", 1, "", ""],
                ["R3", *[""] * 6],
            )
        )
    )
    assert (panel.kind, panel.tasks) == ("groupings", ("Q5",))
    cells = panel.columns()
    assert list(zip(cells["judge"], cells["item"], cells["group"], strict=True)) == [
        ("R1", "Apple, red", "Sweet"),  # its comma is its own, for the ranks name it
        ("R1", "Pear", "Sweet"),
        ("R2", "Apple, red", None),  # put nowhere
        ("R2", "Pear", "Sweet"),
    ]
    assert any("put into groups" in n for n in panel.notes)


def test_cards_picked_into_one_group_are_ranked(made):
    panel = q.read(made(picked((0, 2, 3), ["R1", "Apple, red,Pear", 2, 1], ["R2", "Apple, red", 1, ""])))
    assert panel.orders("Q5") == {"R1": [["Pear"], ["Apple, red"]], "R2": [["Apple, red"]]}


# -- matrices of R -----------------------------------------------------------------------------------------------------


R = '"rater1","rater2","rater3"\n"a",3,3,2\n"b",3,6,1\n"c",3,4,4\n'


def test_row_names_of_r_need_no_header(made):
    panel = q.read(made(R))
    assert (panel.items, len(panel.judges)) == (("a", "b", "c"), 3)
    assert any("the first field names the rows" in n for n in panel.notes)
    assert [g.option for g in panel.reading.guesses] == ["--rename row=item", "--kind scores"]
    assert q.read(made(R), rename="row=item", kind="scores", strict=True).columns() == panel.columns()
    panel = q.read(made('"judge","item","score"\n"1","a","x",3\n"2","b","x",6\n'))
    assert (panel.judges, panel.items) == (("a", "b"), ("x",))


def test_blanks_between_fields_are_asked_about_with_the_option(made):
    path = made('"rater1" "rater2"\n"1" 3 3\n"2" 3 6\n"3" 4 4\n', "x.txt")
    assert "--input-format csv --delimiter ' '" in asked(path).hint
    done = CliRunner().invoke(main, ["inspect", str(path), "--input-format", "csv", "--delimiter", " "])
    assert "2 judges, 3 items" in done.output


def test_tied_ranks_of_judges_are_orders(made):
    panel = q.read(made('"","China","France","India"\n"1",1,2,3\n"2",2,1,3\n"3",1,2,2\n"4",1,1,3\n"5",3,2,1\n'))
    assert (panel.kind, len(panel.judges), panel.items) == ("orderings", 5, ("China", "France", "India"))
    assert any("some of them with ties" in g.said for g in panel.reading.guesses)


def plain_places(rows):
    """The slow twin: every row is 1, 2, 3, ...; or most are, and the others are with ties, a gap after a tie or not."""

    def strict(row):
        return sorted(row) == list(range(1, len(row) + 1))

    def dense(row):
        return sorted(set(row)) == list(range(1, len(set(row)) + 1))

    def gaps(row):
        return all(v == 1 + sum(w < v for w in row) for v in row)

    if all(map(strict, rows)):
        return "once"
    most = 2 * sum(map(strict, rows)) > len(rows)
    return "ties" if most and all(strict(r) or dense(r) or gaps(r) for r in rows) else ""


@given(st.integers(2, 4).flatmap(lambda n: st.lists(st.lists(st.integers(1, n), min_size=n, max_size=n), min_size=1)))
def test_rows_of_places_like_the_slow_twin(rows):
    said = places_in_rows([encode([str(v) for v in column]) for column in zip(*rows, strict=True)])
    assert ("ties" if "ties" in said else "once" if said else "") == plain_places(rows)


@given(st.lists(st.booleans(), max_size=300))
def test_odd_so_far_like_counting(flags):
    import numpy as np

    counted = [sum(flags[: k + 1]) % 2 == 1 for k in range(len(flags))]
    assert _odd_so_far(np.array(flags, bool)).tolist() == counted


# -- what hints say ----------------------------------------------------------------------------------------------------


def test_judgments_in_lists_are_asked_about_with_the_line_that_reads_them(made):
    stats = [
        {"sample_id": f"id{i}", "trial": 0, "stats": [{"name": {"name": m, "split": "test"}, "mean": i}]}
        for i in range(3)
        for m in ("f1", "em")
    ]
    path = made(json.dumps(stats), "run.json")
    column = "item=sample_id,judge=stats[].name.name,score=stats[].mean"
    assert f"--column '{column}'" in asked(path).hint
    assert q.read(path, column=column).judges == ("f1", "em")


def test_errors_that_have_no_weight_are_asked_about_with_the_option(made):
    names = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    rows = "".join(f"A\td\t{k}\t{k}\tr{r}\ts\tt\tAccuracy\tCritical\n" for k in range(2) for r in range(2))
    path = made(names + rows, "mqm.tsv")
    assert "--input-option weights=critical=10" in asked(path).hint
    assert q.read(path, weights="critical=10").value.tolist() == [-10.0] * 4


def test_a_run_that_failed_says_so(made):
    log = {"version": 2, "status": "error", "eval": {"task": "t", "model": "m"}, "samples": [{"id": 1, "scores": {}}]}
    assert "the run ended with status 'error'" in asked(made(json.dumps(log), "log.json")).fact


def test_every_option_that_readers_name_is_one():
    known = {name for p in main.commands["inspect"].params for name in p.opts}
    elsewhere = {"--absent", "--metrics", "--count-by", "--log", "--memory"}  # of other commands
    folder = Path(q.__file__).parent
    named = {
        name
        for file in (folder / "formats").glob("*.py")
        for name in re.findall(r"(?<![-\w])--[a-z][a-z-]+", file.read_text(encoding="utf-8"))
    }
    assert named - known - elsewhere == set()


def test_a_grid_of_numbers_has_the_rows_as_items_and_the_columns_as_criteria(made):
    heads = ",".join(["id", *(f"Rate [Talk {t}][{c}]" for t in "AB" for c in ("Content", "Style"))])
    panel = q.read(made(f"{heads}\n1,4,2,5,1\n2,3,2,5,1\n"))
    assert panel.items == ("Talk A", "Talk B")
    assert panel.labels["criterion"].ids == ("Rate [Content]", "Rate [Style]")
