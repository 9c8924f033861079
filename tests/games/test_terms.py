"""The terms of shipped games: everything that players see has a word in every language of reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from ludex.grammar import in_language, languages, nodes_in
from ludex.grammar import syntax as s
from ludex.interpreter.event_notation.vocabulary import Vocabulary
from ludex.interpreter.explanation.offers import offers
from ludex.interpreter.explanation.wording import why
from ludex.spec import Game, nodes, overview, shipped_games
from ludex.spec import model as m
from ludex.spec import types as t
from ludex.spec.loading.game_text import read_game

from ..once import game_once

SPOKEN = set(languages()) - {"en"}
"""The languages that the specs are not written in."""


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


def asked(game: Game) -> Iterator[str]:
    """Return the names of the defines and facts whose values an explanation can give.

    It unfolds requirements, the choices that are offered and the conditions on the way to a decision.
    """
    roots: list[object] = [
        node for routine in game.routines for node in nodes(routine) if isinstance(node, m.Requirement | m.Choice)
    ]
    roots += [guard for move in game.moves for offer in offers(game, move) for guard, _ in offer.guards]
    seen = set[str]()
    while roots:
        calls = {node.name for node in nodes(roots.pop()) if isinstance(node, m.CallDefine)} - seen
        seen |= calls
        roots += [game.defines[name].body for name in calls]
        yield from sorted(calls)


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
def test_every_define_of_an_explanation_has_a_word(name: str) -> None:
    game = game_once(name)
    read = dict.fromkeys(each for edition in game.editions or (None,) for each in asked(game_once(name, None, edition)))
    missing = {each: [tag for tag in languages() if not game.word(each, tag)] for each in read}
    assert not {each: tags for each, tags in missing.items() if tags}, (
        f"a requirement or a condition of {name} reads these: add to its terms what they are called in these "
        'languages, as in `ahead: en "squares one step ahead", ru "...", he "..."`'
    )


@pytest.mark.parametrize("name", shipped_games())
def test_every_move_outcome_and_element_can_be_written_by_its_word(name: str) -> None:
    """Each has a word of its own in every language, so that sheets and reports need not use its name."""
    vocabulary = Vocabulary(game_once(name))
    known = (
        *((path, vocabulary.actions.known) for path in vocabulary.game.moves),
        *((path, vocabulary.chances.known) for path in vocabulary.game.chances),
        *((path, vocabulary.elements.known) for path in vocabulary.game.element),
    )
    unusable = {
        f"{path} ({language})": word
        for path, meanings in known
        for language in languages()
        if meanings.get(word := "_".join((vocabulary.game.word(path, language) or "").split())) != path
    }
    assert not unusable, "give each of these another word: two share it, or the notation cannot read it"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", shipped_games())
def test_every_game_has_a_title(name: str, language: str) -> None:
    assert game_once(name).titles.get(language)


def reasons(declarations: tuple[s.Declaration, ...]) -> Iterator[str]:
    """Yield the reasons in declarations, by the names of their terms."""
    for node in nodes_in(declarations, but=(s.TermsDeclaration, s.ExampleDeclaration)):
        match node:
            case s.Reason():
                yield node.term
            case s.Ruled(span=span, reason=reason):
                yield s.Reason(span, "ruling", reason).term


@pytest.mark.parametrize("name", shipped_games())
def test_every_reason_of_a_clause_is_translated(name: str) -> None:
    """A report gives the reason of a clause that its text does not state: a ruling, or a convention."""
    game = game_once(name)
    stated = dict.fromkeys(reasons(tuple(read_game(name).declarations)))
    clauses = [clause for clause in game.clauses.values() if clause.kind != "term"]
    by_file = [reason.term for clause in clauses for reason in clause.authority.reasons]
    missing = [reason for reason in (*stated, *by_file) if not all(game.word(reason, language) for language in SPOKEN)]
    assert not missing, (
        f"add to the terms of {name} what these reasons are in {SPOKEN}, "
        "by PATH.ruling, PATH.ruling.TEXT or NAME.convention"
    )


@pytest.mark.parametrize("name", shipped_games())
def test_every_reading_of_a_fork_is_translated(name: str) -> None:
    forks = overview(name)[0].forks
    missing = [f"{fork.name}.{each}" for fork in forks for each in fork.readings if SPOKEN - fork.terms[each].keys()]
    assert not missing, f"add to the terms of {name} what these readings are in {SPOKEN}"


def test_a_text_has_its_own_words_for_its_rulings() -> None:
    """Two texts may be ruled in one clause, each for a reason of its own."""
    said = {text: authority(text, "setup.score", "ru") for text in ("margin", "he")}
    assert said["margin"].endswith("по решению: у каждого следующего игрока на одно очко больше")
    assert said["he"].endswith("по решению: игрок, которого второй раз назвали вторым, — это третий")


def authority(text: str, path: str, language: str) -> str:
    game = game_once("bora_bora", edition=text)
    (why_,) = why(game, [path])
    return in_language(why_.authority, language)
