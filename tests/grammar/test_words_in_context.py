"""Contextual keywords: words that are names in other places. Formatted text must parse to the same tree."""

from __future__ import annotations

import pytest

from ludex.grammar import format_module, parse, same_meaning

FRAME = "game words\n  players: 2\n\n{}\n"


@pytest.mark.parametrize(
    "text",
    [
        "define f(one: 0..9) = one - 1",
        "define f(one: 0..9) = one - one",
        "state least: 0..9 = min(1, sum(1 for open in 1..3, hidden in 1..2)), hidden",
        "state any: Bool = some open in 1..3, private in 1..2 has open = private",
        "zone deck: one -1..1, open",
    ],
)
def test_formatted_text_parses_to_the_same(text: str) -> None:
    first = parse(FRAME.format(text), "words")
    assert first.diagnostics == ()
    again = parse(format_module(first.module), "words")
    assert again.diagnostics == ()
    assert same_meaning(first.module, again.module)


def test_a_tab_between_two_words_is_a_blank() -> None:
    spaced = "play\n  turns: each player in seats\n    end game"
    tabbed = spaced.replace("each player", "each\tplayer").replace("end game", "end\tgame")
    assert same_meaning(parse(FRAME.format(spaced), "a").module, parse(FRAME.format(tabbed), "b").module)
