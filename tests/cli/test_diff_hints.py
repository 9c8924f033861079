"""Places to read again, in every form of the report of `ludex diff`; and texts that cannot be read."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ludex.cli.exits import Exit
from ludex.interpreter import difference_schema

from .running import Ran, ludex
from .sarif import LOG

GAME = """\
game hall
  title: en "Hall"
  players: 2
  document: en "hall.txt", he "hall-he.txt"
  editions: en, he
  convention: "shared nouns"

state seated(Player): 0..9 = 0

action sit
  choose n in 1..3

play
  turns: each player in seats
    sit

score seats: my seated

winner
  most: highest total(me)
  tie: share
"""
EDITION = """\
edition {name} of hall

fact chairs = 4                                                 [{name} 1]

action sit
  require free: seated(me) + n <= chairs                        [{name} 2]
  sit: seated(me) += n                                          [{name} {last}]
"""
ENGLISH = "There are four chairs in the hall.\nNobody sits where there is no chair.\nSit down.\n"
HEBREW = "באולם יש שלושה <כיסאות>.\nאין לשבת במקום שאין בו כיסא.\nשבו.\n"


@pytest.fixture
def hall(tmp_path: Path) -> Path:
    folder, books = tmp_path / "hall", tmp_path / "books"
    folder.mkdir()
    books.mkdir()
    (folder / "hall.ludex").write_text(GAME, encoding="utf-8")
    for name in ("en", "he"):
        (folder / f"{name}.ludex").write_text(EDITION.format(name=name, last=3), encoding="utf-8")
    (books / "hall.txt").write_text(ENGLISH, encoding="utf-8")
    (books / "hall-he.txt").write_text(HEBREW, encoding="utf-8")
    return folder


def diff(hall: Path, *args: object) -> Ran:
    return ludex("diff", hall, "--no-play", "--sources", hall.parent / "books", *args)


def found(hall: Path) -> list[dict[str, Any]]:
    told = json.loads(diff(hall, "--format", "json").stdout)
    Draft202012Validator(difference_schema()).validate(told)
    return list(told["hints"])


# ---- in every form


def test_as_json(hall: Path) -> None:
    assert found(hall) == [
        {
            "kind": "number",
            "clause": "chairs",
            "editions": ["he"],
            "citations": {
                "en": [{"source": "hall.txt", "lines": [1, 1]}],
                "he": [{"source": "hall-he.txt", "lines": [1, 1]}],
            },
            "words": {"en": ["four"], "he": ["שלושה"]},
            "why": "the clause contains 4, and the lines of en say so; he says שלושה",
        }
    ]


def test_at_a_terminal(hall: Path) -> None:
    ran = diff(hall)
    assert ran.code == Exit.GOOD, "hints are no findings"
    assert "chairs  (number, read he again)" in ran.stdout
    assert "he 1 | באולם" in ran.stdout
    assert "1 place to read again" in ran.stdout


def test_as_markdown(hall: Path) -> None:
    text = diff(hall, "--format", "markdown").stdout
    assert "## Places to read again\n" in text
    assert "### `chairs`" in text
    assert "> he 1: באולם יש שלושה \\<כיסאות\\>" in text


def test_as_sarif(hall: Path) -> None:
    run = json.loads(diff(hall, "--format", "sarif").stdout)["runs"][0]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["hint"]
    result = run["results"][0]
    assert (result["ruleId"], result["ruleIndex"], result["level"]) == ("hint", 0, "note")
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "hall-he.txt"
    assert place["region"] == {"startLine": 1, "endLine": 1}


def test_in_the_page(hall: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    diff(hall, "--format", "html", "--out", page)
    text = page.read_text(encoding="utf-8")
    assert '<article id="hint-1">' in text
    assert "<mark>four</mark> chairs" in text
    assert "<mark>שלושה</mark> &lt;כיסאות&gt;" in text
    assert '<a href="#hint-1">read again</a>' in text, "an agreement with a hint leads to it"


# ---- phases, pages and names

POINTING = """
note see_doors = true                                           [{name} 4]

