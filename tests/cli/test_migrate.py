"""`ludex migrate`: a log is carried to changed rules only if it records the same game under both."""

from __future__ import annotations

import gzip
import json
import re
from difflib import SequenceMatcher
from pathlib import Path
from shutil import copytree

import pytest
import yaml

from ludex.cli.reporting.exit_codes import Exit
from ludex.interpreter import parse_log, with_fingerprint
from ludex.spec import load

from ..letters import LETTERS
from .running import Ran, ludex

GAMES = Path(__file__).parents[2] / "spec" / "games"
CELLS = [(1, 1), (1, 2), (2, 2), (1, 3), (3, 3)]
"""Cross takes a diagonal."""


def changed(folder: Path, name: str, *changes: tuple[str, str]) -> Path:
    """Write a copy of tic-tac-toe with other rules."""
    copy = copytree(GAMES / "tic_tac_toe", folder / name)
    file = copy / "tic_tac_toe.ludex"
    text = file.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")
    return copy


def recorded(folder: Path, *more: str, events: int = 5, header: str = "") -> Path:
    """Write a log of the shipped tic-tac-toe."""
    moves = [
        {"player": at % 2 + 1, "action": "claim", "args": {"cell": {"row": row, "col": col}}}
        for at, (row, col) in enumerate(CELLS[:events])
    ]
    first = {"ludex": 1, "game": "tic_tac_toe", "fingerprint": load("tic_tac_toe").fingerprint, "players": 2}
    lines = [header or json.dumps(first), *map(json.dumps, moves), *more]
    path = folder / "log.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


NO_DIAGONALS = ("or column_of_three(p) or diagonal(p)", "or column_of_three(p)")


def migrate(log: Path | str, new: Path, *more: object) -> Ran:
    return ludex("migrate", log, "--to", new, *more)


def test_a_log_that_the_change_does_not_affect_is_carried_byte_for_byte(tmp_path: Path) -> None:
    log, new = recorded(tmp_path, '{"note":   "kept"}', events=3), changed(tmp_path, "new", NO_DIAGONALS)
    before = log.read_text(encoding="utf-8")
    ran = migrate(log, new, "--from-spec", "tic_tac_toe", "--out", tmp_path / "out")
    assert ran.code == Exit.GOOD, ran.output
    fingerprints = load("tic_tac_toe").fingerprint, load(new).fingerprint
    assert (tmp_path / "out" / "log.jsonl").read_text(encoding="utf-8") == before.replace(*fingerprints)
    assert log.read_text(encoding="utf-8") == before
    assert ludex("validate", tmp_path / "out", "--game", new).code == Exit.GOOD


def test_the_standard_input_is_read_once(tmp_path: Path) -> None:
    log = recorded(tmp_path).read_bytes()
    ran = ludex("migrate", "-", "-", "--to", "tic_tac_toe", stdin=log)
    assert ran.code == Exit.GOOD, ran.output
    assert "a second `-` was skipped\n" in ran.output
    assert "L402" not in ran.output


def test_a_log_that_continues_differently_is_refused_with_the_clause(tmp_path: Path) -> None:
    ran = migrate(recorded(tmp_path), changed(tmp_path, "new", NO_DIAGONALS), "--from-spec", "tic_tac_toe")
    assert ran.code == Exit.FINDINGS
    assert "log.jsonl:6:1: L531 after" in ran.output, "the last move must win"
    assert "what is awaited: nothing by the old rules, move by the changed ones" in ran.output
    assert "changed: line" in ran.output


def test_a_log_with_a_move_that_is_now_illegal_is_refused_with_the_clause(tmp_path: Path) -> None:
    strict = ("  require free: mark(cell) is empty\n", "  require free: mark(cell) is empty and cell.row < 3\n")
    ran = migrate(recorded(tmp_path), changed(tmp_path, "new", strict), "--from-spec", "tic_tac_toe")
    assert ran.code == Exit.FINDINGS
    assert "log.jsonl:6:" in ran.output
    assert "L530 legal by the old rules; by the changed ones:" in ran.output
    assert "why:   claim.free" in ran.output


