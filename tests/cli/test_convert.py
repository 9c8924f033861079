"""`ludex convert`: logs in the three forms, and logs that it refuses."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest

from .running import ludex

FULL = Path("spec/games/kuhn_poker/logs/full.jsonl")


def test_a_log_converted_there_and_back_is_the_same(tmp_path: Path) -> None:
    text, yaml, back = tmp_path / "a.ludexlog", tmp_path / "a.yaml", tmp_path / "a.jsonl"
    assert ludex("convert", FULL, text).output == ""
    assert ludex("convert", text, yaml).code == 0
    assert ludex("convert", yaml, back).code == 0
    assert back.read_bytes() == FULL.read_bytes()
    assert ludex("convert", text, "--to", "jsonl").stdout.encode() == FULL.read_bytes()
    assert [ludex("validate", each).code for each in (text, yaml, back)] == [0, 0, 0]


def test_without_an_output_the_message_names_the_argument() -> None:
    ran = ludex("convert", FULL)
    assert ran.code == 3
    assert "as OUT" in ran.stderr
    assert "--out" not in ran.stderr


def test_numbers_of_many_digits_are_the_same_in_yaml(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    scores = f'"scores": [-{"9" * 20}, 1.2345678901234567e+100]'
    log.write_text(
        f'{{"ludex": 1, "game": "tic_tac_toe", "players": 2}}\n{{"claim": {{{scores}}}}}\n', encoding="utf-8"
    )
    assert ludex("convert", log, tmp_path / "a.yaml").code == 0
    assert ludex("convert", tmp_path / "a.yaml", tmp_path / "b.jsonl").code == 0
    assert (tmp_path / "b.jsonl").read_bytes() == log.read_bytes()


def test_numbers_that_json_does_not_have_are_texts(tmp_path: Path) -> None:
    log = tmp_path / "a.yaml"
    log.write_text(
        "ludex: 1\ngame: tic_tac_toe\nplayers: 2\nevents:\n  - {claim: {scores: [.inf, 1e999]}}\n", encoding="utf-8"
    )
    assert ludex("convert", log, tmp_path / "a.jsonl").code == 0
    assert '"scores": [".inf", "1e999"]' in (tmp_path / "a.jsonl").read_text(encoding="utf-8")
    assert ludex("convert", tmp_path / "a.jsonl", tmp_path / "b.yaml").code == 0
    assert ludex("convert", tmp_path / "b.yaml", tmp_path / "b.jsonl").code == 0
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "a.jsonl").read_bytes()


def test_nothing_is_overwritten_and_a_form_is_needed(tmp_path: Path) -> None:
    out = tmp_path / "a.yaml"
    out.write_text("mine", encoding="utf-8")
    ran = ludex("convert", FULL, out)
    assert (ran.code, out.read_text(encoding="utf-8")) == (3, "mine")
    assert "exists already" in ran.stderr
    assert "--to" in ludex("convert", FULL).stderr
    for name in ("a.txt", "a.jsonl.gz", "a"):
        assert "this ending does not determine the format" in ludex("convert", FULL, tmp_path / name).stderr
    assert list(tmp_path.iterdir()) == [out]


def test_paths_in_the_header_are_those_of_the_new_folder(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    shutil.copy("spec/games/tic_tac_toe/positions/fork.yaml", here)
    shutil.copy("spec/games/tic_tac_toe/tic_tac_toe.ludex", here / "mine.ludex")
    log, moved = here / "a.jsonl", there / "a.ludexlog"
    log.write_text('{"ludex": 1, "game": "mine.ludex", "players": 2, "from": "fork.yaml"}\n', encoding="utf-8")
    assert ludex("convert", log, moved).code == 0
    assert moved.read_text(encoding="utf-8") == "Game: ../here/mine.ludex\nPlayers: 2\nFrom: ../here/fork.yaml\n\n"
    assert ludex("validate", moved).code == 0
    assert ludex("convert", moved, here / "b.jsonl").code == 0
    assert (here / "b.jsonl").read_bytes() == log.read_bytes()


def test_a_position_called_like_a_game_and_a_game_without_its_suffix_are_found_from_the_new_folder(
    tmp_path: Path,
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    shutil.copy("spec/games/tic_tac_toe/positions/fork.yaml", here / "boreal")
    shutil.copy("spec/games/tic_tac_toe/tic_tac_toe.ludex", here / "mine.ludex")
    log = here / "a.jsonl"
    log.write_text('{"ludex": 1, "game": "mine", "players": 2, "from": "boreal"}\n', encoding="utf-8")
    assert ludex("convert", log, there / "a.jsonl").code == 0
    assert ludex("validate", there / "a.jsonl").code == 0
    assert ludex("convert", log, here / "b.jsonl").code == 0
    assert (here / "b.jsonl").read_bytes() == log.read_bytes()


def test_a_hyphen_means_the_standard_output() -> None:
    text, bare = (ludex("convert", FULL, *more, "--to", "yaml").stdout for more in (["-"], []))
    assert text == bare != ""


def test_every_command_but_those_that_append_reads_compressed_logs(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl.gz"
    log.write_bytes(gzip.compress(FULL.read_bytes()))
    assert ludex("convert", log, "--to", "jsonl").stdout.encode() == FULL.read_bytes()
    assert ludex("convert", "-", "--to", "jsonl", stdin=log.read_bytes()).stdout.encode() == FULL.read_bytes()
    for run in (
        ("show", log),
        ("validate", log, "--explain", "1"),
        ("perft", "kuhn_poker", "--depth", "1", "--from", log),
    ):
        assert ludex(*run).code == 0, run
    before = log.read_bytes()
    assert ludex("play", "kuhn_poker", "--resume", log).code == 2
    assert log.read_bytes() == before


def test_several_text_logs_in_one_file_are_not_converted(tmp_path: Path) -> None:
    log = tmp_path / "b.ludexlog"
    log.write_text("Game: pig\nPlayers: 2\n\n1: roll\n" * 2, encoding="utf-8")
    for form in ("jsonl", "yaml", "ludexlog"):
        ran = ludex("convert", log, "--to", form)
        assert ran.code == 2
        assert f"{log}:5:1: L431" in ran.output


SEVERAL = [Path(f"spec/games/{game}/logs/full.jsonl") for game in ("kuhn_poker", "crazy_eights", "tic_tac_toe")]


@pytest.mark.drawn(3)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("first", ["jsonl", "yaml", "ludexlog"])
@pytest.mark.parametrize("second", ["jsonl", "yaml", "ludexlog"])
def test_several_logs_in_one_file_are_converted_without_loss(
    tmp_path: Path, first: str, second: str, packed: bool
) -> None:
    whole = b"".join(each.read_bytes() for each in SEVERAL)
    log = tmp_path / ("many.jsonl.gz" if packed else "many.jsonl")
    log.write_bytes(gzip.compress(whole) if packed else whole)
    out = tmp_path / ("out.jsonl" if first == "jsonl" else "out")
    assert ludex("convert", log, out, "--to", first).output == ""
    # Each of the files is one log, which continues to the second form and back.
    made = [out] if first == "jsonl" else sorted(out.iterdir())
    assert first == "jsonl" or [each.name for each in made] == [f"many-{number}.{first}" for number in (1, 2, 3)]
    back = b""
    for each in made:
        into = tmp_path / f"second-{each.stem}" if first == "jsonl" else tmp_path / f"{each.stem}.second.{second}"
        assert ludex("convert", each, into, "--to", second).code == 0
        for part in sorted(into.iterdir()) if into.is_dir() else [into]:
            assert ludex("validate", part, "--quiet").code == 0
            back += ludex("convert", part, "--to", "jsonl").stdout.encode()
    assert back == whole


def test_several_logs_need_a_folder_overwrite_nothing_and_are_written_all_or_not_at_all(tmp_path: Path) -> None:
    log, out = tmp_path / "many.jsonl", tmp_path / "out"
    log.write_bytes(b"".join(each.read_bytes() for each in SEVERAL))
    for wrong in ((), (tmp_path / "out.yaml",)):
        ran = ludex("convert", log, *wrong, "--to", "yaml")
        assert ran.code == 3
        assert "3 logs" in ran.stderr
    assert ludex("convert", log, "--to", "jsonl").stdout.encode() == log.read_bytes()
    out.mkdir()
    (out / "many-2.yaml").write_text("mine", encoding="utf-8")
    ran = ludex("convert", log, out, "--to", "yaml")
    assert (ran.code, [each.name for each in out.iterdir()]) == (3, ["many-2.yaml"])
    with log.open("ab") as file:
        file.write(b'{"ludex": 1, "game": "pig", "players": 2}\n{"player": 1,\n')
    ran = ludex("convert", log, tmp_path / "other", "--to", "yaml")
    assert ran.code == 2
    assert f"{log}:" in ran.output
    assert not (tmp_path / "other").exists()


def test_signs_that_do_not_print_are_kept_in_each_form(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    note = r'"note": "a\u2028b\u0000c\u001bd\u0085"'
    log.write_text(f'{{"ludex": 1, "game": "pig", "players": 2, {note}}}\n{{{note}}}\n', encoding="utf-8")
    lines = ludex("convert", log, "--to", "jsonl").output
    for form in ("yaml", "ludexlog"):
        other = tmp_path / f"b.{form}"
        assert ludex("convert", log, other).code == 0
        assert ludex("convert", other, "--to", "jsonl").output == lines


def test_an_unreadable_log_is_not_converted(tmp_path: Path) -> None:
    log, out = tmp_path / "a.ludexlog", tmp_path / "b.jsonl"
    log.write_text("Game: pig\nPlayers: 2\n\n1: roll\n1 rolls\n", encoding="utf-8")
    ran = ludex("convert", log, out)
    assert (ran.code, out.exists()) == (2, False)
    assert f"{log}:5:1: L500" in ran.output


def test_comments_of_yaml_become_comments_of_the_text_log(tmp_path: Path) -> None:
    log = tmp_path / "a.yaml"
    log.write_text(
        """\
