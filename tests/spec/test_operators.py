"""The table of operators is complete, and every evaluator rounds in the same direction."""

from __future__ import annotations

from typing import get_args

import pytest

from ludex.grammar import whole_file
from ludex.spec import ARITHMETIC, COMPARE, model, value_of
from ludex.spec.values.types import Range

SPAN = whole_file("made.ludex")
NUMBER = Range(-9, 9)


def test_every_operator_of_the_model_has_one_meaning() -> None:
    assert tuple(ARITHMETIC) == get_args(model.ArithmeticOperator)
    assert tuple(COMPARE) == get_args(model.ComparisonOperator)


@pytest.mark.parametrize(("left", "right"), [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3), (0, 5)])
def test_division_rounds_down_in_every_evaluator(left: int, right: int) -> None:
    whole, rest = ARITHMETIC["div"](left, right), ARITHMETIC["mod"](left, right)
    assert whole * right + rest == left
    assert 0 <= rest < right or right < rest <= 0
    one, other = (model.Constant(NUMBER, SPAN, side) for side in (left, right))
    assert value_of(model.Arithmetic(NUMBER, SPAN, "div", one, other)) == whole
    assert value_of(model.Arithmetic(NUMBER, SPAN, "mod", one, other)) == rest