def test_a_log_of_which_only_some_completions_stay_the_same_is_written_only_if_asked_for(tmp_path: Path) -> None:
    log, new = recorded(tmp_path, '{"gap": true}', events=2), changed(tmp_path, "new", NO_DIAGONALS)
    out = tmp_path / "out"
    ran = migrate(log, new, "--from-spec", "tic_tac_toe", "--out", out)
    assert (ran.code, "L533" in ran.output) == (Exit.FINDINGS, True)
    assert "log.jsonl: undecided, not migrated" in ran.output
    assert "1 log: 0 can be migrated, 0 cannot, 1 undecided" in ran.output
    assert list(out.iterdir()) == []
    told = json.loads(migrate(log, new, "--from-spec", "tic_tac_toe", "--format", "json").stdout)
    assert (told[0]["carried"], told[0]["undecided"]) == (False, True)
    asked = migrate(log, new, "--from-spec", "tic_tac_toe", "--out", out, "--undecided")
    assert (asked.code, "L533" in asked.output) == (Exit.GOOD, True)
    assert load(new).fingerprint in (out / "log.jsonl").read_text("utf-8")
    same = migrate(log, changed(tmp_path, "same"), "--from-spec", "tic_tac_toe")
    assert (same.code, "L533" in same.output) == (Exit.GOOD, False), "rules that are equal must need no completions"


def test_a_log_of_which_every_completion_stays_the_same_is_carried(tmp_path: Path) -> None:
    whole, new = recorded(tmp_path, events=3), changed(tmp_path, "new", NO_DIAGONALS)
    position = ludex("show", whole, "--format", "position").output
    header, *moves = recorded(tmp_path).read_text("utf-8").splitlines()
    behind = [json.dumps({"gap": 1}), json.dumps({"position": yaml.safe_load(position)["from"]})]
    for lines in ([*moves[:2], *behind], [*moves[:3], '{"gap": 1}']):
        whole.write_text("\n".join([header, *lines, ""]), "utf-8")
        ran = migrate(whole, new, "--from-spec", "tic_tac_toe")
        assert (ran.code, "L53" in ran.output) == (Exit.GOOD, False), "nobody can have a diagonal yet"


def test_too_many_completions_leave_a_log_undecided(tmp_path: Path) -> None:
    log, new = recorded(tmp_path, '{"gap": true}', events=0), changed(tmp_path, "new", NO_DIAGONALS)
    ran = migrate(log, new, "--from-spec", "tic_tac_toe")
    assert (ran.code, "too many possible games to compare" in ran.output) == (Exit.FINDINGS, True)


KUHN = {"ludex": 1, "game": "kuhn_poker", "players": ["Anna", "Boris"]}
BETS: list[dict[str, object]] = [{"player": name, "action": "bet"} for name in ("Anna", "Boris")]
UNKNOWN_DEALS: list[list[dict[str, object]]] = [
    [{"gap": "chance"}],
    [{"gap": 2}],
    [{"chance": "setup.deal", "outcome": "unknown"}] * 2,
    [{"deal": "setup.deal", "to": name, "cards": ["unknown"]} for name in ("Boris", "Anna")],
    [{"chance": "setup.deal", "outcome": "queen"}, {"gap": 1}],
]


@pytest.mark.parametrize("deal", UNKNOWN_DEALS)
def test_a_log_is_refused_if_no_completion_of_it_is_legal_by_both(
    deal: list[dict[str, object]], tmp_path: Path
) -> None:
    """The lower card wins by the changed rules, so that each possible deal contradicts the claim, or ends otherwise."""
    copy = copytree(GAMES / "kuhn_poker", tmp_path / "new") / "kuhn_poker.ludex"
    text = copy.read_text("utf-8").replace("card(p) > card(q)", "card(p) < card(q)")
    copy.write_text(text, "utf-8")
    log = tmp_path / "log.jsonl"

    def judged(*lines: dict[str, object]) -> Ran:
        log.write_text("".join(f"{json.dumps(each)}\n" for each in (KUHN, *deal, *lines)), "utf-8")
        return migrate(log, copy, "--from-spec", "kuhn_poker")

    claimed = judged(*BETS, {"claim": {"winners": ["Boris"]}})
    assert (claimed.code, "L530" in claimed.output) == (Exit.FINDINGS, True)
    assert f"log.jsonl:{len(deal) + 4}:1" in claimed.output, "the claim is what no completion fulfils"
    assert "changed: beats" in claimed.output
    unclaimed = judged(*BETS)
    assert (unclaimed.code, "L531" in unclaimed.output) == (Exit.FINDINGS, True)
    assert "for example: after" in unclaimed.output
    assert judged(BETS[0]).code == Exit.GOOD, "nobody has shown a card yet"


def test_points_are_compared_without_a_claim(tmp_path: Path) -> None:
    twice = ("score line: if my line then 1 else 0", "score line: if my line then 2 else 0")
    new = changed(tmp_path, "new", twice)
    ran = migrate(recorded(tmp_path), new, "--from-spec", "tic_tac_toe")
    assert "the points: [1, 0] by the old rules, [2, 0] by the changed ones" in ran.output
    assert "changed: score.line" in ran.output
    alone = migrate(recorded(tmp_path), new)
    assert (alone.code, "L533 warning" in alone.output) == (Exit.GOOD, True), (
        "points that depend on unknowns must not be compared"
    )


