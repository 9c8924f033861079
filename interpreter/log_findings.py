"""What the engine says of a line, in a referee's words: why an event cannot be, and which could be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ludex.grammar import Authority, Code, Diagnostic, Note, Why
from ludex.spec.jsonvalues import show
from ludex.spec.model import Game
from ludex.spec.types import Range

from . import log_codes as codes
from .engine import Engine
from .events import DECLINE, ChanceEvent, Event, Move, Refusal, RefusalKind, SpecFault
from .instructions import Chance, Decide, Together
from .log import Record, write_line
from .log_lines import line_of
from .log_problems import listed
from .log_table import Table
from .state import State

NEAREST = 3
"""So many legal events are named."""


# ---- words ----------------------------------------------------------------------------------------------------------


def authority_words(authority: Authority) -> str:
    """What a clause rests on, as it stands in the spec: `[ru 113, 120-124]`, `ruling "..."`."""
    spans = [
        (citation.document, [f"{a}-{b}" if a < b else f"{a}" for a, b in citation.lines])
        for citation in authority.citations
    ]
    cited = [f"[{document} {', '.join(lines)}]" for document, lines in spans]
    return " ".join([*cited, *(f'{reason.kind} "{reason.text}"' for reason in authority.reasons)])


def why(game: Game, paths: Iterable[str]) -> tuple[Why, ...]:
    """The clauses with what they rest on."""
    found = ((path, game.clauses.get(path)) for path in dict.fromkeys(paths))
    return tuple(Why(path, authority_words(i.authority), i.span) if i else Why(path, "") for path, i in found)


def event_words(game: Game, event: Event) -> str:
    """The event as Ludex text: `study(card: l03, at: Site(1, 1))`."""
    if isinstance(event, ChanceEvent):
        return f"{event.path}: {show(game.chances[event.path].outcome, event.outcome)}"
    types = {name: type_ for name, type_, _ in game.moves[event.action].arguments} if event.arguments else {}
    inside = ", ".join(f"{name}: {show(types[name], value)}" for name, value in event.arguments)
    return f"{event.action}({inside})" if inside else event.action


# ---- the state as a report needs it ---------------------------------------------------------------------------------


def asking(engine: Engine, state: State) -> str | None:
    """The clause whose decision or chance event is awaited."""
    instruction = engine.machine.standing_at(state)
    return instruction.statement.path if isinstance(instruction, Decide | Together | Chance) else None


def awaited_words(engine: Engine, state: State, table: Table) -> str:
    """`Alyona: study or scout`, `chance: setup.row`"""
    if engine.is_terminal(state):
        return "nothing, the game is over"
    if players := engine.to_move(state):
        names = engine.offered(state)
        return f"{listed(map(table.player, players))}: {' or '.join(names)}"
    return f"chance: {asking(engine, state)}"


def legal_lines(engine: Engine, state: State, event: Event) -> tuple[str, ...]:
    """Events that could stand in the place of this one, the nearest first, as lines of a log."""
    try:
        return tuple(write_line(line_of(engine.game, near)) for near in _nearest(engine, state, event))
    except SpecFault:
        return ()


def _nearest(engine: Engine, state: State, event: Event) -> Iterator[Event]:
    if isinstance(event, Move) and engine.to_move(state):
        yield from engine.nearest_legal(state, event, NEAREST)
    elif engine.to_move(state):
        yield from engine.legal_moves(state)[:NEAREST]
    else:
        outcomes = [outcome for outcome, _ in engine.chance(state)]
        if (
            isinstance(event, ChanceEvent)
            and outcomes
            and isinstance(engine.game.chances[outcomes[0].path].outcome, Range)
        ):
            wanted = event.outcome if isinstance(event.outcome, int) else 0
            outcomes.sort(key=lambda outcome: abs(outcome.outcome - wanted))
        yield from outcomes[:NEAREST]


# ---- findings -------------------------------------------------------------------------------------------------------


def refused(engine: Engine, state: State, refusal: Refusal, record: Record, table: Table) -> Diagnostic:
    """The finding for an event that the engine refuses in this state."""
    code, pointer, message, hint = _words(engine, state, refusal, table)
    paths = refusal.clauses or tuple(filter(None, [asking(engine, state)]))
    return Diagnostic(
        code,
        message,
        record.place(pointer),
        hint,
        why=why(engine.game, paths),
        pointer=pointer,
        legal=legal_lines(engine, state, refusal.event),
    )


def _words(engine: Engine, state: State, refusal: Refusal, table: Table) -> tuple[Code, str, str, str | None]:
    """Code, pointer, message and hint."""
    event, awaited = refusal.event, awaited_words(engine, state, table)
    if isinstance(event, ChanceEvent):
        return _chance_words(engine, state, refusal, event, awaited)
    who = table.player(event.player)
    match refusal.kind:
        case RefusalKind.OVER:
            return codes.AFTER_THE_END, "", "the game was over before this move", None
        case RefusalKind.CHANCE_AWAITED:
            message = f"chance had to decide before this move: {refusal.awaited} was awaited"
            return codes.CHANCE_AWAITED, "/action", message, "record how it came out"
        case RefusalKind.WRONG_PLAYER:
            turn = listed(map(table.player, refusal.players))
            return codes.WRONG_PLAYER, "/player", f"{turn} had to move, not {who}", f"awaited: {awaited}"
        case RefusalKind.NOT_OFFERED | RefusalKind.UNKNOWN_ACTION:
            choice = "decline" if event.action == DECLINE else f"choose {event.action}"
            return codes.NOT_OFFERED, "/action", f"{who} cannot {choice} at this moment", f"awaited: {awaited}"
        case RefusalKind.REQUIREMENT:
            failed = listed(refusal.clauses)
            message = f"{who} may not {event_words(engine.game, event)}: against {failed}"
            return codes.ILLEGAL_MOVE, "/args" if event.arguments else "/action", message, None
        case _:
            return codes.ILLEGAL_MOVE, f"/args/{refusal.argument}", _argument_words(engine.game, refusal, event), None


def _argument_words(game: Game, refusal: Refusal, move: Move) -> str:
    types = {name: type_ for name, type_, _ in game.moves[move.action].arguments} if move.action in game.moves else {}
    value = next((value for name, value in move.arguments if name == refusal.argument), None)
    stated = f" {show(types[refusal.argument], value)}" if refusal.argument in types else ""
    return f"{refusal.argument}{stated} cannot be chosen for {move.action} at this moment"


def _chance_words(
    engine: Engine, state: State, refusal: Refusal, event: ChanceEvent, awaited: str
) -> tuple[Code, str, str, str | None]:
    match refusal.kind:
        case RefusalKind.OVER:
            return codes.AFTER_THE_END, "", "the game was over before this chance event", None
        case RefusalKind.MOVE_AWAITED:
            return codes.MOVE_AWAITED, "/chance", f"no chance event was awaited; {awaited}", None
        case RefusalKind.WRONG_CHANCE:
            message = f"another chance event had to come first: {refusal.awaited}"
            return codes.CHANCE_ELSEWHERE, "/chance", message, None
        case _:
            return _outcome_words(engine, state, event)


def _outcome_words(engine: Engine, state: State, event: ChanceEvent) -> tuple[Code, str, str, str | None]:
    possible = [outcome for outcome, _ in engine.chance(state)]
    outcome = show(engine.game.chances[event.path].outcome, event.outcome)
    ways = [found.via for found in possible if found.outcome == event.outcome]
    if ways:
        lists = " or ".join(str(list(via or ())) for via in ways)
        message = f"{outcome} could come in several ways; `via` has to say by which"
        return codes.WRONG_OUTCOME, "/outcome", message, f'"via" is {lists}'
    hint = f"{len({found.outcome for found in possible})} outcomes are possible"
    return codes.WRONG_OUTCOME, "/outcome", f"{event.path} cannot come out as {outcome}", hint


def ambiguous(engine: Engine, state: State, record: Record, table: Table) -> Diagnostic:
    """The finding for a line that fits only after a decline, and after more than one."""
    message = "this fits only if somebody declined first, and it is not clear how often"
    hint = f"awaited: {awaited_words(engine, state, table)}; record each decline"
    paths = tuple(filter(None, [asking(engine, state)]))
    return Diagnostic(codes.AMBIGUOUS_DECLINE, message, record.place(), hint, why=why(engine.game, paths), pointer="")


def rules_at_fault(game: Game, fault: SpecFault, record: Record) -> Diagnostic:
    """The finding for a line at which the spec itself fails."""
    notes = (Note("the rules say so here", fault.span),)
    paths = (fault.path,) if fault.path else ()
    message = f"the rules themselves fail here: {fault.message}"
    return Diagnostic(codes.RULES_AT_FAULT, message, record.place(), None, notes, why(game, paths), "")


def unfinished(engine: Engine, state: State, record: Record, table: Table) -> Diagnostic:
    """The warning for a log that ends before the game does."""
    message = f"the log ends before the game does; awaited: {awaited_words(engine, state, table)}"
    paths = tuple(filter(None, [asking(engine, state)]))
    return Diagnostic(codes.UNFINISHED, message, record.place(), why=why(engine.game, paths), pointer="")
