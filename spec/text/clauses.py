"""Index of clauses by path: what a file states, where, on which authority, with which numbers.

A path is made of names and labels from the outside in: `study.affordable`, `resolve.gain`, `score.places`.
Wrapping in `if`, `each`, `repeat`, `as` adds nothing to it, so structure can change without renaming.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, Self, TypeVar

from ludex.grammar import Diagnostics, Identifier, Note, Span, nodes_in
from ludex.grammar import syntax as s

from ..model import ClauseInfo, ClauseKind
from ..spec_codes import DUPLICATE_NAME
from .headers import FileHeader

NOUNS = (
    s.TypeDeclaration,
    s.ComponentDeclaration,
    s.ZoneDeclaration,
    s.StateDeclaration,
    s.OptionDeclaration,
    s.WindowDeclaration,
    s.ForkDeclaration,
)
"""Declarations of the things that rules use; they do nothing by themselves."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A clause in a file, with its path. apparatus: the entries of other texts at the clause."""

    path: str
    kind: ClauseKind
    node: s.Node
    authority: s.Authority
    parent: str | None = None
    apparatus: tuple[s.Entry, ...] = ()


RULES = frozenset({"note", "require", "step", "arm", "branch", "except", "score", "winner", "refill"})
"""Kinds of clauses that state rules, not only definitions."""


class Around(Protocol):
    """Context of a clause that is passed down during the traversal."""

    def inside(self, node: s.Node, part: s.Node) -> Self:
        """Return the context inside a part of a node."""

    def after(self, statement: s.Statement, rest: tuple[s.Statement, ...]) -> Self:
        """Return the context after a statement of a block. rest: the statements after it."""


AroundT = TypeVar("AroundT", bound=Around)


@dataclass(frozen=True, slots=True)
class _Anywhere:
    """The empty context."""

    def inside(self, node: s.Node, part: s.Node) -> Self:
        return self

    def after(self, statement: s.Statement, rest: tuple[s.Statement, ...]) -> Self:
        return self


def stated(declarations: tuple[s.Declaration, ...]) -> Iterator[Stated]:
    """Yield every clause of some declarations, in the order of the text, parents first."""
    for clause, _ in stated_around(declarations, _Anywhere()):
        yield clause


def stated_within(node: s.Statement | s.ValueBody, path: str) -> Iterator[Stated]:
    """Yield every clause inside a part of a declaration. path: the path of the clause that the part belongs to."""
    inside = _value(node, path, _Anywhere()) if isinstance(node, s.ValueBody) else _steps(node, path, _Anywhere())
    for clause, _ in inside:
        yield clause


def stated_around(declarations: tuple[s.Declaration, ...], around: AroundT) -> Iterator[tuple[Stated, AroundT]]:
    """Yield every clause of some declarations with its context. around: the context outside the declarations."""
    for node in declarations:
        yield from _declaration(node, around)


def collect(
    declarations: tuple[s.Declaration, ...], headers: Mapping[str, FileHeader], game: str, diagnostics: Diagnostics
) -> dict[str, ClauseInfo]:
    """Return the clauses by path, without their origins. A second clause of the same path is reported.

    headers: the headers of the files, by name. game: the name of the game. diagnostics: receives the faults."""
    infos: dict[str, ClauseInfo] = {}
    nodes: dict[str, s.Node] = {}
    for clause in stated(declarations):
        if clause.path in infos:
            notes = (Note("the other one", place_of(nodes[clause.path])),)
            message = f"there are two clauses `{clause.path}`"
            diagnostics.report(DUPLICATE_NAME, message, place_of(clause.node), notes=notes)
            # The first one counts, so that references to it still work.
            continue
        nodes[clause.path] = clause.node
        authority = authority_of(clause, headers)
        infos[clause.path] = ClauseInfo(clause.path, clause.kind, authority, clause.node.span, game)
    return infos


def authority_of(clause: Stated, headers: Mapping[str, FileHeader]) -> s.Authority:
    """Return the authority of a clause itself: what it cites, or, for an outermost clause, its file's convention.

    In a game that is taken from books, a file's convention is not an authority for rules."""
    header = headers.get(clause.node.span.file)
    is_rule = header is not None and header.of_books and clause.kind in RULES
    # A clause inside another one rests on that one, not on the file.
    if clause.authority or clause.parent or is_rule or not (header and header.convention):
        return clause.authority
    return s.Authority(clause.authority.span, (), (header.convention,))


