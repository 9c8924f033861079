"""Files of many logs, compressed files, and limits: logs are read one at a time, with the right places, and none is
lost.
"""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludex.grammar import Note, in_language
from ludex.interpreter import Generator, LogText, PassedOver, Simulation, Validator, Verdict, logs_of
from ludex.interpreter.logs.collection import splitting, unpacking
from ludex.interpreter.logs.collection.splitting import is_header, split_logs
from ludex.spec import load

from ..once import engine_once, game_once

VALIDATOR = Validator(game_once, compiled=engine_once)
PIG = '{"ludex": 1, "game": "pig", "players": 2}\n'
ROLL = '{"player": 1, "action": "roll"}\n'
FOUR = '{"chance": "roll.throw", "outcome": 4}\n'
NIM = '{"note": "by hand", "ludex": 1, "game": "nim", "players": ["Anna", "Boris"]}\n'
GOES_ON = '{"claim": {"terminal": false}}\n'
BAD = PIG + FOUR


def logs(content: str | bytes, file: str = "games.jsonl") -> list[LogText]:
    data = content if isinstance(content, bytes) else content.encode()
    return list(split_logs(io.BufferedReader(io.BytesIO(data)), file))


def codes(text: LogText) -> list[str]:
    report = text.explained(VALIDATOR.validate(text.log()))
    return [finding.code.code for finding in report.findings]


def test_a_header_begins_another_log() -> None:
    texts = logs(PIG + ROLL + GOES_ON + NIM + GOES_ON + BAD)
    assert [(text.number, text.line, text.next_line) for text in texts] == [(1, 1, 4), (2, 4, 6), (3, 6, None)]
    assert [text.name for text in texts] == ["games.jsonl:1", "games.jsonl:4", "games.jsonl:6"]
    assert [codes(text) for text in texts] == [[], [], ["L463"]]
    assert b"".join(text.content for text in texts) == (PIG + ROLL + GOES_ON + NIM + GOES_ON + BAD).encode()
    finding = VALIDATOR.validate(texts[2].log()).findings[0]
    assert (finding.span.file, finding.span.line) == ("games.jsonl", 7), (
        "lines must be counted from the beginning of the file"
    )


def test_the_log_of_a_file_with_one_has_the_files_name() -> None:
    (text,) = logs(PIG + ROLL)
    assert (text.name, text.number, text.line) == ("games.jsonl", 1, 1)


def test_blank_lines_and_notes_of_each_log_keep_their_places() -> None:
    first, second = logs(f"\n{PIG}\n{ROLL}{GOES_ON}\n\n{PIG}\n{GOES_ON}")
    assert (first.line, second.line) == (1, 8)
    blank = VALIDATOR.validate(second.log()).findings
    assert [(each.code.code, each.span.line) for each in blank] == [("L414", 9)]


@pytest.mark.parametrize(
    ("line", "begins"),
    [
        (PIG, True),
        (NIM, True),
        ('{ "ludex" : 1, "game": "pig', True),  # damaged further on
        ('{"player": 1, "action": "roll", "ludex": 1}', False),
        ('{"note": "ludex"}', False),
        ('{"note": "{\\"ludex\\": 1}"}', False),
        ('{"claim": {"ludex": 1}}', False),
        (f"  {PIG}", False),
        ('["ludex"]', False),
        ('{"note": "torn, "ludex": 1}', False),
    ],
)
def test_headers_are_recognized(line: str, begins: bool) -> None:
    assert is_header(line.encode()) is begins


def test_a_stray_header_is_explained_on_both_sides() -> None:
    """A recorder repeated the header in the middle of a game."""
    first, second = logs(PIG + ROLL + PIG + FOUR)
    before = first.explained(VALIDATOR.validate(first.log())).findings
    after = second.explained(VALIDATOR.validate(second.log())).findings
    assert [each.code.name for each in before] == ["log-unfinished"]
    assert [(note.message[:28], note.span and note.span.line) for note in before[0].notes[-1:]] == [
        ("this header ends the log and", 3)
    ]
    assert [(note.message[:28], note.span and note.span.line) for note in after[0].notes[-1:]] == [
        ("a new log begins with this h", 3)
    ]


@pytest.mark.parametrize(("name", "count"), [("a.yaml", 1), ("a.json", 1), ("a.jsonl", 2), ("a", 2)])
def test_only_json_lines_may_hold_several_logs(name: str, count: int) -> None:
    content = PIG + PIG if count == 2 else f"[{PIG.strip()},\n{ROLL.strip()}]\n"
    assert len(logs(content, name)) == count


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff"])
def test_an_empty_file_is_one_log(content: str) -> None:
    (text,) = logs(content)
    assert codes(text) == ["L402"]


def test_logs_are_read_one_at_a_time() -> None:
    """The last log never arrives."""

    class Endless(io.RawIOBase):
        lines = iter([PIG, ROLL, PIG, ROLL, PIG])

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            line = next(self.lines).encode()
            buffer[: len(line)] = line
            return len(line)

    texts = split_logs(io.BufferedReader(Endless()), "-")
    assert [next(texts).line, next(texts).line] == [1, 3]


