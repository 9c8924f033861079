"""Hebrew at a terminal: options, quoted texts and lines of the notation are displayed in their order."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ludex.cli.reporting import printable, translated
from ludex.cli.view.cheat_sheet import cheat_sheet
from ludex.cli.view.observation_text import Viewer
from ludex.grammar import Argument, Message
from ludex.interpreter import Engine, Move, Validator, parse_log
from ludex.spec import shipped_games

from ..displayed import displayed, in_reading_order, reordered_literals
from ..grammar.test_messages import ENTRIES
from ..once import engine_once, game_once

NUMBERS = (0, 1, 2, 3, 11)
"""Of each plural form of Hebrew."""
LINES = """Game: tic_tac_toe
Players: אנה, Boris

אנה: claim 2,2
Boris: claim 2,2
"""


def at_terminal(monkeypatch: pytest.MonkeyPatch, is_one: bool = True) -> None:
    """Let texts be made for a terminal."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: is_one)


def samples(name: str) -> list[dict[str, Argument]]:
    """Arguments for an entry, of every form that it has."""
    entry = ENTRIES["he"][name]
    plain: dict[str, Argument] = dict.fromkeys(entry.names, "a.b")
    plain |= {each: 5 for each in entry.names if f"{each}-grouped" in entry.printed}
    forms: dict[str, list[Argument]] = {
        each: [*NUMBERS] if keys <= {"one", "two", "other", "many"} else [*sorted(keys)]
        for each, keys in entry.selectors
    }
    most = max(map(len, forms.values()), default=1)
    return [{**plain, **{each: values[at % len(values)] for each, values in forms.items()}} for at in range(most)]


@pytest.mark.parametrize("name", sorted(ENTRIES["he"]))
def test_what_a_phrase_quotes_is_displayed_in_its_order(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    at_terminal(monkeypatch)
    for arguments in samples(name):
        row = printable(translated(Message(name, **arguments), "he"))
        assert row.startswith("\u2067")
        assert reordered_literals(row) == [], displayed(row)


def test_a_text_without_marks_would_be_reordered() -> None:
    assert displayed("\u2067השורה: --fill\u2069") == "fill-- :הרושה"
    assert reordered_literals("\u2067השורה: --fill\u2069") == ["--fill"]
    assert reordered_literals("\u2067השורה: \u2066`--fill`\u2069\u2069") == []


@pytest.mark.drawn(3)
@pytest.mark.parametrize("name", shipped_games())
def test_a_cheat_sheet_is_displayed_in_the_order_of_its_notation(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    engine = engine_once(game_once(name))
    at_terminal(monkeypatch, False)
    plain = list(texts_of(engine))
    at_terminal(monkeypatch)
    assert [in_reading_order(printable(text)) for text in texts_of(engine)] == plain


def texts_of(engine: Engine) -> Iterator[str]:
    """Yield what the Hebrew cheat sheet of a game shows in the notation."""
    sheet = cheat_sheet(engine, "he")
    for row in (*sheet.moves, *sheet.chances, *sheet.lines):
        yield from (row.form, row.example)
    yield from (line for line, _ in sheet.beginning)
    yield from sheet.words[-1][1]


def test_a_move_is_displayed_alike_by_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    at_terminal(monkeypatch)
    game = game_once("tic_tac_toe")
    (fault,) = Validator(game_once).validate(parse_log(LINES, "log.ludexlog")).findings
    viewer = Viewer(game, ("אנה", "Boris"), "he")
    move = Move(0, "claim", (("cell", 4),))
    shown = in_reading_order(printable(viewer.notation(move)))
    assert shown == "אנה: לתפוס 2,2"
    said = in_reading_order(printable(translated(fault.message, "he")))
    assert f"`{shown.replace('אנה', 'Boris')}`" in said
    legal = [in_reading_order(printable(translated(line, "he"))) for line in fault.legal]
    assert "Boris: לתפוס 1,2" in legal
