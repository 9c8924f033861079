"""Mutants and controls of the benchmark: each is a game with one change."""

from __future__ import annotations

import json
import subprocess
import sys
from difflib import unified_diff
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from bench.mutations.operators import OPERATORS
from bench.mutations.provenance import state_of_code
from bench.mutations.results import (
    READ,
    is_called_same,
    is_detected,
    is_place_right,
    is_reported,
    is_shown,
    name_of,
    read,
    standing,
    write,
)
from bench.mutations.rewrites import REWRITES
from bench.mutations.sampling import ChangedText, Tally, changes, controls, mutants, rewritings
from bench.mutations.texts import Copy, Original, copied, originals, written
from bench.mutations.trial import Work, tried
from bench.mutations.truth import play, replays
from ludex.grammar import format_declaration, parse, same_meaning
from ludex.grammar import syntax as s
from ludex.interpreter import RowPlayer, RowResult, SearchLimits
from ludex.interpreter.witnesses import ShownWitness

ROOT = Path(__file__).parents[2]
GAMES = ("tic_tac_toe", "nim", "pig", "kuhn_poker")
"""The games; a run draws two of them for each test."""
MANY = 30
SOME = 12
LIGHT = Work(400, 10.0, 0)


@pytest.fixture(scope="module", params=GAMES)
def original(request: pytest.FixtureRequest) -> Original:
    game: str = request.param
    return next(originals(game))


@pytest.fixture(scope="module")
def tic_tac_toe() -> Original:
    return next(originals("tic_tac_toe"))


@pytest.fixture(scope="module")
def some_mutants(original: Original) -> list[ChangedText]:
    return mutants([original], SOME, 0, Tally())


@pytest.fixture(scope="module")
def some_controls(original: Original) -> list[ChangedText]:
    return controls([original], MANY, 0, Tally())


@pytest.fixture(scope="module")
def mutant(tic_tac_toe: Original) -> dict[str, ChangedText]:
    """Return the first mutant of tic-tac-toe by each operator, by the operator's name."""
    return _by_operator(mutants([tic_tac_toe], MANY, 0, Tally()))


def _by_operator(mutants_made: list[ChangedText]) -> dict[str, ChangedText]:
    return {each.operator: each for each in reversed(mutants_made)}


# ---- the original -------------------------------------------------------------------------------------------------


@pytest.mark.drawn(2)
def test_a_copy_without_a_change_is_the_same_game(original: Original) -> None:
    copy = copied(original, original.module)
    assert copy is not None
    assert copy.compared.same
    assert play(original, copy.text, 200, 10.0, 1).parted is None


def test_a_game_of_several_texts_is_copied_as_each_text_has_it() -> None:
    texts = list(originals("mangrovia"))
    assert len(texts) == 2
    assert all(not each.text.diagnostics for each in texts)


# ---- the mutants --------------------------------------------------------------------------------------------------


@pytest.mark.drawn(2)
def test_a_mutant_differs_in_one_declaration(some_mutants: list[ChangedText]) -> None:
    assert some_mutants
    for mutant in some_mutants:
        before, after = mutant.copy.original.game, mutant.copy.text.game
        assert _differing(before.module, after.module) == 1, (mutant.operator, mutant.told)
        rows, others = (file.text.splitlines()[1:] for file in (before, after))
        places = sum(line.startswith("@@") for line in unified_diff(rows, others, n=0, lineterm=""))
        assert places == 1 or (places == 2 and mutant.operator in ("order", "condition")), (
            mutant.operator,
            mutant.told,
        )


def _differing(left: s.Module, right: s.Module) -> int:
    """Return how many declarations differ, or are in one text only."""
    mine, theirs = (tuple(format_declaration(node) for node in each.declarations) for each in (left, right))
    return max(sum(each not in theirs for each in mine), sum(each not in mine for each in theirs))


@pytest.mark.drawn(1)
def test_printed_games_are_read_back(
    original: Original, some_mutants: list[ChangedText], some_controls: list[ChangedText]
) -> None:
    for mutant in (*some_mutants, *some_controls[:SOME]):
        again = copied(original, mutant.copy.module)
        assert again is not None
        assert same_meaning(again.text.game.module, mutant.copy.text.game.module)


