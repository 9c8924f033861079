"""Properties of a piece of the model: the slots that it reads and binds, whether it reads the state, what it calls."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, Literal, NamedTuple, Protocol

from . import nodes as m
from .graphs import leading_to, strongly_connected
from .traversal import NodeLists, children, nodes, per_node

# ---- slots ------------------------------------------------------------------------------------------------------

BINDERS = (m.Loop, m.Binding, m.Choice, m.LetExpr)


def bound_slots(*parts: Any) -> frozenset[int]:
    """Return the slots that expressions, loops and choices in some parts bind."""
    return frozenset(node.slot for node in nodes(*parts) if isinstance(node, BINDERS))


def free_slots(*parts: Any) -> frozenset[int]:
    """Return the free slots of some parts: those that they read and do not bind."""
    read, bound = set[int](), set[int]()
    for node in nodes(*parts):
        if isinstance(node, m.Local):
            read.add(node.slot)
        # `can` asks for the acting player without naming slot 0.
        elif isinstance(node, m.CanPerform):
            read.add(0)
        elif isinstance(node, BINDERS):
            bound.add(node.slot)
    # No two names share a slot, so a slot is either bound everywhere in the parts or nowhere.
    return frozenset(read - bound)


def tested_after(choices: Sequence[m.Choice], requirements: Iterable[m.Requirement]) -> list[list[m.Requirement]]:
    """Return for each number of bound choices the requirements that are tested then: each as soon as its choices are
    bound, but never before an earlier one, which may guard it."""
    tested: list[list[m.Requirement]] = [[] for _ in range(len(choices) + 1)]
    last = 0
    for requirement in requirements:
        read = free_slots(requirement)
        last = max(last, *(at for at, choice in enumerate(choices, start=1) if choice.slot in read), 0)
        tested[last].append(requirement)
    return tested


# ---- the state --------------------------------------------------------------------------------------------------


def reads_anything(node: Any) -> bool:
    """Return whether a node by itself may read any part of the state."""
    kind = node.__class__
    return kind is m.CanPerform or (kind is m.Builtin and node.name in ("total", "winner", "game_over", "to_move"))


def reads_state(node: Any) -> bool:
    """Return whether a node by itself, without the defines that it calls, reads the state."""
    kind = node.__class__
    return kind is m.Read or reads_anything(node) or (kind is m.Builtin and node.name == "top")


def may_change(defines: Mapping[str, m.Define], *parts: Any) -> bool:
    """Return whether some parts, or the defines that they call, read the state."""
    return any(map(reads_state, nodes_with_called(defines, *parts)))


def elements_read(held: Iterable[Any]) -> frozenset[str]:
    """Return the names of the states and zones that some nodes read by themselves."""
    return frozenset(node.element.name for node in held if isinstance(node, m.Read))


# ---- options ----------------------------------------------------------------------------------------------------


def is_unconditional(option: m.MoveOption, actions: Mapping[str, m.Action]) -> bool:
    """Return whether an option has one instance, whatever the state: no choices, requirements or arguments."""
    if isinstance(option, m.BranchOption):
        return not (option.choices or option.requirements)
    action = actions[option.action]
    return not (option.arguments or action.choices or action.requirements)


# ---- calls ------------------------------------------------------------------------------------------------------

TOTAL, WINNER = "total()", "winner()"
"""The names that `callee` returns for the two builtins that evaluate clauses of the game."""


def callee(node: Any) -> str | None:
    """Return the name of the define or builtin that a node calls; None if it calls nothing.

    The name of a builtin ends in `()`, so that it differs from every define's."""
    # The class is compared, since `match` is slower, and this runs several times for every node of a game.
    kind = node.__class__
    if kind is m.CallDefine:
        return node.name  # type: ignore[no-any-return]
    return f"{node.name}()" if kind is m.Builtin else None


def defines_called(*parts: Any) -> frozenset[str]:
    """Return the names of the defines that some parts call directly."""
    return frozenset(node.name for node in nodes(*parts) if isinstance(node, m.CallDefine))


def nodes_with_called(defines: Mapping[str, m.Define], *parts: Any) -> Iterator[Any]:
    """Yield all nodes of some parts, then those of the defines that they call, directly or not, each define once."""
    waiting, reached = list(parts), set[str]()
    while waiting:
        for node in nodes(waiting.pop()):
            yield node
            if isinstance(node, m.CallDefine) and node.name in defines and node.name not in reached:
                reached.add(node.name)
                waiting.append(defines[node.name])


class Reads(NamedTuple):
    """The reads of a node, including those of its subtree and of the defines that it calls.

    Attributes:
        free: the slots that it reads and does not bind.
        slots: all slots that it reads.
        bound: the slots that it binds.
        state: whether it reads the state.
    """

    free: frozenset[int]
    slots: frozenset[int]
    bound: frozenset[int]
    state: bool


def reading(defines: Container[str]) -> Callable[[Any], Reads]:
    """Return a memoized function from a node to its reads. defines: the names of the defines that read the state."""

    def compute(node: Any) -> Reads:
        read = bound = frozenset[int]()
        state = reads_state(node) or callee(node) in defines
        for child in children(node):
            inside = of(child)
            read = read | inside.slots if read else inside.slots
            bound = bound | inside.bound if bound else inside.bound
            state = state or inside.state
        if isinstance(node, m.Local):
            read |= {node.slot}
        elif isinstance(node, m.CanPerform):
            read |= {0}
        elif isinstance(node, BINDERS):
            bound |= {node.slot}
        return Reads(read - bound if bound else read, read, bound, state)

    of = per_node(compute)
    return of