def key_of(node: s.Declaration) -> tuple[str, str]:
    """Return the kind and name that identify a declaration in two specs, or in a game and a transcription."""
    # A fact in one text may be a define in another one, and is still the same declaration.
    kind = "value" if isinstance(node, s.ValueDeclaration) else type(node).__name__
    match node:
        case s.SetupDeclaration() | s.PlayDeclaration() | s.WinnerDeclaration() | s.TermsDeclaration():
            return kind, ""
        case s.SilentDeclaration(path=path):
            return kind, path
        case s.RefillDeclaration(place=place):
            return kind, place.name
        case _:
            return kind, node.name


def fork_path(name: str) -> str:
    """Return the path of a fork among those of clauses, which may have the same name. Nothing reads it back."""
    return f"fork {name}"


def place_of(node: s.Node) -> Span:
    """Return the place of the name or label of a declaration or clause, else of its first pattern or keyword."""
    match node:
        case s.RefillDeclaration(place=place):
            return place.name.span
        case s.ValueArm(patterns=(first, *_)) | s.StepArm(patterns=(first, *_)):
            return first.span
        case s.SetupDeclaration() | s.PlayDeclaration() | s.WinnerDeclaration() | s.TermsDeclaration():
            return node.span.head
        case _:
            name: Identifier = getattr(node, "name" if hasattr(node, "name") else "label")
            return name.span


# ---- declarations -----------------------------------------------------------------------------------------------


def _declaration(node: s.Declaration, around: AroundT) -> Iterator[tuple[Stated, AroundT]]:
    match node:
        case s.ComponentDeclaration(name=name, columns=columns):
            yield Stated(name, "component", node, node.authority), around
            for column in columns:
                yield Stated(f"{name}.{column.name}", "column", column, column.authority, name), around
        case s.ValueDeclaration(name=name, kind=kind, body=body):
            yield Stated(name, kind, node, node.authority, None, body.apparatus), around
            yield from _value(body, name, around.inside(node, body))
        case s.ActionDeclaration(name=name, body=block):
            yield Stated(name, "action", node, node.authority, None, node.apparatus), around
            yield from _steps(block, name, around.inside(node, block))
        # Set-up, play and scores have no parameters, so their parts know no more names than they do.
        case s.SetupDeclaration(body=block):
            yield Stated("setup", "setup", node, node.authority, None, node.apparatus), around
            yield from _steps(block, "setup", around)
        case s.PlayDeclaration(body=block):
            yield Stated("play", "play", node, node.authority, None, node.apparatus), around
            yield from _steps(block, "play", around)
        case s.ScoreDeclaration(name=name, body=body):
            yield Stated(f"score.{name}", "score", node, node.authority, None, body.apparatus), around
            yield from _value(body, f"score.{name}", around)
        case s.InvariantDeclaration(name=name, body=body):
            yield Stated(f"invariant.{name}", "invariant", node, node.authority, None, body.apparatus), around
            yield from _value(body, f"invariant.{name}", around)
        case s.WinnerDeclaration(criteria=criteria):
            yield Stated("winner", "winner", node, node.authority), around
            for criterion in criteria:
                path = f"winner.{criterion.label}"
                yield Stated(path, "winner", criterion, criterion.authority, "winner", criterion.apparatus), around
        case s.TermsDeclaration(terms=terms):
            for term in terms:
                yield Stated(f"terms.{term.name}", "term", term, term.authority), around
        case _:
            yield _noun(node), around


def _noun(node: s.Declaration) -> Stated:
    match node:
        case s.TypeDeclaration(name=name):
            return Stated(name, "type", node, node.authority)
        case s.ZoneDeclaration(name=name):
            return Stated(name, "zone", node, node.authority)
        case s.StateDeclaration(name=name):
            return Stated(name, "state", node, node.authority)
        case s.OptionDeclaration(name=name):
            return Stated(name, "option", node, node.authority)
        case s.WindowDeclaration(name=name):
            return Stated(f"window.{name}", "window", node, node.authority)
        case s.RefillDeclaration(place=place):
            return Stated(f"refill.{place.name}", "refill", node, node.authority, None, node.apparatus)
        case s.NoteDeclaration(name=name):
            return Stated(name, "note", node, node.authority, None, node.apparatus)
        case s.TextDeclaration(name=name):
            return Stated(f"text.{name}", "text", node, node.authority)
        case s.SilentDeclaration(path=path):
            return Stated(f"silent.{path}", "silent", node, node.authority)
        case s.ForkDeclaration(name=name):
            return Stated(name, "fork", node, node.authority)
        case s.ExampleDeclaration(name=name):
            return Stated(f"example.{name}", "example", node, node.authority)
        case _:
            raise AssertionError(f"no declaration: {type(node).__name__}")


