"""Expressions without a value are marked by exceptions of their own, so that a bug is never taken for one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ludex.interpreter import Engine, Move, Reference, own_refusal, reasons
from ludex.spec import Budget, NoValue, OverBudget
from ludex.spec import model as m
from ludex.spec.model import evaluation

from ..parsed_sources import tree_of
from .build import engine_from, reference_from

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


def test_a_requirement_after_a_failing_guard_is_not_reported() -> None:
    engine = engine_from(GUARDED)
    state = engine.start()
    listed = [dict(move.arguments) for move in engine.legal_moves(state) if move.action == "beat"]
    assert listed == [{"s": 1, "card": 4}]
    refusal = engine.refusal(state, Move(0, "beat", (("s", 2), ("card", 4))))
    assert refusal is not None
    assert refusal.clauses == ("beat.filled",)


CAN = """
type Card = 1..6
zone hand(Player): bag of Card, private
zone spot(1..4): one Card, open

setup
  put 3 in spot(1)

action lend
  give: move 6 from hand(me) to spot(2)

action ask
  choose s in 1..4
  require filled: spot(s) is not empty
  require able: can lend
  say: nothing

action wait
  say: nothing

play
  each player in seats
    choose wait or ask
"""


def test_can_has_no_value_if_a_statement_before_fails() -> None:
    engine = engine_from(CAN)
    state = engine.start()
    refusal = engine.refusal(state, Move(0, "ask", (("s", 2),)))
    assert refusal is not None
    assert refusal.clauses == ("ask.filled",)
    with pytest.raises(NoValue) as caught:
        engine.refusal(state, Move(0, "ask", (("s", 1),)))
    assert caught.value.path == "lend.give"


def test_too_much_work_is_not_taken_for_a_missing_value() -> None:
    costly = GUARDED.replace(
        "card > spot(s)", "0 < sum(1 for a in 1..99, b in 1..99, c in 1..99 where a + b + c != spot(s))"
    )
    engine = Engine(replace(engine_from(costly).game, budget=Budget(work=10_000)))
    with pytest.raises(OverBudget):
        engine.refusal(engine.start(), Move(0, "beat", (("s", 1), ("card", 4))))


def test_a_state_is_not_refused_for_the_work_that_reading_it_takes() -> None:
    """It was: the reference asks whether play stops in it, and took the end of its budget for a no."""
    costly = GUARDED.replace(
        "card > spot(s)", "0 < sum(1 for a in 1..40, b in 1..40, c in 1..40 where a + b + c != spot(s))"
    )
    game = engine_from(costly.replace("may choose beat or pay", "choose beat")).game
    written = Reference(game).state_to_json(Reference(game).start())
    assert Reference(game).state_from_json(written) == Reference(game).start()
    for reader in (Reference, Engine):
        with pytest.raises(OverBudget):
            reader(replace(game, budget=Budget(work=1_000))).state_from_json(written)


# ---- a bug of ours


@pytest.mark.parametrize("bug", (TypeError, KeyError, IndexError, AttributeError))
@pytest.mark.parametrize("kind", (m.Comparison, m.Arithmetic, m.EmptyTest), ids=lambda kind: kind.__name__)
def test_a_bug_of_an_evaluator_is_not_swallowed(
    kind: type, bug: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where missing values are passed over (in listing, judging, explaining), exceptions of our own bugs
    get through.
    """
    reference = reference_from(GUARDED)
    state = reference.start()
    fit, unfit = (Move(0, "beat", (("s", s), ("card", 4))) for s in (1, 2))
    refusal = reference.refusal(state, unfit)
    assert refusal is not None
    _plant(monkeypatch, kind, bug)
    for asked in (
        lambda: reference.legal_moves(state),
        lambda: reference.refusal(state, fit),
        lambda: reference.refusal(state, unfit),
        lambda: own_refusal(reference, state, unfit),
        lambda: reasons(reference, state, replace(refusal, clauses=("beat.filled", "beat.higher", "beat.next"))),
        lambda: reference.apply(state, Move(0, "pay", (("s", 1), ("cards", (1, 2))))),
    ):
        with pytest.raises(bug, match="planted"):
            asked()


def _plant(monkeypatch: pytest.MonkeyPatch, kind: type, bug: type[Exception]) -> None:
    def broken(*_: object) -> None:
        raise bug("planted")

    monkeypatch.setitem(vars(evaluation)["_KINDS"], kind, broken)


