"""`ludex show`: the state at any event of a log; or, with `--merged`, a game by one of its texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ludex.grammar import Diagnostic, Message, Span, enumerated
from ludex.interpreter import (
    Awaits,
    Engine,
    Move,
    Play,
    Scores,
    State,
    explain,
    header_of,
    is_partial,
    line_of,
    own_refusal,
    position_of,
    position_text,
    possible_view,
    reasons,
    replay,
    report_to_json,
)
from ludex.spec import Budget

from ..command import ALL, GAME, Count, budget_option, lang_option, silence_option, sources_option, subcommand
from ..log_arguments import game_option, log_validator, read_named_log, tell_warnings, warnings_in
from ..positions import from_option
from ..reporting import (
    Exit,
    Reporter,
    Texts,
    diagnostic_json,
    file_called,
    is_folder,
    json_text,
    patiently,
    put,
    say,
    style,
    width,
    words,
)
from ..verdicts.judged import EXITS
from ..view.display_names import chosen_language
from ..view.observation_picture import picture_rows
from ..view.observation_text import Viewer
from ..view.possible_rows import may_hold_json, may_hold_rows, open_words, public_part
from ..view.referee_view import everything
from ..view.verdict_words import early_end_words, result_words

_MOST_PLAYS = 4
"""The most plays that are searched for and shown together, where all that a log allows are too many."""
_MOST_MOVES = 12
"""The largest number of legal moves listed by default."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options for showing a log."""

    at: int | None
    onlooker: str
    cards: bool
    moves: bool
    lang: str | None
    games: tuple[str, ...]
    budget: Budget
    start: str | None
    format: str


@subcommand("show", "show game.jsonl --at 12\nshow game.jsonl --at 12 --as 2\nshow --merged aid boreal")
@click.argument("shown", metavar="LOG|GAME")
@click.option("--at", type=Count(min=0), metavar="N", help="Show the state after N events.  [default: after the last]")
@click.option(
    "--as",
    "onlooker",
    default=ALL,
    show_default=True,
    metavar="PLAYER",
    help="Show only what this seat or name may know.",
)
@click.option("--cards", is_flag=True, help="List what is printed on every visible piece.")
@click.option("--moves", is_flag=True, help="List all legal moves.")
@lang_option
@game_option
@budget_option
@click.option("--merged", metavar="EDITION", help="Show GAME as this text has it, with the origin of each clause.")
@silence_option
@sources_option
@from_option
@click.option(
    "--format",
    type=click.Choice(["text", "json", "position"]),
    default="text",
    show_default=True,
    help="Print for people, or for programs; or as a position, in which plays can begin.",
)
def command(shown: str, merged: str | None, silence: str, sources: Path | None, **options: Any) -> Exit:
    """Show the state after any event of a log: everything, or what one player may know then.

    With --merged, show a game as one of its texts has it: every clause with the text that states it.
    """
    _refuse_mixture(merged is not None)
    if merged is not None:
        from ..view.merged import show_merged

        if options["format"] == "position":
            raise click.UsageError(Message("usage-position-of-log"))
        # The argument may be a log, so it has no type that would do this.
        GAME.convert(shown, None, None)
        return show_merged(shown, merged, silence, sources, options["format"] == "json")
    return _show_log(shown, Wanted(**options))


LOG_ONLY = ("start", "at", "onlooker", "cards", "moves", "lang", "games", "budget")
MERGED_ONLY = ("silence", "sources")


def _refuse_mixture(merged: bool) -> None:
    """Refuse options of the other form of the command."""
    context = click.get_current_context()
    for parameter in context.command.params:
        astray = parameter.name in (LOG_ONLY if merged else MERGED_ONLY)
        # An option with its default value is refused, too.
        if astray and context.get_parameter_source(parameter.name or "") is not ParameterSource.DEFAULT:
            raise click.UsageError(Message("usage-for-log" if merged else "usage-for-merged", option=parameter.opts[0]))


@dataclass
class _AllButLog(Texts):
    """Quotes no line of the log: it may say what the onlooker must not know."""

    log: str = ""

    def line(self, span: Span) -> str | None:
        return None if span.file == self.log else super().line(span)


def _unknown_words(file: str, open_ones: str, at: int | None, player: str | None) -> Message:
    """Say that the state of a log is not known, and what shows another one. player: who is to see it; None: all."""
    earlier = Message("unknown-way-at" if at is None else "unknown-way-before")
    if player is None:
        return Message("usage-unknown-state", file=file, ways=(earlier, Message("unknown-way-as")), open=open_ones)
    ways = (earlier, Message("unknown-way-all"))
    return Message("usage-unknown-view", file=file, player=player, ways=ways, open=open_ones)


