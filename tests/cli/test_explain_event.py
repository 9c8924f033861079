"""`ludex validate --explain N` and `--fill`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludex.cli.reporting.exit_codes import Exit

from .running import ludex

BOREAL = "spec/games/boreal/logs/full.jsonl"
ILLEGAL = "tests/games/bad_logs/boreal/study-affordable.jsonl"


def examined(log: str, number: int) -> dict[str, tuple[bool, list[str]]]:
    shown = json.loads(ludex("validate", log, "--explain", number, "--format", "json").stdout)
    return {each["clause"]: (each["holds"], each["facts"]) for each in shown["examined"]}


def test_each_requirement_of_a_legal_move_has_its_values() -> None:
    requirements = examined(BOREAL, 10)
    assert all(holds for holds, _ in requirements.values())
    assert requirements["study.affordable"] == (True, ["card.cost = 0", "my token = 5"])
    assert requirements["study.adjoining"][1][0] == "`study.adjoining.opening` applies"


def test_the_event_that_is_refused_can_be_explained() -> None:
    done = ludex("validate", ILLEGAL, "--explain", 12)
    assert done.code == Exit.FINDINGS
    assert "fails  study.affordable  [ru 77-79, 82, 103, 109, 145]" in done.stdout
    assert [path for path, (holds, _) in examined(ILLEGAL, 12).items() if not holds] == ["study.affordable"]


def test_a_walk_is_told_in_the_words_of_the_game() -> None:
    log = "tests/games/bad_logs/mangrovia/build-land_fits.jsonl"
    rows = ludex("validate", log, "--explain", 33, "--lang", "ru").stdout.splitlines()
    assert "  нет  build.land_fits (ландшафтные карты подходят территории)  [ru 395-397, 529-531, 535-541]" in rows
    assert {"         t = вода", "         центральная (site.middle) = нет"} <= set(rows)
    rows = ludex("validate", log, "--explain", 33).stdout.splitlines()
    assert {"         t = water", "         site.middle = false"} <= set(rows)


def test_the_reading_that_decides_is_told_in_its_words() -> None:
    log = "tests/games/bad_logs/boreal/study-reachable.jsonl"
    output = ludex("validate", log, "--explain", 10, "--lang", "ru").stdout
    assert "numbering = facing (у каждой длинной стороны поля свои номера, " in output
    assert "numbering = facing, " in ludex("validate", log, "--explain", 10).stdout


def test_arguments_of_a_define_are_told_in_the_notation() -> None:
    log = "tests/games/bad_logs/english_draughts/step-no_capture.jsonl"
    output = ludex("validate", log, "--explain", 3, "--lang", "he").stdout
    assert "`apart(a: e2, n: 1)`" in output
    assert "{d1, f1, d3, f3}" in output


def test_a_define_is_called_by_its_term_before_each_call() -> None:
    log = "tests/games/bad_logs/english_draughts/step-no_capture.jsonl"
    rows = ludex("validate", log, "--explain", 3, "--lang", "ru").stdout.splitlines()
    assert "         бить (can jump) = да" in rows
    assert "         поля наискось на этом расстоянии (apart(origin, 1)) = {d1, f1, d3, f3}" in rows
    call = "         поля наискось на этом расстоянии (`apart(a: e2, n: 1)`) = {d1, f1, d3, f3}: "
    assert any(row.startswith(call) for row in rows)
    assert "         can jump = true" in ludex("validate", log, "--explain", 3).stdout.splitlines()


def test_a_chance_event_is_explained_by_its_outcomes() -> None:
    holds, outcomes = examined("spec/games/pig/logs/full.jsonl", 2)["roll.throw"]
    assert holds
    assert outcomes == [f"{number} (1/6)" for number in range(1, 7)]


def test_outcomes_of_chance_are_told_in_the_words_of_the_game() -> None:
    log = "spec/games/leduc_poker/logs/full.jsonl"
    rows = ludex("validate", log, "--explain", 1, "--lang", "ru").stdout.splitlines()
    assert "         король (1/3)" in rows
    assert "         king (1/3)" in ludex("validate", log, "--explain", 1).stdout.splitlines()


def test_an_option_and_the_players_have_words() -> None:
    rows = ludex("validate", "spec/games/oware/logs/full.jsonl", "--explain", 1, "--lang", "he").stdout
    assert "היריב (opponent(me)) = " in rows
    rows = ludex("validate", "tests/games/bad_logs/leduc_poker/raise-cap.jsonl", "--explain", 5, "--lang", "ru").stdout
    assert "повышений за круг (raises) = 2" in rows


def test_a_decline_is_explained_by_its_decision() -> None:
    done = ludex("validate", "spec/games/mangrovia/logs/full.jsonl", "--explain", 22, "--lang", "ru")
    assert done.code == Exit.GOOD
    assert "Red: отказ" in done.stdout.splitlines()[0]


@pytest.mark.parametrize(
    "more", [("--explain", "75"), ("--explain", "3", "--format", "csv"), ("--explain", "3", ILLEGAL)]
)
def test_an_event_that_cannot_be_explained_is_wrong_usage(more: tuple[str, ...]) -> None:
    assert ludex("validate", BOREAL, *more).code == Exit.USAGE


@pytest.mark.parametrize(
    "more",
    [
        ("--edition", "all"),
        ("--results", "r.sqlite"),
        ("--jobs", "2"),
        ("--first",),
        ("--only-failing",),
        ("--quiet",),
    ],
)
def test_an_option_that_an_explanation_cannot_heed_is_wrong_usage(more: tuple[str, ...]) -> None:
    ran = ludex("validate", BOREAL, "--explain", "3", *more)
    assert (ran.code, f"{more[0]} cannot be given together with --explain" in ran.output) == (Exit.USAGE, True)


@pytest.mark.parametrize("place", ["foo", "line:", "line:x", "1.5", ""])
def test_a_place_that_is_none_is_answered_with_both_forms(place: str) -> None:
    ran = ludex("validate", BOREAL, f"--explain={place}")
    assert (ran.code, "such as `line:12`" in ran.output) == (Exit.USAGE, True), ran.output


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b'{"ludex": 1, "game": "chess960", "players": 2}\n{"note": ""}\n']
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_log_of_no_game_is_reported_by_its_fault_whatever_is_to_be_explained(
    tmp_path: Path, content: bytes, form: str
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(content)
    by_line, by_number = (ludex("validate", log, "--format", form, "--explain", at) for at in ("line:2", "2"))
    assert by_number.code in (Exit.FINDINGS, Exit.UNREADABLE)
    assert (by_line.code, by_line.stdout, by_line.stderr) == (by_number.code, by_number.stdout, by_number.stderr)


def test_after_unknowns_each_requirement_holds_or_may_hold(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in Path(BOREAL).read_text(encoding="utf-8").splitlines()]
    hidden = [{**line, "outcome": "unknown"} if "refill" in line.get("chance", "") else line for line in lines]
    log = tmp_path / "boreal.jsonl"
    log.write_text("\n".join(map(json.dumps, hidden)), encoding="utf-8")
    assert examined(str(log), 16) == {
        "scout.card": (True, []),
        "scout.any_card": (True, []),
        "scout.unlimited": (True, []),
        "scout.one_archive": (True, ["card.deck = start"]),
    }
    # The first card has been in the row since the beginning, the other may be one of those that came unseen.
    assert "may hold  study.card" in ludex("validate", log, "--explain", 26).stdout
    known = examined(BOREAL, 16)
    assert all(holds for holds, _ in known.values())
    log.write_text("\n".join(map(json.dumps, [*hidden[:16], hidden[15]])), encoding="utf-8")
    done = ludex("validate", log, "--explain", 16)
    assert done.code == Exit.FINDINGS
    assert "not legal" in done.stdout


UNSEEN: list[dict[str, object]] = [
    {"ludex": 1, "game": "kuhn_poker", "players": ["Anna", "Boris"]},
    {"chance": "setup.deal", "outcome": "queen"},
    {"chance": "setup.deal", "outcome": "unknown"},
    {"player": "Anna", "action": "pass"},
    {"player": "Boris", "action": "unknown"},
]


def explained_of(lines: list[dict[str, object]], number: int, folder: Path) -> str:
    path = folder / "log.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    ran = ludex("validate", path, "--explain", number)
    assert ran.code == Exit.GOOD
    return ran.output


def test_an_unseen_move_is_explained_by_the_moves_that_it_may_have_been(tmp_path: Path) -> None:
    shown = explained_of(UNSEEN, 4, tmp_path)
    assert "event 4: Boris: ? may be legal; not all parts of it are known" in shown
    assert "perhaps Boris: bet" in shown
    assert "perhaps Boris: pass" in shown
    assert "fails" not in shown
    assert "hidden" not in shown
    heaps = {f"heap_{number}": 8 for number in range(1, 5)}
    begun: list[dict[str, object]] = [{"ludex": 1, "game": "nim", "players": 2, "options": heaps}]
    first = explained_of([*begun, {"player": 1, "action": "unknown"}], 1, tmp_path)
    assert "not all parts of it are known" in first
    assert "and others" in first


def test_an_event_that_is_legal_in_every_possible_game_is_called_legal(tmp_path: Path) -> None:
    assert "event 3: Anna: pass is legal" in explained_of(UNSEEN, 3, tmp_path)
    assert "setup.deal = ? may be legal; not all parts of it are known" in explained_of(UNSEEN, 2, tmp_path)


def test_an_event_after_the_first_fault_is_answered_with_that_fault(tmp_path: Path) -> None:
    log = tmp_path / "longer.jsonl"
    fault = Path("tests/games/bad_logs/boreal/chance-awaited.jsonl").read_text(encoding="utf-8")
    log.write_text(fault + '{"player": 1, "action": "scout"}\n', encoding="utf-8")
    done = ludex("validate", log, "--explain", 4)
    assert done.code == Exit.FINDINGS
    assert "L462" in done.stdout


def test_all_missing_lines_are_listed(tmp_path: Path) -> None:
    lines = Path("spec/games/pig/logs/full.jsonl").read_text().splitlines()
    log = tmp_path / "pig.jsonl"
    log.write_text("\n".join(line for line in lines if "chance" not in line))
    shown = json.loads(ludex("validate", log, "--fill", "--format", "json").stdout)["logs"][0]
    missing = sum("chance" in line for line in lines)
    assert missing > 50
    assert len(shown["missing"]) == len(shown["findings"]) == missing
    assert {each["event"] for each in shown["missing"]} == {'{"chance": "roll.throw", "outcome": "unknown"}'}


WAYS = ((), ("--resync",), ("--fill",), ("--resync", "--fill"))
FAULTY = """Game: tic_tac_toe
Players: Anna, Boris

