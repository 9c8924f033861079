"""What has no value says so on purpose; a fault of our own is never taken for that."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from ludex.interpreter import Engine, Move, operators
from ludex.interpreter.evaluate import Expressions, Fn
from ludex.spec import model as m

from .build import engine

INTERPRETER = Path(__file__).parents[2] / "interpreter"

GUARDED = """
type Card = 1..6
zone hand(Player): bag of Card, private
zone spot(1..4): one Card, open

setup
  each p in Player
    put {1, 2, 4} in hand(p)
  put 3 in spot(1)
  put 5 in spot(4)

action beat
  choose s in 1..4, card in hand(me)
  require filled: spot(s) is not empty
  require higher: card > spot(s)
  require next: spot(s) + 1 = card
  lay: move card from hand(me) to spot(s + 1)

action pay
  choose s in 1..4, cards within hand(me)
  require there: spot(s) is not empty
  require exact: sum(c for c in cards) + 1 = spot(s) + 1
  lay: move cards from hand(me) to spot(s)

play
  repeat 9 times
    each player in seats
      may choose beat or pay
"""


def test_a_requirement_behind_a_guard_that_fails_says_nothing() -> None:
    made = engine(GUARDED)
    state = made.start()
    listed = [dict(move.arguments) for move in made.legal_moves(state) if move.action == "beat"]
    assert listed == [{"s": 1, "card": 4}]
    refusal = made.refusal(state, Move(0, "beat", (("s", 2), ("card", 4))))
    assert refusal is not None
    assert refusal.clauses == ("beat.filled",)


# ---- a bug of ours


@pytest.mark.parametrize("bug", (TypeError, KeyError, IndexError, AttributeError))
@pytest.mark.parametrize("kind", (m.Comparison, m.Arithmetic, m.EmptyTest), ids=lambda kind: kind.__name__)
def test_a_bug_of_an_evaluator_is_not_swallowed(
    kind: type, bug: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever what has no value is passed over (listing, judging, telling why), our own fault comes out."""
    sound = engine(GUARDED)
    state = sound.start()
    _plant(monkeypatch, kind, bug)
    made = Engine(sound.game)
    fit, unfit = (Move(0, "beat", (("s", s), ("card", 4))) for s in (1, 2))
    for asked in (
        lambda: made.legal_moves(state),
        lambda: made.refusal(state, fit),
        lambda: made.refusal(state, unfit),
        lambda: made.apply(state, Move(0, "pay", (("s", 1), ("cards", (1, 2))))),
    ):
        with pytest.raises(bug, match="planted"):
            asked()


def _plant(monkeypatch: pytest.MonkeyPatch, kind: type, bug: type[Exception]) -> None:
    def broken(x: Expressions, expr: Any, path: str | None) -> Fn:
        def fails(state: object, slots: object) -> object:
            raise bug("planted")

        return fails

    monkeypatch.setattr(operators, "OPERATORS", {**operators.OPERATORS, kind: broken})


BROAD = {"TypeError", "KeyError", "IndexError", "AttributeError", "Exception", "BaseException", "LookupError"}
REASONS = {
    ("functions.py", "_remembered_call"): "a result that is not known yet; it is worked out behind the `try`",
    ("functions.py", "call"): "the same: the closure in it",
    ("statejson.py", "_in_order"): "entries of a file that cannot be ranked",
    ("differences/judge_all.py", "_made"): "raised again",
}


def test_nobody_catches_what_only_a_bug_raises() -> None:
    """Where an exception of Python's own is expected, it is caught around one look-up, and listed here with the
    reason."""
    found = {
        (str(file.relative_to(INTERPRETER)), function)
        for file in sorted(INTERPRETER.rglob("*.py"))
        for function in _catching(ast.parse(file.read_text("utf-8")))
    }
    assert found == set(REASONS)


def _catching(tree: ast.AST) -> set[str]:
    """The functions that catch one of these."""
    found: set[str] = set()
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        for node in ast.walk(function):
            if isinstance(node, ast.ExceptHandler):
                caught = {part.id for part in ast.walk(node.type) if isinstance(part, ast.Name)} if node.type else BROAD
                if caught & BROAD:
                    found.add(function.name)
    return found
