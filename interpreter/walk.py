"""Looking into the model: which nodes a piece of it contains, which slots and how much of the state it reads."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from ludex.grammar import Span, fields_with
from ludex.spec import model as m

BINDERS = (m.Loop, m.Binding, m.Choice, m.LetExpr)


def nodes(node: Any) -> Iterator[Any]:
    """The node and all model nodes in it, outside first. Does not enter elements, types, called routines."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        inside = children(here)
        if inside:
            inside.reverse()
            waiting += inside


def children(node: Any) -> list[Any]:
    """The model nodes that stand directly in the node."""
    found: list[Any] = []
    for name in _holding(node.__class__):
        value = getattr(node, name)
        if value.__class__ is tuple:
            found += value
        elif value is not None:
            found.append(value)
    return found


@cache
def _holding(kind: type) -> tuple[str, ...]:
    """The names of the fields that hold model nodes: one or none, or a tuple of them."""
    return fields_with(kind, _is_model)


def _is_model(kind: type) -> bool:
    return kind.__module__ == m.Local.__module__ and is_dataclass(kind) and not issubclass(kind, m.Element)


PARTS = 4
"""Working out so many parts of expressions counts as a unit of work."""


def units(*parts: Any) -> int:
    """What it counts, at least 1, to work these parts of the model out once; a loop in it counts its turns besides."""
    return 1 + sum(1 for part in parts for _ in nodes(part)) // PARTS


def free_slots(*parts: Any) -> frozenset[int]:
    """Slots that the parts read without binding them themselves."""
    read: set[int] = set()
    bound: set[int] = set()
    for part in parts:
        for node in nodes(part):
            if isinstance(node, m.Local):
                read.add(node.slot)
            elif isinstance(node, m.CanPerform):
                read.add(0)
            elif isinstance(node, BINDERS):
                bound.add(node.slot)
    return frozenset(read - bound)


TOTAL, WINNER = "total()", "winner()"
"""What `callee` says of the two functions of the language that work out clauses of the game."""


def callee(node: Any) -> str | None:
    """What a node calls, if it calls anything. A define goes by its name, and a function of the language by one that no
    declaration can have: which of them is meant was settled when names were resolved."""
    match node:
        case m.CallDefine(name=name):
            return name
        case m.Builtin(name=name):
            return f"{name}()"
    return None


def reading_defines(defines: Mapping[str, m.Define]) -> frozenset[str]:
    """Names of the defines whose value may change in play: they read the state, or call one that does."""
    return _closure(defines, _reads)


def _closure(defines: Mapping[str, m.Define], is_sought: Callable[[Any], bool]) -> frozenset[str]:
    """Names of the defines that hold such a node, or call one that does."""
    return _calling({name: list(_define_nodes(define)) for name, define in defines.items()}, is_sought)


def _calling(named: Mapping[str, Sequence[Any]], is_sought: Callable[[Any], bool]) -> frozenset[str]:
    """The names whose nodes are sought, or call a name that is found."""
    calls = {
        name: {called for node in inside if (called := callee(node)) is not None} for name, inside in named.items()
    }
    found = {name for name, inside in named.items() if any(map(is_sought, inside))}
    while more := {name for name, called in calls.items() if name not in found and called & found}:
        found |= more
    return frozenset(found)


def searching_defines(defines: Mapping[str, m.Define]) -> frozenset[str]:
    """Names of the defines that go through a collection, or call one that does: what they came to is worth keeping."""
    return _closure(defines, lambda node: isinstance(node, m.Quantifier | m.AggregateExpr | m.PickExpr))


def hanging_defines(game: m.Game) -> frozenset[str]:
    """What may have another value although the cells and the arguments are the same, since it hangs on what is being
    worked out around it: defines that have a value of their own where they meet themselves, that ask what can be done
    or whether the game is over, or that call one that does. `TOTAL` and `WINNER` are among the names where a score or
    winner clause does so."""
    cyclic = {name for name, define in game.defines.items() if define.cycle is not None}
    named = {name: list(_define_nodes(define)) for name, define in game.defines.items()}
    named[TOTAL] = [node for clause in game.scores for node in nodes(clause.value)]
    named[WINNER] = [node for clause in game.winner if clause.value for node in nodes(clause.value)]
    return _calling(named, lambda node: hangs(node, cyclic)) | frozenset(cyclic)


def hangs(node: Any, hanging: Container[str]) -> bool:
    """Whether the node calls one of these, or asks what can be done or whether the game is over."""
    match node:
        case m.CanPerform() | m.Builtin(name="game_over"):
            return True
        case _:
            return callee(node) in hanging


def _define_nodes(define: m.Define) -> Iterator[Any]:
    yield from nodes(define.body)
    if define.cycle is not None:
        yield from nodes(define.cycle)


def _reads(node: Any) -> bool:
    return isinstance(node, m.Read | m.CanPerform) or (
        isinstance(node, m.Builtin) and node.name in ("total", "winner", "game_over")
    )


def is_fixed(expr: m.Expr, varying: frozenset[str]) -> bool:
    """Whether the expression has one value for ever: it reads neither state nor slots, and calls none of the defines
    in `varying`, whose value may change."""
    if isinstance(expr, m.Constant):
        return True
    return not free_slots(expr) and not any(
        _reads(node) or (isinstance(node, m.CallDefine) and node.name in varying) for node in nodes(expr)
    )


def highest_slot(expr: m.Expr) -> int:
    """The highest slot that the expression binds; 0 if none."""
    return max((node.slot for node in nodes(expr) if isinstance(node, BINDERS)), default=0)


def nodes_called(game: m.Game, *parts: Any) -> Iterator[Any]:
    """All nodes of the parts, and of the defines that they call, each define once."""
    waiting, known = list(parts), set[str]()
    while waiting:
        for node in nodes(waiting.pop()):
            yield node
            if isinstance(node, m.CallDefine) and node.name not in known:
                known.add(node.name)
                waiting.append(game.defines[node.name].body)


def reachable(game: m.Game, starts: Iterable[Any]) -> Iterator[Any]:
    """The nodes of the parts, and of all defines and actions that they call, perform, offer or ask for."""
    parts, known = list(starts), set[str]()
    while parts:
        for node in nodes(parts.pop()):
            yield node
            match node:
                case m.CallDefine(name=name) if f"define {name}" not in known:
                    known.add(f"define {name}")
                    parts.append(game.defines[name])
                case m.Perform(action=name) | m.ActionOption(action=name) | m.CanPerform(action=name) if (
                    name not in known
                ):
                    known.add(name)
                    parts.append(game.actions[name])
                case _:
                    pass


def bare(node: Any) -> Any:
    """A model node without its paths and places, for comparing what two clauses do."""
    if isinstance(node, tuple):
        return tuple(map(bare, node))
    if not is_dataclass(node) or isinstance(node, Span):
        return node
    kept = [field.name for field in fields(node) if field.name not in {"path", "span"}]
    return type(node).__name__, tuple(bare(getattr(node, name)) for name in kept)
