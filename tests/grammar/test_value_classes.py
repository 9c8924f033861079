"""Value classes compare, hash and show their instances as data classes do."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ludex.grammar import value_class


@value_class
class Leaf:
    name: str
    place: int = field(default=0, compare=False)


@value_class
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


def test_an_instance_of_another_class_is_not_equal() -> None:
    assert Leaf("a") != Twig("a")  # type: ignore[comparison-overlap]


def test_it_is_shown_as_a_data_class_is() -> None:
    assert repr(Leaf("a", 1)) == repr(Data("a", 1)).replace("Data", "Leaf")