# yaml-language-server: $schema=a.schema.json
ludex: 1  # the first
game: tic_tac_toe
players: [Anna, "B # B"]
# at the club
events:
  # opening
  - player: Anna
    action: claim  # boldly
    # her favourite
    args: {cell: {row: 2, col: 2}}
  - {player: 2, action: claim, args: {cell: {row: 1, col: 2}}, note: 'it''s # 1'}  # why?
  #
# the end
""",
        encoding="utf-8",
    )
    as_text = ludex("convert", log, "--to", "ludexlog").stdout
    assert (
        as_text
        == """\
Game: tic_tac_toe
Players: Anna, "B # B"
# the first
# at the club

# opening
Anna: claim 2,2  # boldly
# her favourite
"B # B": claim 1,2  # it's # 1
# why?
# the end
"""
    )
    back = tmp_path / "b.ludexlog"
    back.write_text(as_text, encoding="utf-8")
    assert ludex("convert", back, "--to", "jsonl").stdout == ludex("convert", log, "--to", "jsonl").stdout


def test_a_play_is_resumed_in_a_text_log(tmp_path: Path) -> None:
    log = tmp_path / "a.ludexlog"
    typed = "Anna: claim 2,2\nclaim 1,1\nquit\n"
    ludex("play", "tic_tac_toe", "--names", "Anna,Boris", "--save", log, stdin=typed)
    first = log.read_text(encoding="utf-8")
    assert first.endswith("\n\nAnna: claim 2,2\nBoris: claim 1,1\n")
    log.write_text(f"{first}# a pause\n\n", encoding="utf-8")
    ran = ludex("play", "tic_tac_toe", "--resume", log, stdin="claim 3,3\nquit\n")
    assert log.read_text(encoding="utf-8") == f"{first}# a pause\nAnna: claim 3,3\n\n", ran.output
    assert "Anna: claim 3,3" in ludex("show", log).output


PIG = '{"ludex": 1, "game": "pig", "players": 2}\n'
ROLL = '{"player": 1, "action": "roll"}\n'
UNFILLED = {
    "": ROLL + ROLL,
    "L442": ROLL + ROLL + '{"player": 1, "action": "roll", "args": {"n": 1}}\n',
}


@pytest.mark.parametrize("code", UNFILLED)
def test_a_template_says_from_where_on_it_may_not_have_all(code: str, tmp_path: Path) -> None:
    log, out = tmp_path / "log.jsonl", tmp_path / "out.jsonl"
    log.write_text(PIG + UNFILLED[code], encoding="utf-8")
    ran = ludex("convert", "--fill", log, out)
    assert ran.code == bool(code)
    assert code in ran.stderr
    assert "L475" not in ran.output
    assert bool(ran.output) == bool(code)
    assert '"unknown"' in out.read_text(encoding="utf-8")


ILLEGAL = """Game: tic_tac_toe
Players: Anna, Boris

1. claim 2,2
Boris: claim 2,2
2. claim 1,1
"""


def test_of_an_illegal_log_only_the_players_are_asked_for_that_nobody_can_know(tmp_path: Path) -> None:
    log = tmp_path / "a.ludexlog"
    log.write_text(ILLEGAL, encoding="utf-8")
    ran = ludex("convert", log, "--to", "jsonl")
    assert (ran.code, ran.stdout.count("L590"), ran.stdout.count("L460")) == (2, 1, 0), ran.output
    assert "a.ludexlog:6:4: L590" in ran.stdout
    log.write_text(ILLEGAL.replace("2. claim", "2. Anna: claim"), encoding="utf-8")
    ran = ludex("convert", log, "--to", "jsonl")
    assert (ran.code, ran.stdout.count('"Anna"')) == (0, 3), ran.output