def _show_log(log: str, wanted: Wanted) -> Exit:
    at, as_json = wanted.at, wanted.format == "json"
    texts: dict[str, str] = {}
    # A path of nothing would be the current folder; the reader says that the name is empty.
    if log.strip() and is_folder(Path(log)):
        raise click.UsageError(Message("usage-folder", name=log))
    start = None if wanted.start is None else str(Path(wanted.start).absolute())
    judge, judged = log_validator(wanted.games, wanted.budget), read_named_log(log, texts)
    play = patiently("report-judging", lambda: judge.play(judged, at, start=start, plays=_MOST_PLAYS))
    names = play.report.header.names if play.report.header else ()
    seat = None if play.engine is None else _seat(wanted.onlooker, play.engine, names)
    # Of some plays that a search found, nobody can say what a player sees in all.
    if play.engine is not None and play.belief is not None and seat is not None and play.sampled_from is None:
        # A player may know everything in sight although the log leaves other things open.
        play = replace(play, state=play.belief.known_to(seat))
    quoted = Texts(texts) if seat is None else _AllButLog(texts, log=play.report.file)
    errors = [finding for finding in play.report.findings if finding.is_error]
    is_possible = play.belief is not None and play.state is None and seat is None and wanted.format != "position"
    has_state = play.state is not None or is_possible
    if play.engine is not None and not has_state and (not errors or any(map(is_partial, play.events))):
        tell_warnings(play.report, quoted)
        viewer = Viewer(play.engine.game, names, chosen_language(play.engine.game, wanted.lang))
        open_ones = open_words(possible_view(play.belief), viewer) if play.belief is not None and seat is None else ""
        raise click.UsageError(
            _unknown_words(file_called(log), open_ones, at, None if seat is None else wanted.onlooker)
        )
    if play.engine is None or not has_state:
        return _unplayed(play, seat, quoted, as_json)
    if at is not None and play.report.replayed < at:
        return _not_reached(play, at, seat, quoted, as_json)
    viewer = Viewer(play.engine.game, names, chosen_language(play.engine.game, wanted.lang))
    if play.state is None:
        _show_possible(play, play.engine, viewer, quoted, as_json)
    elif as_json:
        put(json_text(_to_json(play, seat)))
    elif wanted.format == "position":
        put(_position(play, play.engine, play.state, seat), nl=False)
    else:
        tell_warnings(play.report, quoted)
        say("\n".join(_rows(play, play.engine, play.state, seat, wanted, viewer)))
    if errors and at is None and not as_json:
        # What is printed may be a position file, which findings would spoil.
        findings = errors if seat is None else _visible_findings(play, seat)[:1]
        Reporter(quoted).print(findings, err=wanted.format == "position")
    # A request for an event is not about the faults after it.
    return EXITS[play.report.verdict] if at is None else Exit.GOOD


def _not_reached(play: Play, at: int, seat: int | None, texts: Texts, as_json: bool) -> Exit:
    """Report that the log does not reach the position, with its faults; no other position is shown instead."""
    report, findings = play.report, _visible_findings(play, seat)
    events = Message("count-events", count=report.events)
    counted = Message("usage-beyond", at=str(at), file=file_called(report.file), events=events)
    if report.stopped_at is None and not any(finding.is_error for finding in findings):
        raise click.UsageError(counted)
    Reporter(texts).show(findings, as_json)
    if at > report.events:
        counted = Message("show-beyond-end", words=counted)
    option = f"--at {report.replayed}"
    say(words("show-before-fault", words=counted, count=report.replayed, option=option), err=True)
    return EXITS[report.verdict]


def _unplayed(play: Play, seat: int | None, texts: Texts, as_json: bool) -> Exit:
    Reporter(texts).show(_visible_findings(play, seat), as_json)
    return EXITS[play.report.verdict]


def _seat(onlooker: str, engine: Engine, names: tuple[str, ...]) -> int | None:
    """Return the seat of the player named by `--as`; None for `all`. Raises UsageError for an unknown player."""
    if onlooker == ALL:
        return None
    if onlooker in names:
        return names.index(onlooker)
    seats = [str(seat + 1) for seat in range(engine.game.players)]
    if onlooker in seats:
        return seats.index(onlooker)
    raise click.UsageError(Message("usage-nobody", name=onlooker, known=(*seats, *names), all=ALL))


def _seen(engine: Engine, state: State, seat: int | None) -> dict[str, Any]:
    return everything(engine, state) if seat is None else engine.observe(state, seat)