def test_a_log_that_is_too_long_is_read_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "MAX_LOG_LINES", 5)
    monkeypatch.setattr("ludex.interpreter.logs.record.json_lines.MAX_LOG_LINES", 5)
    texts = logs(PIG + GOES_ON + PIG + ROLL * 9 + PIG)
    assert len(texts) == 2
    assert len(texts[1].content.splitlines()) == 6
    assert "F106" in codes(texts[1])


# ---- compressed files -------------------------------------------------------------------------------------------


def zstd(content: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd as module
    else:
        module = pytest.importorskip("backports.zstd")
    compressed: bytes = module.compress(content)
    return compressed


PACKERS: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "zst": zstd}


@pytest.mark.parametrize("ending", PACKERS)
def test_compressed_files_are_read(ending: str, tmp_path: Path) -> None:
    pack = PACKERS[ending]
    (tmp_path / f"games.jsonl.{ending}").write_bytes(pack((PIG + GOES_ON).encode()) + pack(BAD.encode()))
    (tmp_path / f"hand.yaml.{ending}").write_bytes(pack(b"ludex: 1\ngame: pig\nplayers: 2\n"))
    (tmp_path / f"other.yaml.{ending}").write_bytes(pack(b"title: ludex\n"))
    (tmp_path / f"photo.png.{ending}").write_bytes(pack(b"\0"))
    found = list(logs_of(str(tmp_path)))
    texts = [each for each in found if isinstance(each, LogText)]
    assert [(Path(text.file).name, text.line) for text in texts] == [
        (f"games.jsonl.{ending}", 1), (f"games.jsonl.{ending}", 3), (f"hand.yaml.{ending}", 1)
    ]  # fmt: skip
    assert [codes(text) for text in texts] == [[], ["L463"], ["L490"]]
    assert [Path(each.file).name for each in found if isinstance(each, PassedOver)] == [
        f"other.yaml.{ending}", f"photo.png.{ending}"
    ]  # fmt: skip


@pytest.mark.parametrize("ending", PACKERS)
@pytest.mark.parametrize("cut", [5, 20, -3])
def test_a_damaged_compressed_file_is_judged_up_to_the_damage(ending: str, cut: int) -> None:
    whole = PACKERS[ending]((PIG + GOES_ON + BAD).encode())
    texts = logs(whole[:cut])
    assert "L540" in codes(texts[-1])
    assert VALIDATOR.validate(texts[-1].log()).verdict is Verdict.UNREADABLE
    changed = whole[:12] + bytes([whole[12] ^ 0xFF]) + whole[13:]
    assert VALIDATOR.validate(logs(changed)[-1].log()).verdict is Verdict.UNREADABLE


def checked_by_zstd(content: bytes) -> bytes:
    """Compress as the program `zstd` does, with a checksum at the end."""
    if sys.version_info >= (3, 14):
        from compression import zstd as module
    else:
        module = pytest.importorskip("backports.zstd")
    return bytes(module.compress(content, options={module.CompressionParameter.checksum_flag: 1}))


def test_lines_that_a_damaged_file_spoils_are_consequences() -> None:
    # At level 0 the packed bytes are those of the text, of which two are damaged.
    packed = gzip.compress((PIG + (ROLL + FOUR) * 9).encode(), compresslevel=0)
    packed = packed.replace(FOUR.encode(), FOUR.replace(":", ";").encode(), 3)
    (text,) = logs(packed, "games.jsonl.gz")
    report = text.explained(VALIDATOR.validate(text.log()))
    assert [each.code.code for each in report.findings] == ["L540"]
    assert [place.line for place in report.consequences] == [3, 5, 7]
    assert report.verdict is Verdict.UNREADABLE


@pytest.mark.parametrize("pack", [gzip.compress, checked_by_zstd])
@pytest.mark.parametrize("damage", ["checksum", "behind", "broken off"])
@pytest.mark.parametrize("last", ["", GOES_ON, GOES_ON.rstrip("\n")])
def test_no_log_is_lost_where_only_the_end_of_a_packed_file_is_damaged(
    pack: Callable[[bytes], bytes], damage: str, last: str
) -> None:
    content = "".join(f'{PIG}{{"note": "{number**9}"}}\n' for number in range(1_000)) + (PIG + last)
    packed = pack(content.encode())
    # After the checksum, gzip stores the length of the data.
    at = -8 if pack is gzip.compress else -4
    changed = packed[:at] + bytes([packed[at] ^ 1]) + packed[len(packed) + at + 1 :]
    texts = logs({"checksum": changed, "behind": packed + b"junk", "broken off": packed[:-1]}[damage])
    assert "".join(text.content.decode() for text in texts) == content
    assert "L540" in codes(texts[-1])