def test_a_share_that_differs_is_told_with_its_outcome(tmp_path: Path) -> None:
    new, log = tmp_path / "pig.ludex", tmp_path / "log.jsonl"
    rules = (GAMES / "pig" / "pig.ludex").read_text(encoding="utf-8")
    new.write_text(rules.replace("random die in 1..6", "random die in 1..8"), encoding="utf-8")
    header = {"ludex": 1, "game": "pig", "players": 2, "fingerprint": load("pig").fingerprint}
    lines = [header, {"player": 1, "action": "roll"}]
    log.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    ran = migrate(log, new, "--from-spec", "pig")
    assert "outcomes of roll.throw: 1 with 1/6 by the old rules, 1/8 by the changed ones" in ran.output


def test_the_old_rules_must_be_the_logs_own(tmp_path: Path) -> None:
    new = changed(tmp_path, "new", NO_DIAGONALS)
    ran = migrate(recorded(tmp_path), Path("tic_tac_toe"), "--from-spec", new)
    assert (ran.code, "L532" in ran.output) == (Exit.FINDINGS, True)


def test_a_log_of_another_game_is_not_carried(tmp_path: Path) -> None:
    log = recorded(tmp_path, events=3)
    for more in ((), ("--from-spec", "tic_tac_toe"), ("--from-spec", "nim")):
        ran = migrate(log, Path("nim"), *more)
        assert ran.code == Exit.FINDINGS
        assert 'L425 the given specification is of "nim"' in ran.output
        assert "L530" not in ran.output, "rules of another game do not judge the log"


def test_rules_with_errors_do_not_call_a_log_illegal(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "tic_tac_toe.ludex").write_text("game tic_tac_toe\nplayers 2\nnonsense\n", encoding="utf-8")
    for more in ((), ("--from-spec", "tic_tac_toe")):
        ran = migrate(recorded(tmp_path), tmp_path / "new" / "tic_tac_toe.ludex", *more)
        assert (ran.code == Exit.GOOD, "L530" in ran.output) == (False, False), ran.output


def test_the_folder_of_the_log_is_no_way_around_in_place(tmp_path: Path) -> None:
    log, new = recorded(tmp_path, events=3), changed(tmp_path, "new", NO_DIAGONALS)
    before = log.read_text(encoding="utf-8")
    assert migrate(log, new, "--from-spec", "tic_tac_toe", "--out", log.parent).code == Exit.USAGE
    assert log.read_text(encoding="utf-8") == before


def test_a_spec_with_errors_or_of_another_game_judges_no_log(tmp_path: Path) -> None:
    """That the log is illegal by the changed rules would be said of rules that never judged it."""
    log, broken = recorded(tmp_path), changed(tmp_path, "new", ("diagonal(p)", "diagonale(p)"))
    for new, code in ((broken, "L432"), (GAMES / "nim", "L425")):
        for more in ((), ("--from-spec", "tic_tac_toe")):
            ran = migrate(log, new, *more)
            assert (ran.code, code in ran.output, "L530" in ran.output) == (Exit.FINDINGS, True, False), ran.output


def test_a_folder_for_the_logs_is_not_that_of_the_log_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, new = recorded(tmp_path, events=3), changed(tmp_path, "new", NO_DIAGONALS)
    before = log.read_bytes()
    monkeypatch.chdir(tmp_path)
    for name, out in (("log.jsonl", "."), (str(log), str(tmp_path))):
        assert migrate(name, new, "--from-spec", "tic_tac_toe", "--out", out).code == Exit.USAGE
        assert log.read_bytes() == before
    assert migrate("log.jsonl", new, "--from-spec", "tic_tac_toe", "--in-place").code == Exit.GOOD
    assert log.read_bytes() != before


def test_a_log_is_overwritten_only_with_in_place_and_other_files_never(tmp_path: Path) -> None:
    log, new = recorded(tmp_path, events=3), changed(tmp_path, "new", NO_DIAGONALS)
    before = log.read_text(encoding="utf-8")
    assert migrate(log, new, "--from-spec", "tic_tac_toe").code == Exit.GOOD
    assert log.read_text(encoding="utf-8") == before, "without --in-place nothing may be written"
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "log.jsonl").write_text("mine", encoding="utf-8")
    assert migrate(log, new, "--out", tmp_path / "out").code == Exit.USAGE
    assert (tmp_path / "out" / "log.jsonl").read_text(encoding="utf-8") == "mine"
    assert migrate(log, new, "--in-place").code == Exit.GOOD
    assert log.read_text(encoding="utf-8") != before
    assert migrate(log, new, "--in-place", "--out", tmp_path).code == Exit.USAGE


