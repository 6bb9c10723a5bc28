"""Nouveau-ROUGE: published coefficients, and refitting them."""

from __future__ import annotations

import numpy as np
import pytest

from quorate.errors import BadParameter, InputError
from quorate.summaries.rouge.nouveau import PUBLISHED, Nouveau, fit, nouveau_rouge


def test_published_coefficients_reward_new_and_punish_old_content():
    assert PUBLISHED[1] == Nouveau(-0.0271, -7.3550, 13.4227)
    assert PUBLISHED[2] == Nouveau(0.9126, -5.4536, 21.1556)
    assert all(p.plausible for p in PUBLISHED.values())
    scores = nouveau_rouge(["new facts here", "old facts here"], [["old facts"]] * 2, [["new facts"]] * 2)
    assert scores == pytest.approx([0.9126 + 21.1556, 0.9126 - 5.4536])


def test_fitting_finds_the_coefficients_that_made_the_scores():
    rng = np.random.default_rng(0)
    old, new = rng.random((2, 50))
    found = fit(old, new, PUBLISHED[2].score(old, new))
    assert (found.constant, found.old, found.new) == pytest.approx((0.9126, -5.4536, 21.1556))
    assert found.r_squared == pytest.approx(1)
    assert found.summaries == 50
    reversed_ = fit(old, new, -PUBLISHED[2].score(old, new))
    assert not reversed_.plausible


def test_fitting_leaves_missing_figures_aside_and_refuses_what_cannot_be_fitted():
    rng = np.random.default_rng(1)
    old, new, scores = rng.random((3, 6))
    scores[0] = np.nan
    assert fit(old, new, scores).summaries == 5
    with pytest.raises(InputError, match="too few"):
        fit(old[:3], new[:3], scores[:3])
    with pytest.raises(InputError, match="do not tell"):
        fit(old, old, rng.random(6))
    with pytest.raises(BadParameter, match="no published coefficients"):
        nouveau_rouge(["a"], [["a"]], [["a"]], n=3)