Anna: claim 2,2
Boris: claim 2,2
Anna: claim 1,1
{"position": {"state": {"mark": ["A B .", ". A .", ". . ."]}, "flow": {"at": "play.turns.claim", "me": "Boris"}}}
Boris: claim 3,3
Anna: claim 1,1
"""


def test_an_event_after_a_fault_is_explained_where_the_replay_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "a.ludexlog"
    log.write_text(FAULTY, encoding="utf-8")
    behind = ludex("validate", log, "--explain", "4")
    assert (behind.code, "event 4 is after this line" in behind.output) == (1, True)
    ran = ludex("validate", log, "--explain", "4", "--resync")
    assert (ran.code, ran.output.startswith("event 4: Boris: claim 3,3 is legal")) == (0, True), ran.output
    assert ludex("validate", log, "--explain", "line:8", "--resync").output == ran.output
    ran = ludex("validate", log, "--explain", "5", "--resync")
    assert (ran.code, "Anna: claim 1,1" in ran.output.splitlines()[0]) == (1, True), ran.output
    ran = ludex("validate", log, "--explain", "2", "--resync")
    assert (ran.code, "Boris: claim 2,2" in ran.output.splitlines()[0]) == (1, True), ran.output
    # The third event is skipped, so there is no state to judge it in.
    assert "event 3 is after this line" in ludex("validate", log, "--explain", "3", "--resync").output
    advice = {more: ludex("validate", log, "--explain", "3", *more).output.rpartition("judged")[2] for more in WAYS}
    assert advice == {
        (): "; `--resync` or `--fill` may lead there\n",
        ("--resync",): "; `--fill` may lead there\n",
        ("--fill",): "; `--resync` may lead there\n",
        ("--resync", "--fill"): "\n",
    }


PINNED = """Game: tic_tac_toe
Players: Anna, Boris

