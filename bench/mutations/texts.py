"""A shipped edition as one text, and beside it a copy in which one thing is changed.

The edition is taken as it is played, with what it borrows, so that it stands alone. Nouns and what the players state
with a move go to the game file, as they do where a game has several editions; the rest is the edition's own text.
Notes, examples and words are left out: nothing in play depends on them. The copy is printed and parsed anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path

from ludex.grammar import Span, declared_functions, format_module, parse
from ludex.grammar import syntax as s
from ludex.spec import Built, Comparison, GameText, Request, build, compare, model, read_game, said
from ludex.spec.loader import SourceFile

from .trees import STATED

ORIGINAL, CHANGED = "original", "changed"
LEFT_OUT = s.NoteDeclaration | s.ExampleDeclaration | s.TermsDeclaration | s.SilentDeclaration


@dataclass(frozen=True)
class Original:
    """Attributes:
    module: the whole game, in one file.
    files: those that state the edition itself, not what it borrows from other files.
    text: the game with the edition and its copy, the same.
    """

    game: str
    edition: str | None
    module: s.Module
    files: frozenset[str]
    text: GameText

    @property
    def players(self) -> tuple[int, ...]:
        low, high = self.text.game.header.players
        return tuple(range(low, high + 1))

    @cached_property
    def alone(self) -> GameText:
        return _only(self.text, ORIGINAL)

    @cached_property
    def paths(self) -> Mapping[int, str]:
        """By the identity of a node, the path of the clause that it is."""
        return {id(clause.node): path for path, clause in said(self.module.declarations).items()}


@dataclass(frozen=True)
class Copy:
    """The edition with something changed, beside the original and alone."""

    written: str
    module: s.Module
    text: GameText

    @cached_property
    def alone(self) -> GameText:
        return _only(self.text, CHANGED)

    @property
    def comparison(self) -> Comparison:
        texts = {name: self.text.editions[name].module for name in (ORIGINAL, CHANGED)}
        return compare(texts, self.text.game.module)


def originals(game: str, folder: Path) -> Iterator[Original]:
    """Every edition of a shipped game. folder: an empty one, for files."""
    text = read_game(game)
    for edition in text.names or (None,):
        place = folder / (edition or "game")
        place.mkdir()
        yield _original(text, edition, place)


def _original(text: GameText, edition: str | None, folder: Path) -> Original:
    kept = [node for node in _declarations(text, edition) if not isinstance(node, LEFT_OUT)]
    span = text.game.module.span
    module = s.Module(span, _header(text), tuple(kept), ())
    shared = replace(module, declarations=tuple(_shared(kept)))
    (folder / f"{text.name}.ludex").write_text(format_module(shared), encoding="utf-8")
    for name in (ORIGINAL, CHANGED):
        (folder / f"{name}.ludex").write_text(written(module, name), encoding="utf-8")
    own = (text.editions[edition],) if edition and edition in text.editions else text.files
    files = frozenset(file.name for file in own)
    return Original(text.name, edition, module, files, replace(read_game(folder), folder=text.folder))


def _declarations(text: GameText, edition: str | None) -> tuple[s.Declaration, ...]:
    return text.merged(edition, "borrow").layers.declarations if edition else text.declarations


def copied(original: Original, module: s.Module) -> Copy | None:
    """The edition as another module has it; None if that cannot be read back."""
    text = written(module, CHANGED)
    file = original.text.editions[CHANGED]
    parsed = parse(text, file.name)
    if parsed.diagnostics:
        return None
    editions = {**original.text.editions, CHANGED: replace(file, module=parsed.module, text=text, words=parsed.lexemes)}
    return Copy(text, module, _with_editions(original.text, editions))


def playable(text: GameText, players: tuple[int, ...]) -> bool:
    """Whether it is a game at each of these tables."""
    return all(built(text, number).game is not None for number in players)


def built(text: GameText, players: int) -> Built:
    return build(text, Request(players, next(iter(text.editions))))


def game_of(text: GameText, players: int) -> model.Game:
    found = built(text, players).game
    assert found is not None
    return found


def _only(text: GameText, edition: str) -> GameText:
    return _with_editions(text, {edition: text.editions[edition]})


def _with_editions(text: GameText, editions: Mapping[str, SourceFile]) -> GameText:
    """The text with other editions. Its tables are slow to read, and stay."""
    made = replace(text, editions=editions)
    made.__dict__["component_files"] = text.component_files
    return made


# ---- files --------------------------------------------------------------------------------------------------------


def written(module: s.Module, edition: str) -> str:
    """The text of an edition: what is stated, without the nouns."""
    assert module.header is not None
    span = module.span
    reason = s.HeaderEntry(span, "convention", (s.HeaderValue(span, text="the game as it is shipped"),))
    header = s.Header(span, "edition", edition, module.header.name, (reason,), s.Authority(span))
    own = tuple(node for node in module.declarations if isinstance(node, STATED | s.ForkDeclaration))
    return format_module(replace(module, header=header, declarations=own), declared_functions(module))


def _shared(declarations: Sequence[s.Declaration]) -> Iterator[s.Declaration]:
    for node in declarations:
        if isinstance(node, s.ActionDeclaration):
            if signature := _signature(node):
                yield signature
        elif not isinstance(node, STATED | s.ForkDeclaration):
            yield node


def _signature(node: s.ActionDeclaration) -> s.ActionDeclaration | None:
    """What a player states with the move; None of a procedure."""
    choices = tuple(takewhile(lambda each: isinstance(each, s.ChooseValue), node.body.statements))
    return replace(node, body=replace(node.body, statements=choices)) if choices else None


def _header(text: GameText) -> s.Header:
    header = text.game.module.header
    assert header is not None
    span: Span = header.span
    values = tuple(s.HeaderValue(span, tag, file) for tag, file in text.documents.items())
    editions = s.HeaderEntry(span, "editions", tuple(s.HeaderValue(span, name) for name in (ORIGINAL, CHANGED)))
    kept = tuple(entry for entry in header.entries if entry.label not in ("document", "editions"))
    documents = (s.HeaderEntry(span, "document", values),) if values else ()
    return replace(header, entries=(*kept, *documents, editions))
