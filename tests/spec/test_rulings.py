"""Rulings on divergences: read with every fault at its word, held as long as nobody says anything else."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from ludex.spec import (
    RULING_CODES,
    Comparison,
    add_rulings,
    cited_game,
    compare,
    decide,
    draft_rulings,
    marks_of,
    read_game,
    read_rulings,
    record,
    sources_folder,
    write_recorded,
)

from .duel import write_files

GAME = """\
game cart
  players: 2
  document: en "cart.txt", he "cart-he.txt"
  editions: en, he
  convention: "shared nouns"

state load(Player): 0..9 = 0

action take
  choose n in 1..3
"""
EN = """\
edition en of cart

action take
  require enough: load(me) + n <= 6                             [en 3]
  gain: load(me) += n                                           [en 3]
"""
HE = """\
edition he of cart

action take
  require enough: load(me) + n <= 5                             [he 2]
"""
EDITIONS = ("en", "he")


def compared(folder: Path, **editions: str) -> tuple[Comparison, dict[str, dict[str, str]]]:
    game = read_game(write_files(folder, cart=GAME, **{"en": EN, "he": HE, **editions}))
    found = compare({name: file.module for name, file in game.editions.items()}, game.game.module)
    cited, _ = cited_game(game)
    return found, {each.id: marks_of(each, cited) for each in found.divergences}


@pytest.fixture
def ruled(tmp_path: Path) -> str:
    """Rulings on all that parts the two editions as they are above."""
    found, marks = compared(tmp_path)
    return draft_rulings(found.divergences, marks).replace('""', "it was asked")


def lapsed(folder: Path, text: str, **editions: str) -> list[str]:
    found, marks = compared(folder, **editions)
    read = read_rulings(text, EDITIONS, "rulings.yaml")
    assert not read.diagnostics
    return [diagnostic.message for diagnostic in decide(found, marks, read.rulings).diagnostics]


def test_a_draft_decides_everything_once_it_gives_reasons(tmp_path: Path, ruled: str) -> None:
    found, marks = compared(tmp_path)
    rulings = read_rulings(ruled, EDITIONS, "rulings.yaml").rulings
    assert [ruling.clause for ruling in rulings] == ["take.enough", "take.gain"]
    assert set(decide(found, marks, rulings).rulings) == {each.id for each in found.divergences}


def test_a_draft_without_reasons_is_not_taken(tmp_path: Path) -> None:
    found, marks = compared(tmp_path)
    read = read_rulings(draft_rulings(found.divergences, marks), EDITIONS, "rulings.yaml")
    assert [(each.code.name, each.is_error) for each in read.diagnostics] == [("ruling-without-reason", False)] * 2
    assert read.rulings == ()


def test_one_draft_stands_in_the_way_of_no_ruling(ruled: str) -> None:
    read = read_rulings(ruled.replace("it was asked", '""', 1), EDITIONS, "rulings.yaml")
    assert [each.message for each in read.diagnostics] == [
        "the ruling on `take.enough` gives no reason, and is passed over"
    ]
    assert [ruling.clause for ruling in read.rulings] == ["take.gain"]


OTHER = '- clause: other  # asked\n  says: {en: silent}\n  decision: accept\n  reason: "so"\n'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# ours\n\n",
        "rulings: []  # none yet\n",
        "rulings: []",
        "rulings:\n",
        "rulings: null  # none\n# and a last word",
        f"# ours\nrulings:\n{OTHER}",
        f"rulings:\n{textwrap.indent(OTHER, '      ')}\n\n# a last word\n",
        "rulings:\n  - clause: other\n    says: {en: silent}\n    decision: accept\n    reason: |\n      a\n\n      b",
        'rulings:\n-\n  clause: other\n  says: {en: "silent"}\n  decision: accept\n  reason: so\u00a0and so\n',
    ],
)
def test_what_is_added_takes_nothing_away(tmp_path: Path, text: str) -> None:
    found, marks = compared(tmp_path)
    made = add_rulings(text, found.divergences, marks)
    assert made is not None
    merged, added = made
    assert added == 2
    kept = [row for row in text.split("\n") if row.strip() and not row.startswith("rulings:")]
    rows = iter(merged.split("\n"))
    assert all(row in rows for row in kept), "in this order"
    rulings = read_rulings(merged.replace('""', "it was asked"), EDITIONS, "rulings.yaml")
    assert not rulings.diagnostics
    assert [each.clause for each in rulings.rulings if each.clause != "other"] == ["take.enough", "take.gain"]
    assert ("other" in text) == ("other" in {each.clause for each in rulings.rulings})
    assert add_rulings(merged, found.divergences, marks) == (merged, 0)


@pytest.mark.parametrize(
    "text", ["rulings: 3\n", "- a\n", "rulings: [\n", "rulings: [{clause: a}]\n", "---\na: 1\n---\n"]
)
def test_what_is_no_list_gets_nothing_added(tmp_path: Path, text: str) -> None:
    found, marks = compared(tmp_path)
    assert add_rulings(text, found.divergences, marks) is None


def test_the_wording_of_an_encoding_does_not_count(tmp_path: Path, ruled: str) -> None:
    assert not lapsed(tmp_path, ruled, he=HE.replace("load(me) + n <= 5", "5 >= n + load(me)"))


@pytest.mark.parametrize(
    ("he", "said"),
    [
        (HE.replace("<= 5", "<= 4"), ["the ruling has lapsed: he says something else"]),
        (HE.replace("[he 2]", "[he 3]"), ["the ruling has lapsed: the lines that he cites are not what they were"]),
        (HE.replace("<= 5", "<= 6"), ["the editions do not part at `take.enough`"]),
        ("edition he of cart\n", ["the ruling has lapsed: he is silent now"]),
    ],
    ids=["meaning", "lines", "agreement", "silence"],
)
def test_a_change_lets_a_ruling_lapse(tmp_path: Path, ruled: str, he: str, said: list[str]) -> None:
    assert lapsed(tmp_path, ruled, he=he)[: len(said)] == said


def test_a_ruling_on_more_editions_than_are_compared_holds(tmp_path: Path) -> None:
    found, marks = compared(tmp_path)
    text = draft_rulings(found.divergences, marks).replace('""', "so").replace("{", "{ru: silent, ")
    rulings = read_rulings(text, (*EDITIONS, "ru"), "rulings.yaml").rulings
    assert len(decide(found, marks, rulings).rulings) == 2


GOOD = "rulings:\n  - {clause: a.b, says: {en: silent}, decision: accept, reason: so}\n"
FAULTS = {
    "nothing": ("", "D101", "the file says nothing"),
    "no_list": ("rulings: 3\n", "D101", "expected a list of rulings, found the number 3"),
    "unknown": (GOOD + "more: 1\n", "D101", "`more` means nothing here"),
    "entry": (GOOD.replace("reason", "raeson"), "D102", "the ruling on `a.b` gives no reason"),
    "reason": (GOOD.replace("so", '" "'), "D102", "the ruling on `a.b` gives no reason"),
    "number": (GOOD.replace("a.b", "7"), "D101", "expected words behind `clause`, found the number 7"),
    "missing": (GOOD.replace("decision: accept, ", ""), "D101", "the ruling has no `decision`"),
    "edition": (GOOD.replace("en:", "fr:"), "D103", "the game has no edition `fr`"),
    "follows": (GOOD.replace("accept", "he"), "D103", "`he` is no decision here"),
    "mark": (
        GOOD.replace("silent", "loud"),
        "D101",
        "expected a fingerprint of eight or twice eight signs, or `silent`",
    ),
    "twice": (GOOD + GOOD.partition("\n")[2], "D104", "there is a ruling on `a.b` already"),
    "yaml": ("rulings: [\n", "C201", ""),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_of_a_file(name: str) -> None:
    text, code, message = FAULTS[name]
    found = read_rulings(text, EDITIONS, "rulings.yaml").diagnostics
    assert code in {fault.code.code for fault in found}, found
    assert any(fault.message.startswith(message) for fault in found), found


def test_every_code_is_tried() -> None:
    lapses = {"D105", "D106"}
    assert {code.code for code in RULING_CODES} == {code for _, code, _ in FAULTS.values() if code[0] == "D"} | lapses


# ---- fingerprints of cited lines


def marked(folder: Path, text: str, cited: str) -> str:
    """The fingerprint of what `en` says in `take.enough`, with this text of the book recorded."""
    (folder / "books").mkdir(exist_ok=True)
    (folder / "books" / "cart.txt").write_text(text, encoding="utf-8")
    compared(folder, en=EN.replace("[en 3]", cited))
    game = read_game(folder)
    recorded, _ = record(sources_folder(game), cited_game(game, folder / "books")[0])
    assert not write_recorded(recorded, folder)[1]
    found = compare({name: file.module for name, file in game.editions.items()}, game.game.module)
    marks = marks_of(found.divergences[0], cited_game(game)[0])
    return marks["en"]


def test_the_words_of_the_lines_count_and_not_their_numbers(tmp_path: Path) -> None:
    first, moved, other = tmp_path / "first", tmp_path / "moved", tmp_path / "other"
    for folder in (first, moved, other):
        folder.mkdir()
    before = marked(first, "Carts\n\nNo cart holds more than six.\n", "[en 3]")
    assert marked(moved, "Carts\nSecond printing\n\nNo cart holds  more than six.\n", "[en 4]") == before
    assert marked(other, "Carts\n\nNo cart holds six.\n", "[en 3]") != before