def test_folders_and_files_of_many_logs_are_carried(tmp_path: Path) -> None:
    """Compressed files, too. A file with a log that cannot be carried is not changed."""
    log, new = recorded(tmp_path, events=3), changed(tmp_path, "new", NO_DIAGONALS)
    text = log.read_text(encoding="utf-8")
    below = tmp_path / "logs" / "old"
    below.mkdir(parents=True)
    (below / "two.jsonl").write_text(2 * text, encoding="utf-8")
    (below / "two.jsonl.gz").write_bytes(gzip.compress((2 * text).encode()))
    (below.parent / "bad.jsonl").write_text(f"{text}{recorded(tmp_path).read_text(encoding='utf-8')}", encoding="utf-8")
    (below.parent / "notes.txt").write_text("mine", encoding="utf-8")
    out = tmp_path / "out"
    ran = migrate(below.parent, new, "--from-spec", "tic_tac_toe", "--out", out)
    assert ran.code == Exit.FINDINGS
    assert "6 logs: 5 can be migrated, 1 cannot" in ran.output
    assert "1 file skipped" in ran.output
    assert "bad.jsonl:10:1: L531 after" in ran.output, "the report must name the line of the file"
    carried = 2 * text.replace(load("tic_tac_toe").fingerprint, load(str(new)).fingerprint)
    assert (out / "old" / "two.jsonl").read_text(encoding="utf-8") == carried
    assert gzip.decompress((out / "old" / "two.jsonl.gz").read_bytes()).decode() == carried
    assert sorted(path.name for path in out.rglob("*.*")) == ["two.jsonl", "two.jsonl.gz"]
    assert migrate(f"{below}/*.gz", new, "--in-place").code == Exit.GOOD
    assert gzip.decompress((below / "two.jsonl.gz").read_bytes()).decode() == carried


def test_a_refused_claim_is_answered_with_the_line_at_which_the_games_part(tmp_path: Path) -> None:
    copy = copytree(GAMES / "pig", tmp_path / "new") / "pig.ludex"
    text = copy.read_text("utf-8")
    assert "banked(me) += pot" in text
    copy.write_text(text.replace("banked(me) += pot", "banked(me) += pot - 1"), "utf-8")
    lines = [
        {"ludex": 1, "game": "pig", "players": 2},
        {"player": 1, "action": "roll"},
        {"chance": "roll.throw", "outcome": 4},
        {"player": 1, "action": "hold"},
        {"player": 2, "action": "roll"},
        {"claim": {"scores": [4, 0]}},
    ]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    ran = migrate(log, copy, "--from-spec", "pig")
    assert "log.jsonl:6:" in ran.output, "the claim is what the changed rules refuse"
    assert "log.jsonl:4:1: the games differ from here on: after" in ran.output
    assert "banked" in ran.output


PASSING = ("option passing: Bool = false", "option passing: Bool = true")
CARRIED_HEADERS = [
    ("game.jsonl", '{"ludex": 1, "game": "pig", "players": 2}\n', {"options": {"passing": False}}),
    ("game.jsonl", '{"ludex": 1, "game": "pig", "options": {}, "players": 2}\n', {"options": {"passing": False}}),
    ("game.jsonl", '{"ludex": 1, "game": "pig", "options": {"passing": true}, "players": 2}\n', {}),
    ("game.yaml", "- {ludex: 1, game: pig, players: 2}\n", {"options": {"passing": False}}),
    ("game.yaml", "ludex: 1  # mine\ngame: pig\nplayers: 2\nevents: []\n", {"options": {"passing": False}}),
    ("game.ludexlog", "# mine\nGame: pig\nFingerprint: FFFF\nPlayers: 2\n\n", {"options": {"passing": False}}),
    ("game.ludexlog", "Game: pig\nOption passing: true\nPlayers: 2\n\n", {}),
]


