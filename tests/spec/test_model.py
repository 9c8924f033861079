"""The typed model: nodes with the same meaning are equal, wherever they are written, and names are plain strings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from ludex.grammar import Identifier, Span, without_identifiers
from ludex.spec import Request, load
from ludex.spec.loading.game_text import read_game
from ludex.spec.loading.loader import build
from ludex.spec.loading.overviews import overview_of
from ludex.spec.model import nodes as m

NIM = Path(__file__).parents[2] / "spec/games/nim/nim.ludex"


def test_no_span_takes_part_in_comparison() -> None:
    kinds = [each for each in vars(m).values() if isinstance(each, type) and is_dataclass(each)]
    spans = [(each, part) for each in kinds for part in fields(each) if part.type == "Span"]
    assert len(spans) > 10
    assert [(kind.__name__, part.name) for kind, part in spans if part.compare] == []


def test_equal_clauses_at_different_places_are_equal(tmp_path: Path) -> None:
    """File, line and label of a clause have no part in its meaning."""
    text = NIM.read_text("utf-8").partition("\nterms\n")[0]
    for old, new in (("lift:", "less:"), ("enough:", "so_many:"), ("turns:", "rounds:"), ("action", "\n\naction")):
        text = text.replace(old, new)
    (tmp_path / "nim.ludex").write_text(text, "utf-8")
    one, two = load("nim"), load(tmp_path / "nim.ludex")
    assert one.actions["take"].span != two.actions["take"].span
    assert one.actions["take"].requirements[0].path != two.actions["take"].requirements[0].path
    assert one.actions == two.actions
    assert (hash(one.play), one.play) == (hash(two.play), two.play)


@pytest.mark.parametrize("name", ["boreal", "kuhn_poker", "crazy_eights"])
def test_names_of_a_fresh_game_are_plain_strings(name: str) -> None:
    """A game that is read from its files must equal one from the cache."""
    text = read_game(name)
    game = build(text, Request()).game
    assert game
    places = [path for path, held in strings_in([game, overview_of(text)], "") if type(held) is Identifier]
    assert places == []


def strings_in(data: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(data, str):
        yield path, data
    elif isinstance(data, Mapping):
        yield from strings_in([*data, *data.values()], path)
    elif isinstance(data, list | tuple | Set):
        for each in data:
            yield from strings_in(each, path)
    elif is_dataclass(data):
        for part in fields(data):
            yield from strings_in(getattr(data, part.name), f"{type(data).__name__}.{part.name}")


def test_nodes_without_identifiers_are_not_copied() -> None:
    span = Span("x", 1, 1, 1, 2)
    plain, named = m.Wording("en", "a", span), m.Wording(Identifier("en", span), "b", span)
    term = m.Term("x", (plain, named, named))
    changed = without_identifiers(term)
    assert changed == term
    assert changed.words[0] is plain
    assert changed.words[1] is changed.words[2]
    assert type(changed.words[1].language) is str
    assert without_identifiers(changed) is changed