BROAD = {"TypeError", "KeyError", "IndexError", "AttributeError", "Exception", "BaseException", "LookupError"}
REASONS = {
    ("program/lowering/expressions.py", "_lowered_as"): "raised again",
    ("program/llvm/scans.py", "_values_passing"): "the test has no value for some content: a loop is made",
    ("program/engine/compiled.py", "advance_id"): "a number that is decoded for the first time",
    ("program/engine/compiled.py", "play_each"): "an event that cannot be looked up: those before it are played again",
    ("program/python/printing/index_sets.py", "_results"): "a test in front of it excludes such a constant",
    ("program/python/printing/cell_constants.py", "value"): "an expression without a value: the flow never arrives",
    ("program/native/library.py", "_words"): "a caller's list that holds something else than numbers: raised in words",
    ("program/engine/stored.py", "program_from_json"): "data of a stranger that are not a program",
    ("stack/statejson.py", "_in_order"): "entries of a file that cannot be ranked",
    ("logs/record/log.py", "_written"): "a caller's line that is not JSON: reported with its number",
    ("processes.py", "worker_processes"): "raised again",
    ("logs/structure/event_decoder.py", "read"): "data of a stranger's that cannot be written: read in full",
    ("logs/text_logs/text_writer.py", "line"): "data of a stranger that are not a line of the game: they stay JSON",
}


def test_no_builtin_exception_is_caught_around_more_than_a_look_up() -> None:
    """An expected exception of Python is caught around one look-up, and listed here with the reason."""
    catching = {
        (str(file.relative_to(INTERPRETER)), function)
        for file in sorted(INTERPRETER.rglob("*.py"))
        for function in _catching(tree_of(file))
    }
    assert catching == set(REASONS)


WITHOUT_VALUE = {
    "explanation/unfolding": "what has no value is not part of an explanation",
    "explanation/refusals": "the same",
    "logs/tracking/possible_reasons.is_inside": "whether the value is in the domain is open",
    "reference/run._tested": "raised again",
    "spec/model/evaluation._outcome": "the outcome is `Undefined`, with the fault",
    "program/python/runtime.can": "raised again",
    "program/lowering/expressions": "what has no value before play is lowered, and fails in play",
    "spec/elaborate": "what has no value before play is reported, or left for play",
}
"""Places where an expression may have no value (`NoValue`; or `Veiled`, if it depends on hidden information), with
the reason.
"""
UNSEEN = {
    "program/python/runtime.may_offer": "what nobody can see fail may hold",
    "program/python/runtime._may_be_legal": "the same",
    "program/python/pieces._with": "unknown pieces lie after those that are known",
    "reference": "the answer is open",
    "unknowns": "the run divides, and each part goes on with what is known then",
    "explanation/unfolding": "a value that depends on hidden information is not reported; another part may decide",
    "explanation/walkthrough": "what was examined before is shown",
    "logs/judge/possible_examination": "a possible game in which the answer depends on unknowns is left undecided",
    "logs/tracking/possible_reasons": "a reason that depends on unknowns is not given",
}
FAULTS = {
    "program/python/runtime.may_offer": "what the rules fail at for want of what is not seen",
    "program/python/runtime._may_be_legal": "the same",
    "program/python/runtime._tried": "it makes no move illegal: it stops the player of the move",
    "program/python/runtime._can": "it makes no move illegal: it stops the player of the move",
    "program/python/runtime.can": "what stops the trial leaves the question without an answer",
    "program/engine/compiled.play_each": "the events before it are played again, and the caller judges this one",
    "program/llvm/module._worked_out": "a unit that has no value for some arguments is called in play",
    "unknowns": "a completion in which the rules fail is not followed; if there is no other, the fault is reported",
    "program/python/runtime._candidates": "the moves before the fault count",
    "program/native/library._rows": "no move has a number where the list of moves has no value",
    "simulate/simulation": "reported",
    "play/examples.run_example": "reported",
    "play/examples.check_beginning": "reported",
    "play/examples._wind": "reported",
    "play/examples._sequels": "an option after which the rules fail is not gone into",
    "explanation/walkthrough": "what was examined before is shown; the play itself reports the fault",
    "reference": "what stops the walk on the way to an answer leaves the question without one",
    "simulate/shadow": "the play's own audit reports it",
    "logs/judge/explained_line.explain_line": "the report says why nothing more can be said of the line",
    "logs/migration/completions.compare_completions": "whether the log can be migrated stays undecided",
    "logs/tracking/dealing.deal_missing": "cards that cannot be dealt are not listed as missing",
    "logs/playback/log_replay": "reported",
    "logs/playback/line_replay": "reported",
    "logs/playback/line_step": "a play in which the rules fail is not followed",
    "logs/playback/event_step.ended_by": "the clause that ended a game is not named where the rules fail on the way",
    "logs/playback/needs._plays": "a random play from which is learned ends where the rules fail",
    "logs/playback/after_fault": "after a fault nothing is refused for want of an answer",
    "logs/position/stock_check": "the pieces of a game whose set-up fails are not counted",
    "logs/schema/new_log": "a log of a game whose set-up fails has no first line",
    "logs/position/position.read_position": "a position from which no play begins may have a fault of its own",
    "stack/statejson.demand_rest": "a state in which the rules fail waits for no event",
    "logs/position/flow_place": "the items of a loop that fail are not known",
    "logs/position/flow_search": "a place at which the rules fail is never reached in play",
    "logs/tracking/tracker": "a decline after which the rules fail was not left out",
    "logs/tracking/belief_tracker._nearest": "a suggestion that the rules cannot judge is not made",
    "logs/tracking/possible_reasons": "a reason that the rules cannot compute is not given",
    "logs/tracking/event_findings": "a suggestion that the rules cannot judge is not made",
    "witnesses": "a fault on one side is a difference; a search goes another way",
    "spec/elaborate": "reported",
    "spec/checks/dead_stores": "a value that fails before play is not known then",
}
"""Places where any spec fault is caught, with the handling."""
LAYERS = INTERPRETER.parent
CAUGHT = {
    "NoValue": WITHOUT_VALUE,
    "UNDECIDED": WITHOUT_VALUE,
    "UNCOMPUTED": WITHOUT_VALUE,
    "Veiled": UNSEEN,
    "HiddenAnswer": UNSEEN,
    "Undetermined": UNSEEN,
    "UndeterminedFlow": UNSEEN,
    "SpecFault": FAULTS,
}


