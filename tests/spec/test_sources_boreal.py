"""The stored record of Boreal's rulebook: every line has a class, and no words are stored.

With LUDEX_SOURCES set to the folder of the rulebooks, the fingerprints are compared with the text, too.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ludex.grammar import Span
from ludex.spec.sources.files import format_lines, read_sources
from ludex.spec.sources.texts import Document, LineClass, changes

FOLDER = Path(__file__).parents[2] / "spec" / "games" / "boreal" / "sources"
NAME = "004_12776d1ad8614543.txt"
RU = Document("ru", NAME, Span("boreal.ludex", 4, 3, 4, 10))
AID = 195
"""The first line of the player aid, which is an edition of its own."""


def stored_lines() -> list[LineClass]:
    (source,), reports = read_sources(FOLDER, [RU])
    assert reports == ()
    assert source.stored
    return [line.line_class for line in source.stored.lines]


def test_every_line_has_a_class() -> None:
    kinds = stored_lines()
    assert len(kinds) == 279
    assert LineClass.UNCLASSIFIED not in kinds
    counted = {kind: kinds.count(kind) for kind in LineClass if kind in kinds}
    assert counted == {
        "rule": 72,
        "example": 12,
        "heading": 19,
        "component_list": 8,
        "flavour": 5,
        "reference": 3,
        "not_text": 2,
        "blank": 158,
    }


def test_all_lines_of_the_aid_are_rules() -> None:
    aid = set(stored_lines()[AID - 1 :])
    assert aid == {LineClass.HEADING, LineClass.RULE, LineClass.BLANK}


def test_no_words_are_stored() -> None:
    text = (FOLDER / "ru.lines").read_text(encoding="utf-8")
    assert text.isascii(), "the text is Russian, so a character outside ASCII here may be a part of it: remove it"


def test_the_file_is_in_the_recorded_form() -> None:
    (source,), _ = read_sources(FOLDER, [RU])
    assert source.stored
    assert format_lines(source.stored) == (FOLDER / "ru.lines").read_text(encoding="utf-8")


@pytest.mark.skipif("LUDEX_SOURCES" not in os.environ, reason="set LUDEX_SOURCES to the folder of the rulebooks")
def test_the_fingerprints_are_of_the_text() -> None:
    (source,), reports = read_sources(FOLDER, [RU], Path(os.environ["LUDEX_SOURCES"]))
    assert reports == ()
    assert source.stored
    assert source.words
    assert changes(source.stored.fingerprints, source.words.fingerprints) == ()