def reading_defines(defines: Mapping[str, m.Define]) -> frozenset[str]:
    """Return the names of the defines whose value may change in play: they read the state, or call one that does."""
    return _Calls(defines, NodeLists()).leading_to(reads_state)


class DefineProperties(NamedTuple):
    """The names of the defines of a game that have a property, by themselves or because they call one that has it.

    Attributes:
        reading: their value may change in play, since they read the state.
        searching: they loop over a collection, so that memoizing them pays.
        contextual: their value depends on more than the cells and the arguments. It depends on the evaluation in
            progress if they have a `cycle` value, ask what can be performed or whether the game is over; such results
            must not be memoized. `TOTAL` and `WINNER` are among them if a score or winner clause does so.
    """

    reading: frozenset[str]
    searching: frozenset[str]
    contextual: frozenset[str]


def define_properties(game: m.Game, lists: NodeLists) -> DefineProperties:
    """Return which defines of a game have which properties."""
    cyclic = {name for name, define in game.defines.items() if define.cycle is not None}
    calls = _Calls(game.defines, lists)
    reading = calls.leading_to(reads_state)
    searching = calls.leading_to(lambda node: node.__class__ in SEARCHING)
    calls.add({TOTAL: game.scores, WINNER: game.winner})
    return DefineProperties(reading, searching, calls.leading_to(lambda node: is_contextual(node, cyclic)) | cyclic)


def actions_asking_themselves(game: _Rules, lists: NodeLists) -> frozenset[str]:
    """Return the actions for which the test whether they `can` be done may lead to the same test again.

    The test evaluates what the action chooses and requires, and runs it up to the next event.
    """
    rings = (ring for ring in strongly_connected(_leads(game, lists)) if len(ring) > 1)
    together = {each for ring in rings for each in ring}
    return frozenset(name for name in game.actions if ("can", name) in together)


def deepest_can(game: _Rules) -> tuple[str, ...]:
    """Return the actions in the longest chain of tests of which each may lead to the next.

    Tests that may lead to themselves are left out: their number is known only in play.
    """
    leads, longest = _leads(game, NodeLists()), dict[_Part, tuple[str, ...]]()
    for ring in strongly_connected(leads):  # what a part leads to comes before it
        further = max((longest.get(each, ()) for part in ring for each in leads.get(part, ())), key=len, default=())
        kind, action = ring[0]
        is_link = len(ring) == 1 and kind == "can"
        longest.update(dict.fromkeys(ring, (action, *further) if is_link else further))
    parts = (*_parts(game).values(), *game.routines, game.invariants)
    asked = (longest["can", node.action] for node in nodes(*parts) if isinstance(node, m.CanPerform))
    return max(asked, key=len, default=())


class _Rules(Protocol):
    """The parts of a game that `can` may evaluate."""

    @property
    def defines(self) -> Mapping[str, m.Define]: ...
    @property
    def actions(self) -> Mapping[str, m.Action]: ...
    @property
    def scores(self) -> tuple[m.ScoreClause, ...]: ...
    @property
    def winner(self) -> tuple[m.WinnerCriterion, ...]: ...
    @property
    def invariants(self) -> tuple[m.Invariant, ...]: ...
    @property
    def routines(self) -> tuple[m.Routine | m.Action, ...]: ...


def _parts(game: _Rules) -> Mapping[str, Any]:
    return {**game.defines, TOTAL: game.scores, WINNER: game.winner}


_Part = tuple[Literal["value", "do", "can"], str]
"""A part of a game that may be evaluated: a define or builtin, an action, the test whether an action can be done."""


def _leads(game: _Rules, lists: NodeLists) -> Mapping[_Part, Set[_Part]]:
    """Return what each part of a game calls, performs, offers or asks."""
    leads: dict[_Part, Set[_Part]] = {
        ("value", name): _evaluated(lists.of(part)) for name, part in _parts(game).items()
    }
    leads |= {("do", name): _evaluated(lists.of(action)) for name, action in game.actions.items()}
    return leads | {("can", name): {("do", name)} for name in game.actions}


def _evaluated(held: Iterable[Any]) -> set[_Part]:
    """Return what some nodes call, perform, offer or ask."""
    evaluated = set[_Part]()
    for node in held:
        kind = node.__class__
        if kind is m.CanPerform:
            evaluated.add(("can", node.action))
        elif kind is m.Perform or kind is m.ActionOption:
            evaluated.add(("do", node.action))
        elif (called := callee(node)) is not None:
            evaluated.add(("value", called))
    return evaluated


SEARCHING = frozenset({m.Quantifier, m.AggregateExpr, m.PickExpr})


def is_contextual(node: Any, among: Container[str]) -> bool:
    """Return whether a node calls one of some defines, or asks what can be performed or whether the game is over."""
    return isinstance(node, m.CanPerform) or (called := callee(node)) == "game_over()" or called in among


class _Calls:
    """The nodes of some named parts, and the names of what they call."""

    def __init__(self, named: Mapping[str, Any], lists: NodeLists) -> None:
        self._lists, self._held, self._called = lists, dict[str, Sequence[Any]](), dict[str, set[str]]()
        self.add(named)

    def add(self, named: Mapping[str, Any]) -> None:
        for name, part in named.items():
            held = self._held[name] = self._lists.of(part)
            self._called[name] = {called for node in held if (called := callee(node)) is not None}

    def leading_to(self, is_sought: Callable[[Any], bool]) -> frozenset[str]:
        """Return the names of the parts that contain a sought node, or that call a part in the result."""
        return leading_to([name for name, held in self._held.items() if any(map(is_sought, held))], self._called)
