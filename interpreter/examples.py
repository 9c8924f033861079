"""Running the examples of a spec.

The position is written down: every state at its declared start, every zone empty, set-up not run, then what `given`
says. Moves need a place in the flow. Where the play stands at no decision that offers a check's move to its player, and
nothing has been played yet, the flow of `play` is wound forward to the first that does: decisions on the way are passed
over, chance comes out anyhow, and every time the flow stops the cells are put back as given, so that only the place in
the flow moves on. Where no place found so does, options in which nothing is stated are also gone into, as a part of
`may act` may be what is meant. A move that a clause of the flow refuses is judged at the first place where this clause
asks, or ends the game. What was passed over, decisions, chance events and steps alike, is told (`Put`). A move that is
made runs on to the next event, as in play; what is expected is judged there.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ludex.grammar import Code, Diagnostic, Note, Span
from ludex.spec import everything_in
from ludex.spec import model as m

from . import codes
from .engine import Engine
from .events import Awaits, ChanceEvent, Move, Refusal, SpecFault, Trace
from .events import RefusalKind as K
from .explaining import explain, fault_diagnostic, why
from .instructions import Chance, Decide, EndGame, Hidden, Instruction, Random, RoutineCode, Together, carry_out
from .machine import PLAY, Machine, Running
from .pools import normalise
from .refusals import MOST_UNFOLDED, reasons
from .state import Frame, State
from .unfolding import Question, Scene, unfold

MOST_TOLD = 6
"""So many clauses that were passed over are named."""

BY_FLOW = frozenset({K.WRONG_PLAYER, K.NOT_OFFERED, K.CHANCE_AWAITED, K.OVER})
"""Refusals for which the clause is the reason at which the play stands, or by which it has ended."""

WINDING_LIMIT = 1_000
"""So many decisions and chance events are passed over in search of the one that an example means."""


NOT_DONE = "steps passed over are not done: play up to the end with `after`, or give the position in which it comes"


@dataclass(frozen=True, slots=True)
class Put:
    """The place in the play at which the moves of an example begin.

    Attributes:
        at: the clause that asks there.
        passed: the clauses of the decisions, chance events and steps that change something before it, in their order;
            none of them was carried out.
    """

    at: str
    passed: tuple[str, ...]

    @property
    def words(self) -> str:
        """`put at play.end; passed over: play.die, 4 x play.turns`."""
        times = list(Counter(self.passed).items())
        passed = [path if count == 1 else f"{count} x {path}" for path, count in times]
        more = sum(count for _, count in times[MOST_TOLD:])
        told = ", ".join([*passed[:MOST_TOLD], *([f"{more} more"] if more else [])])
        return f"put at {self.at}" + (f"; passed over: {told}" if told else "")


@dataclass(frozen=True, slots=True)
class ExampleRun:
    """How an example went.

    Attributes:
        findings: what does not hold; () if all does.
        put: where its moves begin; None if it makes none, or no place was found.
    """

    findings: tuple[Diagnostic, ...]
    put: Put | None


def run_example(engine: Engine, example: m.Example) -> ExampleRun:
    """Put the example and judge it. After the first check that fails the others are left out, as they would be judged
    in a position that the example does not mean."""
    run = _Run(engine, example)
    try:
        found = next(run.failures(), None)
    except SpecFault as fault:
        found = fault_diagnostic(fault, engine.game, example.span)
    if found is not None and run.put is not None and run.put.passed:
        found = replace(found, notes=(*found.notes, Note(f"the example is {run.put.words}; nothing of that was done")))
    return ExampleRun(() if found is None else (found,), run.put)


class _Winding(Running):
    """A run to the next decision or chance event that notes the steps which change something on the way, and the clause
    that ends the game there."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine, probe=True)
        self.steps: list[str] = []
        self.ended_by: str | None = None

    def ended(self, state: State, path: str) -> None:
        self.ended_by = path

    def plain(self, state: State, frame: Frame, routine: RoutineCode, left: int) -> int:
        while left and routine.code[frame.pc].step is not None:
            if frame.pc in routine.changes:
                self.steps.append(routine.changes[frame.pc])
            super().plain(state, frame, routine, 1)
            left -= 1
        return left


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in the flow. passed: what was passed over on the way to it; ended: the clause that ended the game."""

    state: State
    passed: tuple[str, ...]
    ended: str | None


class _Run:
    def __init__(self, engine: Engine, example: m.Example) -> None:
        self.engine, self.machine, self.example = engine, engine.machine, example
        self.state = self.machine.blank()
        self.played = False
        self.put: Put | None = None
        self.trace = Trace()

    def failures(self) -> Iterator[Diagnostic]:
        if self.example.given is not None:
            self.state.frames = [self.machine.frame(self.machine.given[self.example.name])]
            self.machine.meter.begin()
            Running(self.machine, probe=True).run(self.state)
            if self.state.frames:
                yield self._report(codes.EXAMPLE_POSITION, f"{self._awaited()} here", self.example.span)
            normalise(self.state, self.machine.hidden)
        self.given = self.state.clone()
        for check in self.example.checks:
            yield from self._check(check)

    def _check(self, check: m.ExampleCheck) -> Iterator[Diagnostic]:
        match check:
            case m.PlayMove(move=move):
                yield from self._play(move)
            case m.ChanceOutcome():
                yield from self._chance(check)
            case m.AllowMove(move=move):
                yield from self._allow(move)
            case m.RefuseMove(move=move, because=because, by_flow=True):
                yield from self._refuse_by_flow(move, because)
            case m.RefuseMove(move=move, because=because):
                yield from self._refuse(move, because)
            case m.ExpectThat():
                yield from self._expect(check)

    # ---- moves

    def _play(self, example: m.ExampleMove) -> Iterator[Diagnostic]:
        move = yield from self._at_decision(example)
        refusal = None if move is None else self.engine.advance(self.state, move, self.trace)
        if refusal is not None:
            yield self._refused(refusal, example.span)
        self.played = True

    def _allow(self, example: m.ExampleMove) -> Iterator[Diagnostic]:
        move = yield from self._at_decision(example)
        refusal = None if move is None else self.engine.refusal(self.state, move)
        if refusal is not None:
            yield self._refused(refusal, example.span)

    def _refuse(self, example: m.ExampleMove, because: str) -> Iterator[Diagnostic]:
        move = yield from self._at_decision(example)
        if move is None:
            return
        refusal = self.engine.refusal(self.state, move)
        if refusal is None:
            yield self._legal(example, because)
        elif because not in refusal.clauses:
            yield self._other_reason(refusal, example, because)

    def _refuse_by_flow(self, example: m.ExampleMove, because: str) -> Iterator[Diagnostic]:
        """It is not the player's turn, the move is not on offer, chance has to decide, or the game is over."""
        move = Move(example.player, example.action, example.arguments)
        if not self.played and self._asking() != because:
            ends = any(isinstance(each, EndGame) and each.path == because for each in self._instructions())
            message = self._wind(
                lambda: self._asking() == because, f"{because} {'ending the game' if ends else 'asking'}"
            )
            if message is not None:
                hint = NOT_DONE if ends else None
                yield Diagnostic(codes.EXAMPLE_NOT_OFFERED, message, example.span, hint)
                return
        refusal = self.engine.refusal(self.state, move)
        if refusal is None:
            yield self._legal(example, because)
        elif refusal.kind not in BY_FLOW or self._asking() != because:
            yield self._other_reason(refusal, example, because)

    def _instructions(self) -> Iterator[Instruction]:
        for routine in self.machine.routines:
            yield from routine.code

    def _legal(self, example: m.ExampleMove, because: str) -> Diagnostic:
        message = f"this move is legal; the example says that {because} is against it"
        return self._report(codes.EXAMPLE_ALLOWED, message, example.span)

    def _other_reason(self, refusal: Refusal, example: m.ExampleMove, because: str) -> Diagnostic:
        message, hint = f"{because} is not against this move", None
        if against := self._against(refusal):
            hint = f"against it is {' or '.join(f'`because {path}`' for path in against)}"
        return self._told(codes.EXAMPLE_OTHER_REASON, refusal, example.span, hint, f"{message}: ")

    def _refused(self, refusal: Refusal, span: Span) -> Diagnostic:
        hint = None
        if refusal.kind in BY_FLOW and (against := self._against(refusal)):
            hint = f"say with `after` what comes before it, or that it is refused: `because {against[0]}`"
        return self._told(codes.EXAMPLE_REFUSED, refusal, span, hint)

    def _told(self, code: Code, refusal: Refusal, span: Span, hint: str | None, head: str = "") -> Diagnostic:
        told = explain(refusal, self.engine.game, self.example.seats)
        notes = reasons(self.engine, self.state, refusal, self.example.seats)
        clauses = told.why or why(self.engine.game, self._against(refusal))
        return Diagnostic(code, f"{head}{told.message}", span, hint, notes, clauses)

    def _against(self, refusal: Refusal) -> tuple[str, ...]:
        """The clauses that refuse the move, or the one of the flow."""
        return refusal.clauses or tuple(filter(None, (self._asking(),)))

    def _at_decision(self, example: m.ExampleMove) -> Generator[Diagnostic, None, Move | None]:
        """Bring the state to the decision that the move means, and return the move; after a report return None."""
        move = Move(example.player, example.action, example.arguments)
        if self.played and self.engine.awaits(self.state) is Awaits.CHANCE:
            yield self._report(codes.EXAMPLE_CHANCE, f"{self._awaited()} before this move", example.span)
            return None
        if not self.played and not self._offers(move):
            message = self._wind(lambda: self._offers(move), f"having offered {move.action} to this player")
            if message is not None:
                yield self._report(codes.EXAMPLE_NOT_OFFERED, message, example.span)
                return None
        return move

    # ---- winding

    def _offers(self, move: Move) -> bool:
        instruction = self.machine.standing_at(self.state)
        if move.action not in self.engine.offered(self.state):
            return False
        asked = isinstance(instruction, Together) or self.state.frames[-1].slots[0] == move.player
        return asked and self.engine.is_offered(self.state, move)

    def _asking(self) -> str | None:
        """The clause that asks here, or that has ended the play."""
        instruction = self.machine.standing_at(self.state) if self.state.frames else None
        return self.trace.ended if instruction is None else instruction.statement.path  # type: ignore[union-attr]

    def _wind(self, fits: Callable[[], bool], wanted: str) -> str | None:
        """Go to the first place of the play that fits; what is wrong if there is none."""
        try:
            return self._search(fits, wanted)
        except SpecFault as fault:
            return f"the rules fail without {wanted}: {fault.message} ({fault.path})"

    def _search(self, fits: Callable[[], bool], wanted: str) -> str | None:
        self.state = self.given.clone()
        self.state.frames = [self.machine.frame(PLAY)]
        passed = self._run_on()
        start = _Place(self.state.clone(), tuple(passed), self.trace.ended)
        for _ in range(WINDING_LIMIT):
            if fits():
                self._found(passed)
                return None
            if self.engine.is_terminal(self.state):
                by = f" by {self.trace.ended}" if self.trace.ended else ""
                message = f"the play ends{by} without {wanted}"
                break
            passed += (*self._pass_over(), *self._run_on())
        else:
            message = f"{WINDING_LIMIT} events go by without {wanted}"
        return None if self._search_inside(fits, start) else message

    def _found(self, passed: Iterable[str]) -> None:
        self.put = Put(self._asking() or "", tuple(passed))

    def _search_inside(self, fits: Callable[[], bool], start: _Place) -> bool:
        """Search what may come after `start`, nearest first, going into options in which nothing is stated, too."""
        waiting, seen = deque([start]), {(start.state, start.ended)}
        while waiting and len(seen) < WINDING_LIMIT:
            here = waiting.popleft()
            self.state, self.trace.ended = here.state, here.ended
            if fits():
                self._found(here.passed)
                return True
            for state, more in self._sequels():
                if (state, self.trace.ended) not in seen:
                    seen.add((state, self.trace.ended))
                    waiting.append(_Place(state, (*here.passed, *more), self.trace.ended))
        return False

    def _sequels(self) -> Iterator[tuple[State, list[str]]]:
        """Where the flow may come to next: with the decision passed over, or with an option of it taken; and what is
        passed over on the way there."""
        here = self.state
        if self.engine.is_terminal(here):
            return
        instruction = self.machine.standing_at(here)
        options = instruction.options if isinstance(instruction, Decide) else ()
        for option in (None, *(option for option in options if not option.choices)):
            self.state = here.clone()
            try:
                if option is None:
                    passed = self._pass_over()
                else:
                    assert isinstance(instruction, Decide)
                    self.machine.meter.begin()
                    running = Running(self.machine, probe=True)
                    carry_out(running, self.state, self.state.frames[-1], option, (), instruction.after)
                    passed = [instruction.statement.path]
                passed += self._run_on()
            except SpecFault:
                continue
            yield self.state, passed

    def _run_on(self) -> list[str]:
        """Go on to the next decision or chance event, and put everything but the place in the flow back; the clauses of
        the steps on the way."""
        self.machine.meter.begin()
        winding = _Winding(self.machine)
        winding.run(self.state)
        kept = self.given.clone()
        kept.frames = self.state.frames
        self.state.become(kept)
        self.trace.ended = winding.ended_by
        return winding.steps

    def _pass_over(self) -> list[str]:
        """Leave the decision or chance event out; its clause, unless that is of a step and was noted when it began."""
        instruction, frame, path = self.machine.standing_at(self.state), self.state.frames[-1], self._asking() or ""
        match instruction:
            case Random():
                (outcome, via, _), *_ = instruction.outcomes(self.state, frame.slots)
                instruction.resolve(self.state, frame, outcome, via)
            case Hidden():
                frame.pc = instruction.then
                return []
            case Decide() | Together():
                frame.pc = instruction.then
        return [path]

    # ---- chance and expectations

    def _chance(self, check: m.ChanceOutcome) -> Iterator[Diagnostic]:
        instruction = self.machine.standing_at(self.state)
        if not isinstance(instruction, Chance):
            yield self._report(codes.EXAMPLE_CHANCE, f"no chance event is awaited here: {self._awaited()}", check.span)
            return
        event = ChanceEvent(instruction.statement.path, check.value)
        refusal = self.engine.advance(self.state, event)
        if refusal is not None:
            told = explain(refusal, self.engine.game, self.example.seats)
            yield Diagnostic(codes.EXAMPLE_CHANCE, told.message, check.span, why=told.why)

    def _awaited(self) -> str:
        match self.machine.standing_at(self.state):
            case None:
                return "nothing is awaited"
            case Chance(statement=statement):
                return f"the chance event {statement.path} is awaited"
            case _:
                return f"a move is awaited ({', '.join(self.engine.offered(self.state))})"

    def _expect(self, check: m.ExpectThat) -> Iterator[Diagnostic]:
        scene = Scene(self.machine, self.state, [None] * max(1, check.frame_size))
        first = next((at for at, (_, part) in enumerate(check.parts) if not scene.value(part)), None)
        if first is None:
            return
        failing = [(text, part) for text, part in check.parts[first:] if scene.known(part) is False]
        asked = [
            Question(text, part.span, (part,), scene, known=frozenset({f"{text} = false"})) for text, part in failing
        ]
        notes = unfold(asked, self.engine.game, self.example.seats, MOST_UNFOLDED)
        message = f"{check.text} does not hold here{self._values(check, notes[: len(asked)], failing)}"
        ended = self.trace.ended if self.played and self.engine.is_terminal(self.state) else None
        if ended:
            message += f"; the play was ended by {ended}"
        elif self.state.frames and any(_asks_for_the_end(part) for _, part in failing):
            message += f"; {self._awaited()}"
        clauses = why(self.engine.game, (ended,) if ended else ())
        yield Diagnostic(codes.EXAMPLE_EXPECTATION, message, check.span, notes=notes[len(asked) :], why=clauses)

    def _values(self, check: m.ExpectThat, notes: Sequence[Note], failing: Sequence[tuple[str, m.Expr]]) -> str:
        """Every part that is false, with the values that make it so."""
        values = [note.message.removeprefix(text) for note, (text, _) in zip(notes, failing, strict=True)]
        if len(check.parts) == 1:
            return values[0]
        return ": " + "; ".join(f"{text} is false{told}" for (text, _), told in zip(failing, values, strict=True))

    def _report(self, code: Code, message: str, span: Span) -> Diagnostic:
        return Diagnostic(code, message, span)


def _asks_for_the_end(node: m.Expr) -> bool:
    return any(isinstance(part, m.Builtin) and part.name == "game_over" for part in (node, *everything_in(node)))