def test_the_same_seed_draws_the_same_mutants(tic_tac_toe: Original) -> None:
    first, again, other = (mutants([tic_tac_toe], 12, seed, Tally()) for seed in (3, 3, 4))
    assert [each.id for each in first] == [each.id for each in again]
    assert [each.id for each in first] != [each.id for each in other]


@pytest.mark.drawn(2)
def test_operators_are_drawn_in_turn(original: Original) -> None:
    drawn = [each.operator for each in mutants([original], 8, 0, Tally())]
    assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize("game", ["mangrovia"])
def test_every_operator_and_rewrite_finds_a_place(game: str) -> None:
    """Operators that may find no place in a game are listed."""
    texts = next(originals(game))
    drawn = {name for name, _ in changes(texts)}
    assert {each.name for each in OPERATORS} - drawn == {"limit"}
    rewritten = {name for name, _ in rewritings(texts)}
    seldom = {"fact to number", "let put in", "name of a let", "if nested", "independent steps", "generators turned"}
    assert {each.name for each in REWRITES} - rewritten <= seldom


# ---- the verdicts --------------------------------------------------------------------------------------------------


def test_a_dropped_requirement_is_shown(tic_tac_toe: Original, mutant: dict[str, ChangedText]) -> None:
    line = tried(mutant["requirement"], tic_tac_toe, LIGHT)
    assert standing(line) == "changed"
    assert is_detected(line)
    assert is_place_right(line)
    assert is_shown(line)


def test_a_witness_of_another_mutant_does_not_replay(tic_tac_toe: Original, mutant: dict[str, ChangedText]) -> None:
    one, other = mutant["requirement"], mutant["winner"]
    shown = _whole(one.copy).shown
    assert shown is not None
    assert replays(shown, tic_tac_toe.text, one.copy.text)
    assert not replays(shown, tic_tac_toe.text, other.copy.text)


def test_points_without_a_value_in_one_text_are_a_difference() -> None:
    """The pot is divided by a number of winners that may be zero: the play ends, and the points have no value."""
    assert _witness("leduc_poker", "strength(p) = best", "strength(p) != best").right.scores is None


def test_a_game_that_never_reaches_a_move_is_a_difference() -> None:
    """The game loops until its budget is used up, and no event reaches the log."""
    assert len(_witness("connect_four", "      drop: drop\n", "").lines) == 1


def _witness(game: str, old: str, new: str) -> ShownWitness:
    """Return the witness found between a game and a copy with a change; its replay confirms it."""
    original = next(originals(game))
    copy = copied(original, parse(written(original.module).replace(old, new), "changed.ludex").module)
    assert copy is not None
    shown = _whole(copy).shown
    assert shown is not None
    assert replays(shown, original.text, copy.text)
    return shown


def test_only_clauses_that_a_text_attests_are_changed(tmp_path: Path) -> None:
    (tmp_path / "nimm.ludex").write_text(NIMM, encoding="utf-8")
    texts = {each.edition: each for each in originals(str(tmp_path / "nimm.ludex"))}
    clauses = {name: {draft.clause for _, draft in changes(each)} for name, each in texts.items()}
    assert clauses == {"ru": {"take.few", "take.away"}, "aid": {"take.away"}}


def test_the_name_of_a_mutant_survives_changes_elsewhere(tmp_path: Path) -> None:
    names = []
    for at, old in enumerate(("odd", "even")):
        path = tmp_path / str(at) / "nimm.ludex"
        path.parent.mkdir()
        path.write_text(NIMM.replace("odd", old), encoding="utf-8")
        (aid,) = [each for each in originals(str(path)) if each.edition == "aid"]
        names.append([mutant.id for mutant in mutants([aid], MANY, 0, Tally())])
    assert names[0] == names[1] != []


NIMM = """\
game nimm
  players: 2
  document: ru "ru.txt", aid "aid.txt"

text aid
  summary: ru

state heap: 0..9 = 9

play
  turns: repeat
    each player in seats
      turn: take
  until heap = 0

action take
  choose n in 1..3
  require few: n <= 2                                           [ru 3]
  require odd: n < 4                                            ruling "the heap is small"
  away: heap -= n down to 0                                     [ru 5] [aid 1]

score last: if heap = 0 then 1 else 0                           ruling "the last one counts"
"""


def _whole(copy: Copy) -> RowResult:
    row_pair = copy.compared.whole
    assert row_pair is not None
    return RowPlayer(SearchLimits(400, 20.0)).play(row_pair)