@pytest.mark.parametrize("pack", [gzip.compress, checked_by_zstd])
@pytest.mark.parametrize(
    ("is_cut", "message", "russian"),
    [
        (True, "the compressed file breaks off before its end", "сжатый файл обрывается до своего конца"),
        (False, "the compressed file is damaged", "сжатый файл повреждён"),
    ],
)
def test_the_damage_of_a_packed_file_is_said_in_the_language_of_the_report(
    pack: Callable[[bytes], bytes], is_cut: bool, message: str, russian: str
) -> None:
    """No words of the library that unpacks are in it."""
    packed = pack((PIG + GOES_ON).encode())
    (text,) = logs(packed[:-1] if is_cut else packed + b"junk")
    (finding,) = (each for each in text.faults if each.code.code == "L540")
    assert (finding.message, in_language(finding.message, "ru")) == (message, russian)


@pytest.mark.parametrize("pack", [gzip.compress, checked_by_zstd])
def test_a_packed_log_that_is_no_json_is_read_up_to_the_damage(pack: Callable[[bytes], bytes]) -> None:
    content = b"ludex: 1\ngame: pig\nplayers: 2"
    (text,) = logs(pack(content)[:-1])
    assert (text.content, "L540" in codes(text)) == (content, True)


@pytest.mark.parametrize("ending", PACKERS)
def test_decompression_stops_at_a_limit(ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files unpack to far more than their size, or to one endless line."""
    monkeypatch.setattr(unpacking, "MAX_LOG_BYTES", 100_000)
    monkeypatch.setattr(unpacking, "MOST_UNPACKED", 20)
    many = PACKERS[ending](((PIG + GOES_ON) * 20_000).encode())
    texts = logs(many)
    assert "L541" in codes(texts[-1])
    assert sum(len(text.content) for text in texts) <= 100_000 + 20 * len(many)
    monkeypatch.setattr(splitting, "MAX_LOG_BYTES", 50_000)
    (line,) = logs(PACKERS[ending](b"{" + b" " * 2_000_000))
    assert len(line.content) == 50_001


@pytest.mark.parametrize("ending", PACKERS)
def test_a_small_packed_file_holds_few_logs(ending: str) -> None:
    """It would take hours to judge a million logs that are packed in some kilobytes."""
    packed = PACKERS[ending](PIG.encode() * 20_000)
    texts = logs(packed)
    assert 1_000 <= len(texts) <= 1_000 + len(packed)
    assert "".join(text.content.decode() for text in texts) == PIG * len(texts), "the last log must be whole"
    (fault,) = texts[-1].faults
    assert fault.code.code == "L541"
    assert "1,000" in fault.message
    assert not any(note.message.startswith("a new log begins with") for note in reported(texts[-1], "L541")), (
        "the header is not the reason"
    )
    assert len(logs(PIG.encode() * 20_000)) == 20_000, "a file that is not packed may hold any number"


def reported(text: LogText, code: str) -> tuple[Note, ...]:
    report = text.explained(VALIDATOR.validate(text.log()))
    return next(each.notes for each in report.findings if each.code.code == code)


@pytest.mark.parametrize("ending", PACKERS)
def test_an_archive_of_the_shortest_games_may_be_packed(ending: str) -> None:
    """Random games of Kuhn poker repeat each other more than any others."""
    simulation = Simulation(load("kuhn_poker"))
    played = [simulation.play(Generator(0, number)).log for number in range(60)]
    drawn = Generator(1)
    count = 20_000
    archive = "".join(played[drawn.below(len(played))] for _ in range(count))
    texts = logs(PACKERS[ending](archive.encode()))
    assert len(texts) == count
    assert not texts[-1].faults


def test_a_missing_decompressor_is_reported_with_the_package_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "backports.zstd" if sys.version_info < (3, 14) else "compression.zstd", None)
    if sys.version_info < (3, 14):
        backports = pytest.importorskip("backports")
        monkeypatch.delattr(backports, "zstd", raising=False)
    (text,) = logs(b"\x28\xb5\x2f\xfd...")
    assert codes(text) == ["L542"]
    assert "ludex[zstd]" in text.faults[0].message


def test_random_bytes_after_the_magic_number_never_raise() -> None:
    for content in (b"\x1f\x8b", b"\x1f\x8b" + bytes(range(256)), zlib.compress(b"x"), b"\x1f\x8b\x08\0" * 99):
        assert VALIDATOR.validate(logs(content)[-1].log()).verdict is Verdict.UNREADABLE


def test_every_log_of_a_file_is_judged_as_if_alone() -> None:
    games = ("tic_tac_toe", "pig", "kuhn_poker", "nim")
    folders = [
        *(Path("tests/games/bad_logs") / game for game in games),
        *(Path("spec/games") / game / "logs" for game in games),
    ]
    contents = [path.read_bytes() for folder in folders for path in sorted(folder.glob("*.jsonl"))]
    contents = [each for each in contents if each.endswith(b"\n") and sum(map(is_header, each.splitlines(True))) == 1]
    assert len(contents) > 8
    alone = [VALIDATOR.validate(LogText("games.jsonl", each).log()) for each in contents]
    together = [VALIDATOR.validate(text.log()) for text in logs(b"".join(contents))]
    assert [[each.message for each in report.findings] for report in together] == [
        [each.message for each in report.findings] for report in alone
    ]
