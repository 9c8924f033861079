"""An edition as it would be if one clause stood in it as another edition has it: what a difference does by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from ludex.grammar import Diagnostics, Span, nodes_in, same_meaning
from ludex.grammar import syntax as s

from ..layers import layered
from ..loader import GameText, SourceFile
from .said import NO_GAME, heard, readings, said

AnyT = TypeVar("AnyT")


def with_clause_of(text: GameText, edition: str, path: str, other: str, there: str, whole: bool = False) -> GameText:
    """The game with one clause of an edition replaced by another edition's. The clauses inside stay its own, or come
    along as a whole; how a fork is read is said by the clause itself. there: the path by which the other calls it."""
    own, module = text.editions[edition], text.editions[other].module
    mine, theirs = said(own.module.declarations), said(module.declarations)
    node = theirs[there].node
    arms = tuple(arm for match in _fork_matches(module, node) for arm in match.arms)
    for inside, (clause, where) in () if whole else heard(module.declarations, NO_GAME, {}).items():
        if inside.startswith(f"{there}.") and where.read and not any(clause.node is arm for arm in arms):
            kept = mine.get(path + inside.removeprefix(there))
            node = _exchanged(node, clause.node, None if kept is None else kept.node)
    lets = _other_lets(text, edition, mine[path].node, other, theirs[there].node)
    for _, its, fresh in lets:
        node = _renamed(node, its.name, fresh)
    declarations = _exchanged(own.module.declarations, mine[path].node, node)
    for let, its, fresh in lets:
        declarations = _exchanged(declarations, let, (let, replace(its, name=fresh)))
    if not whole:
        own_parts = replace(own.module, declarations=declarations)
        lender = own.module if any(map(_is_silence, arms)) else _without_own_arms(own.module, path)
        declarations = layered([own_parts, lender], (), Diagnostics()).declarations
    return _with(text, edition, replace(own, module=replace(own.module, declarations=declarations)))


def _fork_matches(module: s.Module, node: s.Node) -> Iterator[s.Match | s.ValueMatch]:
    """Where a clause says one thing for each reading of a fork."""
    forks = readings(module.declarations)
    for each in nodes_in(node):
        if isinstance(each, s.Match | s.ValueMatch) and isinstance(each.subject, s.Name) and each.subject.name in forks:
            yield each


def _is_silence(arm: s.StepArm | s.ValueArm) -> bool:
    """Whether an arm says nothing of the readings that it stands for."""
    return not arm.authority and any(pattern.kind == "otherwise" for pattern in arm.patterns)


def _without_own_arms(module: s.Module, path: str) -> s.Module:
    """The file without what a clause says itself for each reading of a fork: all of that is exchanged with it, also for
    readings that only one of two editions names."""
    clauses = said(module.declarations)
    matches = tuple(_fork_matches(module, clauses[path].node))
    arms = tuple(arm for match in matches for arm in match.arms)
    inside = [clause.node for name, clause in clauses.items() if name.startswith(f"{path}.")]
    others = [part for node in inside if not any(node is arm for arm in arms) for part in nodes_in(node)]
    declarations = module.declarations
    for match in matches:
        if not any(match is part for part in others):
            arms_left: dict[str, Any] = {"arms": ()}
            declarations = _exchanged(declarations, match, replace(match, **arms_left))
    return replace(module, declarations=declarations)


def _other_lets(
    text: GameText, edition: str, mine: s.Node, other: str, theirs: s.Node
) -> tuple[tuple[s.Let, s.Let, str], ...]:
    """What the other edition's clause reads by a name that a `let` around it gives, where the edition's own `let` of
    that name gives it to something else: both, and a name that is not taken."""
    own = _lets_around(text.editions[edition].module, mine) or {}
    read = {node.name for node in nodes_in(theirs) if isinstance(node, s.Name)}
    return tuple(
        (own[name], its, f"{name} of {other}")
        for name, its in (_lets_around(text.editions[other].module, theirs) or {}).items()
        if name in read and name in own and not same_meaning(own[name], its)
    )


def _lets_around(tree: Any, sought: s.Node) -> dict[str, s.Let] | None:
    """The `let`s in force where a node stands, by name; None if it stands nowhere in the tree."""
    if tree is sought:
        return {}
    if not isinstance(tree, tuple | s.Node):
        return None
    found: dict[str, s.Let] = {}
    for part in tree if isinstance(tree, tuple) else [getattr(tree, each.name) for each in fields(tree)]:
        if isinstance(part, s.Let):
            found[part.name] = part
        inside = _lets_around(part, sought)
        if inside is not None:
            return {**found, **{let.name: let for let in _leading(tree)}, **inside}
    return None


def _leading(tree: Any) -> tuple[s.Let, ...]:
    return tree.lets if isinstance(tree, s.ValueBody) else ()


def _renamed(node: AnyT, name: str, fresh: str) -> AnyT:
    """The tree with another name for what a plain name stands for."""
    for each in [part for part in nodes_in(node) if isinstance(part, s.Name) and part.name == name]:
        node = _exchanged(node, each, replace(each, name=fresh)) if each.arguments is None else node
    return node


def with_clause_moved(text: GameText, edition: str, path: str, other: str, there: str) -> GameText | None:
    """The game with one clause of an edition at the place at which another edition has it: behind (or before) what it
    stands behind (or before) there. None if nothing around that place is in both. there: its path in the other."""
    own = text.editions[edition]
    mine, theirs = said(own.module.declarations), said(text.editions[other].module.declarations)
    around, here = theirs[there].parent, mine[path].node
    beside = [name for name, clause in theirs.items() if clause.parent == around and name != there and name in mine]
    before = [name for name in beside if [*theirs].index(name) < [*theirs].index(there)]
    if around not in mine or not beside:
        return None
    anchor = mine[before[-1] if before else beside[0]].node
    if any(node is anchor for node in nodes_in(here)):
        return None
    pair = (anchor, here) if before else (here, anchor)
    declarations = _exchanged(_exchanged(own.module.declarations, here, None), anchor, pair)
    return _with(text, edition, replace(own, module=replace(own.module, declarations=declarations)))


def common_parent(text: GameText, one: tuple[str, str], other: tuple[str, str]) -> str | None:
    """The nearest clause around two places in two editions (edition, path) that both editions state."""
    (edition, path), (another, there) = one, other
    mine, theirs = (said(text.editions[name].module.declarations) for name in (edition, another))
    while path:
        path = path.rpartition(".")[0]
        if path in mine and path in theirs and f"{there}.".startswith(f"{path}."):
            return path
    return None


def without_clauses(text: GameText, paths: Iterable[str]) -> GameText:
    """The game of which no edition states the clauses: what silence means if nothing is borrowed. What the game file
    says stays in force, as ever."""
    for name in text.editions:
        for path in paths:
            text = _with(text, name, _less(text.editions[name], path))
    return text


def with_unsaid(text: GameText, name: str) -> GameText:
    """The game as it is if nothing says what a fact or define is: play goes on until its value is needed. What others
    need cannot be left out otherwise."""
    made = replace(text, unsaid=text.unsaid | {name})
    made.__dict__["component_files"] = text.component_files
    return made


def _less(file: SourceFile, path: str) -> SourceFile:
    clause = said(file.module.declarations).get(path)
    if clause is None:
        return file
    declarations = _exchanged(file.module.declarations, clause.node, None)
    return replace(file, module=replace(file.module, declarations=declarations))


def _with(text: GameText, edition: str, file: SourceFile) -> GameText:
    made = replace(text, editions={**text.editions, edition: file})
    made.__dict__["component_files"] = text.component_files  # tables are no part of an edition, and slow to read
    return made


def _exchanged(tree: AnyT, old: s.Node, new: s.Node | tuple[s.Node, ...] | None) -> AnyT:
    """The tree with a node of it replaced, by several where it stands among others, or left out."""
    changed: AnyT = _rebuilt(tree, old, new)
    return changed


def _rebuilt(value: Any, old: s.Node, new: s.Node | tuple[s.Node, ...] | None) -> Any:
    if value is old:
        return new
    if isinstance(value, tuple):
        items = [_rebuilt(item, old, new) for item in value]
        if all(one is other for one, other in zip(items, value, strict=True)):
            return value
        return tuple(
            each
            for item, was in zip(items, value, strict=True)
            if item is not None or was is None
            for each in (item if was is old and isinstance(item, tuple) else (item,))
        )
    if is_dataclass(value) and not isinstance(value, Span | type):
        for field in fields(value):
            held = getattr(value, field.name)
            now = _rebuilt(held, old, new)
            if now is not held:
                return replace(value, **{field.name: s.Nothing(old.span) if now is None else now})
    return value
