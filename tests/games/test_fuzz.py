"""Fuzzing from end to end: whole specs, component files and logs with any content give diagnostics, never exceptions.

The readers of texts, component files and logs have fuzz tests of their own: `test_fuzz.py` and
`test_components_fuzz.py` in their folders, `test_validate_damage.py`, and `test_damage.py` here.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.grammar import RESERVED_WORDS, Diagnostic
from ludex.interpreter import (
    Engine,
    Generator,
    SpecFault,
    Validator,
    Verdict,
    parse_log,
    playout,
    report_to_json,
    write_log,
)
from ludex.spec import check_game, find, load

from ..cases import cases
from ..once import engine_once, game_once
from .plays import GAMES, SAMPLES, TABLES, Table, game_of, seeded

SMALL = tuple(name for name in GAMES if not any(find(name).parent.glob("*.yaml")))
LARGE = tuple(name for name in GAMES if name not in SMALL)
SAMPLE_FILES = sorted({Path(table.game).name for table in SAMPLES})
RARELY = 24
"""A large game takes as long as so many small ones, and is drawn less often by that factor."""

TOKENS = re.compile(r"(?P<blank>\s+)|(?P<number>\d+)|(?P<type>[A-Z]\w*)|(?P<word>\w+)|(?P<sign>[^\w\s])")
SCRAPS = (
    "",
    "\n  ",
    *" \n\t(){}[]:?-01\"#'|>,\0éש",
    ":=",
    "..",
    "99999",
    "none",
    "me",
    "x",
    "Player",
    "- ",
    "*a",
    "&a",
)


# ---- damage ---------------------------------------------------------------------------------------------------------


@st.composite
def damaged(draw: st.DrawFn, text: str, others: Sequence[str] = SCRAPS) -> str:
    """The text with a few words changed, mostly to others of their kind, or with lines moved or removed."""
    for _ in range(draw(st.sampled_from([1, 1, 2, 3]))):
        if draw(st.integers(0, 5)) == 0:
            text = draw(_lines_moved(text))
            continue
        tokens = list(TOKENS.finditer(text))
        if not tokens:
            return draw(st.sampled_from(others))
        token = draw(st.sampled_from([match for match in tokens if not match.group().isspace()] or tokens))
        alike = [match.group() for match in tokens if match.lastgroup == token.lastgroup]
        words = alike if draw(st.integers(0, 5)) else others
        text = text[: token.start()] + draw(st.sampled_from(words)) + text[token.end() :]
    return text


@st.composite
def _lines_moved(draw: st.DrawFn, text: str) -> str:
    lines = text.splitlines(keepends=True) or [""]
    start = draw(st.integers(0, len(lines) - 1))
    end = min(len(lines), start + draw(st.integers(1, 3)))
    block, rest = lines[start:end], lines[:start] + lines[end:]
    match draw(st.sampled_from(["drop", "double", "move", "break off"])):
        case "drop":
            lines = rest
        case "double":
            lines[start:start] = block
        case "move":
            to = draw(st.integers(0, len(rest)))
            lines = rest[:to] + block + rest[to:]
        case _:
            lines = [*lines[:start], lines[start][: draw(st.integers(0, len(lines[start])))]]
    return "".join(lines)


def assert_diagnostics(diagnostics: Sequence[Diagnostic]) -> None:
    for diagnostic in diagnostics:
        assert diagnostic.message
        assert diagnostic.span.line >= 1
        assert diagnostic.span.column >= 1
        assert (diagnostic.span.line, diagnostic.span.column) <= (diagnostic.span.end_line, diagnostic.span.end_column)
        f"{diagnostic.message} {diagnostic.hint}".encode()


# ---- specs and component files --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of every shipped game, to damage one file at a time."""
    copies = tmp_path_factory.mktemp("games")
    for name in GAMES:
        shutil.copytree(find(name).parent, copies / name)
    for table in SAMPLES:
        shutil.copy(table.game, copies)
    cards = copies / "cards"
    cards.mkdir()
    (cards / "cards.ludex").write_text(CARDS, "utf-8")
    (cards / "components.yaml").write_text(CARDS_DATA, "utf-8")
    return copies


def check(path: Path, damaged_text: str, game: Path) -> None:
    """Check the game with the damaged file. If there is no fault it must be playable, though its rules may fail."""
    whole = path.read_bytes()
    try:
        path.write_bytes(damaged_text.encode("utf-8", "surrogatepass"))
        diagnostics = check_game(game)
        assert_diagnostics(diagnostics)
        if not any(diagnostic.is_error for diagnostic in diagnostics):
            play_a_little(game)
    finally:
        path.write_bytes(whole)


def play_a_little(game: Path) -> None:
    engine = Engine(load(game))
    with suppress(SpecFault):
        for _ in zip(playout(engine, Generator(0)), range(40), strict=False):
            pass


@cases(250)
@given(data=st.data())
def test_damaged_specs_never_raise(folder: Path, data: st.DataObject) -> None:
    """The specs are shipped games and the games of the language reference, which have every construct."""
    rare = data.draw(st.integers(1, RARELY)) == RARELY
    game = folder / data.draw(st.sampled_from(LARGE if rare and LARGE else (*SMALL, *SMALL, *SAMPLE_FILES)))
    path = data.draw(st.sampled_from(sorted(game.glob("*.ludex")))) if game.is_dir() else game
    words = (*SCRAPS, *sorted(RESERVED_WORDS))
    check(path, data.draw(damaged(path.read_text("utf-8"), words)), game)