# ---- inside a declaration ---------------------------------------------------------------------------------------


def _value(body: s.ValueBody, path: str, around: AroundT) -> Iterator[tuple[Stated, AroundT]]:
    around = around.inside(body, body.value)
    if isinstance(body.value, s.ValueMatch):
        for arm in body.value.arms:
            inner, known = f"{path}.{pattern_name(arm.patterns)}", around.inside(body.value, arm)
            yield Stated(inner, "arm", arm, arm.authority, path, arm.value.apparatus), known
            yield from _value(arm.value, inner, known)
    # Exceptions are tested before the value, so the names bound by its arms are not visible in them.
    for exception in body.exceptions:
        yield _exception(exception, path), around


def _steps(
    node: s.Statement, path: str, around: AroundT, kind: ClauseKind = "step"
) -> Iterator[tuple[Stated, AroundT]]:
    match node:
        case s.Block(statements=statements):
            for at, statement in enumerate(statements, start=1):
                yield from _steps(statement, path, around, kind)
                around = around.after(statement, statements[at:])
        case s.Clause(label=label, body=body, exceptions=exceptions):
            inner = f"{path}.{label}"
            yield Stated(inner, kind, node, node.authority, path, node.apparatus), around
            yield from _steps(body, inner, around)
            for exception in exceptions:
                yield _exception(exception, inner), around
        case s.Require(label=label, body=value):
            yield Stated(f"{path}.{label}", "require", node, node.authority, path, value.apparatus), around
            yield from _value(value, f"{path}.{label}", around)
        case s.Match(arms=arms):
            for arm in arms:
                inner, known = f"{path}.{pattern_name(arm.patterns)}", around.inside(node, arm)
                yield Stated(inner, "arm", arm, arm.authority, path, arm.apparatus), known
                yield from _steps(arm.body, inner, known)
        case s.ChooseBranch(branches=branches):
            for branch in branches:
                yield from _steps(branch, path, around, "branch")
        case s.If(then=then, otherwise=otherwise):
            for part in (then, otherwise) if otherwise else (then,):
                yield from _steps(part, path, around.inside(node, part))
        case (
            s.May(body=part)
            | s.RepeatMay(body=part)
            | s.RepeatUntil(body=part)
            | s.RepeatTimes(body=part)
            | s.Each(body=part)
            | s.EachPlayer(body=part)
            | s.AllPlayers(body=part)
            | s.As(body=part)
        ):
            yield from _steps(part, path, around.inside(node, part))
        case _:
            return


def _exception(node: s.ValueException | s.StepException, path: str) -> Stated:
    return Stated(f"{path}.{node.label}", "except", node, node.authority, path, node.apparatus)


def pattern_name(patterns: tuple[s.Pattern, ...]) -> str:
    """Return the name of an arm in a path: `gain`, `1,2`, `2..5`, `otherwise`."""
    return ",".join(_one_name(p) for p in patterns)


def _one_name(pattern: s.Pattern) -> str:
    if pattern.kind == "number":
        return str(pattern.low) if pattern.low == pattern.high else f"{pattern.low}..{pattern.high}"
    return pattern.name or "otherwise"


# ---- numbers ----------------------------------------------------------------------------------------------------


def numbers_in(node: object) -> frozenset[int]:
    """Return the numbers that a clause contains: written ones, and how many things it names.

    `choose a in ..., b in ...` contains 2 and 1, `swap` contains 2: a rulebook may state these as numbers."""
    return frozenset(number for each in nodes_in(node, but=NOT_OF_THIS_TEXT) for number in _numbers(each))


NOT_OF_THIS_TEXT = (s.Authority, s.Variant, s.Omission, s.Ruled, s.Order)
"""Nodes inside a clause that do not belong to what its text says: where it says so, and what other texts say."""


def _numbers(node: s.Node) -> tuple[int, ...]:
    match node:
        case s.Integer(value=value):
            return (value,)
        case s.Pattern(kind="number", low=low, high=high) if low is not None and high is not None:
            return low, high
        case s.Swap():
            return (2,)
        case s.Quantified(kind="some") | s.Pick() | s.Top() | s.ChooseAction() | s.ChooseBranch():
            return (1,)
        case s.ChooseValue(generators=generators):
            return 1, len(generators)
        case s.Move(piece=piece) if piece is not None:
            return (1,)
        case s.ZoneDeclaration(shape="one"):
            return (1,)
    return ()
