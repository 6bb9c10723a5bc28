"""Three fits of a line through many subsets of features at once: robust, non-negative, canonical.

Arrays in, arrays out. Features ``x[row, feature]`` come standardised; subsets ``[subset, place]`` are columns of it,
all of one size. Each fit gives an intercept and coefficients of every subset, for predicting ``y[row, target]``.

- ``robust``: iteratively reweighted least squares, Tukey's bisquare with c = 4.685, scale by the median absolute
  residual. Rows far off lose their say. There is no correction for leverage, so other programs differ a little.
- ``nonnegative``: least squares with no coefficient below 0, on centred columns, after features were turned so that
  more is better.
- ``canonical``: the mix of features that correlates most with the best mix of *all* responses; brought to the scale of
  the target. With one response it is ordinary least squares.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
C = 4.685
TO_SIGMA = 0.6744897501960817  # the median absolute value of a standard normal
ROUNDS = 50
NEAR = 1e-7  # of the coefficients' change, in standard deviations of y: the fit has settled
CELLS = 1 << 17  # rows x columns looked at together; they stay in the cache


class Fitted(NamedTuple):
    """A line through each subset."""

    intercept: Array  # [subset]
    coefficients: Array  # [subset, place]
    settled: Array  # [subset] whether the fit has converged: more rounds would not move it


def robust(x: Array, y: Array, target: int, subsets: Array, better: Array) -> Fitted:
    """Bisquare regression of the target on every subset."""
    rows, places = len(x), subsets.shape[1]
    intercept, coefficients = np.empty(len(subsets)), np.empty(subsets.shape)
    settled = np.ones(len(subsets), bool)
    response = y[:, target]
    spread = float(response.std()) or 1.0
    columns = np.ascontiguousarray(x.T)
    step = max(1, CELLS // (rows * (places + 1)))
    for a in range(0, len(subsets), step):
        some = subsets[a : a + step]
        design = np.ones((len(some), places + 1, rows))
        design[:, 1:] = columns[some]
        found, settled[a : a + step] = _bisquare(design, response, spread)
        intercept[a : a + step], coefficients[a : a + step] = found[:, 0], found[:, 1:]
    return Fitted(intercept, coefficients, settled)


def _bisquare(design: Array, y: Array, spread: float) -> tuple[Array, Array]:
    """Coefficients ``[subset, column]`` for designs ``[subset, column, row]``, and whether they have settled."""
    beta = _solved(design @ design.transpose(0, 2, 1), design @ y)
    active = np.arange(len(design))
    for _ in range(ROUNDS):
        mine = design if len(active) == len(design) else design[active]
        left = y - (beta[active, None] @ mine)[:, 0]
        scale = np.median(np.abs(left), axis=1) / TO_SIGMA
        going = scale > 1e-10 * spread  # else more than half of the rows are on the line already
        left /= C * np.where(going, scale, 1.0)[:, None]
        left *= left
        np.subtract(1.0, left, out=left)
        np.maximum(left, 0.0, out=left)
        left *= left
        weighted = mine * left[:, None]
        new = _solved(weighted @ mine.transpose(0, 2, 1), weighted @ y)
        new = np.where(going[:, None], new, beta[active])
        moved = np.abs(new - beta[active]).max(axis=1) > NEAR * spread
        beta[active] = new
        active = active[going & moved]
        if not len(active):
            break
    return beta, ~np.isin(np.arange(len(design)), active)


def nonnegative(x: Array, y: Array, target: int, subsets: Array, better: Array) -> Fitted:
    """Non-negative least squares of the target on every subset; ``better`` turns features (1 or -1)."""
    from scipy.optimize import nnls

    middle, gram, cross = _moments(x * better, y[:, [target]])
    square, side = gram[subsets[:, :, None], subsets[:, None]], cross[subsets, 0]
    size, turn = np.linalg.eigh(square)
    kept = size > 1e-10 * np.maximum(size[:, -1:], 1e-300)
    root = np.sqrt(np.where(kept, size, 0.0))
    matrix = root[:, :, None] * turn.transpose(0, 2, 1)  # its square is the Gram matrix
    goal = np.divide((turn.transpose(0, 2, 1) @ side[:, :, None])[:, :, 0], root, out=np.zeros(root.shape), where=kept)
    found, settled = np.zeros(subsets.shape), np.ones(len(subsets), bool)
    for k, (a, b) in enumerate(zip(matrix, goal, strict=True)):
        try:
            found[k] = nnls(a, b)[0]
        except RuntimeError:  # too many steps; a line of no slope is never chosen
            settled[k] = False
    found = found * better[subsets]
    return Fitted(y[:, target].mean() - (found * (middle * better)[subsets]).sum(axis=1), found, settled)


def canonical(x: Array, y: Array, target: int, subsets: Array, better: Array) -> Fitted:
    """The first canonical mix of every subset with all responses, turned and scaled to predict the target."""
    middle, gram, cross = _moments(x, y)
    centred = y - y.mean(axis=0)
    white = _inverse_root(centred.T @ centred)
    square, side = gram[subsets[:, :, None], subsets[:, None]], cross[subsets]
    root = _inverse_root(square)
    left, _, _ = np.linalg.svd(root @ side @ white, full_matrices=False)
    mix = (root @ left[:, :, :1])[:, :, 0]
    with_target = (mix * side[:, :, target]).sum(axis=1)
    own = np.einsum("bi,bij,bj->b", mix, square, mix)
    # The slope of the target on the mix fixes scale and sign together: the correlation with the target is positive.
    slope = np.divide(with_target, own, out=np.zeros(len(mix)), where=own > 1e-12)
    found = mix * slope[:, None]
    line = y[:, target].mean() - (found * middle[subsets]).sum(axis=1)
    return Fitted(line, found, np.ones(len(found), bool))


Fit = Callable[[Array, Array, int, Array, Array], Fitted]
FITS: dict[str, Fit] = {"robust": robust, "nonnegative": nonnegative, "canonical": canonical}


def orientation(x: Array, y: Array, declared: Array) -> Array:
    """1 where more of a feature is better, -1 where worse: as declared, else as in these rows."""
    _, _, cross = _moments(x, y[:, None])
    return np.where(declared != 0, declared, np.where(cross[:, 0] < 0, -1, 1)).astype(float)


def _moments(x: Array, y: Array) -> tuple[Array, Array, Array]:
    middle = x.mean(axis=0)
    centred = x - middle
    return middle, centred.T @ centred, centred.T @ (y - y.mean(axis=0))


def _solved(gram: Array, side: Array) -> Array:
    """Solutions of small systems; of those that have many, the shortest."""
    if _definite(gram):
        return np.asarray(np.linalg.solve(gram, side[:, :, None])[:, :, 0])
    return np.asarray((np.linalg.pinv(gram, rcond=1e-10, hermitian=True) @ side[:, :, None])[:, :, 0])


def _definite(gram: Array) -> bool:
    """Whether all systems have one solution, well apart from none: told by their Cholesky factors, which is cheap."""
    try:
        root = np.diagonal(np.linalg.cholesky(gram), axis1=1, axis2=2)
    except np.linalg.LinAlgError:
        return False
    return bool((root.min(axis=1) > 1e-5 * root.max(axis=1)).all())


def _inverse_root(gram: Array) -> Array:
    size, turn = np.linalg.eigh(gram)
    kept = size > 1e-10 * np.maximum(size[..., -1:], 1e-300)
    inverse = np.where(kept, 1 / np.sqrt(np.where(kept, size, 1.0)), 0.0)
    return np.asarray((turn * inverse[..., None, :]) @ np.swapaxes(turn, -1, -2))
