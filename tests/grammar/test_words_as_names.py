"""A keyword used as a name gives one report at its first use, wherever a name is allowed and however
often it is used.
"""

from __future__ import annotations

from random import Random

import pytest

from ludex.grammar import RESERVED_WORDS, Diagnostic, parse

FRAME = """\
game shore
  title: en "Shore"
  players: 2
  convention: "a frame for names"

type Tide = {variant} | high
type Cell = (row: 1..3, col: 1..3)

option {option}: 1..5 = 3

zone {zone}: bag of Cell, open
zone spare: bag of Cell, open

state {state}: 0..9 = 0
state tide: Tide = high
state last: 0..9 = 0

fact {fact} = 4

define {define} = last + {state}
define near({parameter}: Cell, other: Cell) = {parameter}.row = other.row and {parameter} != other

setup
  lay:
    each {generator} in Cell
      put {generator} in {zone}
  first:
    {state} := 1
    last := ({state} + {define} - {state}) mod {fact}

action {action}({argument}: Cell)
  require there: {argument} in {zone}
  require apart: near({argument}, Cell(1, 1)) or {state} < {fact} and {argument}.row > {option}
  take: move {argument} from {zone} to spare
  count:
    let {let} = {state} + 1
    last := {let} mod 9
    {state} := {let} mod 9
    if tide = {variant} then {state} := 0
    tide := {variant}

action wait
  go: tide := {variant}

play
  round:
    repeat
      each player in seats
        choose {action}(Cell(1, 1)) or wait
    until {zone} is empty or {state} = 9

score cells: count({generator} in spare where {generator}.row > {fact})

winner
  most: highest total(me)
"""
NAMES = {
    "variant": "low", "option": "depth", "zone": "sand", "state": "level", "fact": "goal", "define": "both",
    "parameter": "one", "generator": "c", "action": "take", "argument": "at", "let": "later",
}  # fmt: skip


def spec(**name: str) -> str:
    return FRAME.format(**{**NAMES, **name})


def reports(text: str) -> tuple[Diagnostic, ...]:
    return parse(text, "shore.ludex").diagnostics


def test_the_frame_has_no_faults() -> None:
    assert reports(spec()) == ()


@pytest.mark.parametrize("place", NAMES)
def test_a_keyword_as_a_name_gives_one_report(place: str, rng: Random, is_long: bool) -> None:
    """The report is at the first use, and suggests another name."""
    first = next(row for row, line in enumerate(FRAME.splitlines(), 1) if f"{{{place}}}" in line)
    words = sorted(RESERVED_WORDS)
    for word in words if is_long else rng.sample(words, 20):
        (diagnostic,) = reports(spec(**{place: word}))
        summary = (diagnostic.code.code, diagnostic.span.line, diagnostic.message)
        assert summary == ("S102", first, f"`{word}` is a word of the language and cannot be a name")
        assert diagnostic.hint is not None
        suggested = diagnostic.hint.split("`")[1]
        assert reports(spec(**{place: suggested})) == (), f"`{suggested}` is not a valid name either: suggest another"


def test_several_keywords_as_names_give_a_report_each() -> None:
    diagnostics = reports(spec(argument="to", zone="from", state="draw", let="my"))
    assert sorted(each.message.split("`")[1] for each in diagnostics) == ["draw", "from", "my", "to"]


def test_another_fault_of_a_line_with_such_a_name_is_reported() -> None:
    """A fault that has nothing to do with the name has a report of its own."""
    diagnostics = reports(spec(state="draw").replace("last := later", "last = later - draw"))
    assert [each.code.code for each in diagnostics] == ["S102", "S113"]
