"""The cards of Boreal: they agree with the rulebook, and assumed values are marked as assumed."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files

import pytest

from ludex.grammar.files.yaml_tree import plain, read_yaml
from ludex.spec.components import (
    ComponentTable,
    check_documents,
    check_tables,
    component_schema,
    decode_table,
    read_components,
)
from ludex.spec.values.phrases import show
from ludex.spec.values.type_schema import validator
from ludex.spec.values.types import Bool, Case, ComponentType, Range, Type, Words

DECK = Words("Deck", tuple(map(Case, ("start", "location", "archive"))))
FAMILY = Words("Family", tuple(map(Case, ("earth", "air", "fire", "water"))))
X: tuple[tuple[str, Type], ...] = (("x", Range(1, 3)),)
OF_FAMILY: tuple[tuple[str, Type], ...] = (("family", FAMILY),)
EFFECT = Words(
    "Effect",
    (
        *map(
            Case, ("nothing_more", "adj_count", "sets4", "level", "copy_left", "adj_unique", "copy_right", "majority")
        ),
        *map(Case, ("copy_below", "reserve_market", "swap_pyramid", "peek3", "remove_market", "swap_market")),
        Case("per_type", OF_FAMILY),
        Case("adj_type", OF_FAMILY),
        Case("gain", X),
        Case("opponent_loses", X),
    ),
)
COLUMNS: tuple[tuple[str, Type], ...] = (
    ("deck", DECK),
    ("family", FAMILY),
    ("cost", Range(0, 8)),
    ("compasses", Range(0, 3)),
    ("not_ground", Bool()),
    ("points", Range(0, 10)),
    ("effect", EFFECT),
)
TEXT = (files("ludex.spec") / "games" / "boreal" / "components.yaml").read_text(encoding="utf-8")
FILE = read_components(TEXT, "components.yaml")


@pytest.fixture(scope="module")
def table() -> ComponentTable:
    return decode_table(FILE.tables["Place"], "Place", COLUMNS)


def test_the_file_is_clean(table: ComponentTable) -> None:
    place = FILE.tables["Place"].span
    assert [*FILE.diagnostics, *table.diagnostics] == []
    assert check_tables(FILE, {"Place": place}) == ()
    assert check_documents(FILE, ["ru"]) == ()


def test_the_schema_accepts_it() -> None:
    tree, _ = read_yaml(TEXT, "components.yaml")
    assert tree is not None
    validator(component_schema([ComponentType("Place", (), COLUMNS, (), ())])).validate(plain(tree))


def test_boreal_has_44_cards_in_three_decks(table: ComponentTable) -> None:
    assert Counter(DECK.cases[row[0]].name for row in table.rows) == {"start": 12, "location": 24, "archive": 8}
    assert set(table.copies) == {1}
    assert FILE.tables["Place"].ids[:2] == ("s01", "s02")


def test_every_card_is_assumed(table: ComponentTable) -> None:
    """No printed value is known. A correction of a card names its source, and extends this test."""
    assert {each.kind for row in table.provenance for each in row.values()} == {"assumed"}


def test_every_effect_of_the_player_aid_is_on_some_card(table: ComponentTable) -> None:
    shown = {show(EFFECT, row[-1]).split("(")[0] for row in table.rows}
    assert shown == {case.name for case in EFFECT.cases}


def test_the_worked_examples_have_their_cards(table: ComponentTable) -> None:
    assert {4, 6} <= {row[2] for row in table.rows}


def test_a_lost_card_is_reported() -> None:
    lost = "\n".join(line for line in TEXT.splitlines() if "id: l03" not in line)
    reports = decode_table(read_components(lost, "f").tables["Place"], "Place", COLUMNS).diagnostics
    assert [report.message for report in reports] == [
        "the rows make 43 of Place, not 44",
        "the rows with `deck` location make 23 of Place, not 24",
    ]


def test_the_shared_facts_name_their_origin() -> None:
    kinds = Counter(fact.provenance.kind for fact in FILE.facts)
    assert kinds["stated"] > 20
    assert kinds["found"] > 10
    assert kinds["assumed"] > 4