CARDS = """\
game cards
  players: 2
  document: en "rules.txt"
  convention: "a sample"

type Family = earth | air
type Effect = nothing_more | gain(x: 1..3)

component Card from "components.yaml"
  family: Family
  cost: 0..8
  effect: Effect
  next: Card?
  tags: set of Family

zone deck: pile of Card, hidden
zone hand(Player): bag of Card, private

setup
  deck:
    fill deck with Card
    shuffle deck
  deal: each player in seats
    draw 2 from deck to my hand

action lay
  choose card in my hand
  off: remove card from my hand

play
  turns: repeat 2 times
    each player in seats
      lay

define worth(c: Card): 0..20 =
  match c.effect
    gain(x) => x + c.cost
    otherwise => if c.next is not empty and c.family in c.next.tags then c.cost else 0

score left: sum(worth(c) for c in my hand)
"""
CARDS_DATA = """\
sources:
  box: {stated: en 41}
  page: {found: "https://example.org/cards"}
tables:
  Card:
    provenance: box
    provenance_of: {effect: page}
    counts:
    - {count: 2, where: {family: earth}}
    rows:
    - {id: s01, family: earth, cost: 0, effect: nothing_more, next: s02, tags: []}
    - {id: s02, family: earth, cost: 8, effect: {gain: {x: 2}}, next: null, tags: [air, earth]}
    - id: s03
      family: air
      cost: 3
      effect: nothing_more
      next: s01
      tags:
      - earth
      copies: 3
      provenance: {assumed: "nobody knows"}
"""


def test_the_sample_of_cards_is_good(folder: Path) -> None:
    assert [each for each in check_game(folder / "cards") if each.is_error] == []


@cases(250)
@given(data=st.data())
def test_damaged_component_files_never_raise(folder: Path, data: st.DataObject) -> None:
    """The files are mostly those of a small game, rarely of a shipped one."""
    rare = data.draw(st.integers(1, 2 * RARELY)) == 2 * RARELY
    game = folder / (data.draw(st.sampled_from(LARGE)) if rare and LARGE else "cards")
    path = data.draw(st.sampled_from(sorted(game.glob("*.yaml"))))
    check(path, data.draw(damaged(path.read_text("utf-8"))), game)


# ---- logs -----------------------------------------------------------------------------------------------------------

VALIDATOR = Validator(game_once, compiled=engine_once)
HEADERS = (
    '"edition": "ru"',
    '"silence": "literal"',
    '"options": {"size": 4}',
    '"readings": {"numbering": "shared"}',
    '"players": ["Ася", "Лена"]',
    '"fingerprint": "0"',
    '"game": "pig"',
    '"note": "x"',
    '"claim": {"winners": [1]}',
    '"claim": {"scores": [1, 2]}',
    '"claim": {"terminal": true}',
    '"outcome": 3',
    '"action": "decline"',
)
"""Members that may replace a word; in YAML too, which contains JSON."""


@cache
def log(table: Table, seed: int, limit: int) -> str:
    """A log as JSON Lines."""
    play = seeded(table, seed, limit)
    return write_log(play.table.header(play.engine.game), play.lines)


def in_yaml(text: str) -> str:
    """The log in YAML, as written by hand."""
    header, *events = map(json.loads, text.splitlines())
    return "".join(_yaml_lines({**header, "events": events}))


def _yaml_lines(log: dict[str, object]) -> Iterator[str]:
    for name, value in log.items():
        if name != "events":
            yield f"{name}: {json.dumps(value, ensure_ascii=False)}\n"
    yield "events:\n"
    events = log["events"]
    assert isinstance(events, list)
    for event in events:
        for at, (name, value) in enumerate(event.items()):
            yield f"{'    ' if at else '  - '}{name}: {json.dumps(value, ensure_ascii=False)}\n"


@pytest.mark.drawn(1, by=game_of)
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_log_by_hand_is_the_same_log(table: Table, play_seed: int) -> None:
    for limit in (12, 60):
        text = log(table, play_seed, limit)
        report = VALIDATOR.validate(parse_log(in_yaml(text), "log.yaml"))
        assert report.verdict is Verdict.LEGAL
        assert report.replayed == len(text.splitlines()) - 1


@cases(600)
@given(data=st.data())
def test_damaged_logs_never_raise(data: st.DataObject) -> None:
    """Any word in either form may be replaced by any other, in claims and settings too."""
    text = log(data.draw(st.sampled_from(TABLES)), *data.draw(st.sampled_from([(0, 12), (1, 60)])))
    form = data.draw(st.sampled_from(["jsonl", "yaml"]))
    written = data.draw(damaged(in_yaml(text) if form == "yaml" else text, (*SCRAPS, *HEADERS)))
    report = VALIDATOR.validate(parse_log(written, f"log.{form}"))
    assert_diagnostics(report.findings)
    assert report.replayed <= report.events + len(report.left_out)
    assert (report.verdict in (Verdict.LEGAL, Verdict.UNJUDGED)) == (
        not any(finding.is_error for finding in report.findings)
    )
    json.dumps(report_to_json(report), ensure_ascii=False).encode()