def test_plain_play_finds_plain_differences(tic_tac_toe: Original, mutant: dict[str, ChangedText]) -> None:
    assert play(tic_tac_toe, mutant["requirement"].copy.text, 400, 10.0, 0).parted == "legal-moves"


@pytest.mark.drawn(1)
def test_controls_play_alike(original: Original, some_controls: list[ChangedText]) -> None:
    for mutant in some_controls[:6]:
        assert play(original, mutant.copy.text, 150, 10.0, 0).parted is None, (mutant.operator, mutant.told)


@pytest.mark.drawn(1)
def test_texts_that_play_distinguishes_are_never_called_equivalent(
    original: Original, some_mutants: list[ChangedText]
) -> None:
    for mutant in some_mutants[:6]:
        line = tried(mutant, original, LIGHT)
        assert not (is_called_same(line) and standing(line) == "changed"), (mutant.operator, mutant.told)


def test_a_commuted_condition_is_not_reported(tic_tac_toe: Original) -> None:
    mutant = _by_operator(controls([tic_tac_toe], MANY, 0, Tally()))["commuted"]
    assert not is_reported(tried(mutant, tic_tac_toe, LIGHT))


def test_judgements_by_hand_are_of_the_games_as_they_are_now() -> None:
    """The quoted text is still in the game, and no mutant has two judgements."""
    known: list[dict[str, Any]] = json.loads(READ.read_text(encoding="utf-8"))
    names = [name_of(*(each[name] for name in ("game", "edition", "operator", "clause", "told"))) for each in known]
    assert len(set(names)) == len(known) > 10
    games = {each["game"] for each in known}
    texts = {(game, each.edition): written(each.module).splitlines() for game in games for each in originals(game)}
    for each in known:
        there = {line.partition("  [")[0].rstrip() for line in texts[each["game"], each["edition"]]}
        assert [row for row in each["told"] if row[0] == "-" and row[1:] not in there] == [], each


# ---- the run ------------------------------------------------------------------------------------------------------


def test_of_two_lines_the_later_counts(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    for seconds in (1, 2):
        write(path, {"run": "a", "id": "0a", "seconds": seconds})
    assert read(path) == {"a": {"0a": {"run": "a", "id": "0a", "seconds": 2}}}


def test_results_of_two_runs_are_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    for run in ("a", "b", "a"):
        write(path, {"run": run, "id": "0a"})
    assert list(read(path)) == ["b", "a"]


def test_an_unfinished_line_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text('{"run": "a", "id": "0a"}\n{"run": "a", "i', encoding="utf-8")
    assert [*read(path)["a"]] == ["0a"]
    write(path, {"run": "a", "id": "0b"})
    assert [*read(path)["a"]] == ["0a", "0b"]


@pytest.mark.skipif(which("git") is None, reason="git is not installed")
def test_uncommitted_changes_are_reported_by_their_content(tmp_path: Path) -> None:
    place = tmp_path / "spec"
    place.mkdir()
    assert state_of_code(tmp_path) == "unknown"
    options = ["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-q", "--allow-empty", "-m", "x"]
    for arguments in (["init", "-q"], options):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True)
    commit = state_of_code(tmp_path)
    assert "+" not in commit
    (place / "a.py").write_text("1", encoding="utf-8")
    first = state_of_code(tmp_path)
    (place / "a.py").write_text("2", encoding="utf-8")
    assert first.startswith(f"{commit}+")
    assert state_of_code(tmp_path) not in (commit, first)


def test_results_of_other_runs_are_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    _bench("--per-game", "1", "--controls", "0", "--out", str(path))
    (name,) = read(path)
    other = _bench("--per-game", "1", "--controls", "0", "--seed", "1", "--out", str(path))
    assert f"Not counted: 1 results of {name}" in other.stdout
    assert "mutants: 1," in other.stdout


def test_a_run_resumes(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    first = _bench("--per-game", "2", "--controls", "1", "--out", str(path))
    again = _bench("--per-game", "3", "--controls", "1", "--out", str(path))
    assert first.stderr.count(" s\n") == 3
    assert again.stderr.count(" s\n") == 1
    assert "| operator | mutants |" in again.stdout
    (lines,) = read(path).values()
    assert len(lines) == 4


def _bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench.mutations", "tic_tac_toe", "--effort", "400", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done