def test_missing_hidden_and_faulty_values_are_caught_apart() -> None:
    """Each is caught only in the places listed above, and every listed place catches it."""
    met: list[tuple[int, str]] = []
    unlisted: list[str] = []
    for file in sorted(each for layer in ("spec", "interpreter", "cli") for each in (LAYERS / layer).rglob("*.py")):
        module = str(file.relative_to(LAYERS).with_suffix("")).removeprefix("interpreter/")
        for function, name in _handlers(tree_of(file)):
            if name in CAUGHT:
                listed = [each for each in CAUGHT[name] if _lies_in(f"{module}.{function}", each)]
                unlisted += [] if listed else [f"{module}.{function} catches {name}"]
                met += [(id(CAUGHT[name]), each) for each in listed]
    assert not unlisted, "catch a narrower exception, or add the place to the list with its reason"
    assert set(met) == {(id(places), each) for places in CAUGHT.values() for each in places}


def _lies_in(place: str, listed: str) -> bool:
    """Return whether the place is listed: a function, or a module or folder that contains it."""
    return place == listed or place.startswith((f"{listed}.", f"{listed}/"))


def _handlers(node: ast.AST, function: str = "") -> Iterator[tuple[str, str]]:
    """Yield each caught or suppressed exception name, with the innermost function around it."""
    function = node.name if isinstance(node, ast.FunctionDef) else function
    if isinstance(node, ast.ExceptHandler) and node.type is not None:
        caught = (part for part in ast.walk(node.type) if isinstance(part, ast.Name | ast.Attribute))
        yield from ((function, part.id if isinstance(part, ast.Name) else part.attr) for part in caught)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "suppress":
        yield from ((function, part.id) for part in node.args if isinstance(part, ast.Name))
    for inner in ast.iter_child_nodes(node):
        yield from _handlers(inner, function)


def _catching(tree: ast.AST) -> set[str]:
    """Return the functions that catch one of these."""
    catching: set[str] = set()
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        for node in ast.walk(function):
            if isinstance(node, ast.ExceptHandler):
                caught = {part.id for part in ast.walk(node.type) if isinstance(part, ast.Name)} if node.type else BROAD
                if caught & BROAD:
                    catching.add(function.name)
    return catching
