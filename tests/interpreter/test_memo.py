"""Memoized results belong to one state: they are dropped when a cell is written, and not shared with other clones,
engines or evaluations.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludex.interpreter import Move
from ludex.interpreter.program import WIDE, Compiled
from ludex.interpreter.program.lowering.passes import Lowering
from ludex.spec import model as m

from ..parsed_sources import parsed, tree_of
from .build import engine_from

INTERPRETER = Path(__file__).parents[2] / "interpreter"
STATES_OF_THEIR_OWN = ("native", "engine", "python", "reference", "unknowns")
"""Packages that do not use `State`."""

SWAP = (Path(__file__).parents[1] / "games/samples/flip.ludex").read_text("utf-8").partition("\n\n")[2]


def test_a_trial_of_a_swap_leaves_no_memoized_results() -> None:
    """`flip` is tried before `boast` is tested: the value of `one_left` after the swap belongs to the trial alone."""
    engine = engine_from(SWAP)
    state = engine.start()
    assert [move.action for move in engine.legal_moves(state)] == ["flip", "boast"]
    assert engine.refusal(state, Move(0, "boast")) is None
    flipped = engine.apply(state, Move(0, "flip"))
    assert [engine.cell(flipped, "spot", (place,)) for place in (0, 1)] == [2, 1]
    assert [engine.cell(state, "spot", (place,)) for place in (0, 1)] == [1, 2]


def test_clones_share_memoized_results_until_one_of_them_is_written() -> None:
    engine = engine_from(SWAP)
    state = engine.start()
    engine.legal_moves(state)
    clone = state.clone()
    assert clone.known is state.known
    clone.put(0, 2)
    assert clone.known is not state.known
    assert state.cells[0] == 1


CYCLES = """
state count: 0..9 = 0

define one(x: 0..3): 0..9 = min(two(x) + 1, 9)
define two(x: 0..3): 0..9 cycle 0 = one(x)

define lead: 0..99 = min(max(total(p) for p in Player), 99)
define chased: 0..99 cycle 0 = min(lead + 1, 99)

action go
  up: count += 1

play
  once: as seat(1)
    choose go

score chase: chased
"""


@pytest.mark.parametrize("names", (("two", "one"), ("chased", "lead")))
def test_values_on_a_cycle_do_not_depend_on_the_order_of_evaluation(names: tuple[str, str]) -> None:
    """Within a cycle a define may have another value than by itself; neither is memoized for the other."""
    engine = engine_from(CYCLES)
    one, other = (_in_order(engine.game, order) for order in (names, names[::-1]))
    assert one == other


def _in_order(game: m.Game, names: tuple[str, ...]) -> dict[str, object]:
    lowering = Lowering(game)
    units = {name: lowering.ask(game.defines[name]) for name in names}
    engine = Compiled(game, WIDE, lowering.program)
    state = engine.start()
    arguments = {name: [1] * len(game.defines[name].parameters) for name in names}
    return {name: engine.runtime.units[unit](state, state.cells, *arguments[name]) for name, unit in units.items()}


def test_an_engine_does_not_use_memoized_results_of_another() -> None:
    """The state is the same, and a define of the same name has another meaning."""
    one, other = engine_from(SWAP), engine_from(SWAP.replace("spot(p) = 1", "spot(p) = 2"))
    state = one.start()
    assert one.legal_moves(state)
    with pytest.raises(ValueError, match="another spec"):
        other.legal_moves(state)
    with pytest.raises(ValueError, match="does not wait"):  # nobody can move there, so the state belongs to no play
        other.state_from_json(one.state_to_json(state))


# ---- cells are written in one way

OWN = ("cells", "_cells", "pools", "known", "active")
"""Attributes of a state that only its own methods may assign."""


def _writes(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        targets: list[ast.expr] = []
        match node:
            case ast.Assign(targets=several) | ast.Delete(targets=several):
                targets = several
            case ast.AugAssign(target=one) | ast.AnnAssign(target=one) | ast.For(target=one):
                targets = [one]
        for target in targets:
            parts = target.elts if isinstance(target, ast.Tuple) else [target]
            yield from (f"line {part.lineno}: {ast.unparse(part)}" for part in parts if _is_own(part))


def _is_own(target: ast.expr) -> bool:
    """Return whether the target is one of these attributes of something other than `self`, or an item of one. Adding to
    `known` is allowed.
    """
    match target:
        case ast.Subscript(value=ast.Attribute(attr="known")):
            return False
        case ast.Subscript(value=held):
            return _is_own(held)
        case ast.Attribute(value=ast.Name(id="self")):
            return False
        case _:
            return isinstance(target, ast.Attribute) and target.attr in OWN


def test_only_methods_of_state_write_cells_and_pools() -> None:
    """`put`, `put_pool` and `set_pools` drop the memoized results."""
    writers = {
        str(file.relative_to(INTERPRETER)): writes
        for file in sorted(INTERPRETER.rglob("*.py"))
        if file.name != "state.py"
        and file.parent.name not in STATES_OF_THEIR_OWN
        and (writes := list(_writes(tree_of(file))))
    }
    assert not writers, f"write with `put`, `put_pool` or `set_pools`: {writers}"


@pytest.mark.parametrize(
    "text", ("state.cells = []", "a.state.cells[1] = 2", "x, s.pools[0] = 1, 2", "s.known = {}", "del s._cells[0]")
)
def test_other_writes_are_noticed(text: str) -> None:
    assert list(_writes(parsed(text)))
