"""A checked game comes back from JSON as it was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from ludex.spec import Game, Request, build, load, read_game, shipped_games
from ludex.spec.loading.packed_games import packed, unpacked


def tables() -> Iterator[tuple[str, Request]]:
    """Every shipped game for each number of players, in each edition, whole and alone."""
    for name in shipped_games():
        text = read_game(name)
        low, high = text.game.header.players
        for players in range(low, high + 1):
            for edition in text.names or (None,):
                for silence in ("borrow", "literal") if edition else ("borrow",):
                    yield name, Request(players, edition, silence)


def through_json(data: Any) -> Any:
    return json.loads(json.dumps(data))


@pytest.mark.drawn(2, by=lambda name, request_: name)
@pytest.mark.parametrize(("name", "request_"), tuple(tables()), ids=str)
def test_every_game_is_read_back(name: str, request_: Request) -> None:
    """What two games compare without (the words of a type) is seen in how they are written."""
    game = build(read_game(name), request_).game
    if game is None:
        pytest.skip("this text alone makes no game")
    data = packed(game)
    back = unpacked(through_json(data))
    assert back == game
    assert packed(back) == data


def test_values_keep_their_kinds() -> None:
    """True is no 1, an empty set no empty list, and what is none stays so."""
    options = [option for option in load("nim").options if isinstance(option.default, bool)]
    back = unpacked(through_json(packed(load("nim"))))
    assert options
    assert [option for option in back.options if isinstance(option.default, bool)] == options


def test_equal_parts_are_one() -> None:
    back = unpacked(through_json(packed(load("boreal"))))
    assert len({id(each.type) for each in back.elements}) < len(back.elements)
    assert back.elements[0] is back.element[back.elements[0].name]


@pytest.mark.parametrize(
    "data",
    [
        {"strings": [], "blocks": []},
        {"strings": [], "blocks": [["Never", {}, 1, []]]},
        {"strings": [], "blocks": [["Path", {}, 1, [["one", "/"]]]]},
        {"strings": [], "blocks": [["Span", {}, 1, [["one", "/"]]]]},
        {"strings": [], "blocks": [["Game", {}, 1, []]]},
        [],
    ],
    ids=str,
)
def test_nothing_else_is_made(data: Any) -> None:
    with pytest.raises((LookupError, TypeError)):
        assert isinstance(unpacked(data), Game)
