"""A shipped game as one spec, and copies of it with one change.

A game of several texts is taken in the version of one of them, with what it borrows. Notes, examples and terms are left
out: nothing in play depends on them. The copy is printed and parsed again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ludex.grammar import Failure, Identifier, declared_functions, format_module
from ludex.grammar import syntax as s
from ludex.spec import (
    Built,
    GameText,
    Request,
    TwoVersions,
    build,
    compare_versions,
    model,
    plain_clauses,
    read_alone,
    read_game,
    version_of,
)
from ludex.spec.text.clauses import stated

ORIGINAL, CHANGED = "original", "changed"
LEFT_OUT = (
    s.NoteDeclaration
    | s.InvariantDeclaration
    | s.ExampleDeclaration
    | s.TermsDeclaration
    | s.SilentDeclaration
    | s.TextDeclaration
)


@dataclass(frozen=True)
class Original:
    """A text of a game.

    Attributes:
        module: the whole game, in one file.
        own: the paths of the clauses that the text attests, not those that it borrows or that rest on a ruling; None:
            all.
        text: the game.
    """

    game: str
    edition: str | None
    module: s.Module
    own: frozenset[str] | None
    text: GameText

    @property
    def players(self) -> tuple[int, ...]:
        low, high = self.text.game.header.players
        return tuple(range(low, high + 1))

    def attests(self, path: str) -> bool:
        """Return whether a clause may be changed."""
        return self.own is None or path in self.own


@dataclass(frozen=True)
class Copy:
    """The changed module, and its game."""

    written: str
    module: s.Module
    text: GameText
    original: GameText

    @property
    def compared(self) -> TwoVersions:
        texts = ((ORIGINAL, self.original), (CHANGED, self.text))
        return compare_versions(*(version_of(name, name, text, None) for name, text in texts))


def originals(game: str) -> Iterator[Original]:
    """Return every text of a shipped game."""
    text = read_game(game)
    for edition in text.names or (None,):
        declarations = text.edition(edition, "borrow").declarations
        kept = tuple(plain_clauses(node) for node in declarations if not isinstance(node, LEFT_OUT))
        module = s.Module(text.game.module.span, _header(text), kept, ())
        own = frozenset(_attested(declarations, edition)) if edition else None
        alone = _game(text, written(module))
        assert alone is not None
        yield Original(text.name, edition, module, own, alone)


def _attested(declarations: tuple[s.Declaration, ...], text: str) -> Iterator[str]:
    """Yield the paths of clauses that cite a text, or that are inside one that does and cite nothing themselves."""
    cited: dict[str | None, bool] = {None: False}
    for clause in stated(declarations):
        citations = clause.node.authority.citations if hasattr(clause.node, "authority") else ()
        around = cited.get(clause.parent, False)
        cited[clause.path] = any(each.document == text for each in citations) if citations else around
        if cited[clause.path]:
            yield clause.path


def paths_in(module: s.Module) -> Mapping[int, str]:
    """Map the identity of each clause's node to its path."""
    return {id(clause.node): clause.path for clause in stated(module.declarations)}


def copied(original: Original, module: s.Module) -> Copy | None:
    """Return the game of a changed module, or None if its print cannot be read back."""
    content = written(module)
    text = _game(original.text, content)
    return Copy(content, module, text, original.text) if text is not None else None


def playable(text: GameText, players: tuple[int, ...]) -> bool:
    """Return whether it is a game at each of these tables."""
    return all(built(text, number).game is not None for number in players)


def built(text: GameText, players: int) -> Built:
    return build(text, Request(players))


def game_of(text: GameText, players: int) -> model.Game:
    game = built(text, players).game
    assert game is not None
    return game


# ---- files --------------------------------------------------------------------------------------------------------


def written(module: s.Module) -> str:
    """Print a game as text."""
    return format_module(module, declared_functions(module))


def _game(like: GameText, content: str) -> GameText | None:
    """Return a spec in the folder of a game. It shares the game's component tables, which are slow to read."""
    try:
        text = read_alone(like.folder / f"{like.name}.ludex", content, like.budget)
    except Failure:
        return None
    return replace(text, tables=like.tables)


def _header(text: GameText) -> s.Header:
    header = text.game.module.header
    assert header is not None
    reason = s.HeaderEntry(
        header.span,
        Identifier("convention", header.span),
        (s.HeaderValue(header.span, text="the game as it is shipped"),),
    )
    # Nothing in the copy cites the documents any more.
    kept = tuple(entry for entry in header.entries if entry.label in ("title", "players"))
    return s.Header(header.span, "game", header.name, None, (*kept, reason), s.Authority(header.span))
