"""Plays as logs: the header of a game at a table, and the claim with which a whole log ends."""

from __future__ import annotations

from ludex.spec import model as m
from ludex.spec import to_json

from .engine import Engine
from .log_header import Header
from .state import State


def header_of(game: m.Game, names: tuple[str, ...] = ()) -> Header:
    """The header of logs of this game at this table, with the fingerprint of its rules; what is at its default is left
    out. names: the players', by seat."""
    options = {option.name: to_json(option.type, option.value) for option in game.options if _is_set(option)}
    return Header(
        game=game.name,
        players=game.players,
        names=names,
        edition=game.edition if game.editions else None,
        silence=None if game.silence == "borrow" else game.silence,
        fingerprint=game.fingerprint,
        options=options,
        readings={fork.name: fork.chosen for fork in game.forks if fork.chosen != fork.default},
    )


def _is_set(option: m.OptionSetting) -> bool:
    return bool(option.value != option.default)


def end_claim(engine: Engine, state: State) -> dict[str, object]:
    """The last line of the log of a play that has ended: what the recorder says of the end."""
    outcome = engine.winners(state)
    winners = [] if outcome.undecided else [seat + 1 for seat in outcome.winners]
    return {"claim": {"scores": list(engine.returns(state)), "winners": winners, "terminal": True}}
