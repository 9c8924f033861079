"""The whole output of commands, compared with golden files. `pytest --record` writes the files: read
every difference.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .running import compare, ludex, shown
from .specs import CHAIRS, ENDLESS_SUM, FAILING, write, write_chairs, write_ferry

LOGS, BAD_LOGS = "spec/games", "tests/games/bad_logs"
POKER_BY_HAND = "jack\nking\n1\nbet\npass\n"
"""Two dealt cards, then moves by number and by name."""

CASES: dict[str, tuple[str, ...]] = {
    "help": ("--help",),
    "help_check": ("check", "--help"),
    "help_play": ("play", "--help"),
    "games_json": ("games", "pig", "--format", "json"),
    "check_clean": ("check", "pig", "tic_tac_toe"),
    "check_faults": ("check", "TMP/faulty/faulty.ludex"),
    "check_json": ("check", "TMP/faulty/faulty.ludex", "--format", "json"),
    "check_unknown": ("check", "tick_tac_toe"),
    "check_setting": ("check", "pig", "--players", "7"),
    "check_tokens": ("check", "TMP/sums", "--stage", "tokens"),
    "check_tree": ("check", "TMP/sums", "--stage", "tree"),
    "check_declarations": ("check", "TMP/chairs", "--stage", "declarations"),
    "check_model": ("check", "TMP/sums", "--stage", "model"),
    "fmt_diff": ("fmt", "--diff", "TMP/untidy/untidy.ludex"),
    "test_failing": ("test", "TMP/failing"),
    "test_json": ("test", "TMP/failing", "--format", "json"),
    "coverage": ("coverage", "TMP/chairs"),
    "validate_bad": ("validate", f"{BAD_LOGS}/tic_tac_toe/claim-free.jsonl"),
    "validate_several": ("validate", *(f"{each}/kuhn_poker" for each in (BAD_LOGS, LOGS))),
    "validate_editions": ("validate", "--edition", "all", f"{LOGS}/bora_bora/logs/full.jsonl"),
    "validate_json": ("validate", f"{LOGS}/kuhn_poker/logs/full.jsonl", "--format", "json"),
    "simulate": ("simulate", "kuhn_poker", "--games", "30", "--seed", "3", "--audit"),
    "simulate_json": ("simulate", "kuhn_poker", "--games", "30", "--seed", "3", "--format", "json"),
    "simulate_fault": ("simulate", "TMP/sums", "--games", "2"),
    "diff_boreal": ("diff", "boreal", "--no-play"),
    "perft": ("perft", "tic_tac_toe", "--depth", "12"),
    "perft_json": ("perft", "pig", "--players", "3", "--depth", "3", "--by", "turn", "--format", "json"),
    "perft_fault": ("perft", "TMP/sums", "--depth", "9"),
    "show_middle": ("show", f"{LOGS}/kuhn_poker/logs/full.jsonl", "--at", "3"),
    "show_as": ("show", f"{LOGS}/kuhn_poker/logs/full.jsonl", "--at", "3", "--as", "2"),
    "show_end": ("show", f"{LOGS}/tic_tac_toe/logs/full.jsonl"),
    "show_rows": ("show", f"{LOGS}/backgammon/logs/full.jsonl", "--at", "20"),
    "show_ru": ("show", f"{LOGS}/kuhn_poker/logs/full.jsonl", "--lang", "ru"),
    "show_he": ("show", f"{LOGS}/kuhn_poker/logs/full.jsonl", "--at", "3", "--as", "2", "--lang", "he"),
    "show_signs": ("show", f"{LOGS}/english_draughts/logs/full.jsonl", "--at", "30", "--lang", "ru"),
    "show_gaps": ("show", f"{LOGS}/nine_mens_morris/logs/full.jsonl", "--at", "30"),
    "show_board": ("show", f"{LOGS}/othello/logs/full.jsonl", "--at", "20"),
    "show_json": ("show", f"{LOGS}/kuhn_poker/logs/full.jsonl", "--at", "2", "--format", "json"),
    "simulate_edition": ("simulate", "TMP/ferry", "--edition", "he", "--games", "5", "--audit"),
    "simulate_literal": ("simulate", "TMP/ferry", "--edition", "en", "--silence", "literal", "--games", "5"),
    "simulate_all": ("simulate", "TMP/ferry", "--edition", "all", "--games", "5"),
    "simulate_all_literal": ("simulate", "TMP/ferry", "--edition", "all", "--silence", "literal", "--games", "3"),
    "test_all": ("test", "TMP/ferry", "--edition", "all"),
    "test_editions_json": ("test", "TMP/ferry", "--format", "json"),
    "check_all": ("check", "boreal", "--edition", "all", "--players", "2"),
    "merged": ("show", "--merged", "he", "TMP/ferry"),
    "merged_words": ("show", "TMP/ferry", "--merged", "margin", "--sources", "TMP/books"),
    "merged_literal": ("show", "--merged", "he", "--silence", "literal", "TMP/ferry"),
    "merged_json": ("show", "--merged", "he", "TMP/ferry", "--format", "json"),
    "merged_alone": ("show", "--merged", "pig", "pig"),
    "merged_unknown": ("show", "--merged", "margim", "TMP/ferry"),
    "merged_mixed": ("show", "--merged", "en", "TMP/ferry", "--at", "3"),
    "show_mixed": ("show", f"{LOGS}/pig/logs/full.jsonl", "--silence", "literal"),
    "show_bad": ("show", f"{BAD_LOGS}/tic_tac_toe/claim-free.jsonl"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_chairs(tmp_path)
    write_ferry(tmp_path)
    write(tmp_path, "sums", ENDLESS_SUM)
    write(tmp_path, "failing", FAILING)
    write(
        tmp_path,
        "faulty",
        FAILING.replace("game failing", "game faulty").replace("my seated\n  sit", "me seated\n  sit"),
    )
    write(
        tmp_path, "untidy", CHAIRS.replace("game chairs", "game untidy").replace("seated(Player)", " seated( Player )")
    )
    return tmp_path


@pytest.mark.parametrize("name", CASES)
def test_a_command_prints_what_is_recorded(name: str, folder: Path, request: pytest.FixtureRequest) -> None:
    args = [arg.replace("TMP", str(folder)) for arg in CASES[name]]
    compare(name, shown(ludex(*args), folder), request)


def test_a_play_with_cards_entered_by_hand_prints_what_is_recorded(request: pytest.FixtureRequest) -> None:
    ran = ludex("play", "kuhn_poker", "--names", "Anna,Boris", "--chance", "enter", stdin=POKER_BY_HAND)
    compare("play_poker", shown(ran), request)


def test_a_play_with_dice_by_seed_prints_what_is_recorded(request: pytest.FixtureRequest) -> None:
    ran = ludex("play", "pig", "--players", "3", "--seed", "5", stdin="1\nhold\nroll\nlog\nquit\n")
    compare("play_pig", shown(ran), request)


def test_every_golden_file_is_used() -> None:
    files = {path.stem for path in (Path(__file__).parent / "golden").iterdir()}
    others = {"play_poker", "play_pig", "coverage_story", "validate_all", "validate_boreal"}
    assert files <= CASES.keys() | others