note see_windows = true                                         [{name} 5]

note see_stairs = true                                          [{name} 6]

note see_roof = true                                            [{name} 7]

note lamps = true                                               [{name} 8]

note guard = true                                               [{name} 9]
"""
ENGLISH_POINTERS = "Doors: page 2.\nWindows: page 4.\nStairs: page 6.\nRoof: page 7.\nLamps are lit in phase B.\n"
HEBREW_POINTERS = "דלתות: עמוד 3.\nחלונות: עמוד 12.\nמדרגות: עמוד 8.\nגג: עמוד 9.\nמדליקים מנורות בשלב A.\n"


def test_phases_pages_and_names(hall: Path) -> None:
    english = ENGLISH_POINTERS + "Here Marwina rests, where Marwinna is, for Marwina waits.\n"
    (hall.parent / "books" / "hall.txt").write_text(ENGLISH + english, encoding="utf-8")
    hebrew = HEBREW_POINTERS + "השומר נח.\n"
    (hall.parent / "books" / "hall-he.txt").write_text(HEBREW.replace("שלושה", "ארבעה") + hebrew, encoding="utf-8")
    for name in ("en", "he"):
        text = (EDITION + POINTING).format(name=name, last=3)
        (hall / f"{name}.ludex").write_text(text, encoding="utf-8")
    told = {(hint["kind"], hint["clause"], *hint["editions"]) for hint in found(hall)}
    assert told == {
        ("page", "see_windows", "en", "he"),
        ("phase", "lamps", "en", "he"),
        ("name", "guard", "en"),
    }


# ---- when none are looked for


def test_without_sources_there_are_none(hall: Path) -> None:
    ran = ludex("diff", hall, "--no-play")
    assert "read again" not in ran.stdout
    assert json.loads(ludex("diff", hall, "--no-play", "--format", "json").stdout)["hints"] == []


@pytest.mark.parametrize("option", [["--check"], ["--format", "rulings"]])
def test_what_is_decided_is_no_hint(hall: Path, option: list[str]) -> None:
    assert "read again" not in diff(hall, *option).output


def test_an_excused_number_is_none(hall: Path) -> None:
    (hall.parent / "books" / "hall-he.txt").write_text(HEBREW.replace("שלושה", "4"), encoding="utf-8")
    assert found(hall) == []
    english = ENGLISH.replace("Sit down", "Sit down on 7")
    (hall.parent / "books" / "hall.txt").write_text(english, encoding="utf-8")
    assert [hint["editions"] for hint in found(hall)] == [["he"]]
    (hall / "sources").mkdir()
    (hall / "sources" / "en.excuses").write_text("3  7  it is a joke\n", encoding="utf-8")
    assert found(hall) == []


# ---- texts that cannot be read


def change(file: Path, before: str, after: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert before in text
    file.write_text(text.replace(before, after), encoding="utf-8")


def told(ran: Ran) -> str:
    assert "Traceback" not in ran.output
    assert ran.code == Exit.GOOD
    return ran.output


def make_missing(file: Path) -> None:
    file.unlink()


def make_another_encoding(file: Path) -> None:
    file.write_bytes(HEBREW.encode("windows-1255"))


def make_binary(file: Path) -> None:
    file.write_bytes(bytes(range(256)) * 8)


def make_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def make_loop(file: Path) -> None:
    file.unlink()
    file.symlink_to(file)


def make_huge(file: Path) -> None:
    with file.open("ab") as stream:
        stream.truncate(200_000_000)


FAULTS: dict[str, Callable[[Path], None]] = {
    "F101": make_missing,
    "F102": make_folder,
    "F103": make_loop,
    "F104": make_binary,
    "F105": make_another_encoding,
    "F106": make_huge,
}
"""By the code that tells it."""


@pytest.mark.parametrize("code", FAULTS)
def test_a_text_that_cannot_be_read(hall: Path, code: str) -> None:
    """It is told once: which, where, why, how to mend it, and what follows. The other text is used."""
    FAULTS[code](hall.parent / "books" / "hall-he.txt")
    text = told(diff(hall))
    assert text.count(f" {code} ") == 1, text
    assert re.search(rf"books/hall-he\.txt(:\d+:\d+)?: {code} ", text), text
    assert re.search(r"hint:.*`he` is left out", text), text
    assert "0 places to read again (hints, no findings), without the text of he\n" in text
    assert f" {code} " in diff(hall, "--check").stdout, "also where no hints are looked for"
    change(hall / "he.ludex", "chairs = 4", "chairs = 5")
    page = diff(hall, "--format", "html")
    assert f" {code} " in page.stderr
    assert "four chairs" in re.sub("<[^>]*>", "", page.stdout), "the words of the other are shown"


@pytest.mark.parametrize("code", FAULTS)
def test_programs_are_told_which_texts_are_left_out(hall: Path, code: str) -> None:
    sound = json.loads(diff(hall, "--format", "json").stdout)
    assert (sound["left_out"], sound["notices"]) == ([], [])
    FAULTS[code](hall.parent / "books" / "hall-he.txt")
    found = json.loads(diff(hall, "--format", "json").stdout)
    Draft202012Validator(difference_schema()).validate(found)
    assert found["left_out"] == ["hall-he.txt"]
    [notice] = found["notices"]
    assert notice["code"] == code
    assert notice["file"].endswith("books/hall-he.txt")
    assert "`he` is left out" in notice["hint"]
    log = json.loads(diff(hall, "--format", "sarif").stdout)
    Draft202012Validator(LOG).validate(log)
    [run] = log["runs"]
    assert run["properties"]["leftOut"] == ["hall-he.txt"]
    [told] = run["invocations"][0]["toolExecutionNotifications"]
    assert told["descriptor"]["id"] == code
    assert told["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("books/hall-he.txt")
    assert "`he` is left out" in told["message"]["text"]


def test_a_text_of_an_edition_that_is_not_compared(hall: Path) -> None:
    """Who compares two editions needs the texts of two."""
    shutil.copy(hall / "he.ludex", hall / "ru.ludex")
    change(hall / "ru.ludex", "edition he", "edition ru")
    change(hall / "hall.ludex", 'he "hall-he.txt"', 'he "hall-he.txt", ru "hall-ru.txt"')
    assert "hall-ru.txt: F101" in told(diff(hall))
    text = told(diff(hall, "en", "he"))
    assert "F101" not in text
    assert "1 place to read again (hints, no findings)\n" in text


def test_lines_beyond_the_end(hall: Path) -> None:
    (hall / "he.ludex").write_text(EDITION.format(name="he", last="3-4000000"), encoding="utf-8")
    assert len(found(hall)) == 1
    (hall.parent / "books" / "hall-he.txt").write_text("", encoding="utf-8")
    assert found(hall) == []


def test_a_text_that_has_changed_since_its_lines_were_recorded(hall: Path) -> None:
    books = hall.parent / "books"
    ludex("coverage", hall, "--sources", books, "--record")
    assert len(found(hall)) == 1
    (books / "hall-he.txt").write_text("כותרת חדשה\n" + HEBREW, encoding="utf-8")
    text = told(diff(hall))
    assert "not as they were recorded" in text
    assert "ludex coverage" in text
    assert "0 places to read again" in text


def test_a_text_that_is_another(hall: Path) -> None:
    """The words of another text are not shown as those that a clause rests on."""
    books = hall.parent / "books"
    (books / "hall-he.txt").write_text(HEBREW + "".join(f"שורה {n}\n" for n in range(30)), encoding="utf-8")
    ludex("coverage", hall, "--sources", books, "--record")
    (books / "hall-he.txt").write_text("".join(f"something else {n}\n" for n in range(30)), encoding="utf-8")
    text = told(diff(hall))
    assert "not as they were recorded" in text
    assert "without the text of he\n" in text
    change(hall / "he.ludex", "chairs = 4", "chairs = 5")
    page = diff(hall, "--format", "html").stdout
    assert "four chairs" in page
    assert "something else" not in page
