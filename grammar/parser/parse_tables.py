"""LALR parse tables of `ludex.lark`, built by Lark and cached.

Making the tables takes most of a second, reading them a few hundredths of a second. Therefore the build makes them
(`setup.py`). If they are for another version of Lark or Python, or there was no build, the first run caches them in the
user's cache folder.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from ..files.cache import cache_folder, keep, kept


@cache
def load_tables() -> Lark:
    """Return the LALR parser for one unit of a text; see `ludex.lark`."""
    return tables_for(grammar_text())


def tables_for(text: str) -> Lark:
    """Return the parser of a grammar, from the tables of the build or of the cache; else make it and cache its
    tables."""
    folder = cache_folder()
    # The tables of the build are tried first: they are there for all users.
    places = [Path(__file__).parents[1], *([folder] if folder else [])]
    for place in places:
        parser = kept(place / _file_name(text), _parser_of)
        if parser is not None:
            return parser
    parser = make_tables(text)
    if folder is not None:
        keep(folder / _file_name(text), _tables_of(parser))
    return parser


def ship_tables(folder: Path) -> None:
    """Write the tables into the folder of the package that is built, for the Lark and the Python of the build."""
    text = grammar_text()
    keep(folder / _file_name(text), _tables_of(make_tables(text)), mode=None)  # other users may install it


def grammar_text() -> str:
    """Return the text of `ludex.lark`."""
    return files(__package__.rpartition(".")[0]).joinpath("ludex.lark").read_text(encoding="utf-8")


def make_tables(text: str, strict: bool = False) -> Lark:
    """Build the parser of a grammar.

    strict: make conflicts and ambiguous terminals errors. Only the tests do so, since it is slow and needs another
    package."""
    return Lark(
        text,
        parser="lalr",
        lexer="basic",
        start="unit",
        strict=strict,
        # The places of the nodes come from these.
        propagate_positions=True,
        # Optional parts are recognised by their kinds, so the children need no placeholders.
        maybe_placeholders=False,
    )


def _file_name(text: str) -> str:
    """Name the cache file after everything that the tables depend on."""
    made_from = f"{lark.__version__} {sys.version_info[:2]} {text}"
    return f"grammar-{sha256(made_from.encode()).hexdigest()[:16]}.json"


def _tables_of(parser: Lark) -> Any:
    """Return the tables of a parser as JSON data, which Lark itself would only pickle.

    Lark's dictionaries with keys from 0 on become lists, and each action, which many states share, is written once."""
    # The tables are JSON, since a pickle runs the code of its writer when it is read (docs/decisions.md).
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    table = data["parser"]["parser"]
    actions = {_key(action): action for state in table["states"].values() for action in state.values()}
    numbers = {key: number for number, key in enumerate(actions)}
    rows = [[(token, numbers[_key(action)]) for token, action in state.items()] for state in _listed(table["states"])]
    table |= {"tokens": _listed(table["tokens"]), "states": [list(chain(*row)) for row in rows]}
    return {"data": data, "memo": _listed(memo), "actions": list(actions.values())}


def _parser_of(tables: Any) -> Lark:
    """Rebuild the parser from the data of `_tables_of`."""
    table, actions = tables["data"]["parser"]["parser"], tables["actions"]
    table["tokens"] = dict(enumerate(table["tokens"]))
    table["states"] = {
        number: dict(zip(row[::2], [actions[at] for at in row[1::2]], strict=True))
        for number, row in enumerate(table["states"])
    }
    return Lark.load({"data": tables["data"], "memo": dict(enumerate(tables["memo"]))})


def _key(action: Any) -> str:
    return json.dumps(action)


def _listed(numbered: dict[int, Any]) -> list[Any]:
    assert sorted(numbered) == list(range(len(numbered)))
    return [numbered[number] for number in range(len(numbered))]
