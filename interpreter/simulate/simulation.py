"""Random games as a test of a spec: each is played to its end, recorded, and audited at every event if wanted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from ludex.grammar import Diagnostic, Json
from ludex.spec import OverBudget
from ludex.spec import model as m

from ..explanation.wording import fault_diagnostic
from ..generator import Generator
from ..logs import (
    MAX_LOG_BYTES,
    Validator,
    Verdict,
    end_claim,
    header_of,
    line_of,
    parse_log,
    read_position,
    write_line,
)
from ..program import COMPACT, WIDE, Compiled, State, kept_program
from ..state.events import Awaits, Event, Outcome, SpecFault, Trace
from ..state.stock import inventory
from .audit import Audit
from .playouts import follow, pick

MOST_EVENTS = 100_000
"""A random game with more events counts as endless. Its log has fewer lines than are read."""


@dataclass(frozen=True, slots=True)
class RandomGame:
    """One random game.

    Attributes:
        log: its text, with a claim about the end as the last line; up to where it stopped if it did not end.
        moves: number of decisions among its events.
        choices: sum of the numbers of legal moves at the decisions; widest: the largest of them.
        scores: by seat; () if it did not end.
        passed: number of decisions passed over because no option was legal, by clause.
        rounds: number of times each outermost `repeat` of the flow began, by clause.
        wrong: the faults that the audit found, in words; faults: of the spec, raised in play.
        published: public facts that hidden information decided, in words; see `Audit`.
    """

    log: str
    events: int
    moves: int
    choices: int
    widest: int
    scores: tuple[int, ...] = ()
    outcome: Outcome | None = None
    passed: Counter[str] = field(default_factory=Counter)
    rounds: Counter[str] = field(default_factory=Counter)
    wrong: tuple[str, ...] = ()
    faults: tuple[Diagnostic, ...] = ()
    published: tuple[str, ...] = ()


class Simulation:
    """Plays random games of one game.

    The compiled engine plays. After a fault the reference plays the same events, as its fault is in the author's words.

    Attributes:
        audit: audit every state, and judge every log.
        long: many games will follow, so lower the game further, which takes longer.
        start: the position in which they begin; None: the game's beginning. Raises ValueError if it is none.
    """

    def __init__(
        self, game: m.Game, audit: bool = False, long: bool = True, start: Mapping[str, Json] | None = None
    ) -> None:
        limits = WIDE if long else COMPACT
        program = kept_program(game, limits, writes=long)
        self.game, self._audits = program.game, audit
        self._engine = Compiled(program.game, limits, program)
        self._header = write_line(header_of(self.game, start=start).to_json())
        self._start = None if start is None else self._read(start)
        # Whatever the header asks for, the log is judged by the game that was played.
        self._validator = Validator(lambda *_, **__: self.game)

    def _read(self, start: Mapping[str, Json]) -> State:
        state = read_position(self._engine.reference, start)
        if isinstance(state, tuple):
            raise ValueError(state[0].message)
        return self._engine.from_reference(state)

    def play(self, rng: Generator) -> RandomGame:
        """Play one game; the same state of the generator gives the same game and the same bytes of its log."""
        audit = (
            Audit(self._engine, rng.state[0]) if self._audits else None
        )  # takes no draw, so the game is the same as without it
        course = _Course(self._engine, rng, self._header, audit, self._start)
        course.run()
        # A log that breaks off is judged unfinished, which is not a fault of the judge.
        if audit is not None and course.outcome is not None:
            course.wrong.extend(self._misjudged(course.log))
        return course.result()

    def _misjudged(self, log: str) -> list[str]:
        """Judge the log of a game that ended; return the findings."""
        report = self._validator.validate(parse_log(log, "its log", "json"))
        if report.verdict is Verdict.LEGAL and report.result is not None:
            return []
        return [f"its log is judged illegal: {finding.message}" for finding in report.findings[:1]]


class _LogFull(Exception):
    """Raised if the next line would make the log larger than the largest that is read."""


class _Course:
    """One game being played."""

    def __init__(
        self,
        engine: Compiled,
        rng: Generator,
        header: str,
        audit: Audit | None = None,
        start: State | None = None,
    ) -> None:
        self.engine, self.rng, self.audit, self.start = engine, rng, audit, start
        self.trace = audit.trace if audit else Trace()
        self.lines: list[str] = []
        self.bytes_left = MAX_LOG_BYTES
        self._write(header)
        self.wrong: list[str] = []
        self.faults: tuple[Diagnostic, ...] = ()
        self.events: list[Event] = []
        self.played = self.moves = self.choices = self.widest = 0
        self.scores: tuple[int, ...] = ()
        self.outcome: Outcome | None = None

    def run(self) -> None:
        self.engine.meter.begin_game()
        try:
            state = self._first_state()
            while not self.engine.is_terminal(state):
                if self.played == MOST_EVENTS:
                    self.wrong.append(f"the game does not end within {MOST_EVENTS:,} events")
                    return
                self._event(state)
            self._look(state)
            self._write(write_line(end_claim(self.engine, state)))
            self.scores, self.outcome = self.engine.returns(state), self.engine.winners(state)
        except _LogFull:
            self.wrong.append(
                f"its log exceeds {MAX_LOG_BYTES // 1024**2} MB, the size of the largest log that can be read"
            )
        except SpecFault as fault:
            self.faults = (fault_diagnostic(self._in_words(fault), self.engine.game),)

    def _first_state(self) -> State:
        if self.start is None:
            return self.engine.start(self.trace)
        # For the audit, the pieces of the position came into the game with it.
        self.trace.entered.update(inventory(self.engine.game, self.start))
        # The position is played in place, and the next game begins in it, too.
        return self.start.clone()

    def _event(self, state: State) -> None:
        is_move = self.engine.awaits(state) is Awaits.MOVE
        picked = pick(self.engine, state, self.rng)
        # This comes before the event is played, as its legality is asked for in this state.
        self._look(state, picked.event)
        self.events.append(picked.event)
        follow(self.engine, state, picked, self.trace)
        self._write(write_line(line_of(self.engine.game, picked.event)))
        self.played += 1
        self.engine.check_game(state)
        if is_move:
            self.moves += 1
            self.choices += picked.choices
            self.widest = max(self.widest, picked.choices)

    def _in_words(self, fault: SpecFault) -> SpecFault:
        """Return the fault as the reference raises it, in the author's words.

        Only the compiled engine counts the work of a game, so OverBudget is returned as it is.
        """
        if not isinstance(fault, OverBudget):
            try:
                self._again()
            except SpecFault as explained:
                return explained
        return fault

    def _again(self) -> None:
        """Play the same events by the reference, with the same questions after each."""
        reference = self.engine.reference
        state = reference.start() if self.start is None else self.engine.to_reference(self.start)
        for event in self.events:
            state = reference.apply(state, event)
        # A question after the last event may have failed, and not the event.
        for question in (reference.chance, reference.legal_moves, reference.returns, reference.winners):
            question(state)

    def _write(self, line: str) -> None:
        """Record a line. Raises _LogFull if the log would become too large to be read."""
        # One more byte is the end of the line.
        self.bytes_left -= len(line.encode()) + 1
        if self.bytes_left < 0:
            raise _LogFull
        self.lines.append(line)

    def _look(self, state: State, event: Event | None = None) -> None:
        """Audit the state until a fault is found: later reports would only repeat it."""
        if self.audit is not None and not self.wrong:
            self.wrong.extend(f"after {self.played} events: {words}" for words in self.audit.look(state, event))

    @property
    def log(self) -> str:
        """The text of the log so far."""
        return "".join(f"{line}\n" for line in self.lines)

    def result(self) -> RandomGame:
        return RandomGame(
            self.log,
            self.played,
            self.moves,
            self.choices,
            self.widest,
            self.scores,
            self.outcome,
            self.trace.passed,
            self.trace.rounds,
            tuple(self.wrong),
            self.faults,
            self.audit.published if self.audit else (),
        )