# ---- for people ------------------------------------------------------------------------------------------------


def _rows(play: Play, engine: Engine, state: State, seat: int | None, wanted: Wanted, viewer: Viewer) -> Iterator[str]:
    yield style(_head(play, engine, viewer, seat), bold=True)
    yield ""
    if play.report.early_end:
        # The rules would still ask somebody.
        yield from picture_rows(viewer, _seen(engine, state, seat), width(), explain=wanted.cards or None)
        yield from ("", f"{words('the-game-is-over')}: {early_end_words(play.report)}")
        return
    yield from table_rows(engine, state, seat, viewer, wanted.cards, wanted.moves)
    if engine.is_terminal(state):
        yield from _end(play, engine, state, viewer)


def table_rows(
    engine: Engine, state: State, seat: int | None, viewer: Viewer, cards: bool = False, moves: bool = False
) -> Iterator[str]:
    """Write the state as a player may know it (seat None: all of it), and what is awaited. cards, moves: list all."""
    yield from picture_rows(viewer, _seen(engine, state, seat), width(), explain=cards or None)
    yield ""
    yield _awaited(engine, state, viewer, seat)
    if engine.awaits(state) is Awaits.MOVE and (seat is None or seat in engine.to_move(state)):
        yield from _moves(engine, state, seat, moves, viewer)


def _head(play: Play, engine: Engine, viewer: Viewer, seat: int | None) -> str:
    game = engine.game
    title = viewer.speech.title
    head = words("show-edition", title=title, edition=game.edition) if game.editions else title
    head = words("show-head", title=head, count=len(play.events))
    if play.events and (seat is None or not any(map(is_partial, play.events))):
        head = words("show-last", head=head, event=_last_event(play, engine, viewer, seat))
    return head if seat is None else words("show-as", head=head, player=viewer.player(seat))


def _last_event(play: Play, engine: Engine, viewer: Viewer, seat: int | None) -> str:
    """Write the event that led here, as the onlooker saw it."""
    event = play.events[-1]
    if seat is not None:
        # What is seen of an event depends on the state before it.
        event = engine.view_of_event(replay(engine, play.events[:-1], play.start).state, event, seat)
    return viewer.notation(event)


def _awaited(engine: Engine, state: State, viewer: Viewer, seat: int | None) -> str:
    match engine.awaits(state):
        case Awaits.NOTHING:
            return words("the-game-is-over")
        case Awaits.CHANCE:
            chances = engine.chance(state)
            clause = viewer.speech.word(chances[0][0].path)
            if seat is None:
                return words("chance-awaited-outcomes", clause=clause, count=len(chances))
            # The number of outcomes may depend on pieces that a player has not seen.
            return words("chance-awaited", clause=clause)
        case _:
            return words("to-move", who=enumerated(viewer.player(seat) for seat in engine.to_move(state)))


def _moves(engine: Engine, state: State, seat: int | None, all_moves: bool, viewer: Viewer) -> Iterator[str]:
    moves = engine.legal_moves(state, seat)
    shown = moves if all_moves else moves[:_MOST_MOVES]
    yield from (f"  {viewer.notation(move)}" for move in shown)
    if len(shown) < len(moves):
        yield f"  ... {words('show-more-moves', count=len(moves) - len(shown), option='--moves')}"


def _end(play: Play, engine: Engine, state: State, viewer: Viewer) -> Iterator[str]:
    if play.report.result:
        yield result_words(play.report, viewer.speech)
    for seat, scores in enumerate(_scores(play, engine, state) or ()):
        parts = ", ".join(f"{viewer.speech.word(path)} {points}" for path, points in scores.breakdown)
        yield f"  {viewer.player(seat)}: {scores.total}{f' ({parts})' if parts else ''}"


def _scores(play: Play, engine: Engine, state: State) -> tuple[Scores, ...] | None:
    """Return the points; None if they depend on what the log leaves unknown."""
    if play.belief is None:
        return engine.scores(state)
    return None if play.belief.result is None else play.belief.result[0]


def _visible_findings(play: Play, seat: int | None) -> Sequence[Diagnostic]:
    """Select the findings that the onlooker may know.

    They explain a refusal of the onlooker's own move; of other faults they say only that they exist, and quote nothing.
    """
    errors = [finding for finding in play.report.findings if finding.is_error]
    if seat is None:
        return play.report.findings
    own = _own_refusal(play, seat)
    refused = play.report.stopped_at.line if own and play.report.stopped_at else 0
    return [own if own and each.span.line == refused else _bare(each) for each in errors]