Anna: claim 2,2
Boris: claim 2,2
claim mark(1,3) = Boris
Anna: claim 3,3
"""


def test_the_claim_at_which_the_replay_goes_on_is_no_consequence(tmp_path: Path) -> None:
    log = tmp_path / "a.ludexlog"
    log.write_text(PINNED, encoding="utf-8")
    ran = ludex("validate", log, "--resync").output
    assert "the replay continues here" in ran
    assert "consequence" not in ran
    explained = ludex("validate", log, "--resync", "--explain", "line:6")
    assert (explained.code, explained.output.splitlines()[0][:6]) == (0, "line 6"), explained.output
    assert "mark" in explained.output


def test_an_event_after_missing_lines_is_explained(tmp_path: Path) -> None:
    log = tmp_path / "a.ludexlog"
    log.write_text("Game: pig\nPlayers: Anna, Boris\n\nAnna: roll\nAnna: hold\nBoris: roll\n", encoding="utf-8")
    assert ludex("validate", log, "--explain", "3").code == 1
    ran = ludex("validate", log, "--explain", "line:6", "--fill")
    assert (ran.code, "Boris: roll" in ran.output.splitlines()[0]) == (0, True), ran.output


def test_a_line_without_anything_to_explain_is_named(tmp_path: Path) -> None:
    log = tmp_path / "a.ludexlog"
    log.write_text(f"{FAULTY}gap\n# it rained\n", encoding="utf-8")
    ran = ludex("validate", log, "--explain", "99")
    assert (ran.code, f"--explain 99: {log} has 5 events" in ran.output) == (3, True), ran.output
    for number in (3, 30):
        ran = ludex("validate", log, "--explain", f"line:{number}")
        assert (ran.code, f"nothing is recorded in line {number} of {log}" in ran.output) == (3, True), ran.output
    for number, what in ((1, "the header"), (10, "a gap"), (11, "a note")):
        ran = ludex("validate", log, "--explain", f"line:{number}")
        said = f"line {number} of {log} is {what}, which says nothing about the state"
        assert (ran.code, said in ran.output) == (3, True), ran.output
    assert ludex("validate", log, "--explain", "row:3").code == 3


CLAIMED: list[dict[str, object]] = [
    {"ludex": 1, "game": "kuhn_poker", "players": ["Anna", "Boris"]},
    {"chance": "setup.deal", "outcome": "king"},
    {"chance": "setup.deal", "outcome": "jack", "claim": {"terminal": False}},
    {"claim": {"state": [{"of": "stake", "at": ["Anna"], "is": 2}, {"of": "deck", "size": 1}]}},
    {"player": "Anna", "action": "bet"},
    {"player": "Anna", "action": "bet", "claim": {"terminal": False}},
    {"claim": {"terminal": False}},
]


def claimed(folder: Path) -> Path:
    path = folder / "log.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in CLAIMED), encoding="utf-8")
    return path


def test_a_claim_is_explained_part_by_part(tmp_path: Path) -> None:
    ran = ludex("validate", claimed(tmp_path), "--explain", "line:4")
    assert ran.code == Exit.FINDINGS
    head, first, has, second = ran.stdout.splitlines()
    assert head == "line 4 (events up to here: 2): a claim that does not hold"
    assert first.startswith("  fails  stake(Anna) is 2  convention")
    assert has == "         stake(Anna) is 1, not 2"
    assert second.startswith("  holds  deck has the size 1  convention")
    shown = json.loads(ludex("validate", claimed(tmp_path), "--explain", "line:4", "--format", "json").stdout)
    assert (shown["says"]["line"], shown["says"]["events"], shown["says"]["holds"]) == (4, 2, False)
    assert [(part["pointer"], part["holds"]) for part in shown["says"]["parts"]] == [
        ("/claim/state/0/is", False),
        ("/claim/state/1/size", True),
    ]
    assert [why["clause"] for part in shown["says"]["parts"] for why in part["why"]] == ["stake", "deck"]


def test_an_event_is_explained_with_the_claim_of_its_line(tmp_path: Path) -> None:
    log = claimed(tmp_path)
    ran = ludex("validate", log, "--explain", "2")
    assert (ran.code, ran.stdout) == (Exit.GOOD, ludex("validate", log, "--explain", "line:3").stdout)
    assert "event 2: setup.deal = jack is legal" in ran.stdout
    assert "line 3 (events up to here: 2): a claim that holds\n  holds  the game goes on" in ran.stdout
    shown = json.loads(ludex("validate", log, "--explain", "2", "--format", "json").stdout)
    assert (shown["number"], shown["legal"], shown["says"]["holds"]) == (2, True, True)
    # The first event has no claim.
    assert "line" not in ludex("validate", log, "--explain", "1").stdout
    # An illegal event leads to no state that its claim could be about.
    ran = ludex("validate", log, "--explain", "4")
    assert (ran.code, "a claim" in ran.stdout) == (Exit.FINDINGS, False)


def test_of_a_deal_and_its_claim_the_last_card_is_explained_with_the_claim(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    hand = {"deal": "setup.deal", "cards": ["king", "jack"], "claim": {"terminal": False}}
    log.write_text(f"{json.dumps(CLAIMED[0])}\n{json.dumps(hand)}\n", encoding="utf-8")
    said = {at: "a claim that holds" in ludex("validate", log, "--explain", at).stdout for at in ("1", "2", "line:2")}
    assert said == {"1": False, "2": True, "line:2": True}


def test_a_claim_after_a_fault_is_answered_with_that_fault(tmp_path: Path) -> None:
    ran = ludex("validate", claimed(tmp_path), "--explain", "line:7")
    assert (ran.code, "L464" in ran.stdout) == (Exit.FINDINGS, True), ran.output
    assert "line 7 cannot be explained because of this" in ran.stderr


def test_a_position_is_explained_in_any_form(tmp_path: Path) -> None:
    log = tmp_path / "a.ludexlog"
    log.write_text(FAULTY.replace("Boris: claim 2,2\n", "Boris: claim 1,3\n"), encoding="utf-8")
    ran = ludex("validate", log, "--explain", "line:7")
    assert ran.code == Exit.FINDINGS
    assert ran.stdout.startswith("line 7 (events up to here: 3): a position that does not hold\n  fails  mark")
    assert '         recorded: ["A B .", ". A .", ". . ."]' in ran.stdout
    assert '         in the play: ["A . B", ". A .", ". . ."]' in ran.stdout
