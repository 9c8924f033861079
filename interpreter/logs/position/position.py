"""Positions: the state between two events as data, so that a play can begin there.

A position has up to three members:

state: what states and zones hold, where that is not what it is at the beginning of the game (`contents.py`).
unseen: the pools of pieces that nobody has seen.
flow: the place in the flow (`flow_place.py`). Left out: the beginning of play, after set-up.

Reading checks it as strictly as a log: every value is one that its state or zone can hold, no piece of a component is
there more often than the table has it, none is missing that never leaves the game, the invariants hold, and the play
can stop at the place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ludex.grammar import Json, Message, enumerated
from ludex.spec import NOT_SEEN
from ludex.spec import types as t

from ...explanation.invariants import broken_invariants, broken_words
from ...explanation.wording import why
from ...reference import Next, Reference, Rules, Run, blank, is_at_rest
from ...stack.routines import PLAY, SETUP
from ...stack.state import Frame, StackState
from ...stack.statejson import miscounted_pools, pools_fit
from ...state.contents import Pools
from ...state.events import SpecFault
from .. import log_codes
from ..record import yaml_text
from ..structure import POSITION_MEMBERS, Header, Problem, SeatedTable, unknown_members, wrong_value
from .contents import PositionWriter, Reader
from .flow_place import FlowReader, FlowWriter, labels_of
from .flow_search import FlowSearch
from .stock_check import StatedAt, stock_problems


def position_of(reference: Reference, state: StackState, names: tuple[str, ...] = ()) -> dict[str, Json]:
    """Write the state as a position. names: the players' names by seat."""
    # The work of a position must not count against the budget of an earlier one.
    reference.meter.begin()
    # Cells that are as at the beginning are left out.
    writer = PositionWriter(SeatedTable(reference.game, names), _blank(reference.rules).cells)
    contents = writer.contents(state.cells, state.pools)
    return {"flow": FlowWriter(writer, reference.rules).flow(state), **contents}


def position_text(header: Header) -> str:
    """Return a position file as YAML: a header, and the position in which it begins, which comes last."""
    return yaml_text(header.to_json())


def read_position(
    reference: Reference, data: Json, names: tuple[str, ...] = (), pointer: str = "", keeps_invariants: bool = True
) -> StackState | tuple[Problem, ...]:
    """Return the state that the data describe, or what is wrong with them. Raises SpecFault where the rules fail.

    Args:
        names: the players' names by seat.
        pointer: to the data in their record.
        keeps_invariants: whether the invariants must hold in the state.
    """
    if not isinstance(data, dict) or not data:
        expected = Message("position-expected", members=enumerated(f"`{name}`" for name in ("state", "unseen", "flow")))
        return (wrong_value(pointer, expected, data, log_codes.POSITION_VALUE),)
    rules, problems = reference.rules, list[Problem]()
    reference.meter.begin()
    problems += unknown_members(data, POSITION_MEMBERS, pointer, Message("a-position"), log_codes.POSITION_MEMBER)
    reader = Reader(SeatedTable(reference.game, names), _blank(rules).cells, problems)
    reader.state(data.get("state", {}), f"{pointer}/state")
    pools = reader.pools(data.get("unseen", []), f"{pointer}/unseen")
    # With other faults the counts mean nothing.
    if not problems and not pools_fit(reader.cells, pools):
        problems += _wrong_pools(reader.cells, pools, f"{pointer}/unseen" if "unseen" in data else pointer)
    if problems:
        return tuple(problems)
    contents = StackState(tuple(reader.cells), pools, ())
    in_state = f"{pointer}/state" if "state" in data else pointer
    stated = StatedAt(in_state, frozenset(data.get("state", {})))
    if "flow" not in data:
        problems += stock_problems(reference, reader.table, contents, True, stated)
        if problems:
            return tuple(problems)
        try:
            state = _at_the_beginning(rules, contents)
        except SpecFault:
            # A position that no play reaches may be at fault, and not the rules. If it has no fault, the rules are
            # reported.
            if problems := [*_impossible(reference, contents, names, in_state)]:
                return tuple(problems)
            raise
        return tuple(_impossible(reference, state, names, in_state)) or state
    frames = _flow(reference, reader, contents, data["flow"], f"{pointer}/flow")
    # During set-up pieces may still come into the game.
    is_set_up = not frames or frames[0].routine != SETUP
    if problems or (problems := [*stock_problems(reference, reader.table, contents, is_set_up, stated)]):
        return tuple(problems)
    state = Run(rules, replace(contents, frames=frames)).state()
    # A play never stops there, and continuing from it would skip or repeat what the statement does.
    if not is_at_rest(rules, state):
        message = Message("position-passed")
        return (Problem(log_codes.POSITION_PASSED, f"{pointer}/flow", message),)
    broken = _impossible(reference, state, names, in_state) if keeps_invariants else ()
    return tuple(broken) or state


def _wrong_pools(cells: Sequence[t.Value], pools: Pools, pointer: str) -> Iterator[Problem]:
    """Enumerate the pools whose pieces are not as many as their signs; where all are, pools are in a circle."""
    miscounted = miscounted_pools(cells, pools)
    for number, (count, unseen) in miscounted.items():
        sign, has_pool = NOT_SEEN if number == 0 else f"{NOT_SEEN}{number + 1}", number < len(pools)
        name, place = ("position-pool", f"{pointer}/{number}") if has_pool else ("position-no-pool", pointer)
        message = Message(name, pool=number + 1, sign=sign, count=count, unseen=unseen)
        yield Problem(log_codes.POSITION_POOLS, place, message)
    if not miscounted:
        yield Problem(log_codes.POSITION_POOLS, pointer, Message("position-pools", sign=NOT_SEEN))


def _impossible(reference: Reference, state: StackState, names: tuple[str, ...], pointer: str) -> Iterator[Problem]:
    """Enumerate the invariants that the state breaks."""
    for broken in broken_invariants(reference, state, names):
        message = broken_words(reference.game, broken, "position-breaks")
        yield Problem(log_codes.POSITION_IMPOSSIBLE, pointer, message, why=why(reference.game, (broken.path,)))


def _flow(reference: Reference, reader: Reader, contents: StackState, data: Json, pointer: str) -> tuple[Frame, ...]:
    """Read the place in the flow; where the player alone is given, the one place where this player is to move."""
    rules = reference.rules
    # A damaged label may be of any kind.
    if isinstance(data, dict) and "me" in data and data.get("at") not in list(labels_of(rules, None, True)):
        search = FlowSearch(reader, rules, contents, data)
        return search.found(pointer, lambda state: not any(broken_invariants(reference, state)))
    return FlowReader(reader, rules).flow(data, pointer)


def _at_the_beginning(rules: Rules, contents: StackState) -> StackState:
    """Return the state in which the first event after set-up is awaited."""
    run = Run(rules, contents)
    run.call(PLAY, (None,))
    run.go(Next.BEGIN)
    return run.state()


def _blank(rules: Rules) -> StackState:
    """Return the state before set-up."""
    return blank(rules).state()
