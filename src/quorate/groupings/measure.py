"""How a measure of two partitions is declared: once, for agreement, judges and quality."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from numpy.typing import NDArray

from quorate.groupings.pairwise import (
    MEASURES,
    Measure,
    agreement_without_each,
    agreements,
    agreements_at_once,
    every_two,
    table_cost,
)
from quorate.kernels.partition_labels import permuted_again
from quorate.panel.design import Measured
from quorate.panel.partitions import LEFT_OUT
from quorate.table import Method, Note, Parameter, bind, find, method

Array = NDArray[Any]
MORE, LESS = "more agreement", "less agreement"


def declared(
    name: str,
    *,
    note: Note,
    range: tuple[float, float] = (0, 1),
    higher: str = MORE,
    symmetric: bool | Callable[[Mapping[str, Any]], bool] = True,
    default: bool = False,
    expected: bool = False,
    reference: str = "",
    parameters: Mapping[str, Parameter] | None = None,
) -> Callable[[Callable[..., Array]], Measure]:
    """Declare the formula below as a measure."""

    def register(formula: Callable[..., Array]) -> Measure:
        same = symmetric if callable(symmetric) else lambda _: bool(symmetric)
        found = Measure(name, formula, 1 if higher == MORE else -1, same, expected)
        preset = {n: p.default for n, p in _signature(formula).items()}

        def compute(labels: Array, counts: Array, *, alike: bool = True, brief: bool = False, **given: Any) -> Measured:
            return agreements([_chosen(name, given)], labels, counts, alike)[0]

        compute.__doc__ = formula.__doc__
        object.__setattr__(found, "__doc__", formula.__doc__)
        method(
            "groupings",
            "agreement",
            name,
            range=range,
            higher=higher,
            chance="random clusterings",
            default=default,
            reference=reference,
            parameters={**(parameters or {}), "left_out": LEFT_OUT},
            defaults={**preset, "left_out": "singletons"},
            symmetric=same(preset),
            relabelling=True,
            pairwise=True,
            sign=found.sign,
            flags="attainable_rand" if name == "adjusted_rand" else "",
            variants={"left_out": ("singletons", "bucket")},
            without=lambda labels, counts, **given: agreement_without_each(_chosen(name, given), labels, counts),
            by_task=True,
            weighs_pairs=True,
            interval="jackknife",
            pairs=every_two,
            together=agreements_at_once,
            again=permuted_again,
            cost=table_cost,
            note=note,
        )(compute)
        MEASURES[name] = found
        return found

    return register


def _chosen(name: str, given: Mapping[str, Any]) -> Method:
    return bind(find(name, "groupings", "agreement"), given)


def _signature(formula: Callable[..., Any]) -> dict[str, Any]:
    import inspect

    return dict(list(inspect.signature(formula).parameters.items())[1:])
