"""Runner of the examples of a spec, and the test of the first state of a play.

The position is written down: every state has its initial value, every zone is empty, set-up is not run, and then
`given` is applied. A move needs a place in the flow. If the current decision does not offer a check's move to its
player, and nothing has been played yet, the flow of `play` is wound forward to the first one that does. Decisions on
the way are passed over, chance takes any outcome, and after every step the cells are reset to the given ones, so that
only the place in the flow moves on. If no place is found, options without choices are entered as well, as a part of
`may act` may be meant. A move that a clause of the flow refuses is judged at the first place where this clause asks, or
ends the game. The decisions, chance events and steps that were passed over are reported (`Put`). A move that is made
runs on to the next event, as in play; expectations are tested there.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from ludex.grammar import Code, Diagnostic, Note, Span, Why
from ludex.spec import ZONE_STATEMENTS, nodes
from ludex.spec import model as m

from .. import play_codes
from ..explanation.invariants import broken_invariants, broken_words
from ..explanation.refusals import MOST_NOTES, reasons
from ..explanation.unfolding import Question, Scene, unfold
from ..explanation.wording import explain, fault_diagnostic, why
from ..reference import Mode, Next, Reference, Rules, Run, blank, carry_out, options, outcomes_of, resolve
from ..stack.places import AWAITING
from ..stack.routines import PLAY
from ..stack.state import StackState
from ..state.events import ChanceEvent, Event, Move, Refusal, Refused, SpecFault, Trace
from ..state.events import RefusalKind as K

_MOST_NAMED = 6
"""The largest number of clauses that are named of those passed over."""

BY_FLOW = frozenset({K.WRONG_PLAYER, K.NOT_OFFERED, K.CHANCE_AWAITED, K.OVER})
"""Refusals whose reason is the clause at which the flow waits, or which has ended it."""

WINDING_LIMIT = 1_000
"""The largest number of decisions and chance events that are passed over in search of the one that an example means."""

CHANGES = (m.Store, *ZONE_STATEMENTS)
"""Statements that change what cells hold."""

NOT_DONE = "steps passed over are not done: play up to the end with `after`, or give the position in which it comes"


@dataclass(frozen=True, slots=True)
class Put:
    """The place in the flow at which the moves of an example begin.

    Attributes:
        at: the clause that asks there.
        passed: the clauses, in order, of the decisions, chance events and state-changing steps before it; none of them
            was carried out.
    """

    at: str
    passed: tuple[str, ...]

    @property
    def words(self) -> str:
        """Describe the place: `put at play.end; passed over: play.die, 4 x play.turns`."""
        times = list(Counter(self.passed).items())
        passed = [path if count == 1 else f"{count} x {path}" for path, count in times]
        more = sum(count for _, count in times[_MOST_NAMED:])
        words = ", ".join([*passed[:_MOST_NAMED], *([f"{more} more"] if more else [])])
        return f"put at {self.at}" + (f"; passed over: {words}" if words else "")


@dataclass(frozen=True, slots=True)
class ExampleRun:
    """The result of an example.

    Attributes:
        findings: the checks that fail; () if all hold.
        put: where its moves begin; None if it makes none, or no place was found.
    """

    findings: tuple[Diagnostic, ...]
    put: Put | None


def run_example(reference: Reference, example: m.Example) -> ExampleRun:
    """Set up the example and run its checks, up to the first that fails: later ones would be judged in another
    position."""
    run, finding = _Example(reference, example), None
    try:
        run.check()
    except _Fails as fails:
        finding = fails.finding
    except SpecFault as fault:
        finding = fault_diagnostic(fault, reference.game, example.span)
    if finding is not None and run.put is not None and run.put.passed:
        finding = replace(finding, notes=(*finding.notes, Note(f"the example is {run.put.words}; none of it was done")))
    return ExampleRun(() if finding is None else (finding,), run.put)


def check_beginning(reference: Reference) -> tuple[Diagnostic, ...]:
    """Return the faults of the first state of a play: each invariant that it breaks, or the fault that stops set-up."""
    game = reference.game
    try:
        broken = list(broken_invariants(reference, reference.start()))
    except SpecFault as fault:
        return (fault_diagnostic(fault, game),)
    return tuple(
        Diagnostic(
            play_codes.BEGINNING_INVARIANT,
            f"at the beginning of a play {broken_words(game, each)}",
            each.span,
            why=why(game, (each.path,)),
        )
        for each in broken
    )


class _Fails(Exception):
    """Raised where a check of an example does not hold."""

    def __init__(
        self,
        code: Code,
        message: str,
        span: Span,
        hint: str | None = None,
        notes: tuple[Note, ...] = (),
        why: tuple[Why, ...] = (),
    ) -> None:
        super().__init__(message)
        self.finding = Diagnostic(code, message, span, hint, notes, why)


class _Winding(Run):
    """A run to the next decision or chance event that records the state-changing steps on the way."""

    def __init__(
        self, rules: Rules, state: StackState, mode: Mode, trace: Trace | None = None, active: set[Any] | None = None
    ) -> None:
        super().__init__(rules, state, mode, trace, active)
        self.steps: list[str] = []

    def begin(self) -> Next:
        step = self.step
        if isinstance(step, CHANGES):
            self.steps.append(step.path)
        return super().begin()


@dataclass(frozen=True, slots=True)
class _FlowPoint:
    """A program point. passed: what was passed over on the way to it; ended: the clause that ended the game."""

    state: StackState
    passed: tuple[str, ...] = ()
    ended: str | None = None


class _Example:
    """An example being run, with its current state. ended: the clause that has ended the play."""

    def __init__(self, reference: Reference, example: m.Example) -> None:
        self.reference, self.example = reference, example
        self.rules, self.game = reference.rules, reference.game
        # `given` is the position that each wound step goes back to; `state` is where the checks are.
        self.given = self.state = blank(self.rules).state()
        self.played = False
        self.put: Put | None = None
        self.ended: str | None = None

    def check(self) -> None:
        """Set up the position, and run the checks. Raises _Fails for the first that does not hold."""
        if self.example.given is not None:
            self.reference.meter.begin()
            # A probe stops at the first decision even if nobody can move there, so that it is reported.
            run = blank(self.rules, Mode(is_probe=True))
            run.call(self.example.given.name, (None,))
            run.go(Next.BEGIN)
            self.given = self.state = run.state()
            if run.frames:
                raise _Fails(play_codes.EXAMPLE_POSITION, f"{self._awaited()} here", self.example.span)
        self._hold_invariants(self.example.span)
        for check in self.example.checks:
            self._check(check)
            if isinstance(check, m.PlayMove | m.ChanceOutcome):
                self._hold_invariants(check.span if isinstance(check, m.ChanceOutcome) else check.move.span)

    def _check(self, check: m.ExampleCheck) -> None:
        match check:
            case m.PlayMove(move=move):
                self._play(move)
            case m.ChanceOutcome():
                self._chance(check)
            case m.AllowMove(move=move):
                self._allow(move)
            case m.RefuseMove(move=move, because=because, by_flow=True):
                self._refuse_by_flow(move, because)
            case m.RefuseMove(move=move, because=because):
                self._refuse(move, because)
            case m.ExpectThat():
                self._expect(check)

    def _hold_invariants(self, span: Span) -> None:
        for broken in broken_invariants(self.reference, self.state, self.example.seats, in_flow=self.played):
            message, clauses = broken_words(self.game, broken), why(self.game, (broken.path,))
            raise _Fails(play_codes.EXAMPLE_INVARIANT, message, span, why=clauses)

    # ---- moves

    def _play(self, example: m.ExampleMove) -> None:
        refusal = self._apply(self._at_decision(example))
        if refusal is not None:
            raise self._refused(refusal, example.span)
        # From here on the moves that are made say where the flow is, so that nothing is wound forward any more.
        self.played = True

    def _apply(self, event: Event) -> Refusal | None:
        """Play the event, unless it is refused."""
        trace = Trace()
        try:
            self.state = self.reference.apply(self.state, event, trace)
        except Refused as refused:
            return refused.refusal
        self.ended = trace.ended
        return None

    def _allow(self, example: m.ExampleMove) -> None:
        refusal = self._refusal(self._at_decision(example))
        if refusal is not None:
            raise self._refused(refusal, example.span)

    def _refuse(self, example: m.ExampleMove, because: str) -> None:
        refusal = self._refusal(self._at_decision(example))
        if refusal is None:
            raise self._legal(example, because)
        if because not in refusal.clauses:
            raise self._other_reason(refusal, example, because)

    def _refusal(self, move: Move) -> Refusal | None:
        return self.reference.refusal(self.state, move)

    def _refuse_by_flow(self, example: m.ExampleMove, because: str) -> None:
        """Check a refusal by the flow: it is another player's turn, the move is not on offer, chance is awaited, or the
        game is over."""
        move = Move(example.player, example.action, example.arguments)
        # A refusal is often by the clause that comes next, which then asks already.
        if not self.played and self._asking() != because:
            # A clause that ends the game asks for nothing, and is passed over where its condition does not hold.
            ends = any(isinstance(each, m.EndGameStep) and each.path == because for each in self._statements())
            message = self._wind(
                lambda: self._asking() == because, f"{because} {'ending the game' if ends else 'asking'}"
            )
            if message is not None:
                raise _Fails(play_codes.EXAMPLE_NOT_OFFERED, message, example.span, NOT_DONE if ends else None)
        refusal = self._refusal(move)
        if refusal is None:
            raise self._legal(example, because)
        if refusal.kind not in BY_FLOW or self._asking() != because:
            raise self._other_reason(refusal, example, because)

    def _statements(self) -> Iterator[m.Step]:
        for routine in self.rules.routines.values():
            yield from routine.statements

    def _legal(self, example: m.ExampleMove, because: str) -> _Fails:
        message = f"this move is legal; the example says that {because} is against it"
        return _Fails(play_codes.EXAMPLE_ALLOWED, message, example.span)

    def _other_reason(self, refusal: Refusal, example: m.ExampleMove, because: str) -> _Fails:
        message, hint = f"{because} is not against this move", None
        if against := self._against(refusal):
            hint = f"against it is {' or '.join(f'`because {path}`' for path in against)}"
        return self._failure(play_codes.EXAMPLE_OTHER_REASON, refusal, example.span, hint, f"{message}: ")

    def _refused(self, refusal: Refusal, span: Span) -> _Fails:
        hint = None
        if refusal.kind in BY_FLOW and (against := self._against(refusal)):
            # This hint is for refusals by the flow: a requirement that refuses is named in the message already.
            hint = f"say with `after` what comes before it, or that it is refused: `because {against[0]}`"
        return self._failure(play_codes.EXAMPLE_REFUSED, refusal, span, hint)

    def _failure(self, code: Code, refusal: Refusal, span: Span, hint: str | None, head: str = "") -> _Fails:
        explanation = explain(refusal, self.game, self.example.seats)
        notes = reasons(self.reference, self.state, refusal, self.example.seats)
        clauses = explanation.why or why(self.game, self._against(refusal))
        return _Fails(code, f"{head}{explanation.message}", span, hint, notes, clauses)

    def _against(self, refusal: Refusal) -> tuple[str, ...]:
        """List the clauses that refuse the move, or the one of the flow."""
        return refusal.clauses or tuple(filter(None, (self._asking(),)))

    def _at_decision(self, example: m.ExampleMove) -> Move:
        """Bring the state to the decision that the move means, and return the move."""
        move = Move(example.player, example.action, example.arguments)
        # Without a report of its own this would be the refusal of a move that is not on offer, whose hint does not help
        # here.
        if self.played and self._awaits_chance():
            raise _Fails(play_codes.EXAMPLE_CHANCE, f"{self._awaited()} before this move", example.span)
        if not self.played and not self.reference.is_offered(self.state, move):
            message = self._wind(
                lambda: self.reference.is_offered(self.state, move), f"having offered {move.action} to this player"
            )
            if message is not None:
                raise _Fails(play_codes.EXAMPLE_NOT_OFFERED, message, example.span)
        return move

    # ---- winding

    def _awaits_chance(self) -> bool:
        return bool(self.state.frames) and isinstance(self._step, AWAITING)

    @property
    def _step(self) -> m.Step:
        """The statement at which the flow waits; the play must not be over."""
        frame = self.state.frames[-1]
        return self.rules.routines[frame.routine].statements[frame.at]

    def _asking(self) -> str | None:
        """Return the path of the clause that asks here, or that has ended the play."""
        return self._step.path if self.state.frames else self.ended

    def _wind(self, fits: Callable[[], bool], wanted: str) -> str | None:
        """Wind to the first place that fits; return what is wrong if there is none."""
        try:
            return self._search(fits, wanted)
        except SpecFault as fault:
            return f"the rules fail without {wanted}: {fault.message} ({fault.path})"

    def _search(self, fits: Callable[[], bool], wanted: str) -> str | None:
        winding = self._winding(self.given)
        winding.call(PLAY, (None,))
        self._go_to(start := self._place(winding, Next.BEGIN, ()))
        here = start
        # The search first passes over every decision: nearly all examples mean such a place.
        for _ in range(WINDING_LIMIT):
            if fits():
                self._found(here)
                return None
            if not here.state.frames:
                by = f" by {here.ended}" if here.ended else ""
                message = f"the play ends{by} without {wanted}"
                break
            self._go_to(here := self._passed_over(here))
        else:
            message = f"{WINDING_LIMIT} events go by without {wanted}"
        # The message describes the way straight on, as an author expects; the search is a second guess.
        return None if self._search_inside(fits, start) else message

    def _go_to(self, place: _FlowPoint) -> None:
        self.state, self.ended = place.state, place.ended

    def _found(self, place: _FlowPoint) -> None:
        asking = self._asking()
        assert asking is not None, "a place that fits asks for a move, or ended by a clause that is named"
        self.put = Put(asking, place.passed)

    def _search_inside(self, fits: Callable[[], bool], start: _FlowPoint) -> bool:
        """Search the places after `start`, nearest first, and enter options without choices, too."""
        # The clause that ended the game is not part of the state.
        waiting, seen = deque([start]), {(start.state, start.ended)}
        while waiting and len(seen) < WINDING_LIMIT:
            here = waiting.popleft()
            self._go_to(here)
            if fits():
                self._found(here)
                return True
            for place in self._sequels(here):
                if (place.state, place.ended) not in seen:
                    seen.add((place.state, place.ended))
                    waiting.append(place)
        return False

    def _sequels(self, here: _FlowPoint) -> Iterator[_FlowPoint]:
        """Enumerate the next places of the flow: with the decision passed over, or with an option without choices
        taken."""
        if not here.state.frames:
            return
        # The rules may fail in a position that play never has there; this place is then not the one that is meant.
        with suppress(SpecFault):
            yield self._passed_over(here)
        winding = self._winding(here.state)
        # A simultaneous decision is left out: a choice there is carried out when all have chosen.
        if isinstance(winding.step, m.Decide):
            for number, option in options(winding, winding.frame.slots[0]):
                # An option with choices would need values for them, and which is meant cannot be known.
                if not option.choices:
                    with suppress(SpecFault):
                        taken = self._winding(here.state)
                        path = taken.step.path
                        yield self._place(taken, carry_out(taken, (number, ())), (*here.passed, path))

    def _passed_over(self, here: _FlowPoint) -> _FlowPoint:
        """Move past the decision or chance event. A step's clause was recorded when the step began."""
        winding, passed = self._winding(here.state), here.passed
        step = winding.step
        match step:
            case m.RandomValue():
                # Any outcome will do, since the cells are reset after it.
                (outcome, via, _), *_ = outcomes_of(winding)
                resolve(winding, outcome, via)
            case m.Decide():
                pass
            case _:
                winding.let_go()
        return self._place(winding, Next.DONE, passed if isinstance(step, CHANGES) else (*passed, step.path))

    def _winding(self, state: StackState) -> _Winding:
        self.reference.meter.begin()
        return _Winding(self.rules, state, Mode(is_probe=True), Trace())

    def _place(self, winding: _Winding, then: Next, passed: tuple[str, ...]) -> _FlowPoint:
        """Run to the next decision or chance event, and reset everything but the place in the flow."""
        winding.go(then)
        assert winding.trace is not None
        # The steps on the way have changed cells, and only the place in the flow counts.
        state = replace(self.given, frames=winding.state().frames)
        return _FlowPoint(state, (*passed, *winding.steps), winding.trace.ended)

    # ---- chance and expectations

    def _chance(self, check: m.ChanceOutcome) -> None:
        if not self._awaits_chance():
            raise _Fails(play_codes.EXAMPLE_CHANCE, f"no chance event is awaited here: {self._awaited()}", check.span)
        refusal = self._apply(ChanceEvent(self._step.path, check.value))
        if refusal is not None:
            explanation = explain(refusal, self.game, self.example.seats)
            raise _Fails(play_codes.EXAMPLE_CHANCE, explanation.message, check.span, why=explanation.why)

    def _awaited(self) -> str:
        if not self.state.frames:
            return "nothing is awaited"
        if self._awaits_chance():
            return f"the chance event {self._step.path} is awaited"
        return f"a move is awaited ({', '.join(self.reference.offered(self.state))})"

    def _expect(self, check: m.ExpectThat) -> None:
        scene = Scene(self.reference.at(self.state), (None,) * max(1, check.frame_size))
        first = next((at for at, part in enumerate(check.parts) if not scene.value(part.value)), None)
        if first is None:
            return
        # Parts after the first that is false may fail to have a value; they are left out, since they are not the
        # reason.
        failing = [(part.text, part.value) for part in check.parts[first:] if scene.known(part.value) is False]
        asked = [
            Question(text, part.span, (part,), scene, known=frozenset({f"{text} = false"})) for text, part in failing
        ]
        answers = unfold(asked, self.game, self.example.seats, MOST_NOTES)
        operands, further = answers[: len(asked)], answers[len(asked) :]
        if len(check.parts) == 1:
            # The message has the whole text already, so that a single part is not repeated.
            values = operands[0].listed
        else:
            values = ": " + "; ".join(
                f"{text} is false{each.listed}" for (text, _), each in zip(failing, operands, strict=True)
            )
        message = f"{check.text} does not hold here{values}"
        ended = self.ended if self.played and not self.state.frames else None
        if ended:
            message += f"; the play was ended by {ended}"
        elif self.state.frames and any(_asks_for_the_end(part) for _, part in failing):
            message += f"; {self._awaited()}"
        clauses, notes = why(self.game, (ended,) if ended else ()), tuple(each.note for each in further)
        raise _Fails(play_codes.EXAMPLE_EXPECTATION, message, check.span, notes=notes, why=clauses)


def _asks_for_the_end(node: m.Expr) -> bool:
    return any(isinstance(part, m.Builtin) and part.name == "game_over" for part in nodes(node))
