"""The JSON form of a checked game is read back as an equal game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from ludex.spec import Game, Request, build, load, read_game, shipped_games
from ludex.spec.loading.packed_games import packed, unpacked_game


def tables() -> Iterator[tuple[str, Request]]:
    """Yield every shipped game for each number of players and edition, with and without borrowing."""
    for name in shipped_games():
        text = read_game(name)
        low, high = text.game.header.players
        for players in range(low, high + 1):
            for edition in text.names or (None,):
                for silence in ("borrow", "literal") if edition else ("borrow",):
                    yield name, Request(players, edition, silence)


def through_json(data: Any) -> Any:
    return json.loads(json.dumps(data))


@pytest.mark.drawn(4)
@pytest.mark.parametrize(("name", "request_"), tuple(tables()), ids=str)
def test_every_game_is_read_back(name: str, request_: Request) -> None:
    """Games are equal even if words of types differ, so the JSON forms are compared, too."""
    game = build(read_game(name), request_).game
    if game is None:
        pytest.skip("this text has no literal edition")
    data = packed(game)
    back = unpacked_game(through_json(data))
    assert back == game
    assert packed(back) == data


def test_values_keep_their_types() -> None:
    """True is not 1, an empty set is not an empty list, and `none` stays `none`."""
    options = [option for option in load("nim").options if isinstance(option.default, bool)]
    back = unpacked_game(through_json(packed(load("nim"))))
    assert options
    assert [option for option in back.options if isinstance(option.default, bool)] == options


def test_equal_parts_are_stored_once() -> None:
    back = unpacked_game(through_json(packed(load("boreal"))))
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
def test_only_classes_of_the_model_are_created(data: Any) -> None:
    with pytest.raises((LookupError, TypeError)):
        assert isinstance(unpacked_game(data), Game)
