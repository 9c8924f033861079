"""Data classes are read back from JSON; data of another shape are refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import pytest

from ludex.grammar import rebuilt_value


@dataclass(frozen=True)
class Inner:
    word: Literal["a", "b"]
    pair: tuple[str, int]


@dataclass(frozen=True)
class Outer:
    items: tuple[Inner, ...]
    named: Mapping[str, int]
    maybe: Inner | None = None
    anything: Any = None


WHOLE = Outer((Inner("a", ("x", 1)), Inner("b", ("y", 2))), {"n": 3}, None, [1, {"k": None}])


def test_written_data_are_read_back() -> None:
    assert rebuilt_value(Outer, json.loads(json.dumps(asdict(WHOLE)))) == WHOLE


@pytest.mark.parametrize(
    "data",
    [
        3,
        {"items": [], "named": {}, "more": 1},
        {"items": []},
        {"items": [{"word": "c", "pair": ["x", 1]}], "named": {}},
        {"items": [{"word": "a", "pair": ["x"]}], "named": {}},
        {"items": [{"word": "a", "pair": [1, "x"]}], "named": {}},
        {"items": {}, "named": {}},
        {"items": [], "named": {"n": "3"}},
        {"items": [], "named": {}, "maybe": 1},
    ],
)
def test_other_shapes_are_refused(data: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        rebuilt_value(Outer, data)
