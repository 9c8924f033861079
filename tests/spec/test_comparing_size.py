"""Ten times the clauses are ten times the work: nothing is compared two by two."""

from __future__ import annotations

import sys
from types import FrameType

import pytest

from ludex.grammar import parse
from ludex.grammar import syntax as s
from ludex.spec.comparing import compare

GAME = "game made\n  players: 2\n  editions: en, ru\n"


def of_actions(number: int, edition: str) -> str:
    """Actions of three clauses; some that only one edition has, some that differ, some by another name."""
    other = edition == "ru"
    return "\n\n".join(
        f"action act_{at}{'_ru' if other and at % 5 == 0 else ''}\n"
        f"  require free: free({at}) and near({at})  [{edition} {3 * at + 1}]\n"
        f"  pay: points(me) -= {at + (other and at % 3 == 0)}  [{edition} {3 * at + 2}]\n"
        f"  gain_{'x' if other and at % 4 == 0 else 'y'}: reward({at}, {at})  [{edition} {3 * at + 3}]"
        for at in range(number)
    )


def of_steps(number: int, edition: str) -> str:
    """One action of many clauses, many of which only one edition has."""
    kept = [at for at in range(number) if edition == "en" or at % 3]
    return "action act\n" + "\n".join(f"  step_{at}: points(me) += {at}  [{edition} {at + 1}]" for at in kept)


def of_helpers(number: int, edition: str) -> str:
    """Helpers that one edition has and the other writes out."""
    if edition == "ru":
        return "\n".join(f"score s_{at}: x({at}) * y(me) + {at}" for at in range(number))
    helpers = (f"define h_{at}(p: Player) = x({at}) * y(p) + {at}\n\nscore s_{at}: h_{at}(me)" for at in range(number))
    return "\n\n".join(helpers)


def of_conditions(number: int, edition: str) -> str:
    """Conditions that one edition writes in a define and the other where it is used."""
    inside, around = ("if big(p) then ", " else 0"), ("", "")
    if edition == "en":
        inside, around = around, ("if big(me) then ", " else 0")
    return "\n\n".join(
        f"define h_{at}(p: Player) = {inside[0]}x({at}) * y(p){inside[1]}\n\n"
        f"score s_{at}: {around[0]}h_{at}(me){around[1]}"
        for at in range(number)
    )


def of_requirements(number: int, edition: str) -> str:
    """One action that asks for much, otherwise in each edition."""
    asked = "a({0}) and size(b({0})) > 1" if edition == "ru" else "b({0}) is not empty and a({0})"
    return "action act\n" + "\n".join(f"  require r_{at}: {asked.format(at)}" for at in range(number))


def module(text: str, edition: str) -> s.Module:
    parsed = parse(f"edition {edition} of made\n\n{text}\n" if edition else text, f"{edition}.ludex")
    assert not parsed.diagnostics, parsed.diagnostics
    return parsed.module


def calls(texts: dict[str, s.Module], game: s.Module) -> int:
    """How many functions are called to compare them."""
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        compare(texts, game)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.drawn(1)
@pytest.mark.parametrize(
    "made", [of_actions, of_steps, of_helpers, of_conditions, of_requirements], ids=lambda made: made.__name__
)
def test_work_grows_with_the_number_of_clauses(made: object) -> None:
    assert callable(made)
    game = module(GAME, "")
    few, many = (calls({name: module(made(number, name), name) for name in ("en", "ru")}, game) for number in (15, 150))
    assert many < 13 * few, "ten times the clauses take more than ten times the work: is something compared two by two?"
