"""Starting spec: a whole small game, which an author replaces clause by clause by a game of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files

from ludex.grammar import RESERVED_WORDS

from .headers import MOST_PLAYERS

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_FILE = re.compile(r"[^\W_][\w .()-]*")
_NAMED = (
    "anna", "boris", "clara", "dora", "emil", "fanny", "gleb", "hana", "ivan", "julia", "karl", "lena", "mark", "nora",
    "oleg", "petra",
)  # fmt: skip


def new_spec(name: str, players: tuple[int, int] = (2, 2), texts: Mapping[str, str] | None = None) -> str:
    """Return the text of a spec that can be played, for an author to continue from.

    name: the name of the game; players: the least and the greatest number of players; texts: the file names of its
    rulebooks by siglum. Raises ValueError, with the reason for the author, if the header cannot state one of these.
    """
    texts = texts or {}
    for word in (name, *texts):
        _check_name(word)
    for file in texts.values():
        if not _FILE.fullmatch(file):
            raise ValueError(f"rename the file of the text: `{file}` has signs that a header cannot name")
    least, most = players
    if not 1 <= least <= most <= MOST_PLAYERS:
        raise ValueError(f"a game has from 1 to {MOST_PLAYERS} players: `4`, or `2..4`")
    header = [f"game {name}", f'  title: en "{name.replace("_", " ").capitalize()}"']
    header.append(f"  players: {least}" if least == most else f"  players: {least}..{most}")
    if texts:
        header.append("  document: " + ", ".join(f'{siglum} "{file}"' for siglum, file in texts.items()))
    header.append('  convention: "a game to begin with; put yours in its place"')
    shipped = files(__package__).joinpath("starting_spec.ludex").read_text(encoding="utf-8")
    rules = shipped.partition("\n\n")[2]  # after its header, which is one for two players
    game = "\n".join((*header, "", rules))
    return game.replace("  with anna, boris\n", f"  with {', '.join(_NAMED[:least])}\n")


def _check_name(word: str) -> None:
    if not _NAME.fullmatch(word):
        rule = "up to 40 of the letters a to z, digits and `_`, and a letter first"
        raise ValueError(f"`{word[:40]}` cannot be a name: a name has {rule}, as `king_of_cards`")
    if word in RESERVED_WORDS:
        raise ValueError(f"`{word}` is a word of the language; choose another name")
