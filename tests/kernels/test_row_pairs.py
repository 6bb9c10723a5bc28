"""Every two rows of one group, against loops; and agreement of judges by pairs of answers, against matrices."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from quorate import Scores
from quorate.inference import judge_squares
from quorate.kernels.row_pairs import few_meet, met, row_pairs
from quorate.panel.score_design import ScoreDesign
from quorate.table import parse


@given(st.lists(st.integers(0, 5), max_size=12))
def test_every_two_rows_of_a_group_once(groups):
    group = np.sort(np.array(groups, np.int64))
    plain = {(a, b) for a, b in combinations(range(len(group)), 2) if group[a] == group[b]}
    first, second = row_pairs(group)
    assert len(first) == len(plain)
    assert set(zip(first.tolist(), second.tolist(), strict=True)) == plain


def test_what_meetings_add_up_to():
    assert met(np.array([0, 0]), np.array([2, 2]), 3, np.array([1.0, 0.5])).tolist() == [
        [0, 0, 1.5],
        [0, 0, 0],
        [1.5, 0, 0],
    ]


def test_labels_of_few_judges_an_item_agree_as_by_matrices():
    rng = np.random.default_rng(1)
    rows = [(f"j{j:02}", f"i{i:03}") for i in range(60) for j in rng.choice(40, 3, replace=False).tolist()]
    label = rng.choice(list("abc"), len(rows)).tolist()
    panel = Scores.build({"judge": [j for j, _ in rows], "item": [i for _, i in rows], "label": label})
    (design,) = ScoreDesign.of(panel.by_name)
    assert few_meet(design.scores.unit, len(design.judges))
    found = judge_squares.judge_squares(parse("alpha(level=nominal)", "scores", "agreement"), design)
    total, number = judge_squares._of_scores(design.scores, np.unique(design.scores.task), False)
    assert np.array_equal(found.total[0], total)
    assert np.array_equal(found.number[0], number)
