"""Keywords and signs of the language, with their spelling in messages."""

from __future__ import annotations

from collections.abc import Iterable


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


RESERVED_WORDS = _set(
    """and as can choose cycle div draw during each else every except false fill for from has if implies in let match
    may mod move my no none not nothing of or otherwise put random remove repeat require shuffle some state swap then
    to true until when where window with within"""
)
"""Words that are never free as names (labels and fields are free anyway). One terminal each in the grammar."""

DECLARATION_WORDS = (
    "game", "part", "edition", "text", "type", "component", "zone", "state", "option", "window", "refill", "fact",
    "define", "note", "silent", "action", "setup", "play", "score", "winner", "invariant", "fork", "terms", "example",
)  # fmt: skip
"""Words that begin a line at column 1."""

STATEMENT_WORDS = _set(
    """require choose let if match each as repeat may random fill shuffle draw move put remove swap nothing else until
    except"""
)
"""Words that begin a line inside a block."""

_OTHER_NAMES = {
    "can": "able", "cycle": "ring", "draw": "drawn", "each": "single", "every": "whole", "fill": "filling",
    "for": "purpose", "match": "pair", "may": "allowed", "move": "step", "no": "number", "of": "owner", "put": "placed",
    "random": "luck", "remove": "removed", "repeat": "again", "require": "needed", "shuffle": "shuffled",
    "state": "status", "swap": "exchange", "to": "target", "window": "opening", "with": "partner",
}  # fmt: skip

NAME_WORDS = frozenset(_OTHER_NAMES)
"""Reserved words that authors take for names; the others rather show that something before them is missing."""


def other_name(word: str) -> str:
    """Return a name that is free, in place of a reserved word."""
    return _OTHER_NAMES.get(word, f"{word}_value")


FOREIGN_SIGNS = {
    "==": "write `=`",
    "===": "write `=`",
    "=<": "write `<=`",
    "<>": "write `!=`",
    "&&": "write `and`",
    "&": "write `and`",
    "||": "write `or`, or one `|` between the words of a type",
    "!": "write `not`",
    "%": "write `mod`",
    "/": "write `div`, the whole part of a division",
    "->": "write `=>` in an arm; results of a `define` are typed with `:`",
    "**": "the language has no powers; write the product",
    ";": "write one statement on each line, without a mark at its end",
    "'": 'write texts in `"`',
    "`": 'write texts in `"`',
    "@": "write citations in square brackets, names in plain letters",
    "$": "names are plain letters, digits and `_`",
    "]": "square brackets belong to citations; an index is written `row(1)`",
    "\\": "a line that begins with `and`, `or`, `where`, `+` and the like continues the line above by itself",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `!=`",
    "×": "write `*`",
    "−": "write `-`, the plain minus sign",
    "–": "write `-`, the plain minus sign",
    "—": "write `-`, the plain minus sign",
    "…": "write `..`",
    "“": 'write the plain quote `"`',
    "”": 'write the plain quote `"`',
    "„": 'write the plain quote `"`',
    "«": 'write the plain quote `"`',
    "»": 'write the plain quote `"`',
    "\u00a0": "write a plain space",
}
"""The replacement for each sign that the language does not have."""

SIGNS = {
    "ASSIGN": ":=", "ADD": "+=", "SUBTRACT": "-=", "ARROW": "=>", "SPAN": "..", "DOT": ".", "COMMA": ",", "COLON": ":",
    "QUESTION": "?", "BAR": "|", "OPEN_ROUND": "(", "CLOSE_ROUND": ")", "OPEN_CURLY": "{", "CLOSE_CURLY": "}",
    "EQ": "=", "NE": "!=", "LE": "<=", "LT": "<", "GE": ">=", "GT": ">", "PLUS": "+", "MINUS": "-", "STAR": "*",
    "IS_FILLED": "is not empty", "TOP": "top(", "COUNT": "count(", "THE": "the(", "FIRST": "first(",
    "OMISSION": "silent",
}  # fmt: skip
"""Terminals that are not spelled like their names."""

FUNCTION_WORDS = _set("COUNT THE FIRST SUM MAX MIN SET BAG LIST TOP")
"""Terminals that are words of the language before a bracket only."""

