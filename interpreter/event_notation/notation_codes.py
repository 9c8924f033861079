"""Diagnostic codes of the notation, L50x."""

from __future__ import annotations

from ludex.grammar import Code, codes_in

NOT_NOTATION = Code(
    "L500",
    "not-notation",
    "The text is not in the notation of events: it is neither a move (`Anna: claim 1,2`) nor an outcome of chance"
    " (`roll.throw = 4`), or a bracket or quotation mark in it is not closed.",
    "Mend it at the marked place; `ludex games GAME --moves` lists every move in the notation.",
)
WRONG_FORM = Code(
    "L501",
    "wrong-form",
    "A value does not have the form that the game needs here, or there are more values than the action takes.",
    "Write the value in the form that the message gives.",
)
DOUBTFUL_WORD = Code(
    "L502",
    "doubtful-word",
    "The word can mean several things of the game, so its meaning is unclear.",
    "Write one of the names that the message lists.",
)
HEADER_LINE = Code(
    "L503",
    "header-line",
    "A header line of a text log is not `Name: value`, repeats a tag, or is a player's line.",
    "Write one tag per line, such as `Game: boreal`; a blank line ends the header.",
)
NOTATION_CODES = codes_in(globals())
