"""Node classes compare, hash and show their instances as data classes do."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ludex.grammar import node


@node
class Leaf:
    name: str
    place: int = field(default=0, compare=False)


@node
class Twig:
    name: str
    place: int = 0


@dataclass(frozen=True)
class Data:
    name: str
    place: int = field(default=0, compare=False)


def test_fields_say_what_is_equal() -> None:
    assert Leaf("a", 1) == Leaf("a", 2)
    assert hash(Leaf("a", 1)) == hash(Leaf("a", 2))
    assert replace(Leaf("a"), name="b") != Leaf("a")
    assert Twig("a", 1) != Twig("a", 2)


def test_another_class_is_another_node() -> None:
    assert Leaf("a") != Twig("a")  # type: ignore[comparison-overlap]


def test_it_is_shown_as_a_data_class_is() -> None:
    assert repr(Leaf("a", 1)) == repr(Data("a", 1)).replace("Data", "Leaf")
