"""Catalogue of the diagnostics for rulings on rows of a comparison report: D1xx."""

from __future__ import annotations

from ludex.grammar import Code, codes_in

RULINGS_LAYOUT = Code(
    "D101",
    "rulings-layout",
    "A file of rulings does not have the expected layout, so its rulings cannot be read.",
    "Write a list `rulings`; each has `row`, the name of a row, `says`, ten letters, and `decision`. "
    "`ludex diff GAME --format rulings` writes such a file, to be filled in.",
)
RULING_EDITION = Code(
    "D103",
    "ruling-edition",
    "A ruling follows a text that the game does not have.",
    "Use the short name of one of the game's texts after `counts`, or leave it out.",
)
RULING_TWICE = Code(
    "D104",
    "ruling-twice",
    "Two rulings have the same row, so it is unclear which counts.",
    "Keep one of them; the other may go below it, under `earlier`.",
)
RULING_GAME = Code(
    "D105",
    "ruling-game",
    "A file of rulings is about another game.",
    "Name the file of this game; or correct the line `game:`, if the rulings are about this game after all.",
)

RULING_CODES = codes_in(globals())