VALUE_STARTS = FUNCTION_WORDS | _set(
    "INT TRUE FALSE NONE NAME MY TNAME CAN OPEN_ROUND OPEN_CURLY MINUS SOME EVERY NO NOT IF"
)
"""Terminals that begin a value."""

STEP_WORDS = frozenset(word.upper() for word in STATEMENT_WORDS - _set("match if nothing else until except"))
"""Terminals that begin a step and no value, and are words that an author may use as a name."""
STEP_PHRASES = _set("EACH_PLAYER ALL_PLAYERS MOVE_ALL END_GAME")
"""Terminals that begin a step and cannot be read as a name."""

_STATEMENT_STARTS = frozenset(word.upper() for word in STATEMENT_WORDS) | _set(
    "NAME MY LABEL EACH_PLAYER ALL_PLAYERS MOVE_ALL END_GAME WINDOW STATE"
)
_OPERATORS = _set(
    """PLUS MINUS STAR DIV MOD EQ NE LE LT GE GT IN NOT_IN IS_EMPTY IS_FILLED AND OR IMPLIES DOT SPAN OPEN_ROUND
    QUESTION"""
)
_CHECKS = _set("GIVEN AFTER AFTER_CHANCE ALLOW REFUSE EXPECT WITH")

_GROUPS: tuple[tuple[str, frozenset[str], str], ...] = (
    ("COUNT", VALUE_STARTS, "a value"),
    ("SET_OF", _set("TNAME INT MINUS NAME OPEN_ROUND SET_OF BAG_OF LIST_OF"), "a type"),
    ("PILE_OF", _set("PILE_OF BAG_OF ONE"), "`pile of`, `bag of` or `one` and a type"),
    ("SHUFFLE", _STATEMENT_STARTS, "a statement"),
    ("STAR", _OPERATORS, "an operator"),
    ("CITE", _set("CITE RULING CONVENTION NEWLINE"), "the end of the line"),
    ("GIVEN", _CHECKS, "`with`, `given`, `after`, `allow`, `refuse` or `expect`"),
)
"""Groups of terminals: a terminal that shows the group, the terminals of the group, its name in messages."""

_SINGLE = {
    "NAME": "a name",
    "TNAME": "a type's name",
    "LABEL": "a label such as `pay:`",
    "STRING": 'a text in `"`',
    "INT": "a number",
    "NEWLINE": "the end of the line",
    "_INDENT": "a block below",
    "_DEDENT": "the end of the block",
    "$END": "the end of the declaration",
}


_SELDOM = frozenset({
    "DOT", "OPEN_ROUND", "CYCLE", "QUESTION", "VARIANT", "OMISSION", "RULED", "ORDER", "_DEDENT", "_INDENT", "$END",
})  # fmt: skip
"""Terminals that are often possible and hardly ever what the author forgot, so they are not listed."""


_PLACES = {"PILE_OF": 0, "GIVEN": 0, "STAR": 2, "CITE": 3, "NEWLINE": 3}
"""The order of descriptions by terminal: words of the language first, what is possible almost anywhere last."""
_ARITHMETIC = _set("PLUS MINUS STAR DIV MOD")
"""Operators, which are not listed where only a sum is possible (a bound, the piece of a `put`)."""


def spelling(terminal: str) -> str:
    """Return a terminal as an author writes it."""
    return SIGNS.get(terminal, terminal.lower().replace("_", " "))


def describe(expected: Iterable[str], limit: int = 4) -> str:
    """Describe the expected terminals in few words: "a name, `in` or the end of the line".

    limit: how many descriptions are listed."""
    left = set(expected)
    seldom = _SELDOM if "NE" in left else _SELDOM | _ARITHMETIC
    if left - seldom:
        left -= seldom
    descriptions: dict[str, str] = {}
    for mark, group, called in _GROUPS:
        if mark in left:
            descriptions[mark] = called
            left -= group
    descriptions |= {terminal: _SINGLE[terminal] for terminal in _SINGLE if terminal in left}
    words = {terminal: f"`{spelling(terminal)}`" for terminal in sorted(left - set(_SINGLE))}
    descriptions |= words
    order = {**dict.fromkeys(words, 0), **_PLACES}
    shown = [descriptions[each] for each in sorted(descriptions, key=lambda each: order.get(each, 1))][:limit]
    return " or ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown) or "nothing more"