@pytest.mark.parametrize(("file", "text", "settings"), CARRIED_HEADERS)
def test_a_default_that_changed_is_written_into_the_header(
    file: str, text: str, settings: dict[str, object], tmp_path: Path
) -> None:
    """The log means the table at which it was played, also where its header left that to the default."""
    copy = copytree(GAMES / "pig", tmp_path / "new")
    (copy / "pig.ludex").write_text((copy / "pig.ludex").read_text("utf-8").replace(*PASSING), "utf-8")
    fingerprint = load(copy).fingerprint
    text = text.replace("FFFF", load("pig").fingerprint)
    (tmp_path / file).write_text(text, "utf-8")
    ran = migrate(tmp_path / file, copy, "--from-spec", "pig", "--out", tmp_path / "out")
    assert ran.code == Exit.GOOD, ran.output
    assert ("no longer defaults" in ran.output) is bool(settings)
    written = (tmp_path / "out" / file).read_text("utf-8")
    log = parse_log(written, file)
    old = parse_log(text, file).header
    assert log.header is not None
    assert old is not None
    assert log.header.data == {**(old.data or {}), **settings, "fingerprint": fingerprint}
    assert [line for line in text.splitlines() if "#" in line and line not in written] == []
    if "Fingerprint" in text:
        assert f"Fingerprint: {fingerprint}\n" in written, "no quotation marks were there"


def test_a_reading_that_is_no_default_any_more_is_written_into_the_header(tmp_path: Path) -> None:
    copy = copytree(GAMES / "boreal", tmp_path / "new") / "boreal.ludex"
    text = copy.read_text("utf-8").replace("default refilled", "default left_empty")
    copy.write_text(text, "utf-8")
    log = tmp_path / "log.jsonl"
    header = {"ludex": 1, "game": "boreal", "players": 2, "readings": {"numbering": "facing"}}
    log.write_text(f"{json.dumps(header)}\n", "utf-8")
    ran = migrate(log, copy.parent, "--from-spec", "boreal", "--in-place")
    assert ran.code == Exit.GOOD, ran.output
    carried = json.loads(log.read_text("utf-8").splitlines()[0])
    assert carried["readings"] == {"numbering": "facing", "scout_refill": "refilled"}


def test_an_unreadable_log_is_not_carried(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_bytes(b"\xff\x00")
    for name in ("missing.jsonl", "bad.jsonl"):
        assert migrate(tmp_path / name, Path("tic_tac_toe"), "--in-place").code == Exit.UNREADABLE
    assert (tmp_path / "bad.jsonl").read_bytes() == b"\xff\x00"


@pytest.mark.parametrize(("language", "letters"), LETTERS.items())
def test_the_reason_of_a_refusal_is_in_the_language(language: str, letters: re.Pattern[str], tmp_path: Path) -> None:
    log, new = recorded(tmp_path), changed(tmp_path, "new", NO_DIAGONALS)
    for more in (("--from-spec", "tic_tac_toe"), ()):
        ran = migrate(log, new, *more, "--lang", language)
        said = [row for row in ran.output.splitlines() if "|" not in row and "(" not in row]
        assert len(said) >= 3
        assert [row for row in said if not letters.search(row)] == []


def test_json_has_a_member_for_each_log(tmp_path: Path) -> None:
    ran = migrate(recorded(tmp_path), changed(tmp_path, "new", NO_DIAGONALS), "--format", "json")
    (told,) = json.loads(ran.stdout)
    assert (told["carried"], told["written"], told["findings"][0]["code"]) == (True, None, "L533")


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("x.jsonl", '{"ludex": 1,"game": "pig", "players": 2}\n{"player": 1, "action": "roll"}\n'),
        ("x.jsonl", '\ufeff{"game": "pig", "players": 2, "ludex": 1, "fingerprint": "00"}\r\n'),
        ("x.yaml", "# mine\nludex: 1   # the version\ngame: pig\r\nplayers: 2\nevents:\n- {player: 1, action: roll}\n"),
        ("x.yaml", "- {ludex: 1, game: pig, players: 2}\n- {player: 1, action: roll}"),
        ("x.yaml", "- ludex: 1\n  game: pig\n  players: 2\n"),
        ("x.yaml", "game: pig\nplayers: 2\nfingerprint: 12ab\nludex: 1"),
    ],
)
def test_a_fingerprint_is_inserted_into_any_layout(file: str, text: str) -> None:
    written = with_fingerprint(text, file, "0123456789abcdef")
    assert written is not None
    old, new = parse_log(text, file), parse_log(written, file)
    assert old.header is not None
    assert old.header.data is not None
    assert new.header is not None
    assert new.header.data == {**old.header.data, "fingerprint": "0123456789abcdef"}
    assert [each.data for each in new.events] == [each.data for each in old.events]
    assert written.count("\n") - text.count("\n") in (0, 1)
    edits = SequenceMatcher(None, text, written, autojunk=False).get_opcodes()
    lost = "".join(
        text[start:end] for _, start, end, *_ in (each for each in edits if each[0] in ("delete", "replace"))
    )
    assert set(lost) <= set(str(old.header.data.get("fingerprint", ""))), "comments and layout must stay as they were"
