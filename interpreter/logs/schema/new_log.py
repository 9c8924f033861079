"""Beginning of a log that somebody writes by hand in an editor: YAML with the place of its schema on the first line."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from ludex.grammar import Message, in_language
from ludex.spec import model as m

from ...play.engine import Engine
from ...state.api_arguments import checked
from ...state.events import Event, SpecFault
from ..record import new_recording, write_yaml_line
from ..structure import header_of, line_of


@checked(game=m.Game, schema_file=str)
def new_log(game: m.Game, schema_file: str, names: Sequence[str] = (), language: str = "en") -> str:
    """Return a log without events, in YAML, which is legal as far as it goes.

    Args:
        schema_file: the name of the schema's file, in the same folder; yaml-language-server reads it from the first
            line.
        names: the players' names by seat.
        language: of the remarks.

    Raises ValueError if there are names, but not one for each player.
    """
    begins, such_as = (in_language(text, language) for text in (Message("new-log-begins"), Message("new-log-example")))
    rows = [f"# yaml-language-server: $schema=./{quote(schema_file)}"]
    rows += new_recording(header_of(game, names).to_json(), "yaml").before.splitlines()
    # Without its braces the mapping is an item of a block.
    rows += ["events:", f"  - {write_yaml_line({'note': begins})[1:-1]}"]
    event = _first(game)
    if event is not None:
        example = write_yaml_line(line_of(game, event, names))
        rows += [f"  # {such_as}", f"  # - {example}"]
    return "".join(f"{row}\n" for row in rows)


def _first(game: m.Game) -> Event | None:
    """Return an event with which the game can begin; None if its rules fail."""
    try:
        engine = Engine(game)
        state = engine.start()
        chance = engine.chance(state)
        return chance[0][0] if chance else next(iter(engine.legal_moves(state)), None)
    # The rules may fail at the beginning already; the log is then begun without an example.
    except SpecFault:
        return None
