"""Cells and names of which only some are settled: who asks for another is told so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal["cell", "slot"]
Key: TypeAlias = tuple[Kind, int]
"""A cell by its number, or a variable by its place in the question."""


class _Unset:
    """Stands where nothing is settled."""


UNSET = _Unset()


class Missing(Exception):
    """A cell or slot was asked for that is not settled."""

    def __init__(self, kind: Kind, at: int) -> None:
        self.kind, self.at = kind, at
        super().__init__()


class Partly(list[Any]):
    """Cells or slots of which some are not settled."""

    def __init__(self, kind: Kind, values: Iterable[Any]) -> None:
        super().__init__(values)
        self.kind: Kind = kind

    def __getitem__(self, at: Any) -> Any:
        value = super().__getitem__(at)
        if value is UNSET:
            raise Missing(self.kind, at)
        return value

    def __iter__(self) -> Iterator[Any]:
        for at in range(len(self)):
            yield self[at]

    def copy(self) -> Partly:
        return Partly(self.kind, super().__iter__())