def _own_refusal(play: Play, seat: int) -> Diagnostic | None:
    """Explain the refusal of the move at which the replay stopped from what the mover sees; None for other findings."""
    engine, state, refusal, stop = play.engine, play.state, play.refusal, play.report.stopped_at
    if engine is None or state is None or refusal is None or stop is None:
        return None
    if not isinstance(refusal.event, Move) or refusal.event.player != seat:
        return None
    reference, seen = engine.reference, engine.to_reference(state)
    own = own_refusal(reference, seen, refusal.event)
    if own is None:
        return None
    names = play.report.header.names if play.report.header else ()
    code = next(finding.code for finding in play.report.findings if finding.span.line == stop.line)
    words, notes = explain(own, engine.game, names), reasons(reference, seen, own, names, viewer=seat)
    return Diagnostic(code, words.message, Span(stop.file, stop.line, 1, stop.line, 1), notes=notes, why=words.why)


def _bare(finding: Diagnostic) -> Diagnostic:
    """Strip a finding to the fact that the line is faulty: its content may be hidden from the player."""
    file, line = finding.span.file, finding.span.line
    why_not = Message("show-not-legal", command="ludex validate")
    return Diagnostic(finding.code, why_not, Span(file, line, 1, line, 1))


# ---- where the log leaves things unknown -----------------------------------------------------------------------


def _show_possible(play: Play, engine: Engine, viewer: Viewer, texts: Texts, as_json: bool) -> None:
    """Print the known part of the play, and the candidates for the rest."""
    belief = play.belief
    assert belief is not None
    example, view = belief.example, possible_view(belief)
    seen = public_part(engine, example, view)
    if as_json:
        scores = belief.result and [each.total for each in belief.result[0]]
        findings = [diagnostic_json(finding) for finding in play.report.findings]
        about = {
            "legal_moves": None,
            "scores": scores,
            "terminal": belief.has_ended or bool(play.report.early_end),
            "findings": findings,
        }
        sampled = {"sampled_from_line": play.sampled_from.line} if play.sampled_from else {}
        shown = {"observation": seen, "may_hold": may_hold_json(view), **sampled}
        put(json_text({**_about(play, engine, None), **shown, **about}))
        return
    tell_warnings(play.report, texts)
    say(style(_head(play, engine, viewer, None), bold=True))
    if play.sampled_from is not None:
        say(words("show-sampled", line=play.sampled_from.line))
    say("\n".join(["", *picture_rows(viewer, seen, width()), "", *may_hold_rows(view, viewer)]))
    if play.report.early_end:
        say(f"{words('the-game-is-over')}: {early_end_words(play.report)}")
    elif belief.has_ended:
        say(words("the-game-is-over"))
    elif belief.movers:
        say(words("to-move", who=enumerated(viewer.player(seat) for seat in belief.movers)))


# ---- as a position ---------------------------------------------------------------------------------------------


def _position(play: Play, engine: Engine, state: State, seat: int | None) -> str:
    """Write the state as a position file."""
    if seat is not None:
        raise click.UsageError(Message("usage-position-of-all", all=ALL))
    header = play.report.header
    assert header is not None
    position = position_of(engine.reference, engine.to_reference(state), header.names)
    own = header_of(engine.game, header.names, header.game, start=position)
    return position_text(own)


# ---- for programs ----------------------------------------------------------------------------------------------


def _about(play: Play, engine: Engine, seat: int | None) -> dict[str, Any]:
    return {
        "file": play.report.file,
        "game": engine.game.name,
        "edition": engine.game.edition,
        "after": len(play.events),
        "seen_by": ALL if seat is None else seat + 1,
    }


def _to_json(play: Play, seat: int | None) -> dict[str, Any]:
    engine, state = play.engine, play.state
    assert engine is not None
    assert state is not None
    warnings = () if seat is None else warnings_in(play.report)
    over = engine.is_terminal(state)  # before that, points may depend on what the onlooker does not see
    has_ended = over or play.report.early_end is not None
    legal = () if has_ended else engine.legal_moves(state, seat)
    return {
        **_about(play, engine, seat),
        "observation": _seen(engine, state, seat),
        "legal_moves": [line_of(engine.game, move) for move in legal],
        "scores": [each.total for each in _scores(play, engine, state) or ()] or None if seat is None or over else None,
        "terminal": has_ended,
        **({"result": report_to_json(play.report)["result"]} if play.report.early_end else {}),
        "findings": [diagnostic_json(finding) for finding in (*warnings, *_visible_findings(play, seat))],
    }
