"""What is played to see a divergence by itself: two texts of one game that differ in it, and in nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace

from ludex.grammar import Span
from ludex.grammar import syntax as s
from ludex.spec import Divergence, GameText, said, with_clause_of, without_clauses

PLAYED = frozenset({
    "fact", "define", "require", "step", "arm", "branch", "except", "score", "winner", "refill", "setup", "play",
    "action",
})  # fmt: skip
"""Kinds of clauses that are carried out."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Two texts that differ in what two editions say of one clause.

    Attributes:
        edition: the one in force in both, with what it borrows.
        left, right: whose reading each of them has.
        path: what the clause is called in that edition.
        whole: the clauses inside are exchanged too.
        silent: in the right one nothing is said.
        instead: the clause around the one in question, where that is exchanged because it cannot stand alone.
    """

    edition: str
    left: str
    right: str
    path: str
    texts: tuple[GameText, GameText]
    whole: bool = False
    silent: bool = False
    instead: str | None = None

    @property
    def is_left_real(self) -> bool:
        """Whether the left text is the left edition as it stands; else the right one is."""
        return self.edition == self.left


def bare(text: GameText) -> GameText:
    """A text without examples and notes: they change nothing in play, and examples speak of clauses by name."""

    def less(module: s.Module) -> s.Module:
        kept = (each for each in module.declarations if not isinstance(each, s.ExampleDeclaration | s.NoteDeclaration))
        return replace(module, declarations=tuple(kept))

    editions = {name: replace(file, module=less(file.module)) for name, file in text.editions.items()}
    return replace(text, game=replace(text.game, module=less(text.game.module)), editions=editions)


def pairs(divergence: Divergence) -> tuple[tuple[str, str], ...]:
    """The first group against each of the others, by an edition of each."""
    first, *others = divergence.groups
    return tuple((first[0], other[0]) for other in others)


def trials(text: GameText, divergence: Divergence, left: str, right: str) -> Iterator[Trial]:
    """Ways to play the difference between two editions, the best first; one that cannot be put together is followed by
    another that perhaps can. text: `bare`."""
    stated = divergence.row.stated
    if right not in stated:
        yield from _without(text, divergence, left, right)
        return
    mine, theirs = stated[left].path, stated[right].path
    for whole in (False, True):
        grafted = with_clause_of(text, left, mine, right, theirs, whole)
        yield Trial(left, left, right, mine, (text, grafted), whole)
        grafted = with_clause_of(text, right, theirs, left, mine, whole)
        yield Trial(right, left, right, theirs, (grafted, text), whole)


def resting_on(text: GameText, edition: str, name: str) -> tuple[str, ...]:
    """The clauses of an edition that speak of a fact, define or action by name, the innermost around each place;
    not those inside it."""
    clauses = said(text.editions[edition].module.declarations)
    inside = f"{name}."
    found = [
        path
        for path, clause in clauses.items()
        if path != name and not path.startswith(inside) and _speaks_of(clause.node, name)
    ]
    around = {path.rpartition(".")[0] for path in found}
    return tuple(path for path in found if path not in around)


def _speaks_of(node: object, name: str) -> bool:
    match node:
        case Span() | s.Authority():
            return False
        case s.Name(name=called) | s.Place(name=called) | s.Call(action=called) | s.Can(action=called) if (
            called == name
        ):
            return True
        case tuple():
            return any(_speaks_of(each, name) for each in node)
        case _ if is_dataclass(node):
            return any(_speaks_of(getattr(node, each.name), name) for each in fields(node))
        case _:
            return False


def _without(text: GameText, divergence: Divergence, left: str, right: str) -> Iterator[Trial]:
    clause = divergence.row.stated[left]
    paths = (clause.path, *divergence.under)
    if divergence.gap is not None:
        yield Trial(left, left, right, clause.path, (text, without_clauses(text, paths)), silent=True)
    yield Trial(left, left, right, clause.path, (text, without_clauses(text, (clause.path,))), silent=True)
    theirs = said(text.editions[right].module.declarations)
    parent = clause.parent
    if parent is not None and parent in theirs:
        grafted = with_clause_of(text, left, parent, right, parent, True)
        yield Trial(left, left, right, parent, (text, grafted), whole=True, instead=parent)
