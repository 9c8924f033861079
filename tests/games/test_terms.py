"""The terms of shipped games: everything that players see has a word in every language of reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from ludex.grammar import languages
from ludex.interpreter.event_notation.vocabulary import Vocabulary
from ludex.spec import Game, shipped_games
from ludex.spec import types as t

from ..once import game_once


def met(game: Game) -> Iterator[str]:
    """Return the paths of terms for everything that players of the game see by name."""
    for action, signature in game.moves.items():
        yield action
        yield from (f"{action}.{name}" for name, *_ in signature.arguments)
    yield from game.chances
    yield from game.element
    shown = ("option", "score", "require")
    yield from (path for path, clause in game.clauses.items() if clause.kind in shown or path.startswith("winner."))
    stated = [of for signature in game.moves.values() for _, of, _ in signature.arguments]
    outcomes = [each.outcome for each in game.chances.values()]
    held = [of for element in game.elements for of in (element.type, *element.indices)]
    yield from parts((*stated, *outcomes, *held))


def parts(types: Iterable[t.Type]) -> Iterator[str]:
    """Yield the words, fields and columns of these types, and the types that have any."""
    for type_ in types:
        match type_:
            case t.Words(name=name, cases=cases):
                yield name
                yield from (f"{name}.{case.name}" for case in cases)
                yield from parts(of for case in cases for _, of in case.fields)
            case t.Record(name=name, fields=fields):
                yield from (name, *(f"{name}.{field}" for field, _ in fields))
                yield from parts(of for _, of in fields)
            case t.ComponentType(name=name, columns=columns):
                yield from (name, *(f"{name}.{column}" for column, _ in columns))
                yield from parts(of for _, of in columns)
            case t.Optional(of=of) | t.SetOf(of=of) | t.BagOf(of=of) | t.ListOf(of=of):
                yield from parts([of])


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", shipped_games())
def test_everything_that_players_see_has_a_word(name: str, language: str) -> None:
    game = game_once(name)
    missing = [path for path in dict.fromkeys(met(game)) if not game.word(path, language)]
    assert not missing, f"add to the terms of {name}: a word in `{language}` for each of these"


@pytest.mark.parametrize("name", shipped_games())
def test_every_move_and_outcome_can_be_written_by_its_word(name: str) -> None:
    """Each has a word of its own in every language, so that sheets and reports need not use its name."""
    vocabulary = Vocabulary(game_once(name))
    for words, named in ((vocabulary.actions, vocabulary.game.moves), (vocabulary.chances, vocabulary.game.chances)):
        for path in named:
            for language in languages():
                term = "_".join((vocabulary.game.word(path, language) or "").split())
                assert words.known.get(term) == path, (
                    f"give `{term}` another word ({language}): this one is taken, or is no word"
                )


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", shipped_games())
def test_every_game_has_a_title(name: str, language: str) -> None:
    assert game_once(name).titles.get(language)


@pytest.mark.parametrize("name", shipped_games())
def test_every_reason_of_a_clause_is_translated(name: str) -> None:
    """A report gives the reason of a clause without a text: a ruling, or a convention."""
    game = game_once(name)
    clauses = [clause for clause in game.clauses.values() if clause.kind != "term"]
    reasons = dict.fromkeys(reason.term for clause in clauses for reason in clause.authority.reasons)
    spoken = [language for language in languages() if language != "en"]  # the specs are in English
    missing = [reason for reason in reasons if not all(game.word(reason, language) for language in spoken)]
    assert not missing, f"add translations to the terms of {name} ({spoken}), as PATH.ruling or NAME.convention"
