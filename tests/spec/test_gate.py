"""The gate: games with errors of `check` are not played; games with warnings are."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludex.grammar import Failure, Severity
from ludex.spec import SPEC_CODES, Game, GameText, Request, build, check, check_game, load, read_game

SAMPLES = Path(__file__).parent / "samples"
CHECKED = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())
SEVERITY = {code.code: code.severity for code in SPEC_CODES}


def refused(path: Path) -> set[str]:
    """Return the codes for which some table of the game is refused."""
    try:
        text = read_game(path)
    except Failure as failure:
        return {fault.code.code for fault in failure.diagnostics}
    return {fault.code.code for request in tables(text) for fault in build(text, request).errors}


def tables(text: GameText) -> list[Request]:
    low, high = text.game.header.players
    return [Request(players, edition) for edition in text.names or (None,) for players in range(low, high + 1)]


@pytest.mark.parametrize("code", CHECKED)
def test_an_error_refuses_and_a_warning_does_not(code: str) -> None:
    expected = {code} if SEVERITY[code] is Severity.ERROR else set()
    assert refused(SAMPLES / code / "bad.ludex") == expected


def test_the_reports_of_a_refusal_are_errors() -> None:
    with pytest.raises(Failure) as caught:
        load(SAMPLES / "E308" / "bad.ludex")
    assert [fault.code.code for fault in caught.value.diagnostics] == ["E308"]


SIZED = """\
game sample
  players: 2..3
  convention: "a sample"

option most: 9..10 = 9
state held: 1..9 = 12 - player_count - most

play
  turns: each player in seats
    choose n in 2..3
    held := n
"""


def test_errors_at_other_tables_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "sample.ludex"
    path.write_text(SIZED, encoding="utf-8")
    assert [each.code.code for each in check_game(path)] == ["T202"]
    assert load(path).players == 2
    with pytest.raises(Failure):
        load(path, players=3)
    with pytest.raises(Failure):
        load(path, options={"most": 10})


def test_faults_of_citations_do_not_prevent_play(tmp_path: Path) -> None:
    """A citation of a missing line is an error of `coverage` and only a warning of `check`."""
    path = tmp_path / "cited.ludex"
    text = (SAMPLES / "E308" / "good.ludex").read_text(encoding="utf-8")
    path.write_text(text.replace("\n\n", "\n\nnote odd [xx 12]\n\n", 1), encoding="utf-8")
    diagnostics = check(path).diagnostics
    assert [(each.code.code, each.is_error) for each in diagnostics] == [("A201", False)]
    assert isinstance(load(path), Game)
